"""The posterior at every point of a finite domain, updated one observation at a time."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import cholesky, solve_triangular

from privbo_core.errors import Array, matrix, positive, row_indices, vector, whole
from privbo_core.gp.kernels import Kernel, distance_weights, homogeneous

CHUNK_ROWS = 4096
"""How many rows `Posterior.observe_all` works on at a time, so that their part of V stays in the caches."""


class Posterior:
    """The mean and variance of a zero-mean GP at all n points, after any sequence of observations.

    With c the current posterior covariance between the observed row i and all rows, and s = √(c_i + σ_n²), an
    observation y appends v = c/s to a t×n matrix V and updates

        μ ← μ + v (y − μ_i)/s,    σ² ← σ² − v²,    where c = k(·, x_i) − VᵀV[:, i].

    No matrix is factorised. One observation costs O(n(t + d)), T of them cost O(nT²), and memory is 8nT bytes.
    `observe_all` adds many observations at once, with the same result up to rounding. ``capacity`` is the expected
    number of observations. Memory for them is allocated at the start, and grows if there are more. ``nugget`` is the
    variance of an independent term of each row, so the prior covariance is K + nugget·I.

    ``mean`` and ``variance`` are length-n arrays for the latent function f, without the noise. They are updated in
    place, so copy any values that are needed later. ``rows`` are the observed rows, in order. Raises ValueError or
    DataError on unusable points or noise.
    """

    def __init__(
        self, points: ArrayLike, kernel: Kernel, noise_variance: float, *, capacity: int = 16, nugget: float = 0.0
    ) -> None:
        points = matrix("points", points)
        self.n = len(points)
        self.kernel = kernel
        self.noise_variance = positive("noise_variance", noise_variance)
        self.nugget = positive("nugget", nugget) if nugget != 0 else 0.0
        self.mean: Array = np.zeros(self.n)
        self.variance: Array = np.full(self.n, float(kernel.variance) + self.nugget)
        self.t = 0
        self.rows: list[int] = []
        self._answers: list[float] = []
        self._scales: list[float] = []
        self._coordinates = homogeneous(points)
        self._v: Array = np.empty((whole("capacity", capacity), self.n))
        self._scratch: Array = np.empty(self.n)

    def observe(self, row: int, y: float) -> None:
        """Condition on the observation ``y`` at ``row``.

        Raises ValueError for a row outside 0 … n−1 or a y that is not finite.
        """
        (row,) = row_indices("row", [row], self.n)
        if not math.isfinite(y):
            raise ValueError(f"y is {y!r} for row {row}, but an observation must be a finite number.")
        self._reserve(1)
        v, scratch = self._v[self.t], self._scratch
        s = math.sqrt(self.variance[row] + self.noise_variance)
        self.kernel.profile(np.matmul(distance_weights(self._coordinates, row), self._coordinates, out=v))
        v[row] += self.nugget
        # v = (k − VᵀV[:, row]) / s is one product, because k already occupies the row of V where v will be.
        weights = self._v[: self.t + 1, row] * (-1.0 / s)
        weights[-1] = 1.0 / s
        np.matmul(weights, self._v[: self.t + 1], out=scratch)
        v[:] = scratch
        scratch *= (y - self.mean[row]) / s
        self.mean += scratch
        np.multiply(v, v, out=scratch)
        self.variance -= scratch
        # Rounding rarely makes a variance negative, and the check takes a fifth of the time of the maximum.
        if self.variance.min() < 0.0:
            np.maximum(self.variance, 0.0, out=self.variance)
        self.t += 1
        self.rows.append(row)
        self._answers.append(float(y))
        self._scales.append(s)

    def observe_all(self, rows: Sequence[int] | NDArray[np.int64], ys: ArrayLike) -> None:
        """Condition on the m observations ``ys`` at ``rows``, with the result of m calls of `observe` up to rounding.

        The m new rows of V solve LV = C. Here C (m×n) is the current covariance of the observed rows with all rows, and
        LLᵀ is its part at the observed rows plus σ_n²I. The cost is O(nm(t + m + d)), as for m single observations. It
        is faster because it consists of matrix products on one chunk of the domain after another, which read memory
        once. If rounding leaves no Cholesky factor (almost no noise, and rows that are close together), the
        observations are added one by one. Raises ValueError or DataError like `observe`, before anything changes.
        """
        indices = row_indices("rows", rows, self.n)
        y = vector("ys", ys, len(indices))
        if not indices:
            return
        t, m = self.t, len(indices)
        v_observed = self._v[:t, indices]
        try:
            gram = self._prior_columns(indices, self._coordinates[:, indices])
            gram += self.nugget * np.equal.outer(indices, indices)
            gram -= v_observed.T @ v_observed
            gram[np.diag_indices(m)] += self.noise_variance
            lower = cholesky(gram, lower=True)
        except np.linalg.LinAlgError:
            for row, value in zip(indices, y, strict=True):
                self.observe(row, float(value))
            return
        self._reserve(m)
        innovations = solve_triangular(lower, y - self.mean[indices], lower=True)
        observed = np.array(indices)
        for start in range(0, self.n, CHUNK_ROWS):
            chunk = slice(start, min(start + CHUNK_ROWS, self.n))
            c = self._prior_columns(indices, self._coordinates[:, chunk])
            if self.nugget:
                inside = np.flatnonzero((observed >= chunk.start) & (observed < chunk.stop))
                c[inside, observed[inside] - chunk.start] += self.nugget
            if t:
                c -= v_observed.T @ self._v[:t, chunk]
            v = solve_triangular(lower, c, lower=True, overwrite_b=True, check_finite=False)
            self._v[t : t + m, chunk] = v
            self.mean[chunk] += innovations @ v
            self.variance[chunk] -= np.einsum("ij,ij->j", v, v)
        np.maximum(self.variance, 0.0, out=self.variance)
        self.t += m
        self.rows += indices
        self._answers += y.tolist()
        self._scales += np.diag(lower).tolist()

    def conditioned(self, draw: Array, rng: np.random.Generator) -> Array:
        """Return a draw of f from the posterior as a new array, given a ``draw`` of f from the prior (length n).

        This is pathwise conditioning (Wilson et al. 2020, eq. 8). It simulates noisy observations of the prior draw at
        the observed rows, and corrects the draw for their differences from the real observations. The t innovations a
        solve a triangular system made of V at the observed rows, and the correction is Vᵀa. The result is as exact as
        the draw from the prior. O(nt).
        """
        if not self.t:
            return np.array(draw)
        noise = math.sqrt(self.noise_variance) * rng.standard_normal(self.t)
        v = self._v[: self.t]
        lower = v[:, self.rows].T.copy()
        np.fill_diagonal(lower, self._scales)
        innovations = solve_triangular(lower, np.array(self._answers) - draw[self.rows] - noise, lower=True)
        return np.asarray(draw + innovations @ v)

    def _reserve(self, count: int) -> None:
        """Make sure that V has space for ``count`` more observations, and preserve its contents."""
        missing = self.t + count - len(self._v)
        if missing > 0:
            # At least doubling keeps the cost of copying proportional to the final size.
            self._v = np.vstack([self._v, np.empty((max(missing, len(self._v)), self.n))])

    def _prior_columns(self, rows: list[int], coordinates: Array) -> Array:
        """Return k between ``rows`` and the points with the given homogeneous ``coordinates``, without the nugget."""
        return self.kernel.profile(distance_weights(self._coordinates, rows) @ coordinates)
