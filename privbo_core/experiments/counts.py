"""Count how many printed numbers reproduce and how many claims hold, each of them once."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields

from privbo_core.experiments.report import Report, Standing, Verdict


@dataclass(frozen=True)
class Counts:
    """The printed numbers of some tables and figures by their grade, and the papers' claims by their verdict.

    ``other_data`` and ``claims_on_other_data`` are those on tables that take the place of the paper's: they count
    neither for nor against. ``not_known`` and ``claims_not_known`` have no results yet. ``exact`` are the numbers
    among ``reproduces`` without randomness, which agree in every printed digit. ``chosen`` are those among the others
    that rest on a choice made so that some of them reproduce.
    """

    reproduces: int = 0
    nearly: int = 0
    does_not_reproduce: int = 0
    other_data: int = 0
    not_known: int = 0
    holds: int = 0
    inconclusive: int = 0
    fails: int = 0
    claims_on_other_data: int = 0
    claims_not_known: int = 0
    exact: int = 0
    chosen: int = 0

    @property
    def checked(self) -> int:
        """Return how many printed numbers have a grade."""
        return self.reproduces + self.nearly + self.does_not_reproduce

    @property
    def printed(self) -> int:
        """Return how many numbers the papers print."""
        return self.checked + self.other_data + self.not_known

    @property
    def judged(self) -> int:
        """Return how many claims have a verdict on data like the paper's."""
        return self.holds + self.inconclusive + self.fails

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))


NUMBERS: dict[Standing, str] = {
    "reproduces": "reproduces",
    "nearly": "nearly",
    "does not reproduce": "does_not_reproduce",
    "other data": "other_data",
    "not known": "not_known",
}
CLAIMS: dict[Verdict, str] = {
    "holds": "holds",
    "inconclusive": "inconclusive",
    "fails": "fails",
    "no results": "claims_not_known",
}
"""The names under which grades and verdicts are counted."""


def count(report: Report) -> Counts:
    """Count the printed numbers and the claims of one table or figure, without those that are not counted.

    A claim is counted where the paper's text states it of that table, figure or theorem, and a number at the paper's
    settings. Drawn stand-ins repeat the numbers and claims of a table that is counted already, so they have none.
    """
    experiment = report.experiment
    if experiment.data == "made up":
        return Counts()
    counted = [(each.standing(experiment), each.number) for each in report.compared if each.number.counted]
    found = Counter(NUMBERS[standing] for standing, _ in counted)
    verdicts = [each.verdict for each in report.judged if each.claim.counted]
    if experiment.data == "other":
        found["claims_on_other_data"] = len(verdicts)
    else:
        found.update(CLAIMS[verdict] for verdict in verdicts)
    exact = [number.exact is not None for standing, number in counted if standing == "reproduces"]
    found["exact"] = exact.count(True)
    found["chosen"] = exact.count(False) if experiment.chosen else 0
    return Counts(**found)


def count_all(reports: Iterable[Report]) -> Counts:
    """Count the printed numbers and the claims of several tables and figures."""
    return sum(map(count, reports), Counts())
