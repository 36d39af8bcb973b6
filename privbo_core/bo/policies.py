"""Policies, and the search loop: somebody's policy against somebody's outcomes.

A policy is a coroutine: it yields the row to evaluate next and is sent the outcome. It never sees who answers. That
makes the same code usable for one party that tunes its own model and for a modeler who is allowed row numbers and
outcomes and nothing else.
"""

from collections.abc import Callable, Generator, Sequence
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.bo.batched import BatchedQueries, batched_queries, groups
from privbo_core.bo.parallel import in_order
from privbo_core.bo.rules import Rule, UpperBound, check_iterations, check_rows
from privbo_core.bo.trace import Trace
from privbo_core.errors import Array, matrix, positive, row_indices, vector, whole
from privbo_core.gp import Kernel, Posterior

Objective = ArrayLike | Callable[[int], float]
Queries = Generator[int, float, None]
PUBLISHED = UpperBound()  # GP-UCB as published: argmax μ + √β_t σ. A row may be asked for again.


def search(queries: Queries, answer: Callable[[int], float]) -> tuple[list[int], list[float]]:
    """Drive a policy to its end; return the rows it asked for and the answers it got, in order."""
    rows: list[int] = []
    observed: list[float] = []
    try:
        row = next(queries)
        while True:
            y = answer(row)
            rows.append(row)
            observed.append(y)
            row = queries.send(y)
    except StopIteration:
        return rows, observed


def batched_search(
    queries: BatchedQueries, answers: Sequence[Callable[[int], float]]
) -> list[tuple[list[int], list[float]]]:
    """Drive the policy of several runs to its end, each with its own answers; return what `search` does, for each."""
    rows: list[list[int]] = []
    observed: list[list[float]] = []
    try:
        asked = next(queries)
        while True:
            ys = [answer(row) for answer, row in zip(answers, asked, strict=True)]
            rows.append(asked)
            observed.append(ys)
            asked = queries.send(ys)
    except StopIteration:
        return list(zip(map(list, zip(*rows, strict=True)), map(list, zip(*observed, strict=True)), strict=True))


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
    """Random search: first the initial rows, then ``iterations`` distinct rows drawn uniformly from the others.

    An initial row comes again only where no other is left.
    """
    check_iterations(iterations, n)
    first = row_indices("initial", initial_rows, n)
    for row in first:
        yield row
    drawn = rng.permutation(n)
    again = np.isin(drawn, first)
    for row in np.concatenate([drawn[~again], drawn[again]])[:iterations]:
        yield int(row)


def gp_ucb(
    points: ArrayLike,
    objective: Objective,
    *,
    kernel: Kernel,
    noise_variance: float,
    iterations: int,
    initial: int | Sequence[int] = 5,
    delta_ucb: float = 0.05,
    rng: np.random.Generator,
) -> Trace:
    """Run GP-UCB (maximising) for T = ``iterations`` evaluations after the ``initial`` ones.

    ``objective`` is either the length-n array of noise-free values (each evaluation adds N(0, ``noise_variance``), and
    the regret is known) or a function from a row to a noisy outcome (nobody knows the optimum: the regrets are NaN).
    ``initial`` is a number of distinct random rows or the rows themselves. ``noise_variance`` is σ_n² in squared units
    of the objective. O(nT²) time, 8nT bytes. Raises ValueError or DataError on unusable input, before any evaluation.
    """
    points = matrix("points", points, least_rows=2)
    n = len(points)
    check_iterations(iterations, n)
    start = initial_rows(initial, n, rng)
    values, answer = _outcomes(objective, n, positive("noise_variance", noise_variance), rng)
    queries = rule_queries(
        points,
        kernel=kernel,
        noise_variance=noise_variance,
        iterations=iterations,
        initial_rows=start,
        rule=UpperBound(delta_ucb),
    )
    return Trace.of(*search(queries, answer), values, len(start))


def gp_ucb_runs(
    points: ArrayLike,
    objective: Objective,
    *,
    kernel: Kernel,
    noise_variance: float,
    iterations: int,
    initial: int | Sequence[int] = 5,
    delta_ucb: float = 0.05,
    rngs: Sequence[np.random.Generator],
) -> list[Trace]:
    """Return what `gp_ucb` returns for each of the ``rngs``, to the last digit, on all cores and in less time.

    Where the domain is small enough, several runs advance together and share what a step costs besides its arithmetic.
    A function as ``objective`` is called by several threads, and by the runs that advance together in turns. Raises
    ValueError or DataError on unusable input, before any evaluation.
    """
    points = matrix("points", points, least_rows=2)
    n = len(points)
    check_iterations(iterations, n)
    starts = [initial_rows(initial, n, rng) for rng in rngs]
    answers = [_outcomes(objective, n, positive("noise_variance", noise_variance), rng)[1] for rng in rngs]
    values = None if callable(objective) else vector("objective", objective, n)
    model: dict[str, Any] = {
        "kernel": kernel,
        "noise_variance": noise_variance,
        "iterations": iterations,
        "rule": UpperBound(delta_ucb),
    }

    def one_group(group: tuple[int, int], stop: Event) -> list[Trace]:
        first, last = group
        if last - first == 1:
            found = [search(rule_queries(points, initial_rows=starts[first], **model), answers[first])]
        else:
            queries = batched_queries(points, initial_rows=starts[first:last], **model)
            found = batched_search(queries, answers[first:last])
        return [Trace.of(*run, values, len(starts[0])) for run in found]

    parts = groups(len(starts), n, iterations + len(starts[0])) if starts else []
    return [trace for traces in in_order(one_group, parts) for trace in traces]


def random_search(
    n: int,
    objective: Objective,
    *,
    noise_variance: float,
    iterations: int,
    initial: int | Sequence[int] = 5,
    rng: np.random.Generator,
) -> Trace:
    """Evaluate ``iterations`` distinct rows at random after the ``initial`` ones: the baseline. See `gp_ucb`."""
    start = initial_rows(initial, n, rng)
    values, answer = _outcomes(objective, n, noise_variance, rng)
    queries = random_queries(n, iterations=iterations, initial_rows=start, rng=rng)
    return Trace.of(*search(queries, answer), values, len(start))


def initial_rows(initial: int | Sequence[int], n: int, rng: np.random.Generator) -> list[int]:
    """Return the rows given, checked, or that many distinct rows of 0 … n−1 drawn uniformly."""
    if not isinstance(initial, (int, np.integer)):
        return row_indices("initial", initial, n)
    if whole("initial", initial, least=0) > n:
        raise ValueError(f"initial is {initial}; this domain has {n} rows, so at most {n} can be drawn.")
    return [int(row) for row in rng.choice(n, initial, replace=False)]


def _outcomes(
    objective: Objective, n: int, noise_variance: float, rng: np.random.Generator
) -> tuple[Array | None, Callable[[int], float]]:
    if callable(objective):
        return None, objective
    values = vector("objective", objective, n)
    deviation = float(np.sqrt(noise_variance))
    return values, lambda row: float(values[row] + deviation * rng.standard_normal())
