"""Every table and figure of the papers, how to cite them, and where this project deviates from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from privbo_core.about import VERSION
from privbo_core.experiments.catalogue import EXPERIMENTS, load
from privbo_core.experiments.model import Claim, Experiment
from privbo_core.experiments.report import Judged, Report, judge_difference, paired
from privbo_core.outsourced import omega


@dataclass(frozen=True)
class Item:
    """A table or figure of a document, with the names of the experiments that reproduce it or a reason for none."""

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
"""Every table and figure, in the order of the documents."""
OUTSOURCED, RELEASE, WORKSHOP, FEDERATED = dict.fromkeys(each.document for each in CONTENTS)

System = Literal["outsourced", "release", "federated"]


@dataclass(frozen=True)
class Deviation:
    """A point at which this project differs from a paper or fills a gap in it.

    ``paper`` and ``here`` describe the two choices, and ``where`` names the code. ``own_choice`` is an expression that
    makes the paper's choice, with `privbo_core` as ``pb``. It is empty if the paper does not name its choice or if the
    engine does not offer it.
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
    """Return the deviations that concern a system."""
    return tuple(each for each in DEVIATIONS if each.system == system)


TABLES = {"loans": (4, 5, 6), "homes": (7, 8, 9)}  # Tables by the data set that they share.


def edge_of(table: Experiment) -> int:
    """Return the largest r of a table that meets the condition in the paper."""
    return int(next(number.printed for number in table.numbers if number.arm == "condition"))


def sizes_of(table: Experiment) -> tuple[int, ...]:
    """Return the projection sizes r of a table, in order."""
    return tuple(map(int, str(table.arm("condition").settings["offered"]).split()))


@dataclass(frozen=True)
class Need:
    """The requirement of a table: at its ε and δ, the condition holds up to r = ``edge`` and fails at ``beyond``."""

    table: int
    epsilon: float
    delta: float
    edge: int
    beyond: int

    @property
    def least(self) -> float:
        """Return ω(ε, δ, edge). With a smaller σ_min, the condition fails at the r that the paper calls best."""
        return omega(self.epsilon, self.delta, self.edge)

    @property
    def most(self) -> float:
        """Return ω(ε, δ, beyond). With this σ_min or a larger one, the condition also holds at the next r."""
        return omega(self.epsilon, self.delta, self.beyond)

    def met(self, sigma_min: float) -> bool:
        """Return whether a dataset with this σ_min meets the condition up to the table's r, and no further."""
        return self.least <= sigma_min < self.most


def _need(number: int) -> Need:
    table = EXPERIMENTS[f"table-{number}"]
    settings, edge = table.arm("condition").settings, edge_of(table)
    beyond = min(r for r in sizes_of(table) if r > edge)
    return Need(number, float(settings["epsilon"]), float(settings["delta"]), edge, beyond)


NEEDS = tuple(_need(number) for number in range(1, 10))
"""The requirements of Tables 1 to 9, in order."""


@dataclass(frozen=True)
class Trend:
    """A trend over several tables, judged over ``sets`` drawn data sets of one kind."""

    data: str
    judged: Judged
    sets: int


def trends(reports: Mapping[str, Report]) -> tuple[Trend, ...]:
    """Judge, for made-up loans and homes, that a small r costs regret and that a failed condition costs regret.

    The difference on one data set is the regret (in σ_y) at the smaller or larger r minus that at the table's best r,
    averaged over these r and the tables. Trends without results are left out.
    """
    found = []
    for data, tables in TABLES.items():
        for text, sign in (("a small r costs", -1), ("a failed condition costs", 1)):
            differences = []
            for table in tables:
                report = reports[f"table-{table}-made-up"]
                edge = edge_of(report.experiment)
                for r in sizes_of(report.experiment):
                    difference = paired(report.values, f"r = {r}", f"r = {edge}", "last")
                    if sign * r > sign * edge and difference is not None:
                        differences.append(difference)
            if differences:
                sets = min(map(len, differences))
                pooled = np.mean([each[:sets] for each in differences], axis=0)
                found.append(Trend(data, judge_difference(pooled, Claim(text, "below", ())), sets))
    return tuple(found)


@dataclass(frozen=True)
class Reference:
    """A work to cite. ``fields`` are BibTeX fields besides authors, title and year, as the papers state them."""

    key: str
    kind: str
    authors: tuple[tuple[str, str], ...]
    title: str
    year: int
    fields: Mapping[str, str]

    @property
    def short(self) -> str:
        """Return the authors and the year, as in Dai, Low, Jaillet (2021)."""
        return f"{', '.join(family for _, family in self.authors)} ({self.year})"

    def bibtex(self) -> str:
        """Return the BibTeX entry."""
        authors = " and ".join(f"{family}, {given}" if given else f"{{{family}}}" for given, family in self.authors)
        fields = {"author": authors, "title": f"{{{self.title}}}", **self.fields, "year": str(self.year)}
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


def _reference(entry: Mapping[str, Any]) -> Reference:
    fields = {name: value.format(version=VERSION) for name, value in entry["fields"].items()}
    authors = tuple((given, family) for given, family in entry["authors"])
    return Reference(**{**entry, "authors": authors, "fields": fields})


PAPERS: Mapping[str, Reference] = {each["name"]: _reference(each["cited"]) for each in FILE["documents"]}
"""The papers, by the name of the document in `CONTENTS`."""
SOFTWARE = _reference(FILE["software"])


def bibtex() -> str:
    """Return the BibTeX entries of the papers and of this software."""
    return "\n\n".join(each.bibtex() for each in (*PAPERS.values(), SOFTWARE)) + "\n"


def command(experiment: Experiment) -> str:
    """Return the command that reproduces an experiment."""
    return f"python -m privbo_core.experiments {experiment.name} --workers 2"


def source(experiment: Experiment) -> str:
    """Return the paper and the number of the table or figure that an experiment reproduces."""
    found = next(each for each in CONTENTS if experiment.name in each.experiments)
    item = "theorems" if found.item.startswith("no tables") else found.item
    return f"{PAPERS[found.document].short}, {item}"
