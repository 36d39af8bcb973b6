"""Advance several GP-UCB runs on one domain together, with the same rows as if each ran alone."""

import math
from collections.abc import Generator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privbo_core.bo.acquisition import UpperBound, check_rows
from privbo_core.bo.parallel import cores
from privbo_core.errors import Array, matrix, positive, row_indices, whole
from privbo_core.gp import Kernel
from privbo_core.gp.kernels import distance_weights, homogeneous

MAX_GROUP_BYTES = 24_000_000
"""The memory for the runs of a group. Beyond some tens of megabytes per core, the threads wait for memory."""
MAX_GROUP_RUNS = 25
BatchedQueries = Generator[list[int], Sequence[float], None]
"""A policy for several runs. It yields the row to evaluate next for each run, and is sent their outcomes."""


def groups(runs: int, n: int, observations: int) -> list[tuple[int, int]]:
    """Return the (start, stop) of each group of runs that advance together, with equally many groups for each core.

    Groups are as large as `MAX_GROUP_BYTES` and `MAX_GROUP_RUNS` allow, because in small ones the threads wait for the
    interpreter lock, which they release at each operation. With many rows each group is a single run, because runs then
    share little of the work.
    """
    size = min(MAX_GROUP_RUNS, max(1, MAX_GROUP_BYTES // (8 * n * observations)))
    if size == 1:
        return split_evenly(runs, runs)
    return split_evenly(runs, cores() * math.ceil(runs / size / cores()))


def split_evenly(n: int, parts: int) -> list[tuple[int, int]]:
    """Return the (start, stop) of ``parts`` consecutive parts of range(n), with sizes that differ by at most 1."""
    parts = min(whole("parts", parts), n)
    return [(n * number // parts, n * (number + 1) // parts) for number in range(parts)]


class Posteriors:
    """The `Posterior` of each of several runs that observe at the same time, with a row and an outcome for each run.

    Every operation is that of `Posterior.observe` on an array with one more axis, so a run's numbers are identical to
    those of the run alone. The runs share the points and the overhead of each operation. Memory is 8nt bytes for each
    run.

    ``capacity`` is the largest number of observations. ``mean`` and ``variance`` are runs×n arrays that are updated in
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
        self._all_runs = np.arange(self.runs)
        self._coordinates = homogeneous(points)
        self._v: Array = np.empty((self.runs, whole("capacity", capacity), self.n))
        self._scratch: Array = np.empty((self.runs, self.n))

    def observe(self, rows: Sequence[int] | NDArray[np.int64], ys: Sequence[float]) -> None:
        """Condition each run on its outcome at its row.

        Raises ValueError for a row outside 0 … n−1 or an outcome that is not finite, before anything changes.
        """
        indices = np.array(row_indices("rows", rows, self.n))
        y = np.array(ys)
        if not np.isfinite(y).all():
            raise ValueError(f"y is {ys!r} for rows {rows!r}, but an observation must be a finite number.")
        runs, t = self._all_runs, self.t
        v_so_far, v, scratch = self._v[:, : t + 1], self._v[:, t], self._scratch
        s = np.sqrt(self.variance[runs, indices] + self.noise_variance)
        to_distances = distance_weights(self._coordinates, indices)
        self.kernel.profile(np.matmul(to_distances[:, None], self._coordinates, out=v[:, None]))
        v[runs, indices] += self.nugget
        # As in `Posterior.observe`, k already occupies the row of V where v will be.
        weights = v_so_far[runs, :, indices]
        weights *= (-1.0 / s)[:, None]
        weights[:, t] = 1.0 / s
        np.matmul(weights[:, None], v_so_far, out=scratch[:, None])
        v[...] = scratch
        scratch *= ((y - self.mean[runs, indices]) / s)[:, None]
        self.mean += scratch
        np.multiply(v, v, out=scratch)
        self.variance -= scratch
        if self.variance.min() < 0.0:
            np.maximum(self.variance, 0.0, out=self.variance)
        self.t += 1

    def upper(self, weight: float) -> Array:
        """Return μ + √(``weight`` σ²) as a runs×n array that the next observation overwrites."""
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
    """Yield the rows of `rule_queries` for several runs at once, and receive the outcomes in the same order.

    ``initial_rows`` has a list for each run, and all lists have the same length. Raises ValueError or DataError like
    `rule_queries`, at the first step.
    """
    if len({len(rows) for rows in initial_rows}) != 1:
        raise ValueError("initial_rows must have a list for each run, and all lists must have the same length.")
    capacity = max(1, iterations + len(initial_rows[0]))
    posteriors = Posteriors(points, kernel, noise_variance, runs=len(initial_rows), capacity=capacity, nugget=nugget)
    starts = [check_rows(iterations, rows, posteriors.n, rule.once) for rows in initial_rows]
    evaluated: list[list[int]] = []
    for rows in map(list, zip(*starts, strict=True)):
        posteriors.observe(rows, (yield rows))
        evaluated.append(rows)
    runs = np.arange(posteriors.runs)
    for t in range(1, iterations + 1):
        upper = posteriors.upper(rule.weight(t, posteriors.n))
        if rule.once and evaluated:
            upper[runs, evaluated] = -np.inf
        rows = upper.argmax(axis=1).tolist()
        posteriors.observe(rows, (yield rows))
        evaluated.append(rows)
