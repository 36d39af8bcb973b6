"""One column of a table, read as numbers, dates or categories; what cannot be read is counted, never guessed."""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privbo_core.budget import look
from privbo_core.errors import Array

LOOKED_AT = 60  # So many cells tell whether a column's numbers come with a unit.

_SAID: dict[str, str] = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
_CURRENCIES = set(_SAID["currencies"].split())
_UNITS = _CURRENCIES | set(_SAID["measures"].split())
_POWER = re.compile(r"(?:\^?[-−]?[0-9]|[²³⁻¹]+)$")
_IN_BRACKETS = re.compile(r"(.*\S)\s*(?:\[([^\[\]()]{1,20})\]|\(([^\[\]()]{1,20})\))")
_BEHIND_A_STROKE = re.compile(r"(.*\S)\s+/\s+(\S{1,12})")
_BEHIND_A_LINE = re.compile(r"(\w*[^\W_]{3})_(?:in_)?([^\W_]{2,}|[^\W_]+_[^\W_]+)")
_NO_UNITS = set(_SAID["no_units"].split())
_ANY_CASE = {unit.lower() for unit in _UNITS} - _NO_UNITS - set(_SAID["not_behind"].split())
_CELL = re.compile(
    r"(?P<sign>[+−-]?)(?P<before>[^\d\s.,+−-]{0,4})\s?(?P<number>[+−-]?\d[\d.,'’\u00a0\u202f\u2009 ]*)"
    r"(?P<after>\D*(?:(?<![^\W\d_])[cdkm]?m[23])?)"
)


class Bare(NamedTuple):
    """Cells without their ``unit``; ``odd``: those that lack a unit which changes what a number is."""

    text: pd.Series
    unit: str
    odd: NDArray[np.bool_]


def is_unit(text: str) -> bool:
    """Return whether a text is a unit of measurement or money: mg/dL, € per m², °C."""
    parts = re.split(r"\s*(?:/|·|\*|\bper\b)\s*", text.strip())
    return len(parts) <= 3 and all({part, part.lower(), _POWER.sub("", part)} & _UNITS for part in parts)


def name_and_unit(name: str) -> tuple[str, str]:
    """Return a column's name and its unit apart, as in “age [years]”; an empty unit if there is none.

    “price_eur” is called so still, for whoever asks for it by name.
    """
    if found := _IN_BRACKETS.fullmatch(name):
        square, unit = bool(found[2]), (found[2] or found[3]).strip().removeprefix("in ")
        likely = square and unit.lower() not in _NO_UNITS and not re.search(r"[\d=<>,;]|^$", unit)
        if is_unit(unit) or likely:
            return found[1], unit
    elif (found := _BEHIND_A_STROKE.fullmatch(name)) and is_unit(found[2]):
        return found[1], found[2]
    elif found := _BEHIND_A_LINE.fullmatch(name):
        parts = found[2].split("_")
        before = found[1].lower()
        counts = before in _NO_UNITS or before.endswith("_per") or before.startswith(("log_", "ln_", "log10_", "log2_"))
        if not counts and all(part.lower() in _ANY_CASE for part in parts):
            return name, "/".join(part.upper() if part.upper() in _CURRENCIES else part for part in parts)
    return name, ""


def names_and_units(names: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return the names without units, and the unit of each that had one. Where two would become alike, both stay."""
    apart = [name_and_unit(name) for name in names]
    often = Counter(name for name, _ in apart)
    made, units = [], {}
    for name, (short, unit) in zip(names, apart, strict=True):
        made.append(short if often[short] == 1 else name)
        if unit and often[short] == 1:
            units[short] = unit
    return made, units


def bare(text: pd.Series, present: NDArray[np.bool_]) -> Bare:
    """Return the cells of a column without the one unit that most of those ``present`` carry: € 5, 12 %, 70 kg.

    A number without it is read as one, except beside percentages, where it may be a share. O(n), mostly O(1).
    """
    nothing = np.zeros(len(text), dtype=bool)
    first = text[present].iloc[:LOOKED_AT]
    units = Counter(found[1] for cell in first if (found := _number_and_unit(cell)) and found[1])
    unit, count = units.most_common(1)[0] if units else ("", 0)
    if 2 * count <= len(first):
        return Bare(text, "", nothing)
    cells = text.tolist()
    known = {cell: _number_and_unit(cell) for cell in set(cells)}
    read = [known[cell] for cell in cells]
    made = [found[0] if found and found[1] == unit else cell for cell, found in zip(cells, read, strict=True)]
    odd = nothing
    if unit in ("%", "‰", "percent", "pct"):
        odd = np.array([found is not None and not found[1] and found[0] != "0" for found in read]) & present
    return Bare(pd.Series(made, index=text.index, dtype=text.dtype), unit, odd)


def _number_and_unit(cell: str) -> tuple[str, str] | None:
    found = _CELL.fullmatch(cell)
    if found is None:
        return None
    sign, before, number, after = (part.strip() for part in found.groups())
    known = is_unit(after) and not before if after else before in _CURRENCIES or not before
    return (sign + number, before or after) if known else None


Kind = Literal["number", "date", "category", "text", "constant", "empty"]
Mask = NDArray[np.bool_]

MISSING_WORDS = ("", *_SAID["missing"].split())
"""Cells that mean "no value", in lower case; pandas' reader knows most of them by itself."""
MAX_LEVELS = 20  # A category with more values than this is an identifier or free text, not an input.
FEW = 1000  # So few cells are looked at one by one: in a table of a thousand columns, it is the calls that take time.

_GROUPS_BY_COMMA = r"[+-]?\d{1,3}(?:,\d{3})+"
_GROUPS_BY_POINT = r"[+-]?\d{1,3}(?:\.\d{3})+"
EXPONENT = r"(?:[eE][+-]?\d+)?"
# What only a decimal point, and what only a decimal comma, can explain: 1,234.5  1,234,567  1.5 against 1.234,5  1,5.
_SURELY_POINT = (
    rf"(?:{_GROUPS_BY_COMMA}\.\d*|[+-]?\d{{1,3}}(?:,\d{{3}}){{2,}}|[+-]?\d*\.(?:\d{{1,2}}|\d{{4,}}){EXPONENT})"
)
_SURELY_COMMA = (
    rf"(?:{_GROUPS_BY_POINT},\d*|[+-]?\d{{1,3}}(?:\.\d{{3}}){{2,}}|[+-]?\d*,(?:\d{{1,2}}|\d{{4,}}){EXPONENT})"
)
SPACES = " \u00a0\u202f\u2009'’"  # What may stand between thousands, beside a comma or a point.
SPACED = rf"[+-]?\d{{1,3}}(?:[{SPACES}]\d{{3}})+(?:[.,]\d*)?"  # A number with such a space between its thousands.
_NUMBERS = re.compile(r"\d|inf", re.IGNORECASE)
_EITHER = _GROUPS_BY_COMMA  # 1,234 may be a thousand and some, or one and some
_DATES = ["ISO8601", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%b-%Y", "%b %d, %Y", "%d %b %Y", "%d-%b-%Y"]


@dataclass(frozen=True, eq=False)
class Numbers:
    """A column as numbers: ``amounts`` is NaN where ``missing`` or ``unreadable``; infinite or huge ones are there.

    ``unit``: what most of the cells carried beside the number. ``mark``: the decimal mark by which texts were read.
    """

    amounts: Array
    missing: Mask
    unreadable: Mask
    unit: str = ""
    mark: str = "."


@dataclass(frozen=True)
class Column:
    """What a column of a table can be used for: ``kind``, and how many cells are ``usable`` as that kind.

    ``levels``: the distinct values of a category or a text, most frequent first, at most `MAX_LEVELS` + 1 of them.
    """

    name: str
    kind: Kind
    usable: int
    missing: int
    levels: tuple[str, ...] = ()


def describe(table: pd.DataFrame) -> tuple[Column, ...]:
    """Return, for each column of ``table``, what it holds, so that a person can be offered what makes sense.

    Numbers, dates and categories are told by the majority of the cells that are not missing. O(cells).
    """
    mark, bare = decimal_mark(table), without_notes(table)
    return tuple(_describe(bare.iloc[:, i], str(name), mark) for i, name in enumerate(bare.columns))


def holds_numbers(column: pd.Series) -> bool:
    """Return whether a column is of real numbers or truth values, as pandas has it."""
    real = pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_complex_dtype(column.dtype)
    return real or pd.api.types.is_bool_dtype(column.dtype)


def without_notes(table: pd.DataFrame) -> pd.DataFrame:
    """Return the same cells: else each column that is taken would come with a copy of what is noted of all columns."""
    bare = table.copy(deep=False)
    bare.attrs = {}
    return bare


def _describe(column: pd.Series, name: str, mark: str) -> Column:
    look()
    read = numbers(column, mark)
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
    first = text.iloc[:1000]
    if np.isfinite(dates(first)[0]).mean() > 0.5:
        return Column(name, "date", int(np.isfinite(dates(text)[0]).sum()), missing, levels)
    return Column(name, "category" if len(counts) <= MAX_LEVELS else "text", present, missing, levels)


def decimal_mark(table: pd.DataFrame) -> str:
    """Return the decimal mark that `load_table` found for a table, "." for a table from elsewhere."""
    return "," if table.attrs.get("decimal") == "," else "."


def as_text(column: pd.Series) -> pd.Series:
    """Return the cells as text without surrounding space; a missing cell is empty."""
    if pd.api.types.is_float_dtype(column.dtype):
        # 2020.0 is a year that shared its column with a missing cell.
        values = column.to_numpy(dtype=float, na_value=np.nan)
        plain = np.nan_to_num(values, nan=0.0, posinf=np.inf, neginf=-np.inf).tolist()
        words = [f"{value:.0f}" if abs(value) < 1e15 and value == int(value) else repr(value) for value in plain]
        column = pd.Series(np.where(np.isnan(values), "", words), index=column.index)
    if not isinstance(column.dtype, pd.StringDtype):
        column = column.astype("object").where(column.notna(), "").astype("str")
    return column.fillna("").str.strip()


def numbers(column: pd.Series, mark: str = ".") -> Numbers:
    """Return the cells of ``column`` as numbers.

    By votes, for a look: what is told of a record in a release is read by `pb.data.Marks`, each cell by itself.
    Plain numbers, numbers with thousands separators (comma or point, space, apostrophe), with a decimal comma, and with
    the one unit that most cells carry (€ 5, 12 %) are read. Which of comma and point is the decimal mark is decided for
    the column as a whole, by cells that allow one reading only (1,5 or 1.234,5 against 1.5 or 1,234.5); if there are
    none, by ``mark``. O(n).
    """
    if holds_numbers(column):
        values = column.to_numpy(dtype=float, na_value=np.nan)
        missing = np.isnan(values)
        return Numbers(values, missing, np.zeros(len(values), dtype=bool))
    text = as_text(column)
    missing = _missing(text)
    if not may_be_numbers(text):
        return Numbers(np.full(len(text), np.nan), missing, ~missing)
    text, unit, shares = bare(text, ~missing)
    mark = own_mark(text) or mark
    values = _parse(text)
    odd = ~missing & np.isnan(values)
    if mark == ",":
        # A point may group thousands here, so even what reads as a plain number has to be looked at again.
        odd |= ~missing & _whole(text, r"[^.]*\.[\s\S]*")
    if odd.any():
        values[odd] = _parse(_unified(text[odd], mark))
    values[missing | shares] = np.nan
    return Numbers(values, missing, ~missing & np.isnan(values), unit, mark)


def own_mark(text: pd.Series) -> str | None:
    """Return the decimal mark that the cells of ``text`` themselves call for; None if they leave it open."""
    comma, point = int(_whole(text, _SURELY_COMMA).sum()), int(_whole(text, _SURELY_POINT).sum())
    return None if comma == point else "," if comma > point else "."


def may_be_numbers(text: pd.Series) -> bool:
    """Return whether there is a digit or an infinity in any cell: a look that is over sooner than any reading. O(n)."""
    return _NUMBERS.search("\n".join(text.tolist())) is not None


def open_to_both(text: pd.Series) -> bool:
    """Return whether some cell, like 1,234, is a number with either decimal mark."""
    return bool(_whole(text, _EITHER).any())


def _unified(text: pd.Series, mark: str) -> pd.Series:
    """Return cells with grouping removed and a decimal point; what is not a number under ``mark`` becomes empty."""
    text = text.str.replace("\u2212", "-", regex=False)
    spaced = _whole(text, SPACED)
    if spaced.any():
        text = text.mask(spaced, text[spaced].str.replace(f"[{SPACES}]", "", regex=True))
    group, other = (r"\.", ",") if mark == "," else (",", r"\.")
    valid = _whole(text, rf"[+-]?(?:\d{{1,3}}(?:{group}\d{{3}})+|\d*)(?:{other}\d*)?{EXPONENT}")
    if not valid.all():
        text = text.where(valid, "")
    return text.str.replace(group[-1], "", regex=False).str.replace(",", ".", regex=False)


def _parse(text: pd.Series) -> Array:
    return pd.to_numeric(text, errors="coerce").to_numpy(dtype=float, na_value=np.nan).copy()


def _whole(text: pd.Series, pattern: str) -> Mask:
    """Return which cells are of a pattern as a whole. O(n)."""
    if len(text) > FEW:
        return _mask(text.str.fullmatch(pattern))
    return _each(text, re.compile(pattern, re.ASCII).fullmatch)


def _missing(text: pd.Series) -> Mask:
    """Return which cells mean "no value". O(n)."""
    if len(text) > FEW:
        return _mask(text.str.lower().isin(MISSING_WORDS))
    return _each(text, lambda cell: cell.lower() in MISSING_WORDS)


def _each(text: pd.Series, holds: Callable[[str], object]) -> Mask:
    """Return of which cells something holds. pandas takes as long for a single cell as this for a thousand."""
    cells = text.tolist()
    known = {cell: bool(holds(cell)) for cell in set(cells)}
    return np.fromiter(map(known.__getitem__, cells), dtype=bool, count=len(cells))


def _mask(flags: pd.Series) -> Mask:
    return flags.to_numpy(dtype=bool, na_value=False)


def dates(column: pd.Series) -> tuple[Array, str | None]:
    """Return the cells as days since 1970-01-01 (NaN where there is no date), and a doubt to pass on, or None.

    The format that reads the most cells is used for all of them. If day and month can be told apart by no cell, the
    day is taken to come first, and the doubt says so.
    """
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return _days(pd.to_datetime(column, utc=True)), None
    text = as_text(column)
    text = text.where(_mask(text.str.contains(r"\d", regex=True)), "")
    if not _mask(text != "").any():
        return np.full(len(text), np.nan), None
    read = {}
    for style in _DATES:
        read[style] = _days(pd.to_datetime(text, format=style, errors="coerce", utc=True))
        if style == "ISO8601" and np.isfinite(read[style]).sum() >= _mask(text != "").sum():
            break
    counts = {style: int(np.isfinite(days).sum()) for style, days in read.items()}
    best = max(counts, key=lambda style: counts[style])
    doubt = None
    if best == "%d/%m/%Y" and counts[best] == counts["%m/%d/%Y"]:
        doubt = "dates like 03/04/2020 are read with the day first; write them as 2020-04-03 if that is wrong"
    return read[best], doubt


def _days(moments: pd.Series) -> Array:
    # In whole seconds: nanoseconds reach only from 1677 to 2262.
    seconds = moments.dt.tz_localize(None).to_numpy().astype("datetime64[s]")
    days: Array = np.where(np.isnat(seconds), np.nan, seconds.astype(np.int64) / 86400.0)
    return days


def levels(column: pd.Series) -> tuple[list[str], pd.Series]:
    """Return the distinct values, most frequent first (ties in order of the alphabet), and the cells as text."""
    text = as_text(column)
    text = text.where(~_missing(text), "")
    counts = Counter(text[text != ""].tolist())
    return sorted(counts, key=lambda level: (-counts[level], level)), text
