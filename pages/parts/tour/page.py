"""The Tour: steps on the left, the figure of one of them on the right, and buttons that lead on."""

import streamlit as st

from pages.parts.bring.problems import public_simulation
from pages.parts.controls.live_sliders import Slider
from pages.parts.frame.address import choose
from pages.parts.frame.depth import simple
from pages.parts.frame.live import Live
from pages.parts.frame.undocumented import give_way
from pages.parts.outsourced.searching import pick_searching
from pages.parts.show.desk import Desk
from pages.parts.show.show import Place, note
from pages.parts.tour.moves import show_moves
from pages.parts.tour.plain.page import run as show_simply
from pages.parts.tour.station import SLOT, Station
from pages.parts.tour.steps import STEPS
from pages.parts.values.text import slanted
from pages.parts.values.views import View
from privbo_core.data import sample

DATA = ("synthetic", "homes", "hospital")
NUMBERS = [str(number + 1) for number in range(len(STEPS))]


def run() -> None:
    """Show the step that is chosen."""
    if simple():
        show_simply()
        return
    desk = Desk("Tour in eight steps")
    with desk.left:
        data = choose(
            st.segmented_control, "Data", DATA, key="tour_data", format_func=str.capitalize, required=True, persist_state="session"
        )  # fmt: skip
        number = int(choose(
            st.radio, "Step", NUMBERS, key="step", format_func=lambda k: f"{k} {STEPS[int(k) - 1].name}", persist_state="session"
        ))  # fmt: skip
    step, simulation, which = STEPS[number - 1], public_simulation(data), f"tour/{data}/{number}"
    _leave_other_steps(which, [slider for other in STEPS for slider in other.sliders(simulation)])
    controls = desk.read(which, step.sliders(simulation))
    live = Live(which, which, held=controls.dragging)
    searching = pick_searching(simulation.problem, shown=False)
    views = step.run(Station(simulation, controls, searching, live.put_axis, give_way))

    def draw(view: View) -> None:
        place.draw(view.figures[0])

    with desk.at_once():
        place = Place(SLOT)
        draw(next(views))
    with desk.right:
        show_moves("step", number, len(STEPS))
        note(
            f"Arrow keys move from step to step. {slanted('Present')}, at the top, fills the screen with the figure.",
            keys=True,
        )
        note(f"Data: {sample(data).title}. Every number is computed now, from the settings beside the figure.")
    live.follow(views, draw)


def _leave_other_steps(which: str, sliders: list[Slider]) -> None:
    """Take the settings of another step out of the address; each has its own."""
    if st.session_state.get("tour/which", which) != which:
        for slider in sliders:
            st.query_params.pop(slider.key, None)
    st.session_state["tour/which"] = which
