"""What a person entered or brought and cannot be used: one sentence, and nothing is lost."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from pages.parts.values.text import as_markdown, unmarked
from privbo_core.errors import DataError


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
