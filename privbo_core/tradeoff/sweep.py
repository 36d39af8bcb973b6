"""Sweeping ε: a coarse grid with few runs at once, then all runs, then more values where the curve bends."""

import math
from collections.abc import Generator, Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

import numpy as np

from privbo_core.errors import Array, positive, whole
from privbo_core.tradeoff.curve import Curve, Mark, Question, Sweep, standard_error
from privbo_core.tradeoff.solve import CLOSEST, RESAMPLES, Answer, solve

GRID, MOST, FIRST = 7, 12, 4
ROUGH = 40  # Resamples for an answer that is not the last word.
CERTAIN = 3.0  # From this many standard errors on, a difference is beyond doubt.


def grid(low: float, high: float, count: int = GRID) -> list[float]:
    """Return ``count`` values evenly spaced in log ε: the two ends first, then from coarse to fine."""
    low, high, count = positive("low", low), positive("high", high), whole("count", count, least=2)
    if low == high:
        return [float(low)]
    values = np.geomspace(low, high, count)
    order, gaps = [0, count - 1], [(0, count - 1)]
    while gaps:
        start, end = gaps.pop(0)
        middle = (start + end) // 2
        if start < middle < end:
            order.append(middle)
            gaps += [(start, middle), (middle, end)]
    return [float(values[i]) for i in order]


def next_epsilon(marks: Sequence[Mark]) -> float | None:
    """Return where one more ε tells most: amid the neighbours whose costs differ most for their standard error.

    The error is that of the run-by-run differences. Differences of `CERTAIN` errors and more are all beyond doubt, and
    then the largest is chosen. None if no neighbours differ by more than one error, or all are as close as `CLOSEST`.
    """
    best: tuple[float, float] = (1.0, 0.0)
    middle = None
    for left, right in pairwise(marks):
        if right.epsilon / left.epsilon <= CLOSEST:
            continue
        change = right.above(left.costs).costs
        size, error = abs(float(change.mean())), standard_error(change)
        ratio = size / error if error > 0 else (math.inf if size > 0 else 0.0)
        if (min(ratio, CERTAIN), size) > best:
            best, middle = (min(ratio, CERTAIN), size), math.sqrt(left.epsilon * right.epsilon)
    return middle


def sweep(
    question: Question,
    *,
    low: float,
    high: float,
    runs: int,
    grid_size: int = GRID,
    most: int = MOST,
    first: int = FIRST,
) -> Generator[Sweep, None, None]:
    """Yield the sweep of ε from ``low`` to ``high`` as it grows, and again where nothing is new; closing it stops it.

    What a mechanism cannot reach of the range is left out, and the mechanism too if that is all of it.

    First ``first`` runs at each of ``grid_size`` values of ε, then ``runs`` runs there, then values inserted one by one
    (`next_epsilon`) until each mechanism has ``most``. Raises ValueError for a number out of range.
    """
    runs, first, most = whole("runs", runs), whole("first", first), whole("most", most)
    references: dict[str, Array] = {}
    marks: dict[str, dict[float, Array]] = {curve.name: {} for curve in question.curves}
    outlined = False

    def now(complete: bool = False) -> Sweep:
        ordered = {name: _in_order(known) for name, known in marks.items()}
        return Sweep(dict(references), ordered, outlined, complete)

    ends = {curve.name: (max(low, curve.low), min(high, curve.high)) for curve in question.curves}
    curves = [curve for curve in question.curves if ends[curve.name][0] <= ends[curve.name][1]]
    grids = {curve.name: grid(*ends[curve.name], grid_size) for curve in curves}
    for stage in sorted({min(first, runs), runs}):
        for reference in (question.plain, *question.others):
            for known in _following(reference.costs(stage)):
                _keep(references, reference.name, known)
                yield now()
        for place in range(grid_size):
            for curve in curves:
                for epsilon in grids[curve.name][place : place + 1]:
                    for known in _following(curve.costs(epsilon, stage)):
                        _keep(marks[curve.name], epsilon, known)
                        yield now()
        outlined = True
    growing = list(curves)
    while growing:
        for curve in list(growing):
            found = marks[curve.name]
            value = next_epsilon(_in_order(found)) if len(found) < most else None
            if value is None:
                growing.remove(curve)
                continue
            for known in _following(curve.costs(value, runs)):
                _keep(found, value, known)
                yield now()
    yield now(complete=True)


def measure(curve: Curve, epsilon: float, runs: int) -> Generator[Mark, None, None]:
    """Yield the mark of a mechanism at exactly this ε, as its runs come in. Raises ValueError outside its range."""
    slack = 1 + 1e-9
    if not curve.low / slack <= epsilon <= curve.high * slack:
        raise ValueError(
            f"epsilon is {epsilon!r}; {curve.name} is set up for ε from {curve.low:.3g} to {curve.high:.3g}."
        )
    within = min(max(epsilon, curve.low), curve.high)
    for known in _following(curve.costs(within, whole("runs", runs))):
        yield Mark(epsilon, known)


def settle(
    curve: Curve, marks: Sequence[Mark], plain: Array, budget: float, *, most: int = 8
) -> Generator[tuple[Answer, tuple[Mark, ...]], None, None]:
    """Yield the answer to ``budget``, the extra cost over ``plain`` that is allowed, and the marks that it rests on.

    Where the answer falls between two marks, the middle between them is measured, with as many runs as they share, and
    the answer found again, until it is a mark that was measured; ``most`` times at most. ``marks`` are a sweep's, in
    order of ε. Raises ValueError without marks.
    """
    known = {mark.epsilon: mark for mark in marks}
    runs = min((mark.runs for mark in marks), default=0)

    def answer(resamples: int) -> tuple[Answer, tuple[Mark, ...]]:
        ordered = tuple(known[epsilon] for epsilon in sorted(known))
        return solve([mark.above(plain) for mark in ordered], budget, resamples=resamples), ordered

    for _ in range(most):
        rough = answer(ROUGH)
        yield rough
        epsilon = rough[0].epsilon
        if rough[0].reach != "inside" or epsilon in known:
            break
        left = max(tried for tried in known if tried < epsilon)
        right = min(tried for tried in known if tried > epsilon)
        for mark in measure(curve, math.sqrt(left * right), runs):
            if mark.runs == runs:
                known[mark.epsilon] = mark
            yield rough
    yield answer(RESAMPLES)


Key = TypeVar("Key")


def _keep(store: dict[Key, Array], key: Key, known: Array) -> None:
    """Keep what is known, unless more was known before: a later stage begins with the runs of an earlier one."""
    if len(known) and len(known) >= len(store.get(key, ())):
        store[key] = known


def _following(costs: Iterator[Array]) -> Iterator[Array]:
    """Yield what ``costs`` yields, and stop its work as soon as nobody follows any more."""
    try:
        yield from costs
    finally:
        if isinstance(costs, Generator):
            costs.close()


def _in_order(known: dict[float, Array]) -> tuple[Mark, ...]:
    return tuple(Mark(epsilon, np.asarray(known[epsilon])) for epsilon in sorted(known))
