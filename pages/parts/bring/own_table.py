"""A table of the visitor's own, in their session: the one value that every page reads and writes about it."""

from dataclasses import dataclass, field, replace

import pandas as pd
import streamlit as st

from pages.parts.frame.session import OWN, at_stake, attended
from pages.parts.take_away.recipe import Recipe
from privbo_core.data import (
    Cleaned,
    Column,
    FileMarks,
    Frame,
    FrameColumn,
    Problem,
    Proposal,
    describe,
    frame_from,
    load_cells,
    propose,
    with_marks,
)
from privbo_core.data.columns import decimal_mark
from privbo_core.gp import Fit
from privbo_core.outsourced import Simulation

OWN_TABLE = f"{OWN}table"
Choice = tuple[tuple[str, ...], str]
"""Inputs and the output: what length-scales are learned of."""


@dataclass(eq=False)
class OwnTable:
    """A file as it was read, what was said of it, and what was made of it: another table is another value.

    ``table``: None where nothing was brought. ``content``: the bytes in the file, ``upload`` tells when it came.
    ``missing``: which numbers were said to mean that there is no value, by column.

    Said: the frame's ``columns``, each by its name, so that another choice of columns does not lose it; how the table is
    ``written``; which ``outcomes`` are looked for, highest or lowest, and on which visit to a page one was ``chosen``.

    Made: the ``simulation`` of the problem that Data prepared, and by which ``recipe``; what was ``learned`` of the
    length-scales after each start, and where somebody ``stopped`` that.
    """

    table: pd.DataFrame | None = None
    name: str = ""
    content: bytes = b""
    upload: str = ""
    missing: dict[str, list[float]] = field(default_factory=dict)
    columns: dict[str, FrameColumn] = field(default_factory=dict)
    written: tuple[FileMarks | None, str] = (None, "")
    outcomes: set[tuple[str, str]] = field(default_factory=set)
    chosen: object = None
    simulation: Simulation | None = None
    recipe: Recipe | None = None
    learned: dict[Choice, list[Fit]] = field(default_factory=dict)
    stopped: tuple[Choice, int] | None = None
    _kinds: tuple[Column, ...] | None = None
    _proposals: dict[str | None, Proposal] = field(default_factory=dict)
    _cells: dict[FileMarks, pd.DataFrame] = field(default_factory=dict)

    @property
    def identity(self) -> str:
        """What tells the table from others that were brought under the same name; nothing if there is none."""
        return f"{self.upload}{self.missing or ''}"

    @property
    def decimal(self) -> str:
        """The table's decimal mark, a point if there is none."""
        return "." if self.table is None else decimal_mark(self.table)

    @property
    def kinds(self) -> tuple[Column, ...]:
        """What each column holds."""
        if self._kinds is None:
            assert self.table is not None
            with attended():
                self._kinds = describe(self.table)
        return self._kinds

    def proposed(self, outcome: str | None = None) -> Proposal:
        """Return the first choices for the table; with ``outcome``, those that go with it."""
        if outcome not in self._proposals:
            assert self.table is not None
            with attended():
                self._proposals[outcome] = propose(self.table, outcome)
        return self._proposals[outcome]

    def cells(self, file: FileMarks) -> pd.DataFrame:
        """Return the table with its cells as they stand in its file, whose lines are read by these marks.

        Raises DataError, a sentence, for lines that do not go with them.
        """
        if file not in self._cells:
            while len(self._cells) > 1:  # that of a ledger, and that of the frame as it is now
                del self._cells[next(iter(self._cells))]
            with attended():
                self._cells[file] = load_cells(self.content, file)
        return self._cells[file]

    def say(self, frame: Frame) -> None:
        """Remember what was said of each column, and of how the table is written."""
        self.columns |= {column.name: column for column in frame.columns}
        self.written = frame.file, frame.written_from

    def read_anew(self, table: pd.DataFrame, missing: dict[str, list[float]]) -> "OwnTable":
        """Return the table read with other numbers for no value: what was said stays as far as it fits."""
        columns = {}
        for name, column in self.columns.items():
            if missing.get(name) == self.missing.get(name):
                columns[name] = column
            elif not {column.low, column.high} & set(missing.get(name) or ()):
                columns[name] = replace(column, marks=None)
        return OwnTable(
            table, self.name, self.content, self.upload, missing, columns, self.written, self.outcomes, self.chosen
        )

    def as_written(self, frame: Frame) -> Frame:
        """Return a frame of the table with how that seems to be written, where it does not say so."""
        return frame if self.table is None else with_marks(frame, self.table)

    def as_said(self, read: Frame) -> Frame:
        """Return the frame of the table's columns as far as it was said, the others as they were ``read`` off."""
        columns = tuple(self.columns.get(column.name, column) for column in read.columns)
        return self.as_written(Frame(columns, *self.written))

    def known_frame(self, cleaned: Cleaned) -> Frame | None:
        """Return the frame of these columns as far as it was said, the others as read off; None if nothing was."""
        if not any(name in self.columns for name in cleaned.names):
            return None
        return self.as_said(frame_from(cleaned.inputs, cleaned.names))

    def keep(self, problem: Problem, recipe: Recipe) -> None:
        """Keep a problem that was made of the table."""
        self.simulation, self.recipe = Simulation(problem), recipe

    def keep_frame(self, frame: Frame) -> None:
        """Put the problem that was made of the table into a frame, and remember what was said of each column."""
        assert self.simulation is not None
        frame = self.as_written(frame)
        self.simulation = Simulation(replace(self.simulation.problem, known_frame=frame))
        self.say(frame)


def own_table() -> OwnTable:
    """Return the session's own table; one that holds nothing where none was brought."""
    return st.session_state.get(OWN_TABLE) or OwnTable()


@at_stake
def _frame_given() -> str:
    return "the frame that you gave it" if own_table().columns else ""
