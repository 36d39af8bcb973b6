"""Simulated pupils who fill up a class: tastes that resemble each other, rated on the scale that people use."""

import math

import numpy as np

from privbo_core.classroom.favourite.model import MIDDLE, OWN, RATINGS, SLIPS, UNIT, exact_features
from privbo_core.errors import Array
from privbo_core.federated.agents import Rows

RESEMBLE = 0.75
"""Correlation of two pupils' tastes."""


class Crowd:
    """Pupils who do not exist. The first of them stay who they are, however many there are.

    Two tastes are draws of the model's process with correlation `RESEMBLE`: √ρ g + √(1 − ρ) h_k.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._common = self._draw(1)[0]
        self.tastes: Array = np.empty((0, len(self._common)))
        self.own_rows: Rows = np.empty((0, OWN), dtype=np.int64)
        self.own_ratings: Array = np.empty((0, OWN))

    def grow(self, rows: Rows) -> None:
        """Let there be as many as ``rows`` has; who is new rates its ``OWN`` colours at once."""
        new = len(rows) - len(self.tastes)
        if new <= 0:
            return
        tastes = math.sqrt(RESEMBLE) * self._common + math.sqrt(1.0 - RESEMBLE) * self._draw(new)
        before = len(self.tastes)
        self.tastes = np.vstack([self.tastes, tastes])
        self.own_rows = np.vstack([self.own_rows, rows[before:]])
        given = [self.rate(np.arange(before, len(rows)), column) for column in rows[before:].T]
        self.own_ratings = np.vstack([self.own_ratings, np.array(given).T])

    def rate(self, who: Rows, rows: Rows) -> Array:
        """Return how they rate one colour each: whole numbers from 0 to 4."""
        liked = self.tastes[who, rows] + math.sqrt(SLIPS) * self._rng.standard_normal(len(who))
        return np.asarray(np.clip(np.round(MIDDLE + UNIT * liked), 0, RATINGS - 1))

    def _draw(self, count: int) -> Array:
        features = exact_features()
        return np.asarray(self._rng.standard_normal((count, features.shape[1])) @ features.T)
