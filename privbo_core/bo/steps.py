"""Count the steps that a search needs for a result, and the extra ones that privacy costs."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from privbo_core.bo.trace import CONFIDENCE
from privbo_core.errors import Array, whole

RESAMPLES = 400
ENOUGH_RUNS = 20
"""With at least this many runs, the interval of `ExtraSteps` contains the true number about 95 times in 100."""


@dataclass(frozen=True)
class ExtraSteps:
    """The steps that a search needs for a fixed result with privacy and without.

    ``private`` and ``plain`` are at most ``limit``, where the searches end, or ``limit`` + 1 for a search that doesn't
    get there. The interval from ``low`` to ``high`` is that of their difference when the ``runs`` are resampled in
    pairs. ``low_open`` and ``high_open`` mark an end that is uncertain, because resampled searches don't get there.
    ``differences`` has the difference in all runs, and then in each resample.
    """

    private: int
    plain: int
    limit: int
    low: int
    high: int
    runs: int
    low_open: bool = False
    high_open: bool = False
    differences: Array = field(default_factory=lambda: np.empty(0), repr=False, compare=False)

    @classmethod
    def resampled(cls, private: NDArray[np.int64], plain: NDArray[np.int64], limit: int, runs: int) -> "ExtraSteps":
        """Build it from the steps of all runs, which come first, and those of each resample."""
        tail = 0.5 * (1.0 - CONFIDENCE)
        differences = private - plain
        low, high = np.quantile(differences[1:], [tail, 1.0 - tail], method="inverted_cdf")
        return cls(
            private=int(private[0]),
            plain=int(plain[0]),
            limit=limit,
            low=int(low),
            high=int(high),
            runs=runs,
            low_open=bool(np.mean(plain[1:] > limit) >= tail),
            high_open=bool(np.mean(private[1:] > limit) >= tail),
            differences=differences.astype(float),
        )

    @property
    def extra(self) -> int:
        """The number of extra steps. The true number is larger if ``private_reached`` is false."""
        return self.private - self.plain

    @property
    def private_reached(self) -> bool:
        """Whether the search with privacy gets there."""
        return self.private <= self.limit

    @property
    def plain_reached(self) -> bool:
        """Whether the search without privacy gets there. If not, the extra steps are unknown."""
        return self.plain <= self.limit

    @property
    def significant(self) -> bool:
        """Whether privacy measurably costs steps: the search without it gets there, and the interval lies above 0."""
        return self.plain_reached and not self.low_open and self.low > 0

    @property
    def saves(self) -> bool:
        """Whether privacy measurably saves steps, because the interval lies below 0."""
        return self.private_reached and not self.high_open and self.high < 0

    @property
    def approximate(self) -> bool:
        """Whether there are too few runs for more than an approximate number."""
        return self.runs < ENOUGH_RUNS


def resampled_runs(runs: int, count: int = RESAMPLES, seed: int = 0) -> NDArray[np.int64]:
    """Return indices of runs, (1 + ``count``)×``runs``: all runs in order, then resamples with a fixed seed."""
    drawn = np.random.default_rng(seed).integers(whole("runs", runs), size=(count, runs))
    return np.vstack([np.arange(runs), drawn])


def first_reached(values: Array, targets: Array | float) -> NDArray[np.int64]:
    """Return the first step, from 1, at which a row of ``values`` is at most its target, or T + 1 if none is.

    ``values`` has shape (…, T), and ``targets`` (…). NaN counts as not reached.
    """
    reached = values <= np.asarray(targets)[..., None] * (1.0 + 1e-12)
    return np.asarray(np.where(reached.any(axis=-1), reached.argmax(axis=-1) + 1, values.shape[-1] + 1), dtype=np.int64)


def enough_for_half(steps: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the least number of steps that is enough for half of the runs, which lie along the last axis."""
    runs = steps.shape[-1]
    place = (runs + 1) // 2 - 1
    return np.partition(steps, place, axis=-1)[..., place]
