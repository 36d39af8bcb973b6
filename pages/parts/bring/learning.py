"""Length-scales learned from the session's table: once for each choice of columns, and the same on every page."""

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.bring.own_table import Choice, own_table
from pages.parts.bring.table import made
from pages.parts.frame.undocumented import give_way
from privbo_core.data import Cleaned, fitting, rule_of_thumb
from privbo_core.data.make import STARTS
from privbo_core.gp import Fit


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
    mine, choice = own_table(), (cleaned.names, cleaned.output)
    steps = mine.learned.setdefault(choice, [rule_of_thumb(cleaned)])
    if mine.stopped is not None and mine.stopped[0] != choice:
        mine.stopped = None
    if len(steps) <= starts and mine.stopped is None:
        _go_on(cleaned, place, steps, starts)
    last = min(mine.stopped[1] if mine.stopped else starts, starts)
    return Learned(steps[last], last)


def _go_on(cleaned: Cleaned, place: DeltaGenerator, steps: list[Fit], starts: int) -> None:
    """Learn before a person's eyes; what is found after each start is kept, so that stopping loses nothing."""
    with place.container():
        st.button("Stop here and use what is found", key=made("stop"), icon=":material/stop_circle:",
                  on_click=_stop, args=((cleaned.names, cleaned.output),))  # fmt: skip
        bar = st.progress(0.0, "Learning how fast the output changes along each input …")
        for step in fitting(cleaned, restarts=starts):
            if step.done == len(steps):
                steps.append(step.best)
            bar.progress(step.done / step.restarts, f"Length-scales: start {step.done} of {step.restarts}")
            give_way()
    place.empty()


def _stop(choice: Choice) -> None:
    """Take what is known by now, unless there is another table already."""
    mine = own_table()
    if steps := mine.learned.get(choice):
        mine.stopped = choice, len(steps) - 1
