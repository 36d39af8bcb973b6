"""Records as points in two dimensions, and the names of the two axes."""

import numpy as np

from privbo_core.data import Problem
from privbo_core.errors import Array


def flat(problem: Problem, rows: Array | None = None) -> tuple[Array, tuple[str, str]]:
    """Return two coordinates to draw the curator's points by, and their names; ``rows``: others, in original units."""
    original = problem.original if rows is None else rows
    if problem.d == 1:
        return np.column_stack([original[:, 0], problem.objective]), (label(problem, 0), problem.output)
    if problem.d == 2:
        return original, (label(problem, 0), label(problem, 1))
    names = "first principal direction", "second principal direction"
    if rows is None:
        return principal(problem.points), names
    points = (rows - problem.original[0]) / problem.unit_distance + problem.points[0]
    centre = problem.points.mean(axis=0)
    return np.asarray((points - centre) @ _widest(problem.points - centre)), names


def principal(points: Array) -> Array:
    """Return the coordinates of centred points in their two directions of largest spread; rounding is no spread."""
    centred = points - points.mean(axis=0)
    if points.shape[1] == 1:
        return np.column_stack([centred[:, 0], np.zeros(len(centred))])
    result: Array = centred @ _widest(centred)
    result[:, np.ptp(result, axis=0) < 1e-9 * np.ptp(result)] = 0.0
    return result


def _widest(centred: Array) -> Array:
    """Return the two directions of largest spread."""
    _, vectors = np.linalg.eigh(centred.T @ centred)
    return np.asarray(vectors[:, :-3:-1])


def label(problem: Problem, column: int) -> str:
    unit, name = problem.units[column], problem.names[column]
    return f"{name} ({unit})" if unit else name
