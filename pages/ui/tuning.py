"""Pick what is tuned: a sample, a function drawn from the prior of DP-BO, or the visitor's own table."""

import streamlit as st

from pages.parts.release.tasks import TITLES, bring_task, task_brought
from pages.ui.address import FIRST_RUN, choose
from privbo_core.data import TASKS, TuningTask, tuning_task
from privbo_core.release import prior_task

PRIOR = "prior"
CANDIDATES = {str(n): f"{n}" for n in (200, 50, 100, 400, 800)}
"""How many candidates the function drawn from the prior may have. The first number is the usual one on Papers."""
MISSING = "ui/tuning table missing"


def pick_task() -> TuningTask | None:
    """Show the choice of the task, and return it, or None while the visitor's own table is missing.

    Where a link or a reload asks for a table that this session doesn't have, a banner asks for it, and no sample takes
    its place.
    """
    titles = {**{name: tuning_task(name).title for name in TASKS}, PRIOR: "Function drawn from the prior", **TITLES}
    name = choose(st.selectbox, "What is tuned", titles, key="task")
    if name == PRIOR:
        return prior_task(int(choose(st.selectbox, "Candidates |Λ|", CANDIDATES, key="candidates")))
    if name in TASKS:
        return tuning_task(name)
    if st.session_state.get(FIRST_RUN):
        st.session_state[MISSING] = not task_brought() and st.query_params.get("task") == name
    place = st.container()
    task = bring_task(name)
    if task is None and st.session_state.get(MISSING):
        place.warning(
            "This view used a table that isn't here. Bring it again, or choose a sample.", icon=":material/table:"
        )
    return task
