"""The random projection of Algorithm 1, which the data holder (the paper's curator) carries out.

It centres the inputs, compares their smallest singular value σ_min with ω, amplifies the singular values if σ_min is
smaller, and projects. The distortion of distances is measured here, too. `theory` has the bounds.
"""

import math
from bisect import bisect_right
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.errors import Array, DataError, matrix, positive, probability, whole
from privbo_core.outsourced.noisy import NOT_PROTECTED, ROW
from privbo_core.privacy import Guarantee, Status


def omega(epsilon: float, delta: float, r: int) -> float:
    """Return ω = 16 √(r log(2/δ)) ε⁻¹ log(16r/δ) (Algorithm 1, line 5), which Theorem 1 compares with σ_min."""
    return _scaled_omega(delta, r) / positive("epsilon", epsilon)


def smallest_epsilon(sigma_min: float, delta: float, r: int) -> float:
    """Return the smallest ε at which σ_min ≥ ω(ε, δ, r): ε* = 16 √(r log(2/δ)) log(16r/δ) / σ_min."""
    return _scaled_omega(delta, r) / positive("sigma_min", sigma_min)


def largest_r(sigma_min: float, epsilon: float, delta: float) -> int:
    """Return the largest whole r with σ_min ≥ ω(ε, δ, r), or 0 if there is none (the guideline of Section 3.4)."""
    positive("sigma_min", sigma_min)
    upper = 1
    while omega(epsilon, delta, upper) <= sigma_min:
        upper *= 2
    return bisect_right(range(upper), sigma_min, lo=(upper + 1) // 2, key=lambda r: omega(epsilon, delta, r)) - 1


def _scaled_omega(delta: float, r: int) -> float:
    """Return ε·ω, which depends on δ and r alone."""
    delta, r = probability("delta", delta), whole("r", r)
    return 16.0 * math.sqrt(r * math.log(2.0 / delta)) * math.log(16.0 * r / delta)


@dataclass(frozen=True, eq=False)
class Spectrum:
    """The singular value decomposition of the centred inputs, X = UΣVᵀ. It costs O(nd²) and is computed once.

    ``centred`` is X (n×d). ``values`` has the min(n, d) singular values, largest first. ``right`` is V (d×min(n, d)).
    All three are computed from private data, so only the data holder may see them.
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
    """Centre ``points`` (n×d) and decompose them. Raises DataError if σ_min is 0, because then no ε meets σ_min ≥ ω."""
    points = matrix("points", points, least_rows=2)
    n, d = points.shape
    if n <= d:
        raise DataError(
            f"points has {n} rows and {d} columns. Centring leaves rank at most {n - 1}, so σ_min is 0 and no ε meets "
            f"the condition σ_min ≥ ω. Use more than {d} rows or fewer columns."
        )
    centred = points - points.mean(axis=0)
    # Working on the d×d triangular factor keeps the cost at one pass over the rows.
    _, values, right_t = np.linalg.svd(np.linalg.qr(centred, mode="r"))
    if values[-1] <= 1e-12 * values[0] or values[0] == 0:
        constant = np.flatnonzero(np.ptp(points, axis=0) <= 1e-12 * np.abs(points).max(axis=0))
        cause = f"column {constant[0]} is constant" if len(constant) else "one column is a combination of others"
        raise DataError(
            f"points: {cause}, so σ_min is 0. The inputs do not vary in every direction. No ε meets the condition "
            "σ_min ≥ ω, and amplification would only amplify rounding errors. Leave that column out."
        )
    return Spectrum(centred, values, right_t.T)


@dataclass(frozen=True, eq=False)
class Release:
    """The result of Algorithm 1. Only ``Z`` (n×r) goes to the analyst, and only the data holder may see the rest.

    ``sigma_min`` is computed from private data, and ``amplified`` reveals whether it is less than ``omega``.
    """

    Z: Array
    omega: float
    sigma_min: float
    amplified: bool
    epsilon: float
    delta: float
    r: int


def curate(points: ArrayLike | Spectrum, epsilon: float, delta: float, r: int, rng: np.random.Generator) -> Release:
    """Return Z = r^{−1/2} X M if σ_min(X) ≥ ω, or else r^{−1/2} X̃ M, with a d×r standard normal M (Algorithm 1).

    ``points`` are the n×d inputs, already scaled so that neighbours differ by at most 1 in one row. Their `spectrum`
    may be given instead, which saves the decomposition when many releases are simulated. This is a simulation, because
    ``rng`` can be repeated.

    Raises ValueError for ε ≤ 0, for δ outside (0, 1), and if r is not a whole number ≥ 1. Raises DataError for unusable
    points and for σ_min = 0.
    """
    threshold = omega(epsilon, delta, r)
    x = points if isinstance(points, Spectrum) else spectrum(points)
    is_amplified = x.sigma_min < threshold
    base = x.amplified(threshold) if is_amplified else x.centred
    # M is drawn column by column, so that a larger r adds columns to the same M under the same seed.
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
    """Return a sentence on twice the protected distance. If (ε, δ) held, it would have (2ε, (1 + e^ε)δ)."""
    doubled_delta = delta * (1.0 + math.exp(min(epsilon, 700.0)))
    if doubled_delta >= 1:
        return "Even if the guarantee held, twice the distance would not be protected at all."
    return (
        "If the guarantee held, larger distances would be protected less. "
        f"Twice the distance would have ε = {2.0 * epsilon:.3g} and δ = {doubled_delta:.2g}."
    )


def guarantee(epsilon: float, delta: float, neighbours: str) -> Guarantee:
    """Return the guarantee that Theorem 1 claims, which `pb.audit.column_space_test` refutes.

    ``neighbours`` describes the protected difference in the data's own units.
    """
    return Guarantee(
        protects=ROW,
        against="the analyst, who receives the projected inputs Z",
        neighbours=neighbours,
        epsilon=positive("epsilon", epsilon),
        delta=probability("delta", delta),
        assumptions=(
            "The guarantee does not hold for n > d + 1 records in general position. Every release lies in the column "
            "space of the centred inputs. A table that differs in one row has a different column space, so the release "
            "shows which of the two was used.",
            NOT_PROTECTED,
            "The scaling, the length-scales and the decision to stretch the inputs use the private data. ε does not "
            "cover them.",
            larger_distances(epsilon, delta),
        ),
        status=Status.REFUTED,
        source="Kharkovskii, Dai, Low (ICML 2020), Theorem 1",
    )


def distance_constant(sigma_min: float, omega: float) -> float:
    """Return Theorem 2's C′ = 1 + 1[σ_min < ω] ω²/σ_min², the largest stretch of squared distances."""
    return 1.0 + (omega**2 / sigma_min**2 if sigma_min < omega else 0.0)


@dataclass(frozen=True, eq=False)
class Distortion:
    """The measured ratios ‖z − z′‖²/‖x − x′‖² of ``pairs`` random pairs of distinct points, in ascending order."""

    ratios: Array
    pairs: int

    def within(self, low: float, high: float) -> float:
        """Return the share of pairs with a ratio in [low, high]."""
        return float(((self.ratios >= low) & (self.ratios <= high)).mean())


def distance_distortion(points: Array, z: Array, pairs: int, rng: np.random.Generator) -> Distortion:
    """Measure how a release changed the squared distances of ``pairs`` random pairs. Equal points are omitted."""
    n = len(matrix("points", points, least_rows=2))
    first = rng.integers(n, size=whole("pairs", pairs))
    second = (first + rng.integers(1, n, size=pairs)) % n
    before = ((points[first] - points[second]) ** 2).sum(axis=1)
    after = ((z[first] - z[second]) ** 2).sum(axis=1)
    distinct = before > 0
    ratios = np.sort(after[distinct] / before[distinct])
    return Distortion(ratios, len(ratios))
