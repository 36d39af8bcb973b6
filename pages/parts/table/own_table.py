"""What the older pages need of the visitor's table, which `pages.ui.own_table` holds."""

from dataclasses import dataclass, field

import pandas as pd
import streamlit as st

from pages.parts.export.offer import Recipe
from pages.parts.shell.address import choose
from pages.parts.shell.session import OWN
from pages.parts.views.text import as_markdown
from pages.ui.data import drawn_simulation, sample_simulation
from pages.ui.own_table import OWN_CHOICE, show_way_to_data
from pages.ui.own_table import own_table as shared_table
from privbo_core import data
from privbo_core.data import SAMPLES, Column, Proposal, sample
from privbo_core.outsourced import Simulation

OWN_TABLE = f"{OWN}table/older"
several_functions = drawn_simulation


@dataclass(frozen=True, eq=False)
class OwnTable:
    """The visitor's table, and the simulation that Data made of it."""

    table: pd.DataFrame | None = None
    name: str = ""
    content: bytes = b""
    missing: dict[str, list[float]] = field(default_factory=dict)
    simulation: Simulation | None = None
    identity: str = ""
    recipe: Recipe | None = None

    @property
    def kinds(self) -> tuple[Column, ...]:
        assert self.table is not None
        return data.describe(self.table)

    def proposed(self, outcome: str | None = None) -> Proposal:
        assert self.table is not None
        return data.propose(self.table, outcome)


def own_table() -> OwnTable:
    found = st.session_state.get(OWN_TABLE)
    if isinstance(found, OwnTable):
        return found
    now = shared_table()
    if now is None:
        return OwnTable()
    missing = {name: list(codes) for name, codes in now.answers.missing.items()}
    return OwnTable(now.table, now.name, now.content, missing, now.simulation, now.identity)


def own_recipe() -> Recipe | None:
    return own_table().recipe


def pick_problem(first: str = next(iter(SAMPLES))) -> Simulation:
    table = own_table()
    mine = table.simulation
    titles = {name: sample(name).title for name in SAMPLES}
    if mine:
        titles[OWN_CHOICE] = f"Your data: {mine.problem.title}"
    # A link brings a sample back, never anybody's own data.
    looks = {"default": first, "persist_state": "session"}
    name = choose(st.selectbox, "Data", titles, key="data", secret=[OWN_CHOICE], **looks)
    if mine is None and table.table is not None:
        st.warning(as_markdown(f"Your table {table.name} is not shown here yet."))
        show_way_to_data()
    return mine if name == OWN_CHOICE and mine else sample_simulation(name)
