"""What was done to a table on its way to a problem, as a value that leads back to the original units."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privbo_core.errors import Array


@dataclass(frozen=True)
class Dropped:
    """``count`` cells of a column that made their rows unusable, and the first of them.

    ``row`` counts from 1, the first row below the header; ``example`` is the cell as it stands there.
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
        f"; {gone:,} {'was' if gone == 1 else 'were'} dropped." if gone else "."
    )


@dataclass(frozen=True, eq=False)
class Preparation:
    """Every step from a table to a `Problem`, in the order in which they were taken.

    1. ``rows``: positions in the table (from 0, of ``table_rows``) of the rows kept; ``dropped`` says why others went.
    2. ``encodings``: how dates and categories became numbers, one sentence each.
    3. The output: its logarithm if ``log_output``, its negative unless ``maximize``, minus ``output_centre`` (in the
       log's units, before the sign), divided by ``output_scale``.
    4. The inputs: minus ``means``, divided by ``lengthscales`` (both in original units), times ``factor``.

    ``warnings``: sentences about what a person should know. ``output_unit`` is a name for people, perhaps empty.
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
        """Return what was done, a sentence for each step."""
        output = "The output's logarithm is taken; it is " if self.log_output else "The output is "
        output += "centred" if self.maximize else "negated, because smaller is better, centred"
        return (
            rows_used(len(self.rows), self.table_rows),
            *map(str, self.dropped),
            *self.encodings,
            f"{output} and divided by {self.output_scale:.4g}.",
            f"Each input is centred and divided by its length-scale, and all are multiplied by {self.factor:.4g}, "
            "so that the largest row has norm 25.",
        )
