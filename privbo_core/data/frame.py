"""The settings of each column of a table: its range, and the change of it that a release hides."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from privbo_core import errors
from privbo_core.data.columns import numbers
from privbo_core.errors import Array, DataError, matrix

HIDDEN_SHARE = 1 / 50
"""The share of the range that `frame_from` proposes to hide."""
MIN_RANGE = 1e-100  # In a narrower range, squares and noise would leave the range of floating-point numbers.
MIN_SHARE = 1e-9
"""The least share of the range that can be hidden. With a smaller one, placed rows would keep too few digits."""


@dataclass(frozen=True)
class FrameColumn:
    """The settings of one column, all in its ``unit``: values from ``low`` to ``high``, a change of ``hide`` hidden.

    ``lengthscale`` is a guess at the change that matters to the output, or None. ``taken_from_data`` tells whether low,
    high or hide was computed from the data, as in `frame_from`. If so, ε need not hold. Raises DataError, naming column
    and value, for settings that cannot be used.
    """

    name: str
    unit: str
    low: float
    high: float
    hide: float
    lengthscale: float | None = None
    taken_from_data: bool = False

    def __post_init__(self) -> None:
        column = f"column {errors.short(self.name)}"
        for part in ("name", "unit"):
            errors.name(f"{part} of {column}", getattr(self, part))
        for part in ("low", "high", "hide", "lengthscale"):
            if part != "lengthscale" or self.lengthscale is not None:
                object.__setattr__(self, part, errors.number(f"{part} of {column}", getattr(self, part)))
        if not isinstance(self.taken_from_data, bool):
            given = errors.short(self.taken_from_data)
            raise DataError(f"taken_from_data of {column} is {given}. It must be true or false.")
        if not self.name.strip():
            raise DataError("name of a column is empty. Write the name that the table's header has.")
        if not self.low < self.high:
            raise DataError(
                f"low of column {self.name!r} is {self.low:g} and high {self.high:g}. Low must be below high."
            )
        if self.high - self.low < MIN_RANGE:
            raise DataError(
                f"The range of column {self.name!r}, from {self.low:g} to {self.high:g}, is narrower than "
                f"{MIN_RANGE:g}. Count in a smaller unit."
            )
        for part in ("hide", "lengthscale"):
            value = getattr(self, part)
            if value is not None and not value > 0:
                raise DataError(f"{part} of column {self.name!r} is {value:g}. It must be above 0.")
            if value is not None and value < MIN_SHARE * (self.high - self.low):
                raise DataError(
                    f"{part} of column {self.name!r} is {value:g}, less than a billionth of the range from "
                    f"{self.low:g} to {self.high:g}. Raise it, or narrow the range."
                )
        if self.lengthscale is not None and self.lengthscale > (self.high - self.low) / MIN_SHARE:
            raise DataError(
                f"lengthscale of column {self.name!r} is {self.lengthscale:g}, more than a billion times the range "
                f"from {self.low:g} to {self.high:g}. Lower it, or leave it out."
            )


@dataclass(frozen=True)
class Frame:
    """The settings of a release's columns. One unit of Euclidean distance in the frame is one hidden change.

    If no column was taken from the data, only the placed rows are computed from the data, each from its own record
    alone. Raises DataError if there is no column, or two of the same name.
    """

    columns: tuple[FrameColumn, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        if not self.columns:
            raise DataError("The frame has no columns. It needs one for each input.")
        often = Counter(self.names)
        if twice := next((name for name in often if often[name] > 1), None):
            raise DataError(f"The frame has column {twice!r} more than once. Name each column once.")

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names, in order."""
        return tuple(column.name for column in self.columns)

    @property
    def d(self) -> int:
        """The number of columns."""
        return len(self.columns)

    @property
    def public(self) -> bool:
        """Whether no column was taken from the data."""
        return not self.read_off

    @property
    def read_off(self) -> tuple[str, ...]:
        """The names of the columns that were taken from the data."""
        return tuple(column.name for column in self.columns if column.taken_from_data)

    @cached_property
    def hide(self) -> Array:
        """The hidden change of each column, length d, in original units: one unit of distance in the frame."""
        return np.array([column.hide for column in self.columns])

    @cached_property
    def middle(self) -> Array:
        """The middle between low and high of each column, length d, in original units: the frame's origin."""
        return np.array([column.low + (column.high - column.low) / 2.0 for column in self.columns])

    @cached_property
    def limits(self) -> Array:
        """The (low, high) of each column, d×2, in original units."""
        return np.array([(column.low, column.high) for column in self.columns])

    @cached_property
    def bounds(self) -> Array:
        """The (low, high) of each column, d×2, in the frame."""
        return (self.limits - self.middle[:, None]) / self.hide[:, None]

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence for each column of which the hidden change exceeds the whole range."""
        return tuple(
            f"The change of {column.name!r} to hide, {column.hide:g}, is wider than its range, "
            f"{column.high - column.low:g}: the release will tell almost nothing about it."
            for column in self.columns
            if column.hide > column.high - column.low
        )

    def chosen(self, names: Sequence[str]) -> "Frame":
        """Return the columns of these names, in this order. Raises DataError, naming those that the frame lacks."""
        known = dict(zip(self.names, self.columns, strict=True))
        missing = [name for name in names if name not in known]
        if missing:
            raise DataError(
                f"The frame does not say anything about {', '.join(map(repr, missing))}. Its columns are "
                f"{', '.join(map(repr, self.names[:10]))}{' …' if self.d > 10 else ''}."
            )
        return Frame(tuple(known[name] for name in names))

    def place(self, data: ArrayLike | pd.DataFrame) -> Array:
        """Return the n×d rows in the frame: clipped to [low, high], minus the middle, divided by hide.

        ``data`` is n×d in original units, or a table that has the frame's columns by name (`numbers`). Each row of the
        result depends on that record alone, and is NaN throughout if one of its cells is. n is public. O(nd). Raises
        DataError for a missing column, and for numbers that are not finite.
        """
        x = self.numbers(data) if isinstance(data, pd.DataFrame) else matrix("data", data)
        if x.shape[1] != self.d:
            raise DataError(f"The data have {x.shape[1]} columns and the frame {self.d}. There must be one for each.")
        placed = (np.clip(x, self.limits[:, 0], self.limits[:, 1]) - self.middle) / self.hide
        placed[np.isnan(placed).any(axis=1)] = np.nan
        return placed

    def moved(self, data: ArrayLike | pd.DataFrame) -> tuple[str, ...]:
        """Return a sentence for each column with rows that `place` clips to an edge of the frame.

        The sentences are computed from the data. ``data`` is as for `place`. O(nd).
        """
        x = self.numbers(data) if isinstance(data, pd.DataFrame) else matrix("data", data)
        sentences = []
        for column, values in zip(self.columns, x.T, strict=True):
            beyond = {"below": (values < column.low, column.low), "above": (values > column.high, column.high)}
            parts = [
                f"{int(rows.sum()):,} of {len(x):,} rows {'is' if rows.sum() == 1 else 'are'} {where} {edge:g} and "
                f"{'counts' if rows.sum() == 1 else 'count'} as {edge:g}"
                for where, (rows, edge) in beyond.items()
                if rows.any()
            ]
            if parts:
                sentences.append(f"{column.name}: {'; '.join(parts)}.")
        return tuple(sentences)

    def to_original(self, placed: ArrayLike) -> Array:
        """Return points of the frame (…×d) in original units. Values that were clipped stay so."""
        return np.asarray(np.asarray(placed, dtype=float) * self.hide + self.middle)

    def numbers(self, table: pd.DataFrame) -> Array:
        """Return the frame's columns of a table, n×d in original units, with NaN where a cell is no finite number.

        Each number depends on its own cell alone. Text is read as programs write numbers. O(nd). Raises DataError for a
        column that is not in the table, or more than once.
        """
        present = list(table.columns)
        for name in self.names:
            if present.count(name) != 1:
                raise DataError(
                    f"The frame's column {name!r} is {'not' if name not in present else 'more than once'} in the table."
                )
        amounts = np.column_stack([numbers(table[name]).amounts for name in self.names])
        amounts[~np.isfinite(amounts)] = np.nan
        return amounts


def frame_from(data: ArrayLike | pd.DataFrame, names: Sequence[str] = (), units: Sequence[str] = ()) -> Frame:
    """Return settings taken from the data: least and greatest value, and a fiftieth of their distance hidden.

    They are a proposal to start from, and never public. ``data`` is n×d in original units. ``names`` default to those
    of a table, ``units`` to empty texts. O(nd). Raises DataError for a column with one value.
    """
    if isinstance(data, pd.DataFrame):
        names = tuple(names) or tuple(map(str, data.columns))
    x = matrix("data", data)
    d = x.shape[1]
    names, units = tuple(names) or tuple(f"column {j + 1}" for j in range(d)), tuple(units) or ("",) * d
    if not len(names) == len(units) == d:
        raise DataError(f"The data have {d} columns. Give {d} names and {d} units.")
    low, high = x.min(axis=0), x.max(axis=0)
    hide = (high - low) * HIDDEN_SHARE
    columns = zip(names, units, low, high, hide, strict=True)
    return Frame(tuple(FrameColumn(*column, taken_from_data=True) for column in columns))
