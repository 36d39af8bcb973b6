"""The verdict on the problem that is looked at: of a sample one for all sessions, of somebody's own table theirs alone."""

import time
from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.parts.bring.worth.suited import suited
from pages.parts.frame.later import later
from pages.parts.frame.session import OWN
from pages.parts.frame.undocumented import give_way
from privbo_core.data import Problem
from privbo_core.diagnostics import Worth, judge
from privbo_core.outsourced import Simulation

_KEPT = f"{OWN}worth"
LONGEST = 10.0
"""Seconds for which a page waits at its end for a verdict that is computed beside it."""


def judged(simulation: Simulation) -> Worth | None:
    """Return the verdict, or None for a sample that is still being judged: ask again after a while.

    A sample is judged once, beside all scripts, for it is the same for all sessions. Somebody's own table is judged here
    and now, which takes about a second and gives way to a newer setting, and the verdict is kept in their session.
    """
    problem = simulation.problem
    if problem.identity is not None:
        used = None if simulation.functions else simulation
        task = partial(judge, problem, search=suited(problem), simulation=used)
        known: Worth | None = later().ask(("worth", problem.identity), task)
        return known
    kept: tuple[Problem, Worth] | None = st.session_state.get(_KEPT)
    if kept is None or not _same(kept[0], problem):
        kept = problem, judge(problem, search=suited(problem), meanwhile=give_way)
        st.session_state[_KEPT] = kept
    return kept[1]


def waited_for(ask: Callable[[], Worth | None]) -> Worth | None:
    """Return the verdict that one asks for like this, at a page's end: wait for it a while, and give way."""
    end = time.monotonic() + LONGEST
    while (known := ask()) is None and time.monotonic() < end:
        time.sleep(0.05)
        give_way()
    return known


def _same(one: Problem, other: Problem) -> bool:
    """Return whether two problems are the same table prepared in the same way, but perhaps with another frame."""
    return one.points is other.points and one.objective is other.objective
