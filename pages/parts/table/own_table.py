"""A table of the visitor's own: the one value that every page reads, which problem is shown, and forgetting."""

from dataclasses import dataclass, field, replace

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.export.offer import Recipe
from pages.parts.shell.address import choose, page
from pages.parts.shell.session import OWN, attended, forget, what_stays
from pages.parts.views.drawing import note
from pages.parts.views.text import as_markdown
from pages.ui.data import drawn_simulation, sample_simulation
from pages.ui.own_table import Answers, keep_own_table
from pages.ui.own_table import OwnTable as SharedTable
from pages.ui.own_table import own_table as shared_table
from privbo_core import data
from privbo_core.data import (
    SAMPLES,
    Cleaned,
    Column,
    Frame,
    FrameColumn,
    Problem,
    Proposal,
    Question,
    ReadTable,
    sample,
)
from privbo_core.gp import Fit
from privbo_core.outsourced import Simulation

OWN_TABLE = f"{OWN}table/prepared"
Choice = tuple[tuple[str, ...], str]  # Inputs and the output: what length-scales are learned of.


@dataclass(eq=False)
class OwnTable:
    """A file as it was read, what was said of it, and what was made of it: another table is another value.

    ``table``: None where nothing was brought. ``content``: the bytes in the file, ``upload`` tells when it came.
    ``missing``: which numbers were said to mean that there is no value, by column. ``questions``: those still open.

    Said: the frame's ``columns``, each by its name, so that another choice of columns does not lose it; which
    ``outcomes`` are looked for, highest or lowest, and on which visit to a page one was ``chosen``.

    Made: the ``simulation`` of the problem that Data prepared, and by which ``recipe``; what was ``learned`` of the
    length-scales after each start, and where somebody ``stopped`` that. ``pending``: a frame is typed, but not in use.
    """

    table: pd.DataFrame | None = None
    name: str = ""
    content: bytes = b""
    upload: str = ""
    missing: dict[str, list[float]] = field(default_factory=dict)
    questions: tuple[Question, ...] = ()
    columns: dict[str, FrameColumn] = field(default_factory=dict)
    outcomes: set[tuple[str, str]] = field(default_factory=set)
    chosen: object = None
    simulation: Simulation | None = None
    recipe: Recipe | None = None
    learned: dict[Choice, list[Fit]] = field(default_factory=dict)
    stopped: tuple[Choice, int] | None = None
    pending: bool = False
    _kinds: tuple[Column, ...] | None = None
    _proposals: dict[str | None, Proposal] = field(default_factory=dict)

    @property
    def identity(self) -> str:
        """What tells the table from others that were brought under the same name; nothing if there is none."""
        return f"{self.upload}{self.missing or ''}"

    @property
    def decimal(self) -> str:
        return "." if self.table is None else str(self.table.attrs.get("decimal", "."))

    @property
    def kinds(self) -> tuple[Column, ...]:
        if self._kinds is None:
            assert self.table is not None
            with attended():
                self._kinds = data.describe(self.table)
        return self._kinds

    def proposed(self, outcome: str | None = None) -> Proposal:
        if outcome not in self._proposals:
            assert self.table is not None
            with attended():
                self._proposals[outcome] = data.propose(self.table, outcome)
        return self._proposals[outcome]

    def say(self, frame: Frame) -> None:
        self.columns |= {column.name: column for column in frame.columns}

    def read_anew(self, read: ReadTable, missing: dict[str, list[float]]) -> "OwnTable":
        """Return the table read with other numbers for no value: what was said stays as far as it fits."""
        columns = {}
        for name, column in self.columns.items():
            codes = missing.get(name)
            if codes == self.missing.get(name) or not {column.low, column.high} & set(codes or ()):
                columns[name] = column
        said = columns, self.outcomes, self.chosen
        return OwnTable(read.table, self.name, self.content, self.upload, missing, read.questions, *said)

    def as_said(self, read: Frame) -> Frame:
        """Return the frame of the table's columns as far as it was said, the others as they were ``read`` off."""
        columns = tuple(self.columns.get(column.name, column) for column in read.columns)
        return Frame(columns)

    def known_frame(self, cleaned: Cleaned) -> Frame | None:
        """Return the frame of these columns as far as it was said, the others as read off; None if nothing was."""
        if not any(name in self.columns for name in cleaned.names):
            return None
        return self.as_said(data.frame_from(cleaned.inputs, cleaned.names))

    def keep(self, problem: Problem, recipe: Recipe) -> None:
        self.simulation, self.recipe = Simulation(problem), recipe
        self.publish()

    def publish(self) -> None:
        """Make this the table that the pages in the new form read."""
        if self.table is None:
            return
        missing = {name: tuple(codes) for name, codes in self.missing.items()}
        answers = Answers(missing=missing)
        keep_own_table(SharedTable(self.table, self.name, self.content, self.upload, answers, (), self.simulation))

    def keep_frame(self, frame: Frame) -> None:
        assert self.simulation is not None
        self.pending = False
        self.simulation = Simulation(replace(self.simulation.problem, known_frame=frame))
        self.say(frame)
        self.publish()


def own_table() -> OwnTable:
    """Return the table that is being prepared, else what the pages in the new form read, else one without anything."""
    found = st.session_state.get(OWN_TABLE)
    if isinstance(found, OwnTable):
        return found
    now = shared_table()
    if now is None:
        return OwnTable()
    return OwnTable(now.table, now.name, now.content, now.upload, simulation=now.simulation)


OWN_CHOICE, _NEXT = "own", f"{OWN}show next"
public_simulation, several_functions = sample_simulation, drawn_simulation


def own_recipe() -> Recipe | None:
    return own_table().recipe


def show_own_next() -> None:
    st.session_state[_NEXT] = OWN_CHOICE


def show_sample_next() -> None:
    st.session_state[_NEXT] = next(iter(SAMPLES))


def forget_own() -> None:
    forget()
    show_sample_next()


def pick_problem(first: str = next(iter(SAMPLES))) -> Simulation:
    table = own_table()
    mine = table.simulation
    titles = {name: sample(name).title for name in SAMPLES}
    if mine:
        titles[OWN_CHOICE] = f"Your data: {mine.problem.title}"
    if _NEXT in st.session_state:
        st.session_state["data"] = st.session_state.pop(_NEXT)
    # A link brings a sample back, never anybody's own data.
    looks = {"default": first, "persist_state": "session"}
    name = choose(st.selectbox, "Data", titles, key="data", secret=[OWN_CHOICE], **looks)
    waits = ""
    if mine is None and table.table is not None:
        waits = f"Not shown here yet: your table {table.name}. Say on Data what is looked for in it."
    elif name == OWN_CHOICE and table.pending:
        waits = "The frame that you typed on Data is not in use yet: press “Use this frame” there."
    if waits and page() != "data":
        st.warning(as_markdown(waits))
        st.page_link("pages/data.py", label="Your table: Data", icon=":material/table:")
    return mine if name == OWN_CHOICE and mine else public_simulation(name)


def offer_clearing(said: DeltaGenerator | None = None) -> None:
    """``said``: where it is told what stays, if not below the button."""
    st.button("Clear my data", on_click=forget_own, icon=":material/delete:", key="clear")
    note(what_stays(), said)
