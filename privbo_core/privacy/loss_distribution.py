"""The distribution of the privacy loss of a subsampled Gaussian, from its profile δ(ε), rounded towards more loss.

For a pair of output distributions (A, B) the profile is H_α(A‖B) = ∫ max(0, A − αB) with α = e^ε. A pair whose profile
lies above a mechanism's for every α ≥ 0 *dominates* it, and then T-fold products of the pair dominate T adaptive uses
(Zhu, Dong, Wang, AISTATS 2022, Theorem 10; the trade-off function form is Dong, Roth, Su, JRSS-B 2022, Theorem 3.2).
What is proved of the pairs below, and how, is written out in docs/accounting.md.
"""

import logging
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, islice
from types import ModuleType
from typing import Any, Literal, Protocol

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import erfcx, log_ndtr, logsumexp, ndtr

from privbo_core.errors import Array
from privbo_core.privacy.calibration import gaussian_epsilon

Sampling = Literal["poisson", "fixed"]

TAIL = 9.0  # Losses further than this many standard deviations out (mass 1e−19) are counted as certain ruin.
LEFT_OUT = 1e-15  # The mass of a sum that lies outside of what is kept of it, counted as certain ruin.
ROUNDING = 2.0**-52  # How much of a sum's mass rounding may misplace for each use, counted likewise; a third was found.
GROUP = 16  # So many neighbouring losses at most count as one where it is looked for how far a sum reaches.
CACHED_USES = 16
"""Distributions of one use remembered per process: 0.3 MB each at z = 1, at most 32 MB where losses are huge."""


class LossDistribution(Protocol):
    """What is used of dp-accounting's distribution of the privacy loss."""

    def compose(self, other: "LossDistribution") -> "LossDistribution":
        """Return the distribution of the sum of both losses."""

    def self_compose(self, times: int) -> "LossDistribution":
        """Return the distribution of the sum of so many losses like this one."""

    def get_epsilon_for_delta(self, delta: float) -> float:
        """Return the least ε ≥ 0 with δ(ε) ≤ ``delta``."""

    def get_delta_for_epsilon(self, epsilon: Array) -> Array:
        """Return δ(ε) at increasing ``epsilon`` ≥ 0, for the worse order of the two neighbours."""


@cache
def accountants() -> ModuleType:
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
    modules: ModuleType = dp_accounting
    return modules


def gaussian_profile(epsilons: Array, mu: float) -> Array:
    """Return H_{e^ε}(N(μ, 1)‖N(0, 1)) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ) for each ε, −∞ and ∞ included.

    Above the mean loss it is φ(a)(R(−a) − R(−b)) with R the Mills ratio, a = μ/2 − ε/μ, b = a − μ. It cancels little:
    differences of neighbouring values, which the distribution is made of, keep their digits in the tail.
    """
    a = 0.5 * mu - epsilons / mu
    b = a - mu
    low = np.minimum(a, 0.0)
    mills = erfcx(-low / math.sqrt(2.0)) - erfcx((mu - low) / math.sqrt(2.0))
    with np.errstate(invalid="ignore"):
        tail = 0.5 * np.exp(-0.5 * low**2) * np.where(np.isfinite(low), mills, 0.0)
        # e^ε Φ(b) as one exponential: at ε = −∞ it is 0.
        bulk = ndtr(a) - np.where(np.isneginf(epsilons), 0.0, np.exp(np.minimum(epsilons + log_ndtr(b), 0.0)))
    return np.asarray(np.clip(np.where(a < 0, tail, bulk), 0.0, 1.0))


def joining_profile(epsilons: Array, q: float, mu: float) -> Array:
    """Return H_α((1−q)N(0, 1) + qN(μ, 1) ‖ N(0, 1)) = q H_{1+(α−1)/q}(N(μ, 1)‖N(0, 1)); 1 − α where α ≤ 1 − q."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # log(1 + (α − 1)/q) = ε − log q + log(1 − (1 − q)/α): neither large nor small α loses digits.
        inner = epsilons - math.log(q) + np.log1p(-(1.0 - q) * np.exp(-epsilons))
    trivial = np.isnan(inner) | np.isneginf(inner)
    proper = q * gaussian_profile(np.where(trivial, 0.0, inner), mu)
    return np.where(trivial, -np.expm1(np.minimum(epsilons, 0.0)), proper)


def leaving_profile(epsilons: Array, q: float, mu: float) -> Array:
    """Return H_α(N(0, 1) ‖ (1−q)N(0, 1) + qN(μ, 1)) = c H_{αq/c}(N(0, 1)‖N(μ, 1)), c = 1 − α(1−q); 0 where c ≤ 0."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        share = 1.0 - (1.0 - q) * np.exp(epsilons) if q < 1 else np.ones_like(epsilons)
        inner = epsilons + math.log(q) - np.log(share)
    possible = share > 0
    return np.where(possible, np.maximum(share, 0.0) * gaussian_profile(np.where(possible, inner, 0.0), mu), 0.0)


def replacing_profile(epsilons: Array, q: float, mu: float) -> Array:
    """Return the symmetric profile of a fixed-size sample: `joining_profile` for ε ≥ 0, 1 − α + α δ(−ε) for ε < 0.

    With μ = 2/z it bounds both orders of any two neighbours that differ by one person replaced, at every α
    (docs/accounting.md: Proposition 2).
    """
    half = joining_profile(np.abs(epsilons), q, mu)
    mirrored = -np.expm1(np.minimum(epsilons, 0.0)) + np.exp(np.minimum(epsilons, 0.0)) * half
    return np.where(epsilons >= 0, half, mirrored)


@lru_cache(maxsize=CACHED_USES)
def one_use(q: float, z: float, interval: float, sampling: Sampling) -> LossDistribution:
    """Return the distribution of the loss of one use at rate ``q`` and multiplier ``z`` on a grid of step ``interval``.

    "poisson": neighbours differ by one person's presence, and both orders are kept. "fixed": by one person replaced,
    and the one symmetric pair serves both orders. Between grid points the profile is replaced by its chords in α, and
    losses beyond the grid by ∞ (Doroshenko et al., PoPETs 2022, Algorithm 1): both overstate δ. A few milliseconds.
    """
    mu = (2.0 if sampling == "fixed" else 1.0) / z
    highest = 0.5 * mu**2 + TAIL * mu
    n = max(1, math.ceil(highest / interval))
    of = accountants().pld.privacy_loss_distribution.PrivacyLossDistribution
    if sampling == "fixed":
        once: LossDistribution = of(_rounded(lambda e: replacing_profile(e, q, mu), n, interval))
    else:
        once = of(
            _rounded(lambda e: joining_profile(e, q, mu), n, interval),
            _rounded(lambda e: leaving_profile(e, q, mu), n, interval),
        )
    return once


def _rounded(profile: Callable[[Array], Array], n: int, interval: float) -> object:
    """Return the distribution on the grid −n, …, n times ``interval`` whose profile is made of the chords of this.

    As dp-accounting's `create_pmf_pessimistic_connect_dots_fixed_gap`, which goes through it number by number.
    """
    deltas = np.minimum.accumulate(profile(np.arange(-n, n + 1, dtype=float) * interval))
    falls, step = np.diff(deltas), math.expm1(interval)
    masses = np.empty_like(deltas)
    masses[0] = 1.0 - deltas[0] + falls[0] / step
    masses[1:-1] = (falls[1:] - falls[:-1] * math.exp(interval)) / step
    masses[-1] = falls[-1] / math.expm1(-interval)
    return _pmf(interval, -n, np.maximum(masses, 0.0), float(deltas[-1]))


def _pmf(interval: float, lowest: int, masses: Array, ruin: float) -> object:
    """Return dp-accounting's value for masses on a grid from ``lowest``·``interval`` on, losses rounded up."""
    pmf: object = accountants().pld.pld_pmf.DensePLDPmf(interval, lowest, masses, ruin, True)
    return pmf


def composed(parts: Iterable[tuple[LossDistribution, int]]) -> LossDistribution:
    """Return the distribution of the sum of the losses of all ``parts``, each so many times."""
    uses = list(parts)
    return next(iter(sums(uses, len(uses) - 1)))


def sums(uses: Sequence[tuple[LossDistribution, int]], first: int = 0) -> Iterator[LossDistribution]:
    """Return the distributions of the sums of the losses of the parts 0 to ``first``, to ``first`` + 1, …, to the last.

    By one Fourier transform of each part: seven times as fast as dp-accounting, which composes pairs and looks for the
    tails of each number by number.
    """
    try:
        dense = [(tuple(_orders(part)), times) for part, times in uses]
    except AttributeError:
        together = accumulate((part.self_compose(times) for part, times in uses), lambda one, other: one.compose(other))
        return islice(together, first, None)
    which = (0,) if all(len(orders) == 1 for orders, _ in dense) else (0, -1)
    found = (_sums([(orders[k], times) for orders, times in dense], first) for k in which)
    return map(accountants().pld.privacy_loss_distribution.PrivacyLossDistribution, *found)


def _sums(uses: Sequence[tuple[Any, int]], first: int) -> Iterator[object]:
    """Do the same for one order of the neighbours."""
    different = {id(pmf): pmf for pmf, _ in uses}
    counts = np.array([times for _, times in uses])
    spread = math.sqrt(sum(times * _variance(pmf._probs) for pmf, times in uses))
    # The best order for the tails of a normal distribution, and others around it: tails of rare joiners are long.
    orders = math.sqrt(2.0 * math.log(2.0 / LEFT_OUT)) / max(spread, 1.0) * 2.0 ** np.arange(-12, 4)
    group = min(max(int(spread / counts.sum()), 1), GROUP)
    moments = {key: _log_moments(pmf._probs, orders, group) for key, pmf in different.items()}
    grown = np.cumsum([times * moments[id(pmf)] for pmf, times in uses], axis=0) + math.log(2.0 / LEFT_OUT)
    lengths = np.cumsum(counts * [len(pmf._probs) - 1 for pmf, _ in uses])
    # By Chernoff's bound at most half of `LEFT_OUT` lies above ``tops``, and as much below ``ends``.
    tops = np.minimum(np.ceil((grown[:, 0] / orders).min(axis=1)), lengths).astype(int)
    ends = np.minimum(np.maximum(np.floor((-grown[:, 1] / orders).max(axis=1)), 0), tops).astype(int)
    with np.errstate(divide="ignore"):
        ruin = -np.expm1(np.cumsum([times * np.log1p(-pmf._infinity_mass) for pmf, times in uses]))
    lowest = np.cumsum([times * pmf._lower_loss for pmf, times in uses])
    size = next_fast_len(max(int((tops - ends)[first:].max()) + 1, *(len(pmf._probs) for pmf, _ in uses)), real=True)
    spectra = {key: rfft(pmf._probs, size) for key, pmf in different.items()}
    product = np.ones(size // 2 + 1)
    for k, (pmf, times) in enumerate(uses):
        product = product * (spectra[id(pmf)] ** times if times > 1 else spectra[id(pmf)])
        if k >= first:
            # What lies outside comes back in at the other end: it is counted twice, never left out.
            masses = np.roll(irfft(product, size), -ends[k])[: tops[k] - ends[k] + 1]
            start, lost = int(lowest[k] + ends[k]), min(1.0, ruin[k] + LEFT_OUT + ROUNDING * counts[: k + 1].sum())
            yield _pmf(pmf._discretization, start, np.maximum(masses, 0.0), lost)


def _variance(masses: Array) -> float:
    at = np.arange(len(masses), dtype=float)
    mean = at @ masses
    return max(float((at - mean) ** 2 @ masses), 0.0)


def _log_moments(masses: Array, orders: Any, group: int) -> Array:  # noqa: ANN401
    """Return at least log Σ m_k e^{θk} and log Σ m_k e^{−θk} at each order θ: ``group`` losses count as their worst."""
    starts = np.arange(0, len(masses), group)
    with np.errstate(divide="ignore"):
        logs = np.log(np.add.reduceat(masses, starts))
    up, down = logs + np.outer(orders, starts + group - 1), logs - np.outer(orders, starts)
    return np.array([logsumexp(each, axis=1) for each in (up, down)])


def profile(losses: LossDistribution, epsilons: Array) -> Array:
    """Return δ at increasing ε ≥ 0: `get_delta_for_epsilon` without its loop over some 10⁴ losses."""
    try:
        return np.asarray(np.max([_delta(one, epsilons) for one in _orders(losses)], axis=0))
    except AttributeError:
        return losses.get_delta_for_epsilon(epsilons)


def epsilon_at(losses: LossDistribution, delta: float) -> float:
    """Return the least ε ≥ 0 with δ(ε) ≤ ``delta``: `get_epsilon_for_delta` without that loop."""
    try:
        return max(_epsilon(one, delta) for one in _orders(losses))
    except AttributeError:
        return float(losses.get_epsilon_for_delta(delta))


def _orders(losses: Any) -> Iterable[Any]:  # noqa: ANN401
    """Return the distributions for both orders of the neighbours, which dp-accounting keeps to itself.

    AttributeError where a version keeps them elsewhere: then its own loops are asked.
    """
    return {id(one): one.to_dense_pmf() for one in (losses._pmf_remove, losses._pmf_add)}.values()


def _tails(pmf: Any) -> tuple[Array, Array, Array]:  # noqa: ANN401
    """Return the positive losses from the largest down; and of all above each, and above 0: Σ p(ℓ) and Σ p(ℓ)e^−ℓ."""
    losses = (np.arange(len(pmf._probs)) + pmf._lower_loss)[::-1] * pmf._discretization
    losses = losses[: np.count_nonzero(losses > 0)]
    masses = pmf._probs[::-1][: len(losses)]
    upper = np.cumsum(np.concatenate([[pmf._infinity_mass], masses]))
    return losses, upper, np.cumsum(np.concatenate([[0.0], masses * np.exp(-losses)]))


def _delta(pmf: Any, epsilons: Array) -> Array:  # noqa: ANN401
    losses, upper, lower = _tails(pmf)
    above = len(losses) - np.searchsorted(losses[::-1], epsilons, side="right")
    with np.errstate(over="ignore"):
        return np.asarray(upper[above] - np.exp(epsilons) * lower[above])


def _epsilon(pmf: Any, delta: float) -> float:  # noqa: ANN401
    losses, upper, lower = _tails(pmf)
    if upper[0] > delta:
        return math.inf
    if (certain := (upper[1:] >= delta) & (lower[1:] == 0.0)).any():  # so large a loss that e^−ℓ is 0
        return float(losses[certain.argmax()])
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        epsilons = np.log((upper - delta) / lower)
    reached = (epsilons[:-1] >= losses) & (upper[:-1] > delta) & (lower[:-1] > 0.0)
    return max(0.0, float(epsilons[reached.argmax() if reached.any() else -1]))


STEP = 1e-4  # The grid of a sum of losses, as a share: of the ε that adding allows below 1, of 1, of a 20th above 20.
HUGE = (
    500.0  # What adds up to more is only summed: its exponentials leave the range of numbers, and it protects nobody.
)


def epsilon_of_losses(
    delta: float, *, mu: float = 0.0, pure: Iterable[float] = (), laplace: Iterable[float] = ()
) -> float:
    """Return an ε ≥ 0 with which all of these, used on one record in any order, are (ε, ``delta``)-private.

    ``mu``: Δ/σ of the Gaussian noise, several as the root of their sum of squares. ``pure``: the ε of mechanisms of
    which nothing else is known; the worst is randomised response, e^ε to 1. ``laplace``: Δ/b of Laplace noise on one
    number. With a Gaussian ``delta`` must be above 0; without one it may be 0. Never more than the sum. Exact for the
    Gaussian alone, else at most about `STEP` above; where the sum passes 500, that sum. Tens of milliseconds.
    """
    pure, laplace = (tuple(each for each in amounts if each) for amounts in (pure, laplace))
    plain = math.fsum((*pure, *laplace))
    if mu == 0 and (not delta or len(pure) + len(laplace) < 2 or not plain):
        return plain
    if math.isinf(mu) or math.isinf(plain):
        return math.inf
    gaussian = gaussian_epsilon(delta, 1.0, mu) if mu else 0.0
    if not plain or gaussian + plain > HUGE:
        return gaussian + plain
    return min(gaussian + plain, _composed(delta, mu, pure, laplace, gaussian + plain))


def _composed(delta: float, mu: float, pure: tuple[float, ...], laplace: tuple[float, ...], most: float) -> float:
    accounting = accountants()
    of = accounting.pld.privacy_loss_distribution
    step = STEP * min(1.0, most) * max(1.0, most / 20.0)
    parts: list[tuple[LossDistribution, int]] = [(one_use(1.0, 1.0 / mu, step, "poisson"), 1)] if mu else []
    # Grouped: equal ones are composed with themselves in one step.
    for amount in sorted(set(pure)):
        said = accounting.pld.common.DifferentialPrivacyParameters(amount, 0.0)
        worst = of.from_privacy_parameters(said, value_discretization_interval=step)
        parts.append((worst, pure.count(amount)))
    for amount in sorted(set(laplace)):
        noise = of.from_laplace_mechanism(1.0 / amount, value_discretization_interval=step)
        parts.append((noise, laplace.count(amount)))
    return epsilon_at(composed(parts), delta)
