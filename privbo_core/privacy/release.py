"""The door for real releases: noise from the operating system's entropy, safe in floating point, drawn once.

Nothing here takes a seed, remembers a result or returns its noise. OpenDP samples exact discrete distributions on the
grid of all doubles, so the gaps between floating-point numbers give nothing away (Mironov 2012), and its own privacy
map is asked whether the measurement keeps ε before anything is drawn. Importing it takes one or two seconds: it is
imported by the first release and by nothing else.
"""

import math
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.errors import Array, DataError, whole
from privbo_core.privacy.mechanisms import Choice, Gaussian, Laplace, PermuteAndFlip

if TYPE_CHECKING:
    from collections.abc import Callable

    from opendp.mod import Measurement


def laplace(value: float, mechanism: Laplace) -> float:
    """Return ``value`` + Lap(Δ/ε). About 0.1 ms after the import. Raises DataError if ``value`` is not finite."""
    if not math.isfinite(value):
        raise DataError(f"value is {value!r}; only a finite number can be released.")
    import opendp.prelude as dp

    dp.enable_features("contrib")
    make = partial(dp.m.make_laplace, dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float))
    keep = _keeping(
        lambda scale: make(scale=scale),
        mechanism.scale,
        lambda measurement: float(measurement.map(mechanism.sensitivity)),
        mechanism.epsilon,
    )
    return float(keep(float(value)))


def select(mechanism: Choice) -> int:
    """Return a row drawn as the mechanism says. About 5 ms for 1000 candidates after the import.

    OpenDP's noisy maximum, sampled exactly: with Gumbel noise of scale 2Δ/ε it is the exponential mechanism, stated as
    ρ = ε²/8 (zero-concentrated), the figure of a mechanism whose log-odds move by at most ε; with exponential noise of
    that scale it is permute-and-flip, stated as ε.
    """
    import opendp.prelude as dp

    dp.enable_features("contrib")
    flip = isinstance(mechanism, PermuteAndFlip)
    make = partial(
        dp.m.make_noisy_max,
        dp.vector_domain(dp.atom_domain(T=float, nan=False)),
        dp.linf_distance(T=float),
        dp.max_divergence() if flip else dp.zero_concentrated_divergence(),
    )

    def stated(measurement: "Measurement") -> float:
        loss = float(measurement.map(mechanism.sensitivity))
        return loss if flip else math.sqrt(8.0 * loss)

    keep = _keeping(lambda scale: make(scale=scale), mechanism.scale, stated, mechanism.epsilon)
    return int(keep([float(score) for score in mechanism.scores]))


def gaussian(values: ArrayLike, mechanism: Gaussian, *, chunk: int = 2000) -> Iterator[tuple[int, Array]]:
    """Yield (entries done, array so far) while N(0, σ²) is added to every entry of ``values``, in its shape.

    ``values`` is a vector or a matrix whose Euclidean (Frobenius) sensitivity is the mechanism's. About 0.1 s per
    chunk of 2000 entries; entries not done yet are NaN, and only the last array may be published. A caller that needs
    no progress takes the last: ``*_, (_, released) = gaussian(...)``. Raises DataError on values that are not finite.
    """
    array = np.asarray(values, dtype=float)
    if array.size == 0 or not np.isfinite(array).all():
        raise DataError("values is empty or holds an entry that is not finite; only finite numbers can be released.")
    return _gaussian(array, mechanism, whole("chunk", chunk))


def _gaussian(array: Array, mechanism: Gaussian, chunk: int) -> Iterator[tuple[int, Array]]:
    import opendp.prelude as dp

    dp.enable_features("contrib")
    domain = dp.vector_domain(dp.atom_domain(T=float, nan=False))
    measurement = dp.m.make_gaussian(domain, dp.l2_distance(T=float), scale=mechanism.sigma)
    flat = array.ravel()
    released = np.full(array.size, np.nan)
    for start in range(0, array.size, chunk):
        # Independent noise on every entry: drawn in pieces it is the same mechanism as drawn at once.
        piece = flat[start : start + chunk]
        released[start : start + len(piece)] = measurement(piece.tolist())
        yield start + len(piece), released.reshape(array.shape)


def _keeping(
    make: "Callable[[float], Measurement]", scale: float, loss: "Callable[[Measurement], float]", epsilon: float
) -> "Measurement":
    """Return the measurement of the smallest scale, from ``scale`` up by rounding steps, whose stated loss is ≤ ε."""
    for step in range(40):
        measurement = make(scale)
        if loss(measurement) <= epsilon:
            return measurement
        scale *= 1.0 + 2.0 ** (step - 52)
    raise ValueError(f"epsilon is {epsilon!r}; no noise of scale about {scale!r} is stated to keep it.")
