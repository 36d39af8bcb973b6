"""Read the public registry of deployments of differential privacy from sample_data/deployments.csv."""

import csv
import io
import re
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Literal

from privbo_core.about import SAMPLE_DATA

UnitKind = Literal["person", "part", "event", "unknown"]
"""A whole person, a part of a person's activity such as a day, one event or record, or a unit that is not stated."""


@dataclass(frozen=True)
class Registered:
    """A record of the registry, unchanged. Missing numbers are None, and missing texts are empty."""

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
    def kind(self) -> UnitKind:
        """Classify the unit of privacy by its wording."""
        if not self.unit:
            return "unknown"
        if re.search("day|month|trip|device", self.unit, re.IGNORECASE):
            return "part"
        return "person" if re.match("user|person|individual", self.unit, re.IGNORECASE) else "event"


@dataclass(frozen=True)
class Registry:
    """All records of the registry, and a line that states their source and date."""

    source: str
    records: tuple[Registered, ...]

    @property
    def with_epsilon(self) -> tuple[tuple[float, Registered], ...]:
        """Return the records that state an ε, each with its ε, in ascending order."""
        stated = [(each.epsilon, each) for each in self.records if each.epsilon is not None]
        return tuple(sorted(stated, key=lambda pair: pair[0]))

    @property
    def approved(self) -> int:
        """Count the records that the registry's board has approved."""
        return sum(each.status.startswith("Approved") for each in self.records)


@cache
def registry() -> Registry:
    """Return the copy of the registry that PrivBO contains."""
    first, _, rows = (SAMPLE_DATA / "deployments.csv").read_text(encoding="utf-8").partition("\n")
    records = []
    for row in csv.DictReader(io.StringIO(rows)):
        known: dict[str, Any] = {field.name: row[field.name] for field in fields(Registered)}
        losses = {name: float(row[name]) if row[name] else None for name in ("epsilon", "delta")}
        records.append(Registered(**known | losses | {"year": int(row["year"])}))
    return Registry(first.removeprefix("# "), tuple(records))
