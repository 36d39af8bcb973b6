"""Trade-off: how much privacy can I afford? Regret against ε for every mechanism of a task, solved both ways."""

import streamlit as st

from pages.parts import systems
from pages.parts.shell.depth import BESIDE, carry, simple
from pages.parts.system.system import Depth
from pages.parts.tradeoff.renderers import TASK, Expert
from pages.parts.tradeoff.view import leave_task


def run() -> None:
    depth = _simple() if simple() else Expert()
    if begun := depth.begin():
        steps, live = begun
        if last := live.follow(steps, lambda now: depth.draw(now, live), ready=depth.ready):
            depth.end(last, live)


def _simple() -> Depth:
    """Return the page of the first system that has one, and take out of the address what is set of another."""
    name, afford = next((system.name, system.afford) for system in systems.SYSTEMS if system.afford)
    if st.query_params.get(TASK, name) != name:
        for key in [key for key in st.query_params if key not in BESIDE]:
            del st.query_params[key]
    leave_task(name)
    carry(**{TASK: name})
    return afford()
