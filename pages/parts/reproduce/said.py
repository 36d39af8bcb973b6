"""What the paper says in words, what differs and why, and what it leaves open: shown below the numbers."""

import streamlit as st

from pages.parts.reproduce import tables, words
from pages.parts.show.show import heading, note, show
from privbo_core.experiments import Report


def show_words(report: Report) -> None:
    """Show the claims of the paper and how they come out here, what differs and why, what the paper leaves open."""
    experiment = report.experiment
    if experiment.no_numbers:
        note(experiment.no_numbers)
    if experiment.claims:
        heading("What the paper says in words")
        show(tables.claims(report))
        note(words.MARGIN)
    what, missing = st.columns(2, gap="large")
    with what:
        heading("What differs, and why")
        st.markdown(words.bullets((*experiment.why, *words.differences(report))))
    with missing:
        heading("What the paper leaves open")
        st.markdown(words.bullets(experiment.left_open))
    with st.expander("How “agree” is counted"):
        st.markdown(words.COUNTED)
