"""Compute trade-off functions: the least share of misses of any test, for each share of false alarms."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from privbo_core.errors import Array, probability, whole
from privbo_core.privacy.accounting import NO_NOISE, check_use, composed_uses, gaussian_mu
from privbo_core.privacy.calibration import gaussian_delta, gaussian_epsilon, total_variation
from privbo_core.privacy.loss_distribution import LossDistribution, Sampling

PROFILE_POINTS = 400
"""The number of ε at which δ is taken from a loss distribution."""
MIN_DELTA = 1e-9
"""The δ of the largest of these ε."""
ROUNDING = 2.0**-51
"""The relative amount by which rounding may have lowered the share caught."""
LARGEST_EPSILON = 700.0
"""The largest ε of a line, up to which e^ε is a finite number. Omitting steeper lines keeps f on the safe side."""


@dataclass(frozen=True, eq=False)
class TradeOff:
    """f(α) = the least share of misses among all tests with a share of false alarms of at most α (Dong, Roth, Su 2022).

    The test separates two neighbours. A false alarm is the answer "present" for an absent person, and a miss is the
    answer "absent" for a present one. f bounds the test for either order of the two. f is convex, decreasing, symmetric
    (f⁻¹ = f) and at most 1 − α, which is perfect privacy. An attack with a point (false alarms, misses) below f refutes
    the guarantee.

    With ``mu``, f = G_μ exactly (`gaussian`), and there are no knots. Without it, f is the polygon through (``alarms``,
    1 − ``caught``), where ``alarms`` rises from 0 to 1. This polygon is a bound from below. It stores the shares that
    are caught, not those missed, because a δ of 10⁻²⁰ would be lost in 1 − δ.
    """

    alarms: Array
    caught: Array
    mu: float | None = None

    @cached_property
    def misses(self) -> Array:
        """Return f at each of ``alarms``."""
        return 1.0 - self.caught

    @classmethod
    def of(cls, epsilon: float, delta: float = 0.0) -> "TradeOff":
        """Return f(α) = max(0, 1 − δ − e^ε α, e^−ε(1 − δ − α)), which is equivalent to (ε, δ) and can be attained."""
        return cls.from_profile([epsilon], [delta])

    @classmethod
    def gaussian(cls, mu: float) -> "TradeOff":
        """Return G_μ(α) = Φ(Φ⁻¹(1 − α) − μ), the f of N(0, 1) against N(μ, 1), where μ = Δ/σ ≥ 0."""
        if not (math.isfinite(mu) and mu >= 0):
            raise ValueError(f"mu is {mu!r}. It must be a finite number of at least 0.")
        return cls(np.empty(0), np.empty(0), float(mu))

    @classmethod
    def from_profile(cls, epsilons: ArrayLike, deltas: ArrayLike) -> "TradeOff":
        """Return the f of a mechanism that is (ε, δ)-private for each of these pairs, ε ≥ 0 and 0 ≤ δ ≤ 1.

        f is the largest of 0, the lines 1 − δ − e^ε α and their mirror images e^−ε(1 − δ − α). O(k log k) for k pairs.
        """
        epsilons, deltas = np.atleast_1d(np.asarray(epsilons, float)), np.atleast_1d(np.asarray(deltas, float))
        if epsilons.shape != deltas.shape or epsilons.ndim != 1 or not len(epsilons):
            raise ValueError(
                f"epsilons and deltas have shapes {epsilons.shape} and {deltas.shape}. Give one δ for each ε."
            )
        for name, values, most in (("epsilons", epsilons, math.inf), ("deltas", deltas, 1.0)):
            bad = np.flatnonzero(~((values >= 0) & (values <= most)))
            if len(bad):
                raise ValueError(
                    f"{name} holds {values[bad[0]]}. Each ε must be at least 0, and each δ must lie between 0 and 1."
                )
        finite = epsilons <= LARGEST_EPSILON
        factor, offsets = np.exp(epsilons[finite]), deltas[finite]
        slopes = np.concatenate([factor, 1.0 / factor, [0.0]])
        mirrored = offsets / factor - np.expm1(-epsilons[finite])  # 1 − (1 − δ)e^−ε
        return cls(*_envelope(slopes, np.concatenate([offsets, mirrored, [1.0]])))

    @classmethod
    def from_losses(cls, losses: LossDistribution) -> "TradeOff":
        """Return the f of a distribution of the privacy loss, from δ at `PROFILE_POINTS` values of ε."""
        most = losses.epsilon(MIN_DELTA)
        epsilons = np.linspace(0.0, min(most, LARGEST_EPSILON), PROFILE_POINTS)
        return cls.from_profile(epsilons, np.clip(losses.delta(epsilons), 0.0, 1.0))

    def __call__(self, alarms: ArrayLike) -> Array:
        """Return f at each share of false alarms, from 0 to 1, in the shape of ``alarms``."""
        given = np.asarray(alarms, dtype=float)
        if not ((given >= 0) & (given <= 1)).all():
            raise ValueError("alarms holds a value outside [0, 1]. Each must be a share of false alarms.")
        if self.mu is None:
            return np.asarray(np.interp(given, self.alarms, self.misses))
        return np.asarray(ndtr(-ndtri(given) - self.mu))

    def repeated(self, times: int) -> "TradeOff":
        """Return the trade-off function of T = ``times`` uses of a Gaussian mechanism, whose μ is √T as large.

        Raises ValueError if f is not that of a Gaussian mechanism. Its losses must then be composed
        (`trade_off_rounds`).
        """
        if self.mu is None:
            raise ValueError("mu is None. Only the trade-off function of a Gaussian mechanism composes by itself.")
        return TradeOff.gaussian(math.sqrt(whole("times", times)) * self.mu)

    def delta(self, epsilon: float) -> float:
        """Return the least δ with which f is (ε, δ), the largest 1 − f(α) − e^ε α."""
        if not 0 <= epsilon <= LARGEST_EPSILON:
            raise ValueError(f"epsilon is {epsilon!r}. It must lie between 0 and {LARGEST_EPSILON:g}.")
        if self.mu is None:
            return max(0.0, float((self.caught - math.exp(epsilon) * self.alarms).max()))
        if self.mu == 0:
            return 0.0
        return gaussian_delta(epsilon, 1.0, self.mu) if epsilon > 0 else total_variation(self.mu)

    def epsilon(self, delta: float) -> float:
        """Return the least ε with which f is (ε, δ), to a relative 1e-9, or ∞ if none up to `LARGEST_EPSILON` is.

        A polygon is a bound from below between its own (ε, δ) pairs, so this ε is no smaller than theirs.
        """
        most = probability("delta", delta)
        if self.mu is not None:
            found = gaussian_epsilon(most, 1.0, self.mu) if self.mu else 0.0
            return found if found <= LARGEST_EPSILON else math.inf
        at_once = self.alarms == 0.0
        # If too many are caught without any false alarm, no ε is enough.
        if float(self.caught[at_once].max(initial=0.0)) > most * (1.0 + 1e-9):
            return math.inf
        # If δ nearly equals the share caught, rounding must not make the difference smaller.
        alarms, least = self.alarms[~at_once], self.caught[~at_once] * (1.0 + ROUNDING) - most
        counts = least > 0.0
        if not counts.any():
            return 0.0
        found = max(0.0, float(np.log(least[counts] / alarms[counts]).max()))
        return found if found <= LARGEST_EPSILON else math.inf

    def best_test(self, prior: float) -> tuple[float, float]:
        """Return the false alarms α and the misses f(α) of the test that errs least, where (1 − p)α + p·f(α) is least.

        ``prior`` is p, the attacker's belief that the person is present. Of two tests that err equally often, it is the
        one with fewer false alarms.
        """
        p = probability("prior", prior)
        if self.mu is None:
            # The error is linear between the knots, so it is least at a knot.
            least = int(((1.0 - p) * self.alarms + p * self.misses).argmin())
            return float(self.alarms[least]), float(self.misses[least])
        if self.mu == 0:
            return (0.0, 1.0) if p <= 0.5 else (1.0, 0.0)
        threshold = 0.5 * self.mu + (math.log1p(-p) - math.log(p)) / self.mu
        return float(ndtr(-threshold)), float(ndtr(threshold - self.mu))

    def least_error(self, prior: float) -> float:
        """Return the error probability of the best attacker, (1 − p)α + p·f(α) of `best_test` with p = ``prior``.

        It is at most min(p, 1 − p), the error without any output. For (ε, δ) it is
        (1 − δ)·min(p, 1 − p, 1/(1 + e^ε)).
        """
        alarms, misses = self.best_test(prior)
        return (1.0 - prior) * alarms + prior * misses


def trade_off_rounds(
    q: float, multipliers: Sequence[float], sampling: Sampling = "poisson", times: int = 1
) -> TradeOff:
    """Return the trade-off function of T uses of the subsampled Gaussian. Use t has multiplier ``multipliers``[t−1].

    All T uses are repeated ``times`` times, about the same people. With q = 1, the function is exactly that of a
    Gaussian mechanism with μ = √Σ z_t⁻². For "fixed" sampling, where one person is *replaced*, μ is twice as large.
    With q < 1, the function is a bound from below by loss distributions (`epsilon_rounds`). It is 0 everywhere if one
    z_t is 0. Each different use takes a few milliseconds.
    """
    whole("the number of multipliers", len(multipliers))
    whole("times", times)
    for z in multipliers:
        check_use(q, z, sampling)
    if min(multipliers) < NO_NOISE:
        return TradeOff.from_profile([0.0], [1.0])
    uses = [(z, count * times) for z, count in Counter(multipliers).items()]
    if q == 1:
        return TradeOff.gaussian(gaussian_mu(uses, sampling))
    return TradeOff.from_losses(composed_uses(q, uses, sampling))


def trade_off(q: float, z: float, steps: int, sampling: Sampling = "poisson") -> TradeOff:
    """Return the trade-off function of T = ``steps`` uses at rate ``q`` and noise multiplier ``z``."""
    return trade_off_rounds(q, [z] * whole("steps", steps), sampling)


def _envelope(slopes: Array, offsets: Array) -> tuple[Array, Array]:
    """Return the knots on [0, 1] of the smallest of the lines offsets + slopes·α, which all rise or are level.

    Lines are added from the steepest to the flattest. Each is the smallest from the point where it meets the one before
    it. A line whose point lies beyond that of its successor is nowhere the smallest, so it is dropped.
    """
    order = np.lexsort((-offsets, -slopes))
    lines: list[tuple[float, float]] = []
    starts: list[float] = []
    for slope, offset in zip(slopes[order].tolist(), offsets[order].tolist(), strict=True):
        start = 0.0
        while lines:
            steeper, below = lines[-1]
            start = max(0.0, (offset - below) / (steeper - slope)) if slope < steeper else 0.0
            if start > starts[-1]:
                break
            lines.pop()
            starts.pop()
            start = 0.0
        lines.append((slope, offset))
        starts.append(start)
    knots = np.unique([*(start for start in starts if start < 1.0), 1.0])
    values = (np.multiply.outer(knots, [slope for slope, _ in lines]) + [offset for _, offset in lines]).min(axis=1)
    return knots, np.clip(values, 0.0, 1.0)
