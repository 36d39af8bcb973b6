"""The rounds: what agents and server do, one iteration at a time, all agents at once (Algorithms 1 and 2)."""

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privbo_core.bo import information_gain
from privbo_core.errors import Array, DataError, matrix, whole
from privbo_core.federated.agents import Agents, Dice, Rows, Shared, Streams, products_of
from privbo_core.federated.promise import losses
from privbo_core.federated.server import Broadcast, Server
from privbo_core.federated.settings import Settings, check_agents
from privbo_core.gp import Kernel, random_features, root

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


FAILURE = 0.05  # δ of the paper's Theorem 1: with what probability its regret bound may fail.


@dataclass(frozen=True, eq=False)
class Round:
    """Iteration ``t`` = 1, …, T. Arrays over the N agents unless said otherwise; regrets in units of the objectives.

    ``queries``: the rows asked. ``followed``: whether the server's vectors chose them. ``regret``: f_n(x*) − f_n(x_t),
    without noise; ``simple_regret``: f_n(x*) minus the best of all that the agent has queried, its ``initial`` rows
    (N×N_init, the same in every round) included. ``regions``: the sub-region of each of the n rows of the domain;
    ``explores``: the one that each agent started in. ``selected``: whom the server drew. ``broadcast``: what it sent
    before this iteration's queries, None where agents work alone. ``weights``: P×N. ``epsilon``: the privacy loss of
    all broadcasts so far, by moments (loss distributions for a fixed-size sample) and with z as it is set.
    """

    t: int
    queries: Rows
    followed: NDArray[np.bool_]
    regret: Array
    simple_regret: Array
    initial: Rows
    regions: Rows
    explores: Rows
    selected: NDArray[np.bool_]
    broadcast: Broadcast | None
    weights: Array
    epsilon: float


def run(objectives: ArrayLike, points: ArrayLike, settings: Settings, rng: np.random.Generator) -> Iterator[Round]:
    """Return a generator of the T rounds of one run of federated Thompson sampling, private or not.

    ``objectives``: N×n, each agent's noise-free values on the common domain, to be maximised; an evaluation adds
    N(0, ``settings.noise_variance``). The model has mean 0 and variance ``settings.kernel.variance``: centre and scale
    first. ``points``: n×d. This is a simulation, with the noise of a pseudo-random generator.
    A round costs O(N(t² + nr)) with r the numerical rank of the kernel matrix; a run O(NT(T² + nr) + nr²) time and
    8N(T² + T(r + M) + n) bytes. Raises ValueError or DataError on unusable input, at once.
    """
    points = matrix("points", points, least_rows=2)
    objectives = _objectives(objectives, len(points))
    check_sub_regions(points, settings.P, len(objectives), settings.initial)
    return _rounds(objectives, points, settings, Streams.of(rng))


def common(points: Array, settings: Settings, agents: int, rng: np.random.Generator) -> Shared:
    """Return what ``agents`` agents and their server share, the random features drawn with ``rng``.

    Raises ValueError or DataError on a domain that cannot be used so.
    """
    basis, products = _root(points.tobytes(), points.shape, settings.kernel)
    return Shared(
        settings=settings,
        agents=agents,
        basis=basis,
        products=products,
        phi=random_features(points, settings.kernel, settings.features, rng),
        regions=check_sub_regions(points, settings.P, agents, settings.initial),
        deviations=deviation_schedule(points, settings),
    )


@lru_cache(maxsize=4)
def _root(points: bytes, shape: tuple[int, ...], kernel: Kernel) -> tuple[Array, Array | None]:
    """Return `root` and its rows' products, once for all runs on the same points."""
    basis = root(np.frombuffer(points).reshape(shape), kernel)
    return basis, products_of(basis)


def _rounds(objectives: Array, points: Array, settings: Settings, streams: Streams) -> Iterator[Round]:
    count, everyone = len(objectives), np.arange(len(objectives))
    shared = common(points, settings, count, streams.features)
    agents = Agents(shared, Dice(streams, count, everyone), settings.initial + settings.iterations)
    server = Server(settings, count, streams)
    best, found = objectives.max(axis=1), np.full(count, -np.inf)

    def evaluate(rows: Rows) -> Array:
        """Every agent queries its row, learns the noisy outcome, and pays the regret returned."""
        values = objectives[everyone, rows]
        agents.observe(rows, values + np.sqrt(settings.noise_variance) * streams.noise.standard_normal(count))
        np.maximum(found, values, out=found)
        return np.asarray(best - values)

    initial = agents.begin()
    for column in initial.T:
        evaluate(column)
    epsilons = losses(settings, count)
    for t in range(1, settings.iterations + 1):
        turn = server.turn(t, None if settings.alone else agents.vectors())
        queries, followed = agents.asks(t, None if turn.broadcast is None else turn.broadcast.vectors)
        regret = evaluate(queries)
        yield Round(
            t=t,
            queries=queries,
            followed=followed,
            regret=regret,
            simple_regret=best - found,
            initial=initial,
            regions=shared.regions,
            explores=shared.explores,
            selected=turn.selected,
            broadcast=turn.broadcast,
            weights=turn.weights,
            epsilon=epsilons[t - 1],
        )


def deviation_schedule(points: Array, settings: Settings) -> Array:
    """Return β_t for t = 1, …, T (`Settings.beta`).

    In theory β_t = B + σ√(2(γ_{t−1} + 1 + log(4/δ))) (Section 3.1, Theorem 1), with δ = `FAILURE`, and γ_{t−1} bounded
    from above for the N_init + t − 1 points that an agent has queried by then. O(nT²).
    """
    if settings.beta == "one":
        return np.full(settings.iterations, settings.deviation)
    queried = settings.initial + settings.iterations - 1
    # More rows than there are gain no more than all of them.
    gains = information_gain(points, settings.kernel, settings.noise_variance, min(queried, len(points))).upper
    known = np.minimum(settings.initial + np.arange(settings.iterations), len(points))
    spread = np.sqrt(2.0 * (gains[known - 1] + 1.0 + math.log(4.0 / FAILURE)))
    return np.asarray(settings.norm + math.sqrt(settings.noise_variance) * spread)


def _objectives(values: ArrayLike, n: int) -> Array:
    try:
        objectives = matrix("objectives", values)
    except DataError:
        with suppress(TypeError):  # what has no lengths is wrong in another way
            lengths = [len(row) for row in values]  # type: ignore[union-attr, arg-type]
            for agent, length in enumerate(lengths):
                if length != lengths[0]:
                    raise DataError(
                        f"objectives: agent 0 has {lengths[0]} values and agent {agent} has {length}; all agents must "
                        "have values on the same grid."
                    ) from None
        raise
    check_agents(len(objectives))
    if objectives.shape[1] != n:
        raise DataError(
            f"objectives has {objectives.shape[1]} values for each agent; the domain has {n} points, and one value "
            "for each is needed."
        )
    return objectives
