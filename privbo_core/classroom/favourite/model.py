"""What everybody knows before the first colour is rated: the colours, the agents' model, the settings; and a crowd."""

import colorsys
import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.errors import Array
from privbo_core.federated import Settings
from privbo_core.federated.agents import Rows
from privbo_core.federated.run import deviation_schedule
from privbo_core.gp import SquaredExponential, root

RATINGS = 5
"""Answers that a colour can be given: 0 (not at all) … 4 (very much)."""
MIDDLE, UNIT = 2.0, 1.0
"""A rating is MIDDLE + UNIT times what the model is about, whose standard deviation is 1."""
OWN, ROUNDS = 6, 8
"""Colours that each agent rates of its own at first, and rounds."""
SLIPS = 0.1
"""Variance of how somebody would rate the same colour another time, in units of the model."""
ROUNDING = (1.0 / UNIT) ** 2 / 12.0
"""Variance that whole ratings add."""


@lru_cache(maxsize=16)
def settings(z: float) -> Settings:
    """Return the settings of a run with noise multiplier z. Without noise it is the same server."""
    kernel = SquaredExponential(0.25)
    return Settings(
        kernel, SLIPS + ROUNDING, iterations=ROUNDS, initial=OWN, features=50, q=0.5, z=z, S=8.0, P=1, decay=0.5
    )


def outcome(ratings: ArrayLike) -> Array:
    """Return ratings in units of the model."""
    return (np.asarray(ratings, dtype=float) - MIDDLE) / UNIT


@lru_cache(maxsize=1)
def exact_features() -> Array:
    """Return features with which the agents' own beliefs are exact."""
    return root(points(), settings(0.0).kernel)


@lru_cache(maxsize=1)
def deviations() -> Array:
    """Return how far own draws stray, for each round."""
    return deviation_schedule(points(), settings(0.0))


HUES, LIGHTNESSES = 24, 12
COUNT = HUES * LIGHTNESSES
SATURATION = 0.72
DARKEST, LIGHTEST = 0.18, 0.9
HUE = np.repeat(np.arange(HUES), LIGHTNESSES)
LIGHTNESS = np.tile(np.arange(LIGHTNESSES), HUES)
"""The hue and the lightness of each row, as numbers of their steps."""


def points() -> Array:
    """Return where the colours lie for the model, 288×3: hues on a circle, lightness from 0 to 1.

    The circle is 1 around, so that half of it is about as far as from dark to the middle, and the last hue is beside
    the first.
    """
    angle, radius = 2.0 * math.pi * HUE / HUES, 1.0 / (2.0 * math.pi)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle), LIGHTNESS / (LIGHTNESSES - 1)])


def code(row: int) -> str:
    """Return the colour of a row as screens write it."""
    lightness = DARKEST + (LIGHTEST - DARKEST) * float(LIGHTNESS[row]) / (LIGHTNESSES - 1)
    parts = colorsys.hls_to_rgb(float(HUE[row]) / HUES, lightness, SATURATION)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


CODES = tuple(code(row) for row in range(COUNT))
"""All of them."""


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
