"""The posterior over every point of a finite domain, kept up to date one observation at a time."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import cholesky, solve_triangular

from privbo_core.errors import Array, matrix, positive, row_indices, vector, whole
from privbo_core.gp.kernels import Kernel, homogeneous, towards

PIECE = 4096  # Rows of the domain at a time, so that their part of V stays in the caches.


class Posterior:
    """Mean and variance of a zero-mean GP at all n points, after any sequence of observations.

    With c the current posterior covariance between the observed row i and all rows, and s = √(c_i + σ_n²),
    an observation y appends v = c/s to a t×n matrix V and updates

        μ ← μ + v (y − μ_i)/s,    σ² ← σ² − v²,    where c = k(·, x_i) − VᵀV[:, i].

    No matrix is factorised. One observation costs O(n(t + d)), T of them O(nT²); memory is 8nT bytes. `observe_all`
    takes many in at once, with the same result. ``capacity`` is the number of observations expected: memory for them is
    set aside at once, and more of it if they turn out more.
    ``nugget`` adds to every row's prior a variation of its own, which no other row tells anything about: K + nugget·I.

    ``mean`` and ``variance`` are the length-n arrays of the latent function f (the noise is not added); they are
    updated in place, so copy what must be kept. ``rows`` are the rows observed, in order. Raises ValueError or
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
            raise ValueError(f"y is {y!r} for row {row}; an observation must be a finite number.")
        self._make_room(1)
        v, scratch = self._v[self.t], self._scratch
        s = math.sqrt(self.variance[row] + self.noise_variance)
        self.kernel.profile(np.matmul(towards(self._coordinates, row), self._coordinates, out=v))
        v[row] += self.nugget
        # v = (k − VᵀV[:, row]) / s as one product, with k standing where v will be.
        weights = self._v[: self.t + 1, row] * (-1.0 / s)
        weights[-1] = 1.0 / s
        np.matmul(weights, self._v[: self.t + 1], out=scratch)
        v[:] = scratch
        scratch *= (y - self.mean[row]) / s
        self.mean += scratch
        np.multiply(v, v, out=scratch)
        self.variance -= scratch
        if self.variance.min() < 0.0:  # rare, and looking takes a fifth of the time of a maximum
            np.maximum(self.variance, 0.0, out=self.variance)
        self.t += 1
        self.rows.append(row)
        self._answers.append(float(y))
        self._scales.append(s)

    def observe_all(self, rows: Sequence[int] | NDArray[np.int64], ys: ArrayLike) -> None:
        """Condition on the observations ``ys`` at ``rows``, m of them: what `observe` makes of one after the other.

        The m new rows of V solve LV = C, where C (m×n) is the covariance so far of the rows observed with all rows and
        LLᵀ its part at these rows plus σ_n²I. O(nm(t + m + d)) like m observations, but in products of matrices, a
        piece of the domain after the other, so that memory is passed through once. Where rounding leaves no Cholesky
        factor (almost no noise and rows that lie together), they are taken in one by one.
        Raises ValueError or DataError like `observe`, before anything is taken in.
        """
        found = row_indices("rows", rows, self.n)
        y = vector("ys", ys, len(found))
        if not found:
            return
        t, m = self.t, len(found)
        known = self._v[:t, found]
        try:
            gram = self._prior_columns(found, self._coordinates[:, found])
            gram += self.nugget * np.equal.outer(found, found)
            gram -= known.T @ known
            gram[np.diag_indices(m)] += self.noise_variance
            lower = cholesky(gram, lower=True)
        except np.linalg.LinAlgError:
            for row, value in zip(found, y, strict=True):
                self.observe(row, float(value))
            return
        self._make_room(m)
        innovations = solve_triangular(lower, y - self.mean[found], lower=True)
        order = np.array(found)
        for start in range(0, self.n, PIECE):
            piece = slice(start, min(start + PIECE, self.n))
            c = self._prior_columns(found, self._coordinates[:, piece])
            if self.nugget:
                inside = np.flatnonzero((order >= piece.start) & (order < piece.stop))
                c[inside, order[inside] - piece.start] += self.nugget
            if t:
                c -= known.T @ self._v[:t, piece]
            v = solve_triangular(lower, c, lower=True, overwrite_b=True, check_finite=False)
            self._v[t : t + m, piece] = v
            self.mean[piece] += innovations @ v
            self.variance[piece] -= np.einsum("ij,ij->j", v, v)
        np.maximum(self.variance, 0.0, out=self.variance)
        self.t += m
        self.rows += found
        self._answers += y.tolist()
        self._scales += np.diag(lower).tolist()

    def conditioned(self, draw: Array, rng: np.random.Generator) -> Array:
        """Return a draw of f from the posterior, made of a draw of f from the prior (length n). A new array, O(nt).

        Pathwise conditioning: the prior's draw answers with noise where it was asked, and what the true answers differ
        by is spread as `observe` spreads it (Wilson et al. 2020, eq. 8). The t innovations a solve a triangular system
        whose entries are V's at the rows observed, and the draw gains Vᵀa. As exact as the draw of the prior is.
        """
        if not self.t:
            return np.array(draw)
        noise = math.sqrt(self.noise_variance) * rng.standard_normal(self.t)
        v = self._v[: self.t]
        lower = v[:, self.rows].T.copy()
        np.fill_diagonal(lower, self._scales)
        innovations = solve_triangular(lower, np.array(self._answers) - draw[self.rows] - noise, lower=True)
        return np.asarray(draw + innovations @ v)

    def _make_room(self, more: int) -> None:
        """See to it that V has room for that many more observations; what it holds stays."""
        short = self.t + more - len(self._v)
        if short > 0:
            self._v = np.vstack([self._v, np.empty((max(short, len(self._v)), self.n))])

    def _prior_columns(self, rows: list[int], coordinates: Array) -> Array:
        """Return k between these rows and the points of these ``coordinates``, without the nugget."""
        return self.kernel.profile(towards(self._coordinates, rows) @ coordinates)
