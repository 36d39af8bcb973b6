"""Compute the regret bound of PO-GP-UCB (Kharkovskii, Dai, Low, ICML 2020, Theorem 3) and what it requires."""

import math
from dataclasses import dataclass

import numpy as np

from privbo_core.bo import beta
from privbo_core.errors import Array, matrix, positive, probability, whole
from privbo_core.gp import Kernel
from privbo_core.gp.kernels import covariance


def projection_dimension(n: int, mu: float, nu: float) -> float:
    """Return the least r = 8 log(n²/μ)/ν² at which Lemma 1 keeps all squared distances within 1 ± ν w.p. ≥ 1 − μ."""
    return 8.0 * math.log(whole("n", n) ** 2 / probability("mu", mu)) / positive("nu", nu) ** 2


def projection_tolerance(n: int, mu: float, r: int) -> float:
    """Return the ν = √(8 log(n²/μ)/r) of Lemma 1 for this r. The lemma requires ν < 1/2."""
    return math.sqrt(8.0 * math.log(whole("n", n) ** 2 / probability("mu", mu)) / whole("r", r))


def dominance_margin(points: Array, kernel: Kernel) -> float:
    """Return the minimum over the rows x of X₀ of k_xx / ((√(|X₀| − 1) + 1) Σ_{x′≠x} k_xx′) (Definition 3).

    ``points`` are the rows X₀. K is diagonally dominant if the result is at least 1. It is infinite for a single row.
    The cost is O(|X₀|²).
    """
    k = covariance(kernel, matrix("points", points), points)
    m = len(k)
    rest = (math.sqrt(m - 1) + 1.0) * (k.sum(axis=1) - np.diag(k))
    return float(np.min(np.divide(np.diag(k), rest, out=np.full(m, np.inf), where=rest > 0)))


@dataclass(frozen=True)
class RegretBound:
    """The bound √(ε_ucb² + approximation + exploration) of Theorem 3 with its terms and its requirements.

    The paper does not give the constants in C₁ and C₂. They are 1 here, so ``bound`` has the right shape, but not the
    right size.
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
    """The size of a dataset: ``n`` rows, the ``diameter`` of their points, and L, the ``largest_observation``."""

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
    """Return the terms of Theorem 3 for σ_min ≥ ω, with the constants in C₁ and C₂ set to 1.

    The requirement is r ≥ 8 log(n²/μ)/ν² with d̂ = diameter/ℓ, μ = δ_ucb/2 and ν = min(ε_ucb/(2√3 d̂² L), 2/d̂², 1/2).
    The terms are approximation = 24 (C₂ + C₁√β_T)² log T/T and exploration = 24/log(1 + σ_n⁻²) · β_T γ_T/T, with
    C₁ = σ_y √(σ_y² + σ_n²) (σ_y²/σ_n² + 1) and C₂ = (σ_y²/σ_n²) L. Lengths are in the units of the points, and
    ``gamma`` (γ_T) is in nats.
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
