"""The Tour: steps on the left, the figure of one of them on the right, and buttons that lead on."""

import streamlit as st

from pages.parts.bring.problems import public_simulation
from pages.parts.controls.live_sliders import Slider
from pages.parts.frame.address import choose
from pages.parts.frame.live import Live
from pages.parts.frame.undocumented import give_way
from pages.parts.show.desk import Desk
from pages.parts.show.show import Place, note
from pages.parts.show.templates import render
from pages.parts.tour.station import SLOT, Station
from pages.parts.tour.steps import STEPS
from pages.parts.values.text import slanted
from pages.parts.values.views import View
from privbo_core.data import sample

DATA = ("synthetic", "homes")
NUMBERS = [str(number + 1) for number in range(len(STEPS))]


def run() -> None:
    """Show the step that is chosen."""
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
    views = step.run(Station(simulation, controls, live.put_axis, give_way))

    def draw(view: View) -> None:
        place.draw(view.figures[0])

    with desk.at_once():
        place = Place(SLOT)
        draw(next(views))
    with desk.right:
        _show_moves(number)
        note(
            f"Arrow keys move from step to step. {slanted('Present')}, at the top, fills the screen with the figure. Data: "
            f"{sample(data).title}. Every number is computed now, from the settings on the left."
        )
    live.follow(views, draw)


def _leave_other_steps(which: str, sliders: list[Slider]) -> None:
    """Take the settings of another step out of the address; each has its own."""
    if st.session_state.get("tour/which", which) != which:
        for slider in sliders:
            st.query_params.pop(slider.key, None)
    st.session_state["tour/which"] = which


def _show_moves(number: int) -> None:
    """Show the buttons that lead to other steps, and which one this is."""
    last = len(STEPS)
    first, previous, count, following, end = st.columns([1, 1, 1.2, 1, 1], vertical_alignment="center")
    for place, key, label, to, nowhere in (
        (first, "first", "⏮ First", 1, number == 1),
        (previous, "previous", "← Previous", number - 1, number == 1),
        (following, "next", "Next →", number + 1, number == last),
        (end, "last", "Last ⏭", last, number == last),
    ):
        place.button(label, key=f"tour-{key}", on_click=_go, args=(to,), disabled=nowhere, width="stretch")
    count.html(render("step_count.html", number=number, last=last))


def _go(number: int) -> None:
    """Choose a step, counted from 1; those beyond an end are the end."""
    st.session_state["step"] = str(min(max(number, 1), len(STEPS)))
