"""Account for publishing the best of a random number of tries, each of which is private by itself.

After Papernot and Steinke, "Hyperparameter tuning with Rényi differential privacy" (ICLR 2022). A try draws a candidate
without looking at the data, computes its score with noise and returns both. The number of tries K is drawn from a
public distribution, and only the best of the K tries is published. Because every try is private by itself, ε grows
little with E[K]. This holds for any set of candidates, and also where the training of each candidate is private. No
other try may be shown, and K must not be chosen.

Two bounds hold for the truncated negative binomial distribution. One is the Rényi bound of that paper. The other uses
privacy profiles, after Koskela, Redberg and Wang, "Privacy profiles for private selection" (ICML 2024), and is proved
in docs/tries.md. `tries_epsilon` returns the smaller one. Which one that is depends on public parameters alone.
"""

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import gammaln

from privbo_core.errors import Array, positive, probability
from privbo_core.privacy.calibration import boundary, gaussian_delta, gaussian_epsilon, log_gaussian_delta

MARGIN = 1e-9
"""The relative amount by which a bound by privacy profiles is raised, to cover the rounding of its terms."""
ORDERS: Array = np.concatenate([1.0 + np.geomspace(0.01, 9.0, 120), np.geomspace(10.5, 1e5, 160)])
"""The Rényi orders over which ε is minimised."""

Loss = Callable[[Array], Array]  # The Rényi loss of one try at each order λ > 1.


class Tries(Protocol):
    """A distribution of the number of tries."""

    @property
    def mean(self) -> float:
        """Return E[K]."""

    def draw(self, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return simulated numbers of tries."""

    def loss(self, one: Loss, orders: Array) -> Array:
        """Return the Rényi loss of the best of K tries at each order, from that of one try."""

    def wins(self, share: Array) -> Array:
        """Return E[K x^(K−1)] at each ``share`` x, the weight of a try that is better than a share x of all tries."""


@dataclass(frozen=True)
class TruncatedNegativeBinomial:
    """K ≥ 1 with Pr[K = k] = (1−γ)^k Π_{l<k} (l+η)/(l+1) / (γ^−η − 1), or the logarithmic distribution for η = 0.

    A larger η > −1 (``eta``) makes K vary less and cost more. η = 1 is the geometric distribution. ``gamma`` γ lies
    strictly between 0 and 1, and a smaller one gives more tries.
    """

    eta: float
    gamma: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.eta) and self.eta > -1):
            raise ValueError(f"eta is {self.eta!r}. It must be a finite number above −1.")
        probability("gamma", self.gamma)

    @classmethod
    def of_mean(cls, eta: float, mean: float) -> "TruncatedNegativeBinomial":
        """Return the distribution with this η and E[K] = ``mean`` > 1."""
        if not (math.isfinite(mean) and mean > 1):
            raise ValueError(f"mean is {mean!r}. The expected number of tries must be a finite number above 1.")
        low = -1.0
        while cls(eta, math.exp(low)).mean < mean:
            low *= 2.0
        high = low / 2.0 if low < -1.0 else -1e-12
        return cls(eta, math.exp(brentq(lambda log_gamma: cls(eta, math.exp(log_gamma)).mean - mean, low, high)))

    @property
    def mean(self) -> float:
        """Return E[K] = η(1−γ)/(γ(1−γ^η)), or (1/γ−1)/ln(1/γ) for η = 0."""
        log_gamma = math.log(self.gamma)
        if abs(self.eta * log_gamma) < 1e-12:
            return (1.0 / self.gamma - 1.0) / -log_gamma
        return self.eta * (1.0 - self.gamma) / (self.gamma * -math.expm1(self.eta * log_gamma))

    @cached_property
    def probabilities(self) -> Array:
        """Return Pr[K = 1], Pr[K = 2], … until less than 1e-12 is left."""
        log_gamma = math.log(self.gamma)
        most = max(10, math.ceil((40.0 + 2.0 * abs(self.eta) * -log_gamma) / -math.log1p(-self.gamma)))
        k = np.arange(1, most + 1)
        if abs(self.eta * log_gamma) < 1e-12:
            return np.asarray(np.exp(k * math.log1p(-self.gamma)) / k / -log_gamma)
        # Π_{l<k} (l+η)/(l+1) = η Γ(k+η)/(Γ(1+η) k!), in logarithms. η and γ^−η − 1 have the same sign.
        log_product = gammaln(k + self.eta) - gammaln(1.0 + self.eta) - gammaln(k + 1.0)
        factor = self.eta / math.expm1(-self.eta * log_gamma)
        return np.asarray(factor * np.exp(log_product + k * math.log1p(-self.gamma)))

    def draw(self, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return simulated numbers of tries. Real ones must come from the operating system's entropy."""
        cumulative = np.cumsum(self.probabilities)
        return np.asarray(1 + np.searchsorted(cumulative / cumulative[-1], rng.random(size), side="right"))

    def loss(self, one: Loss, orders: Array) -> Array:
        """Return ε(λ) + (1+η)(1−1/λ̂) ε(λ̂) + (1+η) ln(1/γ)/λ̂ + ln E[K]/(λ−1), with the best λ̂ for all (Theorem 2)."""
        every = one(ORDERS)
        beside = (1.0 + self.eta) * ((1.0 - 1.0 / ORDERS) * every - math.log(self.gamma) / ORDERS)
        return np.asarray(one(orders) + beside.min() + math.log(self.mean) / (orders - 1.0))

    def wins(self, share: Array) -> Array:
        """Return E[K x^(K−1)] = η(1−γ)(1−(1−γ)x)^(−η−1)/(γ^−η − 1) at each x."""
        log_gamma = math.log(self.gamma)
        # This is 1 − (1−γ)x, but it is not 0 at x = 1 if γ is less than a rounding step.
        left = (1.0 - share) + self.gamma * share
        if abs(self.eta * log_gamma) < 1e-12:
            return np.asarray((1.0 - self.gamma) / (left * -log_gamma))
        factor = self.eta * (1.0 - self.gamma) / math.expm1(-self.eta * log_gamma)
        return np.asarray(factor * left ** (-self.eta - 1.0))

    def log_ratio(self, log_delta: Callable[[float], float]) -> float:
        """Return (1+η)ε₁, where ε₁ solves δ_Q(ε₁) = γ/(1−γ)·(e^ε₁ − 1).

        The weights of one outcome in `wins` under two neighbours differ at most by this in their logarithms.
        ``log_delta`` is the logarithm of the privacy profile δ_Q of one try, for ε > 0.
        """
        log_odds = math.log(self.gamma) - math.log1p(-self.gamma)

        def excess(epsilon: float) -> float:
            return log_delta(epsilon) - log_odds - epsilon - math.log(-math.expm1(-epsilon))

        return (1.0 + self.eta) * boundary(excess, -0.5 * math.log(self.gamma))

    def pure(self, epsilon: float) -> float:
        """Return (2+η)ε, the pure ε of the best of K tries that are each purely ``epsilon``-private (Corollary 3)."""
        return (2.0 + self.eta) * positive("epsilon", epsilon)


@dataclass(frozen=True)
class PoissonTries:
    """K from the Poisson distribution of mean μ ≥ 1. K = 0 publishes nothing, with probability e^−μ.

    For μ < 1 the published bound would be negative for two equal distributions, because it omits the outcome K = 0.
    """

    mean: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.mean) and self.mean >= 1):
            raise ValueError(f"mean is {self.mean!r}. It must be a finite number of at least 1.")

    def draw(self, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return simulated numbers of tries. Real ones must come from the operating system's entropy."""
        return np.asarray(rng.poisson(self.mean, size), dtype=np.int64)

    def loss(self, one: Loss, orders: Array) -> Array:
        """Return ε(λ) + μ δ̂ + ln μ/(λ−1) with δ̂ that of (ln(1 + 1/(λ−1)), δ̂), converted from the loss (Theorem 6)."""
        return self.loss_with(one, lambda epsilon: delta_of(one, epsilon), orders)

    def wins(self, share: Array) -> Array:
        """Return E[K x^(K−1)] = μ exp(μ(x−1)) at each x."""
        return np.asarray(self.mean * np.exp(self.mean * (share - 1.0)))

    def loss_with(self, one: Loss, delta: Callable[[float], float], orders: Array) -> Array:
        """Return the loss as `loss` does, but from the exact δ of one try at each ε."""
        found = np.array([delta(math.log1p(1.0 / (order - 1.0))) for order in orders])
        return np.asarray(one(orders) + self.mean * found + math.log(self.mean) / (orders - 1.0))


def gaussian_loss(multiplier: float) -> Loss:
    """Return the Rényi loss λ/2z² of one Gaussian release with noise of z = ``multiplier`` sensitivities."""
    z = positive("multiplier", multiplier)
    return lambda orders: orders / (2.0 * z * z)


def delta_of(loss: Loss, epsilon: float) -> float:
    """Return the least δ that a Rényi loss is known to keep at ``epsilon`` (Canonne, Kamath, Steinke 2020)."""
    orders = ORDERS
    log_delta = (orders - 1.0) * (loss(orders) - epsilon) - np.log(orders) + (orders - 1.0) * np.log1p(-1.0 / orders)
    return min(1.0, float(np.exp(min(0.0, log_delta.min()))))


def epsilon_of(loss: Loss, delta: float) -> float:
    """Return the least ε ≥ 0 that a Rényi loss is known to keep at ``delta`` (Canonne, Kamath, Steinke 2020)."""
    probability("delta", delta)
    orders = ORDERS
    found = loss(orders) + np.log1p(-1.0 / orders) - (math.log(delta) + np.log(orders)) / (orders - 1.0)
    return max(0.0, float(found.min()))


def profile_epsilon(tries: TruncatedNegativeBinomial, multiplier: float, delta: float) -> float:
    """Return the ε at δ of the best of K tries by their privacy profile (docs/tries.md, Theorem).

    It is the sum of `TruncatedNegativeBinomial.log_ratio` and of the ε at which one try, a Gaussian release with noise
    of z = ``multiplier`` sensitivities, keeps δ/E[K].
    """
    z = positive("multiplier", multiplier)
    share = probability("delta", delta) * (1.0 - MARGIN) / tries.mean
    if share < sys.float_info.min:
        return math.inf
    log_ratio = tries.log_ratio(lambda epsilon: log_gaussian_delta(epsilon, z))
    return (1.0 + MARGIN) * (log_ratio + gaussian_epsilon(share, z, 1.0))


def tries_epsilon(tries: Tries, multiplier: float, delta: float) -> float:
    """Return the ε at δ of publishing the best of K tries, each a score with Gaussian noise of z sensitivities.

    It is computed by the Rényi loss, or, for the truncated negative binomial distribution, by `profile_epsilon` if that
    is smaller.
    """
    if isinstance(tries, PoissonTries):
        z = positive("multiplier", multiplier)
        poisson = tries
        loss = gaussian_loss(z)
        return epsilon_of(
            lambda orders: poisson.loss_with(loss, lambda epsilon: gaussian_delta(epsilon, z, 1.0), orders), delta
        )
    by_loss = epsilon_of(lambda orders: tries.loss(gaussian_loss(multiplier), orders), delta)
    if isinstance(tries, TruncatedNegativeBinomial):
        return min(by_loss, profile_epsilon(tries, multiplier, delta))
    return by_loss


def noise_for_tries(tries: Tries, epsilon: float, delta: float) -> float:
    """Return the least multiplier z at which the best of K tries keeps (ε, δ). Raises ValueError if none does."""
    positive("epsilon", epsilon)
    low, high = 1e-2, 1e6
    if tries_epsilon(tries, high, delta) > epsilon:
        raise ValueError(
            f"epsilon is {epsilon:g}. With {tries.mean:.3g} tries expected, no noise keeps it at delta = {delta:g}."
        )
    if tries_epsilon(tries, low, delta) <= epsilon:
        return low
    return boundary(lambda z: tries_epsilon(tries, z, delta) - epsilon, 1.0)
