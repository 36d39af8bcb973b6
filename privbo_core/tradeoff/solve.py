"""Find the smallest ε for a limit of cost, from a monotone fit whose uncertainty comes from resampled runs."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.optimize import isotonic_regression
from scipy.special import stdtrit

from privbo_core.bo import CONFIDENCE
from privbo_core.errors import Array, probability, whole
from privbo_core.tradeoff.curve import Mark

Reach = Literal["inside", "always", "never"]
"""Whether the budget is kept in part of the range of ε, in all of it, or in none of it."""
RESAMPLES = 400
MIN_RATIO = 1.03
"""The resolution of ε. No value is measured between two values of this ratio or less."""


@dataclass(frozen=True, eq=False)
class MonotoneFit:
    """Fitted costs that never rise with ε.

    ``costs`` are those at ``epsilons``. Between two values of ε the cost is linear in log ε.
    """

    epsilons: Array
    costs: Array

    def at(self, epsilon: float) -> float:
        """Return the fitted cost at ε. Beyond an end it is the cost at that end."""
        return float(np.interp(math.log(epsilon), np.log(self.epsilons), self.costs))

    def smallest(self, budget: float) -> float:
        """Return the smallest ε whose fitted cost is at most ``budget``, or ∞ if there is none in the range.

        If it lies between two measured values whose ratio is at most `MIN_RATIO`, the larger one is returned. The cost
        may jump between them, and at the larger one it was measured.
        """
        within = np.flatnonzero(self.costs <= budget)
        if not len(within):
            return math.inf
        i = int(within[0])
        if i == 0:
            return float(self.epsilons[0])
        above, below = self.costs[i - 1], self.costs[i]
        left, right = (float(epsilon) for epsilon in self.epsilons[i - 1 : i + 1])
        share = float((above - budget) / (above - below))
        # A power would round the right end, so it is returned as it is.
        if share >= 1 or right / left <= MIN_RATIO:
            return right
        return float(left * (right / left) ** share)


@dataclass(frozen=True)
class Answer:
    """The smallest ε that keeps the cost within a budget.

    ``swept`` is the range of ε. If the budget is never kept in it, ``reach`` is "never" and ``epsilon`` is ∞. If it is
    always kept, ``reach`` is "always" and ``epsilon`` is the smallest measured value. ``cost`` is the fitted cost at
    ``epsilon``, or at the largest measured value if the budget is never kept, and ``error`` is its standard error.

    The interval from ``low`` to ``high`` contains the share ``level`` of the resampled answers, and every ε at which
    the budget lies within the error of the fit at that level. It also contains the next smaller measured value, which
    was too costly, if the ratio to it is at most `MIN_RATIO`. ``high`` may be ∞.
    """

    budget: float
    epsilon: float
    low: float
    high: float
    cost: float
    error: float
    reach: Reach
    level: float
    swept: tuple[float, float]


def isotonic(epsilons: Array, costs: Array, weights: Array) -> MonotoneFit:
    """Fit costs that never rise with ε.

    The fit is argmin Σ wᵢ(cᵢ − gᵢ)² over g₁ ≥ g₂ ≥ …, which the pool adjacent violators algorithm finds in O(n).
    """
    return MonotoneFit(epsilons, np.asarray(isotonic_regression(costs, weights=weights, increasing=False).x))


def monotone_fit(marks: Sequence[Mark]) -> MonotoneFit:
    """Fit the mean costs of the marks, weighted by 1/s.e.². Raises ValueError if there is no mark."""
    epsilons, costs = _shared_runs(marks)
    return _fit(epsilons, (row[None] for row in costs))[0]


def solve(
    marks: Sequence[Mark], budget: float, *, level: float = CONFIDENCE, resamples: int = RESAMPLES, seed: int = 0
) -> Answer:
    """Return the smallest ε at which the cost is at most ``budget``, with an interval.

    ``marks`` are in order of ε. They have the extra cost over the search without privacy in each run (`Sweep.extra`),
    with common random numbers. Each resample therefore takes the same runs at every ε, before the fit and the solution
    are repeated. If the marks have a single run each, or costs without any scatter, the interval has no width. On
    simulated curves, intervals at a ``level`` of 95% contained the true ε nine times in ten
    (tests/core/tradeoff/test_tradeoff.py). O(resamples · marks · runs), 0.02 s. Raises ValueError without marks.
    """
    probability("level", level)
    epsilons, costs = _shared_runs(marks)
    (fit,) = _fit(epsilons, (row[None] for row in costs))
    answer = fit.smallest(budget)
    at = answer if math.isfinite(answer) else float(epsilons[-1])
    rng, runs = np.random.default_rng(seed), costs.shape[1]
    drawn_runs = rng.integers(runs, size=(whole("resamples", resamples), runs))
    refits = _fit(epsilons, (row[drawn_runs] for row in costs))
    answers = [each.smallest(budget) for each in refits]
    low, high = (float(x) for x in np.quantile(answers, [(1 - level) / 2, (1 + level) / 2], method="inverted_cdf"))
    # If neighbouring marks have independent scatter, the resampled answers vary too little. The error of the fit, with
    # Student's factor for few runs, then widens the interval.
    factor = float(stdtrit(runs - 1, (1 + level) / 2)) * math.sqrt(runs / (runs - 1)) if runs > 1 else 0.0
    errors = factor * np.std([each.costs for each in refits], axis=0)
    lower, upper = (np.minimum.accumulate(fit.costs + sign * errors) for sign in (-1, 1))
    low = min(low, MonotoneFit(epsilons, lower).smallest(budget))
    high = max(high, MonotoneFit(epsilons, upper).smallest(budget))
    smaller = epsilons[epsilons < answer]
    if math.isfinite(answer) and len(smaller) and answer / smaller[-1] <= MIN_RATIO:
        low = min(low, float(smaller[-1]))
    reach: Reach = "inside"
    if math.isinf(answer):
        reach = "never"
    elif fit.costs[0] <= budget:
        reach = "always"
    return Answer(
        budget=float(budget),
        epsilon=answer,
        low=min(low, answer),
        high=max(high, answer),
        cost=fit.at(at),
        error=float(np.std([each.at(at) for each in refits])),
        reach=reach,
        level=level,
        swept=(float(epsilons[0]), float(epsilons[-1])),
    )


def _shared_runs(marks: Sequence[Mark]) -> tuple[Array, Array]:
    """Return the values of ε, and the costs of the runs that all marks have, as an array with a row for each mark."""
    if not marks:
        raise ValueError("marks is empty, but there must be at least one mark.")
    shared = min(mark.runs for mark in marks)
    if shared < 1:
        raise ValueError("A mark has no run, but each must have at least one.")
    epsilons = np.array([mark.epsilon for mark in marks])
    if (np.diff(epsilons) <= 0).any():
        raise ValueError("marks must be in order of ε, without repeated values.")
    return epsilons, np.array([mark.costs[:shared] for mark in marks])


def _fit(epsilons: Array, costs: Iterable[Array]) -> list[MonotoneFit]:
    """Return a fit for each resample. ``costs`` has a resamples×runs array for each mark."""
    moments = [(each.mean(axis=1), _variance(each)) for each in costs]
    means = np.array([mean for mean, _ in moments])
    variances = np.array([variance for _, variance in moments])
    # A mark whose runs happen to agree is not exact, so no weight is more than a hundred times a typical one.
    scatter = np.where(variances > 0, variances, np.nan)
    scatter[:, np.isnan(scatter).all(axis=0)] = 1.0
    weights = 1.0 / np.maximum(variances, 0.01 * np.nanmedian(scatter, axis=0))
    return [isotonic(epsilons, mean, weight) for mean, weight in zip(means.T, weights.T, strict=True)]


def _variance(costs: Array) -> Array:
    """Return the squared standard error of the mean cost in each resample, or 1 if there is a single run."""
    runs = costs.shape[1]
    return np.asarray(costs.var(axis=1, ddof=1) / runs if runs > 1 else np.ones(len(costs)))
