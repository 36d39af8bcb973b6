"""Draw seeded, vectorised noise for simulations. Never publish a draw, because the seed reveals the noise.

Each function draws unit noise that does not depend on ε. The same unit noise can be scaled for every ε, so that a curve
moves because ε moved, and not because the noise was drawn again.
"""

import numpy as np

from privbo_core.errors import Array
from privbo_core.privacy.mechanisms import Choice


def laplace(size: int | tuple[int, ...], rng: np.random.Generator) -> Array:
    """Return draws of Lap(1). Multiplied by b they are Lap(b)."""
    return rng.laplace(size=size)


def gumbel(draws: int, candidates: int, rng: np.random.Generator) -> Array:
    """Return a draws×candidates array of standard Gumbel noise for `select`."""
    return rng.gumbel(size=(draws, candidates))


def select(mechanism: Choice, noise: Array) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return argmax log p_i + G_i for each row G of `gumbel` noise, which is an exact draw from the mechanism.

    The cost is O(draws·candidates).
    """
    return np.asarray((noise + mechanism.log_probabilities).argmax(axis=1), dtype=np.int64)


def gaussian(size: int | tuple[int, ...], rng: np.random.Generator) -> Array:
    """Return draws of N(0, 1). Multiplied by σ they are N(0, σ²)."""
    return rng.standard_normal(size=size)
