"""Letting a newer setting take over from a computation that is still under way."""

import time

import streamlit as st


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
