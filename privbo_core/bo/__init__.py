"""Bayesian optimisation on a finite domain: the search loop, policies, traces, regret and information gain.

>>> import numpy as np
>>> import privbo_core as pb
>>> points = np.linspace(0, 1, 101)[:, None]
>>> trace = pb.bo.gp_ucb(
...     points,
...     np.sin(6 * points[:, 0]),  # highest at 0.26
...     kernel=pb.gp.SquaredExponential(lengthscale=0.2),
...     noise_variance=0.01,
...     iterations=15,
...     rng=np.random.default_rng(0),
... )
>>> print(len(trace.rows), trace.observed.shape, trace.simple_regret[-1] < 0.01)
20 (20,) True
>>> print(trace.cumulative_regret[-1] / 15 < 0.5)
True
"""

from privbo_core.bo.acquisition import Improvement, Rule, Search, Thompson, UpperBound, beta, rule
from privbo_core.bo.policies import (
    gp_ucb,
    gp_ucb_runs,
    initial_rows,
    neighbour_queries,
    random_queries,
    random_search,
    rule_queries,
    search,
)
from privbo_core.bo.steps import ExtraSteps
from privbo_core.bo.trace import (
    CONFIDENCE,
    Band,
    Belief,
    Difference,
    InformationGain,
    Trace,
    band,
    information_gain,
    replay,
    resampled_interval,
    taken_for_best,
)

__all__ = [
    "CONFIDENCE",
    "Band",
    "Belief",
    "Difference",
    "ExtraSteps",
    "Improvement",
    "InformationGain",
    "Rule",
    "Search",
    "Thompson",
    "Trace",
    "UpperBound",
    "band",
    "beta",
    "gp_ucb",
    "gp_ucb_runs",
    "information_gain",
    "initial_rows",
    "neighbour_queries",
    "random_queries",
    "random_search",
    "replay",
    "resampled_interval",
    "rule",
    "rule_queries",
    "search",
    "taken_for_best",
]
