"""How everybody with a model searches: chosen once, and the same on every page that compares searches."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import streamlit as st

from pages.parts.bring.problems import several_functions
from pages.parts.bring.worth.suited import suited
from pages.parts.frame.address import choose, unseen
from privbo_core.data import Problem
from privbo_core.outsourced import Baseline, Search, Setting, Simulation

Choice = Literal["suited", "ucb", "ucb/5", "ei", "thompson"]
CHOICES: tuple[Choice, ...] = get_args(Choice)
NAMES: dict[str, str] = {
    "ucb": "GP-UCB as published", "ucb/5": "GP-UCB with β/5", "ei": "expected improvement", "thompson": "Thompson sampling",
}  # fmt: skip
ROWS = {"once": "no row twice", "again": "a row may come again"}


@dataclass(frozen=True)
class Searching:
    """The search and whether it may ask for a row again; ``suited``: nobody chose it, it is the one for these data."""

    search: Search
    once: bool
    suited: bool = True

    @property
    def name(self) -> str:
        """The search in words."""
        return f"{NAMES[self.search]}, {ROWS['once' if self.once else 'again']}"

    def of(self, setting: Setting) -> Setting:
        """Return the setting with this search."""
        return replace(setting, search=self.search, once=self.once)


PUBLISHED = Searching("ucb", once=False, suited=False)
"""The search of the paper."""


def pick_searching(problem: Problem, *, shown: bool = True) -> Searching:
    """Return the search that was chosen; ``shown``: let a person choose it here."""
    own = suited(problem)
    widget: Callable[..., Any] = unseen
    if shown:
        widget = st.selectbox
    search: Choice = choose(
        widget, "How the modeler searches", CHOICES, key="search",
        format_func=lambda choice: NAMES.get(choice, f"suited: {NAMES[own]}"), persist_state="session",
        help="As published, GP-UCB is so cautious that chance beats it for a while on some data. Each sample starts with a "
        "search that was measured to beat chance on it.",
    )  # fmt: skip
    switch: Callable[..., Any] = unseen
    if shown:
        switch = st.segmented_control
    rows = choose(
        switch, "Rows", list(ROWS), key="rows", required=True,
        format_func=ROWS.__getitem__, label_visibility="collapsed", persist_state="session",
    )  # fmt: skip
    return Searching(own if search == "suited" else search, rows == "once", search == "suited")


def search_by(search: Choice, *, once: bool) -> None:
    """Choose how everybody with a model searches, before that is asked for or looked up in this run."""
    st.session_state["search"], st.session_state["rows"] = search, "once" if once else "again"


FUNCTIONS = {"one": "one function", "several": "several functions"}


def pick_functions(simulation: Simulation, *, shown: bool = True) -> Simulation:
    """Return the simulation with one function in all runs, or with another in each, where the data can be drawn anew.

    The spread between functions is larger than between runs on one of them.
    """
    if simulation.problem.draw is None:
        return simulation
    switch: Callable[..., Any] = unseen
    if shown:
        switch = st.segmented_control
    chosen = choose(switch, "Functions", list(FUNCTIONS), key="functions", required=True, persist_state="session",
                    format_func=FUNCTIONS.__getitem__, label_visibility="collapsed")  # fmt: skip
    return simulation if chosen == "one" else several_functions(st.session_state["data"])


def repeats(simulation: Simulation) -> str:
    """Return what is averaged over, in a word: runs on one function, or functions."""
    return "functions" if simulation.functions else "runs"


def runs_text(simulation: Simulation, runs: int) -> str:
    """Return what was averaged, in words."""
    return f"{runs} functions, one run each" if simulation.functions else f"{runs} runs"


ALSO: dict[str, tuple[Baseline, ...]] = {
    "none": (),
    "no model": ("neighbour",),
    "each hides its own": ("local",),
    "both": ("neighbour", "local"),
}


def pick_also() -> tuple[Baseline, ...]:
    """Let a person choose what else the search is compared with, and return it."""
    return ALSO[choose(st.selectbox, "Compare also with", list(ALSO), key="also",
                       help="No model: always the nearest row to the best one so far. Each hides its own: every record adds noise to "
                       "itself, enough to hide all of it, so that nobody needs to be trusted.")]  # fmt: skip
