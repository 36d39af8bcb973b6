"""Read the rows of a table as numbers, and average repeated measurements."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privbo_core.data.columns import Mask, Numbers, as_text, levels, numbers
from privbo_core.data.problem import Dropped, rows_used
from privbo_core.errors import MAX_MAGNITUDE, Array, DataError


@dataclass(frozen=True, eq=False)
class Usable:
    """The usable rows of chosen columns, of ``table_rows``.

    ``amounts`` is n×d, with a column for each numeric column. ``labels`` are the cells of the label columns, as text.
    ``rows`` are positions in the table, from 0.
    """

    amounts: Array
    labels: tuple[NDArray[np.object_], ...]
    rows: NDArray[np.int64]
    dropped: tuple[Dropped, ...]
    table_rows: int

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence for each reason to leave rows out. It is empty if all rows are used."""
        return (rows_used(len(self.rows), self.table_rows), *map(str, self.dropped)) if self.dropped else ()


def usable(table: pd.DataFrame, columns: Sequence[str], labels: Sequence[str] = ()) -> Usable:
    """Return the rows in which each of ``columns`` is a finite number and each of ``labels`` is not missing.

    Raises DataError, naming the column, if one is not in the table, if more
    than half of its cells are unusable, or if fewer than two rows are left. O(cells of the chosen columns).
    """
    check_columns(table, (*columns, *labels))
    good = np.ones(len(table), dtype=bool)
    dropped: list[Dropped] = []
    values, texts = np.empty((len(table), len(columns))), []
    for place, name in enumerate((*columns, *labels)):
        if place < len(columns):
            values[:, place], faults = finite(numbers(table[name]))
        else:
            cells = levels(table[name])[1]
            texts.append(cells.to_numpy(dtype=object))
            faults = {"missing": np.asarray(cells == "", dtype=bool)}
        found, bad = unusable(table[name], name, faults)
        dropped += found
        good &= ~bad
    rows = rows_left(good, dropped)
    return Usable(values[rows], tuple(text[rows] for text in texts), rows, tuple(dropped), len(table))


def read_column(table: pd.DataFrame, name: str) -> Array:
    """Return the finite numbers of a column."""
    amounts, faults = finite(numbers(table[name]))
    return np.asarray(amounts[~np.any(list(faults.values()), axis=0)])


def check_columns(table: pd.DataFrame, names: Sequence[str]) -> None:
    """Raise DataError unless exactly one column has each of the names."""
    present = list(table.columns)
    for name in names:
        if present.count(name) != 1:
            shown = ", ".join(repr(str(column)) for column in present[:10]) + (" …" if len(present) > 10 else "")
            found = "no column is" if name not in present else "several columns are"
            raise DataError(f"{found.capitalize()} called {name!r}. The columns are {shown}.")


def finite(read: Numbers) -> tuple[Array, dict[str, Mask]]:
    """Return a column's numbers, and a mask of the unusable cells for each reason."""
    readable = ~read.missing & ~read.unreadable
    infinite = readable & ~(np.abs(read.amounts) < MAX_MAGNITUDE)
    return read.amounts, {
        "missing": read.missing,
        "not a number": read.unreadable,
        "infinite or beyond ±1e100": infinite,
    }


def unusable(
    column: pd.Series, name: str, faults: dict[str, Mask], *, asked: bool = True
) -> tuple[list[Dropped], Mask]:
    """Return an account of a column's unusable cells, with an entry for each reason, and the mask of their rows.

    Raises DataError if they are more than half. The message suggests an encoding unless the caller ``asked`` for one.
    """
    found = [_dropped(column, name, reason, fault) for reason, fault in faults.items() if fault.any()]
    bad: Mask = np.any(list(faults.values()), axis=0)
    if 2 * int(bad.sum()) <= len(bad):
        return found, bad
    remedy = "choose another column, or correct these cells"
    if not asked and any(fault.reason == "not a number" for fault in found):
        remedy = "choose another column, have it encoded as a date or a category, or correct these cells"
    because = " ".join(map(str, found))
    raise DataError(
        f"{name!r} has {int(bad.sum()):,} unusable cells of {len(bad):,}, more than half. {because} Please {remedy}."
    )


def rows_left(usable: Mask, dropped: Sequence[Dropped]) -> NDArray[np.int64]:
    """Return the positions of the usable rows. Raises DataError for fewer than two."""
    rows = np.flatnonzero(usable)
    if len(rows) < 2:
        found = f"{len(rows)} of {len(usable):,} rows are usable in all the chosen columns. At least 2 are needed. "
        raise DataError(found + " ".join(map(str, dropped)))
    return rows


def _dropped(column: pd.Series, name: str, reason: str, fault: Mask) -> Dropped:
    row = int(fault.argmax())
    cell = as_text(column.iloc[[row]]).iloc[0]
    return Dropped(name, reason, int(fault.sum()), row + 1, cell if len(cell) <= 40 else cell[:39] + "…")


REPEAT = re.compile(
    r"(random[ _])?(seed|state)|rep(eat|etition|licate)?s?|run([ _]?id)?|(cv[ _]?)?(fold|split)", re.IGNORECASE
)
"""Names of columns that number the repeats of a measurement."""


@dataclass(frozen=True, eq=False)
class Averaged:
    """The means of repeated rows, in the order in which each place occurs first.

    ``rows`` are the positions of these first rows, and ``counts`` the numbers of rows that are averaged. ``variance``
    is that of one value among the repeats of its place, pooled over all places (sums of squares around the means,
    divided by rows − places). It is None if nothing repeats.
    """

    means: Array
    rows: NDArray[np.int64]
    counts: NDArray[np.int64]
    variance: float | None

    @property
    def noise(self) -> float:
        """The standard deviation of a mean, on average over the places. It is 0 if nothing repeats."""
        return 0.0 if self.variance is None else float(np.sqrt(self.variance * np.mean(1.0 / self.counts)))

    def note(self, what: str) -> str:
        """Return a sentence about the averaging. ``what`` is the plural noun for a place, such as “settings”."""
        several, places = int((self.counts > 1).sum()), len(self.counts)
        return (
            f"{several:,} of {places:,} {what} occur several times ({int(self.counts.sum()):,} rows in all). Their "
            f"means are used. By the spread of the repeats, the standard error of a mean is {self.noise:.3g}."
        )


def averaged(keys: Sequence[Any], values: Array) -> Averaged:
    """Return the means of the rows of ``values`` (n×P or n) that have the same key. O(nP)."""
    table = np.asarray(values, dtype=float).reshape(len(keys), -1)
    places: dict[Any, int] = {}
    at = np.array([places.setdefault(key, len(places)) for key in keys], dtype=np.int64)
    _, first, counts = np.unique(at, return_index=True, return_counts=True)
    sums = np.zeros((len(places), table.shape[1]))
    np.add.at(sums, at, table)
    means = sums / counts[:, None]
    spare = len(keys) - len(places)
    variance = None
    if spare:
        around = (table - means[at]).mean(axis=1)  # of the mean over the columns, which is what counts
        variance = float((around**2).sum() / spare)
    return Averaged(means if np.ndim(values) > 1 else means[:, 0], first, counts, variance)
