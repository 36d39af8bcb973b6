"""Read numbers as people write them: with a decimal comma, marks between thousands, units, and k or M."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from privbo_core.data.units import CURRENCIES, WORDS, is_unit

MISSING_WORDS = frozenset(("", *WORDS["missing"].split()))
"""The cells, in lower case, that mean that there is no value."""
MAX_LENGTH = 40  # The number of characters of the longest cell that may be a number.
MAX_OTHERS = 1 / 4  # The share of cells with other digits up to which a column is one of numbers.
SHARES = frozenset(("%", "‰", "percent", "pct"))
"""Units without which a number may be a share of 1."""
MULTIPLIERS = {
    "k": 1e3, "K": 1e3, "M": 1e6, "Mio": 1e6, "Mio.": 1e6, "B": 1e9, "bn": 1e9, "Mrd": 1e9, "Mrd.": 1e9,
}  # fmt: skip
"""What letters after a number multiply it by."""
MULTIPLIERS_OF_MONEY = {**MULTIPLIERS, "m": 1e6, "mn": 1e6, "b": 1e9}

_EXPONENT = r"(?:[eE][+-]?\d+)?"
_BY_COMMA, _BY_POINT = r"[+-]?\d{1,3}(?:,\d{3})+", r"[+-]?\d{1,3}(?:\.\d{3})+"
_SPACES = " \u00a0\u202f\u2009'’"  # The characters other than comma and point that may stand between thousands.


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.ASCII)


_PLAIN = _pattern(rf"[+-]?(?:\d+\.?\d*|\.\d+){_EXPONENT}|[+-]?(?i:inf|infinity)")
_SPACED = _pattern(rf"[+-]?\d{{1,3}}(?:[{_SPACES}]\d{{3}})+(?:[.,]\d*)?")
# Numbers whose decimal mark is certain: 1,234.5 and 1,234,567 and 1.5 have a point, 1.234,5 and 1,5 a comma.
_CERTAIN = {
    ".": _pattern(rf"{_BY_COMMA}\.\d*|[+-]?\d{{1,3}}(?:,\d{{3}}){{2,}}|[+-]?\d*\.(?:\d{{1,2}}|\d{{4,}}){_EXPONENT}"),
    ",": _pattern(rf"{_BY_POINT},\d*|[+-]?\d{{1,3}}(?:\.\d{{3}}){{2,}}|[+-]?\d*,(?:\d{{1,2}}|\d{{4,}}){_EXPONENT}"),
}
_EITHER = _pattern(_BY_COMMA)  # 1,234 is 1234 or 1.234.
_NUMBER = {
    ".": _pattern(rf"(?:{_BY_COMMA}|[+-]?\d+)(?:\.\d*)?{_EXPONENT}|[+-]?\.\d+{_EXPONENT}"),
    ",": _pattern(rf"(?:{_BY_POINT}|[+-]?\d+)(?:,\d*)?{_EXPONENT}|[+-]?,\d+{_EXPONENT}"),
}
_CELL = re.compile(
    rf"(?P<sign>[+-]?)(?P<before>[^\d\s.,+-]{{0,4}})\s?(?P<number>[+-]?(?:\d[\d.,{_SPACES}]*|[.,]\d+){_EXPONENT})"
    r"(?P<after>\D*(?:(?<![^\W\d_])[cdkm]?m[23])?)"
)
_MULTIPLIER = re.compile(r"(Mio\.?|Mrd\.?|bn|mn|[kKmMbB])(?:\s*(\D*))")


def plain_number(cell: object) -> float:
    """Return the number in a cell, as programs write it, or NaN. It depends on this cell alone."""
    if isinstance(cell, str):
        text = cell.strip()
        return float(text) if _PLAIN.fullmatch(text) else math.nan
    try:
        return float(cell)  # type: ignore[arg-type] # Other objects raise an exception.
    except (TypeError, ValueError, OverflowError):
        return math.nan


def to_number(text: str, mark: str) -> float:
    """Return the number in a text with this decimal mark, or NaN."""
    text = text.replace("\u2212", "-")
    if _SPACED.fullmatch(text):
        text = re.sub(f"[{_SPACES}]", "", text)
    if not _NUMBER[mark].fullmatch(text):
        return float(text) if _PLAIN.fullmatch(text) and "." not in text else math.nan
    return float(text.replace("," if mark == "." else ".", "").replace(",", "."))


@dataclass(frozen=True)
class Cell:
    """A cell that may be a number: its digits as text, the unit beside it, and the letters that multiply it."""

    number: str
    unit: str = ""
    multiplier: str = ""


@lru_cache(maxsize=4096)
def _unit_and_multiplier(before: str, after: str) -> tuple[str, str] | None:
    """Return the unit and the multiplier around a number, or None for anything else."""
    if before and before not in CURRENCIES:
        return None
    if not after:
        return before, ""
    if not before and is_unit(after) and after not in MULTIPLIERS:  # "M" is no metre.
        return after, ""
    if found := _MULTIPLIER.fullmatch(after):
        letters, unit = found[1], found[2].strip()
        money = before or unit
        known = letters in (MULTIPLIERS_OF_MONEY if money else MULTIPLIERS)
        if known and not (before and unit) and (not unit or unit in CURRENCIES):
            return money, letters
    return None


def parse_cell(text: str) -> Cell | None:
    """Return the parts of a cell, or None if it is no number with at most one known unit."""
    if len(text) > MAX_LENGTH:
        return None
    if _PLAIN.fullmatch(text):
        return Cell(text)
    found = _CELL.fullmatch(text.replace("\u2212", "-"))
    if found is None:
        return None
    sign, number = found["sign"], found["number"].strip()
    if sign and number[0] in "+-":
        return None
    around = _unit_and_multiplier(found["before"], found["after"].strip())
    return None if around is None else Cell(sign + number, *around)


@dataclass(frozen=True, eq=False)
class NumberColumn:
    """The cells of a column of text that may be numbers, and their common format.

    ``cells`` are the parts of each distinct cell that can be read, with ``unit`` or without a unit. ``counts`` are the
    numbers of all distinct cells but the missing ones. ``unit`` is that of most of the cells with a unit. ``mark`` is
    the decimal mark that the cells require, or None if they leave it open. ``ambiguous`` tells whether there is a cell
    such as 1,234, which can be read with either mark.
    """

    cells: Mapping[str, Cell]
    counts: Mapping[str, int]
    unit: str
    mark: str | None
    ambiguous: bool

    def amounts(self, mark: str) -> dict[str, float]:
        """Return the number in each distinct cell, by the column's own decimal mark or else by ``mark``.

        Return nothing unless at least half of the cells can be read, and few of the others hold digits.
        """
        mark = self.mark or mark
        read = {}
        for text, cell in self.cells.items():
            value = to_number(cell.number, mark)
            if not math.isnan(value):
                read[text] = value * MULTIPLIERS_OF_MONEY[cell.multiplier] if cell.multiplier else value
        total = sum(self.counts.values())
        others = sum(count for text, count in self.counts.items() if text not in read and any(map(str.isdigit, text)))
        numeric = 2 * sum(self.counts[text] for text in read) >= total and others <= MAX_OTHERS * total
        return read if numeric else {}


def parse_column(texts: Sequence[str]) -> NumberColumn:
    """Return the cells of a column that may be numbers. Their unit and their decimal mark are found by majority."""
    counts = Counter(text for text in texts if text.lower() not in MISSING_WORDS)
    cells = {text: cell for text in counts if (cell := parse_cell(text))}
    units: Counter[str] = Counter()
    for text, cell in cells.items():
        units[cell.unit] += counts[text]
    with_unit = sum(units.values()) - units[""]
    unit, count = max(((unit, count) for unit, count in units.items() if unit), key=lambda e: e[1], default=("", 0))
    unit = unit if 2 * count > with_unit else ""
    cells = {text: cell for text, cell in cells.items() if cell.unit in ("", unit)}
    if cells and all(cell.multiplier == "K" and not cell.unit for cell in cells.values()):
        unit, cells = "K", {text: Cell(cell.number, "K") for text, cell in cells.items()}  # Kelvin.
    if unit in SHARES:
        cells = {text: cell for text, cell in cells.items() if cell.unit or cell.number == "0"}
    certain = dict.fromkeys(_CERTAIN, 0)
    for text, cell in cells.items():
        for mark, pattern in _CERTAIN.items():
            certain[mark] += counts[text] if pattern.fullmatch(cell.number) else 0
    required = None if certain[","] == certain["."] else max(certain, key=lambda mark: certain[mark])
    return NumberColumn(cells, counts, unit, required, any(_EITHER.fullmatch(cell.number) for cell in cells.values()))


_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(?:(,\d{3})+(?:\.\d*)?|(\.\d{3})+(?:,\d*)?)")
_AMBIGUOUS = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}")
_TYPED = re.compile(rf"[+-]?(?:\d+[.,]?\d*|[.,]\d+){_EXPONENT}")
_NO_DIGITS = {"nan", "inf", "infinity"}


def typed_numbers(text: str, mark: str = ".") -> tuple[float, ...]:
    """Return the numbers that a typed text may mean: none, one, or two if it is ambiguous.

    1,5 and 1.234,5 and 1 234 have one meaning each. So has 1.234 if ``mark`` is a point. 1,234 is then 1234 or 1.234.
    """
    text = text.strip().replace("\u2212", "-")
    if text.lower().lstrip("+-") in _NO_DIGITS:
        return (float(text),)  # The caller has a better sentence for numbers that are not finite.
    if _SPACED.fullmatch(text):
        text = re.sub(f"[{_SPACES}]", "", text)
    if _AMBIGUOUS.fullmatch(text):
        decimal = float(text.replace(",", "."))
        return (decimal,) if mark in text else (float(re.sub("[.,]", "", text)), decimal)
    if found := _GROUPED.fullmatch(text):
        group, decimal_mark = (",", ".") if found[1] else (".", ",")
        return (float(text.replace(group, "").replace(decimal_mark, ".")),)
    return (float(text.replace(",", ".")),) if _TYPED.fullmatch(text) else ()
