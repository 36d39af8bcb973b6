"""What outsourced optimisation is set to until somebody sets it otherwise, the same on every page that shows it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import streamlit as st

from pages.parts.live.sliders import of_delta
from pages.parts.live.work import Live, Steps
from pages.parts.system.question import Inquiry, Measure

EPSILON = 3.0
EPSILONS = 0.35, 150.0  # From where to where ε can be dragged.
DELTA = 1e-5
R = 10
STEPS = 30  # Evaluations after the five initial ones.
RUNS = 40
INITIAL = 5  # The first evaluations, of rows drawn at random.

ASKED_DELTA = of_delta(
    1e-12, 0.1, DELTA, "The probability with which the promise may fail altogether. Should be well below 1/n."
)


AUDITED = {"canary": "canary", "score": "score"}
"""What Audit calls its attack on a mechanism of the older pages. It shows its first attack for any other."""


def link_to_audit(audited: str, attack: str = "", /, **settings: float) -> None:
    """Lead to the audit of what a page shows, at these settings."""
    asked = {name: f"{value:.6g}" for name, value in settings.items()}
    if audited in AUDITED:
        asked["attack"] = AUDITED[audited]
    st.page_link("pages/audit.py", label="Does it hold? Audit", icon=":material/fact_check:", query_params=asked)


def initial(rows: int) -> int:
    """Return how many initial ones a table of so many rows has: one row at least is left to choose."""
    return min(INITIAL, rows - 1)


def tests(rows: int, wanted: int = STEPS) -> int:
    """Return how many of the ``wanted`` evaluations a table of so many rows has room for."""
    return min(wanted, rows - initial(rows))


class Depth(Protocol):
    """A page at one of its depths: what it draws before, while, and after something is computed."""

    def begin(self) -> tuple[Steps[Any], Live] | None:
        """Read what is set, and draw what is known; return what is to be computed, None if nothing is."""

    def ready(self, now: Any) -> bool:  # noqa: ANN401
        """Return whether a view is worth being the first."""

    def draw(self, now: Any, live: Live) -> None:  # noqa: ANN401
        """Draw a view."""

    def end(self, last: Any, live: Live) -> None:  # noqa: ANN401
        """Draw what comes after the last one."""


@dataclass(frozen=True)
class System:
    """A published system as the app knows it.

    ``question``: shows Trade-off's pickers and returns what is asked,
    None if there is nothing to ask yet; ``measures``: by what regret, the first unless another is picked. ``afford``:
    Trade-off's Simple page for it, given what else it has to say. ``neighbours``: what its ε protects, in a few words;
    """

    name: str
    question: Callable[[Measure], Inquiry | None] | None = None
    measures: tuple[Measure, ...] = ("simple", "cumulative")
    afford: Callable[[str], Depth] | None = None
    neighbours: str = ""
