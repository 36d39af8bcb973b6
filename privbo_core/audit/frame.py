"""The attack on a frame that follows the data: one record moves by a hidden change, and every released row shows it."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.audit.lower_bound import Audited
from privbo_core.audit.outsourced import Released, Releasing
from privbo_core.data import Frame
from privbo_core.errors import Array, DataError, matrix
from privbo_core.outsourced import hardest_move, noisy_release
from privbo_core.outsourced.follow import following


def likelihood_ratio_attack(release: Releasing, here: ArrayLike, there: ArrayLike) -> Audited:
    """Return the best test there is between two datasets whose rows before noise are ``here`` and ``there``, both n×d.

    For releases that add the same Gaussian noise to every entry. The likelihood ratio of Z grows with its coordinate
    along the line from ``here`` to ``there``; 0 is half-way. Where the two are the same no test tells them apart, and
    any direction is as good. In the units of Z, O(nd) a trial beside the release. Raises DataError for two shapes.
    """
    a, b = matrix("here", here), matrix("there", there)
    if a.shape != b.shape:
        raise DataError(f"here has shape {a.shape} and there {b.shape}; they must have the same.")
    apart = b - a if (a != b).any() else np.ones_like(a)
    middle, direction = (a + b) / 2.0, apart / np.linalg.norm(apart)

    def attack(data: Array, trials: int, rng: np.random.Generator) -> Array:
        return np.array([float(((release(data, rng).Z - middle) * direction).sum()) for _ in range(trials)])

    return attack


def frame_attack(
    data: ArrayLike, frame: Frame, epsilon: float, delta: float, *, follows: bool
) -> tuple[Audited, Array, Array]:
    """Return the attack on a noisy release in a frame, and the two datasets (n×d, original units) it is to tell apart.

    They differ in one record by one hidden change: the one that matters most if the frame were read off the data.
    ``follows``: whether it is, so that each dataset is released in a frame of its own; otherwise both are released in
    ``frame``. The datasets are the same either way. For `gaussian_lower_bound` and `epsilon_lower_bound`; each trial is
    a whole release, O(nd). A frame that is known beforehand may clip the move away altogether.
    """
    x = matrix("data", data, least_rows=2)
    read = following(Frame(tuple(replace(column, known_from="") for column in frame.columns)), x)
    move = hardest_move(x, lambda other: read(other).place(other), frame.hide)

    def placed(other: Array) -> tuple[Array, Array]:
        used = read(other) if follows else frame
        return used.place(other), used.bounds

    def release(other: Array, rng: np.random.Generator) -> Released:
        rows, bounds = placed(other)
        return noisy_release(rows, epsilon, delta, bounds=bounds, rng=rng)

    attack = likelihood_ratio_attack(release, placed(x)[0], placed(move.neighbour)[0])
    return attack, x, move.neighbour
