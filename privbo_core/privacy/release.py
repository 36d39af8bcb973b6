"""Draw noise for real releases, with entropy from the operating system and safely in floating point.

No function takes a seed, stores a result or returns its noise. OpenDP samples exact discrete distributions on a grid of
numbers, so the gaps between floating-point numbers reveal nothing (Mironov 2012). OpenDP's own privacy map must confirm
that the measurement keeps ε before anything is drawn. Importing OpenDP takes one or two seconds, so only the first
release imports it.
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
    """Import OpenDP and return it. The first import takes one or two seconds."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    return dp


def laplace(value: float, mechanism: Laplace) -> float:
    """Return ``value`` + Lap(Δ/ε). About 0.1 ms after the import. Raises DataError if ``value`` is not finite."""
    if not math.isfinite(value):
        raise DataError(f"value is {value!r}. Only a finite number can be released.")
    dp = opendp()
    make = partial(dp.m.make_laplace, dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float))
    draw, _ = _smallest_confirmed(
        make,
        mechanism.scale,
        lambda measurement: float(measurement.map(mechanism.sensitivity)) <= mechanism.epsilon,
        f"epsilon is {mechanism.epsilon!r}",
    )
    return float(draw(float(value)))


def select(mechanism: Choice) -> int:
    """Return a row drawn from the mechanism's distribution. About 5 ms for 1000 candidates after the import.

    It is OpenDP's noisy maximum, sampled exactly. With Gumbel noise of scale 2Δ/ε it is the exponential mechanism. For
    this, OpenDP states ρ = ε²/8 (zero-concentrated), which is the loss of a mechanism whose log-odds move by at most ε.
    With exponential noise of the same scale it is permute-and-flip, and OpenDP states ε.
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

    draw, _ = _smallest_confirmed(make, mechanism.scale, keeps, f"epsilon is {mechanism.epsilon!r}")
    return int(draw([float(score) for score in mechanism.scores]))


def gaussian(values: ArrayLike, mechanism: Gaussian, *, chunk: int = 2000) -> Iterator[tuple[int, Array]]:
    """Yield (entries done, array so far) while N(0, σ²) is added to every entry of ``values``, in its shape.

    ``values`` is a vector or a matrix with the mechanism's Euclidean (Frobenius) sensitivity Δ. A chunk of 2000 entries
    takes about 0.03 s, and 100 000 rows of 6 take 9 s. Entries not done yet are NaN, and only the last array may be
    published. A caller that needs no progress takes the last: ``*_, (_, released) = gaussian(...)``.

    The noise is the discrete Gaussian on the multiples of 2^k, sampled exactly, where 2^k is at most 2^-60 of Δ and of
    σ. (OpenDP's default grid contains all doubles, and its numbers are so long that a draw takes four times as long.)
    Entries are rounded to the grid first, which can move two neighbours apart by √(number of entries)·2^k more than Δ.
    OpenDP's map adds this for all entries at once, however they are cut into chunks. The scale is raised by rounding
    steps until the loss ρ that the map states is at most Δ²/2σ². That is the loss of N(0, σ²) with the exactly
    calibrated σ (`gaussian_sigma`). On so fine a grid, the δ of the discrete Gaussian at any ε equals that of the
    continuous one up to a relative error in the order of (2^k/σ)² ≤ 2^-120. The margin for rounding in σ is larger.

    Raises DataError on values that are not finite, and ValueError if the mechanism's own σ is too small.
    """
    array = _finite(values)
    return _gaussian(array, mechanism, whole("chunk", chunk))


def noisy(values: ArrayLike, sensitivity: float, multiplier: float) -> Array:
    """Return ``values`` plus N(0, (zΔ)²) on every entry, as one use of a mechanism that an accountant counts by its z.

    ``sensitivity`` is the Euclidean Δ, and ``multiplier`` is z. The noise is drawn as by `gaussian`, and OpenDP states
    at most ρ = 1/2z² for all entries together. 50 entries take about 2 ms. Raises DataError on values that are not
    finite, and ValueError on a Δ or z that is not above 0.
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
        # The noise is independent on every entry, on one grid, so drawing it in pieces gives the same mechanism.
        piece = flat[start : start + chunk]
        released[start : start + len(piece)] = make(scale, len(piece))(piece.tolist())
        yield start + len(piece), released.reshape(array.shape)


def _gaussian_noise(size: int, mechanism: Gaussian) -> "tuple[Callable[[float, int], Measurement], float]":
    """Return a function that makes a measurement of a scale and a number of entries, and the scale that keeps ε.

    The scale is that for all ``size`` entries together.
    """
    sensitivity = float(mechanism.sensitivity)
    # The limit is an exact fraction, because a double would be rounded, and ρ can be too small for a double.
    sigma = Fraction(gaussian_sigma(mechanism.epsilon, mechanism.delta, sensitivity))
    limit = Fraction(sensitivity) ** 2 / (2 * sigma**2)
    return _noise_within(limit, size, sensitivity, mechanism.sigma, f"epsilon is {mechanism.epsilon!r}")


def _noise_within(
    limit: Fraction, size: int, sensitivity: float, sigma: float, given: str
) -> "tuple[Callable[[float, int], Measurement], float]":
    """Return a function that makes a measurement, and the least scale from ``sigma`` up with a stated ρ ≤ ``limit``."""
    dp = opendp()
    k = max(_MIN_EXPONENT, math.frexp(min(sensitivity, sigma))[1] - 1 - _GRID_BITS)

    def make(scale: float, entries: int) -> "Measurement":
        domain = dp.vector_domain(dp.atom_domain(T=float, nan=False), size=entries)
        made: Measurement = dp.m.make_gaussian(domain, dp.l2_distance(T=float), scale=scale, k=k)
        return made

    _, scale = _smallest_confirmed(
        lambda scale: make(scale, size), sigma, lambda measurement: float(measurement.map(sensitivity)) <= limit, given
    )
    return make, scale


def _smallest_confirmed(
    make: "Callable[..., Measurement]", scale: float, keeps: "Callable[[Measurement], bool]", given: str
) -> "tuple[Measurement, float]":
    """Return the measurement with the least scale that keeps ε, and this scale.

    The first scale tried is ``scale``, and the next ones are rounding steps above it.
    """
    for step in range(40):
        measurement = make(scale=scale)
        if keeps(measurement):
            return measurement, scale
        scale *= 1.0 + 2.0 ** (step - 52)
    raise ValueError(f"{given}. OpenDP does not confirm it for noise of scale about {scale!r}.")
