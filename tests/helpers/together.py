"""Agents that tune together at the Federated page's settings, computed apart from the page."""

from dataclasses import replace
from functools import cache

import privbo_core as pb
from privbo_core.federated import GRADES_START, Settings, Simulation, variants
from tests.helpers.opening import open_page

FEW = {"N": "24", "T": "8", "M": "10", "runs": "6"}
NAMES = ("DP-FTS-DE", "FTS-DE", "TS")
"""The algorithms that the cost compares: with noise, without, and each agent on its own."""


def open_few(state=None, **query):
    """Open the page with few agents, rounds and runs."""
    return open_page("federated", state, **FEW | query)


@cache
def simulation(kind="family", heterogeneity=0.1):
    if kind == "family":
        drawn = {"agents": 400, "lengthscale": 0.15, "heterogeneity": heterogeneity}
        return Simulation(lambda run: pb.federated.synthetic(**drawn, seed=run))
    problem = getattr(pb.federated, kind)()
    return Simulation(lambda run: problem)


def settings_of(kind="family", **changed):
    """Return the settings of the page with few rounds, but for those that are changed."""
    problem = simulation(kind).problem(0)
    if kind == "grades":
        return replace(GRADES_START.settings(problem), **{"iterations": 8, "features": 10, **changed})
    start = Settings(problem.kernel, problem.noise_variance, 8, 10, 10, q=0.25, z=1.0, S=11.0, P=2,
                     decay=0.5 if kind == "family" else 1.0)  # fmt: skip
    return replace(start, **changed)


@cache
def together(kind="family", N=24, runs=6, heterogeneity=0.1, **changed):
    """Return the progress of all five algorithms, after all runs."""
    named = variants(settings_of(kind, **changed))
    *_, progress = simulation(kind, heterogeneity).compare(named, N, runs)
    return progress


def rounds(progress):
    return pb.federated.rounds_needed(progress, *NAMES)
