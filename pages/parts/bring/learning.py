"""Length-scales learned from the session's table: once for each choice of columns, and the same on every page."""

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.bring.table import made
from pages.parts.frame.undocumented import give_way
from privbo_core.data import Cleaned, fitting, rule_of_thumb
from privbo_core.data.make import STARTS
from privbo_core.gp import Fit

_STEPS, _STOPPED = made("learned"), made("learning stopped")
Choice = tuple[tuple[str, ...], str]


@dataclass(frozen=True)
class Learned:
    """What was found, and after how many starts learning ended: fewer than was asked for if somebody stopped it."""

    fit: Fit
    starts: int


def learn(cleaned: Cleaned, place: DeltaGenerator, starts: int = STARTS) -> Learned:
    """Return the length-scales of these columns after so many ``starts``; where they are not known yet, learn them.

    ``place`` shows how far that is, and a button that stops it: then the best of what was found is used, until other columns
    are looked at. After no start it is the rule of thumb.
    """
    choice = cleaned.names, cleaned.output
    known: dict[Choice, list[Fit]] = st.session_state.setdefault(_STEPS, {})
    steps = known.setdefault(choice, [rule_of_thumb(cleaned)])
    if st.session_state.get(_STOPPED, (choice,))[0] != choice:
        del st.session_state[_STOPPED]
    if len(steps) <= starts and _STOPPED not in st.session_state:
        _go_on(cleaned, place, choice, starts)
    last = st.session_state.get(_STOPPED, (choice, starts))[1]
    return Learned(steps[min(last, starts)], min(last, starts))


def _go_on(cleaned: Cleaned, place: DeltaGenerator, choice: Choice, starts: int) -> None:
    """Learn before a person's eyes; what is found after each start is kept, so that stopping loses nothing."""
    steps: list[Fit] = st.session_state[_STEPS][choice]
    with place.container():
        st.button("Stop here and use what is found", key=made("stop"), icon=":material/stop_circle:",
                  on_click=_stop, args=(choice,))  # fmt: skip
        bar = st.progress(0.0, "Learning how fast the output changes along each input …")
        for step in fitting(cleaned, restarts=starts):
            if step.done == len(steps):
                steps.append(step.best)
            bar.progress(step.done / step.restarts, f"Length-scales: start {step.done} of {step.restarts}")
            give_way()
    place.empty()


def _stop(choice: Choice) -> None:
    """Take what is known by now, unless there is another table already."""
    steps: list[Fit] | None = st.session_state.get(_STEPS, {}).get(choice)
    if steps:
        st.session_state[_STOPPED] = choice, len(steps) - 1
