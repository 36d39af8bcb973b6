"""Tables 4–9's two trends on made-up data, pooled over the three tables that share their data sets."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from privbo_core.experiments.model import Claim, Experiment
from privbo_core.experiments.report import Judged, Report, judge_difference

TABLES = {"loans": (4, 5, 6), "homes": (7, 8, 9)}


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
    for data, tables in TABLES.items():
        mine = [reports[f"table-{number}-made-up"] for number in tables]
        for text, which in (("a small r costs", _smaller), ("a failed condition costs", _larger)):
            differences = [
                report.values[arm]["last"] - report.values[best]["last"]
                for report in mine
                for best in [_best(report.experiment)]
                for arm in which(report.experiment)
                if {arm, best} <= set(report.values)
            ]
            if differences:
                sets = min(map(len, differences))
                pooled = np.mean([each[:sets] for each in differences], axis=0)
                found.append(Trend(data, judge_difference(pooled, Claim(text, "below", ())), sets))
    return tuple(found)


def _best(experiment: Experiment) -> str:
    return f"r = {_edge(experiment)}"


def _edge(experiment: Experiment) -> int:
    return int(next(number.printed for number in experiment.numbers if number.arm == "condition"))


def _sizes(experiment: Experiment) -> list[int]:
    return [int(arm.name.removeprefix("r = ")) for arm in experiment.arms if arm.name.startswith("r = ")]


def _smaller(experiment: Experiment) -> list[str]:
    return [f"r = {r}" for r in _sizes(experiment) if r < _edge(experiment)]


def _larger(experiment: Experiment) -> list[str]:
    return [f"r = {r}" for r in _sizes(experiment) if r > _edge(experiment)]
