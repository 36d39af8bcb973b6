"""What everybody knows before the first colour is rated: the scale, the agents' model, the server's settings."""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.classroom.favourite.colours import points
from privbo_core.errors import Array
from privbo_core.federated import Settings
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
