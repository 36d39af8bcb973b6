"""What can be chosen and set on the Outsourced page, how everybody with a model searches; costs and units in words."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, get_args

import streamlit as st

from pages.parts.live.sliders import Controls, Slider, of_epsilon
from pages.parts.shell.address import choose, unseen
from pages.parts.system import system
from pages.parts.table.diagnostics import Instead, instead, judged
from pages.parts.table.own_table import several_functions
from pages.parts.views.content import prose
from pages.parts.views.text import SIGMA_Y, cost_text
from privbo_core.data import Problem, suited_search
from privbo_core.diagnostics import Diagnosis
from privbo_core.outsourced import (
    Baseline,
    Comparison,
    Difference,
    Measure,
    Mechanism,
    Policy,
    Search,
    Setting,
    Simulation,
)
from privbo_core.privacy import TradeOff, gaussian_sigma

RELEASES: dict[str, tuple[str, tuple[Mechanism, ...]]] = {
    "projection": ("Paper’s projection", ("private",)),
    "noisy": ("Noisy release", ("noisy",)),
    "both": ("Both", ("private", "noisy")),
}
"""What the modeler may get: in words, and the mechanisms that are run for it."""
RELEASED = "What the modeler gets"
ONLY = {"r": "private", "distance": "noisy"}  # sliders that only one mechanism has
EPSILON = of_epsilon(*system.EPSILONS, system.EPSILON, "Privacy loss. ω is proportional to 1/ε.", exponential=True)
DIMENSION = Slider.of("outsourced.r", 1, 100, system.R, whole=True)
DISTANCE = Slider.of("outsourced.distance", 0.1, 25, 1, step=0.02, log=True)
MODEL_PANEL, MODEL = "outsourced/model", ("lengthscale", "signal", "answer_noise")
"""The panel of start and model; the multiples that are set there."""
Choice = Literal["suited", "ucb", "ucb/5", "ei", "thompson"]
CHOICES: tuple[Choice, ...] = get_args(Choice)
SEARCHES: dict[str, str] = {
    "ucb": "GP-UCB as published",
    "ucb/5": "GP-UCB with β/5",
    "ei": "expected improvement",
    "thompson": "Thompson sampling",
}
UNTITLED: dict[str, Any] = {"label_visibility": "collapsed", "persist_state": "session", "required": True}
"""Of choices that need no title above them; they outlive a visit to a page without them."""
ROWS = {"once": "no row twice", "again": "a row may come again"}
FUNCTIONS = {"one": "one function", "several": "several functions"}


@dataclass(frozen=True)
class Searching:
    """The search and whether it may ask for a row again."""

    search: Search
    once: bool

    def of(self, setting: Setting) -> Setting:
        return replace(setting, search=self.search, once=self.once)


PUBLISHED = Searching("ucb", once=False)  # The search of the paper.


@dataclass(frozen=True)
class Case:
    """What is looked at: a problem's simulation, the setting, the mechanisms shown (the first leads), how many runs.

    ``also``: further baselines. ``worth``: whether the table can carry an answer, as far as that is known by now.
    """

    simulation: Simulation
    setting: Setting
    mechanisms: tuple[Mechanism, ...]
    runs: int
    also: tuple[Baseline, ...] = ()
    worth: Callable[[], Diagnosis | None] = field(default=lambda: None, compare=False)

    @property
    def problem(self) -> Problem:
        return self.simulation.problem

    @property
    def instead(self) -> Instead | None:
        """What is said instead of a cost, whatever the curves look like; None where they can speak for themselves."""
        known = self.worth()
        return instead(known) if known and known.verdict in ("nothing", "too few") else None

    @property
    def leading(self) -> Mechanism:
        """The mechanism that tiles and titles are about."""
        return self.mechanisms[0]

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """What was chosen beside the sliders, in words: what the modeler gets, and how it searches."""
        name = next(words for words, mechanisms in RELEASES.values() if mechanisms == self.mechanisms)
        search = f"{SEARCHES[self.setting.search]}, {ROWS['once' if self.setting.once else 'again']}"
        return (RELEASED, name), ("Search", search)


def repeats(simulation: Simulation) -> str:
    return "functions" if simulation.functions else "runs"


def noisy_line(setting: Setting) -> TradeOff:
    """Return how rarely any test of a noisy release can miss."""
    return TradeOff.gaussian(1.0 / gaussian_sigma(setting.epsilon, setting.delta, 1.0))


def pick_searching(problem: Problem, *, shown: bool = True) -> Searching:
    """Return the search that was chosen; ``shown``: let a person choose it here."""
    own = suited_search(problem)
    widget: Any = st.selectbox if shown else unseen
    search: Choice = choose(
        widget,
        "How the modeler searches",
        CHOICES,
        key="search",
        format_func=lambda choice: SEARCHES.get(choice, f"suited: {SEARCHES[own]}"),
        persist_state="session",
        help=prose("outsourced", "how the modeler searches"),
    )
    rows = choose(st.segmented_control if shown else unseen, "Rows", ROWS, key="rows", **UNTITLED)
    return Searching(own if search == "suited" else search, rows == "once")


def pick_functions(simulation: Simulation) -> Simulation:
    """Return the simulation with one function in all runs, or with another in each, where the data can be drawn anew.

    The spread between functions is larger than between runs on one of them.
    """
    if simulation.problem.draw is None:
        return simulation
    chosen = choose(st.segmented_control, "Functions", FUNCTIONS, key="functions", **UNTITLED)
    return simulation if chosen == "one" else several_functions(st.session_state["data"])


def sliders(simulation: Simulation, mechanisms: tuple[Mechanism, ...]) -> list[Slider]:
    """Return the sliders for a problem and the releases shown. T leaves no row to be asked for twice."""
    rows = simulation.problem.n
    most = system.tests(rows, 200)
    panel = [
        EPSILON,
        system.ASKED_DELTA,
        DIMENSION,
        DISTANCE,
        Slider.of("outsourced.T", min(10, (most + 1) // 2), most, system.tests(rows), whole=True),
        Slider.of("outsourced.runs", 5, 200, system.RUNS, whole=True),
        Slider.of("outsourced.delta_ucb", 0.001, 0.5, 0.05, step=0.01, log=True),
    ]
    return [slider for slider in panel if ONLY.get(slider.key) in (None, *mechanisms)]


def case_of(
    simulation: Simulation,
    mechanisms: tuple[Mechanism, ...],
    controls: Controls,
    searching: Searching,
    also: tuple[Baseline, ...] = (),
) -> Case:
    values, T, rows = controls.values, controls.whole("T"), simulation.problem.n
    setting = Setting(
        values["epsilon"],
        values.get("delta", system.DELTA),
        int(values.get("r", system.R)),
        T,
        values["delta_ucb"],
        min(int(values.get("initial", system.initial(rows))), rows - T),
        protected_distance=values.get("distance", 1.0),
        lengthscale=values.get("lengthscale", 1.0),
        signal=values.get("signal", 1.0),
        answer_noise=values.get("answer_noise", 1.0),
    )
    worth = partial(judged, simulation)
    return Case(simulation, searching.of(setting), mechanisms, controls.whole("runs"), also, worth)


def leads(comparison: Comparison, policy: Policy, measure: Measure) -> bool:
    """Return whether a search beats chance for certain, as far as these runs can tell."""
    lead = comparison.lead(policy, measure)
    return lead.clear and lead.mean > 0


def interval(cost: Difference) -> str:
    low, high = (cost_text(end, cost.standard_error, signed=False) for end in (cost.low, cost.high))
    return f"{low} to {high}"


def in_own_unit(problem: Problem, symbol: str, size: float) -> str:
    """Return a unit of the scaled output, of that size, with what it is in the output's own terms, if it has some."""
    preparation = problem.preparation
    if preparation is None:
        return symbol
    amount = f"{float(preparation.output_difference(size)):.3g}"
    amount = f"factor {amount}" if preparation.log_output else f"{amount} {preparation.output_unit}".rstrip()
    return f"{symbol} = {amount}"


def one_sigma(problem: Problem) -> str:
    return in_own_unit(problem, SIGMA_Y, problem.sigma_y)
