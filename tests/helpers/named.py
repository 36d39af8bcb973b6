"""Files that are as they should be, but for what things are called in them."""

from dataclasses import replace

from privbo_core.decision import Decision, Person, order_bytes
from privbo_core.outsourced import Curator, MemoryStore, Modeler, Outcome
from tests.helpers.bench import FRAME, csv, small


class Named:
    """A file of each kind; ``said`` makes a name of each word."""

    def __init__(self, said, unit="<b>"):
        self.frame = replace(
            FRAME,
            columns=tuple(replace(c, name=said(c.name), unit=unit, known_from=said("law")) for c in FRAME.columns),
        )
        outcome = Outcome(said("response"), unit)
        table = small().rename(columns=said).assign(**{said("place"): said("ward")})
        self.table = csv(table)
        curator = Curator(table, MemoryStore())
        self.release = curator.release_whole(self.frame, 20.0, 1e-5, outcome=outcome).to_bytes()
        search = Modeler.open(self.release)
        for row, value in ((1, 2.0), (2, 1.0), (3, 3.0)):
            search.tell(row, value)
        search.ask(2)
        self.search, self.ledger = search.to_bytes(), curator.ledger.to_bytes()
        people = (Person(said("A")[:80], said("head")[:80]),)
        decided = (self.frame, outcome, 3.0, 1e-5, 20, people, "2026-03-31", said("ward")[:120], said(""))
        self.order = order_bytes(Decision(*decided))
