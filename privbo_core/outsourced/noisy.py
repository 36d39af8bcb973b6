"""A release that keeps its promise: clip to public bounds, map by a public matrix, add noise to every row."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from privbo_core.data import Frame
from privbo_core.data.marks import refuse_votes
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

GAPS = (
    "The number of rows is public. A record with a gap, where a column holds no number as it is written there, is left "
    "out: that it has one is not hidden, and nothing else of it is told."
)
"""What is hidden of a record that is not complete."""


@dataclass(frozen=True, eq=False)
class NoisyRelease:
    """Z = B(X) A + noise. All of it may be published: nothing but ``Z`` was computed from the data.

    ``Z``: n×r; of a table, ``left_out`` more records had a gap, which is not hidden: no row is theirs. ``sigma``: the
    standard deviation of the noise in each entry. ``bounds``: d×2, the lowest and highest value of
    each column, as typed in. ``projection``: A, d×r. ``protected_distance`` in the units of the points.
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
    """Simulate Z = B(X) A + noise, which is (ε, δ)-private if one row differs by ``protected_distance`` or less.

    To be looked at, never to be published: ``rng`` has a seed. `publish_noisy` is for real.
    B moves every entry of the n×d ``points`` into the ``bounds`` of its column and subtracts their middle. ``bounds``
    is one (low, high) for all columns or one for each, public knowledge: never read them off these points.
    ``protected_distance`` is Euclidean, in the units of the points; ∞ protects the whole row. ``projection`` A is d×r
    and must not depend on the data either; the identity if left out. B moves no two rows apart and A stretches by at
    most its largest singular value, so the sensitivity is Δ = σ_max(A) · min(protected distance, diagonal of the
    bounds). The noise is N(0, σ²I) with the smallest σ for it (`gaussian_sigma`). O(ndr).

    Raises ValueError or DataError, naming what is wrong, on unusable input.
    """
    exact, mechanism, blank = _prepared(points, (epsilon, delta), bounds, protected_distance, projection)
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

    The noise is made for what rounding can add to the sensitivity, too: σ is larger in its last digits. About 0.03 s
    for 2000 numbers, after the noise library has been loaded.
    """
    exact, ideal, blank = _prepared(points, (epsilon, delta), bounds, protected_distance, projection)
    mechanism = replace(ideal, sensitivity=_rounded(blank))
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
    """Make the real release of a table in a frame: Z = frame.place(data) + noise, drawn from the operating system.

    (ε, δ)-private for records that differ by ``protected_distance`` hidden changes or less (Euclidean over columns):
    nothing but its own record goes into a row of Z. ``data``: n×d in original units,
    or a table that has the frame's columns, its cells as they are (`load_cells`), not as `load_table` reads them. Its
    records without a gap in these columns go out, in their order. It cannot be repeated. About 0.03 s for 2000 numbers,
    after the noise library has been loaded.
    Raises DataError for a frame with columns that were taken from the data, unless ``accept_read_off``: then ε need not
    hold (`true_epsilon`). Also for data that the frame cannot place.
    """
    refuse_read_off(frame, accept_read_off)
    if isinstance(data, pd.DataFrame) and not accept_read_off:
        refuse_votes(data)
    placed = frame.place(data)
    whole = ~np.isnan(placed).any(axis=1)
    if not whole.any():
        raise DataError("No record has a number in each of the frame's columns as it is written there.")
    distance = protected_distance
    made = publish_noisy(placed[whole], epsilon, delta, bounds=frame.bounds, protected_distance=distance)
    return replace(made, left_out=int((~whole).sum()))


def refuse_read_off(frame: Frame, accept_read_off: bool) -> None:
    """Raise DataError for a frame with columns that were taken from the data, unless that is accepted."""
    if not accept_read_off and frame.read_off:
        columns = ", ".join(map(repr, frame.read_off))
        raise DataError(
            f"The range or the hidden change of {columns} was taken from the data, so ε need not hold: give columns "
            "that were known without them, or accept_read_off=True to release all the same."
        )


def _prepared(
    points: ArrayLike,
    promise: tuple[float, float],
    bounds: ArrayLike,
    protected_distance: float,
    projection: ArrayLike | None,
) -> tuple[Array, Gaussian, NoisyRelease]:
    """Return B(X) A, the mechanism that hides it at the promised (ε, δ), and the release but for its Z."""
    x = matrix("points", points)
    d = x.shape[1]
    limits, a = check_bounds(bounds, d), np.eye(d) if projection is None else matrix("projection", projection)
    if len(a) != d or not a.any():
        raise DataError(f"projection has shape {a.shape}; it must have {d} rows, one per column, and not be all zeros.")
    epsilon, delta = promise
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

    `expected_kernel` with the same length-scale and the same noise in each column. Kernels that are not squared
    exponential come back as they are, with nugget 0. Post-processing: it costs no privacy.
    """
    if not isinstance(kernel, SquaredExponential):
        return kernel, 0.0
    wide, variance, nugget = expected_kernel([kernel.lengthscale] * d, [sigma] * d, kernel.variance)
    return SquaredExponential(float(wide[0]), variance), nugget


def expected_kernel(lengthscales: ArrayLike, sigmas: ArrayLike, variance: float = 1.0) -> tuple[Array, float, float]:
    """Return length-scales, variance and nugget of the squared exponential as it appears through noise in the inputs.

    For x + e with independent e_j ~ N(0, σ_j²), E k(x + e, x′ + e′) is again squared exponential, with ℓ_j² + 2σ_j² for
    ℓ_j² and the amplitude Π_j (ℓ_j²/(ℓ_j² + 2σ_j²))^{1/2}. What the amplitude loses is variation of f that the released
    inputs do not explain: each row's own, the nugget. ``lengthscales`` and ``sigmas`` have length d, one unit each
    column. Where almost nothing is left, the variance is kept above 0 (1e-300).
    """
    lengths, noise = np.asarray(lengthscales, dtype=float), np.asarray(sigmas, dtype=float)
    wide = np.sqrt(lengths**2 + 2.0 * noise**2)
    amplitude = max(float(np.prod(lengths / wide)), 1e-300)
    return wide, variance * amplitude, variance * (1.0 - amplitude)


def noisy_guarantee(
    epsilon: float, delta: float, neighbours: str, frame: Frame | None = None, true_epsilon: float | None = None
) -> Guarantee:
    """Return what a noisy release in this frame promises. ``neighbours``: the hidden change in the data's own units.

    Its first condition is not met by a frame with columns that were taken from the data, nor by none. ``true_epsilon``:
    what ε can then become (`pb.outsourced.true_epsilon`), to be named.
    """
    met = frame is not None and frame.public
    known = (
        "The range, the hidden change and the length-scale of each column, and how its numbers are written, were known "
        "without the data."
    )
    if not met:
        columns = "The columns" if frame is None else ", ".join(map(repr, frame.read_off))
        becomes = ""
        if true_epsilon is not None:
            becomes = (
                f" ε is then {_number(true_epsilon)} or more, not {_number(epsilon)}, for a record that was found."
            )
        known += f" Not met: {columns} were taken from the data, so moving one record moves every row.{becomes}"
    return Guarantee(
        protects=ROW,
        against="the modeler and all who receive the noisy inputs",
        neighbours=neighbours,
        epsilon=positive("epsilon", epsilon),
        delta=delta,
        assumptions=(GAPS, NOT_PROTECTED, larger_differences(epsilon, delta)),
        status=Status.PROVED if met else Status.UNMET,
        source="Balle, Wang (ICML 2018), Theorem 8: the Gaussian mechanism, calibrated exactly",
        conditions=(Condition("column settings were known without the data", known, unmet=not met), BEFORE),
        curve=TradeOff.gaussian(1.0 / gaussian_sigma(epsilon, delta, 1.0)) if delta > 0 else None,
    )


ROW = "each row of the inputs X, the record of one person"
NOT_PROTECTED = "Not protected by it: the outcomes y and the row numbers asked for."
EXACTLY = Condition(
    "the noise exact", "The noise is drawn exactly, as `publish` does it; what is simulated is drawn in floating point."
)
"""What a simulation's promise rests on beside that."""
BEFORE = Condition(
    "ε set without the data",
    "ε was set without these data. If searches on them chose it, that choice is not counted in it.",
)


@lru_cache(maxsize=128)
def larger_differences(epsilon: float, delta: float) -> str:
    """Return what differences larger than the hidden change cost: exactly, for the noise that such a promise takes."""
    twice, ten = (_number(group_epsilon(epsilon, delta, times)) for times in (2.0, 10.0))
    return f"Larger differences are hidden less: twice the hidden change at ε = {twice}, ten times at ε = {ten}."


def _number(epsilon: float) -> str:
    return f"{epsilon:.3g}" if epsilon < 100 else f"{epsilon:,.0f}"


def _sensitivity(limits: Array, protected_distance: float, a: Array) -> float:
    if not protected_distance > 0:
        raise ValueError(f"protected_distance is {protected_distance!r}; it must be above 0 (∞: the whole row).")
    return float(np.linalg.norm(a, 2)) * min(float(protected_distance), diagonal(limits))


def _rounded(blank: NoisyRelease) -> float:
    """Return the sensitivity of what is computed: sums of d products round, and a singular value that is computed."""
    a = blank.projection
    added = 8.0 * sum(a.shape) * float(np.finfo(float).eps) * float(np.linalg.norm(a)) * diagonal(blank.bounds)
    return float(np.linalg.norm(a, 2)) * reach(blank.bounds, blank.protected_distance) + added


def reach(limits: Array, distance: float) -> float:
    """Return how far apart rows within ``limits`` (d×2) can lie that are ``distance`` apart or less, as computed.

    Never farther than the limits are wide. `Frame.place` rounds twice a number, and taking off the middle of the limits
    once, by at most 2⁻⁵³ of the range each: what that can add is added.
    """
    across = diagonal(limits)
    return min(float(distance), across) + 4.0 * float(np.finfo(float).eps) * across


def diagonal(limits: Array) -> float:
    """Return how far apart two rows within ``limits`` (d×2) can lie."""
    return math.hypot(*(limits[:, 1] - limits[:, 0]).tolist())
