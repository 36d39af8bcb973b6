"""GP-UCB in several runs on one domain that advance together: the rows of each are those that it asks for alone."""

import math
from collections.abc import Generator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.bo.blockwise import check_rows, edges
from privbo_core.bo.parallel import cores
from privbo_core.bo.rules import UpperBound
from privbo_core.gp import Kernel
from privbo_core.gp.batched import Posteriors

HELD, MOST = 24_000_000, 25
"""Bytes that the runs of a group may hold, and most runs. Small groups make the threads wait for the interpreter, which
they give up at each operation; beyond some ten megabytes a core, it is the memory that they wait for."""
BatchedQueries = Generator[list[int], Sequence[float], None]


def groups(runs: int, n: int, observations: int) -> list[tuple[int, int]]:
    """Return where each group of so many runs begins and ends: every core gets as many groups as the others.

    With many rows it is one run a group: what runs can share is then little beside what each has to compute.
    """
    size = min(MOST, max(1, HELD // (8 * n * observations)))
    if size == 1:
        return edges(runs, runs)
    return edges(runs, cores() * math.ceil(runs / size / cores()))


def batched_queries(
    points: ArrayLike,
    *,
    kernel: Kernel,
    noise_variance: float,
    iterations: int,
    initial_rows: Sequence[Sequence[int]],
    rule: UpperBound,
    nugget: float = 0.0,
) -> BatchedQueries:
    """`rule_queries` of several runs: yields a row for each, and is sent the answers in the same order.

    ``initial_rows``: those of each run, equally many. Raises ValueError or DataError like `rule_queries`, at the first
    step.
    """
    if len({len(rows) for rows in initial_rows}) != 1:
        raise ValueError("initial_rows holds lists of different lengths; runs that advance together have as many each.")
    capacity = max(1, iterations + len(initial_rows[0]))
    posteriors = Posteriors(points, kernel, noise_variance, runs=len(initial_rows), capacity=capacity, nugget=nugget)
    first = [check_rows(iterations, rows, posteriors.n, rule.once) for rows in initial_rows]
    asked: list[list[int]] = []
    for rows in map(list, zip(*first, strict=True)):
        posteriors.observe(rows, (yield rows))
        asked.append(rows)
    every = np.arange(posteriors.runs)
    for t in range(1, iterations + 1):
        upper = posteriors.upper(rule.weight(t, posteriors.n))
        if rule.once and asked:
            upper[every, asked] = -np.inf
        rows = upper.argmax(axis=1).tolist()
        posteriors.observe(rows, (yield rows))
        asked.append(rows)
