"""What was known of each column beforehand: shown for a sample, filled in for a person's own table, kept as a file."""

import streamlit as st

from pages.parts.bring.frames import keep_frame
from pages.parts.bring.framing import ask_frame, bring_frame, offer_frame
from pages.parts.data import words
from pages.parts.frame.record import keep_figure
from pages.parts.show.show import show
from pages.parts.values.text import as_markdown
from pages.parts.values.views import Figure
from privbo_core.data import Frame, Problem, frame_from


def show_frame(problem: Problem, mine: bool) -> None:
    """Show the frame of the noisy release; for a person's own table as a form, with the ways to and from a file."""
    finding, table = words.framed(problem), words.frame_table(problem.frame)
    show(finding)
    keep_figure(Figure("frame", finding, table=table))
    if not mine:
        show(table)
    else:
        ask_frame(problem.frame, frame_from(problem.original, problem.names, problem.units), _use)
    for warning in (*problem.frame.warnings, *(problem.frame.moved(problem.original) if mine else ())):
        st.warning(as_markdown(warning))
    offer_frame(problem.frame, problem.title)
    if mine:
        bring_frame(frame_from(problem.original, problem.names), _use)
    st.page_link("pages/decision.py", label="Decide on an ε, and sign: Decide", icon=":material/gavel:")


def _use(frame: Frame) -> None:
    keep_frame(frame)
    st.rerun()
