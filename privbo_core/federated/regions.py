"""Sub-regions: the domain's box cut into P equal hyper-rectangles by halving."""

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.errors import Array, matrix, whole
from privbo_core.federated.agents import Rows

MOST_REGIONS = 64


def sub_regions(points: ArrayLike, P: int) -> Rows:
    """Return for each row the number 0 … P−1 of its hyper-rectangle.

    The box around the points is halved log₂ P times, each time along the input that has been cut least (the first among
    equals) and still has two levels for each piece. A point on a cut belongs to the upper side. O(nd).
    Raises ValueError, offering those that can be made, if P is not a power of two or leaves a rectangle empty.
    """
    points = matrix("points", points)
    regions = _cut(points, whole("P", P))
    if regions is None:
        raise ValueError(f"P is {P!r}; {_offer(possible_sub_regions(points))}")
    return regions


def possible_sub_regions(points: ArrayLike, least_points: int = 1, most: int = MOST_REGIONS) -> tuple[int, ...]:
    """Return the P up to ``most`` into which this domain can be cut with ``least_points`` points in each."""
    points = matrix("points", points)
    found: list[int] = []
    for P in (2**halvings for halvings in range(most.bit_length())):
        regions = _cut(points, P)
        if regions is None or np.bincount(regions, minlength=P).min() < least_points:
            break
        found.append(P)
    return tuple(found)


def check_sub_regions(points: Array, P: int, agents: int, initial: int) -> Rows:
    """Return `sub_regions` if each holds ``initial`` points and has an agent; raise ValueError otherwise."""
    possible = possible_sub_regions(points, initial, min(agents, MOST_REGIONS))
    if P not in possible:
        raise ValueError(
            f"P is {P!r}; {_offer(possible)} (Each must hold the {initial} initial points of an agent, "
            f"and there must be an agent for each: there are {agents}.)"
        )
    return sub_regions(points, P)


def _offer(possible: tuple[int, ...]) -> str:
    if not possible:
        return "this domain has too few points to start from."
    return f"this domain can be cut into {', '.join(map(str, possible))} equal sub-regions."


def _cut(points: Array, P: int) -> Rows | None:
    if P & (P - 1):
        return None
    low, extent = points.min(axis=0), np.ptp(points, axis=0)
    levels = [len(np.unique(column)) for column in points.T]
    pieces = [1] * points.shape[1]
    while np.prod(pieces) < P:
        free = [j for j, cuts in enumerate(pieces) if 2 * cuts <= levels[j]]
        if not free:
            return None
        pieces[min(free, key=lambda j: pieces[j])] *= 2
    regions = np.zeros(len(points), dtype=np.int64)
    for j, count in enumerate(pieces):
        if count > 1:
            piece = np.minimum((points[:, j] - low[j]) / extent[j] * count, count - 1).astype(np.int64)
            regions = regions * count + piece
    return regions if len(np.unique(regions)) == P else None
