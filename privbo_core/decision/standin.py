"""A table made up in a frame, to choose ε by: nothing of it was computed from the data, so the choice costs nothing."""

from dataclasses import replace
from functools import cached_property

import numpy as np

from privbo_core.data import Frame, Problem
from privbo_core.data.problem import normalise
from privbo_core.decision.costs import Weighing
from privbo_core.errors import Array, whole
from privbo_core.gp import SquaredExponential
from privbo_core.gp.kernels import covariance
from privbo_core.outsourced import Simulation
from privbo_core.outsourced.beliefs import SHARE_OF_RANGE

MOST_ROWS = 400  # A larger table is made up with so many rows: what privacy costs changes little with more.
NOISE = 0.1  # The variance of one outcome at the same inputs, in variances of what the inputs explain.
MOST_LOST = 50.0
"""Privacy may cost so many per cent of what a search in a made-up table finds more than chance does."""


def in_shares(weighing: Weighing) -> Weighing:
    """Return costs in per cent of what the plain search finds more than chance; none where that is nothing."""
    if weighing.gain is None or not weighing.gain.low > 0:
        return replace(weighing, known=())
    share = 100 / weighing.gain.mean
    return replace(weighing, known=tuple(replace(each, costs=share * each.costs) for each in weighing.known))


def stand_in(frame: Frame, rows: int) -> Simulation:
    """Return searches in tables of so many rows, uniform in the frame, in each run of another function of the inputs.

    The functions are draws of the Gaussian process with the frame's length-scales, a quarter of the range where it has
    none. ``rows`` is public. Two tables with the same frame and as many rows have the same stand-in, to the digit.
    """
    n = min(whole("rows", rows, least=2), MOST_ROWS)
    low, high = frame.limits.T
    original = low + (high - low) * np.random.default_rng(0).random((n, frame.d))
    guesses = [column.lengthscale or SHARE_OF_RANGE * (column.high - column.low) for column in frame.columns]
    points, factor = normalise(original / np.array(guesses))
    draw = _Functions(points, SquaredExponential(factor))
    problem = Problem(
        title="A table made up in the frame",
        points=points,
        objective=draw(np.random.default_rng(0)),
        kernel=SquaredExponential(factor),
        noise_variance=NOISE,
        names=frame.names,
        units=tuple(column.unit for column in frame.columns),
        original=original,
        unit_distance=np.array(guesses) / factor,
        output="what is looked for",
        known_frame=frame,
        draw=draw,
    )
    return Simulation(problem, functions=True)


class _Functions:
    """Draws of a Gaussian process on points. O(n³) once, then O(n²)."""

    def __init__(self, points: Array, kernel: SquaredExponential) -> None:
        self._points, self._kernel = points, kernel

    @cached_property
    def _root(self) -> Array:
        values, vectors = np.linalg.eigh(covariance(self._kernel, self._points, self._points))
        return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))

    def __call__(self, rng: np.random.Generator) -> Array:
        return np.asarray(self._root @ rng.standard_normal(len(self._points)))
