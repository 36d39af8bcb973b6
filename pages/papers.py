"""Papers: every published table and figure beside what PrivBO computes, cell by cell."""

import math
import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import get_args

import streamlit as st

from pages import ui
from pages.figures import papers as figures
from pages.ui import demo
from pages.ui.cards import Kind as BadgeKind
from pages.ui.numbers import signed
from pages.ui.text import SIGMA_MIN, SIGMA_Y, joined, marked, to_markdown, verbatim
from privbo_core import experiments
from privbo_core.bo.parallel import lower_priority
from privbo_core.errors import DataError
from privbo_core.experiments import (
    EXPERIMENTS,
    Compared,
    Counts,
    Experiment,
    Judged,
    MemoryStore,
    Outcome,
    Report,
    RunStep,
    Standing,
    Verdict,
    count_all,
)
from privbo_core.experiments.contents import (
    CONTENTS,
    NEEDS,
    System,
    bibtex,
    command,
    deviations,
    edge_of,
    sizes_of,
    source,
    trends,
)
from privbo_core.experiments.model import Kind, Value
from privbo_core.outsourced import largest_r, smallest_epsilon

STORED = Path(__file__).parents[1] / "results" / "reproduced.jsonl"
RUNS = {"2": "2", "5": "5", "10": "10"}
REFERENCES = ("non-private", "random search")
"""The arms that a table shows for comparison, though the paper prints no number for them."""
STANDINGS: dict[Standing, tuple[str, BadgeKind | None]] = {
    "reproduces": ("Reproduces", "agrees"),
    "nearly": ("Nearly", "nearly"),
    "does not reproduce": ("Does not reproduce", "differs"),
    "other data": ("Other data", None),
    "made-up data": ("Made-up data", None),
    "not known": ("Not run yet", None),
}
VERDICTS: dict[Verdict, tuple[str, BadgeKind | None]] = {
    "holds": ("Holds", "agrees"),
    "inconclusive": ("Inconclusive", "open"),
    "fails": ("Fails", "differs"),
    "no results": ("Not run yet", None),
    "not judged": ("Not judged", None),
}
"""The words of each grade and verdict, and the kind of its badge."""
SYSTEM_NAMES: dict[System, str] = {"outsourced": "Outsourced", "release": "Release", "federated": "Federated"}
NBSP = "\N{NO-BREAK SPACE}"
RUNNING = "papers/running"
Provenance = Mapping[str, object]


@dataclass(frozen=True)
class Results:
    """The stored results: a report on each experiment, its provenance, and a sentence if they can't be read."""

    reports: Mapping[str, Report]
    made: Mapping[str, tuple[Provenance, ...]] = field(default_factory=dict)
    problem: str = ""


def main() -> None:
    """Draw the chosen table or figure from the stored results, and then the live results as they come in."""
    ui.begin("papers")
    left, first_screen, below = ui.columns()
    results = stored_results()
    with left:
        experiment = pick_experiment()
        live = pick_live_run(experiment)
        show_way_to_live_page(experiment)
    report = results.reports[experiment.name]

    with first_screen:
        counts = count_all(results.reports.values())
        ui.Place("headline").html(headline_of(counts))
        ui.Place("tiles").html(ui.tiles(tiles_of(counts, results)))
        if results.problem:
            st.warning(results.problem, icon=":material/database_off:")
        cards = open_cards(report)
        cards.draw(live.report())
    with below:
        show_claims(report)
    ui.bar("papers", {"papers": experiment.title.partition(":")[0]}, lambda: script_of(report))
    with below:
        show_details(report, results)
    for _ in ui.follow(live.steps()):
        live.show_progress()
        cards.draw(live.report())
    live.finish()


def stored_results() -> Results:
    """Return the reports on the stored results. They are empty if the results can't be used."""
    try:
        state = STORED.stat()
        return _read(str(STORED), (state.st_mtime_ns, state.st_size))
    except FileNotFoundError:
        problem = "No results are stored. “make reproduce” computes all of them. Here you can run any of them in part."
    except (DataError, OSError) as error:
        problem = f"The stored results can’t be used: {to_markdown(str(error))} You can still run any of them in part."
    return Results({name: experiments.report(each, ()) for name, each in EXPERIMENTS.items()}, {}, problem)


@st.cache_resource(max_entries=2)
def _read(path: str, changed: tuple[int, int]) -> Results:
    """Read the file of results, again whenever it has changed. Nobody changes the value that is returned."""
    outcomes, made = experiments.read(path)
    reports = {name: experiments.report(each, outcomes.values()) for name, each in EXPERIMENTS.items()}
    return Results(reports, {name: tuple(notes) for name, notes in made.items()})


def pick_experiment() -> Experiment:
    """Show the choice of a table or figure, and below it its topic and its data."""
    titles = {name: each.title.partition(", ε =")[0].partition(", r =")[0] for name, each in EXPERIMENTS.items()}
    experiment = EXPERIMENTS[ui.choose(st.selectbox, "Table or figure", titles, key="experiment")]
    ui.note(f"{marked(experiment.about)} {source(experiment)}.")
    ui.note(f"**Data used here:** {marked(experiment.stands_in)}")
    return experiment


# Live runs


@st.cache_resource
def workers() -> Executor:
    """Return the threads that run experiments for all visitors, after everything else."""
    return ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="privbo-papers", initializer=lower_priority)


class LiveRun:
    """An experiment that is run in this session, with ``runs`` replicates of each arm. What is finished stays."""

    def __init__(self, experiment: Experiment, runs: int) -> None:
        self._experiment, self._runs = experiment, runs
        self._key, self._name = f"papers/results/{experiment.name}", (experiment.name, runs)
        known: tuple[Outcome, ...] = st.session_state.get(self._key, ())
        self._store = MemoryStore(known)
        if st.session_state.get(RUNNING) != self._name:
            st.session_state[RUNNING] = None  # a run ends when another experiment or another number is chosen
        wanted = experiment.pieces(runs, 1)
        self._total = len(wanted)
        self._pieces = [piece.key for piece in wanted]
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            words = "Stop" if self.running else "Continue" if 0 < self.done < self._total else "Run live"
            st.button(words, on_click=self._stop if self.running else self._start, key="run")
            self._place = ui.Place("progress")
        self.show_progress()

    @property
    def running(self) -> bool:
        """Whether this experiment is being run."""
        return bool(st.session_state.get(RUNNING) == self._name)

    @property
    def done(self) -> int:
        """How many pieces are finished."""
        return sum(key in self._store.outcomes for key in self._pieces)

    def report(self) -> Report:
        """Return the report on the runs of this session."""
        return experiments.report(self._experiment, self._store.outcomes.values())

    def show_progress(self) -> None:
        """Show how much is finished."""
        if self.running or self.done:
            words = "" if self.running else "Finished: " if self.done == self._total else "Stopped: "
            self._place.html(ui.progress(self.done, self._total, f"{words}{self.done} of {self._total} parts"))

    def steps(self) -> Generator[RunStep, None, None]:
        """Run, if this experiment is to be run, and yield a step whenever a piece is finished."""
        if not self.running:
            return
        run = experiments.run(
            self._experiment, executor=workers(), store=self._store, runs=self._runs, piece=1, ahead=2
        )
        for step in run:
            st.session_state[self._key] = tuple(self._store.outcomes.values())
            yield step

    def finish(self) -> None:
        """Show the page once more when a run has come to its end."""
        if self.running:
            self._stop()
            st.rerun()

    def _start(self) -> None:
        """Begin again if everything is finished, and otherwise continue."""
        if self.done == self._total:
            st.session_state[self._key] = ()
        st.session_state[RUNNING] = self._name

    def _stop(self) -> None:
        st.session_state[RUNNING] = None


def pick_live_run(experiment: Experiment) -> LiveRun:
    """Show how many replicates can be run live, with buttons to start and stop."""
    unit = experiment.unit.partition(",")[0].capitalize()
    most = demo.most(max(map(int, RUNS)), usual=int(next(iter(RUNS))))
    offered = {number: name for number, name in RUNS.items() if int(number) <= most}
    runs = ui.choose(st.segmented_control, f"{unit} to run live", offered, key="runs_live", required=True)
    return LiveRun(experiment, int(runs))


# The way to the live page


@dataclass(frozen=True)
class LivePage:
    """The arm of an experiment whose setting a live page shows first, and the choices of that page besides."""

    arm: str
    choices: Mapping[str, str] = field(default_factory=dict)


SIMILAR = {"h": "0.1"}
"""How similar the drawn agents are: what is their own is a tenth."""
LIVE_PAGES: dict[str, LivePage] = {
    **{f"table-{number}": LivePage(f"r = {edge_of(EXPERIMENTS[f'table-{number}'])}") for number in range(1, 10)},
    "outsourced-fig-2a": LivePage("ε = e^1.1"),
    "outsourced-fig-2b": LivePage("ε = e^2.9"),
    "outsourced-fig-2c": LivePage("ε = e^2.8"),
    "branin": LivePage("smallest ε that meets the condition"),
    "federated-fig-2a": LivePage("DP-FTS-DE, P = 2", SIMILAR),
    "federated-fig-2b": LivePage("S = 11", {**SIMILAR, "sweep": "S"}),
    "federated-fig-2c": LivePage("q = 0.25", {**SIMILAR, "sweep": "q"}),
    "federated-fig-2d": LivePage("z = 1", {**SIMILAR, "sweep": "z"}),
    "federated-fig-3": LivePage("q = 0.35, z = 1", {"sweep": "z", "when": "last"}),
    "federated-fig-6": LivePage("P = 2", SIMILAR),
    "federated-fig-8": LivePage("DP-FTS-DE"),
    "federated-weights": LivePage("a = 15, as in Fig. 2", SIMILAR),
    "bounds-epsilon": LivePage("ε = 1"),
    "bounds-iterations": LivePage("T = 50"),
    "bounds-candidates": LivePage("|Λ| = 200"),
}
"""The settings of each experiment on the page of its system. Made-up data are on no page."""
SAMPLES = {
    "functions": "synthetic", "loans": "loans", "homes": "homes", "branin": "branin",
    "synthetic": "family", "schools": "schools",
}  # fmt: skip
"""The samples of the app by the data of an experiment."""
SHARED: dict[System, Mapping[str, str]] = {
    "outsourced": {
        "release": "projection", "search": "ucb", "rows": "again", "functions": "one", "measure": "simple",
        "runs": "40", "initial": "5", "delta_ucb": "0.05", "lengthscale": "1", "signal": "1", "answer_noise": "1",
    },
    "federated": {"gain": "epsilon", "measure": "simple", "when": "early", "runs": "40", "a": "15"},
    "release": {"task": "prior", "algorithm": "1 noisy", "paper": "ICML", "publish": "setting and score"},
}  # fmt: skip
"""The settings that all experiments of a system share, under the keys of its page."""
KEYS: dict[System, Mapping[str, str]] = {
    "outsourced": {"data": "data", "delta": "delta", "r": "r", "T": "iterations"},
    "federated": {
        "agents": "data", "z": "z", "q": "q", "S": "S", "P": "P", "N": "agents", "T": "iterations", "M": "features",
    },
    "release": {
        "epsilon": "epsilon", "delta": "delta", "k1": "k1", "T": "iterations", "sigma": "sigma", "a": "a",
        "candidates": "candidates",
    },
}  # fmt: skip
"""The settings of an arm under the keys of the page."""


def live_address(experiment: Experiment) -> dict[str, str] | None:
    """Return the address of an experiment's setting on the page of its system, or None if that can't show its data.

    It names every control of that page, so that the setting is the published one whatever a visitor has set before.
    The values are those of the experiment itself.
    """
    if experiment.name not in LIVE_PAGES:
        return None
    system, live = system_of(experiment), LIVE_PAGES[experiment.name]
    settings = experiment.arm(live.arm).settings
    values = {key: write(settings[name]) for key, name in KEYS[system].items()}
    if system == "outsourced":
        values["epsilon"] = write(epsilon_of(settings))
    return {**SHARED[system], **values, **live.choices}


def epsilon_of(settings: Mapping[str, Value]) -> float:
    """Return the ε of an outsourced arm, which may be the smallest one that meets the condition."""
    if "epsilon" in settings:
        return float(settings["epsilon"])
    sigma_min = ui.sample_simulation(SAMPLES[str(settings["data"])]).spectrum.sigma_min
    return smallest_epsilon(sigma_min, float(settings["delta"]), int(settings["edge"]))


def write(value: Value) -> str:
    """Return a setting as it stands in an address."""
    return SAMPLES[value] if isinstance(value, str) else f"{value:.6g}"


def show_way_to_live_page(experiment: Experiment) -> None:
    """Show the way to the page of the system, with every control at the published setting."""
    address, system = live_address(experiment), system_of(experiment)
    if address is not None:
        label = f"See this setting on {SYSTEM_NAMES[system]}"
        st.page_link(f"pages/{system}.py", label=label, icon=":material/arrow_forward:", query_params=address)
        if experiment.arm(LIVE_PAGES[experiment.name].arm).settings.get("data") == "synthetic":
            ui.note("That page draws functions of two inputs, and the runs here have one. So the numbers differ.")


# What is found


def headline_of(counts: Counts) -> str:
    """Return how many of the printed numbers reproduce, and by which yardstick."""
    of = f"{counts.checked} printed numbers"
    if not counts.checked:
        title = "No printed number has been compared yet"
    elif counts.reproduces == counts.checked:
        title = f"All {of} that can be checked reproduce"
    else:
        title = f"Of {of} that can be checked, {counts.reproduces} reproduce"
    lead = (
        "A number reproduces if ours differs by at most two standard errors of the difference, and nearly reproduces "
        "up to three. Otherwise it doesn’t. Where nothing is random, every printed digit has to agree."
    )
    return ui.headline(title, lead)


def tiles_of(counts: Counts, results: Results) -> list[ui.Tile]:
    """Return where every printed number stands, and below how many claims in words hold."""
    of = f"of {counts.printed}"
    how = f"{counts.exact} in every digit, {counts.chosen} within wide errors on a grid chosen for Table 1"
    apart = [name_of(report.experiment) for report in graded(results, "does not reproduce")]
    others = f"{counts.claims_on_other_data} are on other data"
    judged = f"{counts.inconclusive} are inconclusive, {counts.fails} fail, and {others}"
    return [
        ui.Tile("Reproduce", f"{counts.reproduces} {of}", how if counts.chosen else ""),
        ui.Tile("Nearly reproduce", f"{counts.nearly} {of}", "between two and three standard errors"),
        ui.Tile("Do not reproduce", f"{counts.does_not_reproduce} {of}", ", ".join(apart)),
        ui.Tile("On other data", f"{counts.other_data} {of}", "because the paper’s data aren’t public"),
        ui.Tile("Claims in words", f"{counts.holds} of {counts.judged} hold", judged),
    ]


def graded(results: Results, standing: Standing) -> Iterator[Report]:
    """Yield the reports that count a printed number with this grade."""
    for report in results.reports.values():
        if any(each.standing(report.experiment) == standing for each in report.counted):
            yield report


def system_of(experiment: Experiment) -> System:
    """Return the system that an experiment is about, with which its title begins."""
    return next(system for system in get_args(System) if experiment.title.startswith(SYSTEM_NAMES[system]))


def name_of(experiment: Experiment) -> str:
    """Return the name of a table or figure without its topic, such as "Outsourced, Table 1"."""
    return experiment.title.partition(":")[0]


@dataclass(frozen=True)
class Cards:
    """The two cards of the first screen: a figure, and the numbers beside the printed ones."""

    report: Report
    figure_title: ui.Place
    chart: ui.Chart
    numbers_title: ui.Place
    numbers: ui.Place
    remark: ui.Place

    def draw(self, live: Report) -> None:
        """Draw the stored results, with the live ones."""
        report, experiment = self.report, self.report.experiment
        title = claims_title(report)
        self.figure_title.html(ui.title(title, marked(figure_note(report, live))))
        self.chart.draw(figures.draw(report, live), f"{title}. {experiment.about}")
        self.numbers_title.html(ui.title(numbers_title(report), marked(experiment.chosen or experiment.no_numbers)))
        self.numbers.html(numbers_table(report, live) if experiment.numbers else arms_table(report, live))
        remark = " ".join(filter(None, [largest_r_sentence(report), live_sentence(report, live)]))
        if remark:
            self.remark.html(ui.remark(remark))


def open_cards(report: Report) -> Cards:
    """Open the cards of the first screen."""
    left, right = st.columns(2, gap="small")
    explained: Mapping[Kind, str] = {
        "table": ui.explanation("papers", "table"),
        "curves": ui.explanation("papers", "curves"),
        "sweep": ui.explanation("papers", "sweep"),
        "privacy": ui.explanation("papers", "privacy"),
    }
    with left, ui.card("papers", explained[report.experiment.kind]) as figure_title:
        chart = ui.Chart("papers")
    with right, ui.card("numbers", ui.explanation("papers", "difference")) as numbers_title:
        numbers, remark = ui.Place("numbers"), ui.Place("remark")
    return Cards(report, figure_title, chart, numbers_title, numbers, remark)


def claims_title(report: Report) -> str:
    """Return how many of the paper's claims hold, and on which data."""
    data = report.experiment.data
    where = {"own": "", "other": " on our data", "made up": " on made-up data"}[data]
    claims = report.claims
    holds = sum(each.verdict == "holds" for each in claims)
    name = name_of(report.experiment)
    if not any(each.claim.counted for each in report.judged):
        return f"{name}: the paper’s text claims nothing about the result"
    if not claims:
        return f"{name} has no results yet"
    if holds == len(claims) > 1:
        every = "both" if holds == 2 else f"all {holds}"
        return f"{name}: {every} claims of the paper hold{where}"
    if len(claims) == 1:
        return f"{name}: the paper’s claim {'holds' if holds else 'does not hold'}{where}"
    return f"{name}: {holds} of the paper’s {len(claims)} claims {'holds' if holds == 1 else 'hold'}{where}"


def figure_note(report: Report, live: Report) -> str:
    """Return the finding of the figure, and the number of replicates."""
    replicates = max((each.replicates for each in report.compared), default=0)
    replicates = max(
        [replicates, *(found[2] for arm in report.values if (found := report.mean(arm, report.experiment.measure)))]
    )
    if not replicates:
        return "No results are stored for this one. You can run it live."
    bars = "Bands" if report.experiment.kind == "curves" else "Bars"
    live_words = " Crosses and thin curves were run live." if live.values else ""
    return f"{replicates} {report.experiment.unit}. {bars} show ±1 standard error.{live_words}"


def numbers_title(report: Report) -> str:
    """Return how many of the printed numbers reproduce."""
    printed = [each for each in report.compared if each.number.counted]
    checked = report.counted
    agree = sum(each.grade == "reproduces" for each in checked)
    if not printed:
        return "The paper prints no numbers here, so these are ours alone"
    if not checked:
        return "The paper’s numbers are about other data, so they aren’t graded"
    if len(checked) == 1:
        verb = {"reproduces": "reproduces", "nearly": "nearly reproduces"}.get(
            checked[0].grade or "", "does not reproduce"
        )
        return f"The printed number {verb}"
    return (
        f"{agree} of {len(checked)} printed numbers reproduce"
        if agree < len(checked)
        else f"All {agree} printed numbers reproduce"
    )


def numbers_table(report: Report, live: Report, *, counted: bool = True) -> str:
    """Return the printed numbers beside ours, cell by cell, and the live results if there are any."""
    shown = [each for each in report.compared if each.number.counted == counted]
    again = {each.number: each for each in live.compared} if live.values else {}
    head = ["", "Paper", "Ours", *(["Live"] if again else []), "Difference", ""]
    rows: list[list[str | ui.Cell]] = []
    for group, members in groupby(shown, lambda each: each.number.group):
        if not counted:
            rows.append([ui.Cell(marked(group), wide=True)])
        rows += [number_row(report.experiment, each, again.get(each.number)) for each in members]
    for name in REFERENCES:
        mean = report.mean(name, report.experiment.measure)
        if counted and mean:
            new = live.mean(name, report.experiment.measure)
            extra = [signed(new[0], 4) if new else "–"] if again else []
            rows.append([name, "–", mean_text(mean[0], mean[1]), *extra, "", ""])
    return ui.table_html(head, rows)


def number_row(experiment: Experiment, each: Compared, live: Compared | None) -> list[str | ui.Cell]:
    """Return a printed number, ours, the difference with its standard error, and the grade."""
    words, kind = STANDINGS[each.standing(experiment)]
    number = each.number
    ours = compared_text(each)
    if number.exact is not None:
        difference = "0" if each.grade == "reproduces" else signed(each.difference or 0.0, number.exact)
    else:
        difference = "" if each.difference is None else mean_text(each.difference, each.difference_error)
    ungraded = kind is None or not number.counted
    if ungraded and number.exact is None:
        difference = signed(each.difference, 3) if each.difference is not None else ""
    result = "" if not number.counted else ui.Cell(words, kind)
    again = [live_text(live)] if live else []
    return [marked(number.label), f"{number.printed:g}", ours, *again, difference, result]


def compared_text(each: Compared) -> str:
    """Return our number as it stands beside a printed one."""
    if each.ours is None:
        return "–"
    return f"{each.ours:.{each.number.exact}f}" if each.number.exact is not None else mean_text(each.ours, each.error)


def live_text(each: Compared) -> str:
    """Return our number as it was run live."""
    digits = 4 if each.number.exact is None else each.number.exact
    return "–" if each.ours is None else signed(each.ours, digits)


def arms_table(report: Report, live: Report) -> str:
    """Return our own numbers, for a figure of which the paper prints none."""
    experiment = report.experiment
    columns = [("Ours", experiment.measure)]
    if experiment.name.startswith("bounds-"):
        columns = [("Configuration loses", "setting_loss"), ("Bound", "setting_bound")]
        columns += [("Score is off by", "score_error"), ("Bound", "score_bound")]
    if experiment.kind == "privacy":
        columns = [("ε", "epsilon"), ("First 10 iterations", "early"), ("After 60", "last")]
    head = [experiment.measure_name.capitalize() if len(columns) == 1 else "", *(name for name, _ in columns)]
    rows = []
    for arm in experiment.arms:
        if arm.task != "accountant":
            cells = [arm_text(report, arm.name, measure) for _, measure in columns]
            again = [arm_text(live, arm.name, experiment.measure)] if live.values else []
            rows.append([figures.name_of(arm.name), *cells, *again])
    return ui.table_html([*map(marked, head), *(["Live"] if live.values else [])], rows)


def arm_text(report: Report, arm: str, measure: str) -> str:
    """Return an arm's mean and standard error, or its privacy loss."""
    if measure == "epsilon":
        loss = report.mean(f"privacy loss, {arm}", measure)
        return f"{loss[0]:.2f}" if loss else "–"
    if measure not in report.values.get(arm, {}):
        return "–"
    mean, error, _ = report.mean(arm, measure) or (math.nan, math.nan, 0)
    return f"{mean:.4g}" if measure.endswith("_bound") else mean_text(mean, error)


def mean_text(mean: float, error: float | None) -> str:
    """Return a mean ± its standard error, with two digits of the error, and at most four decimals if that is enough."""
    if error is None or math.isnan(error) or error <= 1e-9 * abs(mean):
        return signed(mean, 3)
    digits = min(max(1 - math.floor(math.log10(error)), 0), 4 if error > 5e-4 else 6)
    return f"{signed(mean, digits)} ±{NBSP}{error:.{digits}f}"


def largest_r_sentence(report: Report) -> str:
    """Return up to which r the condition holds, where the paper gives the largest of the few r that it tried."""
    found = report.mean("condition", "sigma_min") if "condition" in report.values else None
    if found is None:
        return ""
    settings = report.experiment.arm("condition").settings
    epsilon, delta = float(settings["epsilon"]), float(settings["delta"])
    sizes = sizes_of(report.experiment)
    tried = f"{', '.join(map(str, sizes[:-1]))} and {sizes[-1]}"
    largest = largest_r(found[0], epsilon, delta)
    holds = f"the condition holds up to r = {largest}" if largest else "the condition fails at every r"
    return f"The paper tried r = {tried}. On the data used here, {holds} at ε = e^{{{math.log(epsilon):g}}}."


def live_sentence(report: Report, live: Report) -> str:
    """Return whether the live results equal the stored ones, replicate by replicate."""
    shared = differing = 0
    for arm, measures in live.values.items():
        for measure, values in measures.items():
            stored = report.values.get(arm, {}).get(measure)
            if stored is not None:
                known = stored[: len(values)]
                shared += len(known)
                differing += int((abs(values[: len(known)] - known) > 1e-3 * abs(known) + 1e-9).sum())
    if not shared:
        return ""
    if differing:
        why = "Other versions of the packages or another processor can cause this."
        return f"{differing} of {shared} live values differ from the stored ones. {why}"
    unit = report.experiment.unit.partition(",")[0]
    return f"All {shared} live values equal the stored ones of the same {unit} to three digits."


# Below the first screen


def show_claims(report: Report) -> None:
    """Show the statements that the paper makes in words, and whether they hold here and by the printed numbers."""
    claims = [each for each in report.judged if each.claim.counted]
    if claims:
        with ui.card("claims", ui.explanation("papers", "claims")) as title:
            title.html(
                ui.title(
                    "What the paper states in words",
                    "A claim is inconclusive if its margin is within two standard errors of 0.",
                )
            )
            show_claims_table(claims)


def show_claims_table(claims: Sequence[Judged]) -> None:
    """Show claims with their verdicts, and the same by the printed numbers if the paper prints any."""
    printed = [each.paper for each in claims if each.paper is not None and each.paper.difference is not None]
    judged = any(each.error is not None for each in printed)
    column = "The paper’s numbers, with our scatter" if judged else "The paper’s numbers"
    head = ("Claim", "Here", "Margin", *([column] if printed else []))
    ui.table(head, [claim_row(each)[: len(head)] for each in claims])


def claim_row(each: Judged) -> list[str | ui.Cell]:
    """Return a claim, its verdict with the smallest difference it rests on, and the same by the printed numbers."""
    words, kind = VERDICTS[each.verdict]
    margin = "" if each.difference is None else mean_text(each.difference, each.error)
    paper = ""
    if each.paper is not None and each.paper.difference is not None:
        error = "" if each.paper.error is not None else " (its error isn’t known)"
        paper = f"{VERDICTS[each.paper.verdict][0]}: {mean_text(each.paper.difference, each.paper.error)}{error}"
    return [marked(each.claim.text), ui.Cell(words, kind), margin, paper]


def show_details(report: Report, results: Results) -> None:
    """Show what lies below. A section is computed only while it is open."""
    experiment = report.experiment
    sections: dict[str, Callable[[], None]] = {
        "Why numbers differ, and what the paper leaves open": lambda: show_reasons(report),
    }
    if not all(each.number.counted for each in report.compared) or not all(
        each.claim.counted for each in report.judged
    ):
        sections["Other comparisons (not counted)"] = lambda: show_not_counted(report)
    sections |= {
        "Every printed number, counted once": lambda: show_counts(results),
        "What PrivBO does differently from the paper": lambda: show_deviations(system_of(experiment)),
        "Every table and figure of the papers": show_contents,
        "Where the stored numbers come from, and how to cite them": lambda: show_provenance(report, results),
    }
    if system_of(experiment) == "outsourced":
        sections["What data the tables need, and what yours would show"] = lambda: show_needs(results)
    for name, show in sections.items():
        section = st.expander(name, on_change="rerun", key=f"section/{name}")
        if section.open:
            with section:
                show()


def show_reasons(report: Report) -> None:
    """Show why numbers differ, and the settings that the paper doesn't specify."""
    left, right = st.columns(2, gap="large")
    with left:
        ui.Place().html(ui.title("Why numbers differ"))
        ui.bullets([*map(marked, report.experiment.why)])
    with right:
        ui.Place().html(ui.title("What the paper leaves open"))
        ui.bullets([*map(marked, report.experiment.left_open)])


def show_not_counted(report: Report) -> None:
    """Show comparisons at other settings and claims about other experiments, which no summary counts."""
    if not all(each.number.counted for each in report.compared):
        ui.Place().html(numbers_table(report, experiments.report(report.experiment, ()), counted=False))
    claims = [each for each in report.judged if not each.claim.counted]
    if claims:
        show_claims_table(claims)


def show_counts(results: Results) -> None:
    """Show for each table and figure how many printed numbers reproduce and how many claims hold."""
    head = (
        "",
        "Printed",
        "Reproduce",
        "Nearly",
        "Do not",
        "On other data",
        "Claims",
        "Hold",
        "Inconclusive",
        "Fail",
        "On other data",
    )
    own = [report for report in results.reports.values() if report.experiment.data != "made up"]
    rows = [[name_of(report.experiment), *count_cells(experiments.count(report))] for report in own]
    total = count_cells(count_all(results.reports.values()))
    ui.table(head, [*rows, ["**Total**", *(f"**{cell}**" for cell in total)]])
    st.markdown(ui.explanation("papers", "counts"))


def count_cells(counts: Counts) -> list[str]:
    """Return the counts of a table or figure, in the order of the columns."""
    numbers = (counts.printed, counts.reproduces, counts.nearly, counts.does_not_reproduce, counts.other_data)
    claims = counts.judged + counts.claims_on_other_data + counts.claims_not_known
    return [
        str(each)
        for each in (*numbers, claims, counts.holds, counts.inconclusive, counts.fails, counts.claims_on_other_data)
    ]


def show_deviations(system: System) -> None:
    """Show where PrivBO differs from a paper or fills a gap in it."""
    head = ("", "The paper", "PrivBO", "Why")
    rows = [[marked(text) for text in (each.subject, each.paper, each.here, each.why)] for each in deviations(system)]
    ui.table(head, rows)


def show_contents() -> None:
    """Show every table and figure of the papers, and where each is or why it isn't here."""
    rows: list[list[str | ui.Cell]] = []
    for document, items in groupby(CONTENTS, lambda each: each.document):
        rows.append([ui.Cell(document, wide=True)])
        for each in items:
            here = ", ".join(EXPERIMENTS[name].title.partition(", ")[2] for name in each.experiments)
            rows.append([each.item, each.shows, marked(here) or f"Left out: {each.left_out}"])
    ui.table(("", "Shows", "Here"), rows)


def show_provenance(report: Report, results: Results) -> None:
    """Show how the stored results were computed, and how to cite the papers and PrivBO."""
    experiment = report.experiment
    notes = results.made.get(experiment.name, ())
    ui.note(
        "“make reproduce” computes all results and stores them in results/reproduced.jsonl. If it is stopped, it can "
        "be started again, and it continues from there."
    )
    st.code(command(experiment), language="bash")
    rows = [(name, str(value)) for made in notes for name, value in made.items()]
    if rows:
        ui.table(("How these results were computed", ""), rows)
    else:
        ui.note("No results are stored for this one.")
    st.download_button("Download BibTeX", bibtex(), "privbo.bib", "text/plain", icon=":material/format_quote:")
    st.code(bibtex(), language="bibtex")


def show_needs(results: Results) -> None:
    """Show which σ_min the outsourced paper's tables need, beside that of a sample or of the visitor's own table."""
    st.markdown(ui.explanation("papers", "needs"))
    rows: list[list[str | ui.Cell]] = []
    for each in trends(results.reports):
        words, kind = VERDICTS[each.judged.verdict]
        text = f"On made-up {each.data}, {each.judged.claim.text} regret"
        difference = mean_text(each.judged.difference or 0.0, each.judged.error)
        rows.append([text, f"{difference} {SIGMA_Y}", ui.Cell(words, kind), f"{each.sets}"])
    ui.table(("Tables 4 to 9 on made-up data", "Regret above that at the best r", "", "Data sets"), rows)
    simulation = ui.pick_data()
    sigma_min = simulation.spectrum.sigma_min
    met = [str(need.table) for need in NEEDS if need.met(sigma_min)]
    name = f"“{verbatim(simulation.problem.title)}”"
    title = f"{name} fits Table{'s' if len(met) > 1 else ''} {joined(met)}" if met else f"{name} fits no table"
    note = f"The smallest singular value {SIGMA_MIN} of the inputs is {sigma_min:,.0f}."
    with ui.card("needs") as place:
        place.html(ui.title(title, note, "holder"))
        ui.Chart("needs").draw(figures.needs(sigma_min), f"{title}. {note}")


def script_of(report: Report) -> str:
    """Return a Python script that prints the numbers of this page, computed anew from few replicates."""
    name = report.experiment.name
    return f"""# Computes a table or figure of the Papers page of PrivBO again, with few replicates.
# All stored results: make reproduce. This one in full: {command(report.experiment)}
from concurrent.futures import ThreadPoolExecutor

from privbo_core import experiments
from privbo_core.experiments.text import lines

experiment = experiments.find("{name}")
RUNS = 2  # of {report.experiment.runs} that are stored. Each may take minutes.
with ThreadPoolExecutor(2) as workers:
    *_, last = experiments.run(experiment, executor=workers, runs=RUNS)
print("\\n".join(lines(experiments.report(experiment, last.outcomes))))
"""


main()
