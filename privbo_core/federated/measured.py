"""The agents' values in a long table, on one grid, or modelled on one if the agents were measured elsewhere."""

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

FITTED_AGENTS = 5  # The kernel is fitted to the values of this many agents, each in about half a second.
MIN_NOISE_VARIANCE = 1e-6  # With a smaller noise variance, rounding errors of the linear algebra grow.
MAX_GRID_POINTS = 400  # Up to this many, all points of measurement make the grid.
THINNED_GRID_POINTS = 300  # The size of a grid that is thinned evenly because there are more points.
MIN_MODELLED_POINTS = 3  # An agent with fewer points has too few for a model of its own.
MAX_MODELLED_POINTS = 500  # At most this many points of an agent are used, because a model costs their number cubed.


@dataclass(frozen=True, eq=False)
class Measured:
    """Hold the agents' mean values: ``means`` (m) at ``points`` (m×d), each of the agent ``who``.

    ``counts`` is the number of rows behind each mean. ``variance`` is that of one row among repeats, or None if there
    are no repeats.
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
        """Return the grid, and the index of each of the points on it."""
        grid, place = np.unique(self.points, axis=0, return_inverse=True)
        return grid, place.ravel()

    @property
    def grid(self) -> Array:
        """Return the points at which any agent was measured, each once."""
        return self._places[0]

    @property
    def shared(self) -> bool:
        """Return whether every agent was measured at every point of the grid."""
        return len(self.means) == len(self.agents) * len(self.grid)

    def on_grid(self) -> Array:
        """Return the N×n values on a shared grid."""
        objectives = np.empty((len(self.agents), len(self.grid)))
        objectives[self.who, self._places[1]] = self.means
        return objectives

    def centred(self) -> Array:
        """Return the values minus the mean of their agent."""
        sums = np.bincount(self.who, weights=self.means)
        return np.asarray(self.means - (sums / np.bincount(self.who))[self.who])


def measured(table: pd.DataFrame, agent: str, parameters: Sequence[str], output: str, *, sign: float) -> Measured:
    """Return each agent's mean values in a long table, times ``sign``. Count and leave out rows with unusable cells.

    Raises DataError, naming the column, if too few rows are usable or fewer than two agents are named.
    """
    read = usable(table, [*parameters, output], [agent])
    labels, names = pd.factorize(read.labels[0])
    if len(names) < 2:
        raise DataError(f"column {agent!r} names {len(names)} agent. It takes at least 2 to learn from each other.")
    keys = list(zip(labels.tolist(), map(tuple, read.amounts[:, :-1].tolist()), strict=True))
    means = averaged(keys, sign * read.amounts[:, -1])
    notes = (*read.notes, *(() if means.variance is None else (means.note("points of an agent"),)))
    points = read.amounts[means.rows, :-1]
    who = labels[means.rows].astype(np.int64)
    return Measured(tuple(map(str, names)), who, points, means.means, means.counts, means.variance, notes)


def model_of(found: Measured, scaled: Array, on_grid: tuple[Array, Array] | None) -> tuple[Array, float]:
    """Return length-scales and noise variance, as geometric means of the fits to a few agents spread over the table.

    ``scaled`` holds the values, centred and in units of their spread. ``on_grid`` holds a shared grid with its
    objectives.
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
    return lengthscales, max(noise, MIN_NOISE_VARIANCE)


def _few(agents: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.asarray(agents[np.unique(np.linspace(0, len(agents) - 1, min(FITTED_AGENTS, len(agents))).astype(int))])


def _varies(points: Array, values: Array) -> bool:
    return len(values) > 2 * points.shape[1] and bool((np.ptp(points, axis=0) > 0).all()) and float(values.std()) > 1e-9


def enough(found: Measured) -> Measured:
    """Return the agents that have enough points for a model of their own, with a note about those left out."""
    many = np.bincount(found.who, minlength=len(found.agents)) >= MIN_MODELLED_POINTS
    if many.all():
        return found
    if many.sum() < 2:
        raise DataError(
            f"the agents were measured at different points, and {int(many.sum())} of {len(many)} agents at "
            f"{MIN_MODELLED_POINTS} or more. Each agent needs that many for a model of its own, unless all agents are "
            "measured at the same points."
        )
    keep, number = many[found.who], np.cumsum(many) - 1
    left = int((~many).sum())
    whom = "1 agent" if left == 1 else f"{left:,} agents"
    note = f"{whom} with fewer than {MIN_MODELLED_POINTS} points {'is' if left == 1 else 'are'} left out."
    return Measured(
        tuple(name for name, kept in zip(found.agents, many, strict=True) if kept),
        number[found.who[keep]], found.points[keep], found.means[keep], found.counts[keep], found.variance,
        (*found.notes, note),
    )  # fmt: skip


def common_grid(points: Array) -> Array:
    """Return a grid for all agents: the points at which any was measured, thinned evenly if there are too many."""
    if len(points) <= MAX_GRID_POINTS:
        return points
    spread = np.ptp(points, axis=0)
    scaled = (points - points.min(axis=0)) / np.where(spread > 0, spread, 1.0)
    chosen = [int(((scaled - 0.5) ** 2).sum(axis=1).argmin())]
    nearest = ((scaled - scaled[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < THINNED_GRID_POINTS:
        chosen.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, ((scaled - scaled[chosen[-1]]) ** 2).sum(axis=1))
    return np.asarray(points[np.sort(chosen)])


def read_off(found: Measured, scaled: Array, grid: Array, lengthscales: Array, noise: float) -> tuple[Array, float]:
    """Return each agent's posterior mean on the grid (N×n), given its own values alone, and the model's error.

    The error is the root mean square, over all agents, of a value minus its prediction from the agent's other values.
    O(Σ m³ + n Σ m), where an agent has m points.
    """
    kernel = SquaredExponential(1.0)
    at, objectives, missed = grid / lengthscales, np.empty((len(found.agents), len(grid))), []
    with threadpool_limits(1, user_api="blas"):
        for n in range(len(found.agents)):
            rows = np.flatnonzero(found.who == n)
            rows = rows[np.unique(np.linspace(0, len(rows) - 1, min(MAX_MODELLED_POINTS, len(rows))).astype(int))]
            x = found.points[rows] / lengthscales
            k = covariance(kernel, x, x)
            k[np.diag_indices(len(k))] += noise / found.counts[rows] + 1e-10
            lower = cholesky(k, lower=True)
            weights = cho_solve((lower, True), scaled[rows])
            objectives[n] = covariance(kernel, at, x) @ weights
            inverse = np.diag(cho_solve((lower, True), np.eye(len(k))))
            missed.append((weights / inverse) ** 2)
    return objectives, float(np.sqrt(np.concatenate(missed).mean()))
