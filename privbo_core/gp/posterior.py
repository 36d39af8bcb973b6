"""The posterior over every point of a finite domain, kept up to date one observation at a time."""

import math

import numpy as np
from numpy.typing import ArrayLike

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
    updated in place, so copy what must be kept. Raises ValueError or DataError on unusable points or noise.
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

    def _prior_column(self, row: int, out: Array) -> None:
        """Write k(·, x_row) into ``out``."""
        weights = self._coordinates[:, row] * self._weights
        weights[-2:] = 1.0, self._coordinates[-2, row]
        np.matmul(weights, self._coordinates, out=out)
        self.kernel.profile(out)
        out[row] += self.nugget
