"""One row for each column of the visitor's table: what it is used for, its range, and the difference that is hidden."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Literal

import numpy as np
import pandas as pd
import streamlit as st

from pages.ui.numbers import MINUS, parse_number
from pages.ui.own_table import OwnTable, keep_own_table
from pages.ui.sliders import OWN_DATA
from pages.ui.text import to_markdown
from privbo_core.data import Column, ColumnSettings, TableSettings
from privbo_core.data.columns import dates
from privbo_core.data.numbers import typed_numbers
from privbo_core.data.settings import Treatment, Use, amounts_of, propose_column
from privbo_core.errors import Array

USES: dict[Use, str] = {"input": "Input", "outcome": "Outcome", "not used": "Not used"}
KINDS: dict[Treatment, str] = {
    "number": "Number", "log": "Logarithm", "date": "Date", "category": "Category", "frequent": "Frequent values",
}  # fmt: skip
ALLOWED: dict[str, tuple[Treatment, ...]] = {
    "number": ("number", "log"),
    "constant": ("number",),
    "empty": ("number",),
    "date": ("date", "frequent"),
    "category": ("category", "frequent"),
    "text": ("frequent",),
}
"""How a column of each kind can be read."""
Part = Literal["low", "high", "hide"]
PARTS: dict[str, Part] = {"Low": "low", "High": "high", "Protected difference": "hide"}
FIRST_DAY = date(1970, 1, 1)
ROW_HEIGHT, MAX_ROWS = 35, 5
MAX_LETTERS = 60
NOT_RELEASED = "Not part of the release"
SAMPLE = 5000
"""The number of rows that show the usual values of a column."""
GENERATION = f"{OWN_DATA}editor"
Row = Mapping[str, str]


def renew_editor() -> None:
    """Forget the edits of the table's rows, so that the editor shows the settings as they are."""
    st.session_state[GENERATION] = st.session_state.get(GENERATION, 0) + 1


def edit_settings(own: OwnTable) -> OwnTable:
    """Show a row for each column, and return the table with the settings that the visitor has made.

    What can't be read gets a sentence, and the setting before it stays.
    """
    assert own.settings is not None
    shown = rows_of(own, own.settings)
    key = f"{OWN_DATA}made/editor/{st.session_state.get(GENERATION, 0)}"
    edited = st.data_editor(
        shown, key=key, hide_index=True, num_rows="fixed", disabled=["Column", "Hides"],
        column_config=settings_columns(),
        height=ROW_HEIGHT * (min(MAX_ROWS, len(shown)) + 1) + 2, row_height=ROW_HEIGHT,
        alt="The settings of each column of your table",
    )  # fmt: skip
    settings, faults = read_rows(own, edited)
    for sentence in faults:
        st.error(to_markdown(sentence), icon=":material/error:")
    if settings != own.settings:
        roles = [(column.use, column.kind) for column in own.settings.columns]
        if roles != [(column.use, column.kind) for column in settings.columns]:
            renew_editor()  # Other cells change with these, also cells that were edited before.
        keep_own_table(replace(own, settings=settings))
        st.rerun()
    return own


def settings_columns() -> dict[str, Any]:
    """Return how the columns of the settings look."""
    text, choice = st.column_config.TextColumn, st.column_config.SelectboxColumn
    number: dict[str, Any] = {"width": 84, "max_chars": MAX_LETTERS, "alignment": "right"}
    return {
        "Column": text(width=132, pinned=True),
        "Use": choice(options=list(USES.values()), required=True, width=92),
        "Read as": choice(options=list(KINDS.values()), required=True, width=104),
        "Unit": text(width=72, max_chars=MAX_LETTERS),
        "Low": text(**number, help="The smallest value that the column can have. Smaller ones count as this one."),
        "High": text(**number, help="The largest value that the column can have. Larger ones count as this one."),
        "Protected difference": text(
            **{**number, "width": 164},
            help="The noise hides a change of one row by this much. A larger difference hides more and costs more.",
        ),
        "Hides": text(width=264, help="What the noisy release hides of each row, or why a column isn’t used."),
    }


def rows_of(own: OwnTable, settings: TableSettings) -> pd.DataFrame:
    """Return the settings as texts, a row for each column of the table in the order of `order_of`."""
    reasons = own.proposal.left_out
    rows = []
    for place in order_of(settings):
        column = settings.columns[place]
        reason = reasons.get(column.name, "")
        hides = f"{reason[0].upper()}{reason[1:]}" if reason else "Can be an input"
        if column.use == "outcome":
            hides = NOT_RELEASED
        elif column.use == "input":
            hides = hidden(column, sample_of(own.table.iloc[:, place], column))
        if alike := spelled_alike(own.columns[place].levels):
            hides = f"“{alike[0]}” and “{alike[1]}” count as two values. {hides}"
        rows.append({"Column": column.name, "Use": USES[column.use], "Read as": KINDS[column.kind], **texts_of(column)})
        rows[-1]["Hides"] = hides
    return pd.DataFrame(rows, dtype="str")


def spelled_alike(levels: Sequence[str]) -> tuple[str, str] | None:
    """Return two values of a category that differ only by capitals or spaces, or None."""
    seen: dict[str, str] = {}
    for level in levels:
        plain = "".join(level.casefold().split())
        if plain in seen:
            return seen[plain], level
        seen[plain] = level
    return None


def order_of(settings: TableSettings) -> list[int]:
    """Return the places of the columns in the order of the rows: the outcome, the inputs, and the unused ones."""
    rank = {"outcome": 0, "input": 1, "not used": 2}
    return sorted(range(len(settings.columns)), key=lambda place: rank[settings.columns[place].use])


def sample_of(cells: pd.Series, column: ColumnSettings) -> Array:
    """Return the amounts in some rows of a column."""
    return amounts_of(cells.iloc[:: max(1, len(cells) // SAMPLE)], column.kind)


def texts_of(column: ColumnSettings) -> dict[str, str]:
    """Return the texts of a column's cells that can be edited. An outcome has no limits, because it isn't released."""
    if column.use == "outcome":
        return {"Unit": column.unit, "Low": "", "High": "", "Protected difference": ""}
    if column.kind in ("category", "frequent"):
        return {"Unit": column.unit, "Low": "", "High": "", "Protected difference": "the whole category"}
    ends = {title: written(column, getattr(column, part)) for title, part in PARTS.items() if part != "hide"}
    hide = "" if column.hide is None else f"{column.hide:.6g}".replace("-", MINUS)
    if column.kind == "date" and hide:
        hide = f"{hide} day{'' if column.hide == 1 else 's'}"
    return {"Unit": column.unit, **ends, "Protected difference": f"× {hide}" if column.kind == "log" and hide else hide}


def written(column: ColumnSettings, value: float | None) -> str:
    """Return a value of a column as it is written in its cell. It can be typed in the same way."""
    if value is None:
        return ""
    if column.kind == "date":
        return _day(value)
    return f"{value:.10g}".replace("-", MINUS)


def _day(value: float) -> str:
    try:
        return (FIRST_DAY + timedelta(days=round(value))).isoformat()
    except OverflowError:
        return f"day {value:.0f}"


def hidden(column: ColumnSettings, values: Array) -> str:
    """Return in words what a column's protected difference hides, with two values that can't be told apart."""
    if column.kind in ("category", "frequent"):
        return "Hides which of its values it is"
    pair = column.pair(values)
    if pair is None:
        return "Enter low, high and the protected difference"
    one, two = (amount(column, value) for value in pair)
    unit = f" {column.unit}" if column.unit and column.kind != "date" else ""
    return f"Hides whether it is {one} or {two}{unit}"


def amount(column: ColumnSettings, value: float) -> str:
    """Return a value of a column for people to read, with the decimals that its protected difference needs."""
    if column.kind == "date":
        return _day(value)
    if column.kind == "log":
        return f"{float(f'{value:.3g}'):,.10g}".replace("-", MINUS)
    assert column.hide is not None
    decimals = max(0, min(12, -int(np.floor(np.log10(column.hide) + 1e-9)) + (0 if _round(column.hide) else 1)))
    grouping = "," if abs(value) >= 10_000 else ""  # A year has no comma.
    return f"{value + 0.0:{grouping}.{decimals}f}".replace("-", MINUS)


def _round(value: float) -> bool:
    """Return whether a number has one significant digit."""
    return float(f"{value:.1g}") == value


def read_rows(own: OwnTable, edited: pd.DataFrame) -> tuple[TableSettings, list[str]]:
    """Return the settings that the edited rows describe, and a sentence for each cell that can't be read."""
    assert own.settings is not None
    settings, faults = own.settings, []
    for number, place in enumerate(order_of(own.settings)):
        column = own.settings.columns[place]
        row = {str(name): cell if isinstance(cell, str) else "" for name, cell in edited.iloc[number].items()}
        changes, wrong = read_row(own, place, column, own.columns[place], row)
        settings = settings.replaced(column.name, **changes) if changes else settings
        faults += wrong
    return settings, faults


def read_row(
    own: OwnTable, place: int, column: ColumnSettings, kind: Column, row: Row
) -> tuple[dict[str, Any], list[str]]:
    """Return the changes of a column that a row describes, and a sentence for each cell that can't be read."""
    changes: dict[str, Any] = {}
    faults = []
    use = next((use for use, name in USES.items() if name == row["Use"]), column.use)
    treatment = next((each for each, name in KINDS.items() if name == row["Read as"]), column.kind)
    if use != column.use:
        if use == "outcome" and kind.kind != "number":
            faults.append(f"{column.name} has no numbers, so it can’t be the outcome.")
        else:
            changes["use"] = use
            if use == "outcome" and column.kind != "log":
                treatment = column.kind
    if treatment != column.kind:
        if treatment not in ALLOWED[kind.kind]:
            allowed = " or ".join(KINDS[each].lower() for each in ALLOWED[kind.kind])
            faults.append(f"{column.name} can only be read as {allowed}.")
        else:
            made = propose_column(own.table.iloc[:, place], replace(column, kind=treatment))
            changes |= {"kind": treatment, "low": made.low, "high": made.high, "hide": made.hide, "known": made.known}
            return changes, faults
    if row["Unit"] != column.unit:
        changes["unit"] = " ".join(row["Unit"].split())
    shown = texts_of(column)
    mark = str(own.table.attrs.get("decimal", "."))
    for title, part in PARTS.items():
        if row[title] != shown[title]:
            try:
                changes[part] = typed(column, part, row[title], mark)
            except ValueError as error:
                faults.append(f"{title} of {column.name}: {error}")
    if not faults and changes.keys() & {"low", "high", "hide"}:
        try:
            replace(column, **changes).checked()
        except ValueError as error:
            return {}, [str(error)]
    return changes, faults


def typed(column: ColumnSettings, part: Part, text: str, mark: str) -> float:
    """Return the number in a cell. Raises ValueError with a sentence if there is none."""
    if column.use == "outcome":
        raise ValueError("the outcome isn’t released, so it has no limits. Leave the cell empty.")
    if column.kind in ("category", "frequent"):
        raise ValueError("a category has no range and is hidden as a whole. Leave the cell as it was.")
    words = text.strip()
    if column.kind == "date" and part != "hide":
        (day,) = dates(pd.Series([words]))[0]
        if not np.isfinite(day):
            raise ValueError(f"“{words}” is no date. Write it as 2025-03-31.")
        return float(day)
    if part == "hide" and column.kind == "date":
        words = re.sub(r"\s*days?$", "", words)
    if part == "hide" and column.kind == "log":
        words = words.lstrip("×x* ")
        if words.endswith("%"):
            return 1.0 + _number(words[:-1], mark) / 100.0
    return _number(words, mark)


def _number(text: str, mark: str) -> float:
    meanings = typed_numbers(text, mark)
    if len(meanings) == 2:
        one, two = (f"{value:.10g}" for value in meanings)
        raise ValueError(f"“{text}” can mean {one} or {two}. Write it without marks between thousands.")
    try:
        value = meanings[0] if meanings else parse_number(text)
    except ValueError:
        raise ValueError(f"“{text}” is no number. Write one such as 43, 0.5 or 1e-3.") from None
    if not abs(value) < 1e100:
        raise ValueError(f"“{text}” is too large. Write a number between ±1e100.")
    return value
