"""Search policies, and the loop that runs a policy against an objective.

A policy is a coroutine. It yields the row to evaluate next and is sent the outcome, without access to the objective.
The same code therefore serves one party that tunes its own model, and a modeler who may only exchange row numbers and
outcomes with the data holder.
"""

from collections.abc import Callable, Generator, Sequence
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.bo.acquisition import Rule, UpperBound, check_iterations, check_rows
from privbo_core.bo.batched import BatchedQueries, batched_queries, groups
from privbo_core.bo.parallel import in_order
from privbo_core.bo.trace import Trace
from privbo_core.errors import Array, matrix, positive, row_indices, vector, whole
from privbo_core.gp import Kernel, Posterior

Objective = ArrayLike | Callable[[int], float]
Queries = Generator[int, float, None]
"""The noise-free values of all rows, or a function from a row to its noisy outcome."""
PUBLISHED = UpperBound()
"""GP-UCB as published: argmax μ + √β_t σ. A row may be evaluated more than once."""


def search(queries: Queries, answer: Callable[[int], float]) -> tuple[list[int], list[float]]:
    """Run a policy to its end, and return the rows that it asked for and the outcomes, in order."""
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
    """Run a policy for several runs to its end, and return the rows and outcomes of each run, as `search` does."""
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
        rows_by_run = map(list, zip(*rows, strict=True))
        observed_by_run = map(list, zip(*observed, strict=True))
        return list(zip(rows_by_run, observed_by_run, strict=True))


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
    """Yield the initial rows, and then T = ``iterations`` times the row with the largest acquisition of the ``rule``.

    If several rows have the largest acquisition, the first is chosen. ``points`` is all that the policy knows about the
    domain, and ``nugget`` is that of `Posterior`. Costs O(nT²) plus the cost of the rule. Raises ValueError or
    DataError on unusable input, at the first step. With ``rule.once`` it also raises ValueError if there are fewer rows
    than evaluations.
    """
    posterior = Posterior(
        points, kernel, noise_variance, capacity=max(1, iterations + len(initial_rows)), nugget=nugget
    )
    for row in check_rows(iterations, initial_rows, posterior.n, rule.once):
        posterior.observe(row, (yield row))
    acquisition = rule.begin(points, posterior, iterations)
    for t in range(1, iterations + 1):
        values = acquisition(t)
        if rule.once:
            values[posterior.rows] = -np.inf
        row = int(values.argmax())
        posterior.observe(row, (yield row))


def neighbour_queries(points: ArrayLike, *, iterations: int, initial_rows: Sequence[int]) -> Queries:
    """Yield the initial rows, and then always the row nearest to the best row so far, without a model.

    After the initial rows, no row is evaluated again. If several rows are equally near, the first is chosen. With no
    initial rows, the search starts at the row nearest to the centre. O(ndT). Raises ValueError or DataError on unusable
    input, at the first step.
    """
    x = matrix("points", points)
    n = len(x)
    start = check_rows(iterations, initial_rows, n, once=True)
    unevaluated = np.ones(n, dtype=bool)
    best, centre = -np.inf, x.mean(axis=0)
    for number in range(len(start) + iterations):
        if number < len(start):
            row = start[number]
        else:
            row = int(np.where(unevaluated, ((x - centre) ** 2).sum(axis=1), np.inf).argmin())
        y = yield row
        unevaluated[row] = False
        if y > best:
            best, centre = y, x[row]


def random_queries(n: int, *, iterations: int, initial_rows: Sequence[int], rng: np.random.Generator) -> Queries:
    """Yield the initial rows, and then ``iterations`` distinct rows drawn uniformly from the others.

    An initial row is evaluated again only if there are no others left.
    """
    check_iterations(iterations, n)
    start = row_indices("initial", initial_rows, n)
    for row in start:
        yield row
    order = rng.permutation(n)
    is_initial = np.isin(order, start)
    for row in np.concatenate([order[~is_initial], order[is_initial]])[:iterations]:
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

    ``objective`` is either the length-n array of noise-free values or a function from a row to a noisy outcome. In the
    first case each evaluation adds N(0, ``noise_variance``), and the regret is known. In the second case the optimum is
    unknown, and the regrets are NaN. ``initial`` is a number of distinct random rows or the rows themselves.
    ``noise_variance`` is σ_n² in squared units of the objective. O(nT²) time, 8nT bytes. Raises ValueError or DataError
    on unusable input, before any evaluation.
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
    """Return the trace of `gp_ucb` for each of the ``rngs``, computed on all cores.

    The traces are identical to those of single runs, to the last digit. On a small domain several runs advance together
    and share the overhead of each step. If ``objective`` is a function, several threads call it, and runs that advance
    together call it in turn. Raises ValueError or DataError on unusable input, before any evaluation.
    """
    points = matrix("points", points, least_rows=2)
    n = len(points)
    check_iterations(iterations, n)
    starts = [initial_rows(initial, n, rng) for rng in rngs]
    answers = [_outcomes(objective, n, positive("noise_variance", noise_variance), rng)[1] for rng in rngs]
    values = None if callable(objective) else vector("objective", objective, n)
    arguments: dict[str, Any] = {
        "kernel": kernel,
        "noise_variance": noise_variance,
        "iterations": iterations,
        "rule": UpperBound(delta_ucb),
    }

    def run_group(group: tuple[int, int], stop_event: Event) -> list[Trace]:
        start, stop = group
        if stop - start == 1:
            searches = [search(rule_queries(points, initial_rows=starts[start], **arguments), answers[start])]
        else:
            queries = batched_queries(points, initial_rows=starts[start:stop], **arguments)
            searches = batched_search(queries, answers[start:stop])
        return [Trace.of(rows, observed, values, len(starts[0])) for rows, observed in searches]

    if not starts:
        return []
    traces: list[Trace] = []
    for group_traces in in_order(run_group, groups(len(starts), n, iterations + len(starts[0]))):
        traces += group_traces
    return traces


def random_search(
    n: int,
    objective: Objective,
    *,
    noise_variance: float,
    iterations: int,
    initial: int | Sequence[int] = 5,
    rng: np.random.Generator,
) -> Trace:
    """Run random search, the baseline: evaluate ``iterations`` distinct random rows after the ``initial`` ones.

    The arguments are those of `gp_ucb`.
    """
    start = initial_rows(initial, n, rng)
    values, answer = _outcomes(objective, n, noise_variance, rng)
    queries = random_queries(n, iterations=iterations, initial_rows=start, rng=rng)
    return Trace.of(*search(queries, answer), values, len(start))


def initial_rows(initial: int | Sequence[int], n: int, rng: np.random.Generator) -> list[int]:
    """Return the rows in ``initial`` after a check, or, if it is a number, that many distinct rows of 0 … n−1.

    The distinct rows are drawn uniformly. Raises ValueError for a row outside the domain, or for more rows than it has.
    """
    if not isinstance(initial, (int, np.integer)):
        return row_indices("initial", initial, n)
    if whole("initial", initial, least=0) > n:
        raise ValueError(f"initial is {initial}, but this domain has {n} rows, so at most {n} can be drawn.")
    return [int(row) for row in rng.choice(n, initial, replace=False)]


def _outcomes(
    objective: Objective, n: int, noise_variance: float, rng: np.random.Generator
) -> tuple[Array | None, Callable[[int], float]]:
    """Return the noise-free values, None if they are unknown, and the function that evaluates a row."""
    if callable(objective):
        return None, objective
    values = vector("objective", objective, n)
    deviation = float(np.sqrt(noise_variance))
    return values, lambda row: float(values[row] + deviation * rng.standard_normal())
