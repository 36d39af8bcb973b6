"""The rounds of one run: federated's own server, among the agents of a class."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from privbo_core.classroom.favourite.agents import Agents
from privbo_core.classroom.favourite.ledger import evidence
from privbo_core.classroom.favourite.model import deviations, points
from privbo_core.errors import Array
from privbo_core.federated import Broadcast, Settings, aggregate, region_weights, temperature
from privbo_core.federated.agents import Rows, Streams, initial_rows
from privbo_core.federated.server import noise_multiplier, publish, select, select_for_real
from privbo_core.gp import random_features

DRAWS = 400
"""Draws of what the class may like, given the broadcasts."""


class Dice:
    """Where chance comes from. Without ``rng``, the server's draw and noise come from the operating system.

    With ``rng`` everything can be repeated: for tests, and for measuring. Then nothing is hidden by it.
    """

    def __init__(self, rng: np.random.Generator | None = None) -> None:
        self.repeated = rng is not None
        self.streams = Streams.of(np.random.default_rng() if rng is None else rng)

    def select(self, each: Settings, agents: int) -> tuple[NDArray[np.bool_], float]:
        """Return whom the server draws, and the rate."""
        return select(each, agents, self.streams.selection) if self.repeated else select_for_real(each, agents)

    def broadcast(
        self, sent: Array, selected: NDArray[np.bool_], weights: Array, rate: float, each: Settings
    ) -> Broadcast:
        """Return what the server sends."""
        z = noise_multiplier(each, weights)
        if not self.repeated:
            return publish(sent, selected, weights, rate=rate, S=each.S, z=z)
        normals = self.streams.server.standard_normal((len(weights), sent.shape[1]))
        return aggregate(sent, selected, weights, rate=rate, S=each.S, z=z, normals=normals)

    def first_rows(self, agents: int, count: int) -> Rows:
        """Return the colours that each agent rates at first: distinct ones, agents×``count``."""
        everybody, everywhere = np.zeros(agents, dtype=np.int64), np.zeros(len(points()), dtype=np.int64)
        return initial_rows(everybody, everywhere, count, self.streams.initial)

    def features(self, each: Settings) -> Array:
        """Return the features that all agents share."""
        return random_features(points(), each.kernel, each.features, self.streams.features)


@dataclass(frozen=True, eq=False)
class Asked:
    """Round ``t``: the colour that each agent is asked for, who follows the server, whom it drew, what it sent."""

    t: int
    rows: Rows
    follows: NDArray[np.bool_]
    selected: NDArray[np.bool_]
    broadcast: Broadcast


class Rounds:
    """One run. ``evidence``: what an observer has found out about each agent so far (`observer.evidence`).

    ``average`` is the mean of all broadcasts so far, ``named`` the colours that it was highest at, round by round.
    """

    def __init__(self, agents: Agents, each: Settings, dice: Dice) -> None:
        self.agents, self.settings, self._dice = agents, each, dice
        self.t = 0
        self.evidence: Array = np.zeros(agents.count)
        self.average: Array = np.zeros(each.features)
        self.named: list[int] = []
        self._deviation = 0.0

    def next(self) -> Asked:
        """Let the server draw, sum, add noise and send, and return what everybody is asked then."""
        each, agents, streams = self.settings, self.agents, self._dice.streams
        self.t += 1
        weights = region_weights(
            np.zeros(agents.count, dtype=np.int64), 1, each.a, temperature(self.t, each.hold, each.fade)
        )
        follows = streams.coins.random(agents.count) < each.follows(self.t)
        wishes = agents.wishes(streams.own, float(deviations()[self.t - 1]))
        selected, rate = self._dice.select(each, agents.count)
        sent = agents.vectors(streams.vectors)
        broadcast = self._dice.broadcast(sent, selected, weights, rate, each)
        self.evidence += evidence(sent, selected, weights, broadcast, each)
        self._deviation = broadcast.noise_deviation
        self.average += (broadcast.vectors[0] - self.average) / self.t
        self.named.append(int((agents.phi @ self.average).argmax()))
        said = int((agents.phi @ broadcast.vectors[0]).argmax())
        return Asked(self.t, np.where(follows, said, wishes), follows, selected, broadcast)

    def belief(self) -> Array:
        """Return with what probability each colour is the class's favourite, from the broadcasts alone.

        The average of t broadcasts is the class's weights plus the server's noise and what agents differ by, at most
        1/(qN) in each coordinate: (σ² + 1/(qN))/t in all.
        """
        spread = self._deviation**2 + 1.0 / (self.settings.q * self.agents.count)
        return believed(self.average, spread / self.t, self.agents.phi)


def believed(average: Array, variance: float, phi: Array) -> Array:
    """Return with what probability φ(x)·w is highest at each x, if w ~ N(0, I) and ``average`` ~ N(w, ``variance`` I).

    Shares of `DRAWS` draws, the same draws every time: this follows from what is public, and looks alike to everybody.
    """
    shrunk = 1.0 / (1.0 + variance)
    normals = np.random.default_rng(0).standard_normal((DRAWS, len(average)))
    best = ((shrunk * average + np.sqrt(shrunk * variance) * normals) @ phi.T).argmax(axis=1)
    return np.asarray(np.bincount(best, minlength=len(phi)) / DRAWS)
