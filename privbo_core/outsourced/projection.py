"""Algorithm 1, the curator's part: centre, compare σ_min with ω, amplify if need be, project.

And Lemma 1 and Theorems 2 and 3: what they promise, and what they demand.
"""

import math
from bisect import bisect_right
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.bo import beta
from privbo_core.errors import Array, DataError, matrix, positive, probability, whole
from privbo_core.gp import Kernel
from privbo_core.gp.kernels import covariance
from privbo_core.outsourced.noisy import NOT_PROTECTED, ROW
from privbo_core.privacy import Guarantee, Status


def omega(epsilon: float, delta: float, r: int) -> float:
    """Return ω = 16 √(r log(2/δ)) ε⁻¹ log(16r/δ) (Algorithm 1, line 5): the σ_min that the theorem asks for."""
    return _demand(delta, r) / positive("epsilon", epsilon)


def smallest_epsilon(sigma_min: float, delta: float, r: int) -> float:
    """Return the smallest ε at which σ_min ≥ ω(ε, δ, r): ε* = 16 √(r log(2/δ)) log(16r/δ) / σ_min."""
    return _demand(delta, r) / positive("sigma_min", sigma_min)


def largest_r(sigma_min: float, epsilon: float, delta: float) -> int:
    """Return the largest whole r with σ_min ≥ ω(ε, δ, r), 0 if there is none: the guideline of Section 3.4."""
    positive("sigma_min", sigma_min)
    most = 1
    while omega(epsilon, delta, most) <= sigma_min:
        most *= 2
    return bisect_right(range(most), sigma_min, lo=(most + 1) // 2, key=lambda r: omega(epsilon, delta, r)) - 1


def _demand(delta: float, r: int) -> float:
    """Return ε·ω, which depends on δ and r alone."""
    delta, r = probability("delta", delta), whole("r", r)
    return 16.0 * math.sqrt(r * math.log(2.0 / delta)) * math.log(16.0 * r / delta)


@dataclass(frozen=True, eq=False)
class Spectrum:
    """The centred inputs X = UΣVᵀ as the curator needs them; computed once per dataset, O(nd²).

    ``centred``: n×d. ``values``: the min(n, d) singular values, largest first. ``right``: V, d×min(n, d).
    Computed from private data: for the curator's eyes only.
    """

    centred: Array
    values: Array
    right: Array

    @property
    def sigma_min(self) -> float:
        """The smallest singular value of the centred inputs."""
        return float(self.values[-1])

    def amplified(self, omega: float) -> Array:
        """Return X̃ = U √(Σ² + ω²I) Vᵀ (Algorithm 1, line 9), as X V diag(√(Σ² + ω²)/Σ) Vᵀ."""
        stretch = np.sqrt(self.values**2 + omega**2) / self.values
        return self.centred @ ((self.right * stretch) @ self.right.T)


def spectrum(points: ArrayLike) -> Spectrum:
    """Centre ``points`` (n×d) and take the SVD. Raises DataError if σ_min is 0, where no finite ε is enough."""
    points = matrix("points", points, least_rows=2)
    n, d = points.shape
    if n <= d:
        raise DataError(
            f"points has {n} rows and {d} columns; centring leaves rank at most {n - 1}, so σ_min is 0 and no ε meets "
            f"the condition σ_min ≥ ω. Use more than {d} rows or fewer columns."
        )
    centred = points - points.mean(axis=0)
    # Working on the d×d triangular factor keeps the cost at one pass over the rows.
    _, values, right_t = np.linalg.svd(np.linalg.qr(centred, mode="r"))
    if values[-1] <= 1e-12 * values[0] or values[0] == 0:
        constant = np.flatnonzero(np.ptp(points, axis=0) <= 1e-12 * np.abs(points).max(axis=0))
        cause = f"column {constant[0]} is constant" if len(constant) else "one column is a combination of others"
        raise DataError(
            f"points: {cause}, so σ_min is 0: the inputs do not vary in every direction, no finite ε meets the "
            "condition σ_min ≥ ω, and there would be nothing but rounding error to amplify. Leave that column out."
        )
    return Spectrum(centred, values, right_t.T)


@dataclass(frozen=True, eq=False)
class Release:
    """What Algorithm 1 returned. Only ``Z`` (n×r) leaves the curator; the rest is for the curator's eyes.

    ``sigma_min`` is computed from private data, and ``amplified`` tells which side of ``omega`` it lies on.
    """

    Z: Array
    omega: float
    sigma_min: float
    amplified: bool
    epsilon: float
    delta: float
    r: int


def curate(points: ArrayLike | Spectrum, epsilon: float, delta: float, r: int, rng: np.random.Generator) -> Release:
    """Algorithm 1: Z = r^{−1/2} X M if σ_min(X) ≥ ω, else r^{−1/2} X̃ M, with M a d×r standard normal matrix.

    ``points``: the n×d inputs, already scaled so that neighbours differ by at most 1 in one row; or their `spectrum`,
    to save the decomposition when many releases are simulated. ``rng`` makes this a simulation.
    Raises ValueError on ε ≤ 0, δ outside (0, 1), r not a whole number ≥ 1; DataError on unusable points or σ_min = 0.
    """
    threshold = omega(epsilon, delta, r)
    x = points if isinstance(points, Spectrum) else spectrum(points)
    is_amplified = x.sigma_min < threshold
    base = x.amplified(threshold) if is_amplified else x.centred
    # Drawn column by column: under one seed a larger r adds columns to the same M.
    projection = rng.standard_normal((int(r), base.shape[1])).T
    return Release(
        Z=base @ projection / math.sqrt(r),
        omega=threshold,
        sigma_min=x.sigma_min,
        amplified=is_amplified,
        epsilon=float(epsilon),
        delta=float(delta),
        r=int(r),
    )


def larger_distances(epsilon: float, delta: float) -> str:
    """Return what twice the protected distance would cost if (ε, δ) held, by grouping: (2ε, (1 + e^ε)δ)."""
    doubled = delta * (1.0 + math.exp(min(epsilon, 700.0)))
    cost = f"ε = {2.0 * epsilon:.3g} at δ = {doubled:.2g}" if doubled < 1 else "all: nothing would be promised"
    return f"Larger distances would be hidden less, if it held: twice the distance would cost {cost}."


def guarantee(epsilon: float, delta: float, neighbours: str) -> Guarantee:
    """Return what Theorem 1 claims, ``neighbours`` in the data's units: refuted by `pb.audit.column_space_test`."""
    return Guarantee(
        protects=ROW,
        against="the modeler, who receives the projected inputs Z",
        neighbours=neighbours,
        epsilon=positive("epsilon", epsilon),
        delta=probability("delta", delta),
        assumptions=(
            "It does not hold for n > d + 1 records in general position: every release lies in the column space of the "
            "centred inputs, and the neighbour's inputs have another.",
            NOT_PROTECTED,
            "Scaling, length-scales and the choice of branch use the private data and are not counted in ε.",
            larger_distances(epsilon, delta),
        ),
        status=Status.REFUTED,
        source="Kharkovskii, Dai, Low (ICML 2020), Theorem 1",
    )


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
