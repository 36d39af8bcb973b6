"""GP-UCB in several runs on one domain that advance together: the rows of each are those that it asks for alone."""

import math
from collections.abc import Generator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privbo_core.bo.parallel import cores
from privbo_core.bo.rules import UpperBound, check_rows, edges
from privbo_core.errors import Array, matrix, positive, row_indices, whole
from privbo_core.gp import Kernel
from privbo_core.gp.kernels import distance_weights, homogeneous

HELD, MOST = 24_000_000, 25
"""Bytes that the runs of a group may hold, and most runs. Small groups make the threads wait for the interpreter, which
they give up at each operation; beyond some tens of megabytes a core, it is the memory that they wait for."""
BatchedQueries = Generator[list[int], Sequence[float], None]


def groups(runs: int, n: int, observations: int) -> list[tuple[int, int]]:
    """Return where each group of so many runs begins and ends: every core gets as many groups as the others.

    With many rows it is one run a group: what runs can share is then little beside what each has to compute.
    """
    size = min(MOST, max(1, HELD // (8 * n * observations)))
    if size == 1:
        return edges(runs, runs)
    return edges(runs, cores() * math.ceil(runs / size / cores()))


class Posteriors:
    """The `Posterior` of each of several runs that observe at the same time, each another row and another answer.

    Every operation is that of `Posterior.observe` on an array with one more axis, so that a run's numbers are to the
    last digit what they are alone, however many others there are. What they share is what an operation costs besides
    its arithmetic, and the points. Memory: 8nt bytes a run.

    ``capacity``: how many observations there will be at most. ``mean`` and ``variance`` are runs×n arrays, updated in
    place. Raises ValueError or DataError on unusable points or noise.
    """

    def __init__(
        self, points: ArrayLike, kernel: Kernel, noise_variance: float, *, runs: int, capacity: int, nugget: float = 0.0
    ) -> None:
        points = matrix("points", points)
        self.n = len(points)
        self.runs = whole("runs", runs)
        self.kernel = kernel
        self.noise_variance = positive("noise_variance", noise_variance)
        self.nugget = positive("nugget", nugget) if nugget != 0 else 0.0
        self.mean: Array = np.zeros((self.runs, self.n))
        self.variance: Array = np.full((self.runs, self.n), float(kernel.variance) + self.nugget)
        self.t = 0
        self._every = np.arange(self.runs)
        self._coordinates = homogeneous(points)
        self._v: Array = np.empty((self.runs, whole("capacity", capacity), self.n))
        self._scratch: Array = np.empty((self.runs, self.n))

    def observe(self, rows: Sequence[int] | NDArray[np.int64], ys: Sequence[float]) -> None:
        """Condition each run on its answer at its row.

        Raises ValueError for a row outside 0 … n−1 or an answer that is not finite, before anything is taken in.
        """
        found, y, every, t = np.array(row_indices("rows", rows, self.n)), np.array(ys), self._every, self.t
        if not np.isfinite(y).all():
            raise ValueError(f"y is {ys!r} for rows {rows!r}; an observation must be a finite number.")
        known, v, scratch = self._v[:, : t + 1], self._v[:, t], self._scratch
        s = np.sqrt(self.variance[every, found] + self.noise_variance)
        weights = distance_weights(self._coordinates, found)
        self.kernel.profile(np.matmul(weights[:, None], self._coordinates, out=v[:, None]))
        v[every, found] += self.nugget
        weights = known[every, :, found]
        weights *= (-1.0 / s)[:, None]
        weights[:, t] = 1.0 / s
        np.matmul(weights[:, None], known, out=scratch[:, None])
        v[...] = scratch
        scratch *= ((y - self.mean[every, found]) / s)[:, None]
        self.mean += scratch
        np.multiply(v, v, out=scratch)
        self.variance -= scratch
        if self.variance.min() < 0.0:
            np.maximum(self.variance, 0.0, out=self.variance)
        self.t += 1

    def upper(self, weight: float) -> Array:
        """Return μ + √(``weight`` σ²) of every run at every row, in memory that the next observation overwrites."""
        upper = self._scratch
        np.multiply(self.variance, weight, out=upper)
        np.sqrt(upper, out=upper)
        upper += self.mean
        return upper


def batched_queries(
    points: ArrayLike,
    *,
    kernel: Kernel,
    noise_variance: float,
    iterations: int,
    initial_rows: Sequence[Sequence[int]],
    rule: UpperBound,
    nugget: float = 0.0,
) -> BatchedQueries:
    """`rule_queries` of several runs: yields a row for each, and is sent the answers in the same order.

    ``initial_rows``: those of each run, equally many. Raises ValueError or DataError like `rule_queries`, at the first
    step.
    """
    if len({len(rows) for rows in initial_rows}) != 1:
        raise ValueError("initial_rows holds lists of different lengths; runs that advance together have as many each.")
    capacity = max(1, iterations + len(initial_rows[0]))
    posteriors = Posteriors(points, kernel, noise_variance, runs=len(initial_rows), capacity=capacity, nugget=nugget)
    first = [check_rows(iterations, rows, posteriors.n, rule.once) for rows in initial_rows]
    asked: list[list[int]] = []
    for rows in map(list, zip(*first, strict=True)):
        posteriors.observe(rows, (yield rows))
        asked.append(rows)
    every = np.arange(posteriors.runs)
    for t in range(1, iterations + 1):
        upper = posteriors.upper(rule.weight(t, posteriors.n))
        if rule.once and asked:
            upper[every, asked] = -np.inf
        rows = upper.argmax(axis=1).tolist()
        posteriors.observe(rows, (yield rows))
        asked.append(rows)
