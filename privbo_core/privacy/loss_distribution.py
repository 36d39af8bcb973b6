"""Compose the privacy loss of subsampled Gaussian mechanisms on a grid, rounded towards more loss.

For a pair of output distributions (A, B) the profile is H_α(A‖B) = ∫ max(0, A − αB) with α = e^ε. A pair *dominates* a
mechanism if the pair's profile is at least the mechanism's for every α ≥ 0. The T-fold product of the pair then
dominates T adaptive uses (Zhu, Dong, Wang, AISTATS 2022, Theorem 10, and Dong, Roth, Su, JRSS-B 2022, Theorem 3.2).
docs/accounting.md proves that the pairs below dominate.

This accountant is independent of dp-accounting, which the tests use as a reference. A public call of dp-accounting goes
through the grid number by number, which is too slow to follow a slider.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import erfcx, log_ndtr, ndtr

from privbo_core.errors import Array

Sampling = Literal["poisson", "fixed"]

TAIL_DEVIATIONS = 9.0
"""Losses more than this many standard deviations out (a mass of 1e−19) count as infinite."""
OMITTED_MASS = 1e-15
"""The mass of a sum that may lie outside its stored range. It counts as an infinite loss."""
ROUNDING = 2.0**-52
"""The mass that rounding may misplace at each use, counted as an infinite loss. A third of it was observed."""
MAX_GROUP = 16
"""The largest number of neighbouring losses that are treated as one when the range of a sum is bounded."""
CACHE_SIZE = 16
"""The number of cached distributions of one use. Each takes 0.3 MB at z = 1, and at most 32 MB if losses are huge."""


@dataclass(frozen=True, eq=False)
class GridLosses:
    """The privacy loss for one order of the neighbours: ``masses`` at ``step``·(``lowest``, ``lowest`` + 1, …).

    ``infinite`` is the mass of an infinite loss, the probability that the output reveals a person for certain.
    """

    step: float
    lowest: int
    masses: Array
    infinite: float

    def delta(self, epsilons: Array) -> Array:
        """Return δ(ε) = Σ p(ℓ)(1 − e^{ε−ℓ}) over losses ℓ > ε, for increasing ε ≥ 0."""
        losses, above, weighted = self._tails()
        count = len(losses) - np.searchsorted(losses[::-1], epsilons, side="right")
        with np.errstate(over="ignore"):
            return np.asarray(above[count] - np.exp(epsilons) * weighted[count])

    def epsilon(self, delta: float) -> float:
        """Return the least ε ≥ 0 with δ(ε) ≤ ``delta``, and ∞ where the infinite loss alone exceeds it."""
        losses, above, weighted = self._tails()
        if above[0] > delta:
            return math.inf
        # Where e^−ℓ underflows to 0, the loss itself is the ε.
        huge = (above[1:] >= delta) & (weighted[1:] == 0.0)
        if huge.any():
            return float(losses[huge.argmax()])
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            epsilons = np.log((above - delta) / weighted)
        reached = (epsilons[:-1] >= losses) & (above[:-1] > delta) & (weighted[:-1] > 0.0)
        return max(0.0, float(epsilons[reached.argmax() if reached.any() else -1]))

    def _tails(self) -> tuple[Array, Array, Array]:
        """Return the positive losses in decreasing order, and above each of them Σ p(ℓ) and Σ p(ℓ)e^−ℓ.

        The sums have one entry more than the losses: the last are the sums above 0.
        """
        losses = np.asarray((np.arange(len(self.masses)) + self.lowest)[::-1] * self.step, dtype=float)
        losses = losses[: np.count_nonzero(losses > 0)]
        masses = self.masses[::-1][: len(losses)]
        above = np.cumsum(np.concatenate([[self.infinite], masses]))
        return losses, above, np.cumsum(np.concatenate([[0.0], masses * np.exp(-losses)]))


@dataclass(frozen=True)
class LossDistribution:
    """The privacy loss for each order of two neighbours. ``orders`` has one entry if the pair is symmetric."""

    orders: tuple[GridLosses, ...]

    def delta(self, epsilons: Array) -> Array:
        """Return δ at increasing ε ≥ 0, for the worse order."""
        return np.asarray(np.max([one.delta(epsilons) for one in self.orders], axis=0))

    def epsilon(self, delta: float) -> float:
        """Return the least ε ≥ 0 with δ(ε) ≤ ``delta`` for both orders."""
        return max(one.epsilon(delta) for one in self.orders)


def gaussian_profile(epsilons: Array, mu: float) -> Array:
    """Return H_{e^ε}(N(μ, 1)‖N(0, 1)) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ) for each ε, −∞ and ∞ included.

    Above the mean loss it is φ(a)(R(−a) − R(−b)), where R is the Mills ratio, a = μ/2 − ε/μ and b = a − μ. This form
    cancels little, so that the differences of neighbouring values keep their digits in the tail.
    """
    a = np.asarray(0.5 * mu - epsilons / mu)
    in_tail = a < 0
    low, high, below = a[in_tail], a[~in_tail], epsilons[~in_tail]
    mills = erfcx(-low / math.sqrt(2.0)) - erfcx((mu - low) / math.sqrt(2.0))
    profile = np.empty_like(a)
    profile[in_tail] = 0.5 * np.exp(-0.5 * low**2) * mills
    # e^ε Φ(b) is computed as one exponential.
    profile[~in_tail] = ndtr(high) - np.exp(np.minimum(below + log_ndtr(high - mu), 0.0))
    return np.clip(profile, 0.0, 1.0)


def joining_profile(epsilons: Array, q: float, mu: float) -> Array:
    """Return H_α((1−q)N(0, 1) + qN(μ, 1) ‖ N(0, 1)) = q H_{1+(α−1)/q}(N(μ, 1)‖N(0, 1)), or 1 − α where α ≤ 1 − q."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # log(1 + (α − 1)/q) = ε − log q + log(1 − (1 − q)/α) keeps its digits for large and for small α.
        inner = epsilons - math.log(q) + np.log1p(-(1.0 - q) * np.exp(-epsilons))
    proper = ~(np.isnan(inner) | np.isneginf(inner))
    profile = np.asarray(-np.expm1(np.minimum(epsilons, 0.0)))
    profile[proper] = q * gaussian_profile(inner[proper], mu)
    return profile


def leaving_profile(epsilons: Array, q: float, mu: float) -> Array:
    """Return H_α(N(0, 1) ‖ (1−q)N(0, 1) + qN(μ, 1)) = c H_{αq/c}(N(0, 1)‖N(μ, 1)) where c = 1 − α(1−q) > 0, else 0."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        share = 1.0 - (1.0 - q) * np.exp(epsilons) if q < 1 else np.ones_like(epsilons)
        inner = epsilons + math.log(q) - np.log(share)
    possible = share > 0
    profile = np.zeros_like(share)
    profile[possible] = share[possible] * gaussian_profile(inner[possible], mu)
    return profile


def replacing_profile(epsilons: Array, q: float, mu: float) -> Array:
    """Return the symmetric profile of a fixed-size sample: `joining_profile` for ε ≥ 0, 1 − α + α δ(−ε) for ε < 0.

    With μ = 2/z it bounds both orders of any two neighbours that differ by one person replaced, at every α
    (docs/accounting.md, Proposition 2).
    """
    half = joining_profile(np.abs(epsilons), q, mu)
    mirrored = -np.expm1(np.minimum(epsilons, 0.0)) + np.exp(np.minimum(epsilons, 0.0)) * half
    return np.where(epsilons >= 0, half, mirrored)


@lru_cache(maxsize=CACHE_SIZE)
def one_use(q: float, z: float, step: float, sampling: Sampling) -> LossDistribution:
    """Return the loss of one use at rate ``q`` and noise multiplier ``z`` on a grid of the given ``step``.

    For "poisson" sampling the neighbours differ by one person's presence, and both orders are stored. For "fixed"
    sampling they differ by one person replaced, and the symmetric pair serves both orders. The profile is replaced by
    its chords in α between grid points, and losses beyond the grid by ∞ (Doroshenko et al., PoPETs 2022, Algorithm 1).
    Both overstate δ. It takes a few milliseconds.
    """
    mu = (2.0 if sampling == "fixed" else 1.0) / z
    highest = 0.5 * mu**2 + TAIL_DEVIATIONS * mu
    points = max(1, math.ceil(highest / step))
    grid = np.arange(-points, points + 1, dtype=float) * step
    if sampling == "fixed":
        return LossDistribution((_by_chords(replacing_profile(grid, q, mu), step),))
    joining, leaving = joining_profile(grid, q, mu), leaving_profile(grid, q, mu)
    return LossDistribution((_by_chords(joining, step), _by_chords(leaving, step)))


def _by_chords(profile: Array, step: float) -> GridLosses:
    """Return the losses whose profile is the chords of this one, which is given on a grid that is symmetric about 0."""
    deltas = np.minimum.accumulate(profile)
    falls, growth = np.diff(deltas), math.expm1(step)
    masses = np.empty_like(deltas)
    masses[0] = 1.0 - deltas[0] + falls[0] / growth
    masses[1:-1] = (falls[1:] - falls[:-1] * math.exp(step)) / growth
    masses[-1] = falls[-1] / math.expm1(-step)
    return GridLosses(step, -(len(deltas) // 2), np.maximum(masses, 0.0), float(deltas[-1]))


def compose_losses(uses: Iterable[tuple[LossDistribution, int]]) -> LossDistribution:
    """Return the distribution of the sum of all losses, each used the given number of times."""
    uses = list(uses)
    return next(partial_sums(uses, [len(uses)]))


def partial_sums(
    uses: Sequence[tuple[LossDistribution, int]], after: Collection[int] | None = None
) -> Iterator[LossDistribution]:
    """Yield the sum of the losses of the first k entries of ``uses``, for k = 1, 2, …, or only for each k in ``after``.

    The sums come in the order of k. Each different use takes one Fourier transform, and so does each sum. All grids
    must have the same step.
    """
    wanted = set(range(1, len(uses) + 1) if after is None else after)
    symmetric = all(len(losses.orders) == 1 for losses, _ in uses)
    sums = [
        _sums([(losses.orders[k], times) for losses, times in uses], wanted) for k in ((0,) if symmetric else (0, -1))
    ]
    for orders in zip(*sums, strict=True):
        yield LossDistribution(orders)


def _sums(uses: Sequence[tuple[GridLosses, int]], wanted: set[int]) -> Iterator[GridLosses]:
    different = {id(losses): losses for losses, _ in uses}
    counts = np.array([times for _, times in uses])
    ends, tops = _ranges(uses, different)
    with np.errstate(divide="ignore"):
        infinite = -np.expm1(np.cumsum([times * np.log1p(-losses.infinite) for losses, times in uses]))
    lowest = np.cumsum([times * losses.lowest for losses, times in uses])
    widest = max(int(tops[count - 1] - ends[count - 1]) + 1 for count in wanted)
    longest = max(widest, *(len(losses.masses) for losses in different.values()))
    size = next_fast_len(longest, real=True)
    spectra = {key: rfft(losses.masses, size) for key, losses in different.items()}
    product = np.ones(size // 2 + 1, dtype=complex)
    for k, (losses, times) in enumerate(uses):
        product *= spectra[id(losses)] ** times if times > 1 else spectra[id(losses)]
        if k + 1 in wanted:
            # Mass outside the range wraps around to its other end, so it is counted twice and never omitted.
            masses = np.roll(irfft(product, size), -ends[k])[: tops[k] - ends[k] + 1]
            lost = min(1.0, infinite[k] + OMITTED_MASS + ROUNDING * counts[: k + 1].sum())
            yield GridLosses(losses.step, int(lowest[k] + ends[k]), np.maximum(masses, 0.0), lost)


def _ranges(uses: Sequence[tuple[GridLosses, int]], different: dict[int, GridLosses]) -> tuple[Array, Array]:
    """Return the ends of the stored range of each partial sum, in grid steps above its lowest loss.

    By Chernoff's bound, at most half of `OMITTED_MASS` lies below the range, and at most half lies above it.
    """
    counts = np.array([times for _, times in uses])
    variances = {key: _variance(losses.masses) for key, losses in different.items()}
    spread = math.sqrt(sum(times * variances[id(losses)] for losses, times in uses))
    # The best order for the tails of a normal distribution, and others around it, because the loss of someone who
    # rarely joins has a longer tail.
    normal = math.sqrt(2.0 * math.log(2.0 / OMITTED_MASS)) / max(spread, 1.0)
    orders = np.asarray(normal * 2.0 ** np.arange(-12, 4), dtype=float)
    group = min(max(int(spread / counts.sum()), 1), MAX_GROUP)
    moments = {key: _log_moments(losses.masses, orders, group) for key, losses in different.items()}
    bounds = np.cumsum([times * moments[id(losses)] for losses, times in uses], axis=0) + math.log(2.0 / OMITTED_MASS)
    lengths = np.cumsum(counts * [len(losses.masses) - 1 for losses, _ in uses])
    tops = np.minimum(np.ceil((bounds[:, 0] / orders).min(axis=1)), lengths).astype(int)
    ends = np.minimum(np.maximum(np.floor((-bounds[:, 1] / orders).max(axis=1)), 0), tops).astype(int)
    return ends, tops


def _variance(masses: Array) -> float:
    positions = np.arange(len(masses), dtype=float)
    mean = positions @ masses
    return max(float((positions - mean) ** 2 @ masses), 0.0)


def _log_moments(masses: Array, orders: Array, group: int) -> Array:
    """Return upper bounds on log Σ m_k e^{θk} and log Σ m_k e^{−θk} at each order θ.

    Each ``group`` of neighbouring losses is treated as its worst.
    """
    starts = np.arange(0, len(masses), group)
    grouped = np.add.reduceat(masses, starts)
    starts, logs = starts[grouped > 0], np.log(grouped[grouped > 0])
    exponents = np.stack([logs + np.outer(orders, starts + group - 1), logs - np.outer(orders, starts)])
    largest = exponents.max(axis=-1)
    return np.asarray(largest + np.log(np.exp(exponents - largest[..., None]).sum(axis=-1)))
