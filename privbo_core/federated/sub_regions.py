"""Cut the domain into sub-regions, and weight the agents in each (Dai, Low, Jaillet, NeurIPS 2021, Section 3.3)."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.errors import Array, matrix, whole
from privbo_core.federated.agents import Rows
from privbo_core.federated.settings import Settings

MAX_REGIONS = 64  # The largest number of sub-regions that `possible_sub_regions` returns by default.
CACHED_GAINS = 1024  # Enough for the temperatures of some ten schedules.


def sub_regions(points: ArrayLike, P: int) -> Rows:
    """Return for each row the number 0 … P−1 of its hyper-rectangle.

    The box around the points is halved log₂ P times, each time along the input that has been cut least (the first among
    equals) and still has two levels for each piece. A point on a cut belongs to the upper side. O(nd).
    Raises ValueError if P is not a power of two or leaves a rectangle empty. The message lists the possible P.
    """
    points = matrix("points", points)
    regions = _cut(points, whole("P", P))
    if regions is None:
        raise ValueError(f"P is {P!r}. {_possible_cuts(possible_sub_regions(points))}")
    return regions


def possible_sub_regions(points: ArrayLike, least_points: int = 1, most: int = MAX_REGIONS) -> tuple[int, ...]:
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
    """Return `sub_regions` if each holds ``initial`` points and has an agent, or raise ValueError."""
    possible = possible_sub_regions(points, initial, min(agents, MAX_REGIONS))
    if P not in possible:
        raise ValueError(
            f"P is {P!r}. {_possible_cuts(possible)} Each must contain the {initial} initial points of an agent, and "
            f"have one of the {agents} agents."
        )
    return sub_regions(points, P)


def _possible_cuts(possible: tuple[int, ...]) -> str:
    if not possible:
        return "This domain has too few points to start from."
    return f"This domain can be cut into {', '.join(map(str, possible))} equal sub-regions."


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


def region_weights(explores: Rows, P: int, a: float, temperature: float) -> Array:
    """Return the P×N weights φ_n^{(i)} = softmax over n of (a·1[n explores i] + 1)/𝒯 (Section 3.2).

    ``explores[n]`` is the sub-region that agent n started in. Each row adds up to 1. An infinite 𝒯 makes all equal.
    """
    exponents = a * (explores[None, :] == np.arange(P)[:, None]) / temperature
    weights = np.exp(exponents - exponents.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def temperature(t: int, hold: int, fade: int) -> float:
    """Return 𝒯 at iteration t = 1, 2, …: 1 for ``hold`` iterations, then rising so that 1/𝒯 falls linearly to 0.

    So the exponent of the agents that explore a region falls to that of the others over ``fade`` iterations.
    """
    share = 1.0 if t <= hold else max(0.0, 1.0 - (t - hold) / fade)
    return 1.0 / share if share > 0 else math.inf


def weights_at(settings: Settings, agents: int, t: int) -> Array:
    """Return the P×N weights of iteration t = 1, 2, …, where agent n started in sub-region n mod P."""
    return _weights(agents, settings.P, settings.a, temperature(t, settings.hold, settings.fade))


def gain_at(settings: Settings, agents: int, t: int) -> float:
    """Return the `gain` of the weights of iteration t. It depends on neither q nor z, so it is cached."""
    return _gain(agents, settings.P, settings.a, temperature(t, settings.hold, settings.fade))


def _weights(agents: int, P: int, a: float, heat: float) -> Array:
    return region_weights(np.arange(agents) % P, P, a, heat)


@lru_cache(maxsize=CACHED_GAINS)
def _gain(agents: int, P: int, a: float, heat: float) -> float:
    return gain(_weights(agents, P, a, heat))


def gain(weights: Array) -> float:
    """Return φ_max √P / max_n ‖φ_n‖₂ ∈ [1, √P], the factor by which φ_max S/q exceeds the joint sensitivity.

    ``weights`` is P×N, with column φ_n for agent n. Agent n adds φ_n^{(i)} ω̂_n/q to vector i, and ‖ω̂_n‖ ≤ S/√P. To the
    P vectors together, as one of length PM, it adds a vector of norm √(Σ_i (φ_n^{(i)})²)·‖ω̂_n‖/q ≤ (S/(q√P))·‖φ_n‖₂,
    with equality if it is clipped. So the sensitivity is (S/(q√P)) max_n ‖φ_n‖₂. Dai et al. first bound every
    φ_n^{(i)} by φ_max and get φ_max S/q, which is larger by this factor. It is √P if each agent counts in one
    sub-region alone, and 1 if its weights are all equal. It depends only on public facts: N, P, t and the sub-region
    that each agent explores.
    """
    P = len(weights)
    if P == 1:
        return 1.0
    # The ratio is rounded down, within its range in exact arithmetic, so that the noise is never overstated.
    ratio = float(weights.max() * math.sqrt(P) / np.linalg.norm(weights, axis=0).max())
    return min(max(ratio * (1.0 - 1e-14), 1.0), math.sqrt(P))
