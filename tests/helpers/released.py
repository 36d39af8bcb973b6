"""The Release page opened with few settings, the engine's own numbers at them, and tables of one's own."""

import numpy as np
import pandas as pd

import privbo_core as pb
from pages.ui.own_table import OWN_TABLE, OwnTable
from privbo_core.release import Design
from tests.helpers.opening import open_page

SEARCHES = 20
"""How many searches with noisy evaluations the page averages over."""
MECHANISMS = {"selection": "selection", "1 noisy": "noisy", "2 exact": "noise-free", "3 Lipschitz": "lipschitz"}


def come(state=None, **query):
    """Open the page."""
    return open_page("release", state, **query)


def task_of(name="logistic"):
    """Return a sample of the page by its name."""
    return pb.release.prior_task(200) if name == "prior" else pb.data.tuning_task(name)


def designed(algorithm, epsilon=3.0, published="setting and score", **changes):
    """Return what the page's sliders describe, at their first values but for the changes."""
    setting, score = published != "score", published != "setting"
    return Design(MECHANISMS[algorithm], epsilon, setting, score, **changes)


def losses_of(design, task):
    """Return the loss of the published configuration after each of the page's searches."""
    runs = range(SEARCHES) if design.mechanism == "noisy" else range(1)
    searches = [design.search(task, run) if design.searches else None for run in runs]
    return [pb.tradeoff.expected_loss(task, design.publication(task, search).plan) for search in searches]


def scored(name="C", n=60):
    """Return a table of scores with one parameter."""
    x = np.geomspace(0.001, 10, n)
    return pd.DataFrame({name: x, "accuracy": 0.8 - 0.05 * np.log10(x) ** 2})


def labelled():
    """Return a data set with two kinds of labels."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 2))
    ill = np.where(x.sum(axis=1) + rng.normal(size=200) > 0, "yes", "no")
    return pd.DataFrame({"a": x[:, 0], "b": x[:, 1], "ill": ill})


def brought(table, kind, name="mine.csv"):
    """Return the session of a visitor who has brought a table for this use."""
    content = table.to_csv(index=False).encode()
    return {OWN_TABLE: OwnTable(table, name, content), "task": kind}
