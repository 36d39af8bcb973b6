"""What a person entered or brought and cannot be used: one sentence, and nothing is lost."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from pages.parts.values.text import as_markdown, unmarked
from pages.parts.workbench.seats import mine
from privbo_core.errors import DataError

_KEPT = mine("fault")


@contextmanager
def faults_said() -> Iterator[None]:
    """Say what is wrong, where something is, and go on after it."""
    try:
        yield
    except DataError as fault:
        say_fault(str(fault))


def say_fault(sentence: str) -> None:
    """Say what is wrong."""
    st.error(as_markdown(unmarked(sentence)), icon=":material/error:")


def keep_fault(place: str, sentence: str) -> None:
    """Keep a sentence for the runs to come, until something else is done: the last one alone."""
    st.session_state[_KEPT] = place, sentence


def say_kept(place: str) -> None:
    """Say what was kept for this place, if nothing was done since."""
    kept = st.session_state.get(_KEPT)
    if kept and kept[0] == place:
        say_fault(kept[1])


def forget_fault() -> None:
    """Forget what was kept, before something else is done: to be called by all that a person presses or brings."""
    st.session_state.pop(_KEPT, None)
