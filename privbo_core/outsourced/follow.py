"""What becomes of ε if the frame follows the data: then one record that moves takes every released row along."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.data import Frame, Problem, normalise
from privbo_core.errors import Array, matrix, positive
from privbo_core.outsourced.noisy import noise_deviation
from privbo_core.privacy import gaussian_epsilon

Placing = Callable[[Array], Array]
"""From n×d data to the n×d rows before noise, including whatever else it computes from the data."""


@dataclass(frozen=True, eq=False)
class Move:
    """One record's change and what it does: ``neighbour`` is the data with row ``row`` moved by ``change`` (length d).

    ``displacement``: by how much the placed rows move altogether (the root of the sum of squares). A
    frame that was known before has 1 there at most for one hidden change.
    """

    row: int
    change: Array
    neighbour: Array
    displacement: float


def hardest_move(data: ArrayLike, place: Placing, hide: ArrayLike) -> Move:
    """Return the move of one record by one hidden change that displaces the placed rows most, of those tried.

    Tried: in each column the records with the least and the greatest value, outwards and inwards by ``hide`` (length d,
    in the data's units); and the record farthest from the mean, in units of hide, along the line from it. Those are the
    ones on which bounds, centre and radius hang; another could do more. O(nd²).
    """
    x, step = matrix("data", data, least_rows=2), np.asarray(hide, dtype=float)
    away = (x - x.mean(axis=0)) / step
    lengths = np.linalg.norm(away, axis=1)
    farthest = int(lengths.argmax())
    tried = [(farthest, step * away[farthest] / max(lengths[farthest], 1e-300))]
    for j, unit in enumerate(np.diag(step)):
        tried += [(int(x[:, j].argmax()), unit), (int(x[:, j].argmin()), -unit)]
    before = place(x)
    best: Move | None = None
    for row, change in tried:
        for signed in (change, -change):
            neighbour = x.copy()
            neighbour[row] += signed
            displacement = float(np.linalg.norm(place(neighbour) - before))
            if best is None or displacement > best.displacement:
                best = Move(row, signed, neighbour, displacement)
    assert best is not None
    return best


def following(frame: Frame, data: ArrayLike) -> Callable[[Array], Frame]:
    """Return the function from other data to the frame read off them, in the way that this one was off ``data``.

    In each column that was taken from the data, low, high and hide keep their places relative to the least and the
    greatest value; the other columns stay. For the frame of `pb.data.frame_from` that is the frame of the other data.
    """
    x = matrix("data", data)
    lows, widths = x.min(axis=0), np.ptp(x, axis=0)

    def read(other: Array) -> Frame:
        columns = []
        for column, low, width, values in zip(frame.columns, lows, widths, other.T, strict=True):
            if column.taken_from_data:
                # A record moved onto all others leaves a column without width; its frame must still be one.
                least, scale = values.min(), max(np.ptp(values) / width, 1e-9)
                column = replace(
                    column,
                    low=least + (column.low - low) * scale,
                    high=least + (column.high - low) * scale,
                    hide=column.hide * scale,
                )
            columns.append(column)
        return Frame(tuple(columns))

    return read


def true_epsilon(
    problem: Problem,
    epsilon: float,
    delta: float,
    *,
    protected_distance: float = 1.0,
    normalised: bool = False,
) -> float:
    """Return what the ε of a noisy release of this problem can become, at the same δ: a lower limit of it.

    ε itself for a public frame. For a frame with columns that were read off: one record moves by ``protected_distance``
    hidden changes, the frame is read off again, and every row moves with it; ε follows exactly from how far they do
    altogether (`hardest_move`, `pb.privacy.gaussian_epsilon`). ``normalised``: the same for a release in the frame of
    ``problem.points``, which are centred and have their farthest row at 25, after every move anew. O(nd²).
    """
    epsilon, frame = positive("epsilon", epsilon), problem.frame
    if normalised:
        hide = np.full(problem.d, protected_distance)
        moved = hardest_move(problem.points, lambda points: normalise(points)[0], hide).displacement
    elif frame.public:
        return epsilon
    else:
        moved = displacement(problem, protected_distance)
    return epsilon_of(moved, frame, epsilon, delta, protected_distance=protected_distance)


def displacement(problem: Problem, protected_distance: float) -> float:
    """Return how far all placed rows move if one record does, the hardest way, and the frame is read off anew."""
    frame = problem.frame
    read = following(frame, problem.original)
    hide = frame.hide * protected_distance
    return hardest_move(problem.original, lambda data: read(data).place(data), hide).displacement


def epsilon_of(
    displacement: float,
    frame: Frame,
    epsilon: float,
    delta: float,
    *,
    protected_distance: float,
) -> float:
    """Return the true ε of a noisy release in this frame that claims ε, between rows so far apart: no less than ε."""
    sigma = noise_deviation(epsilon, delta, bounds=frame.bounds, protected_distance=protected_distance, d=frame.d)
    return max(epsilon, gaussian_epsilon(delta, sigma, displacement))
