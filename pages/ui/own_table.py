"""The visitor's own table: one immutable value in the session, which every page reads.

It is brought on Data and replaced by assignment, because two runs of one visitor's page can overlap. Everything that a
session holds of it has a name that begins with `OWN_DATA`, so that *Clear my data* removes it.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

import pandas as pd
import streamlit as st

from pages.ui import demo
from pages.ui.address import FIRST_RUN
from pages.ui.follow import interrupt
from pages.ui.numbers import count
from pages.ui.own_data import drop, forget
from pages.ui.sliders import OWN_DATA
from pages.ui.text import to_markdown, verbatim
from privbo_core import data
from privbo_core.budget import waiting
from privbo_core.data import (
    Column,
    ColumnSettings,
    Proposal,
    Question,
    ReadTable,
    TableSettings,
    finish,
    fitting,
)
from privbo_core.data.prepare import STARTS
from privbo_core.data.proposal import outcome_likely
from privbo_core.errors import DataError
from privbo_core.gp import Fit
from privbo_core.outsourced import Simulation

OWN_TABLE = f"{OWN_DATA}table"
OWN_CHOICE = "own"
"""The choice of the visitor's own table, as it stands in the address."""
Choice = TypeVar("Choice", bound=str)
NOT_HERE = "This view used a table that isn’t here. Bring it again, or choose a sample."


@dataclass(frozen=True)
class Answers:
    """The visitor's answers about the cells of a file, as the arguments of `pb.data.read_table`.

    ``agreed`` are the questions about units and multipliers that were answered with yes, by column and kind.
    """

    header: bool | None = None
    text: tuple[str, ...] = ()
    missing: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    hundredfold: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    hundredth: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    agreed: frozenset[tuple[str, str]] = frozenset()

    def read(self, content: bytes) -> ReadTable:
        """Return the table in a file as these answers have it read. Raises DataError for a file that is no table."""
        with waiting(interrupt):
            found = data.read_table(
                content, self.missing, header=self.header, text=self.text,
                hundredfold=self.hundredfold, hundredth=self.hundredth,
            )  # fmt: skip
        questions = tuple(each for each in found.questions if (each.column, each.kind) not in self.agreed)
        return ReadTable(found.table, questions)


@dataclass(frozen=True, eq=False)
class OwnTable:
    """A visitor's table as it was read. It is never changed: another reading or preparation is another value.

    ``content`` are the bytes of the file, and ``upload`` identifies when it came. ``questions`` are those that the
    ``answers`` leave open, and ``answered`` are those that were answered, with yes or no. ``described`` has ``columns``
    and ``proposal`` if they are known. ``proposed`` are first ``settings``, which the visitor may have changed since.
    ``simulation`` is on the problem that was made of the table with the settings ``prepared``, or None before that.
    ``fitted`` is the model that was fitted to it, after what it depends on.
    """

    table: pd.DataFrame
    name: str = ""
    content: bytes = b""
    upload: str = ""
    answers: Answers = Answers()
    questions: tuple[Question, ...] = ()
    answered: tuple[tuple[Question, bool], ...] = ()
    described: tuple[tuple[Column, ...], Proposal] | None = None
    proposed: TableSettings | None = None
    settings: TableSettings | None = None
    simulation: Simulation | None = None
    prepared: TableSettings | None = None
    fitted: tuple[object, Fit] | None = None

    @property
    def up_to_date(self) -> bool:
        """Whether the simulation belongs to the present settings."""
        return self.simulation is not None and self.prepared == self.settings

    @property
    def still_open(self) -> str:
        """A sentence on how many questions about the file are open, or nothing."""
        number = len(self.questions)
        return f"{count(number, 'question about the file is', 'questions about the file are')} open." if number else ""

    @property
    def identity(self) -> str:
        """A text that differs between two tables, and between two readings of one file."""
        return f"{self.upload}/{self.name}/{self.answers}"

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The possible uses of each column."""
        if self.described is not None:
            return self.described[0]
        with waiting(interrupt):
            return data.describe(self.table)

    @cached_property
    def proposal(self) -> Proposal:
        """First choices of inputs and an outcome."""
        if self.described is not None:
            return self.described[1]
        with waiting(interrupt):
            return data.propose(self.table)

    @property
    def limits_as_proposed(self) -> list[str]:
        """The names of the inputs whose limits are still those that were taken from the table."""
        if self.settings is None or self.proposed is None:
            return []
        proposed = {column.name: column for column in self.proposed.columns}
        return [
            column.name
            for column in self.settings.inputs
            if column.low is not None and _limits(column) == _limits(proposed[column.name])
        ]

    @property
    def passed_over(self) -> str:
        """A sentence on a column that would be the proposed outcome if it weren't constant, or nothing."""
        first = self.proposal.outcome
        now = self.settings.outcome.name if self.settings is not None and self.settings.outcome is not None else None
        constant = [column.name for column in self.columns if column.kind == "constant"]
        named = [name for name in constant if outcome_likely(name)]
        if constant and constant[-1] == self.columns[-1].name and first is not None and not outcome_likely(first):
            named.append(constant[-1])
        if not named or first is None or now != first:
            return ""
        return (
            f"{verbatim(named[-1])} has the same value in every row, so PrivBO chose {verbatim(first)} as the outcome."
        )

    @property
    def numeric(self) -> list[str]:
        """The names of the columns of numbers."""
        return [column.name for column in self.columns if column.kind == "number"]


def _limits(column: ColumnSettings) -> tuple[object, ...]:
    return column.kind, column.low, column.high, column.hide


def own_table() -> OwnTable | None:
    """Return the visitor's own table, or None if there is none in this session. A demonstration never has one."""
    found = st.session_state.get(OWN_TABLE)
    return found if isinstance(found, OwnTable) and not demo.is_demo() else None


def keep_own_table(table: OwnTable) -> None:
    """Make this the visitor's own table on all pages."""
    st.session_state[OWN_TABLE] = table


def prepare_own_table(own: OwnTable, show: Callable[[str], object]) -> Simulation:
    """Return the simulation on the problem that the table's present settings make, and keep it for all pages.

    The fit can be interrupted, and ``show`` gets a sentence about its progress. Raises DataError if the settings make
    no problem.
    """
    if own.simulation is not None and own.up_to_date:
        return own.simulation
    with waiting(interrupt):
        made = _prepared(own, show)
    assert made.simulation is not None
    now = own_table()
    # Another run of this visitor's page may have changed the settings or the table since.
    if now is not None and (now.identity, now.settings) == (own.identity, own.settings):
        keep_own_table(made)
    return made.simulation


def _prepared(own: OwnTable, show: Callable[[str], object]) -> OwnTable:
    """Return the table with the simulation that its settings make. Limits alone need no other fit."""
    settings = own.settings
    if settings is None:
        raise DataError("The table has no column settings yet. Choose them on Data.")
    cleaned = settings.clean(own.table)
    frame = settings.frame(cleaned)
    reading = (own.identity, settings.reading)
    if own.simulation is not None and own.fitted is not None and own.fitted[0] == reading:
        simulation = Simulation(replace(own.simulation.problem, known_frame=frame))
        return replace(own, simulation=simulation, prepared=settings)
    for step in fitting(cleaned):
        interrupt()
        show(f"PrivBO learns how fast the outcome changes along each input (start {step.done} of {STARTS}).")
    problem = finish(cleaned, step.best, title=own.name, frame=frame)
    return replace(own, simulation=Simulation(problem), prepared=settings, fitted=(reading, step.best))


def forget_own_table() -> None:
    """Remove all that this session holds of the visitor's table, and show samples again. To be used in a callback."""
    forget()
    for key in ("data", "task", "agents"):
        st.session_state.pop(key, None)
        st.query_params.pop(key, None)


def forget_about(begin: str) -> None:
    """Remove what this session holds of the table under names that begin so."""
    drop(f"{OWN_DATA}{begin}")


def made_key(name: str) -> str:
    """Return the key of something that was made of the visitor's table. It ends with this reading of the table."""
    return f"{OWN_DATA}made/{name}"


def choice_key(name: str) -> str:
    """Return the key of a widget about the visitor's table. What it holds ends with this table."""
    return f"{OWN_DATA}chosen/{name}"


def offered(key: str, titles: Mapping[Choice, str], own: Collection[Choice]) -> dict[Choice, str]:
    """Return the choices that a page offers. A demonstration leaves out ``own``, the visitor's own tables.

    A choice that a link asks for stays, so that the page can state that the table isn't here.
    """
    asked = (st.query_params.get(key), st.session_state.get(key))
    hidden = {choice for choice in own if choice not in asked} if demo.is_demo() else set()
    return {choice: title for choice, title in titles.items() if choice not in hidden}


def ask_for_table(key: str, choice: str, needs: str) -> None:
    """Ask for the table that a choice of this view needs, and show the way to the page where it is brought.

    Where a link or a reload brought the choice, a banner states that the table isn't here. It stays until it is.
    """
    if st.session_state.get(FIRST_RUN):
        st.session_state[f"ui/table missing/{key}"] = st.query_params.get(key) == choice
    if demo.is_demo() or st.session_state.get(f"ui/table missing/{key}"):
        say_not_here(needs)
    else:
        st.info(to_markdown(f"Bring your table first. {needs}".strip()), icon=":material/table:")
        show_way_to_data()


def say_not_here(needs: str = "") -> None:
    """State that the table of this view isn't here, and show the way to the page where it is brought.

    In a demonstration there is no such way, and the page ends here.
    """
    if demo.is_demo():
        st.warning(demo.NO_OWN_TABLE, icon=":material/table:")
        st.stop()
    st.warning(to_markdown(f"{NOT_HERE} {needs}".strip()), icon=":material/table:")
    show_way_to_data()


def show_way_to_data() -> None:
    """Show the link to the page where a table is brought and prepared."""
    st.page_link("pages/data.py", label="Bring your table on Data", icon=":material/arrow_forward:")
