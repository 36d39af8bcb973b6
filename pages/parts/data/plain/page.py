"""The Simple page of Data: what is in the table, what of it will be hidden, and the way in for a table of one's own."""

from dataclasses import replace

import streamlit as st

from pages.parts.bring.door import coming_with_a_table, offer_door
from pages.parts.bring.problems import own, own_recipe, pick_problem
from pages.parts.bring.table import bring_table, table_identity
from pages.parts.bring.worth.judged import judged
from pages.parts.bring.worth.shown import WorthShown
from pages.parts.data import script
from pages.parts.data.condition import condition_now
from pages.parts.data.frame_form import show_frame
from pages.parts.data.plain.picture import hidden_change
from pages.parts.data.plain.words import QUESTION, STEPS, Words
from pages.parts.data.preparing import choose_columns, prepare
from pages.parts.frame.depth import offer_expert
from pages.parts.show.sheet import Sheet
from pages.parts.show.show import heading, note
from pages.parts.take_away.offer import about_problem, take_away
from pages.parts.values.samples import of_table
from pages.parts.values.views import Figure
from privbo_core.outsourced import Setting

SLOT = "hidden-change"
PAGE = "Data"


def run() -> None:
    """Draw the page. Who comes with a table of their own finds the place for it on the first screen."""
    sheet, first = Sheet(SLOT), coming_with_a_table()
    with sheet.picker:
        simulation = pick_problem("hospital")
        if not first:
            offer_door()
    problem, condition = simulation.problem, condition_now()
    becomes = simulation.true_epsilon(Setting(condition.epsilon, condition.delta, 1, 1))
    words = Words(problem, of_table(problem), condition, becomes)
    sheet.open(QUESTION, words.story)
    with sheet.head:
        worth = WorthShown(lambda: judged(simulation))
        if first:
            _bring()
    words = replace(words, worth=worth.known)
    sheet.say(words.brief)
    sheet.place.draw(Figure(SLOT, words.finding, hidden_change(problem, words.told, words.hides), words.alt))
    with sheet.rest:
        take_away(
            about_problem(PAGE, problem),
            lambda: script.data(problem, own_recipe(), condition.epsilon, condition.delta, condition.r, 0),
        )
        mine = own() is simulation
        if not mine:
            _offer_outsourced()
        if not first:
            _bring()
        if mine:
            show_frame(problem, mine=True)
            _offer_outsourced()
        offer_expert("All that was read and learned: Expert")
    worth.settle()
    if words.worth is not worth.known:
        sheet.say(replace(words, worth=worth.known).brief)


def _offer_outsourced() -> None:
    st.page_link("pages/outsourced.py", label="Choose ε, and see what it costs: Outsourced", icon=":material/hub:")


def _bring() -> None:
    """Show the way in for a table, and make a problem of what is brought."""
    heading("Bring your own")
    if not table_identity():
        note(STEPS)
    table = bring_table()
    progress = st.empty()
    if table is not None:
        choice = choose_columns(table)
        if choice is not None:
            prepare(table, choice, progress)
