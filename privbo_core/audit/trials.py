"""Trials made a portion at a time, so that an audit can be watched and repeated; neighbours; records to know."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privbo_core.audit.lower_bound import Audited
from privbo_core.errors import Array, matrix, positive, whole

CHOICES = 40
"""How many random choices of d + 1 rows `spread_rows` looks at."""


def portions(total: int, first: int, factor: float = 2.0) -> Iterator[int]:
    """Yield the sizes of portions that add up to ``total``, each ``factor`` times the one before, at most an eighth."""
    total, done, size = whole("total", total), 0, float(whole("first", first))
    positive("factor", factor)
    while done < total:
        portion = min(int(size), total - done)
        yield portion
        done += portion
        size = min(size * factor, max(first, total / 8))


def in_portions(
    mechanism: Audited, datasets: tuple[Any, Any], sizes: Iterable[int], seed: int
) -> Iterator[tuple[Array, Array]]:
    """Yield all outputs so far on the two datasets after each portion; each dataset has dice of its own.

    The same ``seed`` and sizes give the same outputs. Closing it ends the trials. Whoever judges after each portion
    says so (`judged`, with a `Look` for each of the sizes), or errs more often than stated.
    """
    rngs = [np.random.default_rng([seed, which]) for which in (0, 1)]
    here, there = np.empty(0), np.empty(0)
    for size in sizes:
        here = np.append(here, mechanism(datasets[0], size, rngs[0]))
        there = np.append(there, mechanism(datasets[1], size, rngs[1]))
        yield here, there


def recorded(here: Array, there: Array) -> Audited:
    """Return trials that have been made already as a mechanism of dataset 0 or 1, for a lower bound to judge."""
    outputs = (here, there)
    return lambda data, trials, rng: outputs[data][:trials]


def move_one(points: ArrayLike, rng: np.random.Generator) -> tuple[Array, int, Array]:
    """Return a neighbour of the points: one row moved by a distance of 1; that row; and the move (length d)."""
    points = matrix("points", points)
    row, d = int(rng.integers(len(points))), int(points.shape[1])
    move = rng.standard_normal(d)
    move /= np.linalg.norm(move)
    neighbour = points.copy()
    neighbour[row] += move
    return neighbour, row, move


def spread_rows(points: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return d + 1 rows in general position: the best conditioned of a few random choices."""
    points = matrix("points", points)
    d = points.shape[1]
    choices = [rng.choice(len(points), d + 1, replace=False) for _ in range(CHOICES)]

    def condition(rows: NDArray[np.int64]) -> float:
        values = np.linalg.svd(points[rows[1:]] - points[rows[0]], compute_uv=False)
        return float(values[0] / max(values[-1], 1e-300))

    return min(choices, key=condition)
