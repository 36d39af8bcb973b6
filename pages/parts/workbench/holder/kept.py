"""What a session keeps of the holder's dealings with one table: the ledger first of all. It is gone with the session."""

from dataclasses import dataclass, field

import streamlit as st

from pages.parts.workbench.holder.table import Held
from pages.parts.workbench.seats import mine
from privbo_core.outsourced import Answer, Curator, Ledger, MemoryStore, Package


@dataclass
class Kept:
    """The ledger's store, the last release, the rows that were asked, the answers that can be downloaded by their rows.

    ``times`` counts what has changed, so that a form is a new one afterwards.
    """

    store: MemoryStore
    curator: Curator
    package: Package | None = None
    zipped: bytes = b""
    asked: tuple[int, ...] = ()
    answers: dict[int, Answer] = field(default_factory=dict)
    said: str = ""
    times: int = 0

    @property
    def ledger(self) -> Ledger:
        """The ledger as it stands."""
        return self.store.read()

    @property
    def released(self) -> bool:
        """Whether the table was released, or a release begun."""
        return bool(self.ledger.releases)

    def changed(self, said: str = "") -> None:
        """Note that something happened, and what is to be said of it once."""
        self.times += 1
        self.said = said

    def bring(self, held: Held, content: bytes) -> None:
        """Take a ledger that its holder kept. Raises DataError, a sentence, for one that is none or of another table."""
        store = MemoryStore(content)
        curator = Curator(held.table, store)
        curator.check()
        self.store, self.curator = store, curator
        self.package, self.zipped, self.asked, self.answers = None, b"", (), {}
        self.changed()


def kept_for(held: Held) -> Kept:
    """Return what this session keeps for a table."""
    known: dict[str, Kept] = st.session_state.setdefault(mine("held"), {})
    if held.identity not in known:
        store = MemoryStore()
        known[held.identity] = Kept(store, Curator(held.table, store))
    return known[held.identity]
