"""What has been observed, in so few numbers that they can be sent: any row's posterior follows from them."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from privbo_core.errors import Array
from privbo_core.gp.kernels import Kernel

UNIT = 2.0**-53  # Half the distance from 1 to the next number: the relative error of one operation.


@dataclass(frozen=True, eq=False)
class Observation:
    """One observation, as others need it.

    ``place``: the d coordinates of ``row``; ``inverse``: its t + 1 numbers of L⁻¹; ``innovation``: by how many of the
    model's own standard deviations the answer differed from what the model expected.
    """

    row: int
    place: Array
    inverse: Array
    innovation: float


@dataclass(frozen=True, eq=False)
class Beliefs:
    """Posterior mean and variance at m rows, and by how much rounding can have moved each of the two at most."""

    mean: Array
    variance: Array
    mean_error: float
    variance_error: float


class SufficientStatistics:
    """The t observations so far of a zero-mean GP with ``kernel``, and the posterior anywhere: O(t² + td) a row.

    With LLᵀ = K + nugget·I + σ_n²I at the rows observed, v = L⁻¹k(·, x) and a = L⁻¹y, the mean at x is aᵀv and the
    variance k(x, x) + nugget − vᵀv. The new row of L⁻¹ that an observation brings is all that changes (`tell`); whoever
    holds it (`add`) knows the same. ``stride`` is Σa²: no observation can have moved a row's mean without it.
    ``nugget`` as in `Posterior`.
    """

    def __init__(self, kernel: Kernel, d: int, *, nugget: float = 0.0) -> None:
        self.kernel = kernel
        self.nugget = nugget
        self.prior = float(kernel.variance) + nugget
        self.rows: list[int] = []
        self.places: Array = np.empty((0, d))
        self.inverse: Array = np.empty((0, 0))
        self.innovations: Array = np.empty(0)
        self.stride = 0.0
        self._size = 0.0  # Σ of the squares of L⁻¹
        self._weights: Array = np.empty((0, d + 2))  # what makes squared distances of a place's coordinates

    @property
    def t(self) -> int:
        """How many observations there are."""
        return len(self.rows)

    def add(self, observation: Observation) -> None:
        """Take in an observation, which must be the one after those known."""
        t = self.t
        if len(observation.inverse) != t + 1:
            raise ValueError(
                f"observation is number {len(observation.inverse)}; {t} are known, so number {t + 1} must be next."
            )
        inverse = np.zeros((t + 1, t + 1))
        inverse[:t, :t], inverse[t] = self.inverse, observation.inverse
        self.inverse = inverse
        self.places = np.concatenate([self.places, observation.place[None]])
        self.innovations = np.concatenate([self.innovations, [observation.innovation]])
        self.rows.append(observation.row)
        self.stride += observation.innovation**2
        self._size += float(observation.inverse @ observation.inverse)
        shifted = observation.place - self.places[0]
        self._weights = np.concatenate([self._weights, [[*(-2.0 * shifted), 1.0, shifted @ shifted]]])

    def tell(self, row: int, place: Array, y: float, noise_variance: float) -> Observation:
        """Return what the answer ``y`` at ``row`` adds. Nothing changes until it is added."""
        v, mean, variance = self.at(row, place)
        s = math.sqrt(variance + noise_variance)
        return Observation(row, place, np.append(v @ self.inverse, -1.0) * (-1.0 / s), (y - mean) / s)

    def at(self, row: int, place: Array) -> tuple[Array, float, float]:
        """Return v, mean and variance at one row: what `each` gives it, by the same sums in the same order."""
        if not self.t:
            return np.empty(0), 0.0, self.prior
        k = self.kernel.profile(np.square(self.places - place).cumsum(axis=1)[:, -1])
        if self.nugget:
            k += self.nugget * np.equal(self.rows, row)
        v = (self.inverse * k).cumsum(axis=1)[:, -1]
        mean, explained = (self.innovations * v).cumsum()[-1], (v * v).cumsum()[-1]
        return v, float(mean), max(self.prior - float(explained), 0.0)

    def each(self, rows: NDArray[np.int64], places: Array) -> tuple[Array, Array]:
        """Return mean and variance at m rows, each to the last digit what it is alone.

        That takes sums one term after the other, entry by entry, and several times as long as `many`.
        """
        m = len(rows)
        if not self.t:
            return np.zeros(m), np.full(m, self.prior)
        squared = np.zeros((self.t, m))
        for ours, theirs in zip(self.places.T, places.T, strict=True):
            squared += np.square(ours[:, None] - theirs)
        k = self.kernel.profile(squared)
        if self.nugget:
            k += self.nugget * np.equal.outer(np.asarray(self.rows), rows)
        v = np.zeros((self.t, m))
        for j in range(self.t):
            v[j:] += self.inverse[j:, j, None] * k[j]
        mean, explained = np.zeros(m), np.zeros(m)
        for innovation, one in zip(self.innovations, v, strict=True):
            mean += innovation * one
            explained += one * one
        return mean, np.maximum(self.prior - explained, 0.0)

    def untouched(self, places: Array) -> NDArray[np.bool_]:
        """Return which of m places are so far from all observed that `each` gives them the prior, to the last digit."""
        if not self.t:
            return np.ones(len(places), dtype=bool)
        nearest = np.full(len(places), np.inf)
        for place in self.places:
            np.minimum(nearest, ((places - place) ** 2).sum(axis=1), out=nearest)
        size = math.sqrt(self._size * self.t) * (1.0 + math.sqrt(self.stride))
        return self.kernel.profile(nearest) * size < 1e-3 * UNIT * min(self.prior, 1.0)

    def many(self, rows: NDArray[np.int64], places: Array) -> Beliefs:
        """Return the beliefs about m rows at these m×d ``places``, by products of matrices."""
        if not self.t:
            return Beliefs(np.zeros(len(rows)), np.full(len(rows), self.prior), 0.0, 0.0)
        # ‖x − p‖² = ‖x‖² − 2x·p + ‖p‖² is one product; all of it about the first place observed.
        m, d = places.shape
        homogeneous = np.ones((d + 2, m))
        shifted = np.subtract(places.T, self.places[0][:, None], out=homogeneous[:d])
        squared = np.einsum("ij,ij->j", shifted, shifted, out=homogeneous[d])
        k = self.kernel.profile(self._weights @ homogeneous)
        if self.nugget:
            k += self.nugget * np.equal.outer(np.asarray(self.rows), rows)
        v = self.inverse @ k
        mean = self.innovations @ v
        variance = np.einsum("ij,ij->j", v, v)
        np.subtract(self.prior, variance, out=variance)
        np.maximum(variance, 0.0, out=variance)
        return Beliefs(mean, variance, *self._errors(float(squared.max()), d))

    def _errors(self, squared: float, d: int) -> tuple[float, float]:
        """Return bounds on what rounding does to mean and variance, here or in `at`, twofold to be safe.

        ``squared``: the largest squared distance of a place from the first observed. A squared distance between two
        places that is off by e moves k by at most e·σ_y²/ℓ². An error of at most δ in each entry of k moves v by at
        most ‖L⁻¹‖√t δ; the products add theirs, t + 2 roundings of numbers no greater than ‖L⁻¹‖σ_y.
        """
        t, size = self.t, math.sqrt(self._size)
        farthest = 2.0 * (squared + float(self._weights[:, -1].max()))
        shift = float(np.abs(self.places[0]).max()) ** 2 * d
        off = 8.0 * UNIT * self.prior * (2.0 + 4.0 * (d + 2) * (farthest + shift) / self.kernel.lengthscale**2)
        v = size * math.sqrt(t) * (off + (t + 2) * UNIT * self.prior)
        return 2.0 * math.sqrt(self.stride) * v, 4.0 * math.sqrt(self.prior) * v + 2.0 * v * v
