"""The Data page: what is in a table and what of it will be hidden, and the way in for a table of one's own."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from pages.parts.data import details, preparing
from pages.parts.data import view as view_room
from pages.parts.data.view import QUESTION, STEPS, View, compute, condition_now, in_frame
from pages.parts.export.offer import about_problem, take_away
from pages.parts.live.desk import Desk, Sheet
from pages.parts.shell.depth import offer_expert, simple
from pages.parts.table.diagnostics import WorthShown
from pages.parts.table.own_table import own_table, pick_problem
from pages.parts.table.upload import coming_with_a_table, offer_door
from pages.parts.views.drawing import Place, show
from pages.parts.views.views import Figure, Finding

TITLE, SLOT, OWN_SLOT = "Data", "hidden-change", "own-change"


def run() -> None:
    """Show the problem that is chosen, in short or all that was read of it, and the place where another is brought."""
    (_show_simply if simple() else _show_all)()


def _show_simply() -> None:
    """Draw what will be hidden. Whoever comes with a table of their own finds the place for it on the first screen.

    Until it is prepared, nothing of a sample stands beside it.
    """
    own, first = own_table(), coming_with_a_table()
    if own.simulation is None and (first or own.table is not None):
        sheet = Sheet(SLOT, picture=False)
        sheet.open("A table of your own", "" if own.table is not None else STEPS)
        with sheet.head:
            preparing.ask_roles()
        return
    sheet = Sheet(SLOT)
    with sheet.picker:
        simulation = pick_problem("hospital")
        if own.table is None:
            offer_door()
    view, place = compute(simulation, condition_now()), sheet.place
    sheet.open(QUESTION, view.story)
    with sheet.head:
        worth = WorthShown(simulation)
    view = drawn = replace(view, worth=worth.known)
    if own.simulation is simulation:
        with sheet.picker:  # beside the table in which it is set
            place = Place(OWN_SLOT, titled=False)
        with sheet.head:
            roles = preparing.ask_roles()
            if roles is None:
                return
            drawn = in_frame(view, preparing.show_frame(view.problem, True, roles))
    sheet.say(drawn.brief)
    picture = details.hidden_change(drawn.problem, drawn.sample, drawn.hides)
    finding = Finding(drawn.answer, "curator", "What lies outside of the frame counts as at its edge.")
    place.draw(Figure(SLOT, finding, picture, drawn.alt))
    with sheet.rest:
        _take_away(view, 0)
        label = "Choose ε, and see what it costs: Outsourced"
        st.page_link("pages/outsourced.py", label=label, icon=":material/hub:")
        if place is sheet.place:
            offer_expert("All that was read and learned: Expert")
    worth.settle()
    if view.worth is not worth.known:
        sheet.say(replace(drawn, worth=worth.known).brief)


def _show_all() -> None:
    desk = Desk(TITLE, right=2.6)
    with desk.left:
        simulation = pick_problem()
        table = preparing.bring()
        view, mine = compute(simulation, condition_now()), own_table().simulation is simulation
        _take_away(view, details.SHOWN_INPUTS)
    with desk.right:
        show(view_room.headline(view))
        worth = WorthShown(simulation)
        show(view_room.protected(view.problem))
        preparing.show_frame(view.problem, mine)
        st.page_link("pages/outsourced.py", label="Optimise it: Outsourced", icon=":material/hub:")
        details.show_inputs(view)
        details.show_distributions(view.problem)
        details.show_rows(view.problem)
        if table is not None and mine:
            with st.expander("The file as it was read"):
                rows = dict(table.head(details.SHOWN_ROWS))
                st.dataframe(pd.DataFrame(rows), hide_index=True)  # without the reader's notes
    worth.settle()


def _take_away(view: View, columns: int) -> None:
    problem, now = view.problem, view.condition
    take_away(about_problem(TITLE, problem), lambda: preparing.data(problem, own_table().recipe, now, columns))
