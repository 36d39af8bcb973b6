"""Measure how rarely a threshold test errs: it is chosen on half of the trials and counted on the other half."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from privbo_core.audit.lower_bound import between, tested_errors
from privbo_core.errors import Array, DataError, probability
from privbo_core.release import Look


@dataclass(frozen=True)
class LeastError:
    """The error of the best threshold test when both datasets are equally likely.

    The threshold with the smallest error on half of the trials is counted on the other half, on ``tested`` trials of
    each dataset, so ``error`` is unbiased. It is half the share of false ``alarms`` plus half the share of ``misses``.
    ``at_most`` is its upper limit at ``confidence``, by Clopper and Pearson, and limits the error of the best attacker.
    The test answers "neighbour" for outputs ``side`` ("above" or "below") ``threshold``, one of the ``tried``
    thresholds.
    """

    alarms: float
    misses: float
    at_most: float
    confidence: float
    threshold: float
    side: Literal["above", "below"]
    tested: int
    tried: int

    @property
    def error(self) -> float:
        """Return the share of wrong answers of the test."""
        return (self.alarms + self.misses) / 2


def least_error(here: Array, there: Array, look: Look | None = None, *, confidence: float = 0.95) -> LeastError:
    """Return the least error that a threshold reaches on outputs of a dataset (``here``) and of its neighbour.

    Every place between two outputs of the first half is tried, on both sides. ``look`` names which of several looks at
    growing trials this is. The limits of all looks hold together with probability ``confidence``. O(trials log trials).
    Raises ValueError for a confidence outside (0, 1), and DataError unless there are equally many outputs, at least 10.
    """
    probability("confidence", confidence)
    if len(here) != len(there) or len(here) < 10:
        raise DataError(
            f"There are {len(here)} and {len(there)} outputs. The test needs equally many, at least 10 of each."
        )
    alone = (look or Look()).confidence(confidence)
    half = len(here) // 2
    threshold, sign, tried = _best(here[:half], there[:half])
    (alarms, misses), limits = tested_errors(here[half:], there[half:], threshold, sign, alone)
    return LeastError(
        alarms=float(alarms),
        misses=float(misses),
        at_most=min(0.5, float(limits.sum()) / 2),  # whoever errs more can toss a coin
        confidence=alone,
        threshold=threshold,
        side="above" if sign > 0 else "below",
        tested=len(here) - half,
        tried=tried,
    )


def _best(here: Array, there: Array) -> tuple[float, int, int]:
    """Return the threshold with the fewest errors, its side (+1 for above), and how many were tried.

    Of several that err equally rarely next to each other the middle one, so that two clouds are parted half-way.
    """
    trials, pooled = len(here), np.unique(np.concatenate([here, there]))
    places = np.concatenate([pooled[:1] - 1.0, between(pooled[:-1], pooled[1:]), pooled[-1:] + 1.0])
    above_here, above_there = (trials - np.searchsorted(np.sort(a), places, side="right") for a in (here, there))
    above = above_here + trials - above_there  # says "neighbour" above: alarms + misses
    sign = 1 if above.min() <= (2 * trials - above).min() else -1
    errors = above if sign > 0 else 2 * trials - above
    least = np.flatnonzero(errors == errors.min())
    run = np.split(least, np.flatnonzero(np.diff(least) > 1) + 1)
    widest = max(run, key=len)
    return float(places[widest[len(widest) // 2]]), sign, 2 * len(places)
