"""What outsourced optimisation is set to until somebody sets it otherwise, the same on every page that shows it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import streamlit as st

from pages.parts.export.offer import Recipe
from pages.parts.live.sliders import Controls, Slider, of_delta
from pages.parts.live.work import Live, Steps
from pages.parts.shell.depth import simple
from pages.parts.system.lesson import Lesson
from pages.parts.system.question import Inquiry, Measure
from pages.parts.views.card import RECORD
from pages.parts.views.views import Views
from privbo_core.data import Problem
from privbo_core.outsourced import Simulation
from privbo_core.privacy import Guarantee

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
ASKED_TESTS = Slider.of("system.T", 10, 200, STEPS, whole=True)


def link_to_audit(audited: str, attack: str = "", /, **settings: float) -> None:
    """Lead to the audit of what a page shows, at its depth: of this mechanism, on the same data, at these settings.

    ``attack``: which one, where it is not the first.
    """
    asked = {name: f"{value:.6g}" for name, value in settings.items()}
    if attack:
        asked[f"attack-{audited}"] = attack
    data = {"data": st.query_params["data"]} if "data" in st.query_params else {}
    brought = {"view": "simple" if simple() else "expert", "audited": audited, **data, **asked}
    st.page_link("pages/audit.py", label="Does it hold? Audit", icon=":material/fact_check:", query_params=brought)


def initial(rows: int) -> int:
    """Return how many initial ones a table of so many rows has: one row at least is left to choose."""
    return min(INITIAL, rows - 1)


def tests(rows: int, wanted: int = STEPS) -> int:
    """Return how many of the ``wanted`` evaluations a table of so many rows has room for."""
    return min(wanted, rows - initial(rows))


@dataclass(frozen=True)
class Aim:
    """What an attack is run on: the settings, and the data if it needs any."""

    controls: Controls
    simulation: Simulation | None = None

    @property
    def problem(self) -> Problem:
        """The problem whose inputs are attacked."""
        assert self.simulation is not None
        return self.simulation.problem


@dataclass(frozen=True)
class Attack:
    """An attack that a person can choose.

    ``lead`` says in plain words what happens. ``run`` yields views, each of two figures, left and right, and a third
    below where there are trials. ``claim`` is what is being audited, and the secret that it is about ("that …");
    ``explain`` the heading and the text of *Explain this*; ``script`` the view as a script. ``data``: whether it needs
    a dataset. ``ratio``: the widths of the two halves. ``refused`` says in a sentence why it cannot be run on
    this aim; empty if it can.
    """

    key: str
    name: str
    lead: str
    sliders: tuple[Slider, ...]
    run: Callable[[Aim], Views]
    claim: Callable[[Aim], tuple[Guarantee, str]]
    explain: Callable[[Aim], tuple[str, str]]
    script: Callable[[Aim, Recipe | None], str]
    data: bool = False
    ratio: tuple[float, float] = (1, 1)
    refused: Callable[[Aim], str] = lambda aim: ""


@dataclass(frozen=True)
class Simply:
    """How Simple offers one ``attack`` on a mechanism: under a ``name``, with a ``story``.

    ``story`` may name {holder}, {chooser}, {one} and {many} of the data. ``hidden`` and ``whom``: facts, a few words
    and a sentence more; where there are data, they are the data's. ``slider``: the one that is shown, ``label``: in
    other words than its own. ``guess``: what the attacker has to guess.
    """

    attack: str
    name: str
    story: str
    hidden: tuple[str, str] = ("", "")
    whom: tuple[str, str] = ("", "")
    slider: str = "epsilon"
    guess: str = RECORD
    label: str = ""


@dataclass(frozen=True)
class Audited:
    """A mechanism that can be audited.

    ``data``: what it works on where no data are chosen; ``closing`` shows what follows. ``simply``: how Simple offers
    it, if it does.
    """

    key: str
    name: str
    attacks: tuple[Attack, ...]
    data: str = ""
    closing: Callable[[], None] | None = None
    simply: Simply | None = None


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

    ``audited``: its mechanisms that Audit attacks. ``question``: shows Trade-off's pickers and returns what is asked,
    None if there is nothing to ask yet; ``measures``: by what regret, the first unless another is picked. ``afford``:
    Trade-off's Simple page for it, given what else it has to say. ``neighbours``: what its ε protects, in a few words;
    ``lesson``: the Tour's.
    """

    name: str
    audited: tuple[Audited, ...] = ()
    question: Callable[[Measure], Inquiry | None] | None = None
    measures: tuple[Measure, ...] = ("simple", "cumulative")
    afford: Callable[[str], Depth] | None = None
    neighbours: str = ""
    lesson: Lesson | None = None
