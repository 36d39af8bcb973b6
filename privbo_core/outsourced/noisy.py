"""The noisy release, which clips to public bounds, multiplies by a public matrix and adds Gaussian noise to every row.

Its guarantee is proven, whereas that of the random projection is refuted.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from privbo_core.data import Frame
from privbo_core.errors import Array, DataError, matrix, positive
from privbo_core.gp import Kernel, SquaredExponential
from privbo_core.privacy import (
    Condition,
    Gaussian,
    Guarantee,
    Status,
    TradeOff,
    gaussian_sigma,
    group_epsilon,
    release,
    simulate,
)

ROW = "each row of the inputs X, the record of one person"
GAPS = (
    "The guarantee covers the numbers of the table as they were read, not how a file writes them. The number of rows "
    "is public. A record is left out if one of its columns contains no number. The guarantee does not hide that it was "
    "left out, but nothing else about the record is revealed."
)
NOT_PROTECTED = "The guarantee does not cover the outcomes y or the row numbers that the analyst asks for."
EXACT_NOISE = Condition(
    "the noise is exact",
    "The noise is drawn exactly, as PrivBO draws it for a real release. Simulations draw it in floating point, so they "
    "aren't covered.",
)
"""The condition that a simulated release has in addition to the conditions of a real one."""
FIXED_EPSILON = Condition(
    "ε was set without the data",
    "ε was set without these data. If searches on them led to this ε, the guarantee does not cover that choice.",
)


@dataclass(frozen=True, eq=False)
class NoisyRelease:
    """The noisy release Z = B(X) A + noise, all of which may be published.

    Only ``Z``, which is n×r, and ``left_out`` were computed from the data. ``sigma`` is the standard deviation of the
    noise in each entry. ``bounds`` is d×2 and has the lowest and the highest value of each column, as they were given.
    ``projection`` is the d×r matrix A. ``protected_distance`` is in the units of the points. ``left_out`` is the number
    of a table's records that have no row in Z, because they had a gap. The guarantee does not hide that number.
    """

    Z: Array
    sigma: float
    epsilon: float
    delta: float
    bounds: Array
    protected_distance: float
    projection: Array
    left_out: int = 0

    @property
    def r(self) -> int:
        """The number of columns of Z."""
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
    """Simulate Z = B(X) A + noise, which is (ε, δ)-private if one row differs by at most ``protected_distance``.

    The result must never be published, because ``rng`` can be repeated. `publish_noisy` makes a real release.

    B clips every entry of the n×d ``points`` to the ``bounds`` of its column, and subtracts the middle of the bounds.
    ``bounds`` is one pair (low, high) for all columns or one pair for each. They must be public knowledge, so never
    read them off these points. ``protected_distance`` is a Euclidean distance in the units of the points, and ∞
    protects the whole row. ``projection`` is the d×r matrix A, by default the identity. It must not depend on the data
    either.

    B never increases the distance between two rows, and A stretches distances by at most its largest singular value.
    The sensitivity is therefore Δ = σ_max(A) · min(protected distance, diagonal of the bounds). The noise is N(0, σ²I)
    with the smallest σ for this Δ (`gaussian_sigma`). The cost is O(ndr).

    Raises ValueError or DataError on unusable input.
    """
    exact, mechanism, blank = _without_noise(points, (epsilon, delta), bounds, protected_distance, projection)
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

    The sensitivity includes the largest effect of rounding, so σ is slightly larger than in the simulation. A release
    of 2000 numbers takes about 0.03 s, after the noise library has been loaded.
    """
    exact, without_rounding, blank = _without_noise(points, (epsilon, delta), bounds, protected_distance, projection)
    mechanism = replace(without_rounding, sensitivity=_rounded_sensitivity(blank))
    *_, (_, z) = release.gaussian(exact, mechanism)
    return replace(blank, Z=z, sigma=mechanism.sigma)


def publish(
    data: ArrayLike | pd.DataFrame,
    frame: Frame,
    epsilon: float,
    delta: float,
    *,
    protected_distance: float = 1.0,
    accept_read_off: bool = False,
) -> NoisyRelease:
    """Make the real release of a table, Z = frame.place(data) + noise, with noise from the operating system.

    ``frame`` holds the column settings. The release is (ε, δ)-private for records that differ by at most
    ``protected_distance`` times the protected differences (Euclidean over the columns), because a row of Z depends on
    its own record alone. It cannot be repeated. A release of 2000 numbers takes about 0.03 s, after the noise library
    has been loaded.

    ``data`` is an n×d array in original units, or a table that has the frame's columns. The guarantee covers the
    table's numbers, not how a file writes them. Records with a gap in one of these columns are left out, and the others
    keep their order.

    Raises DataError for data that the frame cannot place, and for column settings that were taken from the data. With
    ``accept_read_off``, such settings are used anyway, but then the true ε may be larger (`true_epsilon`).
    """
    refuse_read_off(frame, accept_read_off)
    placed = frame.place(data)
    complete = ~np.isnan(placed).any(axis=1)
    if not complete.any():
        raise DataError("Every record has a gap in one of the columns. Leave out columns that hold no numbers.")
    published = publish_noisy(
        placed[complete], epsilon, delta, bounds=frame.bounds, protected_distance=protected_distance
    )
    return replace(published, left_out=int((~complete).sum()))


def refuse_read_off(frame: Frame, accept_read_off: bool) -> None:
    """Raise DataError for column settings that were taken from the data, unless ``accept_read_off`` is true."""
    if not accept_read_off and frame.read_off:
        columns = ", ".join(map(repr, frame.read_off))
        raise DataError(
            f"The range or the protected difference of {columns} was taken from the data, so the guarantee may not "
            "hold. Give column settings that were known without the data, or set accept_read_off=True to release the "
            "table anyway."
        )


def _without_noise(
    points: ArrayLike,
    privacy: tuple[float, float],
    bounds: ArrayLike,
    protected_distance: float,
    projection: ArrayLike | None,
) -> tuple[Array, Gaussian, NoisyRelease]:
    """Return B(X) A, the Gaussian mechanism that makes it private, and the release with an empty Z.

    ``privacy`` is (ε, δ).
    """
    x = matrix("points", points)
    d = x.shape[1]
    limits = check_bounds(bounds, d)
    a = np.eye(d) if projection is None else matrix("projection", projection)
    if len(a) != d or not a.any():
        raise DataError(
            f"projection has shape {a.shape}. It must have {d} rows, one for each column, and must not be all zeros."
        )
    epsilon, delta = privacy
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
    """Return the σ of the noise that `noisy_release` adds to each entry of n×``d`` points if there is no projection."""
    limits = check_bounds(bounds, d)
    return gaussian_sigma(epsilon, delta, _sensitivity(limits, protected_distance, np.eye(d)))


def check_bounds(bounds: ArrayLike, d: int) -> Array:
    """Return ``bounds`` as a d×2 array of (low, high).

    Raises DataError for another shape, and for a column whose low is not below its high.
    """
    limits = matrix("bounds", np.atleast_2d(np.asarray(bounds, dtype=float)))
    if limits.shape not in ((1, 2), (d, 2)):
        raise DataError(
            f"bounds has shape {limits.shape}. Give one pair (low, high) for all columns, or one for each of the {d}."
        )
    limits = np.array(np.broadcast_to(limits, (d, 2)))
    bad = np.flatnonzero(limits[:, 0] >= limits[:, 1])
    if len(bad):
        low, high = limits[bad[0]]
        raise DataError(f"The bounds of column {bad[0]} are ({low:g}, {high:g}). The first must be below the second.")
    return limits


def noise_aware(kernel: Kernel, sigma: float, d: int) -> tuple[Kernel, float]:
    """Return the kernel and the nugget for a model of f on n×``d`` noisy inputs.

    They are those of `expected_kernel` with the same length-scale and the same noise in each column. A kernel that is
    not squared exponential is returned unchanged, with nugget 0. This is post-processing, so it costs no privacy.
    """
    if not isinstance(kernel, SquaredExponential):
        return kernel, 0.0
    wide, variance, nugget = expected_kernel([kernel.lengthscale] * d, [sigma] * d, kernel.variance)
    return SquaredExponential(float(wide[0]), variance), nugget


def expected_kernel(lengthscales: ArrayLike, sigmas: ArrayLike, variance: float = 1.0) -> tuple[Array, float, float]:
    """Return the length-scales, the variance and the nugget of a squared exponential seen through noise in the inputs.

    For x + e with independent e_j ~ N(0, σ_j²), E k(x + e, x′ + e′) is again squared exponential. Its length-scales are
    √(ℓ_j² + 2σ_j²), and its variance is that of k times Π_j (ℓ_j²/(ℓ_j² + 2σ_j²))^{1/2}. The rest of the variance is
    the nugget. It is the variation of f that the noisy inputs do not explain, so it is specific to each row.

    ``lengthscales`` and ``sigmas`` have length d. Both are in the units of their column. The factor of the variance is
    at least 1e-300, so that the variance stays above 0.
    """
    lengths, noise = np.asarray(lengthscales, dtype=float), np.asarray(sigmas, dtype=float)
    wide = np.sqrt(lengths**2 + 2.0 * noise**2)
    amplitude = max(float(np.prod(lengths / wide)), 1e-300)
    return wide, variance * amplitude, variance * (1.0 - amplitude)


def noisy_guarantee(
    epsilon: float, delta: float, neighbours: str, frame: Frame | None = None, true_epsilon: float | None = None
) -> Guarantee:
    """Return the guarantee of a noisy release.

    ``neighbours`` describes the protected difference in the data's own units. ``frame`` holds the column settings. The
    guarantee's first condition is unmet if any of them were taken from the data, or if ``frame`` is missing. The text
    of the unmet condition names ``true_epsilon``, a lower bound on the true ε (`pb.outsourced.true_epsilon`), if it is
    given.
    """
    met = frame is not None and frame.public
    known = (
        "The data holder fixed the range, the protected difference and the length-scale of each column without looking "
        "at the data."
    )
    if not met:
        columns = "all columns" if frame is None else ", ".join(map(repr, frame.read_off))
        known += f" Not met: the settings of {columns} were taken from the data, so moving one record moves every row."
        if true_epsilon is not None:
            larger, nominal = _format_epsilon(true_epsilon), _format_epsilon(epsilon)
            known += f" For one such move, ε is {larger} or more, not {nominal}."
    return Guarantee(
        protects=ROW,
        against="the analyst and everyone else who receives the noisy inputs",
        neighbours=neighbours,
        epsilon=positive("epsilon", epsilon),
        delta=delta,
        assumptions=(GAPS, NOT_PROTECTED, larger_differences(epsilon, delta)),
        status=Status.PROVED if met else Status.UNMET,
        source="Balle, Wang (ICML 2018), Theorem 8: the Gaussian mechanism, calibrated exactly",
        conditions=(
            Condition("the column settings were known without the data", known, unmet=not met),
            FIXED_EPSILON,
        ),
        curve=TradeOff.gaussian(1.0 / gaussian_sigma(epsilon, delta, 1.0)) if delta > 0 else None,
    )


@lru_cache(maxsize=128)
def larger_differences(epsilon: float, delta: float) -> str:
    """Return a sentence on the ε of larger differences than the protected one, which is exact for Gaussian noise."""
    twice, ten = (_format_epsilon(group_epsilon(epsilon, delta, times)) for times in (2.0, 10.0))
    return (
        "Larger differences are protected less. "
        f"A difference twice as large has ε = {twice}, and one ten times as large has ε = {ten}, with the same δ."
    )


def _format_epsilon(epsilon: float) -> str:
    return f"{epsilon:.3g}" if epsilon < 100 else f"{epsilon:,.0f}"


def _sensitivity(limits: Array, protected_distance: float, a: Array) -> float:
    if not protected_distance > 0:
        raise ValueError(
            f"protected_distance is {protected_distance!r}. It must be above 0, and ∞ protects the whole row."
        )
    return float(np.linalg.norm(a, 2)) * min(float(protected_distance), diagonal(limits))


def _rounded_sensitivity(blank: NoisyRelease) -> float:
    """Return the sensitivity, including the rounding in sums of d products and in the largest singular value."""
    a = blank.projection
    rounding = 8.0 * sum(a.shape) * float(np.finfo(float).eps) * float(np.linalg.norm(a)) * diagonal(blank.bounds)
    return float(np.linalg.norm(a, 2)) * largest_rounded_distance(blank.bounds, blank.protected_distance) + rounding


def largest_rounded_distance(limits: Array, distance: float) -> float:
    """Return the largest distance of two rounded rows within ``limits`` (d×2) that are at most ``distance`` apart.

    It is at most the diagonal of the limits, plus rounding. `Frame.place` rounds each number twice, and subtracting the
    middle of the limits rounds it once, by at most 2⁻⁵³ of the range each time.
    """
    largest = diagonal(limits)
    return min(float(distance), largest) + 4.0 * float(np.finfo(float).eps) * largest


def diagonal(limits: Array) -> float:
    """Return the largest distance of two rows within ``limits`` (d×2)."""
    return math.hypot(*(limits[:, 1] - limits[:, 0]).tolist())
