"""A block of rows that answers each observation with its best rows, and looks at a row only if it could be the best."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privbo_core.errors import Array, matrix, whole
from privbo_core.gp import Kernel
from privbo_core.gp.sufficient_statistics import UNIT, Observation, SufficientStatistics

STRETCH = 32_768  # Rows whose bounds are gone through at a time: two numbers each, so that they stay in the caches.
PIECE, ENTRIES = 4096, 131_072
"""Rows whose beliefs are computed at a time: so many, or more as long as there are few observations."""
FIRST_LOOK = 256  # Rows looked at first where many could be the best; the next look is at twice as many.
LEAST = -1e300
"""Below every bound of a row that is not out."""
FINALISTS = 64
"""Rows at most that a block names as its best where rounding may have decided; of more it finds the first best."""


@dataclass(frozen=True, eq=False)
class Best:
    """A block's best rows: one, or several if rounding may have decided. ``looked``: how many rows it looked at."""

    rows: NDArray[np.int64]
    places: Array
    looked: int


class Block:
    """Rows first, first + 1, … of a domain, and for each a bound on its upper confidence bound μ + √w σ.

    When a row was last looked at, its mean was μ and its deviation σ. What was observed since, with innovations a, has
    made of the two μ + aᵀv and √(σ² − vᵀv) for some v, so that the row's upper bound is at most (Cauchy-Schwarz)

        μ + σ √(w + aᵀa)   ≤   μ + σ (√w + aᵀa/2√w₁)   for every w ≥ w₁.

    One pass over two numbers a row finds the rows that could be the best; only those are looked at again, in the
    numbers of `SufficientStatistics`. Which row is best is therefore what it would be if all were looked at. In a long
    search few are looked at at each step; where all rows are alike all of them are, and a step costs O(n(t² + td)).
    Memory: 16 bytes a row beside the points themselves, which are not copied.

    ``points``: the block's m×d rows. ``least_weight``: w₁, the least weight that `take` will get; ``once``: a row that
    was observed is never best again. Raises DataError on unusable points.
    """

    def __init__(
        self,
        points: ArrayLike,
        kernel: Kernel,
        least_weight: float,
        *,
        first: int = 0,
        nugget: float = 0.0,
        once: bool = False,
    ) -> None:
        self.points = matrix("points", points)
        self.first = whole("first", first, least=0)
        self.once = once
        self.least_weight = least_weight
        self.known = SufficientStatistics(kernel, self.points.shape[1], nugget=nugget)
        self.rate = 0.5 / math.sqrt(least_weight)
        # The bound of row j is base[j] + deviation[j]·(√w + rate·stride), with the stride of all observations.
        self._base: Array = np.zeros(len(self.points))
        self._deviation: Array = np.full(len(self.points), math.sqrt(self.known.prior))
        self._level = -math.inf
        self._fall = 0.0

    def place(self, row: int) -> Array:
        """Return the d coordinates of a row of this block, by its number in the domain."""
        return np.asarray(self.points[row - self.first])

    def take(self, news: Sequence[Observation], weight: float) -> Best:
        """Take in what was observed since the last time, anywhere; return the rows with the largest μ + √``weight`` σ.

        Raises ValueError for a weight below the least, or if an observation is missing.
        """
        if weight < self.least_weight:
            raise ValueError(f"weight is {weight!r}; this block was made for weights of at least {self.least_weight}.")
        for one in news:
            self.known.add(one)
            if self.once and 0 <= one.row - self.first < len(self.points):
                self._base[one.row - self.first] = -math.inf
        look = _Look(self, math.sqrt(weight))
        # First those above a level a little under the last best, which is where the best will most likely be.
        level = self._level - 2.0 * self._fall
        look.through(*self._above(level, look.reach))
        if look.floor < level:
            look.through(*self._above(look.floor, look.reach, below=level))
        if math.isfinite(look.floor):
            fallen = abs(self._level - look.floor) if math.isfinite(self._level) else 0.0
            self._level, self._fall = look.floor, 0.5 * (self._fall + fallen)
        return look.best()

    def _above(self, level: float, reach: float, below: float = math.inf) -> tuple[NDArray[np.int64], Array]:
        """Return the rows with a bound from ``level`` to ``below``, and their bounds; rows that are out are at −∞.

        ``reach``: √w + rate·stride. The level is lowered by what rounding can do to a bound.
        """
        level = max(level, LEAST)
        level -= 16.0 * UNIT * (abs(level) + reach * 2.0 * math.sqrt(self.known.prior))
        rows, bounds = [np.empty(0, dtype=np.int64)], [np.empty(0)]
        scratch = np.empty(min(STRETCH, len(self._base)))
        for start in range(0, len(self._base), STRETCH):
            base = self._base[start : start + STRETCH]
            bound = scratch[: len(base)]
            np.multiply(self._deviation[start : start + STRETCH], reach, out=bound)
            bound += base
            inside = bound >= level
            if below < math.inf:
                inside &= bound <= below
            found = np.flatnonzero(inside)
            rows.append(found + start)
            bounds.append(bound[found])
        return np.concatenate(rows), np.concatenate(bounds)

    def refresh(self, rows: NDArray[np.int64], root: float) -> tuple[Array, Array]:
        """Look at these rows; return what the upper bound of each is at least and at most: rounding lies in between."""
        some: NDArray[np.int64] | slice = rows
        if rows[-1] - rows[0] == len(rows) - 1:  # they are neighbours, as all are at the beginning
            some = slice(rows[0], rows[-1] + 1)
        # `take` where indexing keeps the other threads waiting, and is several times as slow.
        places = self.points[some] if isinstance(some, slice) else self.points.take(rows, axis=0)
        found = self.known.many(rows + self.first, places)
        shift = self.rate * self.known.stride
        deviation = np.sqrt(found.variance + found.variance_error)
        mean = found.mean + found.mean_error
        self._deviation[some] = deviation
        self._base[some] = mean - shift * deviation
        mean += root * deviation
        if found.variance_error:
            least = np.sqrt(np.maximum(found.variance - found.variance_error, 0.0))
            least *= root
            least += found.mean - found.mean_error
            return least, mean
        return mean, mean


class _Look:
    """One step's look at a block: ``floor`` is what the best row reaches at least, as far as is known."""

    def __init__(self, block: Block, root: float) -> None:
        self.block = block
        self.root = root
        self.reach = root + block.rate * block.known.stride
        self.floor = -math.inf
        self.looked = 0
        self._rows: list[NDArray[np.int64]] = []
        self._most: list[Array] = []

    def through(self, rows: NDArray[np.int64], bounds: Array) -> None:
        """Look at every row of these whose bound is not below the floor, the highest first if they are many."""
        size = FIRST_LOOK
        while len(rows) > size:
            part = np.argpartition(bounds, len(rows) - size)[-size:]
            self._at(np.sort(rows[part]))
            rest = bounds >= self.floor
            rest[part] = False
            if 2 * np.count_nonzero(rest) > len(rows):  # they are much alike: no use in putting them in order
                size = len(rows)
            rows, bounds = rows[rest], bounds[rest]
            size *= 2
        piece = max(PIECE, ENTRIES // max(1, self.block.known.t))
        for start in range(0, len(rows), piece):
            self._at(rows[start : start + piece][bounds[start : start + piece] >= self.floor])

    def best(self) -> Best:
        """Return the rows that may be the best of those looked at, or the first best if they are very many."""
        block = self.block
        if not self._rows:
            return Best(np.empty(0, dtype=np.int64), block.points[:0], 0)
        rows, most = np.concatenate(self._rows), np.concatenate(self._most)
        rows, most = rows[most >= self.floor], most[most >= self.floor]
        found = rows if len(rows) <= FINALISTS else self._first_best(np.sort(rows))
        return Best(found + block.first, block.points[found], self.looked)

    def _first_best(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the first row, of many alike, with the largest upper bound to the last digit."""
        block, best, value = self.block, rows[:1], -math.inf
        far = block.known.untouched(block.points[rows])
        first_far = rows[far][:1]  # one stands for all of them
        for some in [*np.array_split(rows[~far], 1 + np.count_nonzero(~far) // PIECE), first_far]:
            if len(some):
                mean, variance = block.known.each(some + block.first, block.points[some])
                upper = mean + self.root * np.sqrt(variance)
                highest = int(upper.argmax())
                if upper[highest] > value or (upper[highest] == value and some[highest] < best[0]):
                    best, value = some[highest : highest + 1], upper[highest]
        return best

    def _at(self, rows: NDArray[np.int64]) -> None:
        if len(rows):
            least, most = self.block.refresh(rows, self.root)
            self.floor = max(self.floor, float(least.max()))
            keep = most >= self.floor
            self._rows.append(rows[keep])
            self._most.append(most[keep])
            self.looked += len(rows)
