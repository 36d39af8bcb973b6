"""What a session keeps of the holder's dealings with one table: the ledger first of all.

It is gone with the session.
"""

import math
from contextlib import suppress
from dataclasses import dataclass, field, replace

import pandas as pd
import streamlit as st

from pages.parts.shell.depth import simple
from pages.parts.shell.session import at_stake, own_file, read_once
from pages.parts.table.own_table import own_table
from pages.parts.views.drawing import heading, note, show
from pages.parts.workbench.holder import words
from pages.parts.workbench.holder.table import Held
from pages.parts.workbench.seats import forget_fault, keep_fault, mine, say_kept
from privbo_core.data.marks import PLAIN
from privbo_core.errors import DataError
from privbo_core.outsourced.parties.curator import Answer, Curator, Lookup
from privbo_core.outsourced.parties.ledger import Ledger, Released
from privbo_core.outsourced.parties.package import Package
from privbo_core.outsourced.parties.stores import MemoryStore
from privbo_core.outsourced.parties.terms import Outcome


@dataclass
class HolderState:
    """The ledger's store, the last release made here, the rows that are asked and wait for their outcomes.

    ``answers``: those given here, by row. ``picked``: the release that rows are asked of. ``beyond``: rows answered
    here whose outcomes lie beyond the range's better end. ``times`` counts what has changed, so that a form is a new
    one afterwards. ``saved``: the ledger as it was last downloaded or brought back.
    """

    store: MemoryStore
    curator: Curator
    cells: pd.DataFrame
    package: Package | None = None
    zipped: bytes = b""
    waiting: tuple[int, ...] = ()
    answers: dict[int, Answer] = field(default_factory=dict)
    beyond: set[int] = field(default_factory=set)
    picked: int = 0
    times: int = 0
    saved: bytes = b""
    _read: tuple[bytes, Ledger] = (b"", Ledger())

    @property
    def ledger(self) -> Ledger:
        """The ledger as it stands; it is read anew only when it has changed."""
        if self._read[0] is not self.store.data:
            self._read = self.store.data, self.store.read()
        return self._read[1]

    @property
    def of(self) -> int:
        """The release that rows are asked of: the one that was picked, else the last that was handed out."""
        numbers = [each.release for each in self.ledger.finished]
        return self.picked if self.picked in numbers else max(numbers, default=0)

    @property
    def release(self) -> Released:
        return self.ledger.released(self.of)

    @property
    def given(self) -> dict[int, float]:
        booked = {each.row: each.value for each in self.ledger.current.values() if each.release == self.of}
        return {**booked, **{row: answer.value for row, answer in self.answers.items()}}

    @property
    def outcome(self) -> Outcome:
        assert self.ledger.outcome is not None
        return self.ledger.outcome

    def hand_out(self, package: Package) -> None:
        """Rows are of it from now on: those of an earlier release are other records."""
        self.package, self.zipped = package, package.to_bytes()
        self._begin(0)

    def _begin(self, picked: int) -> None:
        self.waiting, self.answers, self.beyond, self.picked = (), {}, set(), picked

    def note_down(self, answer: Answer, outcome: float | None = None) -> None:
        """An answer that is repeated was clipped if it was at first."""
        before = self.answers.get(answer.row)
        clipped = before.clipped if before and answer.repeated else answer.clipped
        self.answers[answer.row] = replace(answer, clipped=clipped)
        private, wanted = self.ledger.private, self.outcome
        if private is None or not answer.clipped:
            return
        if outcome is None:  # it is the one in the table
            outcome = (wanted.marks or PLAIN).amount(self.find(answer.row).cells.get(wanted.name, math.nan))
        if outcome > private.high if wanted.larger_is_better else outcome < private.low:
            self.beyond.add(answer.row)

    def pick(self, release: int) -> None:
        if release != self.of:
            self._begin(release)
            self.changed()

    def find(self, row: int) -> Lookup:
        return self.curator.find(row, release=self.of)

    def save(self) -> None:
        self.saved = self.store.data

    @property
    def released(self) -> bool:
        return bool(self.ledger.finished)

    def changed(self) -> None:
        self.times += 1

    def bring(self, held: Held, content: bytes) -> "HolderState":
        """Raises DataError, a sentence, for a ledger that is none or of another table."""
        store = MemoryStore(content)
        curator = Curator(cells := _cells(held, store), store)
        if not curator.ledger.releases:
            raise DataError("The ledger has no releases yet; there is nothing to go on with.")
        self.store, self.curator, self.cells = store, curator, cells
        self.package, self.zipped = None, b""
        self._begin(0)
        self.save()
        self.changed()
        return self


def kept_for(held: Held) -> HolderState:
    """Return what this session keeps for a table; brought again, with outcomes filled in, it has the ledger it had."""
    known = _all()
    if held.identity not in known:
        before = _before() if held.own else None
        store = before.store if before else MemoryStore()
        made = Curator(cells := _cells(held, store), store)
        known[held.identity] = replace(before or HolderState(store, made, cells), curator=made, cells=cells)
    kept = known[held.identity]
    if (cells := _cells(held, kept.store)) is not kept.cells:  # before a release, another way of reading was said
        kept.curator, kept.cells = Curator(cells, kept.store), cells
    return kept


def _cells(held: Held, store: MemoryStore) -> pd.DataFrame:
    """Return a table's cells as its lines were read when it was released first."""
    released = store.read().releases if held.own else ()
    file = released[0].frame.file if released else None
    return held.cells if file in (None, held.frame.file) else own_table().cells(file)


def outcome_said(identity: str) -> Outcome | None:
    """Return what is looked for in a table of one's own, if a release was handed out that has fixed it."""
    kept = _all().get(identity) or _before()
    return kept.outcome if kept and kept.released else None


def _all() -> dict[str, HolderState]:
    known: dict[str, HolderState] = st.session_state.setdefault(mine("held"), {})
    return known


def _before() -> HolderState | None:
    """Return what is kept of the very table that is in use, if something was released of it."""
    for kept in _all().values():
        with suppress(DataError):
            file = kept.ledger.releases[0].frame.file if kept.ledger.releases else None
            if file is not None and Curator(own_table().cells(file), kept.store).ledger:
                return kept
    return None


@at_stake
def _unsaved() -> str:
    lost = any(kept.ledger.releases and kept.saved != kept.store.data for kept in _all().values())
    return "a ledger that you have not downloaded since it changed" if lost else ""


def show_ledger(held: Held, kept: HolderState) -> None:
    heading("Ledger")
    ledger = kept.ledger
    if ledger.releases:
        saved = words.SAVED if kept.saved == kept.store.data else words.UNSAVED if kept.saved else words.LOST
        note(saved, status=True)
        if not simple():
            show(words.releases_table(ledger))
    file = own_file("Bring back your ledger", ["json"], "ledger file", max_upload_size=50, on_change=forget_fault)
    brought, fault = read_once(file, mine("ledger read"), lambda file: kept.bring(held, file.getvalue()))
    if fault:
        keep_fault("ledger", fault)
    if brought:
        st.rerun()
    say_kept("ledger")
