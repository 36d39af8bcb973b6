"""How a table is written, as a public fact: by these marks each cell is read by itself, and each line of a file."""

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from privbo_core import files
from privbo_core.data.columns import EXPONENT, SPACED, SPACES, Numbers, as_text, holds_numbers
from privbo_core.errors import Array, DataError

THOUSANDS = {"": "", ",": ",", ".": r"\.", " ": "[ \u00a0\u202f\u2009]", "'": "['’]"}
"""What may stand between thousands, and the cells' characters that it stands for."""
SHARES = ("%", "‰", "percent", "pct")  # Units without which a number may mean a share.
DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "latin-1")
MOST_CODES = 20
MOST_LINES = 1000  # More lines than any file has above or below its table.


def _check_known(of: str, marks: object, known: Mapping[str, Collection[str]]) -> None:
    for part, allowed in known.items():
        if (given := getattr(marks, part)) not in list(allowed):
            raise DataError(f"{part} {of} is {files.short(given)}; it must be one of {', '.join(map(repr, allowed))}.")


@dataclass(frozen=True)
class Marks:
    """How the numbers of a column are written. As it stands, as programs write them: 1234.5.

    ``decimal``: the point or the comma. ``thousands``: what may stand between groups of three digits, a key of
    `THOUSANDS`. ``unit``: what may stand before or behind a number: € or kg. ``missing``: what means "no value" though
    it reads as a number, such as 99999. What is no number by these marks is missing, too.
    """

    decimal: str = "."
    thousands: str = ""
    unit: str = ""
    missing: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_known("mark", self, {"decimal": (".", ","), "thousands": THOUSANDS})
        if self.decimal == self.thousands:
            raise DataError(f"{self.decimal!r} cannot be both the decimal mark and what stands between thousands.")
        object.__setattr__(self, "unit", files.name("unit in cells", self.unit).strip())
        if re.fullmatch(r"[\d.,+\-\s]+", self.unit):
            raise DataError(f"unit in cells is {files.short(self.unit)}, which may be part of a number.")
        if not isinstance(self.missing, list | tuple) or len(self.missing) > MOST_CODES:
            raise DataError(f"missing must be a list of at most {MOST_CODES} texts, such as 99999.")
        codes = (files.name("A code for what is missing", code).strip() for code in self.missing)
        object.__setattr__(self, "missing", tuple(code for code in codes if code))

    @cached_property
    def _number(self) -> re.Pattern[str]:
        point, group = re.escape(self.decimal), THOUSANDS[self.thousands]
        grouped = rf"[0-9]{{1,3}}(?:{group}[0-9]{{3}})+|" if group else ""
        number = rf"(?P<number>(?:{grouped}[0-9]+)(?:{point}[0-9]*)?|{point}[0-9]+)(?P<power>[eE][+-]?[0-9]+)?"
        if not self.unit:
            return re.compile(rf"(?P<sign>[+-]?)(?P<before>)(?P<second>){number}(?P<after>)")
        unit = re.escape(self.unit)
        before, after = rf"(?P<before>(?:{unit}\s?)?)(?P<second>[+-]?)", rf"\s?(?P<after>(?:{unit})?)"
        return re.compile(rf"(?P<sign>[+-]?){before}{number}{after}")

    @cached_property
    def codes(self) -> frozenset[float]:
        """The numbers that mean "no value"."""
        return frozenset(value for code in self.missing if (value := self._read(code)) == value)

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(code.casefold() for code in self.missing)

    def _read(self, text: str) -> float:
        found = self._number.fullmatch(text.strip().replace("\u2212", "-"))
        if found is None:
            return math.nan
        signs, unit = found["sign"] + found["second"], found["before"] or found["after"]
        if len(signs) > 1 or (found["before"] and found["after"]):
            return math.nan
        group = THOUSANDS[self.thousands]
        digits = re.sub(group, "", found["number"]) if group else found["number"]
        value = float(f"{signs}{digits.replace(self.decimal, '.')}{found['power'] or ''}")
        if not math.isfinite(value) or (self.unit in SHARES and not unit and value):
            return math.nan
        return value

    def amount(self, cell: object) -> float:
        """Return the number in a cell, NaN if there is none that is finite; it depends on this cell alone."""
        if isinstance(cell, str):
            value = math.nan if cell.strip().casefold() in self._words else self._read(cell)
        else:
            try:
                value = float(cell)  # type: ignore[arg-type] # what is none has its exception
            except (TypeError, ValueError, OverflowError):
                return math.nan
        return value if math.isfinite(value) and value not in self.codes else math.nan

    def amounts(self, cells: pd.Series) -> Array:
        """Return `amount` of each cell. About 2 s for 1 000 000 texts, no time for numbers."""
        if holds_numbers(cells):
            values = np.array(cells.to_numpy(dtype=float, na_value=np.nan))
            values[~np.isfinite(values) | np.isin(values, list(self.codes))] = np.nan
            return values
        return np.fromiter(map(self.amount, cells.tolist()), dtype=float, count=len(cells))

    def __str__(self) -> str:
        """Return the marks in words: decimal comma, thousands apart by '.', in kg, 99999 is missing."""
        parts = [f"decimal {'point' if self.decimal == '.' else 'comma'}"]
        if self.thousands:
            parts.append(f"thousands apart by {'a space' if self.thousands == ' ' else repr(self.thousands)}")
        if self.unit:
            parts.append(f"with or without {self.unit}")
        if self.missing:
            parts.append(f"{', '.join(self.missing)} {'is' if len(self.missing) == 1 else 'are'} missing")
        return ", ".join(parts)


PLAIN = Marks()  # How programs write numbers. It was not read off any table, and counts where nothing is said.


@dataclass(frozen=True)
class FileMarks:
    """Which lines of a file are records, and how they are cut into cells; cells may stand in double quotes.

    ``names``: which line names the columns, counted from 1; blank lines do not count. Every line below is a record, but
    the last ``below`` of them (sums, remarks).
    """

    delimiter: str = ","
    encoding: str = "utf-8"
    names: int = 1
    below: int = 0

    def __post_init__(self) -> None:
        _check_known("of the file", self, {"delimiter": DELIMITERS, "encoding": ENCODINGS})
        files.whole_number("names of the file", self.names, 1, MOST_LINES)
        files.whole_number("below of the file", self.below, 0, MOST_LINES)

    def __str__(self) -> str:
        """Return it in words: cells apart by a comma, utf-8, names in line 1, all lines below are records."""
        last = "all lines below are" if not self.below else f"but the last {self.below}, the lines below are"
        apart = f"cells apart by a {DELIMITERS[self.delimiter]}, {self.encoding}"
        return f"{apart}, names in line {self.names}, {last} records"


def refuse_votes(table: pd.DataFrame) -> None:
    """Raise DataError for a table of which all cells together told how each was read (`load_table`)."""
    if "marks" in table.attrs:
        raise DataError(
            "How this table's cells were read, all of them told together, so that one record moves others: read the "
            "file with load_cells, which leaves that to marks which were known before."
        )


LOOKED_AT = 20_000  # So many cells tell what stands between thousands.
MOST_PROPOSED = 4  # So many codes are proposed for a column.


def proposed_marks(column: pd.Series, read: Numbers) -> Marks:
    """Return the marks that go with how a column was ``read``; plain ones for a column of words."""
    amounts = read.amounts[np.isfinite(read.amounts)]
    if not len(amounts):
        return PLAIN
    missing = _codes(amounts)
    if not isinstance(column.dtype, pd.StringDtype):
        return Marks(missing=missing)
    decimal = read.mark
    text = as_text(column.iloc[:LOOKED_AT])
    text = text.str.replace(read.unit, "", regex=False).str.strip() if read.unit else text
    counts = {
        sign: int(text.str.fullmatch(rf"[+-]?[0-9]{{1,3}}(?:{group}[0-9]{{3}})+(?:[{decimal}][0-9]*)?").sum())
        for sign, group in THOUSANDS.items()
        if group and sign != decimal
    }
    best = max(counts, key=lambda sign: counts[sign])
    return Marks(decimal, best if counts[best] else "", read.unit, missing)


def _codes(amounts: Array) -> tuple[str, ...]:
    """Return the numbers of nothing but nines that are far from all others, or below 0 where no other number is."""
    values = np.unique(amounts)
    ends = np.concatenate([values[:MOST_PROPOSED], values[-MOST_PROPOSED:]])
    nines = np.array([value for value in ends if abs(value) < 1e15 and set(f"{abs(value):.15g}") == {"9"}])
    others = values[~np.isin(values, nines)]
    if not len(others):
        return ()
    low, high = others[0], others[-1]
    far = (np.abs(nines) > 100) & (np.maximum(low - nines, nines - high) > high - low)
    return tuple(f"{code:.0f}" for code in np.unique(nines[far | (nines < min(low, 0)) & (low >= 0)]))


_SPACED = re.compile(SPACED)
_GROUPS = re.compile(r"[+-]?[1-9]\d{0,2}(?:(,\d{3})+(?:\.\d*)?|(\.\d{3})+(?:,\d*)?)")
_EITHER = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}")
_PLAIN = re.compile(rf"[+-]?(?:\d+[.,]?\d*|[.,]\d+){EXPONENT}")
_NO_DIGITS = {"nan", "inf", "infinity"}


def readings(text: str, mark: str = ".") -> tuple[float, ...]:
    """Return the numbers that a typed text may stand for: one, none, or two where nobody can tell.

    1,5 and 1.234,5 and 1 234 have one reading each. So has 1.234 where ``mark``, the decimal mark of the table in use,
    is the point; 1,234 is then 1234 or 1.234, and the other way round.
    """
    text = text.strip().replace("\u2212", "-")
    if text.lower().lstrip("+-") in _NO_DIGITS:
        return (float(text),)  # a number, though hardly ever one that can be used: whoever takes it says so
    if _SPACED.fullmatch(text):
        text = re.sub(f"[{SPACES}]", "", text)
    if _EITHER.fullmatch(text):
        decimal = float(text.replace(",", "."))
        return (decimal,) if mark in text else (float(re.sub("[.,]", "", text)), decimal)
    if found := _GROUPS.fullmatch(text):
        group, decimal_mark = (",", ".") if found[1] else (".", ",")
        return (float(text.replace(group, "").replace(decimal_mark, ".")),)
    return (float(text.replace(",", ".")),) if _PLAIN.fullmatch(text) else ()
