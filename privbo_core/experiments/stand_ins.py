"""Drawn stand-ins for data that are not public: inputs with the σ_min that a paper's condition implies, and a function.

The paper's loans and homes are not public. Its text states n, d and the largest row norm (25). The largest r that meets
the condition at three values of ε bounds σ_min from both sides. Everything else here is our choice.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from privbo_core.data import Problem
from privbo_core.data.problem import MAX_NORM
from privbo_core.errors import Array
from privbo_core.gp import SquaredExponential
from privbo_core.outsourced import omega

WAVES = 500
"""The number of random waves in a function, whose sum has the kernel's covariance and is nearly Gaussian."""
WAVES_AT_A_TIME = 100  # Limits the memory that a draw needs.


@dataclass(frozen=True)
class MadeUp:
    """The settings of a stand-in with ``n`` rows and 1 + len(``widths``) columns.

    The paper's bounds for σ_min follow from ``delta`` and ``log_epsilons``, with the largest printed r that meets the
    condition (``edges``) and the next printed r (``beyond``) at each ε.

    ``widths`` are the standard deviations of all columns but the first, relative to the smallest. The first column is
    as wide as the largest norm allows. ``lengthscale`` applies to inputs with norm 25. ``noise_variance`` is the
    model's, in units of σ_y² = 1. If ``rough``, the rows' values contain such noise, as those of a real table do.
    """

    n: int
    delta: float
    log_epsilons: tuple[float, ...]
    edges: tuple[int, ...]
    beyond: tuple[int, ...]
    widths: tuple[float, ...]
    lengthscale: float
    noise_variance: float
    rough: bool

    @property
    def interval(self) -> tuple[float, float]:
        """Return the bounds of σ_min: the largest ω that the paper's data meet and the smallest that they do not."""
        met = [omega(math.exp(at), self.delta, r) for at, r in zip(self.log_epsilons, self.edges, strict=True)]
        missed = [omega(math.exp(at), self.delta, r) for at, r in zip(self.log_epsilons, self.beyond, strict=True)]
        return max(met), min(missed)

    @property
    def sigma_min(self) -> float:
        """Return the geometric mean of the bounds."""
        return math.sqrt(math.prod(self.interval))

    def inputs(self, rng: np.random.Generator) -> Array:
        """Draw n×d centred normal inputs with σ_min as set and 25 as the largest row norm, in O(nd²)."""
        normals = rng.standard_normal((self.n, 1 + len(self.widths)))
        white = np.linalg.qr(normals - normals.mean(axis=0))[0] * math.sqrt(self.n)
        rest = white[:, 1:] * (np.array(self.widths) * self.sigma_min / math.sqrt(self.n))
        remaining = np.maximum(MAX_NORM**2 - (rest**2).sum(axis=1), 0.0)
        return np.column_stack([white[:, 0] * np.sqrt(remaining / white[:, 0] ** 2).min(), rest])

    def values(self, points: Array, rng: np.random.Generator) -> Array:
        """Draw a function as a sum of random waves and return its values at the points, with noise if ``rough``."""
        directions = rng.standard_normal((WAVES, points.shape[1])) / self.lengthscale
        phases, weights = rng.uniform(0.0, 2.0 * math.pi, WAVES), rng.standard_normal(WAVES) * math.sqrt(2.0 / WAVES)
        values = np.zeros(len(points))
        for first in range(0, WAVES, WAVES_AT_A_TIME):
            some = slice(first, first + WAVES_AT_A_TIME)
            values += np.cos(points @ directions[some].T + phases[some]) @ weights[some]
        noise = rng.standard_normal(len(points))
        return values + math.sqrt(self.noise_variance) * noise if self.rough else values


LOANS = MadeUp(36_000, 1e-5, (2.7, 2.9, 3.1), (10, 15, 20), (15, 20, 30), (1.55, 1.0), 4.0, 0.01, rough=False)
"""The paper's rows and columns, with the widths of our loans and a smoothness that matches the paper's regret."""
HOMES = MadeUp(2_004, 1e-4, (2.6, 2.8, 3.0), (10, 15, 20), (15, 20, 30), (1.0,), 2.29, 0.25, rough=True)
"""The smoothness of our homes, with noise that lets the search without privacy end near the paper's 0.40 σ_y."""
MADE_UP: Mapping[str, MadeUp] = {
    "smooth loans": LOANS,
    "made-up homes": HOMES,
    "made-up loans": replace(LOANS, lengthscale=3.5),
    "noisy loans": replace(LOANS, lengthscale=11.7, noise_variance=0.9, rough=True),
    "noisy homes": replace(HOMES, noise_variance=0.86),
}
"""The stand-ins by name. The last three are controls, with a rougher function or the noise of our loans and homes."""


@lru_cache(maxsize=8)
def made_up(name: str, seed: int) -> Problem:
    """Draw the inputs and the function of a stand-in from a seed. The loans take about a second."""
    settings = MADE_UP[name]
    inputs, function = np.random.default_rng([31, seed]).spawn(2)
    points = settings.inputs(inputs)
    d = points.shape[1]
    return Problem(
        title=f"M{name[1:]}",
        points=points,
        objective=settings.values(points, function),
        kernel=SquaredExponential(settings.lengthscale),
        noise_variance=settings.noise_variance,
        names=tuple(f"x{j + 1}" for j in range(d)),
        units=("",) * d,
        original=points,
        unit_distance=np.ones(d),
        output="f",
        identity=f"{name}/{seed}",
    )
