"""Acquisition rules. A policy with a model evaluates the row with the largest acquisition next."""

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
"""A rule by name: GP-UCB as published, GP-UCB with a fifth of its β, expected improvement, or Thompson sampling."""
FEATURES = 512
"""Random Fourier features in each Thompson run. The covariance of two rows is then right to about 0.03 σ_y²."""
MIN_DEVIATION = 1e-12
"""The smallest standard deviation, as a share of the prior's. Smaller ones are raised so that no quotient overflows."""
Acquisition = Callable[[int], Array]
"""A function from the iteration t = 1, 2, … to a value for each row, in an array that the next call may overwrite."""


class Rule(Protocol):
    """A rule that scores each row for the next evaluation."""

    @property
    def once(self) -> bool:
        """Whether no row is evaluated again after it was evaluated, initially or later."""

    def begin(self, points: ArrayLike, posterior: Posterior, iterations: int) -> Acquisition:
        """Return the acquisition of a run of T = ``iterations`` on a posterior that the caller keeps up to date."""


def beta(t: int, n: int, delta_ucb: float) -> float:
    """Return β_t = 2 log(n t² π² / 6δ′) with δ′ = δ_ucb/2 (Kharkovskii et al. 2020, Algorithm 2 and Theorem 3)."""
    return 2.0 * math.log(n * t**2 * math.pi**2 / (6.0 * delta_ucb / 2.0))


@dataclass(frozen=True)
class UpperBound:
    """The rule of GP-UCB, μ + √(``factor``·β_t) σ. The published search has factor 1."""

    delta_ucb: float = 0.05
    factor: float = 1.0
    once: bool = False

    def __post_init__(self) -> None:
        probability("delta_ucb", self.delta_ucb)
        positive("factor", self.factor)

    def weight(self, t: int, n: int) -> float:
        """Return ``factor``·β_t on a domain of n rows."""
        return self.factor * beta(t, n, self.delta_ucb)

    def begin(self, points: ArrayLike, posterior: Posterior, iterations: int) -> Acquisition:
        """Return the function t ↦ μ + √(``factor``·β_t) σ."""
        upper = np.empty(posterior.n)

        def acquisition(t: int) -> Array:
            np.multiply(posterior.variance, self.weight(t, posterior.n), out=upper)
            np.sqrt(upper, out=upper)
            np.add(upper, posterior.mean, out=upper)
            return upper

        return acquisition


@dataclass(frozen=True)
class Improvement:
    """The rule of expected improvement, log E max(0, f(x) − f*), where f* is the best posterior mean of evaluated rows.

    The logarithm still distinguishes rows whose improvement is too small for a floating-point number.
    """

    once: bool = False

    def begin(self, points: ArrayLike, posterior: Posterior, iterations: int) -> Acquisition:
        """Return the function t ↦ log EI. Before the first evaluation, f* is the mean of the prior."""
        min_deviation = MIN_DEVIATION * math.sqrt(posterior.kernel.variance + posterior.nugget)

        def acquisition(t: int) -> Array:
            best = float(posterior.mean[posterior.rows].max()) if posterior.t else 0.0
            deviation = np.maximum(np.sqrt(posterior.variance), min_deviation)
            return log_improvement((posterior.mean - best) / deviation) + np.log(deviation)

        return acquisition


@dataclass(frozen=True, eq=False)
class Thompson:
    """The rule of Thompson sampling, which draws f from the posterior in each iteration.

    Use an instance for one run only, because its ``rng`` advances.
    """

    rng: np.random.Generator
    once: bool = False

    def begin(self, points: ArrayLike, posterior: Posterior, iterations: int) -> Acquisition:
        """Return a function from t to a draw of f. It makes all T draws of the prior first, in O(nMT) and 8nT bytes."""
        weights, noise = self.rng.spawn(2)
        prior = prior_draws(points, posterior.kernel, iterations, weights, features=FEATURES)

        def acquisition(t: int) -> Array:
            draw = prior[t - 1]
            if posterior.nugget:
                draw = draw + math.sqrt(posterior.nugget) * noise.standard_normal(posterior.n)
            return posterior.conditioned(draw, noise)

        return acquisition


def rule(search: Search, *, delta_ucb: float, once: bool, rng: np.random.Generator) -> Rule:
    """Return the rule with the name ``search``.

    Only GP-UCB uses ``delta_ucb``, and only Thompson sampling uses ``rng``. With ``once``, no row is evaluated again.
    Raises ValueError for an unknown name.
    """
    if search == "ei":
        return Improvement(once)
    if search == "thompson":
        return Thompson(rng, once)
    if search in ("ucb", "ucb/5"):
        return UpperBound(delta_ucb, 1.0 if search == "ucb" else 0.2, once)
    raise ValueError(f"search is {search!r}, but it must be 'ucb', 'ucb/5', 'ei' or 'thompson'.")


def log_improvement(z: Array) -> Array:
    """Return log(φ(z) + zΦ(z)) to nearly full precision for any finite z (Ament et al. 2023, eq. 9).

    Below z = −1 the sum cancels, so it is computed as φ(z)(1 − u √(π/2) erfcx(u/√2)) with u = |z|. From about u = 1,000
    this difference cancels too. It is therefore replaced above u = 50 by its series 1/u² − 3/u⁴ + 15/u⁶ − …
    """
    result = np.empty_like(z)
    centre, far = z > -1.0, z < -50.0
    inner = z[centre]
    result[centre] = np.log(np.exp(-0.5 * inner**2) / math.sqrt(2.0 * math.pi) + inner * ndtr(inner))
    middle = ~centre & ~far
    u = -z[middle]
    difference = -np.expm1(np.log(erfcx(u / math.sqrt(2.0)) * u) + 0.5 * math.log(0.5 * math.pi))
    result[middle] = -0.5 * u**2 + np.log(difference)
    u = np.maximum(-z[far], 50.0)
    series = -3.0 / u**2 + 15.0 / u**4 - 105.0 / u**6
    result[far] = -0.5 * u**2 - 2.0 * np.log(u) + np.log1p(series)
    result[~centre] -= 0.5 * math.log(2.0 * math.pi)
    return result


def check_iterations(iterations: int, n: int) -> int:
    """Return ``iterations`` if it is a whole number from 1 to n, and raise ValueError otherwise."""
    if whole("iterations", iterations) > n:
        raise ValueError(f"iterations (T) is {iterations}, but this domain has {n} rows, so T must be at most {n}.")
    return int(iterations)


def check_rows(iterations: int, initial_rows: Sequence[int], n: int, once: bool) -> list[int]:
    """Return the initial rows if ``iterations`` more evaluations are possible, and raise ValueError otherwise.

    With ``once``, each iteration needs a row that was not evaluated before.
    """
    check_iterations(iterations, n)
    rows = row_indices("initial", initial_rows, n)
    distinct = len(set(rows))
    if once and iterations + distinct > n:
        raise ValueError(
            f"iterations (T) is {iterations} after {distinct} initial rows, but this domain has {n} rows. "
            "These are too few to evaluate each only once."
        )
    return rows
