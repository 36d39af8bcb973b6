"""The lesson about outsourced optimisation, as the tour knows it."""

import streamlit as st

from pages.parts.bring.problems import public_simulation
from pages.parts.frame.address import choose
from pages.parts.frame.undocumented import give_way
from pages.parts.outsourced.searching import pick_searching
from pages.parts.tour.lesson import NOW, Lesson, Stop
from pages.parts.tour.lessons.outsourced.station import Station
from pages.parts.tour.lessons.outsourced.steps import STEPS
from privbo_core.outsourced import Simulation

DATA = ("synthetic", "homes", "hospital")


def pick() -> tuple[str, Simulation]:
    """Show the picker of the data."""
    data = choose(
        st.segmented_control, "Data", DATA, key="tour_data", format_func=str.capitalize, required=True, persist_state="session"
    )  # fmt: skip
    return data, public_simulation(data)


def stand(stop: Stop) -> Station:
    """Return where the lesson stands, with the search that suits the data."""
    searching = pick_searching(stop.about.problem, shown=False)
    return Station(stop.about, stop.controls, searching, stop.put_axis, give_way)


OUTSOURCED = Lesson(
    name="outsourced",
    title="Outsourced",
    promise="Somebody else chooses what to test",
    steps=STEPS,
    pick=pick,
    stand=stand,
    note=lambda simulation: f"Data: {simulation.problem.title}. {NOW}",
)
