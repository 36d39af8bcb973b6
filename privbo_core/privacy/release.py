"""Draw noise for real releases: from the operating system's entropy, safe in floating point, once.

Nothing here takes a seed, remembers a result or returns its noise. OpenDP samples exact discrete distributions on a
grid of numbers, so the gaps between floating-point numbers reveal nothing (Mironov 2012). OpenDP's own privacy map must
confirm that the measurement keeps ε before anything is drawn. Importing it takes one or two seconds, so the first
release imports it and nothing else does.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.errors import Array, DataError, positive, whole
from privbo_core.privacy.calibration import gaussian_sigma
from privbo_core.privacy.mechanisms import Choice, Gaussian, Laplace, PermuteAndFlip

if TYPE_CHECKING:
    from collections.abc import Callable

    from opendp.mod import Measurement

_GRID_BITS = 60  # The grid's step is at most 2^-60 of the sensitivity and of the noise.
_MIN_EXPONENT = -1074  # 2^-1074 is the smallest double above 0.


def opendp() -> Any:  # noqa: ANN401 - a module
    """Import OpenDP, which takes one or two seconds, so only when something is drawn for real."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    return dp


def laplace(value: float, mechanism: Laplace) -> float:
    """Return ``value`` + Lap(Δ/ε). About 0.1 ms after the import. Raises DataError if ``value`` is not finite."""
    if not math.isfinite(value):
        raise DataError(f"value is {value!r}. Only a finite number can be released.")
    dp = opendp()
    make = partial(dp.m.make_laplace, dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float))
    keep, _ = _keeping(
        make,
        mechanism.scale,
        lambda measurement: float(measurement.map(mechanism.sensitivity)) <= mechanism.epsilon,
        f"epsilon is {mechanism.epsilon!r}",
    )
    return float(keep(float(value)))


def select(mechanism: Choice) -> int:
    """Return a row drawn from the mechanism's distribution. About 5 ms for 1000 candidates after the import.

    It is OpenDP's noisy maximum, sampled exactly. With Gumbel noise of scale 2Δ/ε that is the exponential mechanism,
    and OpenDP states ρ = ε²/8 (zero-concentrated), the figure of a mechanism with log-odds that move by at most ε. With
    exponential noise of that scale it is permute-and-flip, and OpenDP states ε.
    """
    dp = opendp()
    flip = isinstance(mechanism, PermuteAndFlip)
    make = partial(
        dp.m.make_noisy_max,
        dp.vector_domain(dp.atom_domain(T=float, nan=False)),
        dp.linf_distance(T=float),
        dp.max_divergence() if flip else dp.zero_concentrated_divergence(),
    )

    def keeps(measurement: "Measurement") -> bool:
        loss = float(measurement.map(mechanism.sensitivity))
        return (loss if flip else math.sqrt(8.0 * loss)) <= mechanism.epsilon

    keep, _ = _keeping(make, mechanism.scale, keeps, f"epsilon is {mechanism.epsilon!r}")
    return int(keep([float(score) for score in mechanism.scores]))


def gaussian(values: ArrayLike, mechanism: Gaussian, *, chunk: int = 2000) -> Iterator[tuple[int, Array]]:
    """Yield (entries done, array so far) while N(0, σ²) is added to every entry of ``values``, in its shape.

    ``values`` is a vector or a matrix of the mechanism's Euclidean (Frobenius) sensitivity Δ. About 0.03 s per chunk of
    2000 entries, 9 s for 100 000 rows of 6. Entries not done yet are NaN, and only the last array may be published. A
    caller that needs no progress takes the last: ``*_, (_, released) = gaussian(...)``.

    The noise is the discrete Gaussian on the multiples of 2^k, sampled exactly, where 2^k is at most 2^-60 of Δ and of
    σ. (OpenDP's default is the grid of all doubles. Its numbers are so long that it takes four times as long.) Entries
    are rounded to that grid first, which can move two neighbours apart by √(number of entries)·2^k more than Δ.
    OpenDP's map adds this for all entries at once, however they are cut into chunks. The scale is raised by rounding
    steps until the loss ρ that it states is at most Δ²/2σ². That is the loss of N(0, σ²) with the exactly calibrated σ
    (`gaussian_sigma`). With steps so fine, the δ of the discrete Gaussian at any ε is that of the continuous one to a
    relative error in the order of (2^k/σ)² ≤ 2^-120. The margin in σ for rounding is larger.

    Raises DataError on values that are not finite, and ValueError if the mechanism's own σ is too small.
    """
    array = _finite(values)
    return _gaussian(array, mechanism, whole("chunk", chunk))


def noisy(values: ArrayLike, sensitivity: float, multiplier: float) -> Array:
    """Return ``values`` with N(0, (zΔ)²) on every entry: one use of a mechanism that an accountant counts by its z.

    ``sensitivity`` Δ is Euclidean, ``multiplier`` z. The noise is that of `gaussian`: OpenDP states no more than
    ρ = 1/2z² for all entries together. About 2 ms for 50 entries. Raises DataError on values that are not finite and
    ValueError on a Δ or z that is not above 0.
    """
    array = _finite(values)
    sigma = positive("sensitivity", sensitivity) * positive("multiplier", multiplier)
    limit = 1 / (2 * Fraction(float(multiplier)) ** 2)
    make, scale = _noise_within(limit, array.size, float(sensitivity), sigma, f"multiplier is {multiplier!r}")
    return np.asarray(make(scale, array.size)(array.ravel().tolist()), dtype=float).reshape(array.shape)


def _finite(values: ArrayLike) -> Array:
    array = np.asarray(values, dtype=float)
    if array.size == 0 or not np.isfinite(array).all():
        raise DataError("values is empty or holds an entry that is not finite. Only finite numbers can be released.")
    return array


def _gaussian(array: Array, mechanism: Gaussian, chunk: int) -> Iterator[tuple[int, Array]]:
    make, scale = _gaussian_noise(array.size, mechanism)
    flat = array.ravel()
    released = np.full(array.size, np.nan)
    for start in range(0, array.size, chunk):
        # Independent noise on every entry, on one grid: drawn in pieces it is the same mechanism as drawn at once.
        piece = flat[start : start + chunk]
        released[start : start + len(piece)] = make(scale, len(piece))(piece.tolist())
        yield start + len(piece), released.reshape(array.shape)


def _gaussian_noise(size: int, mechanism: Gaussian) -> "tuple[Callable[[float, int], Measurement], float]":
    """Return how to make the measurement of so many entries at a scale, and the scale that keeps ε for all ``size``."""
    sensitivity = float(mechanism.sensitivity)
    # The exact quotient: a double would be rounded, and ρ can be too small for one.
    sigma = Fraction(gaussian_sigma(mechanism.epsilon, mechanism.delta, sensitivity))
    limit = Fraction(sensitivity) ** 2 / (2 * sigma**2)
    return _noise_within(limit, size, sensitivity, mechanism.sigma, f"epsilon is {mechanism.epsilon!r}")


def _noise_within(
    limit: Fraction, size: int, sensitivity: float, sigma: float, given: str
) -> "tuple[Callable[[float, int], Measurement], float]":
    """Return how to make the measurement, and the least scale from ``sigma`` up with a stated ρ ≤ ``limit``."""
    dp = opendp()
    k = max(_MIN_EXPONENT, math.frexp(min(sensitivity, sigma))[1] - 1 - _GRID_BITS)

    def make(scale: float, entries: int) -> "Measurement":
        domain = dp.vector_domain(dp.atom_domain(T=float, nan=False), size=entries)
        made: Measurement = dp.m.make_gaussian(domain, dp.l2_distance(T=float), scale=scale, k=k)
        return made

    _, scale = _keeping(
        lambda scale: make(scale, size), sigma, lambda measurement: float(measurement.map(sensitivity)) <= limit, given
    )
    return make, scale


def _keeping(
    make: "Callable[..., Measurement]", scale: float, keeps: "Callable[[Measurement], bool]", given: str
) -> "tuple[Measurement, float]":
    """Return the measurement of the smallest scale that keeps ε, from ``scale`` up by rounding steps, and the scale."""
    for step in range(40):
        measurement = make(scale=scale)
        if keeps(measurement):
            return measurement, scale
        scale *= 1.0 + 2.0 ** (step - 52)
    raise ValueError(f"{given}. OpenDP does not confirm it for noise of scale about {scale!r}.")
