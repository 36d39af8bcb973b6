"""From the cost that is allowed to the smallest ε: a monotone fit, solved, with its uncertainty by resampling runs."""

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
RESAMPLES = 400
CLOSEST = 1.03  # Neighbouring values of ε with this ratio or less are not told apart any further.


@dataclass(frozen=True, eq=False)
class MonotoneFit:
    """Costs that never rise with ε: ``costs`` at ``epsilons`` (both of one length), straight in log ε between them."""

    epsilons: Array
    costs: Array

    def at(self, epsilon: float) -> float:
        """Return the fitted cost at ε; beyond the ends, that of the end."""
        return float(np.interp(math.log(epsilon), np.log(self.epsilons), self.costs))

    def smallest(self, budget: float) -> float:
        """Return the smallest ε whose fitted cost is at most ``budget``: ∞ if there is none in the range.

        Between two ε that are as close as `CLOSEST` it is the larger one: the cost may jump, and that one was measured.
        """
        enough = np.flatnonzero(self.costs <= budget)
        if not len(enough):
            return math.inf
        i = int(enough[0])
        if i == 0:
            return float(self.epsilons[0])
        above, below = self.costs[i - 1], self.costs[i]
        left, right = (float(epsilon) for epsilon in self.epsilons[i - 1 : i + 1])
        share = float((above - budget) / (above - below))
        # To the end itself without a detour through a power, which would round it.
        return right if share >= 1 or right / left <= CLOSEST else left * (right / left) ** share


@dataclass(frozen=True)
class Answer:
    """The smallest ε that keeps to a budget.

    ``epsilon`` is ∞ if the budget is never kept within the range (``reach`` "never"), and the lowest ε swept if it is
    kept everywhere ("always"). ``low`` … ``high`` holds ``level`` of the resampled answers, every ε at which the budget
    lies within the fit's error at that level, and the next smaller ε, which was too costly, if that is as close as
    `CLOSEST`; ``high`` may be ∞. ``cost`` is the fitted cost at ``epsilon`` (at the range's high end if never reached),
    ``error`` its standard error. ``swept``: the range of ε.
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
    """Fit costs that do not rise with ε: argmin Σ wᵢ(cᵢ − gᵢ)² over g₁ ≥ g₂ ≥ … (pool adjacent violators). O(n)."""
    return MonotoneFit(epsilons, np.asarray(isotonic_regression(costs, weights=weights, increasing=False).x))


def monotone_fit(marks: Sequence[Mark]) -> MonotoneFit:
    """Fit the marks' mean costs, each weighted by 1/s.e.². Raises ValueError if there is no mark."""
    epsilons, costs = _table(marks)
    return _fit(epsilons, (row[None] for row in costs))[0]


def solve(
    marks: Sequence[Mark], budget: float, *, level: float = CONFIDENCE, resamples: int = RESAMPLES, seed: int = 0
) -> Answer:
    """Return the smallest ε at which the cost is at most ``budget``, from marks in order of ε.

    ``marks`` hold the extra cost over the search without privacy, run by run (`Sweep.extra`), and share their dice:
    resampling takes the same runs at each ε, fits again and solves again. With marks of one run each, or of costs
    without any scatter, the interval is as narrow as the answer itself. On invented curves, 95 % of the resamples held
    the true ε nine times in ten (tests/core/tradeoff/test_tradeoff.py). O(resamples · marks · runs), 0.02 s. Raises
    ValueError without marks.
    """
    probability("level", level)
    epsilons, costs = _table(marks)
    (whole_fit,) = _fit(epsilons, (row[None] for row in costs))
    answer = whole_fit.smallest(budget)
    at = answer if math.isfinite(answer) else float(epsilons[-1])
    rng, runs = np.random.default_rng(seed), costs.shape[1]
    drawn_runs = rng.integers(runs, size=(whole("resamples", resamples), runs))
    again = _fit(epsilons, (row[drawn_runs] for row in costs))
    drawn = [each.smallest(budget) for each in again]
    low, high = (float(x) for x in np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], method="inverted_cdf"))
    # Where marks close to each other have scatter of their own, the answers alone are too sure: the fit's error is
    # heard too, with Student's allowance for few runs.
    allowance = float(stdtrit(runs - 1, (1 + level) / 2)) * math.sqrt(runs / (runs - 1)) if runs > 1 else 0.0
    errors = allowance * np.std([each.costs for each in again], axis=0)
    below, above = (np.minimum.accumulate(whole_fit.costs + sign * errors) for sign in (-1, 1))
    low = min(low, MonotoneFit(epsilons, below).smallest(budget))
    high = max(high, MonotoneFit(epsilons, above).smallest(budget))
    before = epsilons[epsilons < answer]
    if math.isfinite(answer) and len(before) and answer / before[-1] <= CLOSEST:
        low = min(low, float(before[-1]))
    reach: Reach = "never" if math.isinf(answer) else "always" if whole_fit.costs[0] <= budget else "inside"
    return Answer(
        budget=float(budget),
        epsilon=answer,
        low=min(low, answer),
        high=max(high, answer),
        cost=whole_fit.at(at),
        error=float(np.std([each.at(at) for each in again])),
        reach=reach,
        level=level,
        swept=(float(epsilons[0]), float(epsilons[-1])),
    )


def _table(marks: Sequence[Mark]) -> tuple[Array, Array]:
    """Return the ε and, a row for each, the costs of the runs that all marks share."""
    if not marks:
        raise ValueError("marks is empty; there must be one ε at least that was tried.")
    shared = min(mark.runs for mark in marks)
    if shared < 1:
        raise ValueError("a mark has no run yet; each must have one at least.")
    epsilons = np.array([mark.epsilon for mark in marks])
    if (np.diff(epsilons) <= 0).any():
        raise ValueError("marks must come in order of ε, each ε once.")
    return epsilons, np.array([mark.costs[:shared] for mark in marks])


def _fit(epsilons: Array, costs: Iterable[Array]) -> list[MonotoneFit]:
    """Return a fit for each resample: ``costs`` are those of a mark, resamples × runs, one mark after the other."""
    found = [(each.mean(axis=1), _variance(each)) for each in costs]
    means, variances = np.array([mean for mean, _ in found]), np.array([variance for _, variance in found])
    # A mark whose runs happen to agree is not known exactly: none counts for more than a hundred typical ones.
    scatter = np.where(variances > 0, variances, np.nan)
    scatter[:, np.isnan(scatter).all(axis=0)] = 1.0
    weights = 1.0 / np.maximum(variances, 0.01 * np.nanmedian(scatter, axis=0))
    return [isotonic(epsilons, mean, weight) for mean, weight in zip(means.T, weights.T, strict=True)]


def _variance(costs: Array) -> Array:
    runs = costs.shape[1]
    return np.asarray(costs.var(axis=1, ddof=1) / runs if runs > 1 else np.ones(len(costs)))
