"""Trade-off: how much privacy can I afford? Regret against ε for every mechanism of a task, solved both ways."""

import streamlit as st

from pages.parts import systems
from pages.parts.shell.address import chosen_before
from pages.parts.shell.depth import BESIDE, carry, simple
from pages.parts.system.system import Depth
from pages.parts.tradeoff.renderers import TASK, Expert
from pages.parts.tradeoff.view import follow_other_depth, leave_task, spender_key, will_leave


def run() -> None:
    depth = _simple() if simple() else Expert()
    begun = depth.begin()
    if simple():
        will_leave(key for key in st.query_params if key not in BESIDE)
    if begun:
        steps, live = begun
        if last := live.follow(steps, lambda now: depth.draw(now, live), ready=depth.ready):
            depth.end(last, live)


def _simple() -> Depth:
    """Return the page of the first system that has one, and take out of the address what is set of another.

    A task of another system that was chosen in Expert stays there, and the page says so.
    """
    name, afford = next((system.name, system.afford) for system in systems.SYSTEMS if system.afford)
    chosen = chosen_before(TASK, [name, *(system.name for system in systems.SYSTEMS if system.question)])
    if st.query_params.get(TASK, name) != name:
        for key in [key for key in st.query_params if key not in BESIDE]:
            del st.query_params[key]
    leave_task(name)
    follow_other_depth(name.lower(), spender_key(name))
    if chosen == name:
        carry(**{TASK: name})
        return afford("")
    return afford(f"Simple shows handing out a table; {chosen}, chosen in Expert, is still there.")
