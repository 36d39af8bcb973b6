"""Tour: the story of outsourced optimisation in eight steps, for a teacher in front of a class."""

import streamlit as st

from pages.parts.audit.attacks import Panel
from pages.parts.bring.problems import public_simulation
from pages.parts.controls.live_sliders import read_controls, show_sliders
from pages.parts.frame.address import choose
from pages.parts.frame.pace import follow, give_way
from pages.parts.front_door import come_in
from pages.parts.show.chart import Chart
from pages.parts.show.look import apply_style
from pages.parts.tour.steps import STEPS, Stop
from privbo_core.data import sample

HEIGHT = 420
DATA = ("synthetic", "homes")
NUMBERS = [str(number + 1) for number in range(len(STEPS))]


def go(number: int) -> None:
    """Choose a step, counted from 1; those beyond an end are the end."""
    st.session_state["step"] = str(min(max(number, 1), len(STEPS)))


come_in()
colours = apply_style()
left, right = st.columns([1, 3.6], gap="medium")
with left:
    st.html("<h1 class='pb-page'>Tour in eight steps</h1>")
    data = choose(
        st.segmented_control, "Data", DATA, key="tour_data", format_func=str.capitalize, required=True, persist_state="session"
    )  # fmt: skip
    number = int(choose(
        st.radio, "Step", NUMBERS, key="step", format_func=lambda k: f"{k} {STEPS[int(k) - 1].name}", persist_state="session"
    ))  # fmt: skip
    panel_place = st.container(key="controls")
step, simulation, which = STEPS[number - 1], public_simulation(data), f"tour/{data}/{number}"
panel = step.sliders(simulation)
if st.session_state.get("tour/which", which) != which:
    # The address still holds the settings of another step; each has its own.
    for other in STEPS:
        for slider in other.sliders(simulation):
            st.query_params.pop(slider.key, None)
st.session_state["tour/which"] = which
controls = read_controls(which, panel)
held = st.session_state.setdefault(f"{which}/held", {})
views = step.run(Stop(simulation, controls, colours, held, give_way))

with right:
    title, chart = st.empty(), Chart("tour")


def draw(view: Panel) -> None:
    """Show the step as far as it is computed."""
    title.html(view.title)
    if view.picture:
        view.picture.layout["height"] = HEIGHT
        chart.draw(view.picture, view.alt)


view = next(views)
draw(view)
with panel_place:
    # Only now, so that the panel sends its next change after the picture above has been sent.
    show_sliders(which, panel, controls)
with right:
    places = st.columns([1, 1, 1.2, 1, 1], vertical_alignment="center")
    moves = (
        ("first", "⏮ First", 1),
        ("previous", "← Previous", number - 1),
        ("next", "Next →", number + 1),
        ("last", "Last ⏭", len(STEPS)),
    )
    for place, (key, label, to) in zip((*places[:2], *places[3:]), moves, strict=True):
        end = number == (1 if key in ("first", "previous") else len(STEPS))
        place.button(label, key=f"tour-{key}", on_click=go, args=(to,), disabled=end, width="stretch")
    places[2].html(f'<div class="pb-step-count" style="text-align:center">{number} / {len(STEPS)}</div>')
    st.html(
        f'<p class="pb-note">Arrow keys move from step to step. <i>Present</i>, at the top, fills the screen with the figure. Data: '
        f"{sample(data).title}. Every number is computed now, from the settings on the left.</p>"
    )

follow(views, draw)
