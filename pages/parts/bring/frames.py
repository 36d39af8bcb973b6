"""The frame of a session's own problem: kept column by column, so that another choice of columns does not lose it."""

from dataclasses import replace

import streamlit as st

from pages.parts.bring.problems import own, replace_own
from pages.parts.bring.table import made
from pages.parts.frame.session import at_stake
from privbo_core.data import Cleaned, Frame, FrameColumn, frame_from

_COLUMNS = made("frame columns")


def keep_frame(frame: Frame) -> None:
    """Put the session's own problem into a frame, and remember what was said of each column."""
    kept = own()
    assert kept is not None
    replace_own(replace(kept.problem, known_frame=frame))
    say(frame)


def say(frame: Frame) -> None:
    """Remember what was said of each column."""
    st.session_state[_COLUMNS] = {**_said(), **{column.name: column for column in frame.columns}}


def as_said(read: Frame) -> Frame:
    """Return the frame of a table's columns as far as it was said, the others as they were ``read`` off."""
    said = _said()
    return Frame(tuple(said.get(column.name, column) for column in read.columns))


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
    known: dict[str, FrameColumn] = st.session_state.get(_COLUMNS, {})
    return known
