"""The frame as a file: to be kept, and brought back."""

import io
import re
from dataclasses import replace

import streamlit as st

from pages.parts.shell.session import own_file, read_once
from pages.parts.table.framing import GENERATION, Use, known
from pages.parts.table.upload import chosen
from pages.parts.views.drawing import download
from pages.parts.views.text import as_markdown, unmarked
from privbo_core.data import Frame, read_frame, write_frame

_FRAME_READ, _FRAME_REFUSED = (chosen(f"frame {name}") for name in ("read", "refused"))


def offer_frame(frame: Frame, title: str) -> None:
    name = "-".join(re.findall(r"\w+", title.lower())) or "table"
    download("Download the frame as JSON", frame_text(frame), f"{name}.frame.json", "download")


def bring_frame(read: Frame, use: Use) -> None:
    state, said = st.session_state, "As it was downloaded here. It stays in this session’s memory."
    label, key = "Or a frame from a file (JSON)", "chosen/frame file"
    file = own_file(label, ["json"], key, max_upload_size=1, help=said)
    found, fault = read_once(file, _FRAME_READ, lambda file: brought(file, read))
    if fault:
        state[_FRAME_REFUSED] = fault
    if found:
        state.pop(_FRAME_REFUSED, None)
        state[GENERATION] = state.get(GENERATION, 0) + 1
        use(found)
    if file is not None and _FRAME_REFUSED in state:
        st.error(as_markdown(state[_FRAME_REFUSED]), icon=":material/error:")


def frame_text(frame: Frame) -> str:
    file = io.StringIO()
    write_frame(frame, file)
    return file.getvalue()


def brought(file: io.BytesIO, read: Frame) -> Frame:
    """Return the frame in a file, for the columns of a table. Raises DataError, a sentence, where there is none."""
    return checked(frame_unmarked(read_frame(file).chosen(read.names)), read)


def checked(frame: Frame, read: Frame) -> Frame:
    """Return the frame. Raises DataError for a column that is said to be known and is as it was ``read`` off."""
    for column, off in zip(frame.columns, read.columns, strict=True):
        known(column, off)
    return frame


def frame_unmarked(frame: Frame) -> Frame:
    columns = []
    for column in frame.columns:
        marks = column.marks
        if marks:
            marks = replace(marks, unit=unmarked(marks.unit), missing=tuple(map(unmarked, marks.missing)))
        unit, known_from = unmarked(column.unit), unmarked(column.known_from)
        columns.append(replace(column, unit=unit, known_from=known_from, marks=marks))
    return replace(frame, columns=tuple(columns), written_from=unmarked(frame.written_from))
