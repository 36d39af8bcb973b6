"""The rounds: what agents and server do, one iteration at a time, all agents at once (Algorithms 1 and 2)."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privbo_core.bo import information_gain
from privbo_core.errors import Array, DataError, matrix
from privbo_core.federated.agents import Agents, Dice, Rows, Shared, Streams
from privbo_core.federated.promise import losses
from privbo_core.federated.regions import check_sub_regions
from privbo_core.federated.server import Broadcast, Server
from privbo_core.federated.settings import Settings, check_agents
from privbo_core.gp import random_features, root

FAILURE = 0.05
"""δ of the paper's Theorem 1: with what probability its regret bound may fail."""


@dataclass(frozen=True, eq=False)
class Round:
    """Iteration ``t`` = 1, …, T. Arrays over the N agents unless said otherwise; regrets in units of the objectives.

    ``queries``: the rows asked. ``followed``: whether the server's vectors chose them. ``regret``: f_n(x*) − f_n(x_t),
    without noise; ``simple_regret``: f_n(x*) minus the best of all that the agent has queried, its ``initial`` rows
    (N×N_init, the same in every round) included. ``regions``: the sub-region of each of the n rows of the domain;
    ``explores``: the one that each agent started in. ``selected``: whom the server drew. ``broadcast``: what it sent
    before this iteration's queries, None where agents work alone. ``weights``: P×N. ``epsilon``: the privacy loss of
    all broadcasts so far, by moments (Rényi for a fixed-size sample) and with z as it is set.
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
    return Shared(
        settings=settings,
        agents=agents,
        basis=root(points, settings.kernel),
        phi=random_features(points, settings.kernel, settings.features, rng),
        regions=check_sub_regions(points, settings.P, agents, settings.initial),
        deviations=deviation_schedule(points, settings),
    )


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
        ragged = _lengths(values)
        if ragged is None:
            raise
        raise DataError(
            f"objectives: agent 0 has {ragged[0]} values and agent {ragged[1]} has {ragged[2]}; "
            "all agents must have values on the same grid."
        ) from None
    check_agents(len(objectives))
    if objectives.shape[1] != n:
        raise DataError(
            f"objectives has {objectives.shape[1]} values for each agent; the domain has {n} points, and one value "
            "for each is needed."
        )
    return objectives


def _lengths(values: ArrayLike) -> tuple[int, int, int] | None:
    """Return the first agent whose number of values differs from agent 0's, if that is what is wrong."""
    try:
        lengths = [len(row) for row in values]  # type: ignore[union-attr, arg-type]
    except TypeError:
        return None
    return next(((lengths[0], agent, m) for agent, m in enumerate(lengths) if m != lengths[0]), None)
