"""What was known of each column beforehand, filled in by a person: row by row in a form, or brought as a file."""

import io
import re
from collections.abc import Callable, Mapping
from dataclasses import replace

import streamlit as st

from pages.parts.bring.table import made, unnamed
from pages.parts.frame.session import own_file
from pages.parts.values.text import as_markdown, unmarked
from privbo_core.data import Frame, FrameColumn, read_frame, write_frame
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

Use = Callable[[Frame], None]
"""What is done with a frame that a person gave."""


def ask_frame(now: Frame, read: Frame, use: Use) -> None:
    """Show the form with the frame as it is ``now``; ``read``: what would be read off the data."""
    generation, rows = st.session_state.get(_GENERATION, 0), {}
    with st.form(made("frame form")):
        for column, off in zip(now.columns, read.columns, strict=True):
            st.markdown(f"**{as_markdown(column.name)}**: {as_markdown(mark(column, off))}")
            before, texts = written(column), {}
            for place, part in zip(st.columns([1, 1, 1, 1, 1.1, 3]), PARTS, strict=True):
                label, meaning = PARTS[part]
                texts[part] = place.text_input(
                    label, before[part], key=made(f"frame/{generation}/{unnamed(column.name)}/{part}"), help=meaning, max_chars=300,
                    persist_state="session",
                )  # fmt: skip
            rows[column.name] = texts
        used = st.form_submit_button("Use this frame", icon=":material/check:", type="primary")
    if used:
        try:
            found = checked(Frame(tuple(typed(name, texts) for name, texts in rows.items())), read)
        except DataError as fault:
            st.error(as_markdown(str(fault)), icon=":material/error:")
        else:
            use(found)


def offer_frame(frame: Frame, title: str) -> None:
    """Show the button that downloads a frame; ``title``: of the data that it is for."""
    name = "-".join(re.findall(r"\w+", title.lower())) or "table"
    st.download_button(
        "Download the frame as JSON", frame_text(frame), f"{name}.frame.json", "application/json",
        on_click="ignore", icon=":material/download:",
    )  # fmt: skip


def bring_frame(read: Frame, use: Use) -> None:
    """Show the place for a frame's file, and use the frame that is in it; ``read`` as for `ask_frame`."""
    state = st.session_state
    file = own_file("Or a frame from a file (JSON)", ["json"], "made/frame file", max_upload_size=1,
                            help="As it was downloaded here. It stays in this session’s memory.")  # fmt: skip
    if file is not None and state.get(_READ) != file.file_id:
        state[_READ] = file.file_id
        state.pop(_REFUSED, None)
        try:
            found = brought(file, read)
        except DataError as fault:
            state[_REFUSED] = str(fault)
        else:
            state[_GENERATION] = state.get(_GENERATION, 0) + 1
            use(found)
    if file is not None and _REFUSED in state:
        st.error(as_markdown(state[_REFUSED]), icon=":material/error:")


def frame_text(frame: Frame) -> str:
    """Return the frame as the text of its file."""
    file = io.StringIO()
    write_frame(frame, file)
    return file.getvalue()


def typed(name: str, texts: Mapping[str, str]) -> FrameColumn:
    """Return a column from what was typed into its row. Raises DataError, naming column and part, for what is none."""
    numbers = {
        part: number_typed(f"{PARTS[part][0]} of column {name!r}", texts[part]) for part in ("low", "high", "hide")
    }
    said = texts["lengthscale"]
    guess = number_typed(f"length-scale of column {name!r}", said) if said.strip() else None
    unit, known_from = (unmarked(texts[part].strip()) for part in ("unit", "known_from"))
    return FrameColumn(name, unit, **numbers, lengthscale=guess, known_from=known_from)


def checked(frame: Frame, read: Frame) -> Frame:
    """Return the frame. Raises DataError for a column that is said to be known and is as it was ``read`` off the data."""
    for column, off in zip(frame.columns, read.columns, strict=True):
        if column.public and untouched(column, off) == ("low", "high", "hide"):
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


def brought(file: io.BytesIO, read: Frame) -> Frame:
    """Return the frame in a file, for the columns of a table. Raises DataError, a sentence, where there is none."""
    found = read_frame(file).chosen(read.names)
    columns = [replace(c, unit=unmarked(c.unit), known_from=unmarked(c.known_from)) for c in found.columns]
    return checked(Frame(tuple(columns)), read)


def untouched(column: FrameColumn, read: FrameColumn) -> tuple[str, ...]:
    """Return which of low, high and hide are still as they were ``read`` off the data, to the digits that are shown."""
    parts = ("low", "high", "hide")
    return tuple(part for part in parts if f"{getattr(column, part):.6g}" == f"{getattr(read, part):.6g}")


def mark(column: FrameColumn, read: FrameColumn) -> str:
    """Return how a column of the frame came about, for the person who fills it in."""
    same = untouched(column, read)
    if column.public:
        return "known beforehand, as you say" + (f"; but {_listed(same)} as in your data: make sure" if same else "")
    if same:
        return f"read off your data: {', '.join(same)}. Type what was known beforehand, and from where"
    return "typed, but not from where it was known"


def number_typed(what: str, text: str) -> float:
    """Return a number that a person typed; raise DataError, a sentence that begins with ``what``, for anything else."""
    try:
        return float(text.strip().replace("−", "-"))
    except ValueError:
        said = f"{text.strip()!r}" if text.strip() else "empty"
        raise DataError(f"{what} is {said}; it must be a number such as 12.5.") from None


def _listed(parts: tuple[str, ...]) -> str:
    return f"{' and '.join(parts)} {'are' if len(parts) > 1 else 'is'}"
