"""Drawing releases for real, and what they have cost so far in this session."""

import sys

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.frame.address import choose
from pages.parts.frame.session import OWN
from pages.parts.release.setup import Setup
from pages.parts.show.show import note
from pages.parts.values.numbers import scientific, two_digits
from pages.parts.values.text import minus, strong
from privbo_core.privacy import Guarantee, compose
from privbo_core.release import Drawn, draw

SPENT = "release/spent"
"""What each release promised. It stays when a session forgets its data: what has been published stays published."""
PUBLISHED = f"{OWN}release/published"
"""Each release as text, as long as the session keeps the data that it is about."""
BOTH, SETTING, SCORE = "setting and score", "setting", "score"
SHOWN, ADDED = 3, 12  # releases that are listed, and written as a sum


def pick_parts(setup: Setup) -> str:
    """Show the choice of what to publish and return it."""
    if setup.algorithm == 3:
        note("Algorithm 3 publishes the best score and no setting.")
        return SCORE
    return choose(st.segmented_control, "Publish", [BOTH, SETTING, SCORE], key="publish", required=True)


def show_draws(setup: Setup, parts: str, button_place: DeltaGenerator) -> None:
    """Show the button that draws a release through the real door, the latest releases, and the budget spent."""
    spent: list[Guarantee] = st.session_state.setdefault(SPENT, [])
    published: list[str] = st.session_state.setdefault(PUBLISHED, [])
    wanted = button_place.button(
        "Draw a release",
        disabled=bool(setup.loose),
        help="Draws once with the operating system’s randomness. It cannot be repeated or taken back, and it counts.",
    )
    if setup.loose:
        st.info("No release is drawn while L, g* or m promise more than the task can keep.")
    progress = st.empty()
    if wanted:
        first = "" if "opendp" in sys.modules else "Loading the noise library, once; this takes a few seconds. "
        note(f"{first}Drawing …", progress, status=True)
        drawn = draw(setup.plan, choice=parts in (BOTH, SETTING), value=parts in (BOTH, SCORE))
        # A plain list, filled right after the draw with nothing in between: what was drawn is counted, come what may.
        spent.append(drawn.guarantee)
        published.append(_text(setup, drawn))
        progress.empty()
    if not spent:
        note("Nothing released in this session yet: ε = 0 and δ = 0 spent.", status=True)
        return
    epsilon, delta = compose(spent)
    times = "1 release" if len(spent) == 1 else f"{len(spent)} releases"
    total = f"{strong(f'Spent: ε = {epsilon:.3g}, δ = {scientific(delta)}')} by {times} in this session."
    note("\n".join([total, *reversed(published[-SHOWN:])]), status=True, test_id="spent")
    with st.popover("How this adds up, and starting over"):
        sums = " + ".join(f"{guarantee.epsilon:.3g}" for guarantee in spent[-ADDED:])
        earlier = "… + " if len(spent) > ADDED else ""
        st.markdown(
            f"""Each release about the same people costs again, and the costs add up (basic composition):
ε = {earlier}{sums} = {epsilon:.3g}. A setting *and* its score are two releases, so they cost (2ε, 2δ). All draws of this session are
counted as if they were about the same people, which is on the safe side.

Starting over empties this counter and nothing else: what has been published stays published, and in real life the budget of
real people does not come back."""
        )
        st.button("Start over at ε = 0", on_click=_start_over)


def _start_over() -> None:
    st.session_state[SPENT], st.session_state[PUBLISHED] = [], []


def _text(setup: Setup, drawn: Drawn) -> str:
    """Return a release as a person reads it."""
    task, parts = setup.task, []
    if drawn.row is not None:
        chosen = zip(task.names, task.parameters[drawn.row], strict=True)
        parts.append(", ".join(f"{name} = {scientific(float(value))}" for name, value in chosen))
    if drawn.value is not None:
        value = drawn.value if setup.algorithm == 3 else float(task.score(drawn.value))
        digits = f"{value:.2f}" if abs(value) < 1e4 else scientific(value)
        parts.append(minus(f"best score {digits}") + f" (± {two_digits(setup.half_width)})")
    return f"Algorithm {setup.algorithm}: {'; '.join(parts)}"
