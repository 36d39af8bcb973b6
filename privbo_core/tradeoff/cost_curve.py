"""The cost of privacy over ε, as a curve that never rises.

Each system has one measure of cost. For outsourced optimisation it is the extra evaluations until one of the best rows
is found (`Comparison.extra_evaluations`), for a release the score lost by the published configuration
(`expected_loss`), and for federated optimisation the extra rounds over the same algorithm without noise
(`rounds_needed`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from privbo_core.bo import CONFIDENCE, ExtraSteps
from privbo_core.bo.steps import resampled_runs
from privbo_core.errors import Array
from privbo_core.tradeoff.solve import MonotoneFit, isotonic

TAIL = 0.5 * (1.0 - CONFIDENCE)


@dataclass(frozen=True)
class EpsilonRange:
    """The smallest ε that keeps a limit of cost, with its 95% interval. ∞ where no ε of the curve keeps it."""

    epsilon: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class CostCurve:
    """A cost of privacy that never rises with ε, straight in log ε between the ``epsilons``.

    ``costs``, ``low`` and ``high`` have the length of ``epsilons``, and so has ``measured``, the cost of all runs at
    each ε before the fit. ``reached`` is false where the search with privacy doesn't get there, so that the cost is
    larger than the one given. ``fits`` has a fit for each resample of the runs.
    """

    epsilons: Array
    measured: Array
    costs: Array
    low: Array
    high: Array
    reached: NDArray[np.bool_]
    fits: tuple[MonotoneFit, ...]

    def at(self, epsilon: float) -> float:
        """Return the cost at ε. Beyond the ends it is that of the end."""
        return MonotoneFit(self.epsilons, self.costs).at(epsilon)

    def reached_at(self, epsilon: float) -> bool:
        """Return whether the search gets there at ε: at both neighbours of ε on the curve."""
        places = np.clip(np.searchsorted(self.epsilons, epsilon, side="right") - np.array([1, 0]), 0, None)
        return bool(self.reached[np.minimum(places, len(self.epsilons) - 1)].all())

    @property
    def offers(self) -> tuple[tuple[float, float], ...]:
        """Pairs of ε and a cost that is kept at this ε and at every larger one of the curve, as measured.

        The costs fall from pair to pair. An ε at which a search doesn't get there keeps no cost.
        """
        kept = np.maximum.accumulate(np.where(self.reached, self.measured, math.inf)[::-1])[::-1]
        found: list[tuple[float, float]] = []
        for epsilon, cost in zip(self.epsilons.tolist(), kept.tolist(), strict=True):
            if cost < (found[-1][1] if found else math.inf):
                found.append((epsilon, cost))
        return tuple(found)

    def offer(self, limit: float) -> float | None:
        """Return the smallest ε from which on no measured cost is above ``limit``, or None if there is none."""
        return next((epsilon for epsilon, cost in self.offers if cost <= limit), None)

    def smallest(self, limit: float) -> EpsilonRange:
        """Return the smallest ε whose cost is at most ``limit``."""
        found = [each.smallest(limit) for each in self.fits]
        low, high = (float(end) for end in np.quantile(found, [TAIL, 1.0 - TAIL], method="inverted_cdf"))
        epsilon = MonotoneFit(self.epsilons, self.costs).smallest(limit)
        return EpsilonRange(epsilon, min(low, epsilon), max(high, epsilon))


def curve_of_steps(epsilons: Sequence[float], steps: Sequence[ExtraSteps]) -> CostCurve:
    """Return the curve of extra evaluations or rounds, from the same runs at each ε."""
    reached = np.array([each.private_reached and each.plain_reached for each in steps])
    return _curve(epsilons, [each.differences for each in steps], reached)


def curve_of_losses(epsilons: Sequence[float], losses: Sequence[Array]) -> CostCurve:
    """Return the curve of mean losses, from the loss of each run at each ε."""
    means = [each[resampled_runs(len(each))].mean(axis=1) for each in losses]
    return _curve(epsilons, means, np.ones(len(means), dtype=bool))


def _curve(epsilons: Sequence[float], costs: Sequence[Array], reached: NDArray[np.bool_]) -> CostCurve:
    """Fit a curve to the costs of all runs, and one to those of each resample.

    ``costs`` has an array for each ε. Its first number is the cost of all runs, and the others are those of the
    resamples.
    """
    levels = np.asarray(epsilons, dtype=float)
    if not len(levels) or (np.diff(levels) <= 0).any() or not (levels > 0).all() or not math.isfinite(levels[-1]):
        raise ValueError(f"epsilons is {list(epsilons)!r}, but it must have positive numbers in increasing order.")
    if len(costs) != len(levels):
        raise ValueError(f"There are {len(costs)} costs for {len(levels)} values of ε, but there must be one for each.")
    rows = np.asarray(costs, dtype=float).T
    whole, *resamples = (isotonic(levels, row, np.ones(len(levels))) for row in rows)
    low, high = np.quantile([each.costs for each in resamples], [TAIL, 1.0 - TAIL], axis=0, method="inverted_cdf")
    # A search that gets there at ε gets there at every larger one: the curve never rises.
    reached = np.logical_or.accumulate(reached)
    return CostCurve(
        levels,
        rows[0],
        whole.costs,
        np.minimum(low, whole.costs),
        np.maximum(high, whole.costs),
        reached,
        tuple(resamples),
    )
