"""A release that keeps its promise: clip to public bounds, map by a public matrix, add Gaussian noise."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.errors import Array, DataError, matrix, positive
from privbo_core.gp import Kernel, SquaredExponential
from privbo_core.privacy import Gaussian, Guarantee, Status, gaussian_sigma, release, simulate


@dataclass(frozen=True, eq=False)
class NoisyRelease:
    """Z = B(X) A + N(0, σ²I). All of it may be published: nothing but ``Z`` was computed from the data.

    ``Z``: n×r. ``sigma``: the noise in each entry. ``bounds``: d×2, the lowest and highest value of each column, as
    typed in. ``projection``: A, d×r. ``protected_distance`` in the units of the points.
    """

    Z: Array
    sigma: float
    epsilon: float
    delta: float
    bounds: Array
    protected_distance: float
    projection: Array

    @property
    def r(self) -> int:
        """How many numbers are published for each record."""
        return int(self.Z.shape[1])


def noisy_release(
    points: ArrayLike,
    epsilon: float,
    delta: float,
    *,
    bounds: ArrayLike,
    protected_distance: float = 1.0,
    projection: ArrayLike | None = None,
    rng: np.random.Generator,
) -> NoisyRelease:
    """Simulate Z = B(X) A + N(0, σ²I), which is (ε, δ)-private if one row differs by ``protected_distance`` or less.

    To be looked at, never to be published: ``rng`` has a seed. `publish_noisy` is for real.
    B moves every entry of the n×d ``points`` into the ``bounds`` of its column and subtracts their middle. ``bounds``
    is one (low, high) for all columns or one for each, public knowledge: never read them off these points.
    ``protected_distance`` is Euclidean, in the units of the points; ∞ protects the whole row. ``projection`` A is d×r
    and must not depend on the data either; the identity if left out. B moves no two rows apart and A stretches by at
    most its largest singular value, so the sensitivity is Δ = σ_max(A) · min(protected distance, diagonal of the
    bounds), and σ is the smallest for it (`gaussian_sigma`). O(ndr).

    Raises ValueError or DataError, naming what is wrong, on unusable input.
    """
    exact, mechanism, blank = _prepared(points, epsilon, delta, bounds, protected_distance, projection)
    return replace(blank, Z=exact + mechanism.sigma * simulate.gaussian(exact.shape, rng))


def publish_noisy(
    points: ArrayLike,
    epsilon: float,
    delta: float,
    *,
    bounds: ArrayLike,
    protected_distance: float = 1.0,
    projection: ArrayLike | None = None,
) -> NoisyRelease:
    """Make the release that `noisy_release` simulates, with noise from the operating system. It cannot be repeated.

    About 0.1 s for 2000 numbers, after the noise library has been loaded.
    """
    exact, mechanism, blank = _prepared(points, epsilon, delta, bounds, protected_distance, projection)
    *_, (_, z) = release.gaussian(exact, mechanism)
    return replace(blank, Z=z)


def _prepared(
    points: ArrayLike,
    epsilon: float,
    delta: float,
    bounds: ArrayLike,
    protected_distance: float,
    projection: ArrayLike | None,
) -> tuple[Array, Gaussian, NoisyRelease]:
    """Return B(X) A, the mechanism that hides it, and the release but for its Z."""
    x = matrix("points", points)
    d = x.shape[1]
    limits, a = check_bounds(bounds, d), np.eye(d) if projection is None else _projection(projection, d)
    mechanism = Gaussian(_sensitivity(limits, protected_distance, a), epsilon, delta)
    exact = (np.clip(x, limits[:, 0], limits[:, 1]) - limits.mean(axis=1)) @ a
    blank = NoisyRelease(
        Z=np.empty((0, a.shape[1])),
        sigma=mechanism.sigma,
        epsilon=float(epsilon),
        delta=float(delta),
        bounds=limits,
        protected_distance=float(protected_distance),
        projection=a,
    )
    return exact, mechanism, blank


def noise_deviation(epsilon: float, delta: float, *, bounds: ArrayLike, protected_distance: float, d: int) -> float:
    """Return the σ that `noisy_release` adds to each entry of n×``d`` points, without a projection. 0.1 ms."""
    limits = check_bounds(bounds, d)
    return gaussian_sigma(epsilon, delta, _sensitivity(limits, protected_distance, np.eye(d)))


def check_bounds(bounds: ArrayLike, d: int) -> Array:
    """Return ``bounds`` as a d×2 array of (low, high); raise DataError, naming the column, otherwise."""
    limits = matrix("bounds", np.atleast_2d(np.asarray(bounds, dtype=float)))
    if limits.shape not in ((1, 2), (d, 2)):
        raise DataError(
            f"bounds has shape {limits.shape}; give one pair (low, high) for all columns or one for each of the {d}."
        )
    limits = np.array(np.broadcast_to(limits, (d, 2)))
    bad = np.flatnonzero(limits[:, 0] >= limits[:, 1])
    if len(bad):
        low, high = limits[bad[0]]
        raise DataError(f"bounds of column {bad[0]} are ({low:g}, {high:g}); the first must be below the second.")
    return limits


def noise_aware(kernel: Kernel, sigma: float, d: int) -> tuple[Kernel, float]:
    """Return the kernel and the nugget for a modeler who takes into account that the n×``d`` inputs are noisy.

    For x + e with e ~ N(0, σ²I), E k(x + e, x′ + e′) is again squared exponential, with ℓ² + 2σ² for ℓ² and the
    amplitude (ℓ²/(ℓ² + 2σ²))^{d/2}. What the amplitude loses is variation of f that the released inputs do not
    explain: each row's own, the nugget. Other kernels come back as they are, with nugget 0. Post-processing: it costs
    no privacy.
    """
    if not isinstance(kernel, SquaredExponential):
        return kernel, 0.0
    wide = kernel.lengthscale**2 + 2.0 * sigma**2
    amplitude = (kernel.lengthscale**2 / wide) ** (d / 2.0)
    return SquaredExponential(math.sqrt(wide), kernel.variance * amplitude), kernel.variance * (1.0 - amplitude)


def noisy_guarantee(epsilon: float, delta: float, neighbours: str) -> Guarantee:
    """Return what `noisy_release` promises. ``neighbours`` says the protected distance in the data's own units."""
    return Guarantee(
        protects="each row of the inputs X, the record of one person",
        against="the modeler and everybody else who receives the noisy inputs Z",
        neighbours=neighbours,
        epsilon=positive("epsilon", epsilon),
        delta=delta,
        assumptions=(
            "The bounds, scales and length-scales are public: they were not read off these data.",
            "The number of rows is public.",
            "The outcomes y and the row numbers asked for are not protected.",
            "Differences larger than the protected distance are covered by grouping alone: k times it costs kε.",
        ),
        status=Status.PROVED,
        source="Balle, Wang (ICML 2018), Theorem 8: the Gaussian mechanism, calibrated exactly",
    )


def _projection(values: ArrayLike, d: int) -> Array:
    a = matrix("projection", values)
    if len(a) != d or not a.any():
        raise DataError(f"projection has shape {a.shape}; it must have {d} rows, one per column, and not be all zeros.")
    return a


def _sensitivity(limits: Array, protected_distance: float, a: Array) -> float:
    if not protected_distance > 0:
        raise ValueError(f"protected_distance is {protected_distance!r}; it must be above 0 (∞: the whole row).")
    diagonal = float(np.linalg.norm(limits[:, 1] - limits[:, 0]))
    return float(np.linalg.norm(a, 2)) * min(float(protected_distance), diagonal)
