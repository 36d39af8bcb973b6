"""A clean numeric optimisation problem on a finite domain."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privbo_core.data.frame import Frame, frame_from
from privbo_core.errors import Array, DataError, matrix, positive, vector
from privbo_core.gp import Kernel


@dataclass(frozen=True)
class Dropped:
    """``count`` cells of a column that made their rows unusable, and the first of them.

    ``row`` counts from 1, the first row below the header. ``example`` is the text of the cell.
    """

    column: str
    reason: str
    count: int
    row: int
    example: str

    def __str__(self) -> str:
        shown = f" ({self.example!r})" if self.example else ""
        cells = "cell" if self.count == 1 else "cells"
        where = "in" if self.count == 1 else "first in"
        return f"{self.column!r}: {self.count:,} {cells} {self.reason}, {where} data row {self.row:,}{shown}."


def rows_used(used: int, table_rows: int) -> str:
    """Return how many rows of a table are used, as a sentence."""
    gone = table_rows - used
    return f"{used:,} of {table_rows:,} rows are used" + (
        f", and {gone:,} {'was' if gone == 1 else 'were'} dropped." if gone else "."
    )


@dataclass(frozen=True, eq=False)
class Preparation:
    """Every step from a table to a `Problem`, in the order in which they were taken.

    1. ``rows``: positions in the table (from 0, of ``table_rows``) of the rows kept. ``dropped`` has the reasons for
       the others.
    2. ``encodings``: how dates and categories became numbers, one sentence each.
    3. The output: its logarithm if ``log_output``, its negative unless ``maximize``, minus ``output_centre`` (in the
       log's units, before the sign), divided by ``output_scale``.
    4. The inputs: minus ``means``, divided by ``lengthscales`` (both in original units), times ``factor``.

    ``warnings`` are sentences that a person should read. ``output_unit`` is a name for people, perhaps empty.
    ``sources`` are the columns of the table that the inputs were made of, one for each input.
    """

    table_rows: int
    rows: NDArray[np.int64]
    dropped: tuple[Dropped, ...]
    encodings: tuple[str, ...]
    log_output: bool
    maximize: bool
    output_unit: str
    output_centre: float
    output_scale: float
    means: Array
    lengthscales: Array
    factor: float
    warnings: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    @property
    def unit_distance(self) -> Array:
        """The amount, in original units, by which each column alone has to change for a distance of 1."""
        return self.lengthscales / self.factor

    def to_points(self, original: ArrayLike) -> Array:
        """Return inputs in original units (…×d) in the frame of the problem's points."""
        return (np.asarray(original, dtype=float) - self.means) / self.unit_distance

    def to_original(self, points: ArrayLike) -> Array:
        """Return points (…×d) of the problem's frame in original units."""
        return np.asarray(points, dtype=float) * self.unit_distance + self.means

    def output(self, objective: ArrayLike) -> Array:
        """Return values of the problem's objective as the original output, the logarithm undone."""
        sign = 1.0 if self.maximize else -1.0
        values = sign * np.asarray(objective, dtype=float) * self.output_scale + self.output_centre
        return np.exp(values) if self.log_output else values

    def output_difference(self, difference: ArrayLike) -> Array:
        """Return a difference of objectives, such as a regret, in the original output's terms.

        An amount in the output's units, or with ``log_output`` the factor between the better and the worse output.
        """
        amount = np.asarray(difference, dtype=float) * self.output_scale
        return np.exp(amount) if self.log_output else amount

    def steps(self) -> tuple[str, ...]:
        """Return a sentence for each step."""
        output = "The output's logarithm is taken, " if self.log_output else "The output is "
        output += "centred" if self.maximize else "negated, because smaller is better, centred"
        return (
            rows_used(len(self.rows), self.table_rows),
            *map(str, self.dropped),
            *self.encodings,
            f"{output} and divided by {self.output_scale:.4g}.",
            f"Each input is centred and divided by its length-scale, and all are multiplied by {self.factor:.4g}, "
            "so that the largest row has norm 25.",
        )


MAX_NORM = 25.0
"""The experiments of the outsourcing paper scale the centred inputs so that the largest row norm is this."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Points, an objective to maximise, and the names and units that lead back to the original table.

    ``points``: n×d, centred and scaled (`normalise`). ``objective``: length n, noise-free, to be *maximised*, on the
    scale of a GP with σ_y² = ``kernel.variance`` ≤ 1. ``kernel`` and ``noise_variance`` hold in that frame.
    ``original``: the n×d inputs in their original ``units``. ``unit_distance[j]`` is the number of original units of
    column j alone that make a distance of 1 between two rows of ``points``. ``maximize`` is False when a person
    minimises ``output``: then ``objective`` is its negative. ``identity`` names a public problem for caches shared
    between sessions. It is None for anything uploaded.
    ``preparation``: the steps from a table to the problem, None for a problem made by a formula. ``known_frame``: the
    column settings that were known without the data, one for each column and in their order, or None. ``draw``: a
    function that makes another objective of the same kind on the same points, or None.
    """

    title: str
    points: Array
    objective: Array
    kernel: Kernel
    noise_variance: float
    names: tuple[str, ...]
    units: tuple[str, ...]
    original: Array
    unit_distance: Array
    output: str
    maximize: bool = True
    identity: str | None = None
    preparation: Preparation | None = None
    known_frame: Frame | None = None
    draw: Callable[[np.random.Generator], Array] | None = None

    def __post_init__(self) -> None:
        points = matrix("points", self.points, least_rows=2)
        vector("objective", self.objective, len(points))
        positive("noise_variance", self.noise_variance)
        if not len(self.names) == len(self.units) == len(self.unit_distance) == points.shape[1]:
            raise DataError(f"names, units and unit_distance must each have {points.shape[1]} entries, one per column.")
        if self.known_frame is not None and self.known_frame.names != tuple(self.names):
            raise DataError(
                f"The frame's columns are {', '.join(map(repr, self.known_frame.names))}. The problem's are "
                f"{', '.join(map(repr, self.names))}, and they must be the same, in the same order."
            )

    @cached_property
    def frame(self) -> Frame:
        """The frame of a noisy release: the known one, or one read off the data, and marked so. O(nd), once."""
        return self.known_frame or frame_from(self.original, self.names, self.units)

    @property
    def n(self) -> int:
        """The number of rows."""
        return len(self.points)

    @property
    def d(self) -> int:
        """The number of columns."""
        return len(self.names)

    @property
    def sigma_y(self) -> float:
        """The signal's standard deviation, the unit in which regret is reported."""
        return float(np.sqrt(self.kernel.variance))


def normalise(points: Array, max_norm: float = MAX_NORM) -> tuple[Array, float]:
    """Centre the columns, scale all of them by one factor so that the largest row norm is ``max_norm``.

    Returns the scaled points and the factor (scaled units per unit of ``points``). Raises DataError if all rows are
    equal.
    """
    points = matrix("points", points, least_rows=2)
    centred = points - points.mean(axis=0)
    largest = float(np.sqrt((centred**2).sum(axis=1)).max())
    if largest == 0:
        raise DataError("points: all rows are equal, so there is nothing to choose between.")
    factor = positive("max_norm", max_norm) / largest
    return centred * factor, factor
