"""Lemma 1 and Theorems 2 and 3: what they promise, and what they demand."""

import math
from dataclasses import dataclass

import numpy as np

from privbo_core.bo import beta
from privbo_core.errors import Array, matrix, positive, probability, whole
from privbo_core.gp import Kernel
from privbo_core.gp.kernels import covariance


def projection_dimension(n: int, mu: float, nu: float) -> float:
    """Return r = 8 log(n²/μ)/ν², from which on Lemma 1 keeps all squared distances within 1 ± ν w.p. ≥ 1 − μ."""
    return 8.0 * math.log(whole("n", n) ** 2 / probability("mu", mu)) / positive("nu", nu) ** 2


def projection_tolerance(n: int, mu: float, r: int) -> float:
    """Return the ν = √(8 log(n²/μ)/r) that Lemma 1 gives for this r; it promises something only below 1/2."""
    return math.sqrt(8.0 * math.log(whole("n", n) ** 2 / probability("mu", mu)) / whole("r", r))


def distance_constant(sigma_min: float, omega: float) -> float:
    """Return Theorem 2's C′ = 1 + 1[σ_min < ω] ω²/σ_min²: how far amplification may stretch squared distances."""
    return 1.0 + (omega**2 / sigma_min**2 if sigma_min < omega else 0.0)


@dataclass(frozen=True, eq=False)
class Distortion:
    """Measured ratios ‖z − z′‖²/‖x − x′‖² over ``pairs`` random pairs of distinct points, sorted."""

    ratios: Array
    pairs: int

    def within(self, low: float, high: float) -> float:
        """Return the share of pairs whose ratio lies in [low, high]."""
        return float(((self.ratios >= low) & (self.ratios <= high)).mean())


def distance_distortion(points: Array, z: Array, pairs: int, rng: np.random.Generator) -> Distortion:
    """Measure how a release changed squared distances, on random pairs (pairs of equal points are left out)."""
    n = len(matrix("points", points, least_rows=2))
    first = rng.integers(n, size=whole("pairs", pairs))
    second = (first + rng.integers(1, n, size=pairs)) % n
    before = ((points[first] - points[second]) ** 2).sum(axis=1)
    after = ((z[first] - z[second]) ** 2).sum(axis=1)
    distinct = before > 0
    ratios = np.sort(after[distinct] / before[distinct])
    return Distortion(ratios, len(ratios))


def dominance_margin(points: Array, kernel: Kernel) -> float:
    """Return min over rows of k_xx / ((√(|X₀| − 1) + 1) Σ_{x′≠x} k_xx′) for the rows X₀ given (Definition 3).

    K is diagonally dominant where this is at least 1. O(|X₀|²). Infinite for a single row.
    """
    k = covariance(kernel, matrix("points", points), points)
    m = len(k)
    rest = (math.sqrt(m - 1) + 1.0) * (k.sum(axis=1) - np.diag(k))
    return float(np.min(np.divide(np.diag(k), rest, out=np.full(m, np.inf), where=rest > 0)))


@dataclass(frozen=True)
class RegretBound:
    """Theorem 3's bound √(ε_ucb² + approximation + exploration), term by term, and what it asks for.

    The paper hides constants inside C₁ and C₂; here they are 1, so ``bound`` is a shape, not a number to rely on.
    """

    epsilon_ucb_squared: float
    approximation: float
    exploration: float
    bound: float
    nu: float
    r_needed: float
    beta_t: float
    c1: float
    c2: float


@dataclass(frozen=True)
class Extent:
    """How far the data reach: ``n`` rows, the ``diameter`` of their points, L = ``largest_observation``."""

    n: int
    diameter: float
    largest_observation: float


def regret_bound(
    extent: Extent,
    *,
    kernel: Kernel,
    noise_variance: float,
    iterations: int,
    gamma: float,
    epsilon_ucb: float = 0.1,
    delta_ucb: float = 0.05,
) -> RegretBound:
    """Return the terms of Theorem 3, for σ_min ≥ ω and hidden constants 1.

    d̂ = diameter/ℓ, μ = δ_ucb/2, ν = min(ε_ucb/(2√3 d̂² L), 2/d̂², 1/2), r ≥ 8 log(n²/μ)/ν²;
    approximation = 24 (C₂ + C₁√β_T)² log T/T, exploration = 24/log(1 + σ_n⁻²) · β_T γ_T/T, with
    C₁ = σ_y √(σ_y² + σ_n²) (σ_y²/σ_n² + 1) and C₂ = (σ_y²/σ_n²) L. Lengths in the units of the points,
    ``gamma`` in nats.
    """
    signal = kernel.variance
    relative = positive("diameter", extent.diameter) / kernel.lengthscale
    bound_y = positive("largest_observation", extent.largest_observation)
    nu = min(epsilon_ucb / (2.0 * math.sqrt(3.0) * relative**2 * bound_y), 2.0 / relative**2, 0.5)
    beta_t = beta(whole("iterations", iterations), extent.n, probability("delta_ucb", delta_ucb))
    c1 = math.sqrt(signal * (signal + noise_variance)) * (signal / noise_variance + 1.0)
    c2 = signal / noise_variance * bound_y
    approximation = 24.0 * (c2 + c1 * math.sqrt(beta_t)) ** 2 * math.log(iterations) / iterations
    exploration = 24.0 / math.log1p(1.0 / noise_variance) * beta_t * gamma / iterations
    return RegretBound(
        epsilon_ucb_squared=epsilon_ucb**2,
        approximation=approximation,
        exploration=exploration,
        bound=math.sqrt(epsilon_ucb**2 + approximation + exploration),
        nu=nu,
        r_needed=projection_dimension(extent.n, delta_ucb / 2.0, nu),
        beta_t=beta_t,
        c1=c1,
        c2=c2,
    )
