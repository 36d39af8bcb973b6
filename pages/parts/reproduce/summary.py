"""What stands above every experiment: how much agrees over all of them."""

import streamlit as st

from pages.parts.reproduce import words
from pages.parts.reproduce.stored import Stored
from pages.parts.show.show import note, show


def show_summary(known: Stored) -> None:
    """Show how much agrees over all experiments, and what does not."""
    show(words.summary(known.reports))
    if known.problem:
        st.warning(known.problem)
    with st.expander("What does not agree, at a glance"):
        st.markdown(words.disagreements(known.reports))
        note("The sections below say why, table by table.")
