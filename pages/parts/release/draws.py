"""Drawing releases for real, what is promised, and what they have cost so far in this session."""

import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.export.record import offer_record
from pages.parts.live.meaning import show_meaning
from pages.parts.release import words
from pages.parts.release.view import View
from pages.parts.shell.address import choose
from pages.parts.shell.session import OWN, at_stake
from pages.parts.views.card import guarantee_card
from pages.parts.views.content import prose
from pages.parts.views.drawing import heading, note, show
from pages.parts.views.text import minus, scientific, strong, two_digits
from privbo_core.deployment import published as published_for_real
from privbo_core.privacy import Guarantee, compose
from privbo_core.release import Drawn, NoiseFree, draw
from privbo_core.tuning import Listed

SPENT = "release/spent"
"""What each release promised. It stays when a session forgets its data: what has been published stays published."""
PUBLISHED = f"{OWN}release/published"  # Each release as text, as long as the session keeps the data that it is about.
BOTH, SETTING, SCORE = "setting and score", "setting", "score"
SHOWN, ADDED = 3, 12  # releases that are listed, and written as a sum
LANDED = f"{OWN}release/landed"
"""The last real release: of what, its row and its score, None where not published, and whether it is still to fall."""
REFUSED = prose("release", "a score that is not drawn for real")
"""Why the engine's `draw` refuses Algorithm 2's score, in the page's words."""
IN_SHORT = {REFUSED: "Algorithm 2’s score is not drawn for real: an attack breaks its ε. Publish the setting alone."}
"""What is said at once; the rest, at the button."""


@at_stake
def _drawn() -> str:
    return "what was released for real" if st.session_state.get(PUBLISHED) else ""


@dataclass(frozen=True)
class Wish:
    """What is to be published, and of which view."""

    view: View
    parts: str

    @property
    def guarantee(self) -> Guarantee:
        return self.view.guarantee(2 if self.parts == BOTH else 1)

    @property
    def refused(self) -> str:
        if isinstance(self.view.plan, NoiseFree) and self.parts != SETTING:
            return REFUSED
        if self.view.loose:
            return "No release is drawn while L, g* or m promise more than the task can keep."
        return ""

    def text(self, drawn: Drawn) -> str:
        task, parts = self.view.task, []
        if drawn.row is not None:
            chosen = zip(task.names, task.parameters[drawn.row], strict=True)
            named = ", ".join(f"{name} = {scientific(float(value))}" for name, value in chosen)
            parts.append(task.written(drawn.row) if isinstance(task, Listed) else named)
        if drawn.value is not None:
            value, name = self.view.scored(drawn.value), "score" if self.view.selects else "best score"
            digits = f"{value:.2f}" if abs(value) < 1e4 else scientific(value)
            parts.append(f"{minus(f'{name} {digits}')} (± {two_digits(self.view.half_width)})")
        return f"{self.view.name}: {'; '.join(parts)}"


def show_promise(view: View) -> None:
    """Show the place where a release is drawn for real, and beside it what is promised and how to read it."""
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, key="for-real"):
        heading("Release for real")
        choice, button = st.columns([1.7, 1], vertical_alignment="bottom")
        with choice:
            if view.selects:
                parts = choose(st.segmented_control, "Publish", [SETTING, BOTH], key="publish_selected", required=True)
            elif view.algorithm == 3:
                parts = SCORE
            else:
                parts = choose(st.segmented_control, "Publish", [BOTH, SETTING, SCORE], key="publish", required=True)
        wish = Wish(view, parts)
        show_draws(wish, button)
    hides = words.hides(view)
    with right:
        show(words.reading(view))
        each = f" Each piece costs {view.epsilon:.3g}." if wish.parts == BOTH else ""
        note(f"{words.promise(wish.guarantee, hides)}{each}")
    with right.expander("The guarantee in full"):
        show(guarantee_card(wish.guarantee, hides=hides))
    show_meaning(wish.guarantee, words.SECRET)


def kind(view: View) -> tuple[str, int, int, str]:
    """Return what a release is of: while this stays the same, it belongs into the same figures."""
    return view.task.title, view.task.n, view.algorithm, view.variant


def show_draws(wish: Wish, button_place: DeltaGenerator) -> None:
    spent: list[Guarantee] = st.session_state.setdefault(SPENT, [])
    published: list[str] = st.session_state.setdefault(PUBLISHED, [])
    about = wish.refused or prose("release", "drawing for real")
    wanted = button_place.button("Draw a release", disabled=bool(wish.refused), help=about)
    if wish.refused:
        st.info(IN_SHORT.get(wish.refused, wish.refused))
    progress = st.empty()
    if wanted:
        first = "" if "opendp" in sys.modules else "Loading the noise library, once; this takes a few seconds. "
        note(f"{first}Drawing …", progress, status=True)
        drawn = draw(wish.view.plan, choice=wish.parts != SCORE, value=wish.parts != SETTING)
        # A plain list, filled right after the draw with nothing in between: what was drawn is counted, come what may.
        spent.append(drawn.guarantee)
        published.append(wish.text(drawn))
        score = None if drawn.value is None else wish.view.scored(drawn.value)
        st.session_state[LANDED] = {"of": kind(wish.view), "row": drawn.row, "score": score, "falling": True}
        progress.empty()
    if not spent:
        note("Nothing released in this session yet: ε = 0 spent.", status=True)
        return
    epsilon, delta = compose(spent)
    times = "1 release" if len(spent) == 1 else f"{len(spent)} releases"
    total = f"{strong(f'Spent: ε = {epsilon:.3g}, δ = {scientific(delta)}')} by {times} in this session."
    note("\n".join([total, *reversed(published[-SHOWN:])]), status=True, test_id="spent")
    with st.popover("How this adds up, and starting over"):
        sums = " + ".join(f"{guarantee.epsilon:.3g}" for guarantee in spent[-ADDED:])
        earlier = "… + " if len(spent) > ADDED else ""
        added = f"{earlier}{sums} = {epsilon:.3g}" if len(spent) > 1 else sums
        st.markdown(prose("release", "how this adds up", added=added))
        st.button("Start over at ε = 0", on_click=_start_over)
    today = datetime.now(UTC).date().isoformat()
    offer_record(partial(published_for_real, tuple(spent), f"Tuned: {wish.view.task.title}", today), "tuned-setting")


def _start_over() -> None:
    st.session_state[SPENT], st.session_state[PUBLISHED] = [], []
    st.session_state.pop(LANDED, None)
