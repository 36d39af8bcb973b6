"""What a long table says of each agent: values on one grid, or a model's there if each was measured elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.linalg import cho_solve, cholesky
from threadpoolctl import threadpool_limits

from privbo_core.data.rows import averaged, usable
from privbo_core.errors import Array, DataError
from privbo_core.gp import SquaredExponential, fit
from privbo_core.gp.kernels import covariance

FITTED_AGENTS = 5  # The kernel is fitted to this many agents' values, one by one; a fit takes about half a second.
LEAST_NOISE = 1e-6
"""A smaller noise variance adds nothing to what an agent knows, and much to rounding errors of its linear algebra."""
MOST_POINTS, THINNED = 400, 300
"""All points at which anybody measured are the grid, up to so many; of more, so many that lie evenly are taken."""
FEWEST = 3  # An agent with fewer points says too little for a model of its own.
MOST_OF_AN_AGENT = 500  # So many of an agent's points are used at most: a model costs their number cubed.


@dataclass(frozen=True, eq=False)
class Measured:
    """Agents' mean values where they were measured: ``points`` (m×d) and ``means`` (m), each of agent ``who``.

    ``counts``: of how many rows each value is the mean. ``variance``: of one row among repeats, None where none are.
    """

    agents: tuple[str, ...]
    who: NDArray[np.int64]
    points: Array
    means: Array
    counts: NDArray[np.int64]
    variance: float | None
    notes: tuple[str, ...]

    @cached_property
    def _places(self) -> tuple[Array, NDArray[np.int64]]:
        """The grid, and the place on it of each of the points."""
        grid, place = np.unique(self.points, axis=0, return_inverse=True)
        return grid, place.ravel()

    @property
    def grid(self) -> Array:
        """The points at which anybody was measured, each once."""
        return self._places[0]

    @property
    def shared(self) -> bool:
        """Whether every agent was measured at every point of the grid."""
        return len(self.means) == len(self.agents) * len(self.grid)

    def on_grid(self) -> Array:
        """Return the N×n values where the grid is shared."""
        objectives = np.empty((len(self.agents), len(self.grid)))
        objectives[self.who, self._places[1]] = self.means
        return objectives

    def centred(self) -> Array:
        """Return the values minus the mean of their agent."""
        sums = np.bincount(self.who, weights=self.means)
        return np.asarray(self.means - (sums / np.bincount(self.who))[self.who])


def measured(table: pd.DataFrame, agent: str, parameters: Sequence[str], output: str, *, sign: float) -> Measured:
    """Return what a long table says of each agent, times ``sign``. Rows with an unusable cell are left out and counted.

    Raises DataError, naming the column, if hardly a row is usable, or fewer than two agents are named.
    """
    read = usable(table, [*parameters, output], [agent])
    labels, names = pd.factorize(read.labels[0])
    if len(names) < 2:
        raise DataError(f"column {agent!r} names {len(names)} agent; it takes at least 2 to learn from each other.")
    keys = list(zip(labels.tolist(), map(tuple, read.amounts[:, :-1].tolist()), strict=True))
    means = averaged(keys, sign * read.amounts[:, -1])
    notes = (*read.notes, *(() if means.variance is None else (means.note("points of an agent"),)))
    points = read.amounts[means.rows, :-1]
    who = labels[means.rows].astype(np.int64)
    return Measured(tuple(map(str, names)), who, points, means.means, means.counts, means.variance, notes)


def model_of(found: Measured, scaled: Array, on_grid: tuple[Array, Array] | None) -> tuple[Array, float]:
    """Return length-scales and noise variance: geometric means of the fits to a few agents spread over the table.

    ``scaled``: the values, centred and in units of their spread; ``on_grid``: grid and objectives where it is shared.
    """
    if on_grid is not None:
        original, objectives = on_grid
        moving = np.flatnonzero(objectives.std(axis=1) > 1e-9)
        parts = [(original, objectives[n]) for n in _few(moving)]
    else:
        every = [(found.points[found.who == n], scaled[found.who == n]) for n in range(len(found.agents))]
        able = sorted((n for n, part in enumerate(every) if _varies(*part)), key=lambda n: -len(every[n][1]))
        able = sorted(able[: max(FITTED_AGENTS, len(able) // 2)])
        parts = [every[n] for n in _few(np.array(able, dtype=int))] or [(found.points, scaled)]
    fits = [fit(points, values, restarts=1, subset=225) for points, values in parts]
    lengthscales = np.exp(np.mean([np.log(each.lengthscales) for each in fits], axis=0))
    noise = float(np.exp(np.mean([np.log(each.noise_variance) for each in fits])))
    return lengthscales, max(noise, LEAST_NOISE)


def _few(agents: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.asarray(agents[np.unique(np.linspace(0, len(agents) - 1, min(FITTED_AGENTS, len(agents))).astype(int))])


def _varies(points: Array, values: Array) -> bool:
    return len(values) > 2 * points.shape[1] and bool((np.ptp(points, axis=0) > 0).all()) and float(values.std()) > 1e-9


def enough(found: Measured) -> Measured:
    """Return the agents with points enough for a model of their own, and say how many were left out."""
    many = np.bincount(found.who, minlength=len(found.agents)) >= FEWEST
    if many.all():
        return found
    if many.sum() < 2:
        raise DataError(
            f"the agents were measured at different points, and {int(many.sum())} of {len(many)} at {FEWEST} or more: "
            "each needs some for a model of its own, or all the same points."
        )
    keep, number = many[found.who], np.cumsum(many) - 1
    left = int((~many).sum())
    whom = "1 agent" if left == 1 else f"{left:,} agents"
    said = f"{whom} with fewer than {FEWEST} points {'is' if left == 1 else 'are'} left out."
    return Measured(
        tuple(name for name, kept in zip(found.agents, many, strict=True) if kept),
        number[found.who[keep]], found.points[keep], found.means[keep], found.counts[keep], found.variance,
        (*found.notes, said),
    )  # fmt: skip


def common_grid(points: Array) -> Array:
    """Return points for all agents alike: where anybody was measured, thinned evenly if that is in too many places."""
    if len(points) <= MOST_POINTS:
        return points
    spread = np.ptp(points, axis=0)
    scaled = (points - points.min(axis=0)) / np.where(spread > 0, spread, 1.0)
    chosen = [int(((scaled - 0.5) ** 2).sum(axis=1).argmin())]
    nearest = ((scaled - scaled[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < THINNED:
        chosen.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, ((scaled - scaled[chosen[-1]]) ** 2).sum(axis=1))
    return np.asarray(points[np.sort(chosen)])


def read_off(found: Measured, scaled: Array, grid: Array, lengthscales: Array, noise: float) -> tuple[Array, float]:
    """Return each agent's posterior mean on the grid (N×n), by its own values alone, and how far it is off its values.

    The latter is the root mean square, over all agents, of a value minus its prediction from the agent's others.
    O(Σ m³ + n Σ m), m points of an agent.
    """
    kernel = SquaredExponential(1.0)
    at, objectives, missed = grid / lengthscales, np.empty((len(found.agents), len(grid))), []
    with threadpool_limits(1, user_api="blas"):
        for n in range(len(found.agents)):
            rows = np.flatnonzero(found.who == n)
            rows = rows[np.unique(np.linspace(0, len(rows) - 1, min(MOST_OF_AN_AGENT, len(rows))).astype(int))]
            x = found.points[rows] / lengthscales
            k = covariance(kernel, x, x)
            k[np.diag_indices(len(k))] += noise / found.counts[rows] + 1e-10
            lower = cholesky(k, lower=True)
            weights = cho_solve((lower, True), scaled[rows])
            objectives[n] = covariance(kernel, at, x) @ weights
            inverse = np.diag(cho_solve((lower, True), np.eye(len(k))))
            missed.append((weights / inverse) ** 2)
    return objectives, float(np.sqrt(np.concatenate(missed).mean()))
