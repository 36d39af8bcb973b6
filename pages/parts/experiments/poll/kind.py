"""A question to the room, as the class page knows it: the tour asks it, and no class begins it by itself."""

import streamlit as st

from pages.parts.experiments.kind import Kind
from pages.parts.experiments.poll.phone import screen
from pages.parts.experiments.poll.projector import show
from privbo_core.classroom import Room
from privbo_core.classroom.poll import Poll

NAME = "poll"


def desk(room: Room, poll: Poll) -> None:
    """Offer to show the answers."""
    if not poll.shown:
        st.button(
            "Show the answers",
            type="primary",
            icon=":material/bar_chart:",
            key="poll/show",
            on_click=_show,
            args=(room,),
        )


def _show(room: Room) -> None:
    room.act(Poll.show)


def empty() -> Poll:
    """Return a question with nothing in it: the tour brings its own."""
    return Poll("", "The next question comes from the tour.", {})


POLL = Kind(NAME, "A question", ":material/quiz:", "What does the room think?", empty, desk, screen, show)
