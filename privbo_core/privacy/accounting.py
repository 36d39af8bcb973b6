"""Account for T uses of a subsampled Gaussian mechanism, by two accountants, and invert them.

In one use each of N people joins with probability q, the vectors of those who joined are clipped and added up, and
noise of standard deviation z times the largest norm of one vector is added. With "poisson" sampling, neighbouring
populations differ by one person's presence. With "fixed" sampling, exactly qN people are drawn without replacement and
neighbours differ by one person *replaced*. A sum may then move by twice the norm, so the same noise counts as z/2. The
two ε are guarantees about different neighbours. docs/accounting.md lists the proofs.

"moments" is the accountant of the federated paper. "pld" composes distributions of the privacy loss, is never larger,
and is exact up to the rounding of a grid. With q = 1 it is exact: T uses are one Gaussian with μ = √Σ z_t⁻².
"""

import contextlib
import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Literal, get_args

import numpy as np
from scipy.special import comb, xlog1py, xlogy

from privbo_core.errors import Array, positive, probability, whole
from privbo_core.privacy.calibration import boundary, gaussian_epsilon
from privbo_core.privacy.loss_distribution import (
    TAIL_DEVIATIONS,
    LossDistribution,
    Sampling,
    compose_losses,
    one_use,
    partial_sums,
)

Method = Literal["moments", "pld"]

MOMENTS = np.arange(1, 33)
"""The orders λ over which the moments accountant minimises (Abadi et al. 2016, as in the federated paper)."""
_TAKEN = np.arange(MOMENTS[-1] + 2)[None, :]
_REST = np.maximum(MOMENTS[:, None] + 1 - _TAKEN, 0)
_CHOOSE = xlogy(1.0, comb(MOMENTS[:, None] + 1, _TAKEN))  # −∞ where more are taken than there are
CACHE_SIZE = 128
"""The number of cached curves over T, which take 8 bytes for each step."""
MAX_NOISE, MAX_STEPS, MIN_RATE = 1e6, 10**6, 1e-9
"""The limits of the searches for z, T and q."""
TOLERANCE: dict[Method, float] = {"moments": 1e-12, "pld": 1e-7}
"""The relative amount by which a search may end below the requested ε. It never ends above."""
GRID_ERROR = 1e-4
"""The amount that a grid of losses may add to ε, approximately and relative to ε."""
MAX_GRID = 5e5
"""The largest number of grid points for the losses of one use."""
MAX_STEP = 500.0
"""The largest grid step. Its exponential must be a finite number."""
NO_NOISE = 1e-3
"""A z below this counts as no noise. A single use with this z costs ε = 500,000, which is treated as ∞."""
MIN_LOG_DISTANCE, MAX_MULTIPLIERS = 1e-4, 64
"""Multipliers whose logarithms are closer than the first count as one, and at most the second are composed."""


def epsilon(
    q: float, z: float, steps: int, delta: float, method: Method = "moments", sampling: Sampling = "poisson"
) -> float:
    """Return ε such that T = ``steps`` uses at rate ``q`` and noise multiplier ``z`` are (ε, δ)-private. ∞ for z = 0.

    Both methods bound the same mechanism from above, so the smaller value is the tighter one. "moments" takes less than
    a millisecond and does not cover "fixed" sampling. "pld" takes some 10 ms. For δ below the rounding error of its
    sums, 2⁻⁵² for each use, it returns the ε of q = 1. Raises ValueError for q outside (0, 1], z < 0, δ outside (0, 1),
    or steps that are not a whole number ≥ 1.
    """
    _check(q, z, delta, method, sampling)
    return _spent(q, [(z, whole("steps", steps))], delta, method, sampling)


def epsilon_curve(
    q: float, z: float, steps: int, delta: float, method: Method = "moments", sampling: Sampling = "poisson"
) -> Array:
    """Return `epsilon` for T = 1, …, ``steps`` as a read-only, cached array. "pld" takes milliseconds for each step."""
    return epsilon_rounds(q, [z] * whole("steps", steps), delta, method, sampling)


def epsilon_rounds(
    q: float, multipliers: Sequence[float], delta: float, method: Method = "pld", sampling: Sampling = "poisson"
) -> Array:
    """Return the ε of the first 1, 2, …, T uses, where use t has noise multiplier z_t = ``multipliers``[t − 1].

    Moments α_t(λ) add up over different uses as over equal ones, and distributions of the loss are convolved. ε is ∞
    from the first z_t = 0 on. For "pld" with q < 1, each z_t is rounded *down* to a geometric grid that starts at the
    largest. The grid's step in log z is 1e-4, and it is doubled until at most 64 values are left. So ε is at most the ε
    of multipliers that are all smaller by one step. With the default schedule of weights that is 0.01% of z, and less
    than 0.03% of ε. Each use takes a few milliseconds. Raises ValueError as `epsilon` does, and for an empty sequence.
    """
    for z in dict.fromkeys(multipliers):
        _check(q, z, delta, method, sampling)
    whole("the number of multipliers", len(multipliers))
    return _rounds(float(q), tuple(map(float, multipliers)), float(delta), method, sampling)


def composed_epsilon(
    q: float, multipliers: Sequence[float], delta: float, method: Method = "pld", sampling: Sampling = "poisson"
) -> float:
    """Return the last value of `epsilon_rounds`, several times faster because equal uses are composed at once."""
    for z in dict.fromkeys(multipliers):
        _check(q, z, delta, method, sampling)
    whole("the number of multipliers", len(multipliers))
    return _spent(q, Counter(multipliers).items(), delta, method, sampling)


def composed_epsilons(
    q: float,
    multipliers: Sequence[float],
    delta: float,
    after: Sequence[int],
    method: Method = "pld",
    sampling: Sampling = "poisson",
) -> list[float]:
    """Return `composed_epsilon` of the first t uses for each t in ``after``.

    By "pld" with q < 1, the uses are composed once for all t whose losses have the same grid. With 40 uses of eleven
    different multipliers, a first t takes 15 ms, and each further one takes a millisecond. Raises ValueError as
    `composed_epsilon` does, and for a t that is not one of 1, …, T.
    """
    for z in dict.fromkeys(multipliers):
        _check(q, z, delta, method, sampling)
    steps = whole("the number of multipliers", len(multipliers))
    if max((whole("after", t) for t in after), default=0) > steps:
        raise ValueError(f"after contains {max(after)}, but there are only {steps} multipliers.")
    if method == "moments" or q == 1 or min(multipliers) < NO_NOISE:
        return [_spent(q, Counter(multipliers[:t]).items(), delta, method, sampling) for t in after]
    spent = _composed_at_once(q, multipliers, delta, sampling, after)
    return [spent[t] for t in after]


def noise_for(
    epsilon: float, q: float, steps: int, delta: float, method: Method = "moments", sampling: Sampling = "poisson"
) -> float:
    """Return the smallest noise multiplier z with which ``steps`` uses at rate ``q`` are (ε, δ)-private.

    Raises ValueError if no z up to a million is enough. By moments, ε never falls below log(1/δ)/32.
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
    """Return the smallest z with which uses with noise multipliers z·``gains``[t − 1] are (ε, δ)-private together.

    It is `noise_for` if all gains are equal. Otherwise it takes about five times as long as `composed_epsilon`, 1 s for
    40 uses. Raises ValueError as `noise_for` does, and unless every gain is above 0.
    """
    whole("the number of gains", len(gains))
    uses = Counter(positive("gains", gain) for gain in gains)
    positive("epsilon", epsilon)
    _check(q, 1.0, delta, method, sampling)

    def spent(z: float) -> float:
        return _spent(q, [(z * gain, times) for gain, times in uses.items()], delta, method, sampling)

    def start() -> float:
        if len(uses) > 1:  # This is about the noise that is needed if all gains equal their mean.
            return noise_for(epsilon, q, len(gains), delta, method, sampling) / _mean_multiplier(gains)
        if method != "moments":  # The moments accountant needs at least as much noise, and is fast.
            with contextlib.suppress(ValueError):
                return noise_for(epsilon, q, len(gains), delta) / max(uses)
        return 1.0

    return _least(spent, epsilon, MAX_NOISE, f"z up to {MAX_NOISE:g}", start, TOLERANCE[method])


def rate_for(
    epsilon: float, z: float, steps: int, delta: float, method: Method = "moments", sampling: Sampling = "poisson"
) -> float:
    """Return the largest rate q ≤ 1 at which ``steps`` uses with noise multiplier ``z`` are (ε, δ)-private.

    Raises ValueError if even a rate of one in a billion is too large.
    """
    return rate_for_rounds(epsilon, [positive("z", z)] * whole("steps", steps), delta, method, sampling)


def rate_for_rounds(
    epsilon: float, multipliers: Sequence[float], delta: float, method: Method = "pld", sampling: Sampling = "poisson"
) -> float:
    """Return the largest rate q ≤ 1 at which uses with these noise multipliers are (ε, δ)-private together.

    It is `rate_for` if all multipliers are equal. The cost and the errors are those of `noise_for_rounds`.
    """
    whole("the number of multipliers", len(multipliers))
    uses = Counter(positive("multipliers", z) for z in multipliers)
    positive("epsilon", epsilon)
    _check(1.0, 1.0, delta, method, sampling)

    def spent(rarity: float) -> float:
        return _spent(min(1.0, 1.0 / rarity), uses.items(), delta, method, sampling)

    def start() -> float:
        # This is about the rate that is possible if all multipliers equal their mean.
        mean = _mean_multiplier(multipliers)
        return 1.0 / rate_for(epsilon, mean, len(multipliers), delta, method, sampling) if len(uses) > 1 else 2.0

    if spent(1.0) <= epsilon:
        return 1.0
    return 1.0 / _least(spent, epsilon, 1.0 / MIN_RATE, f"q down to {MIN_RATE:g}", start, TOLERANCE[method])


def steps_for(
    epsilon: float, q: float, z: float, delta: float, method: Method = "moments", sampling: Sampling = "poisson"
) -> int:
    """Return the largest T (at most a million) for which T uses at rate ``q`` and noise ``z`` are (ε, δ)-private.

    It is 0 if a single use is already too much.
    """
    positive("epsilon", epsilon)
    _check(q, positive("z", z), delta, method, sampling)

    def spent(steps: int) -> float:
        return _spent(q, [(z, steps)], delta, method, sampling)

    high = 1
    while high <= MAX_STEPS and spent(high) <= epsilon:
        high *= 2
    return min(bisect_right(range(high), epsilon, lo=(high + 1) // 2, key=spent) - 1, MAX_STEPS)


def check_use(q: float, z: float, sampling: Sampling) -> None:
    """Raise ValueError for a rate outside (0, 1], a noise multiplier below 0 or a sampling that is not known."""
    if not 0 < q <= 1:
        raise ValueError(f"q is {q!r}. It must lie above 0 and be at most 1.")
    if not (math.isfinite(z) and z >= 0):
        raise ValueError(f"z is {z!r}. It must be a finite number of at least 0 (0: no noise, so no guarantee).")
    if sampling not in get_args(Sampling):
        raise ValueError(f"sampling is {sampling!r}. It must be one of {', '.join(map(repr, get_args(Sampling)))}.")


def _check(q: float, z: float, delta: float, method: Method, sampling: Sampling) -> None:
    check_use(q, z, sampling)
    probability("delta", delta)
    if method not in get_args(Method):
        raise ValueError(f"method is {method!r}. It must be one of {', '.join(map(repr, get_args(Method)))}.")
    if sampling == "fixed" and method == "moments":
        raise ValueError(f"method is {method!r}. For sampling of a fixed number, use 'pld'.")


Uses = Collection[tuple[float, int]]
"""Noise multipliers, each with the number of its uses."""


def _spent(q: float, uses: Uses, delta: float, method: Method, sampling: Sampling) -> float:
    """Return the ε of all uses together."""
    if min(z for z, _ in uses) < NO_NOISE:
        return math.inf
    if method == "moments":
        spent = np.sum([times * _moments(q, z) for z, times in uses], axis=0)
        return float(_epsilon_of_moments(spent, delta))
    at_full_rate = gaussian_epsilon(delta, 1.0, gaussian_mu(uses, sampling))
    # Sampling never costs privacy, so the ε of q = 1 also holds for q < 1, even if a grid of losses yields ∞.
    return at_full_rate if q == 1 else min(at_full_rate, composed_uses(q, uses, sampling).epsilon(delta))


def _composed_at_once(
    q: float, multipliers: Sequence[float], delta: float, sampling: Sampling, after: Sequence[int]
) -> dict[int, float]:
    """Return the ε of the first t uses for each t in ``after``, by loss distributions."""
    grids = {t: _grid(q, multipliers[:t], sampling) for t in after}
    spent: dict[int, float] = {}
    while grids:
        rounded, step = grids[max(grids)]
        same_grid = sorted(t for t, grid in grids.items() if grid == (rounded[:t], step))
        sums = partial_sums([(one_use(q, z, step, sampling), 1) for z in rounded], same_grid)
        for t, losses in zip(same_grid, sums, strict=True):
            at_full_rate = gaussian_epsilon(delta, 1.0, gaussian_mu([(z, 1) for z in multipliers[:t]], sampling))
            spent[t] = min(at_full_rate, losses.epsilon(delta))
            del grids[t]
    return spent


@lru_cache(maxsize=CACHE_SIZE)
def _rounds(q: float, multipliers: tuple[float, ...], delta: float, method: Method, sampling: Sampling) -> Array:
    private = list(takewhile(lambda z: z >= NO_NOISE, multipliers))
    curve = np.full(len(multipliers), math.inf)
    if private and method == "moments":
        each = {z: _moments(q, z) for z in set(private)}
        curve[: len(private)] = _epsilon_of_moments(np.cumsum([each[z] for z in private], axis=0), delta)
    elif private:
        curve[: len(private)] = _tight_rounds(q, private, delta, sampling)
    curve.flags.writeable = False
    return curve


def _tight_rounds(q: float, multipliers: list[float], delta: float, sampling: Sampling) -> Array:
    mus = np.sqrt(np.cumsum([gaussian_mu([(z, 1)], sampling) ** 2 for z in multipliers]))
    at_full_rate: Array = np.array([gaussian_epsilon(delta, 1.0, mu) for mu in mus.tolist()])
    if q == 1:
        return at_full_rate
    rounded, step = _grid(q, multipliers, sampling)
    sums = partial_sums([(one_use(q, z, step, sampling), 1) for z in rounded])
    return np.asarray(np.minimum(at_full_rate, [losses.epsilon(delta) for losses in sums]))


def gaussian_mu(uses: Uses, sampling: Sampling = "poisson") -> float:
    """Return the μ of the Gaussian mechanism that these uses form together if all people take part in each (q = 1)."""
    shift = 2.0 if sampling == "fixed" else 1.0
    return shift * math.sqrt(sum(times / z**2 for z, times in uses))


def composed_uses(q: float, uses: Uses, sampling: Sampling) -> LossDistribution:
    """Return the distribution of the loss of all uses, with multipliers rounded down as in `epsilon_rounds`."""
    return _composed(q, tuple(uses), sampling)


@lru_cache(maxsize=1)
def _composed(q: float, uses: tuple[tuple[float, int], ...], sampling: Sampling) -> LossDistribution:
    rounded = _rounded_down(np.array([z for z, _ in uses])).tolist()
    counts: Counter[float] = Counter()
    for z, (_, times) in zip(rounded, uses, strict=True):
        counts[z] += times
    step = _grid_step(q, counts.items(), sampling)
    return compose_losses((one_use(q, z, step, sampling), times) for z, times in counts.items())


def _grid(q: float, multipliers: Sequence[float], sampling: Sampling) -> tuple[list[float], float]:
    """Return the multipliers rounded down as in `epsilon_rounds`, and the step of the grid of their losses."""
    rounded = _rounded_down(np.asarray(multipliers)).tolist()
    return rounded, _grid_step(q, Counter(rounded).items(), sampling)


def _rounded_down(multipliers: Array) -> Array:
    """Return each multiplier's largest value on a geometric grid from the largest of all downwards."""
    depth, step = np.log(multipliers.max() / multipliers), MIN_LOG_DISTANCE
    while len(np.unique(np.ceil(depth / step))) > MAX_MULTIPLIERS:
        step *= 2.0
    grid: Array = multipliers.max() * np.exp(-step * np.ceil(depth / step))
    # Rounding of the exponential must not raise a value above its multiplier.
    return np.minimum(grid, multipliers)


def _mean_multiplier(multipliers: Sequence[float]) -> float:
    """Return the multiplier that costs about as much, if every use has it, as these do. Σ 1/z² is the same."""
    return float(np.mean(np.asarray(multipliers) ** -2.0) ** -0.5)


def _epsilon_of_moments(moments: Array, delta: float) -> Array:
    """Return min_λ (α(λ) + log(1/δ))/λ over the last axis (Abadi et al. 2016, Theorem 2)."""
    return np.asarray(((moments + math.log(1.0 / delta)) / MOMENTS).min(axis=-1))


def _moments(q: float, z: float) -> Array:
    """Return α(λ) = log Σ_{k=0}^{λ+1} C(λ+1, k) (1−q)^{λ+1−k} q^k exp((k² − k)/2z²) for λ = 1, …, 32, in log space."""
    terms = _CHOOSE + xlog1py(_REST, -q) + xlogy(_TAKEN, q) + (_TAKEN**2 - _TAKEN) / (2.0 * z**2)
    largest = terms.max(axis=1)
    # Rounding may leave −1e−16, but a moment is never below 0.
    return np.asarray(np.maximum(largest + np.log(np.exp(terms - largest[:, None]).sum(axis=1)), 0.0))


def _grid_step(q: float, uses: Uses, sampling: Sampling) -> float:
    """Return the step of the grid of losses, which is fine enough for `GRID_ERROR`, and coarser if losses are huge.

    Rounding is always towards the larger loss, so a coarse grid may overstate ε but never understates it. A step h adds
    about T h²/12, because the loss of each use gets an additional variance of h²/6. So with many uses the step is
    finer, as long as one use has at most `MAX_GRID` losses. A step of 0.001 changes ε by less than 1e-5 at z = 1.
    """
    coarse = max(1e-3, sum(times * (0.5 / z**2 + 10.0 / z) for z, times in uses) * 1e-6)
    shifts = [((2.0 if sampling == "fixed" else 1.0) / z, times) for z, times in uses]
    # The variance of the loss of one use is that of a small shift, or that of the noise and of the sampling.
    spreads = (min(q**2 * math.expm1(min(mu**2, 50.0)), mu**2 + q * (1 - q) * mu**4 / 4) for mu, _ in shifts)
    variance = sum(times * spread for spread, (_, times) in zip(spreads, shifts, strict=True))
    rough_epsilon = 0.5 * variance + 4.0 * math.sqrt(variance)
    fine = math.sqrt(12.0 * GRID_ERROR * rough_epsilon / sum(times for _, times in uses))
    return min(max(min(coarse, fine), max(mu**2 + 2 * TAIL_DEVIATIONS * mu for mu, _ in shifts) / MAX_GRID), MAX_STEP)


def _least(
    spent: Callable[[float], float],
    epsilon: float,
    largest: float,
    searched: str,
    start: Callable[[], float],
    tolerance: float,
) -> float:
    """Return the smallest x that spends at most ε, searched from ``start`` on.

    The ε spent is below the requested one by at most the relative ``tolerance``. Raises ValueError if even ``largest``
    spends more. The message describes the range with ``searched``.
    """

    def excess(x: float) -> float:
        # It is finite even if the ε spent is 0 or ∞. It is 0 if that ε is close enough, which ends the search.
        over = math.log(min(max(spent(x), 1e-300), 1e300) / epsilon)
        return 0.0 if -tolerance <= over <= 0 else over + 0.5 * tolerance

    if excess(largest) > 0:
        raise ValueError(
            f"epsilon is {epsilon!r}. No {searched} reaches it. The smallest ε is {spent(largest):.4g} with this δ and "
            "this accountant. Ask for a larger ε, or choose method 'pld', which reaches further down."
        )
    return boundary(excess, start())
