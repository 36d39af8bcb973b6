"""The rows of a table in which every chosen cell is usable, with an account of the others: one reading for all uses."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privbo_core.data.columns import LARGEST, Mask, Numbers, as_text, decimal_mark, levels, numbers
from privbo_core.data.preparation import Dropped, rows_used
from privbo_core.errors import Array, DataError


@dataclass(frozen=True, eq=False)
class Usable:
    """The usable rows of chosen columns, of ``table_rows``.

    ``amounts``: n×d, a column for each of the numbers asked for; ``labels``: the cells of each of the others, as text.
    ``rows``: positions in the table, from 0.
    """

    amounts: Array
    labels: tuple[NDArray[np.object_], ...]
    rows: NDArray[np.int64]
    dropped: tuple[Dropped, ...]
    table_rows: int

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out and why, a sentence each; nothing if all rows are used."""
        return (rows_used(len(self.rows), self.table_rows), *map(str, self.dropped)) if self.dropped else ()


def usable(table: pd.DataFrame, columns: Sequence[str], labels: Sequence[str] = ()) -> Usable:
    """Return the rows in which each of ``columns`` is a finite number and each of ``labels`` is not missing.

    A cell is read as everywhere (`numbers`). Raises DataError, naming the column, if one is not in the table, if more
    than half of its cells are unusable, or if fewer than two rows are left. O(cells of the chosen columns).
    """
    check_columns(table, (*columns, *labels))
    mark = decimal_mark(table)
    good = np.ones(len(table), dtype=bool)
    dropped: list[Dropped] = []
    values, texts = np.empty((len(table), len(columns))), []
    for place, name in enumerate((*columns, *labels)):
        if place < len(columns):
            values[:, place], faults = finite(numbers(table[name], mark))
        else:
            cells = levels(table[name])[1]
            texts.append(cells.to_numpy(dtype=object))
            faults = {"missing": np.asarray(cells == "", dtype=bool)}
        found = dropped_of(table[name], name, faults)
        bad = np.any(list(faults.values()), axis=0)
        if 2 * int(bad.sum()) > len(bad):
            raise refusal(name, found, int(bad.sum()), len(bad))
        dropped += found
        good &= ~bad
    rows = np.flatnonzero(good)
    if len(rows) < 2:
        raise too_few(len(rows), len(table), dropped)
    return Usable(values[rows], tuple(text[rows] for text in texts), rows, tuple(dropped), len(table))


def read_column(table: pd.DataFrame, name: str) -> Array:
    """Return a column's finite numbers alone, for a look at their range."""
    amounts, faults = finite(numbers(table[name], decimal_mark(table)))
    return np.asarray(amounts[~np.any(list(faults.values()), axis=0)])


def check_columns(table: pd.DataFrame, names: Sequence[str]) -> None:
    """Raise DataError unless each of the names is that of one column."""
    present = list(table.columns)
    for name in names:
        if present.count(name) != 1:
            shown = ", ".join(repr(str(column)) for column in present[:10]) + (" …" if len(present) > 10 else "")
            found = "no column is" if name not in present else "several columns are"
            raise DataError(f"{found.capitalize()} called {name!r}; the columns are {shown}.")


def finite(read: Numbers) -> tuple[Array, dict[str, Mask]]:
    """Return a column's numbers, and which of its cells are none that can be used, by the reason."""
    readable = ~read.missing & ~read.unreadable
    infinite = readable & ~(np.abs(read.amounts) < LARGEST)
    return read.amounts, {
        "missing": read.missing,
        "not a number": read.unreadable,
        "infinite or beyond ±1e100": infinite,
    }


def dropped_of(column: pd.Series, name: str, faults: dict[str, Mask]) -> list[Dropped]:
    """Return what makes rows unusable in a column, one entry for each reason."""
    return [_dropped(column, name, reason, fault) for reason, fault in faults.items() if fault.any()]


def refusal(name: str, found: Sequence[Dropped], bad: int, n: int, *, asked: bool = True) -> DataError:
    """Return what is said of a column that is mostly unusable; ``asked``: for an encoding, or one is of no use."""
    remedy = "choose another column, or correct these cells"
    if not asked and any(fault.reason == "not a number" for fault in found):
        remedy = "choose another column, have it encoded as a date or a category, or correct these cells"
    because = " ".join(map(str, found))
    return DataError(f"{name!r} has {bad:,} unusable cells of {n:,}, more than half. {because} Please {remedy}.")


def too_few(left: int, n: int, dropped: Sequence[Dropped]) -> DataError:
    """Return what is said where hardly a row is usable."""
    return DataError(
        f"{left} of {n:,} rows are usable in all the chosen columns; at least 2 are needed. "
        + " ".join(map(str, dropped))
    )


def _dropped(column: pd.Series, name: str, reason: str, fault: Mask) -> Dropped:
    row = int(fault.argmax())
    cell = as_text(column.iloc[[row]]).iloc[0]
    return Dropped(name, reason, int(fault.sum()), row + 1, cell if len(cell) <= 40 else cell[:39] + "…")
