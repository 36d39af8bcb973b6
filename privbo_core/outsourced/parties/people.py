"""Who is in a table: a record is known by all its cells but the outcome, in a digest that its ledger alone can make."""

import hmac
import json
import math
import re
import secrets
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
import pandas as pd
from msgspec import Meta
from numpy.typing import NDArray

from privbo_core.data.columns import MISSING_WORDS
from privbo_core.data.table import MAX_ROWS
from privbo_core.errors import DataError
from privbo_core.records import Text, decoded

_WHOLE = 1e15  # Whole numbers below this have all their digits.
_NUMBER = re.compile(r"[+-]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
"""A number as programs write it; 007 is a name."""


@dataclass(frozen=True, eq=False)
class People:
    """The records of a table, in the order of its lines, as a ledger knows them.

    ``secret``: the key of the digests. ``columns``: those by which a record is known, in order. ``digests``: of each
    record; of those that have the same, nothing in these columns tells one from the other.
    """

    secret: str = ""
    columns: tuple[str, ...] = ()
    digests: NDArray[np.bytes_] = field(default_factory=lambda: np.empty(0, dtype="S32"))

    def __len__(self) -> int:
        return len(self.digests)

    @classmethod
    def of(cls, table: pd.DataFrame, outcome: str, secret: str = "") -> "People":
        """Return who is in a table: known by all its columns but the outcome. The secret is a new one if left out."""
        columns = sorted(name for name in map(str, table.columns) if name != outcome)
        return cls(secret or secrets.token_hex(32), tuple(columns)).in_table(table)

    def in_table(self, table: pd.DataFrame) -> "People":
        """Return who is in a table, by the same columns and secret; DataError without those. 5 s for 1 000 000×6."""
        columns = (table.iloc[:, place].astype(object).tolist() for place in self.places(table))
        cells = zip(*(map(_text, column) for column in columns), strict=True)
        key = bytes.fromhex(self.secret)
        digests = [hmac.digest(key, json.dumps(record).encode(), "sha256").hex()[:32] for record in cells]
        return People(self.secret, self.columns, np.array(digests, dtype="S32"))

    def places(self, table: pd.DataFrame) -> list[int]:
        """Return where in a table these columns are."""
        names = [str(name) for name in table.columns]
        for name in self.columns:
            if names.count(name) != self.columns.count(name):
                raise DataError(
                    f"The table has {'more than one' if name in names else 'no'} column {name!r}, and by it, too, the "
                    "ledger knows who is who; use the table that was released, or another ledger."
                )
        known = set(self.columns)
        return sorted((place for place, name in enumerate(names) if name in known), key=lambda place: names[place])

    def lines(self, table: "People") -> NDArray[np.int64] | None:
        """Return for each of these records its line in a table; None if others are there.

        Records that nothing tells apart stay among each other in the order that they have.
        """
        mine, theirs = (np.argsort(each.digests, kind="stable") for each in (self, table))
        if not np.array_equal(self.digests[mine], table.digests[theirs]):
            return None
        found = np.empty(len(self), dtype=np.int64)
        found[mine] = theirs
        return found

    def strangers(self, table: "People") -> list[int]:
        """Return the lines of a table, from 0, with records that are none of these, or that are there too often."""
        left = Counter(self.digests.tolist())
        found = []
        for line, digest in enumerate(table.digests.tolist()):
            left[digest] -= 1
            if left[digest] < 0:
                found.append(line)
        return found

    def alike(self, record: int) -> tuple[int, ...]:
        """Return the records that nothing tells from this one, itself among them."""
        return tuple(np.flatnonzero(self.digests == self.digests[record]).tolist())

    def doubles(self, records: NDArray[np.int64]) -> int:
        """Return how many of these records nothing tells from another one."""
        _, which, count = np.unique(self.digests, return_inverse=True, return_counts=True)
        return int((count[which][records] > 1).sum())

    def second(self, answered: Iterable[int], asked: Iterable[int]) -> set[int]:
        """Return which of the records asked for would be answered a second time, as far as anything tells them apart.

        ``answered``: those answered before, who may be asked for again. The first of several asked for is none of them.
        """
        before = set(answered)
        known = {self.digests[record] for record in before}
        found = set()
        for record in asked:
            if record not in before and self.digests[record] in known:
                found.add(record)
            known.add(self.digests[record])
        return found

    def as_json(self) -> dict[str, Any]:
        """Return them as an object that JSON can hold."""
        digests = " ".join(digest.decode() for digest in self.digests.tolist())
        return {"secret": self.secret, "columns": list(self.columns), "digests": digests}

    @classmethod
    def from_json(cls, found: object) -> "People":
        """Return what `as_json` made such an object of; raise DataError for any other."""
        said = decoded("The people of the ledger", found, _Record)
        if not said.columns or list(said.columns) != sorted(said.columns):
            raise DataError("The columns of the ledger must be one or more, in order.")
        if len(said.digests) > 33 * MAX_ROWS:
            raise DataError(f"The digests of the ledger are more than {MAX_ROWS:,}.")
        return cls(said.secret, said.columns, np.array(said.digests.split(), dtype="S32"))


@dataclass(frozen=True)
class _Record:
    secret: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z", description="64 digits from 0 to f")]
    columns: tuple[Text, ...]
    digests: Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}(?: [0-9a-f]{32})*\Z", description="digests of 32 digits")]


NOBODY = People()


def _text(cell: object) -> str:
    """Return a cell as a text, the same however it is written (34, 34.0): 15 digits; empty if it is missing."""
    if isinstance(cell, str):
        text = cell.strip()
        if _NUMBER.fullmatch(text) and math.isfinite(value := float(text)):
            return _digits(value)
        return "" if text.lower() in MISSING_WORDS else text
    if isinstance(cell, float | np.floating):
        return "" if cell != cell else _digits(float(cell))
    return "" if cell is None or cell is pd.NA or cell is pd.NaT else str(cell).strip()


def _digits(value: float) -> str:
    return str(int(value)) if abs(value) < _WHOLE and value.is_integer() else f"{value:.15g}"
