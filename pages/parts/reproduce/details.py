"""What stands around an experiment's numbers.

All of them at a glance, what differs and why, what is declared, how to cite.
"""

import math
from typing import get_args

import streamlit as st

from pages.parts.export.script import as_comment, script
from pages.parts.reproduce import tables, words
from pages.parts.reproduce.view import View
from pages.parts.views.content import prose
from pages.parts.views.drawing import heading, note, show
from pages.parts.views.views import Cell, Row, Table
from privbo_core.experiments import EXPERIMENTS, Experiment, Report
from privbo_core.experiments.papers.contents import CONTENTS, SOFTWARE, System, bibtex, command, deviations, source

MOST = 24
"""Rows of stored numbers in a script; the others are in the stored file."""


def show_summary(view: View) -> None:
    """Show how much agrees over all experiments, and what does not."""
    show(words.summary(view.reports))
    if view.problem:
        st.warning(view.problem)
    with st.expander("What does not agree, at a glance"):
        st.markdown(words.disagreements(view.reports))
        note("The sections below say why, table by table.")


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


def show_declared(experiment: Experiment) -> None:
    """Show the deviations that concern an experiment's system, and where every table and figure is."""
    with st.expander("Where this project does otherwise than the paper, or fills a gap"):
        show(deviations_table(system_of(experiment)))
    with st.expander("Every table and figure of the five documents"):
        show(contents_table())


def system_of(experiment: Experiment) -> System:
    """Return the system that an experiment is about, which its title begins with."""
    return next((each for each in get_args(System) if experiment.title.lower().startswith(each)), "outsourced")


def deviations_table(system: System) -> Table:
    """Return what is declared for a system."""
    rows = []
    for each in deviations(system):
        own = f"{each.why} The paper’s own choice: {each.own_choice}" if each.own_choice else each.why
        rows.append(tables.row_of(each.subject, each.paper, each.here, own, each.where))
    return Table(
        (tables.head_of("", "the paper", "here", "why", "where"),), tuple(rows), "claims", "Declared deviations"
    )


def contents_table() -> Table:
    """Return every table and figure of the documents."""
    rows: list[Row] = []
    document = ""
    for each in CONTENTS:
        if each.document != document:
            document = each.document
            rows.append(Row((Cell(document, head=True, wide=3),), "group"))
        where = "; ".join(EXPERIMENTS[name].title.split(", ", 1)[1] for name in each.experiments)
        rows.append(tables.row_of(each.item, each.shows, where or f"left out: {each.left_out}"))
    return Table(
        (tables.head_of("", "shows", "here"),), tuple(rows), "claims", "Tables and figures of the five documents"
    )


def reference(experiment: Experiment) -> str:
    """Return in a sentence where a table or figure is printed, and our command that computes it."""
    return f"Paper: {source(experiment)}. Computed here by: {command(experiment)}."


def show_citing(experiment: Experiment) -> None:
    """Show how to cite, and offer the BibTeX file."""
    heading("To cite")
    note(reference(experiment))
    st.download_button(
        "BibTeX",
        bibtex(),
        "privbo.bib",
        "application/x-bibtex",
        on_click="ignore",
        icon=":material/format_quote:",
        help="The papers and this software. CITATION.cff in the project’s folder holds the same.",
    )
    with st.expander("BibTeX of the papers and of this software"):
        st.code(bibtex(), language="bibtex")
        note(f"This software: {SOFTWARE.key}.")


def view_script(report: Report) -> str:
    """Return the view as a script: it prints what is stored, and computes as much of it again as one asks for."""
    experiment = report.experiment
    rows = []
    for arm in experiment.arms:
        if known := report.mean(arm.name, experiment.measure):
            mean, error, runs = known
            rows.append((arm.name, f"{mean:.6g}", "nan" if math.isnan(error) else f"{error:.6g}", runs))
    left_out = f"# … and {len(rows) - MOST} more" if len(rows) > MOST else ""
    body = [
        f"# {as_comment(reference(experiment))}",
        "# All stored results come out again with: make reproduce",
        f"# {as_comment(experiment.measure_name)}; name: mean, standard error, number of {as_comment(experiment.unit)}",
        "stored = {",
        *(
            f"    {as_comment(name).replace(' ', '_')!r}: ({mean}, {error}, {runs}),"
            for name, mean, error, runs in rows[:MOST]
        ),
        *([f"    {left_out}"] if left_out else []),
        "}",
        "for name, values in stored.items():",
        "    show(name, *values)",
        "AGAIN = 0  # how many replicates to compute again; each may take minutes",
        f"experiment = experiments.find({experiment.name!r})",
        "if AGAIN:",
        "    with ThreadPoolExecutor(2) as workers:",
        "        *_, last = experiments.run(experiment, executor=workers, store=experiments.Shelf(), runs=AGAIN)",
        "    again = experiments.report(experiment, last.outcomes)",
        "    for arm in experiment.arms:",
        f"        if found := again.mean(arm.name, {experiment.measure!r}):",
        '            show("again_" + arm.name.replace(" ", "_"), *found)',
    ]
    imports = [
        "from concurrent.futures import ThreadPoolExecutor",
        "from math import nan",
        "from privbo_core import experiments",
    ]
    return script(experiment.title, imports, "\n".join(body))
