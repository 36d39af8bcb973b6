"""What a modeler has asked and been told, step by step, and the one file that carries it from day to day."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta

from privbo_core import files
from privbo_core.about import PROGRAM
from privbo_core.budget import look, reading
from privbo_core.errors import DataError
from privbo_core.records import Finite, Text, decoded

FORMAT, VERSION = "privbo search", 1
MOST = {"search.json": 50_000_000, "release.zip": 400_000_000}
"""The files in the ZIP, and how large each may be."""
MOST_BYTES = 450_000_000
ANEW = "bring the last file of the search that was saved whole; a release by itself is opened, not brought back"

Step = Literal["asked", "told", "corrected", "taken back", "skipped", "unskipped"]


@dataclass(frozen=True)
class Entry:
    """One step: which ``row`` was asked for, told, corrected … and its ``outcome`` if it was told or corrected."""

    step: Step
    row: int
    outcome: Finite | None = None


class Search:
    """All steps of a search among ``rows`` rows, numbered from 1. A step that cannot be made changes nothing.

    ``entries``: the steps in order. ``outcomes``: that of each row that was told, in the order told, as corrected
    since. ``requests``, ``skipped``: the rows that were ever asked for, and those that cannot be tested, in order. Each
    step raises DataError, one sentence, where it cannot be made.
    """

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.entries: list[Entry] = []
        self.outcomes: dict[int, float] = {}
        self.requests: dict[int, None] = {}
        self.skipped: dict[int, None] = {}

    @property
    def pending(self) -> tuple[int, ...]:
        """The rows that were asked for and are neither told nor skipped, in the order asked for."""
        return tuple(row for row in self.requests if row not in self.outcomes and row not in self.skipped)

    def ask(self, row: object) -> None:
        """Ask for a row that was not asked for, told or skipped before."""
        row = self.row(row)
        if row in self.requests or row in self.outcomes or row in self.skipped:
            raise DataError(f"Row {row:,} was asked for, told or skipped before; ask for each row once.")
        self.requests[row] = None
        self.entries.append(Entry("asked", row))

    def tell(self, row: object, outcome: object) -> None:
        """Take in the outcome of a row, asked for or not; told the same a second time, nothing changes."""
        row = self.row(row)
        value = files.number(f"outcome of row {row:,}", outcome)
        if row not in self.outcomes:
            self.outcomes[row] = value
            self.skipped.pop(row, None)
            self.entries.append(Entry("told", row, value))
        elif self.outcomes[row] != value:
            raise DataError(
                f"Row {row:,} was told before, as {self.outcomes[row]!r}; correct it if {value!r} is right."
            )

    def correct(self, row: object, outcome: object) -> None:
        """Put another outcome in the place of one that was told."""
        row = self._answered(row)
        value = files.number(f"outcome of row {row:,}", outcome)
        if self.outcomes[row] != value:
            self.outcomes[row] = value
            self.entries.append(Entry("corrected", row, value))

    def untell(self, row: object) -> None:
        """Take back what was told of a row; if it was asked for, the question is open again."""
        row = self._answered(row)
        del self.outcomes[row]
        self.entries.append(Entry("taken back", row))

    def skip(self, row: object) -> None:
        """Set a row aside that cannot be tested."""
        row = self.row(row)
        if row in self.outcomes:
            raise DataError(f"Row {row:,} was told, so it need not be skipped; take its outcome back first.")
        if row not in self.skipped:
            self.skipped[row] = None
            self.entries.append(Entry("skipped", row))

    def unskip(self, row: object) -> None:
        """Put a row that was skipped among the others again; if it was asked for, the question is open again."""
        row = self.row(row)
        if row not in self.skipped:
            raise DataError(f"Row {row:,} was not skipped.")
        del self.skipped[row]
        self.entries.append(Entry("unskipped", row))

    def row(self, row: object) -> int:
        """Return a row's number if there is such a row; raise DataError otherwise."""
        number = row.item() if isinstance(row, np.integer | np.floating) else row
        if isinstance(number, float) and number.is_integer():
            number = int(number)
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= self.rows:
            raise DataError(
                f"Row {files.short(number)} is not in this release; its rows are the whole numbers from 1 to "
                f"{self.rows:,}."
            )
        return number

    def to_bytes(self, package: bytes) -> bytes:
        """Return the file of this search in the release of which ``package`` is the ZIP: both in one ZIP."""
        entries = [{part: each for part, each in vars(entry).items() if each is not None} for entry in self.entries]
        about = {
            "format": FORMAT,
            "version": VERSION,
            "program": PROGRAM,
            "release": files.digest(package),
            "rows": self.rows,
            "entries": entries,
        }
        return files.zipped({"search.json": files.json_bytes(about), "release.zip": package})

    @classmethod
    def from_bytes(cls, data: bytes) -> tuple["Search", bytes]:
        """Return the search in a file that `to_bytes` made, each step made again, and its release's ZIP."""
        with reading("The search", len(data)):
            parts = files.unzipped(data, "The search", MOST, ANEW)
            found = files.parse_json(files.utf8(parts["search.json"], "search.json", ANEW), "search.json", ANEW)
            files.format_and_version("search.json", found, FORMAT, VERSION)
            said = decoded("search.json", found, _Record)
            del found  # as much as all that is made of it
            if said.release != files.digest(parts["release.zip"]):
                raise DataError(f"The search was not made with the release in its file (the digest differs); {ANEW}.")
            search = cls(said.rows)
            for place, entry in enumerate(said.entries, start=1):
                look()
                search._again(f"Entry {place:,} of the search", entry)
        return search, parts["release.zip"]

    def _again(self, what: str, entry: Entry) -> None:
        made: dict[Step, Callable[..., None]] = {
            "asked": self.ask,
            "told": self.tell,
            "corrected": self.correct,
            "taken back": self.untell,
            "skipped": self.skip,
            "unskipped": self.unskip,
        }
        outcome = () if entry.outcome is None else (entry.outcome,)
        if bool(outcome) != (entry.step in ("told", "corrected")):
            raise DataError(f"{what} is {entry.step!r} {'with' if outcome else 'without'} an outcome; {ANEW}.")
        try:
            made[entry.step](entry.row, *outcome)
        except DataError as fault:
            raise DataError(f"{what} cannot be: {str(fault).rstrip('.')}; {ANEW}.") from None

    def _answered(self, row: object) -> int:
        row = self.row(row)
        if row not in self.outcomes:
            raise DataError(f"Row {row:,} has not been told yet, so there is nothing to correct or to take back.")
        return row


@dataclass(frozen=True)
class _Record:
    format: str
    version: int
    program: Text
    release: str
    rows: Annotated[int, Meta(ge=1, le=10**9)]
    entries: list[Entry]
