"""The ε of a noisy release whose column settings were taken from the data.

One record that moves can then change the settings, which moves every row of the release.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.data import Frame, Problem, normalise
from privbo_core.errors import Array, matrix, positive
from privbo_core.outsourced.noisy import noise_deviation
from privbo_core.privacy import gaussian_epsilon

Placing = Callable[[Array], Array]
"""A function from n×d data to the n×d rows before noise. It takes every setting that depends on the data from them."""


@dataclass(frozen=True, eq=False)
class Move:
    """A move of one record. ``neighbour`` is the data in which the row ``row`` is moved by ``change`` (length d).

    ``displacement`` is the Frobenius norm of the change of all placed rows. If the column settings were known without
    the data, it is at most 1 for a move by one protected difference.
    """

    row: int
    change: Array
    neighbour: Array
    displacement: float


def hardest_move(data: ArrayLike, place: Placing, hide: ArrayLike) -> Move:
    """Return the move of one record by a protected difference that displaces the placed rows most, among those tried.

    ``hide`` (length d) has the protected difference of each column in the data's units. In each column, the records
    with the least and the greatest value are moved outwards and inwards. The record farthest from the mean, in units of
    ``hide``, is moved along the line through the mean. These records determine the bounds, the centre and the radius,
    but a move that is not tried could displace the rows more. The cost is O(nd²).
    """
    x, step = matrix("data", data, least_rows=2), np.asarray(hide, dtype=float)
    from_mean = (x - x.mean(axis=0)) / step
    distances = np.linalg.norm(from_mean, axis=1)
    farthest = int(distances.argmax())
    candidates = [(farthest, step * from_mean[farthest] / max(distances[farthest], 1e-300))]
    for j, change in enumerate(np.diag(step)):
        candidates += [(int(x[:, j].argmax()), change), (int(x[:, j].argmin()), -change)]
    before = place(x)
    best: Move | None = None
    for row, change in candidates:
        for signed in (change, -change):
            neighbour = x.copy()
            neighbour[row] += signed
            displacement = float(np.linalg.norm(place(neighbour) - before))
            if best is None or displacement > best.displacement:
                best = Move(row, signed, neighbour, displacement)
    assert best is not None
    return best


def following(frame: Frame, data: ArrayLike) -> Callable[[Array], Frame]:
    """Return a function that takes column settings from other data in the way that ``frame`` was taken from ``data``.

    In each column that was taken from the data, low, high and hide keep their positions relative to the least and the
    greatest value. The other columns do not change. If `pb.data.frame_from` made ``frame``, the function returns what
    `frame_from` would return for the other data.
    """
    x = matrix("data", data)
    lows, widths = x.min(axis=0), np.ptp(x, axis=0)

    def frame_of(other: Array) -> Frame:
        columns = []
        for column, low, width, values in zip(frame.columns, lows, widths, other.T, strict=True):
            if column.taken_from_data:
                # Even if the move makes all values of a column equal, its range must be wider than 0.
                least, scale = values.min(), max(np.ptp(values) / width, 1e-9)
                column = replace(
                    column,
                    low=least + (column.low - low) * scale,
                    high=least + (column.high - low) * scale,
                    hide=column.hide * scale,
                )
            columns.append(column)
        return Frame(tuple(columns))

    return frame_of


def true_epsilon(
    problem: Problem,
    epsilon: float,
    delta: float,
    *,
    protected_distance: float = 1.0,
    normalised: bool = False,
) -> float:
    """Return a lower bound on the true ε, at the same δ, of a noisy release of this problem.

    It is ``epsilon`` itself if the column settings are public. If some were taken from the data, one record is moved by
    ``protected_distance`` times the protected difference (`hardest_move`). The settings are then taken from the changed
    data, so every row moves with them. ε follows exactly from the Frobenius norm of the change
    (`pb.privacy.gaussian_epsilon`).

    With ``normalised``, the release is of ``problem.points`` instead. After every move, these are normalised again, so
    that they are centred and their farthest row has norm 25. The cost is O(nd²).
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
    """Return the displacement of all placed rows by the hardest move, if the settings are taken again after it."""
    frame = problem.frame
    frame_of = following(frame, problem.original)
    hide = frame.hide * protected_distance
    return hardest_move(problem.original, lambda data: frame_of(data).place(data), hide).displacement


def epsilon_of(
    displacement: float,
    frame: Frame,
    epsilon: float,
    delta: float,
    *,
    protected_distance: float,
) -> float:
    """Return the true ε of a noisy release made for ``epsilon``, if the placed rows of neighbours are this far apart.

    It is never less than ``epsilon``.
    """
    sigma = noise_deviation(epsilon, delta, bounds=frame.bounds, protected_distance=protected_distance, d=frame.d)
    return max(epsilon, gaussian_epsilon(delta, sigma, displacement))
