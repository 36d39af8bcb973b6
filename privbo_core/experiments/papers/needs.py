"""What σ_min each of Tables 1–9 needs, and their two trends on data that has it."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from privbo_core.experiments.model import Claim, Experiment
from privbo_core.experiments.papers import EXPERIMENTS
from privbo_core.experiments.report import Judged, Report, judge_difference
from privbo_core.outsourced import omega

TABLES = {"loans": (4, 5, 6), "homes": (7, 8, 9)}
"""The tables that share their data sets."""


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


NEEDS = tuple(map(_need, range(1, 10)))
"""Of each table, in order."""


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
