"""What a policy with a model asks for next: the row with the largest acquisition, by one of several rules."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfcx, ndtr

from privbo_core.errors import Array, positive, probability, row_indices, whole
from privbo_core.gp import Posterior, prior_draws

Search = Literal["ucb", "ucb/5", "ei", "thompson"]
"""How a modeler searches: GP-UCB as published, with a fifth of its β, expected improvement, Thompson sampling."""
FEATURES = 512  # Random Fourier features per Thompson run. The covariance of two rows is then met to about 0.03 σ_y².
LEAST_DEVIATION = 1e-12  # A deviation below this share of the prior's is taken for it, so that no quotient overflows.
Acquisition = Callable[[int], Array]
"""From the iteration t = 1, 2, … to a value for each row, in an array that the next call overwrites."""


class Rule(Protocol):
    """A rule for the next row. ``once``: a row that was asked for, initially or later, is never asked for again."""

    @property
    def once(self) -> bool:
        """Whether each row is asked for once at most."""

    def begin(self, points: ArrayLike, posterior: Posterior, iterations: int) -> Acquisition:
        """Return the acquisition of a run of T = ``iterations`` on this posterior, which others keep up to date."""


def beta(t: int, n: int, delta_ucb: float) -> float:
    """Return β_t = 2 log(n t² π² / 6δ′) with δ′ = δ_ucb/2 (Kharkovskii et al. 2020, Algorithm 2 and Theorem 3)."""
    return 2.0 * math.log(n * t**2 * math.pi**2 / (6.0 * delta_ucb / 2.0))


@dataclass(frozen=True)
class UpperBound:
    """GP-UCB: μ + √(``factor``·β_t) σ. The published search has factor 1."""

    delta_ucb: float = 0.05
    factor: float = 1.0
    once: bool = False

    def __post_init__(self) -> None:
        probability("delta_ucb", self.delta_ucb)
        positive("factor", self.factor)

    def weight(self, t: int, n: int) -> float:
        """Return factor·β_t on a domain of n rows."""
        return self.factor * beta(t, n, self.delta_ucb)

    def begin(self, points: ArrayLike, posterior: Posterior, iterations: int) -> Acquisition:
        """Return t ↦ μ + √(factor·β_t) σ."""
        upper = np.empty(posterior.n)

        def acquisition(t: int) -> Array:
            np.multiply(posterior.variance, self.weight(t, posterior.n), out=upper)
            np.sqrt(upper, out=upper)
            np.add(upper, posterior.mean, out=upper)
            return upper

        return acquisition


@dataclass(frozen=True)
class Improvement:
    """Expected improvement E max(0, f(x) − f*), as its logarithm; f* is the best posterior mean of a row asked for.

    The logarithm keeps rows apart where the improvement itself is 0 to every digit.
    """

    once: bool = False

    def begin(self, points: ArrayLike, posterior: Posterior, iterations: int) -> Acquisition:
        """Return t ↦ log EI. Before anything was asked for, f* is the prior's mean."""
        least = LEAST_DEVIATION * math.sqrt(posterior.kernel.variance + posterior.nugget)

        def acquisition(t: int) -> Array:
            best = float(posterior.mean[posterior.rows].max()) if posterior.t else 0.0
            deviation = np.maximum(np.sqrt(posterior.variance), least)
            return log_improvement((posterior.mean - best) / deviation) + np.log(deviation)

        return acquisition


@dataclass(frozen=True, eq=False)
class Thompson:
    """Thompson sampling: a fresh draw of f from the posterior each time. One rule serves one run: ``rng`` moves on."""

    rng: np.random.Generator
    once: bool = False

    def begin(self, points: ArrayLike, posterior: Posterior, iterations: int) -> Acquisition:
        """Return t ↦ a draw of f. All T draws of the prior are made at once: O(nMT), and 8nT bytes."""
        weights, noise = self.rng.spawn(2)
        prior = prior_draws(points, posterior.kernel, iterations, weights, features=FEATURES)

        def acquisition(t: int) -> Array:
            draw = prior[t - 1]
            if posterior.nugget:
                draw = draw + math.sqrt(posterior.nugget) * noise.standard_normal(posterior.n)
            return posterior.conditioned(draw, noise)

        return acquisition


def rule(search: Search, *, delta_ucb: float, once: bool, rng: np.random.Generator) -> Rule:
    """Return the rule of that name. ``delta_ucb`` is GP-UCB's, ``rng`` Thompson sampling's."""
    if search == "ei":
        return Improvement(once)
    if search == "thompson":
        return Thompson(rng, once)
    if search in ("ucb", "ucb/5"):
        return UpperBound(delta_ucb, 1.0 if search == "ucb" else 0.2, once)
    raise ValueError(f"search is {search!r}; it is one of 'ucb', 'ucb/5', 'ei' and 'thompson'.")


def log_improvement(z: Array) -> Array:
    """Return log(φ(z) + zΦ(z)) to nearly full precision for any finite z (Ament et al. 2023, eq. 9).

    Below −1 the sum cancels: it is φ(z)(1 − |z| √(π/2) erfcx(|z|/√2)), which still does from about −1,000; with
    u = |z|: 1 − … = 1/u² − 3/u⁴ + 15/u⁶ − …
    """
    found = np.empty_like(z)
    near, far = z > -1.0, z < -50.0
    inner = z[near]
    found[near] = np.log(np.exp(-0.5 * inner**2) / math.sqrt(2.0 * math.pi) + inner * ndtr(inner))
    tail = ~near & ~far
    u = -z[tail]
    share = -np.expm1(np.log(erfcx(u / math.sqrt(2.0)) * u) + 0.5 * math.log(0.5 * math.pi))
    found[tail] = -0.5 * u**2 + np.log(share)
    u = np.maximum(-z[far], 50.0)
    series = -3.0 / u**2 + 15.0 / u**4 - 105.0 / u**6
    found[far] = -0.5 * u**2 - 2.0 * np.log(u) + np.log1p(series)
    found[~near] -= 0.5 * math.log(2.0 * math.pi)
    return found


def check_iterations(iterations: int, n: int) -> int:
    """Return ``iterations`` if it is a whole number from 1 to n; raise ValueError otherwise."""
    if whole("iterations", iterations) > n:
        raise ValueError(f"iterations (T) is {iterations}; this domain has {n} rows, so T must be at most {n}.")
    return int(iterations)


def check_rows(iterations: int, initial_rows: Sequence[int], n: int, once: bool) -> list[int]:
    """Return the initial rows if so many iterations are possible after them; raise ValueError otherwise."""
    check_iterations(iterations, n)
    first = row_indices("initial", initial_rows, n)
    if once and iterations + len(set(first)) > n:
        raise ValueError(
            f"iterations (T) is {iterations} after {len(set(first))} initial rows; this domain has {n} rows, "
            "too few to ask for each once only."
        )
    return first


def edges(n: int, parts: int) -> list[tuple[int, int]]:
    """Return where each of so many parts of n begins and where it ends, the sizes equal or one apart."""
    parts = min(whole("parts", parts), n)
    return [(n * number // parts, n * (number + 1) // parts) for number in range(parts)]
