"""The rounds of agents and server, one iteration at a time for all agents at once (Algorithms 1 and 2)."""

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privbo_core.bo import information_gain
from privbo_core.errors import Array, DataError, matrix
from privbo_core.federated.accounting import losses
from privbo_core.federated.agents import Agents, RandomNumbers, Rows, Shared, Streams, products_of
from privbo_core.federated.server import Broadcast, Server
from privbo_core.federated.settings import Settings, check_agents
from privbo_core.federated.sub_regions import check_sub_regions
from privbo_core.gp import Kernel, random_features, root

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
    distributions for a fixed-size sample) and for the z of the settings.
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
    agents = Agents(shared, RandomNumbers(streams, count, everyone), settings.initial + settings.iterations)
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
