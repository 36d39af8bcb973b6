"""What was known of each column beforehand: shown for a sample, filled in for a person's own table, kept as a file."""

import io
import re
from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from pages.parts.bring.frames import keep_frame
from pages.parts.bring.table import made
from pages.parts.data import words
from pages.parts.frame.record import keep_figure
from pages.parts.show.show import show
from pages.parts.values.text import as_markdown, unmarked
from pages.parts.values.views import Figure
from privbo_core.data import Frame, FrameColumn, Problem, frame_from, read_frame, write_frame
from privbo_core.errors import DataError

_GENERATION, _READ, _REFUSED = made("frame generation"), made("frame read"), made("frame refused")
PARTS = {
    "low": ("low", "The least value that the column can have, as far as was known before anyone looked at the data."),
    "high": ("high", "The greatest value that the column can have."),
    "hide": ("hide ±", "A change of one record by this much stays hidden; the noise is made for it."),
    "unit": ("unit", "For people: years, USD, …"),
    "lengthscale": ("length-scale", "A guess at the change that matters to the output. Empty: a quarter of the range."),
    "known_from": ("known from", "Where low, high and hide were known from: a law, a code book, a scale’s ends, common knowledge."),
}  # fmt: skip
"""What is asked of each column: the label, and what it means."""


def show_frame(problem: Problem, mine: bool) -> None:
    """Show the frame of the noisy release; for a person's own table as a form, with the ways to and from a file."""
    finding, table = words.framed(problem), words.frame_table(problem.frame)
    show(finding)
    keep_figure(Figure("frame", finding, table=table))
    if not mine:
        show(table)
    else:
        _ask(problem)
    for warning in problem.frame.warnings:
        st.warning(as_markdown(warning))
    name = "-".join(re.findall(r"\w+", problem.title.lower())) or "table"
    st.download_button(
        "Download the frame as JSON", frame_text(problem.frame), f"{name}.frame.json", "application/json",
        on_click="ignore", icon=":material/download:",
    )  # fmt: skip
    if mine:
        _bring(problem)


def frame_text(frame: Frame) -> str:
    """Return the frame as the text of its file."""
    file = io.StringIO()
    write_frame(frame, file)
    return file.getvalue()


def typed(name: str, texts: Mapping[str, str]) -> FrameColumn:
    """Return a column from what was typed into its row. Raises DataError, naming column and part, for what is none."""
    numbers = {part: _number(name, part, texts[part]) for part in ("low", "high", "hide")}
    guess = _number(name, "lengthscale", texts["lengthscale"]) if texts["lengthscale"].strip() else None
    unit, known_from = (unmarked(texts[part].strip()) for part in ("unit", "known_from"))
    return FrameColumn(name, unit, **numbers, lengthscale=guess, known_from=known_from)


def checked(frame: Frame, read: Frame) -> Frame:
    """Return the frame. Raises DataError for a column that is said to be known and is as it was ``read`` off the data."""
    for column, off in zip(frame.columns, read.columns, strict=True):
        if column.public and words.untouched(column, off) == ("low", "high", "hide"):
            raise DataError(
                f"Low, high and hide of {column.name!r} are still those read off your data, and a proof may not rest on "
                "them. Type what was known beforehand, or leave “known from” empty."
            )
    return frame


def written(column: FrameColumn) -> dict[str, str]:
    """Return a column as it stands in its row."""
    guess = "" if column.lengthscale is None else f"{column.lengthscale:.10g}"
    numbers = {part: f"{getattr(column, part):.10g}" for part in ("low", "high", "hide")}
    return numbers | {"unit": column.unit, "lengthscale": guess, "known_from": column.known_from}


def _ask(problem: Problem) -> None:
    read = frame_from(problem.original, problem.names, problem.units)
    generation, rows = st.session_state.get(_GENERATION, 0), {}
    with st.form(made("frame form")):
        for column, off in zip(problem.frame.columns, read.columns, strict=True):
            st.markdown(f"**{as_markdown(column.name)}**: {as_markdown(words.mark(column, off))}")
            before, texts = written(column), {}
            for place, part in zip(st.columns([1, 1, 1, 1, 1.1, 3]), PARTS, strict=True):
                label, meaning = PARTS[part]
                texts[part] = place.text_input(
                    label, before[part], key=made(f"frame/{generation}/{column.name}/{part}"), help=meaning, max_chars=300,
                    persist_state="session",
                )  # fmt: skip
            rows[column.name] = texts
        used = st.form_submit_button("Use this frame", icon=":material/check:", type="primary")
    if used:
        try:
            _use(checked(Frame(tuple(typed(name, texts) for name, texts in rows.items())), read))
        except DataError as fault:
            st.error(as_markdown(str(fault)), icon=":material/error:")


def _bring(problem: Problem) -> None:
    """Show the place for a frame's file, and use the frame that is in it."""
    state = st.session_state
    file = st.file_uploader("Or a frame from a file (JSON)", type=["json"], key=made("frame file"), max_upload_size=1,
                            help="As it was downloaded here. It stays in this session’s memory.")  # fmt: skip
    if file is not None and state.get(_READ) != file.file_id:
        state[_READ] = file.file_id
        state.pop(_REFUSED, None)
        try:
            found = brought(file, problem)
        except DataError as fault:
            state[_REFUSED] = str(fault)
        else:
            state[_GENERATION] = state.get(_GENERATION, 0) + 1
            _use(found)
    if file is not None and _REFUSED in state:
        st.error(as_markdown(state[_REFUSED]), icon=":material/error:")


def brought(file: io.BytesIO, problem: Problem) -> Frame:
    """Return the frame in a file, for the columns of a problem. Raises DataError, a sentence, where there is none."""
    found = read_frame(file).chosen(problem.names)
    columns = [replace(c, unit=unmarked(c.unit), known_from=unmarked(c.known_from)) for c in found.columns]
    return checked(Frame(tuple(columns)), frame_from(problem.original, problem.names))


def _use(frame: Frame) -> None:
    keep_frame(frame)
    st.rerun()


def _number(name: str, part: str, text: str) -> float:
    try:
        return float(text.strip().replace("−", "-"))
    except ValueError:
        said = f"{text.strip()!r}" if text.strip() else "empty"
        raise DataError(f"{PARTS[part][0]} of column {name!r} is {said}; it must be a number such as 12.5.") from None
