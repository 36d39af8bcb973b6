"""Trials made a portion at a time, so that an audit can be watched, judged at each look and repeated; neighbours."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privbo_core.audit.lower_bound import Audited, LowerBound, epsilon_lower_bound, gaussian_lower_bound
from privbo_core.errors import Array, DataError, matrix, positive, whole
from privbo_core.release import Look

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


def judged(
    here: Array,
    there: Array,
    delta: float,
    look: Look | None = None,
    *,
    confidence: float = 0.95,
    gaussian: bool = False,
) -> LowerBound:
    """Return what all trials so far (`in_portions`) show about ε, at one of the looks that will be taken at them.

    ``here`` and ``there``: the outputs on the two datasets, equally many, at least 10. ``look`` says which look this is
    and how many there will be (the number of portions, which must be settled beforehand); left out, there is one. The
    bounds of all looks hold together with probability ``confidence``, so the chance that any of them refutes a true
    claim is at most 1 − ``confidence``; what one look refuted stays refuted, and the greatest bound so far is one.
    The `LowerBound`'s own ``confidence`` is that of this look alone. ``gaussian``: through the trade-off curve
    (`gaussian_lower_bound`), for Gaussian noise only. O(trials log trials). Raises ValueError or DataError.
    """
    if len(here) != len(there):
        raise DataError(f"here has {len(here)} outputs and there {len(there)}; an audit needs as many of each.")
    bound = gaussian_lower_bound if gaussian else epsilon_lower_bound
    alone = (look or Look()).confidence(confidence)
    # The trials have been made: nothing is left to draw.
    return bound(recorded(here, there), 0, 1, delta, len(here), alone, np.random.default_rng(0))
