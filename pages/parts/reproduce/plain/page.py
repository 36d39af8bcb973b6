"""The Simple page of Reproduce: how much of the papers comes out, in one sentence and one picture."""

import streamlit as st

from pages.parts.frame.depth import offer_expert
from pages.parts.reproduce.plain import words
from pages.parts.reproduce.plain.picture import stacked
from pages.parts.reproduce.plain.tally import tallies
from pages.parts.reproduce.stored import stored
from pages.parts.show.sheet import Sheet
from pages.parts.take_away.offer import take_away
from pages.parts.take_away.report import About
from pages.parts.values.views import Figure

SLOT = "reproduce-all"
TITLE = "Reproduce the papers"


def show_simply() -> None:
    """Draw the page."""
    known = stored()
    found = tallies(known.reports)
    sheet = Sheet(SLOT, picture=bool(found))
    sheet.open(words.QUESTION, words.STORY)
    sheet.say(words.brief(found))
    if found:
        sheet.place.draw(Figure(SLOT, words.finding(found), stacked(found), words.ALT))
    with sheet.rest:
        take_away(About(TITLE, "all tables and figures"))
        if known.problem:
            st.warning(known.problem)
        st.page_link("pages/audit.py", label="Which promises hold? Audit", icon=":material/fact_check:")
        offer_expert("Table by table, with the numbers, and to run again: Expert")
