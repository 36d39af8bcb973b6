"""Pick the data that a page explores: a sample, or the visitor's own table."""

import streamlit as st

from pages.parts.table.own_table import OWN_CHOICE, own_table, public_simulation, several_functions
from pages.ui.address import choose
from privbo_core.data import SAMPLES, sample
from privbo_core.outsourced import Simulation


def pick_data(first: str = "synthetic") -> Simulation:
    """Show the choice of data, and return the simulation on them.

    Where a link asks for a table that this session doesn't have, the page ends here, and no sample takes its place.
    """
    table = own_table()
    mine, missing = table.simulation, st.query_params.get("data") == OWN_CHOICE
    titles = {name: sample(name).title for name in SAMPLES}
    if mine is not None or missing:
        titles[OWN_CHOICE] = "Your table" if mine is None else f"Your table: {mine.problem.title}"
    name = choose(st.selectbox, "Data", titles, key="data", default=first)
    if mine is None and table.table is not None:
        lead_to_data("Your table isn't shown here yet. Choose the outcome that is optimised in it.")
    elif mine is None and name == OWN_CHOICE:
        lead_to_data("This view used a table that isn't here. Bring it again, or choose a sample.")
    elif name == OWN_CHOICE and table.pending:
        lead_to_data("The column settings that you typed are not in use yet.")
    if name != OWN_CHOICE:
        return public_simulation(name)
    if mine is None:
        st.stop()
    return mine


def lead_to_data(sentence: str) -> None:
    """Show a sentence about the visitor's own table, and the way to the page where that is prepared."""
    st.warning(sentence, icon=":material/table:")
    st.page_link("pages/data.py", label="Your table on Data", icon=":material/arrow_forward:")


def with_functions(simulation: Simulation) -> Simulation:
    """Return the simulation on the same points with another function in each run, for a sample made by a formula."""
    name = (simulation.problem.identity or "").partition("/")[0]
    return several_functions(name)


def sample_simulation(name: str) -> Simulation:
    """Return the simulation on a sample, whose runs all visitors and pages share."""
    return public_simulation(name)
