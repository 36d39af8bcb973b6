"""What was known of each column beforehand, filled in by a person: row by row in a form, or brought as a file."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import streamlit as st

from pages.parts.shell.depth import simple
from pages.parts.table.own_table import own_table
from pages.parts.table.upload import chosen, made, unnamed
from pages.parts.views.drawing import note
from pages.parts.views.templates import image, render
from pages.parts.views.text import as_markdown, minus, two_digits, unmarked
from privbo_core.data import FileMarks, Frame, FrameColumn, Marks
from privbo_core.data.marks import MOST_LINES, PLAIN, readings
from privbo_core.errors import Array, DataError
from privbo_core.files import listed, short
from privbo_core.privacy import gaussian_sigma

GENERATION = chosen("frame generation")
PARTS = {
    "low": ("low", "The least value that the column can have, as far as was known before anyone looked at the data."),
    "high": ("high", "The greatest value that the column can have."),
    "hide": (
        "hide ±",
        "You choose it: a change of one record by this much stays hidden. A larger one hides more and costs more.",
    ),
    "unit": ("unit", "For people: years, USD, …"),
    "lengthscale": ("length-scale", "A guess at the change that matters to the output. Empty: a quarter of the range."),
    "known_from": (
        "known from",
        "Where low and high were known from: a law, a code book, common knowledge. The change to hide is yours to "
        "choose, by what may not show of a person and not by the data.",
    ),
}
"""What is asked of each column: the label, and what it means."""
MARKS = {
    "decimal": ("decimal mark", "A point or a comma."),
    "thousands": (
        "between thousands",
        "What may stand there: a comma, a point, an apostrophe, the word space; empty for nothing.",
    ),
    "beside": ("unit in cells", "What may stand beside a number: kg, €. Empty for nothing."),
    "missing": ("missing codes", "Numbers or words that mean that there is none, with blanks between: 99999 -9."),
}
"""What is asked of how each column is written."""
AT = 1.0, 1e-5  # The ε and δ at which a guide says what is lost.
BELOW, WRITTEN_FROM = "below", "written_from"
READ_OFF = "read off the data"
SOURCES = (READ_OFF, "a law or standard", "the instrument’s range", "the limits of the form", "general knowledge")
"""From where a column may have been known; anything else can be typed in their place."""
SEARCHERS = ("unit", "lengthscale")  # What Simple does not ask, and keeps as it is.
WIDTHS = {"low": 0.8, "high": 0.8, "hide": 0.8, "unit": 0.8, "lengthscale": 0.9, "known_from": 2.1}
WRITTEN_MEANT = (
    "From where it was known how the table is written, before anyone looked at it: the settings of an export, a code "
    "book. It was proposed by reading all cells: until you say so, the promise is conditional."
)
GUESSED = (
    "How the table is written was proposed by reading all of its cells: until you say below from where that was known, "
    "the promise is conditional."
)

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


def ask_frame(now: Frame, read: Frame, use: Use, more: Rows | None = None, *, asked: bool = False) -> Frame:
    """Ask for the frame, a row a column; return it as far as it can be read, else ``now``, which is in use.

    ``read``: what would be read off the data. ``use``: what is done with the frame once a person says so.
    ``asked``: `ask_sure` stands on the same page of what is in use.

    Numbers stand in it, and may be typed, with the decimal mark of the table. What cannot be used is said below its
    column. Simple leaves out what only a search or a reader of files needs, and keeps that as it is.
    """
    mine, brief = own_table(), simple()
    generation = st.session_state.get(GENERATION, 0) + len(mine.missing)  # other fields where other numbers belong
    mark, now, key = mine.decimal, mine.as_written(now), f"frame/{generation}"
    if not brief:
        change = "by how much a column must change for the outcome to change too"
        note(f"length-scale: {change}; a guess for the search, which may stay empty.")
        if now.guessed:
            note(GUESSED)
    rows: dict[str, Text] = {}
    places, claimed, changed = {}, [], False
    with st.container(key="frame", gap="xsmall"):
        for i, (column, off) in enumerate(zip(now.columns, read.columns, strict=True)):
            with st.container(key=f"frame-row-{i}", gap="xxsmall"):
                before = written(column, mark)
                texts = _ask_row(before, column.name, key, more.head if more else None)
                both = ({column.name: row} for row in (texts, before))
                drafted, stands = (filled_in(row, Frame((off,)), mark, sure=True)[0] for row in both)
                changed = changed or (texts != before and (drafted is None or drafted != stands))
                claimed.append((*drafted.columns, off) if drafted else (off, off))
                _tell_row(column, off, drafted.columns[0] if drafted else None, more.values[:, i] if more else None)
                places[column.name] = st.container()
            rows[column.name] = texts
        if brief:
            whole = _keep_written(now, rows, key)
            if more:
                more.rest()
        else:
            with st.expander("How the table is written"):
                whole = _ask_written(now, rows, key)
    draft, off_data = (Frame(columns) for columns in zip(*claimed, strict=True))
    sure = not ask_sure(draft, off_data, now if asked else None)
    found, faults = filled_in(rows, read, mark, sure=sure)
    _, unread = filled_in(rows, read, mark, sure=True)
    below = whole[BELOW].strip()
    if found is not None and below.isascii() and below.isdigit() and int(below) <= MOST_LINES:
        file = replace(now.file or FileMarks(), below=int(below))
        found = replace(found, file=file, written_from=unmarked(whole[WRITTEN_FROM].strip()))
    elif found is not None:
        fault = f"lines at the end that are no records: {short(below)} is no number of lines."
        found, faults = None, {"lines at the end": fault}
    for name, sentence in unread.items():
        places[name].error(as_markdown(sentence), icon=":material/error:")
    mine.pending = changed or whole[WRITTEN_FROM] != now.written_from
    if mine.pending:
        shown = "Not all of what you typed can be read" if unread else "What you typed is shown here already"
        note(f"{shown}. It is in use nowhere else until you press the button.")
    if st.button("Use this frame", icon=":material/check:", type="primary", key=made("use")):
        for name in faults.keys() - unread:
            places.get(name, st).error(as_markdown(faults[name]), icon=":material/error:")
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
    first, *places = st.columns([2.0, *(WIDTHS[part] for part in shown)], vertical_alignment="bottom", gap="small")
    with first:
        if head:
            head(name)
        else:
            st.markdown(f"**{as_markdown(name)}**")
    texts = dict(before)
    for place, part in zip(places, shown, strict=True):
        with place:
            ask = _ask_source if part == "known_from" else _ask_text
            texts[part] = ask(*PARTS[part], before[part], f"{key}/{unnamed(name)}/{part}")
    return texts


def _ask_text(label: str, meaning: str, before: str, key: str, longest: int = 300) -> str:
    return st.text_input(label, before, key=made(key), help=meaning, max_chars=longest, persist_state="session")


def _ask_source(label: str, meaning: str, before: str, key: str) -> str:
    """Ask from where something was known: one of the usual sources, or a line of text; return it, empty for none."""
    key = made(key)
    typed_now = st.session_state.get(key) or READ_OFF
    offered = list(dict.fromkeys([*SOURCES, before or READ_OFF, typed_now]))
    place = offered.index(before or READ_OFF)
    said = st.selectbox(label, offered, place, key=key, help=meaning, accept_new_options=True, persist_state="session")
    return "" if said in (None, READ_OFF) else unmarked(said.strip())


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


def _ask_written(now: Frame, rows: dict[str, Text], key: str) -> Text:
    for column in now.columns:
        st.markdown(f"**{as_markdown(column.name)}**")
        before = written_so(column.marks or PLAIN)
        texts = {}
        for place, (part, (label, meaning)) in zip(st.columns(4), MARKS.items(), strict=True):
            with place:
                texts[part] = _ask_text(label, meaning, before[part], f"{key}/{unnamed(column.name)}/{part}", 200)
        rows[column.name] = {**rows[column.name], **texts}
    file = now.file or FileMarks()
    note(f"The file: {replace(file, below=0)}.")
    what = "Sums and remarks. All other lines below the names are records; one with a gap is left out and counted."
    below = _ask_text("lines at the end that are no records", what, str(file.below), f"{key}/{BELOW}", 4)
    return {BELOW: below, WRITTEN_FROM: _ask_written_from(now, key)}


def _keep_written(now: Frame, rows: dict[str, Text], key: str) -> Text:
    for column in now.columns:
        if column.marks is not None:
            rows[column.name] = {**rows[column.name], **written_so(column.marks)}
    if now.file is None:
        return {BELOW: str(FileMarks().below), WRITTEN_FROM: now.written_from}
    about, place = st.columns([2.0 + 0.8 * 3, WIDTHS["known_from"]], vertical_alignment="center")
    about.markdown("**How the file is written**")
    with place:
        return {BELOW: str(now.file.below), WRITTEN_FROM: _ask_written_from(now, key)}


def _ask_written_from(now: Frame, key: str) -> str:
    return _ask_source("known from", WRITTEN_MEANT, now.written_from, f"{key}/{WRITTEN_FROM}")


def filled_in(
    rows: Mapping[str, Text], read: Frame, mark: str, *, sure: bool = False
) -> tuple[Frame | None, dict[str, str]]:
    """``sure``: what is as in the data may be called known, for somebody said that it was, without looking."""
    columns, faults = [], {}
    for (name, texts), off in zip(rows.items(), read.columns, strict=True):
        try:
            column = typed(name, texts, mark)
            columns.append(column if sure else known(column, off, 0))
        except DataError as fault:
            faults[name] = str(fault)
    return (None, faults) if faults else (Frame(tuple(columns)), faults)


def typed(name: str, texts: Text, mark: str = ".") -> FrameColumn:
    """Raises DataError, naming column and all parts that are wrong."""
    asked = {part: (f"{PARTS[part][0]} of column {name!r}", texts[part]) for part in ("low", "high", "hide")}
    if texts["lengthscale"].strip():
        asked["lengthscale"] = f"length-scale of column {name!r}", texts["lengthscale"]
    unit, known_from = (unmarked(texts[part].strip()) for part in ("unit", "known_from"))
    found = numbers_typed(asked, mark)
    marks = None
    if "decimal" in texts:
        group = texts["thousands"].strip()
        beside, missing = unmarked(texts["beside"].strip()), tuple(unmarked(texts["missing"]).split())
        marks = Marks(texts["decimal"].strip(), " " if group == "space" else group, beside, missing)
    limits = found["low"], found["high"], found["hide"]
    return FrameColumn(name, unit, *limits, found.get("lengthscale"), known_from, marks)


def written_so(marks: Marks) -> dict[str, str]:
    group = "space" if marks.thousands == " " else marks.thousands
    return {"decimal": marks.decimal, "thousands": group, "beside": marks.unit, "missing": " ".join(marks.missing)}


def known(column: FrameColumn, read: FrameColumn, most: int = 2) -> FrameColumn:
    """Return the column. Raises DataError if it is said to be known and more than ``most`` of it is as ``read``."""
    if column.public and len(same := untouched(column, read)) > most:
        parts = f"{listed(list(same)).capitalize()} of {column.name!r} {'are' if len(same) > 1 else 'is'}"
        raise DataError(
            f"{parts} still as read off your data, and a proof may not rest on that. Say that it was known without "
            "looking, type what was known, or leave “known from” empty."
        )
    return column


def written(column: FrameColumn, mark: str = ".") -> dict[str, str]:
    guess = "" if column.lengthscale is None else f"{column.lengthscale:.10g}"
    numbers = {part: f"{getattr(column, part):.10g}" for part in ("low", "high", "hide")} | {"lengthscale": guess}
    shown = {part: text.replace(".", mark) for part, text in numbers.items()}
    return shown | {"unit": column.unit, "known_from": column.known_from}


def untouched(column: FrameColumn, read: FrameColumn) -> tuple[str, ...]:
    """Return which of low, high and hide are still as they were ``read`` off the data, to the digits that are shown."""
    parts = ("low", "high", "hide")
    return tuple(part for part in parts if f"{getattr(column, part):.6g}" == f"{getattr(read, part):.6g}")


def came_about(column: FrameColumn, read: FrameColumn) -> str:
    same = untouched(column, read)
    if column.public:
        listed = f"{' and '.join(same)} {'are' if len(same) > 1 else 'is'}"
        return "known beforehand, as you say" + (f"; but {listed} as in your data: make sure" if same else "")
    if same:
        return f"read off your data: {', '.join(same)}. Type what was known beforehand, and from where"
    if column.known_from:
        return "typed; say in two words or more from where it was known"
    return "typed, but not from where it was known"


def ask_sure(frame: Frame, read: Frame, above: Frame | None = None) -> str:
    """Return what is still missing, in a sentence: nothing once it was said, on whichever page.

    ``above``: of this frame it was asked on the same page already; of one that claims the same it is not asked again.
    """
    same = _claimed_as_read(frame, read)
    if not same:
        return ""
    claimed = {(name, part) for name, parts in same for part in parts}
    confirmed: set[tuple[str, str]] = st.session_state.setdefault(chosen("sure"), set())
    said = claimed <= confirmed  # what was said of several columns holds for fewer, too
    if above is None or same != _claimed_as_read(above, read):
        parts = "; ".join(f"{' and '.join(parts)} of {name}" for name, parts in same)
        note(
            f"Said to be public, but as it was read off your data: {parts}. A proof may not rest on that, unless it "
            "was known without looking."
        )
        key, change = chosen(f"sure/{unnamed(repr(same))}"), confirmed.difference_update if said else confirmed.update
        st.session_state[key] = said
        st.checkbox("It was known without looking", key=key, on_change=change, args=(claimed,))
    return "" if said else "Say that it was known without looking, or type on Data what was known."


def _claimed_as_read(frame: Frame, read: Frame) -> list[tuple[str, tuple[str, ...]]]:
    both = zip(frame.columns, read.columns, strict=True)
    found = [(column.name, untouched(column, off)) for column, off in both if column.public]
    return [(name, parts) for name, parts in found if parts]


def number_typed(what: str, text: str, mark: str = ".") -> float:
    """Return a number that a person typed; raise DataError, a sentence that begins with ``what``, for anything else."""
    return numbers_typed({what: (what, text)}, mark)[what]


def numbers_typed(asked: Mapping[Field, tuple[str, str]], mark: str = ".") -> dict[Field, float]:
    """Raises DataError that names all fields in which there is no number, or one that may be read in two ways."""
    found = {field: readings(text, mark) for field, (_, text) in asked.items()}
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
