"""Letting a newer setting take over from a computation that is still under way."""

import time
from collections.abc import Callable, Iterable
from typing import TypeVar

import streamlit as st

View = TypeVar("View")
REDRAW = 0.25  # seconds between two pictures of something that is still being computed


def give_way() -> None:
    """End this run of the script here if a newer setting is waiting.

    Streamlit looks for one whenever session state is read, at no other cost; drawing something would do too, but the
    browser would have to draw it.
    """
    st.session_state.get("give way")


def wait(seconds: float) -> None:
    """Do nothing for a while, except give way."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        time.sleep(0.01)
        give_way()


def follow(views: Iterable[View], draw: Callable[[View], None]) -> None:
    """Draw views as they are computed, at most every `REDRAW` seconds, and the last one in any case; give way."""
    drawn, pending = time.perf_counter(), None
    for view in views:
        give_way()
        pending = view
        if time.perf_counter() - drawn >= REDRAW:
            draw(view)
            drawn, pending = time.perf_counter(), None
    if pending is not None:
        draw(pending)
