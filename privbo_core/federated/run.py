"""The rounds: what agents and server do, one iteration at a time, all agents at once (Algorithms 1 and 2)."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privbo_core.bo import information_gain
from privbo_core.errors import Array, DataError, matrix
from privbo_core.federated.beliefs import Beliefs, Rows
from privbo_core.federated.promise import losses
from privbo_core.federated.regions import check_sub_regions
from privbo_core.federated.server import Broadcast, aggregate, noise_multiplier, region_weights, select, temperature
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


@dataclass(frozen=True, eq=False)
class Streams:
    """One random stream for each purpose, so that runs with different settings share their dice."""

    features: np.random.Generator
    initial: np.random.Generator
    noise: np.random.Generator
    coins: np.random.Generator
    own: np.random.Generator
    vectors: np.random.Generator
    selection: np.random.Generator
    server: np.random.Generator

    @classmethod
    def of(cls, rng: np.random.Generator) -> "Streams":
        """Spawn the streams from one generator."""
        return cls(*rng.spawn(8))


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
    agents = len(objectives)
    regions = check_sub_regions(points, settings.P, agents, settings.initial)
    return _rounds(objectives, points, regions, settings, Streams.of(rng))


def _rounds(objectives: Array, points: Array, regions: Rows, settings: Settings, streams: Streams) -> Iterator[Round]:
    agents, everyone = len(objectives), np.arange(len(objectives))
    evaluations = settings.initial + settings.iterations
    phi = random_features(points, settings.kernel, settings.features, streams.features)
    own = Beliefs(root(points, settings.kernel), settings.regularisation, agents, evaluations)
    shared = Beliefs(phi, settings.regularisation, agents, evaluations)
    deviations = deviation_schedule(points, settings)
    best, found = objectives.max(axis=1), np.full(agents, -np.inf)

    def evaluate(rows: Rows) -> Array:
        """Every agent queries its row, learns the noisy outcome, and pays the regret returned."""
        values = objectives[everyone, rows]
        outcomes = values + np.sqrt(settings.noise_variance) * streams.noise.standard_normal(agents)
        own.observe(rows, outcomes)
        if not settings.alone:
            shared.observe(rows, outcomes)
        np.maximum(found, values, out=found)
        return np.asarray(best - values)

    explores = everyone % settings.P
    # Where points may come from anywhere, all agents begin in one region that holds all rows.
    anywhere = settings.start == "anywhere"
    begin, parts = (0 * explores, 0 * regions) if anywhere else (explores, regions)
    initial = initial_rows(begin, parts, settings.initial, streams.initial)
    for column in initial.T:
        evaluate(column)
    epsilons = losses(settings, agents)
    for t in range(1, settings.iterations + 1):
        weights = region_weights(explores, settings.P, settings.a, temperature(t, settings.hold, settings.fade))
        follow = streams.coins.random(agents) < settings.follows(t)
        # Everybody's draws are made whether they are used or not, so that the dice are the same in every variant.
        queries = _argmax(own.draw(streams.own, float(deviations[t - 1])), own.features)
        selected, broadcast = np.zeros(agents, dtype=bool), None
        if not settings.alone:
            selected, rate = select(settings, agents, streams.selection)
            broadcast = aggregate(
                shared.draw(streams.vectors),
                selected,
                weights,
                rate=rate,
                S=settings.S,
                z=noise_multiplier(settings, weights),
                normals=streams.server.standard_normal((settings.P, settings.features)),
            )
            promised = np.einsum("nm,nm->n", phi, broadcast.vectors[regions])
            queries = np.where(follow, promised.argmax(), queries)
        regret = evaluate(queries)
        yield Round(
            t=t,
            queries=queries,
            followed=follow,
            regret=regret,
            simple_regret=best - found,
            initial=initial,
            regions=regions,
            explores=explores,
            selected=selected,
            broadcast=broadcast,
            weights=weights,
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


def initial_rows(explores: Rows, regions: Rows, count: int, rng: np.random.Generator) -> Rows:
    """Return N×``count`` rows: for each agent, distinct ones drawn uniformly from its own sub-region."""
    keys = rng.random((len(explores), len(regions)))
    keys[regions[None, :] != explores[:, None]] += 1.0
    # The smallest keys belong to the region, which holds at least ``count`` points.
    return np.argpartition(keys, count - 1, axis=1)[:, :count].astype(np.int64)


def _argmax(weights: Array, features: Array) -> Rows:
    return np.asarray((weights @ features.T).argmax(axis=1))
