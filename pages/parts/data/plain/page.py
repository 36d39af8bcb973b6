"""The Simple page of Data: what is in the table, what of it will be hidden, and the way in for a table of one's own."""

import streamlit as st

from pages.parts.bring.problems import own, own_recipe, pick_problem
from pages.parts.bring.table import bring_table
from pages.parts.bring.worth.judged import judged
from pages.parts.bring.worth.shown import WorthShown
from pages.parts.data import script
from pages.parts.data.condition import condition_now
from pages.parts.data.frame_form import show_frame
from pages.parts.data.plain.picture import hidden_change
from pages.parts.data.plain.words import QUESTION, Words
from pages.parts.data.preparing import choose_columns, prepare
from pages.parts.frame.depth import offer_expert
from pages.parts.outsourced.plain.told import told
from pages.parts.show.sheet import Sheet
from pages.parts.show.show import heading
from pages.parts.take_away.offer import about_problem, take_away
from pages.parts.values.views import Figure
from privbo_core.outsourced import Setting

SLOT = "hidden-change"
PAGE = "Data"


def run() -> None:
    """Draw the page."""
    sheet = Sheet(SLOT)
    with sheet.picker:
        simulation = pick_problem("hospital")
    problem, condition = simulation.problem, condition_now()
    becomes = simulation.true_epsilon(Setting(condition.epsilon, condition.delta, 1, 1))
    words = Words(problem, told(problem), condition, becomes)
    sheet.open(QUESTION, words.story)
    with sheet.head:
        worth = WorthShown(lambda: judged(simulation))
    sheet.say(words.brief)
    sheet.place.draw(Figure(SLOT, words.finding, hidden_change(problem, words.told, words.hides), words.alt))
    with sheet.rest:
        take_away(
            about_problem(PAGE, problem),
            lambda: script.data(problem, own_recipe(), condition.epsilon, condition.delta, condition.r, 0),
        )
        st.page_link("pages/outsourced.py", label="Choose ε, and see what it costs: Outsourced", icon=":material/hub:")
        heading("Bring your own")
        _bring()
        if own() is simulation:
            show_frame(problem, mine=True)
        offer_expert("All that was read and learned: Expert")
    worth.settle()


def _bring() -> None:
    """Show the way in for a table, and make a problem of what is brought."""
    table = bring_table()
    progress = st.empty()
    if table is not None:
        choice = choose_columns(table)
        if choice is not None:
            prepare(table, choice, progress)
