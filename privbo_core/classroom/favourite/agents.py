"""The agents: each pupil with beliefs of its own, the simulated ones together, for their histories are as long."""

import numpy as np

from privbo_core.classroom.favourite.model import OWN, ROUNDS, exact_features, outcome, settings
from privbo_core.errors import Array
from privbo_core.federated import Beliefs
from privbo_core.federated.agents import Rows


class Agents:
    """Agents in groups, whose members have histories of one length. Seats are numbered as they are taken.

    ``phi``: the features that all share, n×M. Whoever is silent sends nothing but keeps the seat: the number of agents
    is public, and stays.
    """

    def __init__(self, phi: Array) -> None:
        self.phi = phi
        self._groups: list[tuple[slice, Beliefs, Beliefs]] = []
        self._silent: set[int] = set()
        self.count = 0

    def seat(self, members: int) -> int:
        """Give seats to a group and return its number."""
        noise, capacity = settings(0.0).regularisation, OWN + ROUNDS
        place = slice(self.count, self.count + members)
        own, shared = (Beliefs(each, noise, members, capacity) for each in (exact_features(), self.phi))
        self._groups.append((place, own, shared))
        self.count += members
        return len(self._groups) - 1

    def observe(self, group: int, rows: Rows, ratings: Array) -> None:
        """Let each member of a group learn one rating."""
        _, own, shared = self._groups[group]
        own.observe(rows, outcome(ratings))
        shared.observe(rows, outcome(ratings))

    def silence(self, group: int) -> None:
        """Forget what a group has learnt; it keeps its seats and says nothing more."""
        place, own, shared = self._groups[group]
        nothing = (Beliefs(each.features, each.noise_variance, 1, 1) for each in (own, shared))
        self._groups[group] = (place, next(nothing), next(nothing))
        self._silent.add(group)

    def wishes(self, rng: np.random.Generator, deviation: float) -> Rows:
        """Return the colour that each would ask for by a draw of its own beliefs."""
        drawn = self._drawn([own for _, own, _ in self._groups], rng, deviation)
        return np.asarray((drawn @ exact_features().T).argmax(axis=1))

    def vectors(self, rng: np.random.Generator) -> Array:
        """Return what each sends to the server: a draw of its beliefs, N×M; nothing from the silent."""
        return self._drawn([shared for _, _, shared in self._groups], rng, 1.0)

    def _drawn(self, beliefs: list[Beliefs], rng: np.random.Generator, deviation: float) -> Array:
        """Return `Beliefs.draw` for everybody, with the dice of as many histories of the longest length."""
        prior = deviation * rng.standard_normal((self.count, beliefs[0].features.shape[1]))
        noise = rng.standard_normal((self.count, max(each.t for each in beliefs)))
        drawn = np.zeros_like(prior)
        for number, each in enumerate(beliefs):
            if number not in self._silent:
                place = self._groups[number][0]
                slips = deviation * np.sqrt(each.noise_variance) * noise[place, : each.t]
                drawn[place] = each.given(prior[place], slips)
        return drawn
