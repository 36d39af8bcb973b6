"""What was measured several times at the same place: one mean for each place, and how much one measurement varies."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privbo_core.errors import Array

REPEAT = re.compile(
    r"(random[ _])?(seed|state)|rep(eat|etition|licate)?s?|run([ _]?id)?|(cv[ _]?)?(fold|split)", re.IGNORECASE
)
"""Names of columns that number the repeats of a measurement, and are no part of what was measured."""


@dataclass(frozen=True, eq=False)
class Averaged:
    """The means of repeated rows, in the order in which each place came first; ``first``: the row that it did.

    ``counts``: how many rows each is a mean of. ``variance``: of one value among repeats of its own place, pooled over
    all places (sums of squares around the means, divided by rows − places); None where nothing repeats.
    """

    means: Array
    first: NDArray[np.int64]
    counts: NDArray[np.int64]
    variance: float | None

    @property
    def noise(self) -> float:
        """The standard deviation of a mean, on average over the places; 0 where nothing repeats."""
        return 0.0 if self.variance is None else float(np.sqrt(self.variance * np.mean(1.0 / self.counts)))

    def note(self, what: str) -> str:
        """Return what was averaged, as a sentence; ``what`` stands at a place: “settings”."""
        several, places = int((self.counts > 1).sum()), len(self.counts)
        return (
            f"{several:,} of {places:,} {what} occur several times ({int(self.counts.sum()):,} rows in all). Their "
            f"means are used; by the spread of the repeats, a mean is sure to ± {self.noise:.3g}."
        )


def averaged(keys: Sequence[Any], values: Array) -> Averaged:
    """Return the means of the rows of ``values`` (n×P or n) that have the same key. O(nP)."""
    table = np.asarray(values, dtype=float).reshape(len(keys), -1)
    places: dict[Any, int] = {}
    at = np.array([places.setdefault(key, len(places)) for key in keys], dtype=np.int64)
    counts = np.bincount(at, minlength=len(places))
    sums = np.zeros((len(places), table.shape[1]))
    np.add.at(sums, at, table)
    means = sums / counts[:, None]
    first = np.full(len(places), len(keys), dtype=np.int64)
    np.minimum.at(first, at, np.arange(len(keys)))
    spare = len(keys) - len(places)
    variance = None
    if spare:
        around = (table - means[at]).mean(axis=1)  # of the mean over the columns, which is what counts
        variance = float((around**2).sum() / spare)
    return Averaged(means if np.ndim(values) > 1 else means[:, 0], first, counts, variance)
