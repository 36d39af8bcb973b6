"""Policies as coroutines: each yields the row to evaluate next and is sent the outcome.

A policy never sees who answers. That makes the same code usable for one party that tunes its own model and for a
modeler who is allowed row numbers and outcomes and nothing else.
"""

import math
from collections.abc import Generator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.errors import probability, row_indices, whole
from privbo_core.gp import Kernel, Posterior

Queries = Generator[int, float, None]


def beta(t: int, n: int, delta_ucb: float) -> float:
    """Return β_t = 2 log(n t² π² / 6δ′) with δ′ = δ_ucb/2 (Kharkovskii et al. 2020, Algorithm 2 and Theorem 3)."""
    return 2.0 * math.log(n * t**2 * math.pi**2 / (6.0 * delta_ucb / 2.0))


def ucb_queries(
    points: ArrayLike,
    *,
    kernel: Kernel,
    noise_variance: float,
    iterations: int,
    initial_rows: Sequence[int],
    delta_ucb: float = 0.05,
    nugget: float = 0.0,
) -> Queries:
    """GP-UCB: first the initial rows, then T = ``iterations`` times argmax μ + √β_t σ (the first row among equals).

    ``points`` is all it knows of the domain; ``nugget`` is the `Posterior`'s. Costs O(nT²). Raises ValueError or
    DataError on unusable input, at the first step.
    """
    posterior = Posterior(
        points, kernel, noise_variance, capacity=max(1, iterations + len(initial_rows)), nugget=nugget
    )
    delta_ucb = probability("delta_ucb", delta_ucb)
    check_iterations(iterations, posterior.n)
    for row in row_indices("initial", initial_rows, posterior.n):
        posterior.observe(row, (yield row))
    upper = np.empty(posterior.n)
    for t in range(1, iterations + 1):
        np.multiply(posterior.variance, beta(t, posterior.n, delta_ucb), out=upper)
        np.sqrt(upper, out=upper)
        upper += posterior.mean
        row = int(upper.argmax())
        posterior.observe(row, (yield row))


def random_queries(n: int, *, iterations: int, initial_rows: Sequence[int], rng: np.random.Generator) -> Queries:
    """Random search: first the initial rows, then ``iterations`` distinct rows drawn uniformly."""
    check_iterations(iterations, n)
    for row in row_indices("initial", initial_rows, n):
        yield row
    for row in rng.permutation(n)[:iterations]:
        yield int(row)


def check_iterations(iterations: int, n: int) -> int:
    """Return ``iterations`` if it is a whole number from 1 to n; raise ValueError otherwise."""
    if whole("iterations", iterations) > n:
        raise ValueError(f"iterations (T) is {iterations}; this domain has {n} rows, so T must be at most {n}.")
    return int(iterations)
