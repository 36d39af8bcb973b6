"""Stand-ins that are drawn: inputs whose σ_min lies where a paper's condition puts it, and a function on them.

The paper's loans and homes are not at hand. Its text gives away n, d, the largest row norm (25) and, by the largest r
that meets the condition at three ε, an interval for σ_min. Everything else here is a choice, and named.
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
"""A function is a sum of this many random waves: its covariance is that of the kernel, its law nearly Gaussian."""


@dataclass(frozen=True)
class MadeUp:
    """How a stand-in is drawn. ``n`` rows, d = 1 + len(``widths``) columns.

    ``delta``, and ``log_epsilons`` with their ``edges`` (the largest of the printed r that meets the condition) and
    ``beyond`` (the next printed r): what the paper says about σ_min. ``widths``: the columns' spreads but the first's,
    in units of the smallest; the first is as wide as the largest norm allows. ``lengthscale``: in the frame of norm 25.
    ``noise_variance``: in units of σ_y² = 1, the model's; ``rough``: whether the rows' values contain such noise, as
    those of a table do, or are a smooth function's.
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
        """The σ_min that fit the paper: from the largest ω that is met to the smallest that is not."""
        met, missed = (
            [omega(math.exp(at), self.delta, r) for at, r in zip(self.log_epsilons, sizes, strict=True)]
            for sizes in (self.edges, self.beyond)
        )
        return max(met), min(missed)

    @property
    def sigma_min(self) -> float:
        """The geometric mean of the interval's ends."""
        return math.sqrt(math.prod(self.interval))

    def inputs(self, rng: np.random.Generator) -> Array:
        """Return n×d centred inputs, normal, with σ_min exact and the farthest row at 25. O(nd²)."""
        normals = rng.standard_normal((self.n, 1 + len(self.widths)))
        white = np.linalg.qr(normals - normals.mean(axis=0))[0] * math.sqrt(self.n)
        rest = white[:, 1:] * (np.array(self.widths) * self.sigma_min / math.sqrt(self.n))
        room = np.maximum(MAX_NORM**2 - (rest**2).sum(axis=1), 0.0)
        return np.column_stack([white[:, 0] * np.sqrt(room / white[:, 0] ** 2).min(), rest])

    def values(self, points: Array, rng: np.random.Generator) -> Array:
        """Return a draw of the function at the points: a sum of random waves, and noise if the rows are ``rough``."""
        directions = rng.standard_normal((WAVES, points.shape[1])) / self.lengthscale
        phases, weights = rng.uniform(0.0, 2.0 * math.pi, WAVES), rng.standard_normal(WAVES) * math.sqrt(2.0 / WAVES)
        found = np.zeros(len(points))
        for k in range(0, WAVES, 100):  # so that no more than 100 columns are in memory at a time
            found += np.cos(points @ directions[k : k + 100].T + phases[k : k + 100]) @ weights[k : k + 100]
        own = rng.standard_normal(len(points))
        return found + math.sqrt(self.noise_variance) * own if self.rough else found


LOANS = MadeUp(36_000, 1e-5, (2.7, 2.9, 3.1), (10, 15, 20), (15, 20, 30), (1.55, 1.0), 4.0, 0.01, rough=False)
"""As many columns and rows as the paper has; the middle column as wide as in our loans, and as smooth as its regret."""
HOMES = MadeUp(2_004, 1e-4, (2.6, 2.8, 3.0), (10, 15, 20), (15, 20, 30), (1.0,), 2.29, 0.25, rough=True)
"""As smooth as our homes, and as noisy in its rows' values as makes the search without privacy end at 0.40 σ_y."""
MADE_UP: Mapping[str, MadeUp] = {
    "smooth loans": LOANS,
    "made-up homes": HOMES,
    "made-up loans": replace(LOANS, lengthscale=3.5),
    "noisy loans": replace(LOANS, lengthscale=11.7, noise_variance=0.9, rough=True),
    "noisy homes": replace(HOMES, noise_variance=0.86),
}
"""The stand-ins, by the name of their data; the last three are controls: a somewhat rougher function, and
smoothness and noise of our loans and homes."""


@lru_cache(maxsize=8)
def made_up(name: str, seed: int) -> Problem:
    """Return the stand-in of that name that ``seed`` draws: inputs and function both. About a second for the loans."""
    how = MADE_UP[name]
    inputs, function = np.random.default_rng([31, seed]).spawn(2)
    points = how.inputs(inputs)
    d = points.shape[1]
    return Problem(
        title=f"M{name[1:]}",
        points=points,
        objective=how.values(points, function),
        kernel=SquaredExponential(how.lengthscale),
        noise_variance=how.noise_variance,
        names=tuple(f"x{j + 1}" for j in range(d)),
        units=("",) * d,
        original=points,
        unit_distance=np.ones(d),
        output="f",
        identity=f"{name}/{seed}",
    )
