"""Describe the columns of a table, and read them as numbers, dates or categories."""

from collections import Counter
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privbo_core.budget import look
from privbo_core.data.numbers import MISSING_WORDS, plain_number
from privbo_core.errors import Array

Kind = Literal["number", "date", "category", "text", "constant", "empty"]
Mask = NDArray[np.bool_]

MAX_LEVELS = 20  # A category with more values than this is an identifier or free text, not an input.
SAMPLE_CELLS = 1000  # The number of cells that show whether a column holds dates.
_DATES = ["ISO8601", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%b-%Y", "%b %d, %Y", "%d %b %Y", "%d-%b-%Y"]


@dataclass(frozen=True, eq=False)
class Numbers:
    """A column as numbers. ``amounts`` is NaN where a cell is ``missing`` or ``unreadable``, and may be infinite."""

    amounts: Array
    missing: Mask
    unreadable: Mask


@dataclass(frozen=True)
class Column:
    """What a column of a table can be used for: its ``kind``, and how many cells are ``usable`` as that kind.

    ``levels`` are the distinct values of a category or a text, most frequent first, at most `MAX_LEVELS` + 1 of them.
    """

    name: str
    kind: Kind
    usable: int
    missing: int
    levels: tuple[str, ...] = ()


def describe(table: pd.DataFrame) -> tuple[Column, ...]:
    """Return a description of each column of ``table``, so that a person can be offered the choices that make sense.

    The majority of the cells that are not missing decides between numbers, dates and categories. O(cells).
    """
    bare = without_attrs(table)
    return tuple(_describe(bare.iloc[:, i], str(name)) for i, name in enumerate(bare.columns))


def _describe(column: pd.Series, name: str) -> Column:
    look()
    read = numbers(column)
    missing = int(read.missing.sum())
    present = len(column) - missing
    if not present:
        return Column(name, "empty", 0, missing)
    finite = read.amounts[np.isfinite(read.amounts)]
    if 2 * len(finite) >= present:
        kind: Kind = "constant" if len(finite) == present and finite.min() == finite.max() else "number"
        return Column(name, kind, len(finite), missing)
    text = as_text(column)[~read.missing]
    counts = text.value_counts()
    levels = tuple(str(level) for level in counts.index[: MAX_LEVELS + 1])
    if len(counts) == 1:
        return Column(name, "constant", present, missing, levels)
    if np.isfinite(dates(text.iloc[:SAMPLE_CELLS])[0]).mean() > 0.5:
        return Column(name, "date", int(np.isfinite(dates(text)[0]).sum()), missing, levels)
    return Column(name, "category" if len(counts) <= MAX_LEVELS else "text", present, missing, levels)


def without_attrs(table: pd.DataFrame) -> pd.DataFrame:
    """Return the same cells without ``attrs``, which pandas would copy for each column that is selected."""
    bare = table.copy(deep=False)
    bare.attrs = {}
    return bare


def numbers(column: pd.Series) -> Numbers:
    """Return the cells of ``column`` as numbers, each by itself.

    Text is read as programs write numbers. `load_table` rewrites other numbers so. O(n).
    """
    if holds_numbers(column):
        values = np.array(column.to_numpy(dtype=float, na_value=np.nan))
        missing = np.isnan(values)
        return Numbers(values, missing, np.zeros(len(values), dtype=bool))
    cells = column.tolist()
    if isinstance(column.dtype, pd.StringDtype):
        known = {cell: plain_number(cell) for cell in set(cells)}
        amounts = np.array([known[cell] for cell in cells], dtype=float)
    else:
        amounts = np.array([plain_number(cell) for cell in cells], dtype=float)
    missing = _is_missing(as_text(column))
    amounts[missing] = np.nan
    return Numbers(amounts, missing, ~missing & np.isnan(amounts))


def holds_numbers(column: pd.Series) -> bool:
    """Return whether pandas holds a column as real numbers or truth values."""
    real = pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_complex_dtype(column.dtype)
    return real or pd.api.types.is_bool_dtype(column.dtype)


def as_text(column: pd.Series) -> pd.Series:
    """Return the cells as text without surrounding space. A missing cell is empty."""
    if pd.api.types.is_float_dtype(column.dtype):
        # 2020.0 is a year that shared its column with a missing cell.
        values = column.to_numpy(dtype=float, na_value=np.nan)
        plain = np.nan_to_num(values, nan=0.0, posinf=np.inf, neginf=-np.inf).tolist()
        words = [f"{value:.0f}" if abs(value) < 1e15 and value == int(value) else repr(value) for value in plain]
        column = pd.Series(np.where(np.isnan(values), "", words), index=column.index)
    if not isinstance(column.dtype, pd.StringDtype):
        column = column.astype("object").where(column.notna(), "").astype("str")
    return column.fillna("").str.strip()


def levels(column: pd.Series) -> tuple[list[str], pd.Series]:
    """Return the distinct values, most frequent first (ties in alphabetical order), and the cells as text."""
    text = as_text(column)
    text = text.mask(_is_missing(text), "")
    counts = Counter(text[text != ""].tolist())
    return sorted(counts, key=lambda level: (-counts[level], level)), text


def _is_missing(text: pd.Series) -> Mask:
    cells = text.tolist()
    known = {cell: cell.lower() in MISSING_WORDS for cell in set(cells)}
    return np.fromiter(map(known.__getitem__, cells), dtype=bool, count=len(cells))


def dates(column: pd.Series) -> tuple[Array, str | None]:
    """Return the cells as days since 1970-01-01 (NaN where there is no date), and a warning, or None.

    The format that reads most cells is used for all of them. If no cell tells day and month apart, the day is assumed
    to come first, and the warning states that.
    """
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return _days(pd.to_datetime(column, utc=True)), None
    text = as_text(column)
    text = text.where(text.str.contains(r"\d", regex=True), "")
    if not (text != "").any():
        return np.full(len(text), np.nan), None
    read = {}
    for style in _DATES:
        read[style] = _days(pd.to_datetime(text, format=style, errors="coerce", utc=True))
        if style == "ISO8601" and np.isfinite(read[style]).sum() >= (text != "").sum():
            break
    counts = {style: int(np.isfinite(days).sum()) for style, days in read.items()}
    best = max(counts, key=lambda style: counts[style])
    doubt = None
    if best == "%d/%m/%Y" and counts[best] == counts["%m/%d/%Y"]:
        doubt = "dates like 03/04/2020 are read with the day first, so write them as 2020-04-03 if that is wrong"
    return read[best], doubt


def _days(moments: pd.Series) -> Array:
    # In whole seconds: nanoseconds reach only from 1677 to 2262.
    seconds = moments.dt.tz_localize(None).to_numpy().astype("datetime64[s]")
    days: Array = np.where(np.isnat(seconds), np.nan, seconds.astype(np.int64) / 86400.0)
    return days
