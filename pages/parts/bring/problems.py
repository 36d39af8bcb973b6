"""The dataset picker, the simulations of samples that sessions share, and the one that is a session's own."""

import streamlit as st

from pages.parts.bring.own_table import own_table
from pages.parts.frame.address import choose, page
from pages.parts.frame.session import forget
from pages.parts.take_away.recipe import Recipe
from pages.parts.values.text import as_markdown
from privbo_core.data import SAMPLES, sample
from privbo_core.outsourced import Simulation

OWN = "own"
_NEXT = "own data/show next"


@st.cache_resource(max_entries=len(SAMPLES))
def public_simulation(name: str) -> Simulation:
    """Return the simulation of a public sample: one for all sessions, since there is nothing private in it."""
    return Simulation(sample(name))


@st.cache_resource(max_entries=len(SAMPLES))
def several_functions(name: str) -> Simulation:
    """Return the simulation of a sample that was made by a formula, with another function of the same kind in each run."""
    return Simulation(sample(name), functions=True)


def own_recipe() -> Recipe | None:
    """Return how this session's own problem was made."""
    return own_table().recipe


def show_own_next() -> None:
    """Choose the session's own problem from the next run on."""
    st.session_state[_NEXT] = OWN


def show_sample_next() -> None:
    """Choose a sample from the next run on."""
    st.session_state[_NEXT] = next(iter(SAMPLES))


def forget_own() -> None:
    """Remove all that this session holds of its own data: table, problem, finished runs, and what was drawn from them."""
    forget()
    show_sample_next()


def _title(name: str, mine: Simulation | None) -> str:
    if name != OWN:
        return sample(name).title
    return f"Your data: {mine.problem.title}" if mine else "Your data"


def pick_problem(first: str = next(iter(SAMPLES))) -> Simulation:
    """Show the picker and return the chosen problem's simulation; ``first``: the sample that it starts with."""
    table = own_table()
    mine = table.simulation
    offered = [*SAMPLES, *([OWN] if mine else [])]
    if _NEXT in st.session_state:
        st.session_state["data"] = st.session_state.pop(_NEXT)
    # A link brings a sample back, never anybody's own data.
    name = choose(st.selectbox, "Data", offered, key="data", default=first, secret=[OWN], persist_state="session",
                  format_func=lambda name: _title(name, mine))  # fmt: skip
    if mine is None and table.table is not None and page() != "data":
        st.warning(as_markdown(f"Not shown here yet: your table {table.name}. Say on Data what is looked for in it."))
        st.page_link("pages/data.py", label="Your table: Data", icon=":material/table:")
    return mine if name == OWN and mine else public_simulation(name)
