"""The privacy loss of a subsampled Gaussian mechanism used T times, by three accountants, and its inverses.

One use: each of N people joins with probability q, the vectors of those who joined are clipped and added up, and noise
of standard deviation z times the largest norm that one of them can have is added. Two neighbouring populations differ
by one person's presence ("poisson" sampling). With "fixed" sampling, exactly qN people are drawn without replacement
and neighbours differ by one person *replaced*: a sum may then move by twice the norm, so the same noise counts as z/2.
The two ε are promises about different neighbours.
"""

import logging
import math
from collections.abc import Callable
from functools import cache, lru_cache
from types import ModuleType
from typing import Literal, Protocol, get_args

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaln, logsumexp, xlog1py, xlogy

from privbo_core.errors import Array, positive, probability, whole

Method = Literal["moments", "rdp", "pld"]
Sampling = Literal["poisson", "fixed"]

MOMENTS = np.arange(1, 33)
"""The λ over which the moments accountant minimises (Abadi et al. 2016, and the federated paper after them)."""
KEPT_CURVES = 128
"""Curves over T remembered per process: 8 bytes a step each."""
LARGEST_NOISE, LARGEST_STEPS, SMALLEST_RATE = 1e6, 10**6, 1e-9
"""Where the searches give up."""
NO_NOISE = 1e-100
"""Below this z, k²/z² leaves the range of floating-point numbers: ε is ∞ for every purpose."""


def epsilon(
    q: float, z: float, steps: int, delta: float, method: Method = "moments", sampling: Sampling = "poisson"
) -> float:
    """Return ε such that T = ``steps`` uses at rate ``q`` and noise multiplier ``z`` are (ε, δ)-private. ∞ for z = 0.

    ``method``: "moments" is the accountant of the federated paper (NumPy, under a millisecond); "rdp" (Rényi, 0.1 s)
    and "pld" (privacy-loss distributions, 0.1 s) are dp-accounting's. All three are upper bounds for the same
    mechanism, so the smallest is simply the truest. "fixed" sampling can be accounted for by "rdp" alone.
    Raises ValueError for q outside (0, 1], z < 0, δ outside (0, 1), steps that are not a whole number ≥ 1.
    """
    _check(q, z, delta, method, sampling)
    return _loss(float(q), float(z), whole("steps", steps), float(delta), method, sampling)


def epsilon_curve(
    q: float, z: float, steps: int, delta: float, method: Method = "moments", sampling: Sampling = "poisson"
) -> Array:
    """Return `epsilon` for T = 1, …, ``steps``, as a read-only array. Remembered, as "pld" takes 10 ms a step."""
    _check(q, z, delta, method, sampling)
    return _curve(float(q), float(z), whole("steps", steps), float(delta), method, sampling)


def noise_for(
    epsilon: float, q: float, steps: int, delta: float, method: Method = "moments", sampling: Sampling = "poisson"
) -> float:
    """Return the smallest noise multiplier z with which ``steps`` uses at rate ``q`` are (ε, δ)-private.

    Raises ValueError if no z up to a million is enough: by moments ε never falls below log(1/δ)/32.
    """
    positive("epsilon", epsilon)
    _check(q, 1.0, delta, method, sampling)
    steps = whole("steps", steps)

    def needed(z: float) -> float:
        return _excess(epsilon, _loss(q, z, steps, delta, method, sampling))

    if needed(LARGEST_NOISE) > 0:
        smallest = _loss(q, LARGEST_NOISE, steps, delta, method, sampling)
        raise _unreachable(epsilon, f"z up to {LARGEST_NOISE:g}", smallest)
    # The moments accountant asks for at least the noise that the others ask for, and says so at once.
    start = 1.0 if method == "moments" else _start(epsilon, q, steps, delta)
    return _boundary(needed, start)


def rate_for(
    epsilon: float, z: float, steps: int, delta: float, method: Method = "moments", sampling: Sampling = "poisson"
) -> float:
    """Return the largest rate q at which ``steps`` uses with noise multiplier ``z`` are (ε, δ)-private; at most 1.

    Raises ValueError if not even one in a billion is rare enough.
    """
    positive("epsilon", epsilon)
    _check(1.0, positive("z", z), delta, method, sampling)
    steps = whole("steps", steps)

    def needed(rarity: float) -> float:
        return _excess(epsilon, _loss(1.0 / rarity, z, steps, delta, method, sampling))

    if needed(1.0) <= 0:
        return 1.0
    if needed(1.0 / SMALLEST_RATE) > 0:
        smallest = _loss(SMALLEST_RATE, z, steps, delta, method, sampling)
        raise _unreachable(epsilon, f"q down to {SMALLEST_RATE:g}", smallest)
    return 1.0 / _boundary(needed, 2.0)


def steps_for(
    epsilon: float, q: float, z: float, delta: float, method: Method = "moments", sampling: Sampling = "poisson"
) -> int:
    """Return the largest T (at most a million) for which T uses at rate ``q`` and noise ``z`` are (ε, δ)-private.

    0 if a single use is too much already.
    """
    positive("epsilon", epsilon)
    _check(q, positive("z", z), delta, method, sampling)

    def allowed(steps: int) -> bool:
        return _loss(q, z, steps, delta, method, sampling) <= epsilon

    high = 1
    while high <= LARGEST_STEPS and allowed(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if allowed(middle) else (low, middle)
    return min(low, LARGEST_STEPS)


def _check(q: float, z: float, delta: float, method: Method, sampling: Sampling) -> None:
    if not 0 < q <= 1:
        raise ValueError(f"q is {q!r}; it must lie above 0 and be at most 1.")
    if not (math.isfinite(z) and z >= 0):
        raise ValueError(f"z is {z!r}; it must be a finite number of at least 0 (0: no noise, so no guarantee).")
    probability("delta", delta)
    if method not in get_args(Method):
        raise ValueError(f"method is {method!r}; it must be one of {', '.join(map(repr, get_args(Method)))}.")
    if sampling not in get_args(Sampling):
        raise ValueError(f"sampling is {sampling!r}; it must be one of {', '.join(map(repr, get_args(Sampling)))}.")
    if sampling == "fixed" and method != "rdp":
        raise ValueError(f"method is {method!r}; sampling of a fixed number is accounted for by 'rdp' alone.")


def _loss(q: float, z: float, steps: int, delta: float, method: Method, sampling: Sampling) -> float:
    if z < NO_NOISE:
        return math.inf
    if method == "moments":
        return float(_moments_epsilon(q, z, np.array([steps]), delta)[0])
    if method == "rdp":
        return _renyi_epsilon(*_renyi(q, z, sampling), steps, delta)
    return _loss_distribution(q, z, _interval(q, z, steps)).self_compose(steps).get_epsilon_for_delta(delta)


@lru_cache(maxsize=KEPT_CURVES)
def _curve(q: float, z: float, steps: int, delta: float, method: Method, sampling: Sampling) -> Array:
    if z < NO_NOISE:
        curve = np.full(steps, math.inf)
    elif method == "moments":
        curve = _moments_epsilon(q, z, np.arange(1, steps + 1), delta)
    elif method == "rdp":
        orders, renyi = _renyi(q, z, sampling)
        curve = np.array([_renyi_epsilon(orders, renyi, t, delta) for t in range(1, steps + 1)])
    else:
        once = _loss_distribution(q, z, _interval(q, z, steps))
        curve, composed = np.empty(steps), once
        for t in range(steps):
            curve[t] = composed.get_epsilon_for_delta(delta)
            composed = composed.compose(once) if t + 1 < steps else composed
    curve.flags.writeable = False
    return curve


def _moments_epsilon(q: float, z: float, steps: np.ndarray, delta: float) -> Array:
    """Return min_λ (Tα(λ) + log(1/δ))/λ for each T: the moments accountant (Abadi et al. 2016, Theorem 2).

    α(λ) = log Σ_{k=0}^{λ+1} C(λ+1, k) (1−q)^{λ+1−k} q^k exp((k² − k)/2z²), summed in log space so that nothing
    overflows.
    """
    order, k = MOMENTS[:, None] + 1, np.arange(MOMENTS[-1] + 2)[None, :]
    inside = k <= order
    rest = np.where(inside, order - k, 0)
    terms = gammaln(order + 1) - gammaln(k + 1) - gammaln(rest + 1) + xlog1py(rest, -q) + xlogy(k, q)
    terms = terms + (k**2 - k) / (2.0 * z**2)
    # Rounding may leave a moment at −1e−16; it is never below 0.
    alpha = np.maximum(logsumexp(np.where(inside, terms, -np.inf), axis=1), 0.0)
    curve: Array = ((steps[:, None] * alpha + math.log(1.0 / delta)) / MOMENTS).min(axis=1)
    return curve


@cache
def _accountants() -> ModuleType:
    """Import dp-accounting (a second, so only when asked for) and keep one of its remarks out of the terminal.

    For orders close to 1 its series may not converge; it then leaves that order out, which is sound, and says so.
    """
    import dp_accounting
    import dp_accounting.pld
    import dp_accounting.rdp
    from absl import logging as absl_logging

    def wanted(record: logging.LogRecord) -> bool:
        return record.module != "rdp_privacy_accountant"

    absl_logging.get_absl_logger().addFilter(wanted)
    accountants: ModuleType = dp_accounting
    return accountants


@lru_cache(maxsize=KEPT_CURVES)
def _renyi(q: float, z: float, sampling: Sampling) -> tuple[Array, Array]:
    """Return Rényi orders and the divergence of one use at each."""
    dp = _accountants()
    if sampling == "poisson":
        accountant = dp.rdp.RdpAccountant()
        accountant.compose(dp.PoissonSampledDpEvent(q, dp.GaussianDpEvent(z)))
    else:
        accountant = dp.rdp.RdpAccountant(neighboring_relation=dp.NeighboringRelation.REPLACE_ONE)
        population = 10**9  # only the ratio of the two numbers enters
        sample = max(1, round(q * population))
        accountant.compose(dp.SampledWithoutReplacementDpEvent(population, sample, dp.GaussianDpEvent(z / 2.0)))
    # Rényi divergences add up over uses. The accountant has no public way to read them, and asking it again for
    # every T would take 0.1 s each time.
    return np.asarray(accountant._orders, dtype=float), np.asarray(accountant._rdp, dtype=float)


def _renyi_epsilon(orders: Array, renyi: Array, steps: int, delta: float) -> float:
    return float(_accountants().rdp.compute_epsilon(orders, steps * renyi, delta)[0])


def _interval(q: float, z: float, steps: int) -> float:
    """Return a grid step for privacy losses: 0.001 changes ε by less than 1e-5 at z = 1; coarser where losses are huge.

    Rounding is always towards the larger loss, so that a coarse grid may overstate ε and never understates it.
    """
    return max(1e-3, steps * (0.5 / z**2 + 10.0 / z) * 1e-6)


class _LossDistribution(Protocol):
    """What is used of dp-accounting's distribution of the privacy loss."""

    def compose(self, other: "_LossDistribution") -> "_LossDistribution": ...
    def self_compose(self, times: int) -> "_LossDistribution": ...
    def get_epsilon_for_delta(self, delta: float) -> float: ...


@lru_cache(maxsize=8)
def _loss_distribution(q: float, z: float, interval: float) -> _LossDistribution:
    of = _accountants().pld.privacy_loss_distribution
    once: _LossDistribution = of.from_gaussian_mechanism(z, value_discretization_interval=interval, sampling_prob=q)
    return once


def _excess(target: float, loss: float) -> float:
    """Return log(loss/target): above 0 where more privacy is needed; large and finite where the loss is 0 or ∞."""
    return math.log(min(max(loss, 1e-300), 1e300) / target)


def _boundary(needed: Callable[[float], float], start: float) -> float:
    """Return the smallest x > 0 with needed(x) ≤ 0, for any decreasing function, to a relative 1e-9.

    The root is bracketed by doubling and halving from ``start``, found on the log scale, and then rounded to the side
    that keeps the promise.
    """
    low = high = start
    while needed(high) > 0:
        low, high = high, 2.0 * high
    while needed(low) <= 0:
        low, high = low / 2.0, low

    ends = {math.log(low): low, math.log(high): high}

    def at(log_x: float) -> float:
        # exp(log(x)) may round to the other side of a root that is one of the ends.
        return needed(ends.get(log_x) or math.exp(log_x))

    log_root = brentq(at, math.log(low), math.log(high), xtol=1e-10, rtol=1e-10)
    root = math.exp(log_root)
    step = 1e-10
    while needed(root) > 0:
        root, step = root * (1.0 + step), 2.0 * step
    return root


def _start(epsilon: float, q: float, steps: int, delta: float) -> float:
    try:
        return noise_for(epsilon, q, steps, delta)
    except ValueError:
        return 1.0


def _unreachable(epsilon: float, tried: str, best: float) -> ValueError:
    return ValueError(
        f"epsilon is {epsilon!r}; no {tried} reaches it, the smallest is {best:.4g} with this δ and this accountant. "
        "Ask for more, or choose method 'pld' or 'rdp', which reach further down."
    )
