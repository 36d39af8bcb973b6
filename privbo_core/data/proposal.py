"""Propose inputs, an outcome and encodings for a table, each with its reason."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from privbo_core.budget import look
from privbo_core.data.columns import (
    MAX_LEVELS,
    Column,
    as_text,
    dates,
    describe,
    levels,
    numbers,
    without_attrs,
)
from privbo_core.data.prepare import FREQUENT, MAX_INPUTS, Encoding
from privbo_core.data.rows import REPEAT
from privbo_core.errors import Array

LOOKED_AT = 5000  # So many rows tell whether a column follows from others, or is skewed.
FOLLOWS = 1e-7
"""A column of which less than this share is left, once the others explain what they can, follows from them."""
SKEWED, WIDE = 1.5, 10.0
"""A positive column is better as a logarithm if its skewness, and largest value over middle one, exceed these."""

_OUTCOME = re.compile(
    r"(.*[ _.])?(outcome|target|score|response|result|yield|roi|return|reward|objective|utility|loss|error|accuracy|"
    r"auc|rmse|mse|mae|y|label|value|effect|sales|profit|price)",
    re.IGNORECASE,
)
_SMALL = re.compile(
    r"(.*[ _.])?(loss|error|rmse|mse|mae|cost|costs|latency|duration|deaths|mortality|misses)", re.IGNORECASE
)
_IDENTIFIER = re.compile(
    r"(.*[ _.-])?(id|ids|nr|no|num|number|key|code|uuid|index|case|record|row|rownames|zip|phone)\.?|.*[a-z]Id",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Proposal:
    """First choices for a table. Each has its reason, and a person decides.

    ``inputs`` are the proposed columns, in the table's order, and ``left_out`` are the other columns with the reasons.
    ``outcome`` is the likely output and ``because`` the reason. It is None without a column of numbers. ``encode`` has
    the encoding of each column that needs one or is better with it, and ``reasons`` has the reasons. ``log_output`` is
    the reason to take the outcome's logarithm, empty if there is none. ``repeats`` are the columns that number the
    repeats of a measurement.
    """

    inputs: tuple[str, ...]
    outcome: str | None
    because: str
    maximize: bool = True
    log_output: str = ""
    left_out: Mapping[str, str] = field(default_factory=dict)
    encode: Mapping[str, Encoding] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    repeats: tuple[str, ...] = ()

    def left_out_note(self, taken: Sequence[str] = ()) -> str:
        """Return a sentence about the columns that are left out and not ``taken``. It is empty if there are none."""
        left = {name: why for name, why in self.left_out.items() if name not in taken and name != self.outcome}
        shown = "; ".join(f"{name} ({why})" for name, why in list(left.items())[:4])
        return f"Left out: {shown}{f' and {len(left) - 4} more' if len(left) > 4 else ''}." if left else ""


def propose(table: pd.DataFrame, outcome: str | None = None) -> Proposal:
    """Return first choices for a table, for the ``outcome`` if one is given. O(cells + 5,000 d²)."""
    columns = {column.name: column for column in describe(table)}
    table = without_attrs(table)
    left_out: dict[str, str] = {}
    for place, (name, column) in enumerate(columns.items()):
        look()
        if why := _no_input(table.iloc[:, place], column):
            left_out[name] = why
    numeric = [name for name, column in columns.items() if column.kind == "number"]
    likely = [name for name in numeric if name not in left_out] or numeric
    repeats = tuple(name for name in columns if REPEAT.fullmatch(name))
    free = [name for name in likely if name not in repeats] or likely
    called = [name for name in free if outcome_likely(name)]
    found = called[-1] if called else free[-1] if free else None
    because = "of its name" if called else "it is the last column of numbers" if free else ""
    outcome = outcome or found
    first = table.iloc[: LOOKED_AT * max(1, len(table) // LOOKED_AT) : max(1, len(table) // LOOKED_AT)]
    amounts = {name: numbers(first[name]).amounts for name in likely}
    left_out |= _following({name: cells for name, cells in amounts.items() if name not in (outcome, *left_out)})
    encode, reasons = {}, {}
    for name, column in columns.items():
        if name in left_out or name == outcome:
            continue
        if made := _encoding(column, amounts.get(name)):
            encode[name], reasons[name] = made
    inputs = [name for name in columns if name not in left_out and name != outcome and name not in repeats]
    blocks = {name: encoded(first[name], encode.get(name), amounts.get(name)) for name in inputs}
    left_out |= _following(dict(sorted(blocks.items(), key=lambda item: item[1].ndim)))  # categories come last
    inputs = [name for name in inputs if name not in left_out]
    return Proposal(
        tuple(inputs[:MAX_INPUTS]), outcome, because if outcome == found else "you chose it",
        maximize=outcome is None or not _SMALL.fullmatch(outcome),
        log_output=_skewed(amounts[outcome]) if outcome in amounts else "",
        left_out=left_out, encode=encode, reasons=reasons, repeats=repeats,
    )  # fmt: skip


def outcome_likely(name: str) -> bool:
    """Return whether a column is called as outcomes are."""
    return _OUTCOME.fullmatch(name) is not None


def who_likely(table: pd.DataFrame) -> str:
    """Return the column that probably identifies the agent of a row: the first with few, repeated values."""
    n, columns, table = len(table), describe(table), without_attrs(table)
    for kinds in (("category", "text"), ("number",)):
        for place, column in enumerate(columns):
            different = table.iloc[:, place].nunique() if column.kind in kinds else 0
            if 1 < different <= n / 2 and (column.kind != "number" or _IDENTIFIER.fullmatch(column.name)):
                return column.name
    return columns[0].name


def _no_input(cells: pd.Series, column: Column) -> str:
    """Return the reason why a column by itself is no input. It is empty if it may be one."""
    n = len(cells)
    if column.kind == "empty":
        return "it is empty"
    if column.kind == "constant":
        return "it has the same value everywhere"
    if 2 * column.usable < n:
        return f"only {column.usable:,} of {n:,} cells can be used"
    if column.kind == "number":
        values = numbers(cells).amounts
        if n > 2 and (np.array_equal(values, np.arange(n)) or np.array_equal(values, np.arange(1, n + 1))):
            return "it counts the rows"
        finite = values[np.isfinite(values)]
        whole = bool((finite == np.round(finite)).all())
        if whole and n > 2 and len(np.unique(finite)) == len(finite) and _IDENTIFIER.fullmatch(column.name):
            return "it numbers the records"
    if column.kind in ("category", "text"):
        words = as_text(cells)
        different = int(words[words != ""].nunique())
        if different > 2 and 2 * different > column.usable:
            return "it names the records" if different == column.usable else "its text is different in most rows"
        if column.usable > different > MAX_LEVELS and int(words[words != ""].value_counts().iloc[0]) < 3:
            return "no value of it is frequent"
    return ""


def _encoding(column: Column, amounts: Array | None) -> tuple[Encoding, str] | None:
    if column.kind == "date":
        return "date", "a date counts as its days since 1970"
    if column.kind == "category":
        return "category", f"each of its {len(column.levels)} values but the most frequent becomes a column of 0 and 1"
    if column.kind == "text":
        return "frequent", f"it has many values: the {FREQUENT} most frequent are kept, the others count as one"
    if amounts is not None and (why := _skewed(amounts)):
        return "log", f"logarithm: {why}"
    return None


def _skewed(amounts: Array) -> str:
    """Return the reason to take logarithms of amounts. It is empty if there is none."""
    finite = amounts[np.isfinite(amounts)]
    if len(finite) < 10 or finite.min() <= 0 or finite.max() > 1e100 or len(np.unique(finite)) < 10:
        return ""
    ratio = float(finite.max() / np.median(finite))
    if ratio < WIDE or _skewness(finite) < SKEWED or abs(_skewness(np.log(finite))) > _skewness(finite) / 2:
        return ""
    return f"the largest value is {ratio:,.0f} times the middle one"


def _skewness(values: Array) -> float:
    scaled = values / np.abs(values).max()
    deviation = float(scaled.std())
    return 0.0 if deviation == 0 else float((((scaled - scaled.mean()) / deviation) ** 3).mean())


def encoded(cells: pd.Series, how: Encoding | None, amounts: Array | None = None) -> Array:
    """Return an encoded column: n numbers, or for a category n×k zeros and ones, without its most frequent value."""
    if how == "date":
        return dates(cells)[0]
    if how in ("category", "frequent"):
        values, words = levels(cells)
        kept = values[1 : FREQUENT + (how == "category") * MAX_LEVELS]
        made = np.zeros((len(words), max(1, len(kept))))
        for place, value in enumerate(kept):
            made[:, place] = words == value
        made[(words == "").to_numpy(dtype=bool)] = np.nan
        return made
    amounts = numbers(cells).amounts if amounts is None else amounts
    with np.errstate(all="ignore"):
        return np.log10(amounts) if how == "log" else amounts


def _following(blocks: Mapping[str, Array]) -> dict[str, str]:
    """Return the columns that follow exactly from earlier ones in the rows without a gap, and name those."""
    if not blocks:
        return {}
    names = [name for name, cells in blocks.items() for _ in range(1 if cells.ndim == 1 else cells.shape[1])]
    table = np.column_stack(list(blocks.values()))
    table = table[(np.abs(table) < 1e100).all(axis=1)]
    if len(table) < 3:
        return {}
    size = np.abs(table).max(axis=0)
    table = table / np.where(size > 0, size, 1.0)
    table = table - table.mean(axis=0)
    norms = np.linalg.norm(table, axis=0)
    kept: list[int] = []
    basis = np.empty((len(table), 0))  # An orthonormal basis of the kept columns.
    found: dict[str, str] = {}
    for place, name in enumerate(names):
        look()
        if len(kept) >= MAX_INPUTS:
            break  # No more than these are proposed.
        if name in found:
            continue
        if norms[place] <= 1e-9:
            found[name] = "it has one value in the rows that can be used"
            continue
        column = table[:, place] / norms[place]
        rest = column - basis @ (basis.T @ column)
        rest -= basis @ (basis.T @ rest)  # Once more, against round-off.
        size = np.linalg.norm(rest)
        if kept and len(kept) < len(table) - 1 and size <= FOLLOWS:
            weights = np.linalg.lstsq(table[:, kept] / norms[kept], column, rcond=None)[0]
            sources = list(dict.fromkeys(names[kept[i]] for i in np.flatnonzero(np.abs(weights) > 1e-4)))
            found[name] = f"it follows exactly from {' and '.join(sources[:3])}" + " and others" * (len(sources) > 3)
            if any(names[each] == name for each in kept):  # Earlier values of the same category leave, too.
                kept = [each for each in kept if names[each] != name]
                basis = np.linalg.qr(table[:, kept] / norms[kept])[0]
            continue
        kept.append(place)
        if size > 0:
            basis = np.column_stack([basis, rest / size])
    return found
