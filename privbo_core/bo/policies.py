"""Policies as coroutines: each yields the row to evaluate next and is sent the outcome.

A policy never sees who answers. That makes the same code usable for one party that tunes its own model and for a
modeler who is allowed row numbers and outcomes and nothing else.
"""

from collections.abc import Generator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.bo.blockwise import Here, block_queries, check_iterations, check_rows
from privbo_core.bo.rules import Rule, UpperBound
from privbo_core.errors import matrix, row_indices
from privbo_core.gp import Kernel, Posterior

BLOCKS_FROM = 50_000
"""Rows from which on GP-UCB looks only at those that could be the best (`Block`). Below it all of them take less."""
Queries = Generator[int, float, None]
PUBLISHED = UpperBound()  # GP-UCB as published: argmax μ + √β_t σ. A row may be asked for again.


def rule_queries(
    points: ArrayLike,
    *,
    kernel: Kernel,
    noise_variance: float,
    iterations: int,
    initial_rows: Sequence[int],
    rule: Rule = PUBLISHED,
    nugget: float = 0.0,
) -> Queries:
    """First the initial rows, then T = ``iterations`` times the row with the largest acquisition of the ``rule``.

    The first row among equals. ``points`` is all that it knows of the domain; ``nugget`` is the `Posterior`'s. Costs
    O(nT²) and what the rule does. Raises ValueError or DataError on unusable input, at the first step; with
    ``rule.once`` also where there are fewer rows than evaluations.
    """
    if isinstance(rule, UpperBound) and len(points := matrix("points", points)) >= BLOCKS_FROM:
        yield from block_queries(
            Here(points, kernel, rule, nugget=nugget),
            kernel=kernel,
            noise_variance=noise_variance,
            iterations=iterations,
            initial_rows=initial_rows,
            rule=rule,
            nugget=nugget,
        )
        return
    posterior = Posterior(
        points, kernel, noise_variance, capacity=max(1, iterations + len(initial_rows)), nugget=nugget
    )
    first = check_rows(iterations, initial_rows, posterior.n, rule.once)
    for row in first:
        posterior.observe(row, (yield row))
    acquisition = rule.begin(points, posterior, iterations)
    for t in range(1, iterations + 1):
        values = acquisition(t)
        if rule.once:
            values[posterior.rows] = -np.inf
        row = int(values.argmax())
        posterior.observe(row, (yield row))


def neighbour_queries(points: ArrayLike, *, iterations: int, initial_rows: Sequence[int]) -> Queries:
    """No model: first the initial rows, then always the row not yet asked for that is nearest to the best answer's.

    The first row among equals; with no initial rows it starts at the one nearest to the centre. It never asks twice.
    O(ndT). Raises ValueError or DataError on unusable input, at the first step.
    """
    x = matrix("points", points)
    n = len(x)
    first = check_rows(iterations, initial_rows, n, once=True)
    open_rows = np.ones(n, dtype=bool)
    best, centre = -np.inf, x.mean(axis=0)
    for number in range(len(first) + iterations):
        if number < len(first):
            row = first[number]
        else:
            row = int(np.where(open_rows, ((x - centre) ** 2).sum(axis=1), np.inf).argmin())
        y = yield row
        open_rows[row] = False
        if y > best:
            best, centre = y, x[row]


def random_queries(n: int, *, iterations: int, initial_rows: Sequence[int], rng: np.random.Generator) -> Queries:
    """Random search: first the initial rows, then ``iterations`` distinct rows drawn uniformly."""
    check_iterations(iterations, n)
    for row in row_indices("initial", initial_rows, n):
        yield row
    for row in rng.permutation(n)[:iterations]:
        yield int(row)
