"""Rows that a worker makes by itself: it imports this module, so there is nothing else in it."""

import resource

import numpy as np

PIECE = 100_000


def rows(start, stop):
    """Rows of a made-up table, any part of which can be made by itself."""
    parts = []
    for piece in range(start // PIECE, (stop - 1) // PIECE + 1):
        drawn = 5 * np.random.default_rng(piece).standard_normal((PIECE, 3))
        parts.append(drawn[max(0, start - piece * PIECE) : stop - piece * PIECE])
    return np.concatenate(parts)


def unlike_rows(start, stop):
    raise ValueError(f"there are no rows from {start} to {stop}")


def peak():
    """GB of memory that this process has used at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
