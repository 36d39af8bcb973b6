"""The rounds of agents and server, one iteration at a time for all agents at once (Algorithms 1 and 2)."""

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

MAX_REGIONS = 64


def sub_regions(points: ArrayLike, P: int) -> Rows:
    """Return for each row the number 0 … P−1 of its hyper-rectangle.

    The box around the points is halved log₂ P times, each time along the input that has been cut least (the first among
    equals) and still has two levels for each piece. A point on a cut belongs to the upper side. O(nd).
    Raises ValueError if P is not a power of two or leaves a rectangle empty. The message lists the possible P.
    """
    points = matrix("points", points)
    regions = _cut(points, whole("P", P))
    if regions is None:
        raise ValueError(f"P is {P!r}; {_offer(possible_sub_regions(points))}")
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


FAILURE_PROBABILITY = 0.05  # δ of the paper's Theorem 1: the probability that its regret bound fails.


@dataclass(frozen=True, eq=False)
class Round:
    """Hold iteration ``t`` = 1, …, T. Arrays have a value for each of the N agents, unless stated otherwise.

    ``queries`` are the queried rows, and ``followed`` tells whether the server's vectors chose them. ``regret`` is
    f_n(x*) − f_n(x_t) without noise, in units of the objectives. ``simple_regret`` is f_n(x*) minus the best value that
    the agent has queried, including its ``initial`` rows (N×N_init, the same in every round). ``regions`` is the
    sub-region of each of the n rows of the domain, and ``explores`` the one that each agent started in. ``selected``
    are the agents that the server drew. ``broadcast`` was sent before this iteration's queries, and is None if agents
    work alone. ``weights`` is P×N. ``epsilon`` is the privacy loss of all broadcasts so far, by moments (by loss
    distributions for a fixed-size sample) and with z as it is set.
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

    ``objectives`` is N×n and holds each agent's noise-free values on the common domain ``points`` (n×d), to be
    maximised. An evaluation adds N(0, ``settings.noise_variance``). The model has mean 0 and variance
    ``settings.kernel.variance``, so centre and scale the values first. This is a simulation, with noise from a
    pseudo-random generator. A round costs O(N(t² + nr)), where r is the numerical rank of the kernel matrix. A run
    takes O(NT(T² + nr) + nr²) time and 8N(T² + T(r + M) + n) bytes. Raises ValueError or DataError on unusable input
    at once, before the first round.
    """
    points = matrix("points", points, least_rows=2)
    objectives = _objectives(objectives, len(points))
    check_sub_regions(points, settings.P, len(objectives), settings.initial)
    return _rounds(objectives, points, settings, Streams.of(rng))


def common(points: Array, settings: Settings, agents: int, rng: np.random.Generator) -> Shared:
    """Return the public facts that ``agents`` agents and their server share, with random features from ``rng``.

    Raises ValueError or DataError if the settings cannot be used on this domain.
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
    """Return `root` and the products of its rows, cached for all runs on the same points."""
    basis = root(np.frombuffer(points).reshape(shape), kernel)
    return basis, products_of(basis)


def _rounds(objectives: Array, points: Array, settings: Settings, streams: Streams) -> Iterator[Round]:
    count, everyone = len(objectives), np.arange(len(objectives))
    shared = common(points, settings, count, streams.features)
    agents = Agents(shared, Dice(streams, count, everyone), settings.initial + settings.iterations)
    server = Server(settings, count, streams)
    best, found = objectives.max(axis=1), np.full(count, -np.inf)

    def evaluate(rows: Rows) -> Array:
        """Let every agent query its row and learn the noisy outcome, and return the regret."""
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

    In theory β_t = B + σ√(2(γ_{t−1} + 1 + log(4/δ))) (Section 3.1, Theorem 1), where δ is `FAILURE_PROBABILITY` and
    γ_{t−1} is bounded from above for the N_init + t − 1 points that an agent has queried by then. O(nT²).
    """
    if settings.beta == "one":
        return np.full(settings.iterations, settings.deviation)
    queried = settings.initial + settings.iterations - 1
    # The information gain of all rows bounds that of any number of queries.
    gains = information_gain(points, settings.kernel, settings.noise_variance, min(queried, len(points))).upper
    known = np.minimum(settings.initial + np.arange(settings.iterations), len(points))
    spread = np.sqrt(2.0 * (gains[known - 1] + 1.0 + math.log(4.0 / FAILURE_PROBABILITY)))
    return np.asarray(settings.norm + math.sqrt(settings.noise_variance) * spread)


def _objectives(values: ArrayLike, n: int) -> Array:
    try:
        objectives = matrix("objectives", values)
    except DataError:
        with suppress(TypeError):  # Rows without a length are a fault of another kind.
            lengths = [len(row) for row in values]  # type: ignore[union-attr, arg-type]
            for agent, length in enumerate(lengths):
                if length != lengths[0]:
                    raise DataError(
                        f"objectives: agent 0 has {lengths[0]} values and agent {agent} has {length}. All agents must "
                        "have values on the same grid."
                    ) from None
        raise
    check_agents(len(objectives))
    if objectives.shape[1] != n:
        raise DataError(
            f"objectives has {objectives.shape[1]} values for each agent. The domain has {n} points, and one value "
            "for each is needed."
        )
    return objectives
