"""The privacy loss of a subsampled Gaussian mechanism used T times, by three accountants, and its inverses.

One use: each of N people joins with probability q, the vectors of those who joined are clipped and added up, and noise
of standard deviation z times the largest norm that one of them can have is added. Two neighbouring populations differ
by one person's presence ("poisson" sampling). With "fixed" sampling, exactly qN people are drawn without replacement
and neighbours differ by one person *replaced*: a sum may then move by twice the norm, so the same noise counts as z/2.
The two ε are promises about different neighbours. What is proved of each, and by whom: docs/accounting.md.
"""

import contextlib
import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import cache, lru_cache
from itertools import takewhile
from typing import Literal, get_args

import numpy as np
from scipy.special import comb, xlog1py, xlogy

from privbo_core.errors import Array, positive, probability, whole
from privbo_core.privacy.calibration import boundary
from privbo_core.privacy.loss_distribution import (
    TAIL,
    LossDistribution,
    Sampling,
    accountants,
    composed,
    epsilon_at,
    one_use,
    sums,
)

Method = Literal["moments", "rdp", "pld"]

MOMENTS = np.arange(1, 33)
"""The λ over which the moments accountant minimises (Abadi et al. 2016, and the federated paper after them)."""
_TAKEN = np.arange(MOMENTS[-1] + 2)[None, :]
_REST = np.maximum(MOMENTS[:, None] + 1 - _TAKEN, 0)
_CHOOSE = xlogy(1.0, comb(MOMENTS[:, None] + 1, _TAKEN))  # −∞ where more are taken than there are
CACHED_CURVES = 128  # Curves over T remembered per process: 8 bytes a step each.
LARGEST_NOISE, LARGEST_STEPS, SMALLEST_RATE = 1e6, 10**6, 1e-9  # Where the searches give up.
CLOSE: dict[Method, float] = {"moments": 1e-12, "rdp": 1e-7, "pld": 1e-7}
"""How far below the ε that is asked for the searches may end, as a share of it; never above."""
COARSE = 1e-4  # How much a grid of losses may add to ε, about, as a share of it.
LARGEST_GRID = 5e5  # So many losses one use has at most.
LARGEST_STEP = 500.0  # Its exponential is still a number.
NO_NOISE = 1e-3  # Below this z, one use gives away ε = 500,000: ∞ for every purpose.
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
    mechanism with the same Rényi divergence, "pld" uses that this one is Gaussian and is far tighter (`one_use`); it
    says ∞ where δ is less than rounding leaves, 2⁻⁵² a use.
    Raises ValueError for q outside (0, 1], z < 0, δ outside (0, 1), steps that are not a whole number ≥ 1.
    """
    _check(q, z, delta, method, sampling)
    return _spent(q, [(z, whole("steps", steps))], delta, method, sampling)


def epsilon_curve(
    q: float, z: float, steps: int, delta: float, method: Method = "moments", sampling: Sampling = "poisson"
) -> Array:
    """Return `epsilon` for T = 1, …, ``steps``, as a read-only array. Remembered: "pld" takes milliseconds a step."""
    return epsilon_rounds(q, [z] * whole("steps", steps), delta, method, sampling)


def epsilon_rounds(
    q: float, multipliers: Sequence[float], delta: float, method: Method = "pld", sampling: Sampling = "poisson"
) -> Array:
    """Return the ε of the first 1, 2, …, T uses, use t having noise multiplier z_t = ``multipliers``[t − 1].

    Moments α_t(λ) and Rényi divergences add up over different uses as over equal ones; the distributions of the loss
    are convolved. ∞ from the first z_t = 0 on. For "pld" each z_t is rounded *down*: the logarithms onto a grid of step
    1e-4 below the largest, doubled until at most 64 values are left. So ε is at most what it would be with every
    multiplier smaller by one step: by the default schedule of weights 0.01 % of z, and below 0.03 % of ε.
    A few ms a use; remembered. Raises ValueError as `epsilon` does, and for an empty sequence.
    """
    for z in dict.fromkeys(multipliers):
        _check(q, z, delta, method, sampling)
    whole("the number of multipliers", len(multipliers))
    return _rounds(float(q), tuple(map(float, multipliers)), float(delta), method, sampling)


def composed_epsilon(
    q: float, multipliers: Sequence[float], delta: float, method: Method = "pld", sampling: Sampling = "poisson"
) -> float:
    """Return the last value of `epsilon_rounds` alone, several times faster: equal uses are composed at once."""
    for z in dict.fromkeys(multipliers):
        _check(q, z, delta, method, sampling)
    whole("the number of multipliers", len(multipliers))
    return _spent(q, Counter(multipliers).items(), delta, method, sampling)


def noise_for(
    epsilon: float, q: float, steps: int, delta: float, method: Method = "moments", sampling: Sampling = "poisson"
) -> float:
    """Return the smallest noise multiplier z with which ``steps`` uses at rate ``q`` are (ε, δ)-private.

    Raises ValueError if no z up to a million is enough: by moments ε never falls below log(1/δ)/32.
    """
    return noise_for_rounds(epsilon, q, [1.0] * whole("steps", steps), delta, method, sampling)


def noise_for_rounds(
    epsilon: float,
    q: float,
    gains: Sequence[float],
    delta: float,
    method: Method = "pld",
    sampling: Sampling = "poisson",
) -> float:
    """Return the smallest z with which uses of noise multipliers z·``gains``[t − 1] are (ε, δ)-private together.

    `noise_for` where all gains are alike. Otherwise about five times the cost of `composed_epsilon`, 1 s for 40 uses.
    Raises ValueError as `noise_for` does, and unless every gain is above 0.
    """
    whole("the number of gains", len(gains))
    uses = Counter(positive("gains", gain) for gain in gains)
    positive("epsilon", epsilon)
    _check(q, 1.0, delta, method, sampling)

    def spent(z: float) -> float:
        return _spent(q, [(z * gain, times) for gain, times in uses.items()], delta, method, sampling)

    def start() -> float:
        if len(uses) > 1:  # about as much noise as if all gains were this mean of them
            return noise_for(epsilon, q, len(gains), delta, method, sampling) / _alike(gains)
        if method != "moments":  # which asks for at least as much noise, and says so at once
            with contextlib.suppress(ValueError):
                return noise_for(epsilon, q, len(gains), delta) / max(uses)
        return 1.0

    return _least(spent, epsilon, LARGEST_NOISE, f"z up to {LARGEST_NOISE:g}", start, CLOSE[method])


def rate_for(
    epsilon: float, z: float, steps: int, delta: float, method: Method = "moments", sampling: Sampling = "poisson"
) -> float:
    """Return the largest rate q at which ``steps`` uses with noise multiplier ``z`` are (ε, δ)-private; at most 1.

    Raises ValueError if not even one in a billion is rare enough.
    """
    return rate_for_rounds(epsilon, [positive("z", z)] * whole("steps", steps), delta, method, sampling)


def rate_for_rounds(
    epsilon: float, multipliers: Sequence[float], delta: float, method: Method = "pld", sampling: Sampling = "poisson"
) -> float:
    """Return the largest rate q at which uses with these noise multipliers are (ε, δ)-private together; at most 1.

    `rate_for` where all are alike. Costs and raises as `noise_for_rounds`.
    """
    whole("the number of multipliers", len(multipliers))
    uses = Counter(positive("multipliers", z) for z in multipliers)
    positive("epsilon", epsilon)
    _check(1.0, 1.0, delta, method, sampling)

    def spent(rarity: float) -> float:
        return _spent(min(1.0, 1.0 / rarity), uses.items(), delta, method, sampling)

    def start() -> float:
        # About the rate that would do if all multipliers were this mean of them.
        alike = _alike(multipliers)
        return 1.0 / rate_for(epsilon, alike, len(multipliers), delta, method, sampling) if len(uses) > 1 else 2.0

    if spent(1.0) <= epsilon:
        return 1.0
    return 1.0 / _least(spent, epsilon, 1.0 / SMALLEST_RATE, f"q down to {SMALLEST_RATE:g}", start, CLOSE[method])


def steps_for(
    epsilon: float, q: float, z: float, delta: float, method: Method = "moments", sampling: Sampling = "poisson"
) -> int:
    """Return the largest T (at most a million) for which T uses at rate ``q`` and noise ``z`` are (ε, δ)-private.

    0 if a single use is too much already.
    """
    positive("epsilon", epsilon)
    _check(q, positive("z", z), delta, method, sampling)

    def spent(steps: int) -> float:
        return _spent(q, [(z, steps)], delta, method, sampling)

    high = 1
    while high <= LARGEST_STEPS and spent(high) <= epsilon:
        high *= 2
    return min(bisect_right(range(high), epsilon, lo=(high + 1) // 2, key=spent) - 1, LARGEST_STEPS)


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


Uses = Collection[tuple[float, int]]  # Noise multipliers, and how often each is used.


def _spent(q: float, uses: Uses, delta: float, method: Method, sampling: Sampling) -> float:
    """Return the ε of all uses together."""
    if min(z for z, _ in uses) < NO_NOISE:
        return math.inf
    if method == "pld":
        return epsilon_at(composed_uses(q, uses, sampling), delta)
    spent = np.sum([times * _additive(q, z, method, sampling) for z, times in uses], axis=0)
    return float(_converted(spent[None], delta, method)[0])


@lru_cache(maxsize=CACHED_CURVES)
def _rounds(q: float, multipliers: tuple[float, ...], delta: float, method: Method, sampling: Sampling) -> Array:
    private = list(takewhile(lambda z: z >= NO_NOISE, multipliers))
    curve = np.full(len(multipliers), math.inf)
    if private and method == "pld":
        rounded = _rounded_down(np.asarray(private)).tolist()
        interval = _interval(q, [(z, 1) for z in rounded], sampling)
        together = sums([(one_use(q, z, interval, sampling), 1) for z in rounded])
        curve[: len(private)] = [epsilon_at(losses, delta) for losses in together]
    elif private:
        each = {z: _additive(q, z, method, sampling) for z in set(private)}
        spent = np.cumsum([each[z] for z in private], axis=0)
        curve[: len(private)] = _converted(spent, delta, method)
    curve.flags.writeable = False
    return curve


def composed_uses(q: float, uses: Uses, sampling: Sampling) -> LossDistribution:
    """Return the distribution of the loss of all uses, multipliers rounded down (`epsilon_rounds`); kept."""
    return _composed(q, tuple(uses), sampling)


@lru_cache(maxsize=1)
def _composed(q: float, uses: tuple[tuple[float, int], ...], sampling: Sampling) -> LossDistribution:
    rounded = _rounded_down(np.array([z for z, _ in uses])).tolist()
    often: Counter[float] = Counter()
    for z, (_, times) in zip(rounded, uses, strict=True):
        often[z] += times
    interval = _interval(q, often.items(), sampling)
    return composed((one_use(q, z, interval, sampling), times) for z, times in often.items())


def _rounded_down(multipliers: Array) -> Array:
    """Return each multiplier's largest value on a geometric grid from the largest of all downwards."""
    depth, step = np.log(multipliers.max() / multipliers), CLOSEST_MULTIPLIERS
    while len(np.unique(np.ceil(depth / step))) > MOST_MULTIPLIERS:
        step *= 2.0
    grid: Array = multipliers.max() * np.exp(-step * np.ceil(depth / step))
    # Rounding of the exponential must not lift one above what it stands for.
    return np.minimum(grid, multipliers)


def _alike(multipliers: Sequence[float]) -> float:
    """Return the multiplier that, in every use, costs about as much as these together: Σ 1/z² is the same."""
    return float(np.mean(np.asarray(multipliers) ** -2.0) ** -0.5)


def _additive(q: float, z: float, method: Method, sampling: Sampling) -> Array:
    """Return what one use spends at each order: moments, or Rényi divergences. Those of several uses add up."""
    return _moments(q, z) if method == "moments" else _renyi(q, z, sampling)


def _converted(spent: Array, delta: float, method: Method) -> Array:
    """Return the ε of each row of what is spent; of moments min_λ (α(λ) + log(1/δ))/λ (Abadi et al. 2016, Thm. 2)."""
    if method == "moments":
        return np.asarray(((spent + math.log(1.0 / delta)) / MOMENTS).min(axis=1))
    return np.array([accountants().rdp.compute_epsilon(_orders(), so_far, delta)[0] for so_far in spent])


def _moments(q: float, z: float) -> Array:
    """Return α(λ) = log Σ_{k=0}^{λ+1} C(λ+1, k) (1−q)^{λ+1−k} q^k exp((k² − k)/2z²) for λ = 1, …, 32, in log space."""
    terms = _CHOOSE + xlog1py(_REST, -q) + xlogy(_TAKEN, q) + (_TAKEN**2 - _TAKEN) / (2.0 * z**2)
    largest = terms.max(axis=1)
    # Rounding may leave a moment at −1e−16; it is never below 0.
    return np.asarray(np.maximum(largest + np.log(np.exp(terms - largest[:, None]).sum(axis=1)), 0.0))


@lru_cache(maxsize=CACHED_CURVES)
def _renyi(q: float, z: float, sampling: Sampling) -> Array:
    """Return the Rényi divergence of one use at each of `_orders`."""
    dp = accountants()
    if sampling == "poisson":
        accountant = dp.rdp.RdpAccountant()
        accountant.compose(dp.PoissonSampledDpEvent(q, dp.GaussianDpEvent(z)))
    else:
        accountant = dp.rdp.RdpAccountant(neighboring_relation=dp.NeighboringRelation.REPLACE_ONE)
        population = 10**9  # only the ratio of the two numbers enters
        sample = max(1, round(q * population))
        accountant.compose(dp.SampledWithoutReplacementDpEvent(population, sample, dp.GaussianDpEvent(z / 2.0)))
    # The accountant has no public way to read them, and asking it again for every T would take 0.1 s each time.
    return np.asarray(accountant._rdp, dtype=float)


@cache
def _orders() -> Array:
    return np.asarray(accountants().rdp.RdpAccountant()._orders, dtype=float)


def _interval(q: float, uses: Uses, sampling: Sampling) -> float:
    """Return a grid step for privacy losses: 0.001 changes ε by less than 1e-5 at z = 1; coarser where losses are huge.

    Rounding is always towards the larger loss, so that a coarse grid may overstate ε and never understates it: on a
    step of h by T h²/12 or so, for each use's loss gets a variance of h²/6 more. So with many uses the step is finer,
    as far as one use then has no more than `LARGEST_GRID` losses.
    """
    coarse = max(1e-3, sum(times * (0.5 / z**2 + 10.0 / z) for z, times in uses) * 1e-6)
    shifts = [((2.0 if sampling == "fixed" else 1.0) / z, times) for z, times in uses]
    # Of one use: what a small shift adds, or that of the noise and of whether one joins.
    spreads = (min(q**2 * math.expm1(min(mu**2, 50.0)), mu**2 + q * (1 - q) * mu**4 / 4) for mu, _ in shifts)
    variance = sum(times * spread for spread, (_, times) in zip(spreads, shifts, strict=True))
    about = 0.5 * variance + 4.0 * math.sqrt(variance)  # ε, roughly
    fine = math.sqrt(12.0 * COARSE * about / sum(times for _, times in uses))
    return min(max(min(coarse, fine), max(mu**2 + 2 * TAIL * mu for mu, _ in shifts) / LARGEST_GRID), LARGEST_STEP)


def _least(
    spent: Callable[[float], float], epsilon: float, most: float, tried: str, start: Callable[[], float], close: float
) -> float:
    """Return the smallest x that spends at most ε, looked for from ``start`` on; ValueError if even ``most`` does not.

    What it spends lies at most the share ``close`` below ε: a count may take a second.
    """

    def needed(x: float) -> float:
        # Kept finite where what is spent is 0 or ∞; 0 where it is near enough, at which the search ends.
        over = math.log(min(max(spent(x), 1e-300), 1e300) / epsilon)
        return 0.0 if -close <= over <= 0 else over + 0.5 * close

    if needed(most) > 0:
        raise ValueError(
            f"epsilon is {epsilon!r}; no {tried} reaches it, the smallest is {spent(most):.4g} with this δ and this "
            "accountant. Ask for more, or choose method 'pld' or 'rdp', which reach further down."
        )
    return boundary(needed, start())
