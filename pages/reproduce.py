"""Reproduce: every table and figure of the papers beside what this app computes; any of them can be run again."""

import os
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import streamlit as st

from pages.parts.frame.address import choose
from pages.parts.frame.pace import give_way
from pages.parts.frame.record import keep_figure
from pages.parts.front_door import come_in
from pages.parts.reproduce import figures as reproduce_figures
from pages.parts.reproduce import words as reproduce_words
from pages.parts.show.chart import Chart
from pages.parts.show.look import apply_style, finding
from pages.parts.take_away.offer import take_away
from pages.parts.take_away.report import About
from privbo_core.errors import DataError
from privbo_core.experiments import EXPERIMENTS, Report, Shelf, read, report, run

STORED = Path(__file__).parents[1] / "results" / "reproduced.jsonl"
RUNS = ("2", "5", "10")
RUNNING = "reproduce/running"


@st.cache_resource(max_entries=2)
def stored_reports(path: str, changed: tuple[int, int]) -> tuple[dict[str, Report], dict[str, list[dict[str, object]]]]:
    """Return what is stored about each experiment, and how it was made. Read anew when the file has changed."""
    outcomes, made = read(path)
    reports = {name: report(each, outcomes.values()) for name, each in EXPERIMENTS.items()}
    return reports, {name: [dict(how) for how in each] for name, each in made.items()}


@st.cache_resource
def workers() -> Executor:
    """Return the threads that compute for all sessions."""
    return ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="privbo-reproduce")


def stored() -> tuple[dict[str, Report], dict[str, list[dict[str, object]]], str]:
    """Return the reports, how they were made, and a sentence if the file cannot be used."""
    try:
        state = STORED.stat()
        return *stored_reports(str(STORED), (state.st_mtime_ns, state.st_size)), ""
    except FileNotFoundError:
        problem = "No results are stored. `make reproduce` computes them; here you can run any of them in part."
    except (DataError, OSError) as found:
        problem = f"The stored results cannot be used: {found} You can still run any of them here, in part."
    return {name: report(each, ()) for name, each in EXPERIMENTS.items()}, {}, problem


def note(text: str) -> None:
    """Show a remark in small print."""
    st.html(f'<div class="pb-note">{text}</div>')


come_in()
colours = apply_style()
reports, made, problem = stored()
left, right = st.columns([1, 3.6], gap="medium")
with left:
    st.html("<h1 class='pb-page'>Reproduce the papers</h1>")
    name = choose(
        st.selectbox, "Table or figure", list(EXPERIMENTS), key="experiment",
        format_func=lambda key: EXPERIMENTS[key].title, persist_state="session",
    )  # fmt: skip
    experiment = EXPERIMENTS[name]
    note(f"{experiment.about}<br>{experiment.paper}.")
    st.markdown(f"**Data here.** {experiment.stands_in}")
    runs = int(choose(
        st.segmented_control, f"Rerun live: how many {experiment.unit}", RUNS, key="reproduce_runs", required=True
    ))  # fmt: skip
    button_place, progress_place = st.empty(), st.empty()

shelves: dict[str, Shelf] = st.session_state.setdefault("reproduce/shelves", {})
asked = (name, runs)
running = st.session_state.get(RUNNING) == asked
if not running:
    # Another table or another number was chosen: what ran before does not go on by itself.
    st.session_state[RUNNING] = None
stored_report = reports[name]


def show_progress(done: int, total: int, state: str) -> None:
    """Show how far the run has got, in a bar and in words."""
    progress_place.html(
        f'<div class="pb-progress" role="status"><progress value="{done}" max="{total}" aria-label="progress of the rerun"></progress>'
        f"{state}: {done} of {total} pieces</div>"
    )


def live_report() -> Report:
    """Return what has been run again in this session."""
    return report(experiment, shelf.outcomes.values())


shelf = shelves.setdefault(name, Shelf())
wanted = experiment.pieces(runs, 1)
known = sum(piece.key in shelf.outcomes for piece in wanted)


def start() -> None:
    """Run from the beginning if all is finished, else go on from where it was stopped."""
    if known == len(wanted):
        shelf.outcomes.clear()
    st.session_state[RUNNING] = asked


def stop() -> None:
    """End the run; what is finished stays."""
    st.session_state[RUNNING] = None


button_place.button(
    "Stop" if running else "Go on" if 0 < known < len(wanted) else "Rerun live",
    on_click=stop if running else start,
    key="reproduce_button",
)
with right:
    st.html(reproduce_words.summary(reports))
    if problem:
        st.warning(problem)
    with st.expander("What does not agree, at a glance"):
        st.markdown(reproduce_words.disagreements(reports))
        note("The sections below say why, table by table.")
    title, remark = reproduce_words.headline(stored_report)
    st.html(finding(title, "simulation", remark))
    chart_place, table_place = st.columns([1.15, 1], gap="medium")
    with chart_place:
        chart = Chart(f"reproduce-{experiment.kind}")
    with table_place:
        table = st.empty()


def draw(again: Report) -> None:
    """Draw figure and table, with what has been run again so far."""
    chart.draw(reproduce_figures.picture(stored_report, again, colours), reproduce_figures.in_words(experiment))
    rows = (
        reproduce_words.numbers(stored_report, again)
        if experiment.numbers
        else reproduce_words.arms(stored_report, again)
    )
    table.html(rows)
    keep_figure("compared", None, "", rows)


again = live_report()
draw(again)
with left:
    take_away(About("Reproduce the papers", experiment.title, steps=(experiment.about, experiment.stands_in)))
with right:
    same_place = st.empty()
    if experiment.no_numbers:
        note(experiment.no_numbers)
    if experiment.claims:
        st.html('<h2 class="pb-heading">What the paper says in words</h2>')
        st.html(reproduce_words.claims(stored_report).replace("pb-compare", "pb-compare pb-claims", 1))
        note(
            "Margin: the smallest difference that the claim rests on, ± its standard error, from paired runs. Within two standard errors it is not clear."
        )
    what, missing = st.columns(2, gap="large")
    with what:
        st.html('<h2 class="pb-heading">What differs, and why</h2>')
        differing = reproduce_words.deviations(stored_report)
        st.markdown("\n".join(f"- {sentence}" for sentence in (*experiment.why, *differing)))
    with missing:
        st.html('<h2 class="pb-heading">What the paper leaves open</h2>')
        st.markdown("\n".join(f"- {sentence}" for sentence in experiment.left_open))
    with st.expander("How “agree” is counted"):
        st.markdown(
            "A printed number is itself a mean of few runs, and scatters. So the distance between it and ours is counted in standard errors of "
            "their *difference*: our standard error, and the scatter that a mean of as many runs as the paper’s has in our simulation. Up to two, they "
            "agree. For Tables 1–3 and Fig. 2a the scatter is that from one sampled function to the next, as the paper shows one function."
        )
    st.html('<h2 class="pb-heading">Where the stored numbers come from</h2>')
    st.markdown(reproduce_words.provenance(experiment, made.get(name, [])))
    note(
        f"Stored in results/{STORED.name}. “make reproduce” goes on where it was stopped, and leaves finished pieces alone."
    )


def show_same(now: Report) -> None:
    """Say whether what was run again equals what is stored."""
    if words := reproduce_words.same_as_stored(stored_report, now):
        same_place.caption(f"Run again: {words}")


show_same(again)
if running:
    with closing(run(experiment, executor=workers(), store=shelf, runs=runs, piece=1, ahead=2)) as steps:
        drawn = -1
        for step in steps:
            give_way()
            if step.done != drawn:
                drawn = step.done
                show_progress(step.done, step.total, "running")
                again = live_report()
                draw(again)
                show_same(again)
    st.session_state[RUNNING] = None
    st.rerun()
elif known:
    show_progress(known, len(wanted), "finished" if known == len(wanted) else "stopped")
