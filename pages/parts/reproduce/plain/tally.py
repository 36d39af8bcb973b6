"""How the papers' numbers and statements come out, table by table: counted from the same reports as in Expert."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from pages.parts.reproduce.tables import agreement
from privbo_core.experiments import Experiment, Report, Verdict

Kind = Literal["agrees", "near", "not clear", "apart", "other data"]
KINDS: tuple[Kind, ...] = get_args(Kind)
OF_NUMBER: dict[str, Kind] = {"agree": "agrees", "near": "near", "apart": "apart"}
"""By the role that shades a number's row in Expert."""
OF_CLAIM: dict[Verdict, Kind] = {"holds": "agrees", "not clear": "not clear", "fails": "apart"}


@dataclass(frozen=True)
class Tally:
    """How many numbers and statements of one table or figure came out how."""

    experiment: Experiment
    counts: Counter[Kind]

    @property
    def name(self) -> str:
        """The table or figure, without what it is about: "Outsourced, Table 1"."""
        return self.experiment.title.partition(":")[0]


def tally(report: Report) -> Tally:
    """Count one table or figure. A privacy loss is the same on all data; what has no result yet is not counted."""
    counts: Counter[Kind] = Counter()
    other = report.experiment.data == "other"
    for each in report.compared:
        if each.number.counted:
            standing = each.standing(report.experiment)
            role = agreement(each, standing)[2]
            if standing == "other data":
                counts["other data"] += 1
            elif role in OF_NUMBER:
                counts[OF_NUMBER[role]] += 1
    for judged in report.claims:
        counts["other data" if other else OF_CLAIM[judged.verdict]] += 1
    return Tally(report.experiment, counts)


def tallies(reports: Mapping[str, Report]) -> tuple[Tally, ...]:
    """Return those of all tables and figures that the papers have. Made-up data stand in for some, and are not counted."""
    found = (tally(report) for report in reports.values() if report.experiment.data != "made up")
    return tuple(each for each in found if each.counts.total())


def together(found: tuple[Tally, ...]) -> Counter[Kind]:
    """Return the counts over all tables and figures."""
    return sum((each.counts for each in found), Counter[Kind]())
