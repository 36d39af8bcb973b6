"""What the public registry of deployments says of the ε of others: sample_data/deployments.csv, read and checked."""

import csv
import io
import math
import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from privbo_core.about import SAMPLE_DATA
from privbo_core.errors import DataError

Kind = Literal["person", "part", "event", "unsaid"]
_RELEASES = ("One release", "Many releases", "")
_HEAD = ["name", "curator", "year", "variant", "unit", "epsilon", "delta", "rho", "model", "releases", "status", "tier"]


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
    return read_registry((SAMPLE_DATA / "deployments.csv").read_text(encoding="utf-8"))


def read_registry(text: str) -> Registry:
    """Return what a file like sample_data/deployments.csv says. Raises DataError, naming the line, for a wrong one."""
    first, _, rest = text.partition("\n")
    head, *rows = csv.reader(io.StringIO(rest))
    if not first.startswith("# ") or head != _HEAD:
        raise DataError(f"The registry's file begins with a line on its source, then {','.join(_HEAD)}.")
    records = tuple(_record(row, line) for line, row in enumerate(rows, start=3))
    if len({each.name for each in records}) < len(records):
        raise DataError("The registry's file has two records of one name.")
    return Registry(first.removeprefix("# "), records)


def _record(row: list[str], line: int) -> Registered:
    """Return one line as a record; ``line``: its number, to be named if it is wrong."""
    if len(row) != len(_HEAD):
        raise DataError(f"Line {line} of the registry's file has {len(row)} fields, not {len(_HEAD)}.")
    said = dict(zip(_HEAD, row, strict=True))
    if not said["name"] or not re.fullmatch(r"20\d\d", said["year"]) or said["releases"] not in _RELEASES:
        raise DataError(f"Line {line} of the registry's file lacks a name, a year, or how often was released.")
    return Registered(
        said["name"],
        said["curator"],
        int(said["year"]),
        said["variant"],
        said["unit"],
        _positive(said["epsilon"], line),
        _positive(said["delta"], line),
        said["model"],
        said["releases"],
        said["status"],
    )


def _positive(text: str, line: int) -> float | None:
    """Return a number above 0, or None for an empty field."""
    if not text:
        return None
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 < found < math.inf:
        raise DataError(f"Line {line} of the registry's file has {text!r} for a number above 0.")
    return found
