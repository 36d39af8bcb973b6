"""What the five documents hold: every table and figure, how each is cited, and where this project deviates."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from privbo_core.about import VERSION
from privbo_core.experiments.model import Claim, Experiment
from privbo_core.experiments.papers import EXPERIMENTS, load
from privbo_core.experiments.report import Judged, Report, judge_difference
from privbo_core.outsourced import omega


@dataclass(frozen=True)
class Item:
    """A table or figure of a document: ``experiments`` that reproduce it, by name, or the reason why none does."""

    document: str
    item: str
    shows: str
    experiments: tuple[str, ...] = ()
    left_out: str = ""

    def __post_init__(self) -> None:
        if bool(self.experiments) == bool(self.left_out):
            raise ValueError(f"{self.item}: name experiments or a reason, not both.")


FILE = load("contents")
CONTENTS = tuple(
    Item(document["name"], **each | {"experiments": tuple(each.get("experiments", ()))})
    for document in FILE["documents"]
    for each in document["items"]
)
"""All of them, in the documents' order."""
OUTSOURCED, RELEASE, WORKSHOP, FEDERATED = dict.fromkeys(each.document for each in CONTENTS)

System = Literal["outsourced", "release", "federated"]


@dataclass(frozen=True)
class Deviation:
    """Where this project does not do what a paper does, or does what it leaves open.

    ``subject`` in a few words; ``paper`` and ``here``: what each has; ``why``; ``where`` in the code. ``own_choice``:
    an expression that makes the paper's own choice, evaluated with `privbo_core` as ``pb``; empty where the paper does
    not say which it is, or where it is not built.
    """

    system: System
    subject: str
    paper: str
    here: str
    why: str
    where: str
    own_choice: str = ""


DEVIATIONS = tuple(Deviation(**each) for each in load("deviations")["deviations"])


def deviations(system: System) -> tuple[Deviation, ...]:
    return tuple(each for each in DEVIATIONS if each.system == system)


TABLES = {"loans": (4, 5, 6), "homes": (7, 8, 9)}  # The tables that share their data sets.


def edge_of(table: Experiment) -> int:
    """Return the largest of a table's r that meets the condition in the paper."""
    return int(next(number.printed for number in table.numbers if number.arm == "condition"))


def sizes_of(table: Experiment) -> tuple[int, ...]:
    """Return the r that a table is run at, in order."""
    return tuple(map(int, str(table.arm("condition").settings["offered"]).split()))


@dataclass(frozen=True)
class Need:
    """At the ``epsilon`` and ``delta`` of ``table``, the condition holds up to r = ``edge`` and fails at ``beyond``."""

    table: int
    epsilon: float
    delta: float
    edge: int
    beyond: int

    @property
    def least(self) -> float:
        """ω(ε, δ, edge): with a smaller σ_min the condition fails at the r that the paper calls best."""
        return omega(self.epsilon, self.delta, self.edge)

    @property
    def most(self) -> float:
        """ω(ε, δ, beyond): with this σ_min or more it holds at the next r, too."""
        return omega(self.epsilon, self.delta, self.beyond)

    def met(self, sigma_min: float) -> bool:
        """Return whether a dataset with this σ_min meets the condition up to the table's r, and no further."""
        return self.least <= sigma_min < self.most


def _need(number: int) -> Need:
    table = EXPERIMENTS[f"table-{number}"]
    settings, edge = table.arm("condition").settings, edge_of(table)
    beyond = min(r for r in sizes_of(table) if r > edge)
    return Need(number, float(settings["epsilon"]), float(settings["delta"]), edge, beyond)


NEEDS = tuple(map(_need, range(1, 10)))  # Of each table, in order.


@dataclass(frozen=True)
class Trend:
    """One trend: on which ``data``, in words, and what came out over ``sets`` data sets."""

    data: str
    judged: Judged
    sets: int


def trends(reports: Mapping[str, Report]) -> tuple[Trend, ...]:
    """Return, for loans and homes, what a small r costs and what a failed condition costs; what has no results is out.

    A data set's difference is the mean over its tables and their r, each less the table's best r, of regrets in σ_y.
    """
    found = []
    for data, numbers in TABLES.items():
        mine = [reports[f"table-{number}-made-up"] for number in numbers]
        for text, sign in (("a small r costs", -1), ("a failed condition costs", 1)):
            differences = [
                report.values[arm]["last"] - report.values[best]["last"]
                for report in mine
                for edge in [edge_of(report.experiment)]
                for arm, best in (
                    (f"r = {r}", f"r = {edge}") for r in sizes_of(report.experiment) if sign * r > sign * edge
                )
                if {arm, best} <= set(report.values)
            ]
            if differences:
                sets = min(map(len, differences))
                pooled = np.mean([each[:sets] for each in differences], axis=0)
                found.append(Trend(data, judge_difference(pooled, Claim(text, "below", ())), sets))
    return tuple(found)


@dataclass(frozen=True)
class Reference:
    """A work to cite. ``fields``: BibTeX's own, beside authors, title and year; what the papers' texts say."""

    key: str
    kind: str
    authors: tuple[tuple[str, str], ...]
    title: str
    year: int
    fields: Mapping[str, str]

    @property
    def short(self) -> str:
        """Authors and year: Dai, Low, Jaillet (2021)."""
        return f"{', '.join(family for _, family in self.authors)} ({self.year})"

    def bibtex(self) -> str:
        authors = " and ".join(f"{family}, {given}" if given else f"{{{family}}}" for given, family in self.authors)
        fields = {"author": authors, "title": f"{{{self.title}}}", **self.fields, "year": str(self.year)}
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


def _reference(said: Mapping[str, Any]) -> Reference:
    fields = {name: value.format(version=VERSION) for name, value in said["fields"].items()}
    return Reference(**{**said, "authors": tuple(map(tuple, said["authors"])), "fields": fields})


PAPERS: Mapping[str, Reference] = {each["name"]: _reference(each["cited"]) for each in FILE["documents"]}
"""The papers, by the document's name in `CONTENTS`."""
SOFTWARE = _reference(FILE["software"])


def bibtex() -> str:
    return "\n\n".join(each.bibtex() for each in (*PAPERS.values(), SOFTWARE)) + "\n"


def command(experiment: Experiment) -> str:
    return f"python -m privbo_core.experiments {experiment.name} --workers 2"


def source(experiment: Experiment) -> str:
    """Return where a table or figure is printed: the paper and the item's number there."""
    found = next(each for each in CONTENTS if experiment.name in each.experiments)
    item = "theorems" if found.item.startswith("no tables") else found.item
    return f"{PAPERS[found.document].short}, {item}"
