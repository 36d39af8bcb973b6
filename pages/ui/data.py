"""Pick the data that a page explores: a sample, or the visitor's own table."""

import streamlit as st

from pages.parts.federated.agents import GRADES, named
from pages.parts.table.own_table import OWN_CHOICE, own_table, public_simulation, several_functions
from pages.ui.address import choose
from privbo_core import federated
from privbo_core.data import SAMPLES, sample
from privbo_core.outsourced import Simulation


def pick_data(first: str = "synthetic") -> Simulation:
    """Show the choice of data, and return the simulation on them."""
    mine = own_table().simulation
    titles = {name: sample(name).title for name in SAMPLES}
    if mine is not None:
        titles[OWN_CHOICE] = "Your table"
    name = choose(st.selectbox, "Data", titles, key="data", default=first, private=False, persist_state="session")
    return mine if name == OWN_CHOICE and mine is not None else public_simulation(name)


def with_functions(simulation: Simulation) -> Simulation:
    """Return the simulation on the same points with another function in each run, for a sample made by a formula."""
    name = (simulation.problem.identity or "").partition("/")[0]
    return several_functions(name)


def sample_simulation(name: str) -> Simulation:
    """Return the simulation on a sample, whose runs all visitors and pages share."""
    return public_simulation(name)


def grades_simulation() -> federated.Simulation:
    """Return the simulation of the schools that predict grades, whose runs all visitors and pages share."""
    return named(GRADES).simulation(0.0)
