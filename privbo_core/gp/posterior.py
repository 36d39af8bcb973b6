"""The posterior over every point of a finite domain, kept up to date one observation at a time."""

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve_triangular

from privbo_core.errors import Array, matrix, positive, row_indices, whole
from privbo_core.gp.kernels import Kernel


class Posterior:
    """Mean and variance of a zero-mean GP at all n points, after any sequence of observations.

    With c the current posterior covariance between the observed row i and all rows, and s = √(c_i + σ_n²),
    an observation y appends v = c/s to a t×n matrix V and updates

        μ ← μ + v (y − μ_i)/s,    σ² ← σ² − v²,    where c = k(·, x_i) − VᵀV[:, i].

    No matrix is factorised. One observation costs O(n(t + d)), T of them O(nT²); memory is 8nT bytes. ``capacity`` is
    the number of observations expected: memory for them is set aside at once, and more of it if they turn out more.
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
        # Squared distances to row i are one product, ‖x_j‖² − 2x_j·x_i + ‖x_i‖²; centring keeps the cancellation small.
        centred = points - points.mean(axis=0)
        self._coordinates = np.vstack([centred.T, (centred**2).sum(axis=1), np.ones(self.n)])
        self._weights = np.full(len(self._coordinates), -2.0)
        self._v: Array = np.empty((whole("capacity", capacity), self.n))
        self._scratch: Array = np.empty(self.n)

    def observe(self, row: int, y: float) -> None:
        """Condition on the observation ``y`` at ``row``.

        Raises ValueError for a row outside 0 … n−1 or a y that is not finite.
        """
        (row,) = row_indices("row", [row], self.n)
        if not math.isfinite(y):
            raise ValueError(f"y is {y!r} for row {row}; an observation must be a finite number.")
        if self.t == len(self._v):
            self._v = np.vstack([self._v, np.empty_like(self._v)])
        v, scratch = self._v[self.t], self._scratch
        s = math.sqrt(self.variance[row] + self.noise_variance)
        self._prior_column(row, v)
        # v = (k − VᵀV[:, row]) / s as one product, with k standing where v will be.
        weights = self._v[: self.t + 1, row] * (-1.0 / s)
        weights[-1] = 1.0 / s
        np.matmul(weights, self._v[: self.t + 1], out=scratch)
        v[:] = scratch
        scratch *= (y - self.mean[row]) / s
        self.mean += scratch
        np.multiply(v, v, out=scratch)
        self.variance -= scratch
        np.maximum(self.variance, 0.0, out=self.variance)
        self.t += 1
        self.rows.append(row)
        self._answers.append(float(y))
        self._scales.append(s)

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

    def _prior_column(self, row: int, out: Array) -> None:
        """Write k(·, x_row) into ``out``."""
        weights = self._coordinates[:, row] * self._weights
        weights[-2:] = 1.0, self._coordinates[-2, row]
        np.matmul(weights, self._coordinates, out=out)
        self.kernel.profile(out)
        out[row] += self.nugget
