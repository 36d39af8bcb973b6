"""The frame of a session's own problem: kept column by column, so that another choice of columns does not lose it."""

from dataclasses import replace

import streamlit as st

from pages.parts.bring.problems import own, replace_own
from pages.parts.bring.table import as_written, chosen
from pages.parts.frame.session import at_stake, none_said
from privbo_core.data import Cleaned, FileMarks, Frame, FrameColumn, frame_from

_COLUMNS, _WRITTEN = chosen("frame columns"), chosen("frame written")


def keep_frame(frame: Frame) -> None:
    """Put the session's own problem into a frame, and remember what was said of each column."""
    kept, frame = own(), as_written(frame)
    assert kept is not None
    replace_own(replace(kept.problem, known_frame=frame))
    say(frame)


def say(frame: Frame) -> None:
    """Remember what was said of each column, and of how the table is written."""
    then = none_said()
    said = {column.name: (column, then.get(column.name)) for column in frame.columns}
    st.session_state[_COLUMNS] = {**st.session_state.get(_COLUMNS, {}), **said}
    st.session_state[_WRITTEN] = frame.file, frame.written_from


def as_said(read: Frame) -> Frame:
    """Return the frame of a table's columns as far as it was said, the others as they were ``read`` off."""
    said = _said()
    written: tuple[FileMarks | None, str] = st.session_state.get(_WRITTEN, (None, ""))
    return as_written(Frame(tuple(said.get(column.name, column) for column in read.columns), *written))


def known_frame(cleaned: Cleaned) -> Frame | None:
    """Return the frame of a table's columns as far as it was said, the others as read off; None if nothing was."""
    said = _said()
    if not any(name in said for name in cleaned.names):
        return None
    return as_said(frame_from(cleaned.inputs, cleaned.names))


@at_stake
def _given() -> str:
    return "the frame that you gave it" if _said() else ""


def _said() -> dict[str, FrameColumn]:
    """Return what was said of each column; after it was said that some of its numbers mean no value, what still fits."""
    kept: dict[str, tuple[FrameColumn, list[float] | None]] = st.session_state.get(_COLUMNS, {})
    known = {}
    for name, (column, then) in kept.items():
        now = none_said().get(name)
        if now == then:
            known[name] = column
        elif not {column.low, column.high} & set(now or ()):
            known[name] = replace(column, marks=None)
    return known
