"""The agents' part (Algorithm 2): what each knows, what it sends, what it asks for. One object for any number of them.

A simulation holds all N agents in one `Agents`, so that they are computed at once. An agent on a machine of its own is
the same object with one agent in it.
"""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privbo_core.errors import Array
from privbo_core.federated.beliefs import Beliefs, Rows, in_blocks
from privbo_core.federated.settings import Settings


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

    @property
    def state(self) -> dict[str, Any]:
        """How far each stream has got, as plain values."""
        return {each.name: getattr(self, each.name).bit_generator.state for each in fields(self)}

    def go_on(self, state: dict[str, Any]) -> None:
        """Go on from a `state` of such streams."""
        for each in fields(self):
            getattr(self, each.name).bit_generator.state = state[each.name]


@dataclass(frozen=True, eq=False)
class Dice:
    """The random numbers of the agents ``numbers`` among ``everybody``: theirs of what is drawn for all at once."""

    streams: Streams
    everybody: int
    numbers: Rows

    def uniform(self, stream: str, *shape: int) -> Array:
        """Return uniform numbers of the given shape for each agent."""
        return self._theirs(getattr(self.streams, stream).random((self.everybody, *shape)))

    def normal(self, stream: str, *shape: int) -> Array:
        """Return standard normal numbers of the given shape for each agent."""
        return self._theirs(getattr(self.streams, stream).standard_normal((self.everybody, *shape)))

    def _theirs(self, drawn: Array) -> Array:
        return drawn if len(self.numbers) == self.everybody else drawn[self.numbers]


@dataclass(frozen=True, eq=False)
class Shared:
    """What all agents and the server know: nothing in it comes from anybody's values.

    ``basis``: a root of the kernel matrix of the n rows; ``phi``: the n×M random features; ``regions``: the sub-region
    of each row; ``deviations``: β_t for t = 1, …, T. ``explores`` is the sub-region of each of the N agents.
    """

    settings: Settings
    agents: int
    basis: Array
    phi: Array
    regions: Rows
    deviations: Array

    @property
    def explores(self) -> Rows:
        """The sub-region that each of the N agents explores."""
        return np.arange(self.agents) % self.settings.P

    def promised(self, vectors: Array) -> Array:
        """Return what the server's vectors (P×M) say of each of the n rows: φ(x)·ω^{(i)}, i the region of x."""
        return np.asarray(np.einsum("nm,nm->n", self.phi, vectors[self.regions]))


class Agents:
    """The agents of some ``dice``, each with its own beliefs; ``more`` is how many observations they may still make."""

    def __init__(self, shared: Shared, dice: Dice, more: int) -> None:
        self.shared, self.dice = shared, dice
        count, ridge = len(dice.numbers), shared.settings.regularisation
        self._own = Beliefs(shared.basis, ridge, count, more)
        self._sent = None if shared.settings.alone else Beliefs(shared.phi, ridge, count, more)

    def begin(self) -> Rows:
        """Return each agent's initial rows, drawn uniformly from its sub-region: agents×N_init."""
        shared = self.shared
        explores, regions = shared.explores[self.dice.numbers], shared.regions
        if shared.settings.start == "anywhere":
            # All agents begin in one region that holds all rows.
            explores, regions = 0 * explores, 0 * regions
        keys = self.dice.uniform("initial", len(regions))
        return first_rows(keys, explores, regions, shared.settings.initial)

    def observe(self, rows: Rows, outcomes: Array) -> None:
        """Add an outcome to what each agent knows, and to what its vector is drawn from."""
        self._own.observe(rows, outcomes)
        if self._sent is not None:
            self._sent.observe(rows, outcomes)

    def vectors(self) -> Array:
        """Return ω_n for each agent, drawn from its posterior of the random features; not clipped yet."""
        assert self._sent is not None, "agents that work alone send nothing"
        return self._drawn("vectors", self._sent, 1.0)

    def asks(self, t: int, vectors: Array | None) -> tuple[Rows, NDArray[np.bool_]]:
        """Return the row that each agent asks for at iteration ``t``, and whether the server's ``vectors`` chose it."""
        shared = self.shared
        coins = self.dice.uniform("coins")
        # Everybody's draws are made whether they are used or not, so that the dice are the same in every variant.
        weights = self._drawn("own", self._own, float(shared.deviations[t - 1]))
        follow = np.asarray(coins < shared.settings.follows(t))
        if vectors is None:
            follow[:] = False
        rows = np.empty(len(follow), dtype=np.int64)
        if vectors is not None:
            rows[follow] = shared.promised(vectors).argmax()
        rows[~follow] = best_rows(weights[~follow], self._own.features)
        return rows, follow

    def _drawn(self, stream: str, beliefs: Beliefs, deviation: float) -> Array:
        prior = self.dice.normal(stream, beliefs.features.shape[1])
        return beliefs.drawn(prior, self.dice.normal(stream, beliefs.t), deviation)


def best_rows(weights: Array, features: Array) -> Rows:
    """Return the row that each of some functions, given by their ``weights``, is highest at."""
    best = np.empty(len(weights), dtype=np.int64)

    def compare(some: slice) -> None:
        best[some] = (weights[some] @ features.T).argmax(axis=1)

    in_blocks(len(weights), compare)
    return best


def initial_rows(explores: Rows, regions: Rows, count: int, rng: np.random.Generator) -> Rows:
    """Return N×``count`` rows: for each agent, distinct ones drawn uniformly from its own sub-region."""
    return first_rows(rng.random((len(explores), len(regions))), explores, regions, count)


def first_rows(keys: Array, explores: Rows, regions: Rows, count: int) -> Rows:
    """Return `initial_rows` by one uniform number for each agent and row (N×n), which are used up."""
    keys[regions[None, :] != explores[:, None]] += 1.0
    # The smallest keys belong to the region, which holds at least ``count`` points.
    return np.argpartition(keys, count - 1, axis=1)[:, :count].astype(np.int64)
