"""Pick the data that a page explores: a sample, or the visitor's own table."""

import streamlit as st

from pages.ui.address import choose
from pages.ui.cards import note
from pages.ui.own_table import OWN_CHOICE, own_table, say_not_here, show_way_to_data
from privbo_core.data import SAMPLES, sample
from privbo_core.outsourced import Simulation


@st.cache_resource(max_entries=len(SAMPLES))
def sample_simulation(name: str) -> Simulation:
    """Return the simulation on a sample, whose runs all visitors and pages share."""
    return Simulation(sample(name))


@st.cache_resource(max_entries=len(SAMPLES))
def drawn_simulation(name: str) -> Simulation:
    """Return the simulation on a sample made by a formula, with another function in each run."""
    return Simulation(sample(name), functions=True)


def pick_data(first: str = "synthetic") -> Simulation:
    """Show the choice of data, and return the simulation on them.

    Where a link asks for a table that this session doesn't have, the page ends here, and no sample takes its place.
    """
    table = own_table()
    mine = table.simulation if table is not None else None
    titles = {name: sample(name).title for name in SAMPLES}
    if mine is not None:
        titles[OWN_CHOICE] = f"Your table: {mine.problem.title}"
    elif st.query_params.get("data") == OWN_CHOICE or st.session_state.get("data") == OWN_CHOICE:
        titles[OWN_CHOICE] = "Your table"
    name = choose(st.selectbox, "Data", titles, key="data", default=first)
    if mine is None and table is not None:
        st.warning("Your table isn’t shown here yet. Data shows the reason.", icon=":material/table:")
        show_way_to_data()
    elif name == OWN_CHOICE and mine is None:
        say_not_here()
    if name != OWN_CHOICE:
        return sample_simulation(name)
    if mine is None:
        st.stop()
    if mine.searched.n < mine.problem.n:
        note(
            f"Searches are simulated on a random {mine.searched.n:,} of the {mine.problem.n:,} rows. Everything else "
            "is computed from all rows."
        )
    return mine


def with_functions(simulation: Simulation) -> Simulation:
    """Return the simulation on the same points with another function in each run, for a sample made by a formula."""
    name = (simulation.problem.identity or "").partition("/")[0]
    return drawn_simulation(name)
