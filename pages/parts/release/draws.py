"""Drawing releases for real, and what they have cost so far in this session."""

import sys
from dataclasses import dataclass
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.frame.address import choose
from pages.parts.release.setup import Setup, amount
from pages.parts.show.look import scientific
from privbo_core.privacy import Guarantee, compose
from privbo_core.release import Drawn, draw

SPENT = "release/spent"
BOTH, SETTING, SCORE = "setting and score", "setting", "score"
SHOWN = 3


@dataclass(frozen=True)
class Published:
    """One release of this session, as text, and what it cost."""

    text: str
    guarantee: Guarantee


def pick_parts(setup: Setup) -> str:
    """Show the choice of what to publish and return it."""
    if setup.algorithm == 3:
        st.html('<div class="pb-note">Algorithm 3 publishes the best score and no setting.</div>')
        return SCORE
    return choose(st.segmented_control, "Publish", [BOTH, SETTING, SCORE], key="publish", required=True)


def show_draws(setup: Setup, parts: str, button_place: DeltaGenerator) -> None:
    """Show the button that draws a release through the real door, the latest releases, and the budget spent."""
    # A plain list, filled right after the draw with nothing in between: what was drawn is counted, come what may.
    spent: list[Published] = st.session_state.setdefault(SPENT, [])
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
        progress.html(f'<div class="pb-note" role="status">{first}Drawing …</div>')
        drawn = draw(setup.plan, choice=parts in (BOTH, SETTING), value=parts in (BOTH, SCORE))
        spent.append(Published(_text(setup, drawn), drawn.guarantee))
        progress.empty()
    if not spent:
        st.html('<div class="pb-note" role="status">Nothing released in this session yet: ε = 0 and δ = 0 spent.</div>')
        return
    epsilon, delta = compose(release.guarantee for release in spent)
    times = "1 release" if len(spent) == 1 else f"{len(spent)} releases"
    st.html(
        f'<div class="pb-note" role="status" data-testid="spent"><b>Spent: ε = {epsilon:.3g}, δ = {scientific(delta)}</b> '
        f"by {times} in this session.<br>"
        + "<br>".join(release.text for release in reversed(spent[-SHOWN:]))
        + "</div>"
    )
    with st.popover("How this adds up, and starting over"):
        sums = " + ".join(f"{release.guarantee.epsilon:.3g}" for release in spent[-12:])
        earlier = "… + " if len(spent) > 12 else ""
        st.markdown(
            f"""Each release about the same people costs again, and the costs add up (basic composition):
ε = {earlier}{sums} = {epsilon:.3g}. A setting *and* its score are two releases, so they cost (2ε, 2δ). All draws of this session are
counted as if they were about the same people, which is on the safe side.

Starting over empties this counter and nothing else: what has been published stays published, and in real life the budget of
real people does not come back."""
        )
        st.button("Start over at ε = 0", on_click=spent.clear)


def _text(setup: Setup, drawn: Drawn) -> str:
    """Return a release as a person reads it, as HTML."""
    task, parts = setup.task, []
    if drawn.row is not None:
        chosen = zip(task.names, task.parameters[drawn.row], strict=True)
        parts.append(", ".join(f"{escape(name)} = {scientific(float(value))}" for name, value in chosen))
    if drawn.value is not None:
        value = drawn.value if setup.algorithm == 3 else float(task.score(drawn.value))
        digits = f"{value:.2f}" if abs(value) < 1e4 else scientific(value)
        parts.append(f"best score {digits}".replace("-", "−") + f" (± {amount(setup.half_width)})")
    return f"Algorithm {setup.algorithm}: {'; '.join(parts)}"
