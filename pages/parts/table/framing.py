"""The settings of each column, filled in by a person, row by row."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import streamlit as st

from pages.parts.shell.depth import simple
from pages.parts.table.own_table import own_table
from pages.parts.table.upload import made, unnamed
from pages.parts.views.drawing import note
from pages.parts.views.templates import image, render
from pages.parts.views.text import as_markdown, minus, two_digits, unmarked
from privbo_core.data import Frame, FrameColumn
from privbo_core.data.numbers import typed_numbers
from privbo_core.errors import Array, DataError, listed, short
from privbo_core.privacy import gaussian_sigma

PARTS = {
    "low": ("low", "The least value that the column can have, whatever the data are."),
    "high": ("high", "The greatest value that the column can have."),
    "hide": (
        "hide ±",
        "You choose it: a change of one record by this much stays hidden. A larger one hides more and costs more.",
    ),
    "unit": ("unit", "For people: years, USD, …"),
    "lengthscale": ("length-scale", "A guess at the change that matters to the output. Empty: a quarter of the range."),
}
"""What is asked of each column: the label, and what it means."""
AT = 1.0, 1e-5  # The ε and δ at which a guide says what is lost.
CONFIRMED = "confirmed"
CONFIRM = "not from the data"
CONFIRM_MEANT = (
    "Tick this if low, high and the change to hide would be the same without the data: a law, a code book or general "
    "knowledge says so. What is proposed is taken from the data, and the guarantee then names that as not met."
)
SEARCHERS = ("unit", "lengthscale")  # What Simple does not ask, and keeps as it is.
WIDTHS = {"low": 0.8, "high": 0.8, "hide": 0.8, "unit": 0.8, "lengthscale": 0.9}
CONFIRM_WIDTH = 1.2
Use = Callable[[Frame], None]  # What is done with a frame.
Head = Callable[[str], None]  # Draws what a column's row begins with, by the column's name.


@dataclass(frozen=True, eq=False)
class Rows:
    """Where the records lie (``values``, column by column), the ``head`` of a row; ``rest`` draws what is no input."""

    values: Array
    head: Head
    rest: Callable[[], None]


Field = TypeVar("Field")
Text = Mapping[str, str]


def ask_frame(now: Frame, read: Frame, use: Use, more: Rows | None = None) -> Frame:
    """Ask for the frame, a row a column; return it as far as it can be read, else ``now``, which is in use.

    ``read``: what is proposed, taken from the data. ``use``: what is done with the frame once a person says so.

    Numbers stand in it, and may be typed, with the decimal mark of the table. What cannot be used is said below its
    column. Simple leaves out what only a search needs, and keeps that as it is.
    """
    mine, brief = own_table(), simple()
    generation = len(mine.missing)  # other fields where other numbers belong
    mark, key = mine.decimal, f"frame/{generation}"
    if not brief:
        change = "by how much a column must change for the outcome to change too"
        note(f"length-scale: {change}; a guess for the search, which may stay empty.")
    rows: dict[str, Text] = {}
    places, changed = {}, False
    with st.container(key="frame", gap="xsmall"):
        for i, (column, off) in enumerate(zip(now.columns, read.columns, strict=True)):
            with st.container(key=f"frame-row-{i}", gap="xxsmall"):
                before = written(column, mark)
                texts = _ask_row(before, column.name, key, more.head if more else None)
                both = ({column.name: row} for row in (texts, before))
                drafted, stands = (filled_in(row, Frame((off,)), mark)[0] for row in both)
                changed = changed or (texts != before and (drafted is None or drafted != stands))
                _tell_row(column, off, drafted.columns[0] if drafted else None, more.values[:, i] if more else None)
                places[column.name] = st.container()
            rows[column.name] = texts
        if brief and more:
            more.rest()
    found, faults = filled_in(rows, read, mark)
    for name, sentence in faults.items():
        places.get(name, st).error(as_markdown(sentence), icon=":material/error:")
    mine.pending = changed
    if mine.pending:
        shown = "Not all of what you typed can be read" if faults else "What you typed is shown here already"
        note(f"{shown}. It is in use nowhere else until you press the button.")
    if st.button("Use this frame", icon=":material/check:", type="primary", key=made("use")):
        if found is None:
            names = list(faults)
            shown = listed([*map(repr, names[:6]), *([f"{len(names) - 6} more"] if len(names) > 6 else [])])
            said = f"The frame is not used yet: see what is said above of {shown}. What you typed is still there."
            st.error(as_markdown(said), icon=":material/error:")
        else:
            use(found)
    return found or now


def _ask_row(before: Text, name: str, key: str, head: Head | None) -> dict[str, str]:
    shown = [part for part in PARTS if not (simple() and part in SEARCHERS)]
    widths = [2.0, *(WIDTHS[part] for part in shown), CONFIRM_WIDTH]
    first, *places, last = st.columns(widths, vertical_alignment="bottom", gap="small")
    with first:
        if head:
            head(name)
        else:
            st.markdown(f"**{as_markdown(name)}**")
    texts = dict(before)
    for place, part in zip(places, shown, strict=True):
        with place:
            texts[part] = _ask_text(*PARTS[part], before[part], f"{key}/{unnamed(name)}/{part}")
    with last:
        ticked = made(f"{key}/{unnamed(name)}/{CONFIRMED}")
        confirmed = st.checkbox(
            CONFIRM, bool(before[CONFIRMED]), key=ticked, help=CONFIRM_MEANT, persist_state="session"
        )
        texts[CONFIRMED] = CONFIRMED if confirmed else ""
    return texts


def _ask_text(label: str, meaning: str, before: str, key: str, longest: int = 300) -> str:
    return st.text_input(label, before, key=made(key), help=meaning, max_chars=longest, persist_state="session")


def _tell_row(column: FrameColumn, off: FrameColumn, draft: FrameColumn | None, values: Array | None) -> None:
    shown = draft or column
    hides, scale = guide(shown), None
    if values is not None:
        middle = float(np.sort(np.clip(values, shown.low, shown.high))[len(values) // 2])
        by = max(1.0, math.floor(shown.hide)) if np.all(values % 1 == 0) else shown.hide  # all are whole numbers
        other = middle + by if middle + by <= shown.high else middle - by
        one, two = (minus(f"{each:.4g}") for each in (middle, other))
        word = "Does not even hide" if by > shown.hide else "Hides"
        hides = f"{f'{word} whether it is {one} or {two} {shown.unit}'.rstrip()}. {hides}"
        counts, _ = np.histogram(values, bins=32, range=(shown.low, shown.high))
        wide = shown.high - shown.low
        heights = [round(count / max(counts.max(), 1), 3) for count in counts]
        scale = image("outline.html", heights=heights, middle=(middle - shown.low) / wide, hide=shown.hide / wide)
    st.html(render("frame_row.html", about=came_about(shown, off), hides=hides, scale=scale))


def guide(column: FrameColumn) -> str:
    noise = gaussian_sigma(*AT, 1.0) * column.hide
    share = 100 * noise / (column.high - column.low)
    amount = f"± {two_digits(noise)} {column.unit}".rstrip()
    return f"At ε = {AT[0]:g} that takes noise of about {amount}, {two_digits(share)} % of the range"


def filled_in(rows: Mapping[str, Text], read: Frame, mark: str) -> tuple[Frame | None, dict[str, str]]:
    columns, faults = [], {}
    for (name, texts), off in zip(rows.items(), read.columns, strict=True):
        try:
            column = typed(name, texts, mark)
        except DataError as fault:
            faults[name] = str(fault)
            continue
        taken = not texts.get(CONFIRMED) and bool(untouched(column, off))
        columns.append(replace(column, taken_from_data=taken))
    return (None, faults) if faults else (Frame(tuple(columns)), faults)


def typed(name: str, texts: Text, mark: str = ".") -> FrameColumn:
    """Raises DataError, naming column and all parts that are wrong."""
    asked = {part: (f"{PARTS[part][0]} of column {name!r}", texts[part]) for part in ("low", "high", "hide")}
    if texts["lengthscale"].strip():
        asked["lengthscale"] = f"length-scale of column {name!r}", texts["lengthscale"]
    unit = unmarked(texts["unit"].strip())
    found = numbers_typed(asked, mark)
    limits = found["low"], found["high"], found["hide"]
    return FrameColumn(name, unit, *limits, found.get("lengthscale"))


def written(column: FrameColumn, mark: str = ".") -> dict[str, str]:
    guess = "" if column.lengthscale is None else f"{column.lengthscale:.10g}"
    numbers = {part: f"{getattr(column, part):.10g}" for part in ("low", "high", "hide")} | {"lengthscale": guess}
    shown = {part: text.replace(".", mark) for part, text in numbers.items()}
    return shown | {"unit": column.unit, CONFIRMED: "" if column.taken_from_data else CONFIRMED}


def untouched(column: FrameColumn, read: FrameColumn) -> tuple[str, ...]:
    """Return which of low, high and hide are still as they were ``read`` off the data, to the digits that are shown."""
    parts = ("low", "high", "hide")
    return tuple(part for part in parts if f"{getattr(column, part):.6g}" == f"{getattr(read, part):.6g}")


def came_about(column: FrameColumn, read: FrameColumn) -> str:
    """Return in words where the numbers of a column come from."""
    same = untouched(column, read)
    if column.taken_from_data:
        return f"taken from your data: {', '.join(same)}. Type other numbers, or tick “{CONFIRM}”"
    return f"not from the data, as you say, though {listed(list(same))} as in them" if same else "typed by you"


def number_typed(what: str, text: str, mark: str = ".") -> float:
    """Return a number that a person typed; raise DataError, a sentence that begins with ``what``, for anything else."""
    return numbers_typed({what: (what, text)}, mark)[what]


def numbers_typed(asked: Mapping[Field, tuple[str, str]], mark: str = ".") -> dict[Field, float]:
    """Raises DataError that names all fields in which there is no number, or one that may be read in two ways."""
    found = {field: typed_numbers(text, mark) for field, (_, text) in asked.items()}
    none = [_quoted(*asked[field]) for field, numbers in found.items() if not numbers]
    two = []
    for field, numbers in found.items():
        if len(numbers) > 1:
            either = f"{numbers[0]:.0f} or {numbers[1]:.3f}".replace(".", mark)
            two.append(f"{_quoted(*asked[field])}, which may be {either}")
    said = []
    if none:
        said.append(f"{listed(none)}; {'each' if len(none) > 1 else 'it'} must be a number such as 12.5 or 12,5.")
    if two:
        said.append(f"{listed(two)}; write {'each' if len(two) > 1 else 'it'} so that it can be read in one way.")
    if said:
        raise DataError(" ".join(said))
    return {field: numbers[0] for field, numbers in found.items()}


def _quoted(what: str, text: str) -> str:
    return f"{what} is {short(text.strip()) if text.strip() else 'empty'}"
