"""The settings of a whole table: what each column is used for, its range, and the difference that a release hides."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from privbo_core import errors
from privbo_core.data.columns import Column, dates, numbers
from privbo_core.data.frame import HIDDEN_SHARE, Frame, FrameColumn
from privbo_core.data.prepare import Cleaned, Encoding, clean
from privbo_core.data.proposal import Proposal
from privbo_core.errors import MAX_MAGNITUDE, Array, DataError

Use = Literal["input", "outcome", "not used"]
Treatment = Literal["number", "log", "date", "category", "frequent"]
"""How a column is read: as numbers, or by its `Encoding`."""
Goal = Literal["highest", "lowest"]
PROPOSED_INPUTS = 3
MAX_FILE_BYTES = 1_000_000
FACTORS = (1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2.0, 5.0, 10.0)
"""The factors that are proposed to hide in a column that counts as its logarithm."""
_CATEGORIES = ("category", "frequent")


@dataclass(frozen=True)
class ColumnSettings:
    """The settings of one column of a table.

    ``low``, ``high`` and ``hide`` are in the column's ``unit``, and dates in days since 1970. In a column that counts
    as its logarithm, ``hide`` is a factor above 1. A category has none of the three, because it is hidden as a whole.
    ``known``: these limits were chosen without looking at the data. Those of `propose_column` never are.
    """

    name: str
    use: Use
    kind: Treatment
    unit: str = ""
    low: float | None = None
    high: float | None = None
    hide: float | None = None
    known: bool = False

    @property
    def encoding(self) -> Encoding | None:
        """The encoding of the column, or None for plain numbers."""
        return None if self.kind == "number" else self.kind

    def frame_columns(self, names: tuple[str, ...]) -> tuple[FrameColumn, ...]:
        """Return the settings of the columns that this one is made into. Raises DataError if they can't be used."""
        taken = not self.known
        if self.kind in _CATEGORIES:
            # Another value changes two of the columns by 1, or the only one.
            hide = math.sqrt(2.0) if len(names) > 1 else 1.0
            return tuple(FrameColumn(name, "", 0.0, 1.0, hide, taken_from_data=taken) for name in names)
        low, high, hide = self.checked()
        (name,) = names
        if self.kind == "log":
            low, high, hide = math.log10(low), math.log10(high), math.log10(hide)
            unit = f"log10 {self.unit}" if self.unit else ""
            return (FrameColumn(name, unit, low, high, hide, taken_from_data=taken),)
        unit = "days" if self.kind == "date" else self.unit
        return (FrameColumn(name, unit, low, high, hide, taken_from_data=taken),)

    def checked(self) -> tuple[float, float, float]:
        """Return low, high and the protected difference. Raises DataError, naming the column, if they can't be used."""
        found = []
        for part, value in (("low", self.low), ("high", self.high), ("protected difference", self.hide)):
            if value is None:
                raise DataError(f"{self.name!r} has no {part}. Enter a number.")
            found.append(value)
        low, high, hide = found
        if not low < high:
            raise DataError(f"Low of {self.name!r} is {low:g} and high is {high:g}. Low must be below high.")
        if self.kind == "log" and low <= 0:
            raise DataError(f"Low of {self.name!r} is {low:g}. A logarithm needs a number above 0.")
        if self.kind == "log" and not hide > 1:
            raise DataError(f"The factor to hide in {self.name!r} is {hide:g}. It must be above 1.")
        if not hide > 0:
            raise DataError(f"The protected difference of {self.name!r} is {hide:g}. It must be above 0.")
        return low, high, hide

    def pair(self, values: Array) -> tuple[float, float] | None:
        """Return two values near the middle of ``values`` that are one protected difference apart.

        They are None for a category, and for settings that can't be used.
        """
        if self.kind in _CATEGORIES or self.low is None or self.high is None or not self.hide:
            return None
        finite = values[np.isfinite(values)]
        middle = float(np.median(np.clip(finite, self.low, self.high))) if len(finite) else self.low
        if self.kind == "log":
            first = float(f"{middle:.2g}")
            return first, first * self.hide if first * self.hide <= self.high else first / self.hide
        first = min(max(round(middle / self.hide) * self.hide, self.low), self.high)
        return first, first + self.hide if first + self.hide <= self.high else first - self.hide


@dataclass(frozen=True)
class TableSettings:
    """The settings of all columns of a table, and which outcomes are looked for."""

    columns: tuple[ColumnSettings, ...]
    goal: Goal = "highest"

    @property
    def outcome(self) -> ColumnSettings | None:
        """The column that is optimised, or None."""
        return next((column for column in self.columns if column.use == "outcome"), None)

    @property
    def inputs(self) -> tuple[ColumnSettings, ...]:
        """The columns that a release contains."""
        return tuple(column for column in self.columns if column.use == "input")

    @property
    def known(self) -> bool:
        """Whether the limits of all inputs were chosen without looking at the data.

        Otherwise an assumption of the noisy release's guarantee is not met.
        """
        return bool(self.inputs) and all(column.known for column in self.inputs)

    def said_known(self, known: bool) -> "TableSettings":
        """Return the settings in which the limits of the present inputs are known, or those of no column."""
        columns = (replace(column, known=known and column.use == "input") for column in self.columns)
        return replace(self, columns=tuple(columns))

    @property
    def reading(self) -> tuple[object, ...]:
        """What the cleaned rows depend on. Ranges and protected differences are not part of it."""
        outcome = self.outcome
        inputs = tuple((column.name, column.kind, column.unit) for column in self.inputs)
        return inputs, (outcome.name, outcome.kind, outcome.unit) if outcome else None, self.goal

    def replaced(self, name: str, **changes: Any) -> "TableSettings":  # noqa: ANN401
        """Return the settings with changes of one column. A new outcome takes the place of the one before."""
        columns = []
        for column in self.columns:
            if column.name == name:
                columns.append(replace(column, **changes))
            elif changes.get("use") == "outcome" and column.use == "outcome":
                columns.append(replace(column, use="not used"))
            else:
                columns.append(column)
        return replace(self, columns=tuple(columns))

    def clean(self, table: pd.DataFrame) -> Cleaned:
        """Return the usable rows (`pb.data.clean`). Raises DataError if the settings and the table don't make any."""
        if self.outcome is None:
            raise DataError("No column is the outcome. Choose the column whose best value is looked for.")
        if not self.inputs:
            raise DataError("No column is an input. Choose at least one column that the outcome may depend on.")
        encode = {column.name: column.encoding for column in self.inputs if column.encoding is not None}
        units = {column.name: column.unit for column in self.columns}
        return clean(
            table, [column.name for column in self.inputs], self.outcome.name, maximize=self.goal == "highest",
            log_output=self.outcome.kind == "log", encode=encode, units=units,
        )  # fmt: skip

    def frame(self, cleaned: Cleaned) -> Frame:
        """Return the column settings of the release. Raises DataError, naming the column, if some can't be used."""
        made: list[FrameColumn] = []
        for column in self.inputs:
            names = tuple(
                name for name, source in zip(cleaned.names, cleaned.sources, strict=True) if source == column.name
            )
            made += column.frame_columns(names)
        return Frame(tuple(made))

    def to_json(self) -> str:
        """Return the settings as the text of a small file, which contains no cell of the table."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1)

    def updated_from(self, text: str | bytes) -> tuple["TableSettings", tuple[str, ...]]:
        """Return these settings with those of a file that `to_json` made, and a sentence for each that doesn't fit.

        Columns are matched by name. Raises DataError if the text is no such file.
        """
        saved = _parse(text)
        names = [column.name for column in self.columns]
        fitting = {column.name: column for column in saved.columns if column.name in names}
        notes = [
            f"The file has settings for {errors.short(column.name)}, which is no column of this table."
            for column in saved.columns
            if column.name not in names
        ]
        notes += [
            f"The file has no settings for {errors.short(name)}, so these stay as they were."
            for name in names
            if name not in fitting
        ]
        columns = tuple(fitting.get(column.name, column) for column in self.columns)
        if any(column.use == "outcome" for column in fitting.values()):
            columns = tuple(
                replace(column, use="not used") if column.use == "outcome" and column.name not in fitting else column
                for column in columns
            )
        return TableSettings(columns, saved.goal), tuple(notes)


def _parse(text: str | bytes) -> TableSettings:
    wrong = DataError("The file holds no column settings. Choose one that was saved here with *Save settings*.")
    if len(text) > MAX_FILE_BYTES:
        raise wrong
    try:
        found = json.loads(text)
        columns = tuple(_parse_column(each) for each in found["columns"])
        goal = found["goal"]
    except DataError:
        raise
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError):
        raise wrong from None
    names = [column.name for column in columns]
    outcomes = [column for column in columns if column.use == "outcome"]
    if goal not in get_args(Goal) or len(set(names)) < len(names) or len(outcomes) > 1:
        raise wrong
    return TableSettings(columns, goal)


def _parse_column(found: Mapping[str, Any]) -> ColumnSettings:
    given = {field.name: found[field.name] for field in fields(ColumnSettings)}
    texts = given["name"], given["unit"]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("a name or a unit is no text")
    if not isinstance(given["known"], bool):
        raise ValueError("a column is neither known nor unknown")
    for part, text in (("name", given["name"]), ("unit", given["unit"])):
        errors.name(f"{part} of a column", text)
    if given["use"] not in get_args(Use) or given["kind"] not in get_args(Treatment):
        raise ValueError("a use or a kind is unknown")
    for part in ("low", "high", "hide"):
        if given[part] is not None:
            given[part] = errors.number(f"{part} of column {errors.short(given['name'])}", given[part])
    return ColumnSettings(**given)


def propose_settings(table: pd.DataFrame, columns: tuple[Column, ...], proposal: Proposal) -> TableSettings:
    """Return first settings for a table, every one of which can be used as it is.

    ``columns`` and ``proposal`` are from `pb.data.describe` and `pb.data.propose`. The first few proposed inputs that
    are numbers are used. Ranges are the least and the greatest value, rounded outwards, and about a fiftieth of the
    range is hidden. So they are taken from the data.
    """
    numeric = {column.name for column in columns if column.kind == "number"}
    chosen = [name for name in proposal.inputs if name in numeric] or list(proposal.inputs)
    chosen = chosen[:PROPOSED_INPUTS]
    bare = table.copy(deep=False)
    units, bare.attrs = table.attrs.get("units", {}), {}
    made = []
    for place, column in enumerate(columns):
        name = column.name
        use: Use = "outcome" if name == proposal.outcome else "input" if name in chosen else "not used"
        kind: Treatment = proposal.encode.get(name) or _kind(column)
        if use == "outcome":
            kind = "log" if proposal.log_output else "number"
        made.append(propose_column(bare.iloc[:, place], ColumnSettings(name, use, kind, units.get(name, ""))))
    return TableSettings(tuple(made), "highest" if proposal.maximize else "lowest")


def _kind(column: Column) -> Treatment:
    if column.kind == "date" or column.kind == "category":
        return column.kind
    return "frequent" if column.kind == "text" else "number"


def amounts_of(cells: pd.Series, kind: Treatment) -> Array:
    """Return the cells of a column as amounts, dates in days since 1970. Unusable cells are NaN."""
    if kind in _CATEGORIES:
        return np.full(len(cells), np.nan)
    found = dates(cells)[0] if kind == "date" else numbers(cells).amounts
    return np.where(np.abs(found) < MAX_MAGNITUDE, found, np.nan)


def propose_column(cells: pd.Series, column: ColumnSettings) -> ColumnSettings:
    """Return settings of a column with a range and a protected difference for its kind, taken from the data."""
    column = replace(column, known=False)
    amounts = amounts_of(cells, column.kind)
    finite = amounts[np.isfinite(amounts)]
    if column.kind == "log":
        finite = finite[finite > 0]
    if not len(finite) or finite.min() == finite.max():
        return replace(column, low=None, high=None, hide=None)
    low, high = float(finite.min()), float(finite.max())
    if column.kind == "log":
        low, high = (
            _rounded(low, 10.0 ** (math.floor(math.log10(low)) - 1), -1),
            _rounded(high, 10.0 ** (math.floor(math.log10(high)) - 1), 1),
        )
        step = (high / low) ** HIDDEN_SHARE
        return replace(column, low=low, high=high, hide=min(FACTORS, key=lambda factor: abs(math.log(factor / step))))
    hide = nice((high - low) * HIDDEN_SHARE)
    if bool((finite == np.round(finite)).all()) or column.kind == "date":
        hide = max(1.0, hide)
        return replace(column, low=low, high=high, hide=hide)
    step = 10.0 ** math.floor(math.log10((high - low) / 50.0))
    return replace(column, low=_rounded(low, step, -1), high=_rounded(high, step, 1), hide=hide)


def nice(value: float) -> float:
    """Return the number of the form 1, 2 or 5 times a power of ten that is nearest to a positive number."""
    power = math.floor(math.log10(value))
    near = [factor * 10.0**exponent for exponent in (power, power + 1) for factor in (1, 2, 5)]
    return float(f"{min(near, key=lambda each: abs(math.log(each / value))):.3g}")


def _rounded(value: float, step: float, direction: int) -> float:
    """Return a multiple of ``step`` that is no larger (−1) or no smaller (1), and clean of round-off."""
    times = value / step
    whole = math.floor(times + 1e-9) if direction < 0 else math.ceil(times - 1e-9)
    return float(f"{whole * step:.12g}")
