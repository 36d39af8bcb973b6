"""Sweep ε: a coarse grid with few runs first, then with all runs, then more values where the curve changes most."""

import math
from collections.abc import Generator, Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

import numpy as np

from privbo_core.errors import Array, positive, whole
from privbo_core.tradeoff.curve import Curve, Mark, Question, Sweep, standard_error
from privbo_core.tradeoff.solve import MIN_RATIO, RESAMPLES, Answer, solve

GRID_SIZE = 7
MAX_VALUES = 12
"""The largest number of values of ε for each mechanism of a sweep, including its grid."""
FIRST_RUNS = 4
"""The number of runs at every ε of the grid before any of them gets more."""
ROUGH_RESAMPLES = 40
"""The number of resamples for an intermediate answer."""
MAX_SIGNIFICANCE = 3.0
"""Differences of at least this many standard errors count as equally certain."""


def grid(low: float, high: float, count: int = GRID_SIZE) -> list[float]:
    """Return ``count`` values evenly spaced in log ε, with the two ends first and then from coarse to fine."""
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
    """Return the ε at which one more mark is most useful, or None if there is none.

    It is the middle in log ε of the neighbours with the most significant difference in cost, in standard errors of
    their run-by-run differences. Differences of at least `MAX_SIGNIFICANCE` errors count as equally certain, and the
    largest of them is chosen. Neighbours are left out if they differ by at most one error, or have a ratio of at most
    `MIN_RATIO`.
    """
    best: tuple[float, float] = (1.0, 0.0)
    middle = None
    for left, right in pairwise(marks):
        if right.epsilon / left.epsilon <= MIN_RATIO:
            continue
        change = right.above(left.costs).costs
        size, error = abs(float(change.mean())), standard_error(change)
        ratio = size / error if error > 0 else (math.inf if size > 0 else 0.0)
        significance = min(ratio, MAX_SIGNIFICANCE)
        if (significance, size) > best:
            best = (significance, size)
            middle = math.sqrt(left.epsilon * right.epsilon)
    return middle


def sweep(
    question: Question,
    *,
    low: float,
    high: float,
    runs: int,
    grid_size: int = GRID_SIZE,
    most: int = MAX_VALUES,
    first: int = FIRST_RUNS,
) -> Generator[Sweep, None, None]:
    """Yield the sweep of ε from ``low`` to ``high`` as it grows. Closing the generator ends the computation.

    A mechanism is swept over the part of the range that it can reach, and left out if there is none. At first there are
    ``first`` runs at each of ``grid_size`` values of ε, and then ``runs`` runs. After that, values are inserted one by
    one (`next_epsilon`), until each mechanism has ``most`` values or none is useful. A sweep may be yielded again
    without any news. Raises ValueError for a number out of range.
    """
    runs, first, most = whole("runs", runs), whole("first", first), whole("most", most)
    references: dict[str, Array] = {}
    marks: dict[str, dict[float, Array]] = {curve.name: {} for curve in question.curves}
    outlined = False

    def state(complete: bool = False) -> Sweep:
        ordered = {name: _in_order(known) for name, known in marks.items()}
        return Sweep(dict(references), ordered, outlined, complete)

    ends = {curve.name: (max(low, curve.low), min(high, curve.high)) for curve in question.curves}
    curves = [curve for curve in question.curves if ends[curve.name][0] <= ends[curve.name][1]]
    grids = {curve.name: grid(*ends[curve.name], grid_size) for curve in curves}
    for stage in sorted({min(first, runs), runs}):
        for reference in (question.plain, *question.others):
            for costs in _closing(reference.costs(stage)):
                _store(references, reference.name, costs)
                yield state()
        for place in range(grid_size):
            for curve in curves:
                for epsilon in grids[curve.name][place : place + 1]:
                    for costs in _closing(curve.costs(epsilon, stage)):
                        _store(marks[curve.name], epsilon, costs)
                        yield state()
        outlined = True
    growing = list(curves)
    while growing:
        for curve in list(growing):
            known = marks[curve.name]
            inserted = next_epsilon(_in_order(known)) if len(known) < most else None
            if inserted is None:
                growing.remove(curve)
                continue
            for costs in _closing(curve.costs(inserted, runs)):
                _store(known, inserted, costs)
                yield state()
    yield state(complete=True)


def measure(curve: Curve, epsilon: float, runs: int) -> Generator[Mark, None, None]:
    """Yield the mark of a mechanism at exactly ``epsilon``, as its runs are computed.

    Raises ValueError outside the mechanism's range.
    """
    tolerance = 1 + 1e-9
    if not curve.low / tolerance <= epsilon <= curve.high * tolerance:
        raise ValueError(
            f"epsilon is {epsilon!r}, but the range of {curve.name} is from {curve.low:.3g} to {curve.high:.3g}."
        )
    within = min(max(epsilon, curve.low), curve.high)
    for costs in _closing(curve.costs(within, whole("runs", runs))):
        yield Mark(epsilon, costs)


def settle(
    curve: Curve, marks: Sequence[Mark], plain: Array, budget: float, *, most: int = 8
) -> Generator[tuple[Answer, tuple[Mark, ...]], None, None]:
    """Yield the smallest ε whose extra cost over ``plain`` is within ``budget``, and the marks that it is based on.

    ``marks`` are those of a sweep, in order of ε. If the answer lies between two marks, their middle is measured, with
    as many runs as all marks have, and the answer is computed again. This is repeated until the answer is a measured
    mark, and at most ``most`` times. Raises ValueError without marks.
    """
    known = {mark.epsilon: mark for mark in marks}
    runs = min((mark.runs for mark in marks), default=0)

    def answer(resamples: int) -> tuple[Answer, tuple[Mark, ...]]:
        ordered = tuple(known[epsilon] for epsilon in sorted(known))
        return solve([mark.above(plain) for mark in ordered], budget, resamples=resamples), ordered

    for _ in range(most):
        rough = answer(ROUGH_RESAMPLES)
        yield rough
        epsilon = rough[0].epsilon
        if rough[0].reach != "inside" or epsilon in known:
            break
        left = max(measured for measured in known if measured < epsilon)
        right = min(measured for measured in known if measured > epsilon)
        for mark in measure(curve, math.sqrt(left * right), runs):
            if mark.runs == runs:
                known[mark.epsilon] = mark
            yield rough
    yield answer(RESAMPLES)


Key = TypeVar("Key")


def _store(store: dict[Key, Array], key: Key, costs: Array) -> None:
    """Store costs unless more runs are stored already, because a later stage repeats the runs of an earlier one."""
    if len(costs) and len(costs) >= len(store.get(key, ())):
        store[key] = costs


def _closing(costs: Iterator[Array]) -> Iterator[Array]:
    """Yield the items of ``costs``, and close it when this generator is closed."""
    try:
        yield from costs
    finally:
        if isinstance(costs, Generator):
            costs.close()


def _in_order(known: dict[float, Array]) -> tuple[Mark, ...]:
    """Return the marks in order of ε."""
    return tuple(Mark(epsilon, np.asarray(known[epsilon])) for epsilon in sorted(known))
