"""Drawing releases for real, and what they have cost so far in this session."""

import sys
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.frame.address import choose
from pages.parts.frame.session import OWN
from pages.parts.release.setup import COVERAGE, Setup
from pages.parts.show.show import note
from pages.parts.values.numbers import scientific, two_digits
from pages.parts.values.text import minus, strong
from privbo_core.privacy import Guarantee, compose
from privbo_core.release import Drawn, Lipschitz, NoiseFree, Plan, Selection, draw

SPENT = "release/spent"
"""What each release promised. It stays when a session forgets its data: what has been published stays published."""
PUBLISHED = f"{OWN}release/published"
"""Each release as text, as long as the session keeps the data that it is about."""
BOTH, SETTING, SCORE = "setting and score", "setting", "score"
SHOWN, ADDED = 3, 12  # releases that are listed, and written as a sum


ALGORITHM, SELECTION = "this algorithm", "private selection"
RECOMMENDED = "Recommended: private selection. It is proved for every dataset, with δ = 0, and assumes no prior; the candidates are picked at random, not by a search."
REFUSED = (
    "Algorithm 2’s score is not drawn for real, because its noise rests on constants A and τ that nobody knows and an attack on a real neighbour "
    "breaks its ε. Publish the setting alone, or by private selection."
)
"""Why the engine's `draw` refuses Algorithm 2's score, in the page's words."""


@dataclass(frozen=True)
class Wish:
    """What is to be published, and by which plan: the algorithm's own, or private selection."""

    setup: Setup
    plan: Plan
    parts: str

    @property
    def choice(self) -> bool:
        """Whether the setting is published."""
        return self.parts in (BOTH, SETTING)

    @property
    def value(self) -> bool:
        """Whether the score is published."""
        return self.parts in (BOTH, SCORE)

    @property
    def guarantee(self) -> Guarantee:
        """What it promises."""
        released = 2 if self.parts == BOTH else 1
        if isinstance(self.plan, Selection):
            return replace(self.plan.guarantee(released), neighbours=f"{self.setup.neighbours}.")
        return self.setup.guarantee(released)

    @property
    def refused(self) -> str:
        """Why it is not drawn, if it is not."""
        if isinstance(self.plan, NoiseFree) and self.value:
            return REFUSED
        if self.setup.loose and not isinstance(self.plan, Selection):
            return "No release is drawn while L, g* or m promise more than the task can keep."
        return ""

    def text(self, drawn: Drawn) -> str:
        """Return a release as a person reads it."""
        task, parts = self.setup.task, []
        if drawn.row is not None:
            chosen = zip(task.names, task.parameters[drawn.row], strict=True)
            parts.append(", ".join(f"{name} = {scientific(float(value))}" for name, value in chosen))
        own = isinstance(self.plan, (Lipschitz, Selection))  # their scores are in units of f_V already
        if drawn.value is not None:
            value = drawn.value if own else float(task.score(drawn.value))
            half = self.plan.value.half_width(COVERAGE) * (1.0 if own else task.unit)
            digits = f"{value:.2f}" if abs(value) < 1e4 else scientific(value)
            name = "score" if isinstance(self.plan, Selection) else "best score"
            parts.append(minus(f"{name} {digits}") + f" (± {two_digits(half)})")
        by = "Private selection" if isinstance(self.plan, Selection) else f"Algorithm {self.setup.algorithm}"
        return f"{by}: {'; '.join(parts)}"


def pick_wish(setup: Setup) -> Wish:
    """Show what to publish, and by what, and return it."""
    plan: Plan = setup.plan
    if setup.alternatives:
        by = choose(st.segmented_control, "Publish by", [ALGORITHM, SELECTION], key="publish_by", required=True)
        if by == SELECTION:
            plan = setup.alternatives[0]
        else:
            note(RECOMMENDED)
    if isinstance(plan, Selection):
        parts = choose(st.segmented_control, "Publish", [BOTH, SETTING], key="publish_selected", required=True)
        note(
            f"Among {len(plan.rows)} candidates, picked at random without looking at the records. Its score is that of the setting published with it."
        )
    elif setup.algorithm == 3:
        note("Algorithm 3 publishes the best score and no setting.")
        parts = SCORE
    else:
        parts = choose(st.segmented_control, "Publish", [BOTH, SETTING, SCORE], key="publish", required=True)
    return Wish(setup, plan, parts)


def show_draws(wish: Wish, button_place: DeltaGenerator) -> None:
    """Show the button that draws a release through the real door, the latest releases, and the budget spent."""
    spent: list[Guarantee] = st.session_state.setdefault(SPENT, [])
    published: list[str] = st.session_state.setdefault(PUBLISHED, [])
    wanted = button_place.button(
        "Draw a release",
        disabled=bool(wish.refused),
        help="Draws once with the operating system’s randomness. It cannot be repeated or taken back, and it counts.",
    )
    if wish.refused:
        st.info(wish.refused)
    progress = st.empty()
    if wanted:
        first = "" if "opendp" in sys.modules else "Loading the noise library, once; this takes a few seconds. "
        note(f"{first}Drawing …", progress, status=True)
        drawn = draw(wish.plan, choice=wish.choice, value=wish.value)
        # A plain list, filled right after the draw with nothing in between: what was drawn is counted, come what may.
        spent.append(drawn.guarantee)
        published.append(wish.text(drawn))
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
