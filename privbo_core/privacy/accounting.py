"""The privacy loss of a subsampled Gaussian mechanism used T times, by three accountants, and its inverses.

One use: each of N people joins with probability q, the vectors of those who joined are clipped and added up, and noise
of standard deviation z times the largest norm that one of them can have is added. Two neighbouring populations differ
by one person's presence ("poisson" sampling). With "fixed" sampling, exactly qN people are drawn without replacement
and neighbours differ by one person *replaced*: a sum may then move by twice the norm, so the same noise counts as z/2.
The two ε are promises about different neighbours. What is proved of each, and by whom: docs/accounting.md.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaln, logsumexp, xlog1py, xlogy

from privbo_core.errors import Array, positive, probability, whole
from privbo_core.privacy.loss_distribution import LossDistribution, Sampling, accountants, one_use

Method = Literal["moments", "rdp", "pld"]

MOMENTS = np.arange(1, 33)
"""The λ over which the moments accountant minimises (Abadi et al. 2016, and the federated paper after them)."""
CACHED_CURVES = 128
"""Curves over T remembered per process: 8 bytes a step each."""
LARGEST_NOISE, LARGEST_STEPS, SMALLEST_RATE = 1e6, 10**6, 1e-9
"""Where the searches give up."""
NO_NOISE = 1e-100
"""Below this z, k²/z² leaves the range of floating-point numbers: ε is ∞ for every purpose."""
CLOSEST_MULTIPLIERS, MOST_MULTIPLIERS = 1e-4, 64
"""Different multipliers whose logarithms differ by less than the first are accounted for as one, and so many are kept
apart at most."""


def epsilon(
    q: float, z: float, steps: int, delta: float, method: Method = "moments", sampling: Sampling = "poisson"
) -> float:
    """Return ε such that T = ``steps`` uses at rate ``q`` and noise multiplier ``z`` are (ε, δ)-private. ∞ for z = 0.

    ``method``: "moments" is the accountant of the federated paper (NumPy, under a millisecond); "rdp" (Rényi, 0.1 s)
    and "pld" (privacy-loss distributions, 0.1 s) use dp-accounting. All three are upper bounds for the same
    mechanism, so the smallest is simply the truest. For "fixed" sampling there is no "moments"; "rdp" holds for any
    mechanism with the same Rényi divergence, "pld" uses that this one is Gaussian and is far tighter (`one_use`).
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


def epsilon_rounds(
    q: float, multipliers: Sequence[float], delta: float, method: Method = "pld", sampling: Sampling = "poisson"
) -> Array:
    """Return the ε of the first 1, 2, …, T uses, use t having noise multiplier z_t = ``multipliers``[t − 1].

    Moments α_t(λ) and Rényi divergences add up over different uses as over equal ones; the distributions of the loss
    are convolved. ∞ from the first z_t = 0 on. For "pld" each z_t is rounded *down*: the logarithms onto a grid of step
    1e-4 below the largest, doubled until at most 64 values are left. So ε is at most what it would be with every
    multiplier smaller by one step: by the default schedule of weights 0.01 % of z, and below 0.03 % of ε.
    About 10 ms a use; remembered. Raises ValueError as `epsilon` does, and for an empty sequence.
    """
    for z in multipliers:
        _check(q, z, delta, method, sampling)
    whole("the number of multipliers", len(multipliers))
    return _rounds(float(q), tuple(map(float, multipliers)), float(delta), method, sampling)


def composed_epsilon(
    q: float, multipliers: Sequence[float], delta: float, method: Method = "pld", sampling: Sampling = "poisson"
) -> float:
    """Return the last value of `epsilon_rounds` alone, several times faster: equal uses are composed at once."""
    for z in multipliers:
        _check(q, z, delta, method, sampling)
    whole("the number of multipliers", len(multipliers))
    return _composed_epsilon(float(q), tuple(map(float, multipliers)), float(delta), method, sampling)


def noise_for(
    epsilon: float, q: float, steps: int, delta: float, method: Method = "moments", sampling: Sampling = "poisson"
) -> float:
    """Return the smallest noise multiplier z with which ``steps`` uses at rate ``q`` are (ε, δ)-private.

    Raises ValueError if no z up to a million is enough: by moments ε never falls below log(1/δ)/32.
    """
    positive("epsilon", epsilon)
    _check(q, 1.0, delta, method, sampling)
    steps = whole("steps", steps)

    def spent(z: float) -> float:
        return _loss(q, z, steps, delta, method, sampling)

    def start() -> float:
        # The moments accountant asks for at least the noise that the others ask for, and says so at once.
        return 1.0 if method == "moments" else _start(epsilon, q, steps, delta)

    return _least(spent, epsilon, LARGEST_NOISE, f"z up to {LARGEST_NOISE:g}", start)


def noise_for_rounds(
    epsilon: float,
    q: float,
    gains: Sequence[float],
    delta: float,
    method: Method = "pld",
    sampling: Sampling = "poisson",
) -> float:
    """Return the smallest z with which uses of noise multipliers z·``gains``[t − 1] are (ε, δ)-private together.

    `noise_for` where all gains are alike. Otherwise about ten times the cost of `composed_epsilon`, 2 s for 40 uses.
    Raises ValueError as `noise_for` does, and unless every gain is above 0.
    """
    whole("the number of gains", len(gains))
    least, most = min(positive("gains", gain) for gain in gains), max(gains)
    if least == most:
        return noise_for(epsilon, q, len(gains), delta, method, sampling) / least
    positive("epsilon", epsilon)
    _check(q, 1.0, delta, method, sampling)

    def spent(z: float) -> float:
        return _composed_epsilon(q, tuple(z * gain for gain in gains), delta, method, sampling)

    def start() -> float:
        # With every gain the largest, less noise would do.
        return noise_for(epsilon, q, len(gains), delta, method, sampling) / most

    return _least(spent, epsilon, LARGEST_NOISE, f"z up to {LARGEST_NOISE:g}", start)


def rate_for(
    epsilon: float, z: float, steps: int, delta: float, method: Method = "moments", sampling: Sampling = "poisson"
) -> float:
    """Return the largest rate q at which ``steps`` uses with noise multiplier ``z`` are (ε, δ)-private; at most 1.

    Raises ValueError if not even one in a billion is rare enough.
    """
    positive("epsilon", epsilon)
    _check(1.0, positive("z", z), delta, method, sampling)
    steps = whole("steps", steps)

    def spent(rarity: float) -> float:
        return _loss(1.0 / rarity, z, steps, delta, method, sampling)

    if spent(1.0) <= epsilon:
        return 1.0
    return 1.0 / _least(spent, epsilon, 1.0 / SMALLEST_RATE, f"q down to {SMALLEST_RATE:g}", lambda: 2.0)


def rate_for_rounds(
    epsilon: float, multipliers: Sequence[float], delta: float, method: Method = "pld", sampling: Sampling = "poisson"
) -> float:
    """Return the largest rate q at which uses with these noise multipliers are (ε, δ)-private together; at most 1.

    `rate_for` where all are alike. Costs and raises as `noise_for_rounds`.
    """
    whole("the number of multipliers", len(multipliers))
    least, most = min(positive("multipliers", z) for z in multipliers), max(multipliers)
    if least == most:
        return rate_for(epsilon, least, len(multipliers), delta, method, sampling)
    positive("epsilon", epsilon)
    _check(1.0, least, delta, method, sampling)

    def spent(rarity: float) -> float:
        return _composed_epsilon(1.0 / rarity, tuple(multipliers), delta, method, sampling)

    def start() -> float:
        # With every multiplier the largest, a larger rate would do.
        return 1.0 / rate_for(epsilon, most, len(multipliers), delta, method, sampling)

    if spent(1.0) <= epsilon:
        return 1.0
    return 1.0 / _least(spent, epsilon, 1.0 / SMALLEST_RATE, f"q down to {SMALLEST_RATE:g}", start)


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


def check_use(q: float, z: float, sampling: Sampling) -> None:
    """Raise ValueError for a rate outside (0, 1], a noise multiplier below 0 or a sampling that is not known."""
    if not 0 < q <= 1:
        raise ValueError(f"q is {q!r}; it must lie above 0 and be at most 1.")
    if not (math.isfinite(z) and z >= 0):
        raise ValueError(f"z is {z!r}; it must be a finite number of at least 0 (0: no noise, so no guarantee).")
    if sampling not in get_args(Sampling):
        raise ValueError(f"sampling is {sampling!r}; it must be one of {', '.join(map(repr, get_args(Sampling)))}.")


def _check(q: float, z: float, delta: float, method: Method, sampling: Sampling) -> None:
    check_use(q, z, sampling)
    probability("delta", delta)
    if method not in get_args(Method):
        raise ValueError(f"method is {method!r}; it must be one of {', '.join(map(repr, get_args(Method)))}.")
    if sampling == "fixed" and method == "moments":
        raise ValueError(f"method is {method!r}; sampling of a fixed number is accounted for by 'rdp' or 'pld'.")


def _loss(q: float, z: float, steps: int, delta: float, method: Method, sampling: Sampling) -> float:
    if z < NO_NOISE:
        return math.inf
    if method == "moments":
        return float(_moments_epsilon(q, z, np.array([steps]), delta)[0])
    if method == "rdp":
        orders, renyi = _renyi(q, z, sampling)
        return _renyi_epsilon(orders, steps * renyi, delta)
    return one_use(q, z, _interval([z] * steps), sampling).self_compose(steps).get_epsilon_for_delta(delta)


@lru_cache(maxsize=CACHED_CURVES)
def _curve(q: float, z: float, steps: int, delta: float, method: Method, sampling: Sampling) -> Array:
    if z < NO_NOISE:
        curve = np.full(steps, math.inf)
    elif method == "moments":
        curve = _moments_epsilon(q, z, np.arange(1, steps + 1), delta)
    elif method == "rdp":
        orders, renyi = _renyi(q, z, sampling)
        curve = np.array([_renyi_epsilon(orders, t * renyi, delta) for t in range(1, steps + 1)])
    else:
        interval = _interval([z] * steps)
        curve = _composed([one_use(q, z, interval, sampling)] * steps, delta)
    curve.flags.writeable = False
    return curve


@lru_cache(maxsize=CACHED_CURVES)
def _rounds(q: float, multipliers: tuple[float, ...], delta: float, method: Method, sampling: Sampling) -> Array:
    private = [z for z in multipliers if z >= NO_NOISE]
    if len(private) < len(multipliers):
        private = list(multipliers[: next(t for t, z in enumerate(multipliers) if z < NO_NOISE)])
    curve = np.full(len(multipliers), math.inf)
    if not private:
        pass
    elif method == "moments":
        spent = np.cumsum([_moments(q, z) for z in private], axis=0)
        curve[: len(private)] = ((spent + math.log(1.0 / delta)) / MOMENTS).min(axis=1)
    elif method == "rdp":
        orders = _renyi(q, private[0], sampling)[0]
        spent = np.cumsum([_renyi(q, z, sampling)[1] for z in private], axis=0)
        curve[: len(private)] = [_renyi_epsilon(orders, each, delta) for each in spent]
    else:
        curve[: len(private)] = _composed(different_uses(q, private, sampling), delta)
    curve.flags.writeable = False
    return curve


def different_uses(q: float, multipliers: Sequence[float], sampling: Sampling) -> Sequence[LossDistribution]:
    """Return the distribution of the loss of each use, on one grid, its multiplier rounded down (`epsilon_rounds`)."""
    rounded = _rounded_down(np.asarray(multipliers))
    interval = _interval(rounded.tolist())
    return [one_use(q, z, interval, sampling) for z in rounded.tolist()]


def composed_uses(q: float, multipliers: Sequence[float], sampling: Sampling) -> LossDistribution:
    """Return the distribution of the loss of all uses together (`different_uses`), equal ones composed at once."""
    rounded = _rounded_down(np.asarray(multipliers))
    interval = _interval(rounded.tolist())
    composed: LossDistribution | None = None
    for z, times in Counter(rounded.tolist()).items():
        use = one_use(q, z, interval, sampling)
        use = use.self_compose(times) if times > 1 else use
        composed = use if composed is None else composed.compose(use)
    assert composed is not None
    return composed


def _composed_epsilon(
    q: float, multipliers: tuple[float, ...], delta: float, method: Method, sampling: Sampling
) -> float:
    if method != "pld" or min(multipliers) < NO_NOISE:
        # Not remembered: a search asks at a dozen z that nobody asks for again.
        return float(_rounds.__wrapped__(q, multipliers, delta, method, sampling)[-1])
    return float(composed_uses(q, multipliers, sampling).get_epsilon_for_delta(delta))


def _rounded_down(multipliers: Array) -> Array:
    """Return each multiplier's largest value on a geometric grid from the largest of all downwards."""
    depth, step = np.log(multipliers.max() / multipliers), CLOSEST_MULTIPLIERS
    while len(np.unique(np.ceil(depth / step))) > MOST_MULTIPLIERS:
        step *= 2.0
    grid: Array = multipliers.max() * np.exp(-step * np.ceil(depth / step))
    # Rounding of the exponential must not lift one above what it stands for.
    return np.minimum(grid, multipliers)


def _composed(uses: Sequence[LossDistribution], delta: float) -> Array:
    curve, composed = np.empty(len(uses)), uses[0]
    for t, use in enumerate(uses):
        composed = composed.compose(use) if t else use
        curve[t] = composed.get_epsilon_for_delta(delta)
    return curve


def _moments_epsilon(q: float, z: float, steps: np.ndarray, delta: float) -> Array:
    """Return min_λ (Tα(λ) + log(1/δ))/λ for each T: the moments accountant (Abadi et al. 2016, Theorem 2)."""
    curve: Array = ((steps[:, None] * _moments(q, z) + math.log(1.0 / delta)) / MOMENTS).min(axis=1)
    return curve


def _moments(q: float, z: float) -> Array:
    """Return α(λ) = log Σ_{k=0}^{λ+1} C(λ+1, k) (1−q)^{λ+1−k} q^k exp((k² − k)/2z²) for λ = 1, …, 32, in log space."""
    order, k = MOMENTS[:, None] + 1, np.arange(MOMENTS[-1] + 2)[None, :]
    inside = k <= order
    rest = np.where(inside, order - k, 0)
    terms = gammaln(order + 1) - gammaln(k + 1) - gammaln(rest + 1) + xlog1py(rest, -q) + xlogy(k, q)
    terms = terms + (k**2 - k) / (2.0 * z**2)
    # Rounding may leave a moment at −1e−16; it is never below 0.
    return np.asarray(np.maximum(logsumexp(np.where(inside, terms, -np.inf), axis=1), 0.0))


@lru_cache(maxsize=CACHED_CURVES)
def _renyi(q: float, z: float, sampling: Sampling) -> tuple[Array, Array]:
    """Return Rényi orders and the divergence of one use at each."""
    dp = accountants()
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


def _renyi_epsilon(orders: Array, renyi: Array, delta: float) -> float:
    return float(accountants().rdp.compute_epsilon(orders, renyi, delta)[0])


def _interval(multipliers: Sequence[float]) -> float:
    """Return a grid step for privacy losses: 0.001 changes ε by less than 1e-5 at z = 1; coarser where losses are huge.

    Rounding is always towards the larger loss, so that a coarse grid may overstate ε and never understates it.
    """
    return max(1e-3, sum(0.5 / z**2 + 10.0 / z for z in multipliers) * 1e-6)


def _least(
    spent: Callable[[float], float], epsilon: float, most: float, tried: str, start: Callable[[], float]
) -> float:
    """Return the smallest x that spends at most ε, looked for from ``start`` on; ValueError if even ``most`` does not.

    Of the logarithm of what is spent over ε, which is kept finite where it is 0 or ∞.
    """

    def needed(x: float) -> float:
        return math.log(min(max(spent(x), 1e-300), 1e300) / epsilon)

    if needed(most) > 0:
        raise ValueError(
            f"epsilon is {epsilon!r}; no {tried} reaches it, the smallest is {spent(most):.4g} with this δ and this "
            "accountant. Ask for more, or choose method 'pld' or 'rdp', which reach further down."
        )
    return _boundary(needed, start())


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
