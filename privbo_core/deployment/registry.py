"""What the public registry of deployments says of the ε of others: sample_data/deployments.csv."""

import csv
import io
import re
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Literal

from privbo_core.about import SAMPLE_DATA

Kind = Literal["person", "part", "event", "unsaid"]


@dataclass(frozen=True)
class Registered:
    """One record of the registry, word for word; a number that it leaves out is None, and a word is empty."""

    name: str
    curator: str
    year: int
    variant: str
    unit: str
    epsilon: float | None
    delta: float | None
    model: str
    releases: str
    status: str

    @property
    def kind(self) -> Kind:
        """What its unit protects: a person with all there is, what one did for a time, an event or one record."""
        if not self.unit:
            return "unsaid"
        if re.search("day|month|trip|device", self.unit, re.IGNORECASE):
            return "part"
        return "person" if re.match("user|person|individual", self.unit, re.IGNORECASE) else "event"


@dataclass(frozen=True)
class Registry:
    """All records, and the line that says from where they are, and of what day."""

    source: str
    records: tuple[Registered, ...]

    @property
    def with_epsilon(self) -> tuple[tuple[float, Registered], ...]:
        """Those that state an ε, from the least on, each with it."""
        stated = [(each.epsilon, each) for each in self.records if each.epsilon is not None]
        return tuple(sorted(stated, key=lambda pair: pair[0]))

    @property
    def approved(self) -> int:
        """How many of them the registry's board has approved."""
        return sum(each.status.startswith("Approved") for each in self.records)


@cache
def registry() -> Registry:
    """Return the registry's records as they come with PrivBO."""
    first, _, rows = (SAMPLE_DATA / "deployments.csv").read_text(encoding="utf-8").partition("\n")
    records = []
    for said in csv.DictReader(io.StringIO(rows)):
        known: dict[str, Any] = {field.name: said[field.name] for field in fields(Registered)}
        losses = {name: float(said[name]) if said[name] else None for name in ("epsilon", "delta")}
        records.append(Registered(**known | losses | {"year": int(said["year"])}))
    return Registry(first.removeprefix("# "), tuple(records))
