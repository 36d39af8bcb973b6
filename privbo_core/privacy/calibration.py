"""Calibrate Gaussian noise exactly to (ε, δ)."""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from scipy.optimize import brentq
from scipy.special import erfcx, ndtr

from privbo_core.errors import positive, probability

MIN_EPSILON = 1e-12
"""The smallest ε above 0 that `gaussian_epsilon` returns."""
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)


def gaussian_sigma(epsilon: float, delta: float, sensitivity: float) -> float:
    """Return the smallest σ for which adding N(0, σ²I) is (ε, δ)-differentially private.

    It solves Φ(Δ/2σ − εσ/Δ) − e^ε Φ(−Δ/2σ − εσ/Δ) = δ (Balle and Wang, ICML 2018, Theorem 8). Δ = ``sensitivity`` is
    the largest Euclidean distance between the outputs on neighbours, and σ is in its units. About 0.1 ms. Raises
    ValueError unless ε and Δ are finite and above 0 and 0 < δ < 1.
    """
    epsilon, delta = positive("epsilon", epsilon), probability("delta", delta)
    return positive("sensitivity", sensitivity) * _sigma(epsilon, delta)


@lru_cache(maxsize=256)  # Every run of a search calls it again.
def _sigma(epsilon: float, delta: float) -> float:
    """Return the σ for a sensitivity of 1. δ decreases with σ, and is near ½ at σ = 1/√(2ε)."""
    target = math.log(delta)
    return boundary(lambda sigma: log_gaussian_delta(epsilon, sigma) - target, (2.0 * epsilon) ** -0.5, 1e-14)


def gaussian_delta(epsilon: float, sigma: float, sensitivity: float) -> float:
    """Return the smallest δ at which adding N(0, σ²I) is (ε, δ)-differentially private. See `gaussian_sigma`."""
    epsilon = positive("epsilon", epsilon)
    return math.exp(log_gaussian_delta(epsilon, positive("sigma", sigma) / positive("sensitivity", sensitivity)))


def gaussian_epsilon(delta: float, sigma: float, sensitivity: float) -> float:
    """Return the smallest ε ≥ 0 at which adding N(0, σ²I) is (ε, δ)-differentially private. See `gaussian_sigma`."""
    target = math.log(probability("delta", delta))
    scaled = positive("sigma", sigma) / positive("sensitivity", sensitivity)
    if total_variation(1.0 / scaled) <= delta:
        return 0.0
    if log_gaussian_delta(MIN_EPSILON, scaled) <= target:
        return MIN_EPSILON
    return boundary(lambda epsilon: log_gaussian_delta(epsilon, scaled) - target, 1.0, 1e-12)


def total_variation(mu: float) -> float:
    """Return 2Φ(μ/2) − 1, the smallest δ at which a Gaussian mechanism with μ = Δ/σ is (0, δ)-private."""
    return math.erf(mu / math.sqrt(8.0))


def group_epsilon(epsilon: float, delta: float, times: float) -> float:
    """Return the ε, at the same δ, of a difference ``times`` as large as the one that noise hides at (ε, δ).

    It is exact for Gaussian noise, and is not ``times`` · ε. For (1, 1e-6), twice the difference has ε = 2.12 and ten
    times the difference has ε = 13.5. At δ = 0 it is ``times`` · ε, which holds for noise that needs no δ. Raises
    ValueError as `gaussian_sigma` does.
    """
    if delta == 0:
        return positive("epsilon", epsilon) * positive("times", times)
    return gaussian_epsilon(delta, gaussian_sigma(epsilon, delta, 1.0), positive("times", times))


def log_gaussian_delta(epsilon: float, sigma: float) -> float:
    """Return the logarithm of `gaussian_delta` for Δ = 1: log(Φ(a) − e^ε Φ(b)), a = 1/2σ − εσ, b = −1/2σ − εσ.

    The computation avoids e^ε. Because φ(a) = e^ε φ(b), the difference is φ(a) (R(−a) − R(−b)) with
    R(x) = (1 − Φ(x))/φ(x), which neither overflows nor underflows for x ≥ 0.
    """
    gap = 1.0 / sigma
    a = 0.5 * gap - epsilon * sigma
    b = a - gap
    if gap > 1.0 and a > 0.0:
        return math.log(max(float(ndtr(a)) - _density(a) * _mills(-b), 5e-324))
    log_density = -0.5 * a * a - 0.5 * math.log(2.0 * math.pi)
    if gap > 1.0:
        return log_density + math.log(_mills(-a) - _mills(-b))
    # R(−a) and R(−b) are close, so −R′(x) = 1 − x R(x) is integrated between them, which avoids cancellation.
    x = -a + 0.5 * gap * (_NODES + 1.0)
    # From x = 1000 on, 1 − x R(x) would be rounded to 0 or below, so its series x⁻² − 3x⁻⁴ + … is used.
    far = -a >= 1e3
    slope = x**-2.0 - 3.0 * x**-4.0 if far else 1.0 - x * math.sqrt(0.5 * math.pi) * erfcx(x / math.sqrt(2.0))
    return log_density + math.log(0.5 * gap * float(_WEIGHTS @ slope))


def _density(x: float) -> float:
    return math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)


def _mills(x: float) -> float:
    return math.sqrt(0.5 * math.pi) * float(erfcx(x / math.sqrt(2.0)))


def boundary(needed: Callable[[float], float], start: float, tolerance: float = 1e-10) -> float:
    """Return the smallest x > 0 with needed(x) ≤ 0, for any decreasing function, to a relative ``tolerance``.

    The root is bracketed from ``start`` on the log scale. The first step is |needed(start)|, which is enough if
    ``needed`` falls as 1/x or faster. Further steps are doubled, but no step exceeds a factor of 2. The smallest x with
    needed(x) ≤ 0 among those evaluated is returned, and no x is evaluated twice.
    """
    known: dict[float, float] = {}

    def at(log_x: float) -> float:
        if log_x not in known:
            known[log_x] = needed(math.exp(log_x))
        return known[log_x]

    low = high = math.log(start)
    step = min(max(abs(at(high)), 0.01), 0.7)
    while at(high) > 0:
        low, high, step = high, high + step, min(2.0 * step, 0.7)
    while at(low) <= 0:
        low, high, step = low - step, low, min(2.0 * step, 0.7)
    brentq(at, low, high, xtol=tolerance, rtol=1e-15)
    return math.exp(min(log_x for log_x, value in known.items() if value <= 0))
