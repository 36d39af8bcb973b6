"""What Reproduce shows, at either depth: the stored reports, counted table by table, and what Simple says of them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal, get_args

import streamlit as st

from pages.parts.reproduce.tables import agreement
from pages.parts.reproduce.words import GRID
from pages.parts.views.text import as_markdown, strong
from pages.parts.views.views import Brief, Fact, Finding
from privbo_core.errors import DataError
from privbo_core.experiments import EXPERIMENTS, Experiment, Report, Verdict, read, report

STORED = Path(__file__).parents[3] / "results" / "reproduced.jsonl"
WHERE = (
    f"Stored in results/{STORED.name}. “make reproduce” goes on where it was stopped, and leaves finished pieces alone."
)


Kind = Literal["agrees", "near", "not clear", "apart", "other data"]
KINDS: tuple[Kind, ...] = get_args(Kind)
OF_NUMBER: dict[str, Kind] = {"agree": "agrees", "near": "near", "apart": "apart"}
"""By the role that shades a number's row in Expert."""
OF_CLAIM: dict[Verdict, Kind] = {"holds": "agrees", "not clear": "not clear", "fails": "apart"}


MOST_NAMED = 3
"""So many tables that do not come out are named."""
NOT_PRIVACY = "that the searches work as printed does not mean that every promise holds. One is refuted: see Audit."


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


@dataclass(frozen=True)
class View:
    """The report on each experiment, how it was made, and a sentence (Markdown) if what is stored cannot be used."""

    reports: Mapping[str, Report]
    made: Mapping[str, list[dict[str, object]]] = field(default_factory=dict)
    problem: str = ""

    @cached_property
    def tallies(self) -> tuple[Tally, ...]:
        """Of all tables and figures that the papers have. Made-up data stand in for some, and are not counted."""
        counted = (tally(report) for report in self.reports.values() if report.experiment.data != "made up")
        return tuple(each for each in counted if each.counts.total())

    @property
    def counts(self) -> Counter[Kind]:
        """The counts over all tables and figures."""
        return sum((each.counts for each in self.tallies), Counter[Kind]())

    @cached_property
    def brief(self) -> Brief:
        """The page in five seconds."""
        counts, tallies = self.counts, self.tallies
        checked = counts.total() - counts["other data"]
        able = sum(each.counts.total() > each.counts["other data"] for each in tallies)
        if not counts.total():
            return Brief("Nothing has been computed yet.", ())
        answer = (
            f"Of {checked} numbers and statements that can be checked, {counts['agrees']} come out, {counts['near']} "
            f"nearly, {counts['not clear']} are not clear, {counts['apart']} come out otherwise; "
            f"{counts['other data']} more are on other data."
        )
        apart = sorted((each for each in tallies if each.counts["apart"]), key=lambda each: -each.counts["apart"])
        named = "; ".join(each.name for each in apart[:MOST_NAMED]) + (" and others" if len(apart) > MOST_NAMED else "")
        facts = (
            Fact(
                "What was checked",
                f"{checked} in {able} tables and figures",
                "each printed number, and each sentence that compares.",
            ),
            Fact(
                "How",
                "Computed anew",
                "A number agrees within one standard error, nearly within two. A statement holds if its difference "
                "is clear.",
            ),
            Fact(
                "What does not come out",
                f"{counts['apart']} of {checked}",
                f"in {named}." if apart else "Nothing.",
                tone="unmet" if apart else "",
            ),
            Fact(
                "What cannot be told",
                f"{counts['other data']} on other data",
                "Our data there are not the paper’s, so they count neither for nor against.",
            ),
        )
        promise = (
            f"{strong('With one reservation:')} Tables 1–3 and Fig. 2a agree {GRID}.",
            f"{strong('Not about privacy:')} {NOT_PRIVACY}",
        )
        return Brief(answer, facts, promise)

    @property
    def finding(self) -> Finding:
        """The title of Simple's picture."""
        return Finding(self.brief.answer, "simulation", "One bar for each table and figure.")


def compute() -> View:
    """Return what is stored; empty reports if that cannot be used."""
    try:
        state = STORED.stat()
        return _read(str(STORED), (state.st_mtime_ns, state.st_size))
    except FileNotFoundError:
        problem = "No results are stored. `make reproduce` computes them; here you can run any of them in part."
    except (DataError, OSError) as fault:
        cause = as_markdown(str(fault))
        problem = f"The stored results cannot be used: {cause} You can still run any of them here, in part."
    return View({name: report(each, ()) for name, each in EXPERIMENTS.items()}, {}, problem)


@st.cache_resource(max_entries=2)
def _read(path: str, changed: tuple[int, int]) -> View:
    """Read the file anew when it has changed."""
    outcomes, made = read(path)
    reports = {name: report(each, outcomes.values()) for name, each in EXPERIMENTS.items()}
    return View(reports, {name: [dict(how) for how in each] for name, each in made.items()})
