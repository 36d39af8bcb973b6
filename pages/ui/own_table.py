"""The visitor's own table: one immutable value in the session, which every page reads.

It is brought on Data and replaced by assignment, because two runs of one visitor's page can overlap. Everything that a
session holds of it has a name that begins with `OWN_DATA`, so that *Clear my data* removes it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import pandas as pd
import streamlit as st

from pages.ui.address import FIRST_RUN
from pages.ui.follow import interrupt
from pages.ui.sliders import OWN_DATA
from pages.ui.text import to_markdown
from privbo_core import data
from privbo_core.budget import waiting
from privbo_core.data import Column, Proposal, Question
from privbo_core.outsourced import Simulation

OWN_TABLE = f"{OWN_DATA}table"
OWN_CHOICE = "own"
"""The choice of the visitor's own table, as it stands in the address."""
NOT_HERE = "This view used a table that isn’t here. Bring it again, or choose a sample."


@dataclass(frozen=True)
class Answers:
    """The visitor's answers about the cells of a file, as the arguments of `pb.data.read_table`."""

    header: bool | None = None
    text: tuple[str, ...] = ()
    missing: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    hundredfold: Mapping[str, tuple[float, ...]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class OwnTable:
    """A visitor's table as it was read. It is never changed: another reading or preparation is another value.

    ``content`` are the bytes of the file, and ``upload`` identifies when it came. ``questions`` are those that the
    ``answers`` leave open. ``simulation`` is on the problem that was made of the table, or None before that.
    """

    table: pd.DataFrame
    name: str = ""
    content: bytes = b""
    upload: str = ""
    answers: Answers = Answers()
    questions: tuple[Question, ...] = ()
    simulation: Simulation | None = None

    @property
    def identity(self) -> str:
        """A text that differs between two tables, and between two readings of one file."""
        return f"{self.upload}/{self.name}/{self.answers}"

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """What each column can be used for."""
        with waiting(interrupt):
            return data.describe(self.table)

    @cached_property
    def proposal(self) -> Proposal:
        """First choices of inputs and an outcome."""
        with waiting(interrupt):
            return data.propose(self.table)

    @property
    def numeric(self) -> list[str]:
        """The names of the columns of numbers."""
        return [column.name for column in self.columns if column.kind == "number"]


def own_table() -> OwnTable | None:
    """Return the visitor's own table, or None if there is none in this session."""
    found = st.session_state.get(OWN_TABLE)
    return found if isinstance(found, OwnTable) else None


def keep_own_table(table: OwnTable) -> None:
    """Make this the visitor's own table on all pages."""
    st.session_state[OWN_TABLE] = table


def choice_key(name: str) -> str:
    """Return the key of a widget about the visitor's table. What it holds ends with this table."""
    return f"{OWN_DATA}chosen/{name}"


def ask_for_table(key: str, choice: str, needs: str) -> None:
    """Ask for the table that a choice of this view needs, and show the way to the page where it is brought.

    Where a link or a reload brought the choice, a banner states that the table isn't here. It stays until it is.
    """
    if st.session_state.get(FIRST_RUN):
        st.session_state[f"ui/table missing/{key}"] = st.query_params.get(key) == choice
    if st.session_state.get(f"ui/table missing/{key}"):
        st.warning(to_markdown(f"{NOT_HERE} {needs}".strip()), icon=":material/table:")
    else:
        st.info(to_markdown(f"Bring your table first. {needs}".strip()), icon=":material/table:")
    show_way_to_data()


def show_way_to_data() -> None:
    """Show the link to the page where a table is brought and prepared."""
    st.page_link("pages/data.py", label="Bring your table on Data", icon=":material/arrow_forward:")
