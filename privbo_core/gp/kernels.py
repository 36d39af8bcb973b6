"""Isotropic kernels, which are functions of the squared Euclidean distance ρ² alone."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from privbo_core.errors import Array, positive


@dataclass(frozen=True)
class SquaredExponential:
    """The squared exponential kernel k(ρ) = σ_y² exp(−ρ² / 2ℓ²).

    A squared distance that rounding made slightly negative is harmless here, because it makes k exceed σ_y² only
    slightly. ``lengthscale`` is ℓ in the units of the points, and ``variance`` is σ_y² in squared units of the output.
    Raises ValueError unless both are finite and above 0.
    """

    lengthscale: float
    variance: float = 1.0

    def __post_init__(self) -> None:
        positive("lengthscale", self.lengthscale)
        positive("variance", self.variance)

    def profile(self, squared: Array) -> Array:
        """Return k at an array of squared distances, which is overwritten by the result."""
        squared *= -0.5 / self.lengthscale**2
        np.exp(squared, out=squared)
        if self.variance != 1.0:
            squared *= self.variance
        return squared

    def slope(self, squared: Array) -> Array:
        """Return ∂k/∂(ρ²) at the given squared distances."""
        return self.profile(squared.copy()) * (-0.5 / self.lengthscale**2)


@dataclass(frozen=True)
class Matern52:
    """The Matérn 5/2 kernel k(ρ) = σ_y² (1 + √5ρ/ℓ + 5ρ²/3ℓ²) exp(−√5ρ/ℓ).

    ``lengthscale`` is ℓ in the units of the points, and ``variance`` is σ_y² in squared units of the output. Raises
    ValueError unless both are finite and above 0.
    """

    lengthscale: float
    variance: float = 1.0

    def __post_init__(self) -> None:
        positive("lengthscale", self.lengthscale)
        positive("variance", self.variance)

    def profile(self, squared: Array) -> Array:
        """Return k at an array of squared distances, which is overwritten by the result."""
        np.maximum(squared, 0.0, out=squared)
        squared *= 5.0 / self.lengthscale**2
        distance = np.sqrt(squared)
        squared *= 1.0 / 3.0
        squared += distance
        squared += 1.0
        squared *= np.exp(np.negative(distance, out=distance), out=distance)
        if self.variance != 1.0:
            squared *= self.variance
        return squared

    def slope(self, squared: Array) -> Array:
        """Return ∂k/∂(ρ²) = −(5σ_y²/6ℓ²)(1 + s) e^{−s} with s = √5ρ/ℓ, at the given squared distances."""
        s = np.sqrt(5.0 * squared) / self.lengthscale
        return (-5.0 * self.variance / (6.0 * self.lengthscale**2)) * (1.0 + s) * np.exp(-s)


Kernel = SquaredExponential | Matern52


def squared_distances(a: Array, b: Array) -> Array:
    """Return the |a|×|b| matrix of squared Euclidean distances between the rows of ``a`` and of ``b``.

    They are computed as ‖a‖² + ‖b‖² − 2a·b about the common centre, so that the cost is one matrix product.
    """
    centre = a.mean(axis=0)
    a, b = a - centre, b - centre
    squared: Array = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1)[None, :] - 2.0 * (a @ b.T)
    np.maximum(squared, 0.0, out=squared)
    return squared


def homogeneous(points: Array) -> Array:
    """Return the (d+2)×n array with rows x, ‖x‖² and 1, of points that are centred to keep cancellation small.

    With `distance_weights` it makes the squared distances ‖x_j‖² − 2x_j·x_i + ‖x_i‖² one matrix product.
    """
    n, d = points.shape
    coordinates = np.ones((d + 2, n))
    centred = np.subtract(points.T, points.mean(axis=0)[:, None], out=coordinates[:d])
    np.einsum("ij,ij->j", centred, centred, out=coordinates[d])
    return coordinates


def distance_weights(coordinates: Array, rows: int | Sequence[int] | NDArray[np.int64]) -> Array:
    """Return the m×(d+2) weights of `homogeneous` coordinates that give the squared distances to each of m rows."""
    weights = coordinates[:, rows].T * -2.0
    weights[..., -2] = 1.0
    weights[..., -1] = coordinates[-2, rows]
    return weights


def covariance(kernel: Kernel, a: Array, b: Array) -> Array:
    """Return the matrix of k(a_i, b_j)."""
    return kernel.profile(squared_distances(a, b))
