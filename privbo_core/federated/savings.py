"""What sharing brings, and what privacy costs, with intervals of their own: differences within the same runs."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from privbo_core.bo import band
from privbo_core.errors import Array
from privbo_core.federated.simulation import Progress

CONFIDENCE = 0.95
RESAMPLES = 2000


class Saving(NamedTuple):
    """A mean of run-by-run differences of simple regret, in units of the objectives, with its 95 % interval (Student).

    NaN where one run is all.
    """

    mean: float
    standard_error: float
    low: float
    high: float
    runs: int

    @classmethod
    def of(cls, differences: Sequence[float]) -> "Saving":
        """Return it for one difference a run."""
        found = band([np.array([each]) for each in differences])
        mean, error, runs = float(found.mean[0]), float(found.standard_error[0]), found.runs
        if runs < 2:
            return cls(mean, float("nan"), float("nan"), float("nan"), runs)
        half = float(stdtrit(runs - 1, 0.5 + 0.5 * CONFIDENCE)) * error
        return cls(mean, error, mean - half, mean + half, runs)

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low > 0.0 or self.high < 0.0

    def times(self, scale: float) -> "Saving":
        """Return the same in other units, of which one unit is ``scale``."""
        mean, error, low, high, runs = self
        return Saving(scale * mean, scale * error, scale * low, scale * high, runs)


class Rounds(NamedTuple):
    """How many rounds fewer do the same, and a 95 % interval of it."""

    rounds: int
    low: int
    high: int


def saving(progress: Progress, name: str, over: str, first: int) -> Saving:
    """Return how much less simple regret ``name`` has than ``over``, on average over the ``first`` iterations."""
    pairs = zip(progress.finished[over], progress.finished[name], strict=False)
    return Saving.of([float((a.simple[:first] - b.simple[:first]).mean()) for a, b in pairs])


def rounds_saved(progress: Progress, name: str, over: str) -> Rounds:
    """Return how many of its T rounds ``over`` would not have needed, had it had ``name``'s regret.

    T − t, with t the first round after which the mean simple regret of ``name`` is at most that of ``over`` after T; 0
    if that is not before T. The interval: the runs resampled in pairs, `RESAMPLES` times with a fixed seed, and the
    quantiles of what comes out.
    """
    pairs = list(zip(progress.finished[name], progress.finished[over], strict=False))
    ours: Array = np.array([mine.simple for mine, _ in pairs])
    target: Array = np.array([theirs.simple[-1] for _, theirs in pairs])
    runs = len(pairs)
    drawn = np.random.default_rng(0).multinomial(runs, np.full(runs, 1.0 / runs), size=RESAMPLES) / runs
    weights = np.vstack([np.full(runs, 1.0 / runs), drawn])
    reached = weights @ ours <= (weights @ target)[:, None] * (1.0 + 1e-12)
    saved = np.where(reached.any(axis=1), ours.shape[1] - 1 - reached.argmax(axis=1), 0)
    tail = 0.5 * (1.0 - CONFIDENCE)
    low, high = np.quantile(saved[1:], [tail, 1.0 - tail], method="inverted_cdf")
    return Rounds(int(saved[0]), int(low), int(high))
