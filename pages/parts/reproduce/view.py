"""What Reproduce shows, at either depth: the stored reports, counted table by table, and what Simple says of them."""

import os
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import get_args

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.export.offer import as_comment, script
from pages.parts.live.work import follow
from pages.parts.reproduce import tables, words
from pages.parts.reproduce.words import GRID
from pages.parts.views.content import prose
from pages.parts.views.drawing import download, heading, note, show
from pages.parts.views.templates import render
from pages.parts.views.text import as_markdown, strong
from pages.parts.views.views import Brief, Fact, Row, Table
from privbo_core import experiments
from privbo_core.bo.parallel import lower_priority
from privbo_core.errors import DataError
from privbo_core.experiments import EXPERIMENTS, Experiment, MemoryStore, Report, RunStep, Verdict, read, report
from privbo_core.experiments.contents import CONTENTS, SOFTWARE, System, bibtex, command, deviations, source
from privbo_core.experiments.model import Outcome

STORED = Path(__file__).parents[3] / "results" / "reproduced.jsonl"
KINDS = ("agree", "near", "not clear", "apart", "other data")  # How numbers and statements come out.
OF_CLAIM: dict[Verdict, str] = {"holds": "agree", "inconclusive": "not clear", "fails": "apart"}


def tally(report: Report) -> Counter[str]:
    """Count one table or figure. A privacy loss is the same on all data; what has no result yet is not counted."""
    experiment = report.experiment
    numbers = [tables.agreement(each, each.standing(experiment)) for each in report.compared if each.number.counted]
    claims = ["other data" if experiment.data == "other" else OF_CLAIM[each.verdict] for each in report.claims]
    return Counter(kind for kind in (*(role or words for _, words, role in numbers), *claims) if kind in KINDS)


@dataclass(frozen=True)
class View:
    """The report on each experiment, how it was made, and a sentence (Markdown) if what is stored cannot be used."""

    reports: Mapping[str, Report]
    made: Mapping[str, list[dict[str, object]]] = field(default_factory=dict)
    problem: str = ""

    @cached_property
    def tallies(self) -> dict[str, Counter[str]]:
        """Of all tables and figures that the papers have. Made-up data stand in for some, and are not counted."""
        known = (report for report in self.reports.values() if report.experiment.data != "made up")
        return {report.experiment.title.partition(":")[0]: counts for report in known if (counts := tally(report))}

    @property
    def counts(self) -> Counter[str]:
        return sum(self.tallies.values(), Counter())

    @cached_property
    def brief(self) -> Brief:
        """The page in five seconds."""
        counts, tallies = self.counts, self.tallies
        checked = counts.total() - counts["other data"]
        able = sum(each.total() > each["other data"] for each in tallies.values())
        if not counts.total():
            return Brief("Nothing has been computed yet.", ())
        answer = (
            f"Of {checked} numbers and statements that can be checked, {counts['agree']} come out, {counts['near']} "
            f"nearly, {counts['not clear']} are not clear, {counts['apart']} come out otherwise; "
            f"{counts['other data']} more are on other data."
        )
        apart = sorted((name for name in tallies if tallies[name]["apart"]), key=lambda name: -tallies[name]["apart"])
        named = "; ".join(apart[:3]) + (" and others" if len(apart) > 3 else "")
        what = f"{checked} in {able} tables and figures", "each printed number, and each sentence that compares."
        within = "A number agrees within two standard errors, nearly within three."
        wrong = f"{counts['apart']} of {checked}", f"in {named}." if apart else "Nothing."
        other = "Our data there are not the paper’s, so they count neither for nor against."
        facts = (
            Fact("What was checked", *what),
            Fact("How", "Computed anew", f"{within} A statement holds if its difference is clear."),
            Fact("What does not come out", *wrong, tone="unmet" if apart else ""),
            Fact("What cannot be told", f"{counts['other data']} on other data", other),
        )
        alone = "that the searches work as printed does not mean that every promise holds. One is refuted: see Audit."
        promise = (
            f"{strong('With one reservation:')} Tables 1–3 and Fig. 2a agree {GRID}.",
            f"{strong('Not about privacy:')} {alone}",
        )
        return Brief(answer, facts, promise)


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


MOST = 24  # Rows of stored numbers in a script; the others are in the stored file.


def show_words(report: Report) -> None:
    """Show the claims of the paper and how they come out here, what differs and why, what the paper leaves open."""
    experiment = report.experiment
    if experiment.no_numbers:
        note(experiment.no_numbers)
    if experiment.claims:
        heading("What the paper says in words")
        show(tables.claims(report))
        note(prose("reproduce", "the margin"))
    what, missing = st.columns(2, gap="large")
    with what:
        heading("What differs, and why")
        st.markdown(words.bullets((*experiment.why, *words.differences(report))))
    with missing:
        heading("What the paper leaves open")
        st.markdown(words.bullets(experiment.left_open))
    with st.expander("How “agree” is counted"):
        st.markdown(prose("reproduce", "how “agree” is counted"))


def system_of(experiment: Experiment) -> System:
    """Return the system that an experiment is about, which its title begins with."""
    return next((each for each in get_args(System) if experiment.title.lower().startswith(each)), "outsourced")


def deviations_table(system: System) -> Table:
    rows = []
    for each in deviations(system):
        own = f"{each.why} The paper’s own choice: {each.own_choice}" if each.own_choice else each.why
        rows.append(tables.row_of(each.subject, each.paper, each.here, own, each.where))
    head = tables.head_of("", "the paper", "here", "why", "where")
    return Table((head,), tuple(rows), "claims", "Declared deviations")


def contents_table() -> Table:
    rows: list[Row] = []
    for document, items in groupby(CONTENTS, lambda each: each.document):
        rows.append(tables.group_of(document, 3))
        for each in items:
            where = "; ".join(EXPERIMENTS[name].title.split(", ", 1)[1] for name in each.experiments)
            rows.append(tables.row_of(each.item, each.shows, where or f"left out: {each.left_out}"))
    heads = tables.head_of("", "shows", "here")
    return Table((heads,), tuple(rows), "claims", "Tables and figures of the five documents")


def reference(experiment: Experiment) -> str:
    return f"Paper: {source(experiment)}. Computed here by: {command(experiment)}."


def show_citing(experiment: Experiment) -> None:
    heading("To cite")
    note(reference(experiment))
    said = "The papers and this software. CITATION.cff in the project’s folder holds the same."
    download("BibTeX", bibtex(), "privbo.bib", "format_quote", help=said)
    with st.expander("BibTeX of the papers and of this software"):
        st.code(bibtex(), language="bibtex")
        note(f"This software: {SOFTWARE.key}.")


def view_script(report: Report) -> str:
    """Return the view as a script: it prints what is stored, and computes as much of it again as one asks for."""
    experiment = report.experiment
    rows = [
        f"    {as_comment(arm.name).replace(' ', '_')!r}: ({known[0]:.6g}, {known[1]:.6g}, {known[2]}),"
        for arm in experiment.arms
        if (known := report.mean(arm.name, experiment.measure))
    ]
    if len(rows) > MOST:
        rows[MOST:] = [f"    # … and {len(rows) - MOST} more"]
    body = [
        f"# {as_comment(reference(experiment))}",
        "# All stored results come out again with: make reproduce",
        f"# {as_comment(experiment.measure_name)}; name: mean, standard error, number of {as_comment(experiment.unit)}",
        "stored = {",
        *rows,
        "}",
        "for name, values in stored.items():",
        "    show(name, *values)",
        "AGAIN = 0  # how many replicates to compute again; each may take minutes",
        f"experiment = experiments.find({experiment.name!r})",
        "if AGAIN:",
        "    with ThreadPoolExecutor(2) as workers:",
        "        *_, last = experiments.run(experiment, executor=workers, store=experiments.MemoryStore(), runs=AGAIN)",
        "    again = experiments.report(experiment, last.outcomes)",
        "    for arm in experiment.arms:",
        f"        if found := again.mean(arm.name, {experiment.measure!r}):",
        '            show("again_" + arm.name.replace(" ", "_"), *found)',
    ]
    pool, nan = "from concurrent.futures import ThreadPoolExecutor", "from math import nan"
    return script(experiment.title, [pool, nan, "from privbo_core import experiments"], "\n".join(body))


RUNNING, STORES = "reproduce/running", "reproduce/stores"


@st.cache_resource
def workers() -> Executor:
    return ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="privbo-reproduce", initializer=lower_priority)


class Rerun:
    """An experiment that is run again in this session, with ``runs`` replicates of each arm. What is finished stays."""

    def __init__(self, experiment: Experiment, runs: int) -> None:
        self._experiment, self._runs = experiment, runs
        self._what = (experiment.name, runs)
        kept: Mapping[str, tuple[Outcome, ...]] = st.session_state.get(STORES, {})
        self._store = MemoryStore(kept.get(experiment.name, ()))
        self.running = st.session_state.get(RUNNING) == self._what
        if not self.running:
            # Another table or another number was chosen: what ran before does not go on by itself.
            st.session_state[RUNNING] = None
        wanted = experiment.pieces(runs, 1)
        self._total, self._known = len(wanted), sum(piece.key in self._store.outcomes for piece in wanted)

    def report(self) -> Report:
        return report(self._experiment, self._store.outcomes.values())

    def offer(self, place: DeltaGenerator) -> None:
        begun = 0 < self._known < self._total
        label = "Stop" if self.running else "Go on" if begun else "Rerun live"
        place.button(label, on_click=self._end if self.running else self._start, key="reproduce_button")

    def follow(self, draw: Callable[[Report], None], place: DeltaGenerator) -> None:
        """Run, if it is to, with the progress in its place, and draw what has come in; then run the page once more."""
        if self.running:
            drawn = -1

            def came_in(step: RunStep) -> None:
                nonlocal drawn
                if step.done != drawn:
                    drawn = step.done
                    place.html(render("progress.html", state="running", done=step.done, total=step.total))
                    draw(self.report())

            follow(self._steps(), came_in)
            self._end()
            st.rerun()
        elif self._known:
            state = "finished" if self._known == self._total else "stopped"
            place.html(render("progress.html", state=state, done=self._known, total=self._total))

    def _steps(self) -> Generator[RunStep, None, None]:
        """Yield the steps of the run, each when what it finished is kept for the next run of the page."""
        pool = workers()
        for step in experiments.run(
            self._experiment, executor=pool, store=self._store, runs=self._runs, piece=1, ahead=2
        ):
            self._keep()
            yield step

    def _keep(self) -> None:
        kept = st.session_state.get(STORES, {})
        st.session_state[STORES] = {**kept, self._experiment.name: tuple(self._store.outcomes.values())}

    def _start(self) -> None:
        """Run from the beginning if all is finished, else go on from where it was stopped."""
        if self._known == self._total:
            self._store.outcomes.clear()
            self._keep()
        st.session_state[RUNNING] = self._what

    def _end(self) -> None:
        st.session_state[RUNNING] = None
