"""The dataset picker, and the simulations that sessions share."""

import streamlit as st

from privbo_core.data import SAMPLES, sample
from privbo_core.outsourced import Simulation


@st.cache_resource(max_entries=len(SAMPLES))
def public_simulation(name: str) -> Simulation:
    """Return the simulation of a public sample: one for all sessions, since there is nothing private in it."""
    return Simulation(sample(name))


def _title(name: str) -> str:
    return sample(name).title


def pick_problem() -> Simulation:
    """Show the picker and return the chosen problem's simulation."""
    names = list(SAMPLES)
    name = st.selectbox(
        "Data",
        names,
        format_func=_title,
        key="data",
        bind="query-params",
        persist_state="session",
    )
    return public_simulation(name)
