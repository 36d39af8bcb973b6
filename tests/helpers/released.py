"""Settings of the Release page, what it shows at them, and a table of one's own brought there."""

import numpy as np
import pandas as pd

import privbo_core as pb
from pages.parts.release.setup import Setup
from pages.parts.release.view import compute
from pages.parts.table.own_table import OWN_TABLE, OwnTable
from tests.helpers.opening import open_page

VALUES = {"epsilon": 3.0, "delta": 1e-3, "k1": 0.99, "sigma": 0.1, "T": 50.0, "a": 3.0, "A": 1.0, "tau": 0.1}
PREMISES = {"L": 0.25, "g": 1.0, "lambda_min": 1e-6, "lambda_max": 1.0, "m": 250.0}
LIPSCHITZ = {"epsilon": 3.0, "T": 50.0, "a": 3.0} | PREMISES


def viewed(algorithm, task="logistic", paper="icml", **changes):
    """Return what the page shows of an algorithm on a task, by its name or as it is, with these sliders changed."""
    known = pb.data.tuning_task(task) if isinstance(task, str) else task
    return compute(Setup(known, algorithm, paper, (LIPSCHITZ if algorithm == 3 else VALUES) | changes))


def noisily(task, epsilon):
    """Return Algorithm 1's plan at `VALUES`, by the engine alone."""
    how = {"kernel": task.kernel, "sigma": 0.1, "iterations": 50, "delta": 1e-3, "rng": np.random.default_rng(0)}
    search = pb.release.optimise(task.points, task.objective, **how)
    return search, pb.release.noisy(search, epsilon=epsilon, k1=0.99)


def scored(name="C", n=60):
    x = np.geomspace(0.001, 10, n)
    return pd.DataFrame({name: x, "accuracy": 0.8 - 0.05 * np.log10(x) ** 2})


def labelled():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 2))
    ill = np.where(x.sum(axis=1) + rng.normal(size=200) > 0, "yes", "no")
    return pd.DataFrame({"a": x[:, 0], "b": x[:, 1], "ill": ill})


def come(state=None, **query):
    app = open_page("release", state, **query)
    return app


def brought(table, kind, name="mine.csv"):
    content = table.to_csv(index=False).encode()
    return {OWN_TABLE: OwnTable(table, name, content), "task": kind}
