"""For citing: the reference of a figure, BibTeX, and the view as a script."""

import math

import streamlit as st

from pages.parts.show.show import heading, note
from pages.parts.take_away.script import as_comment, script
from privbo_core.experiments import Experiment, Report
from privbo_core.experiments.papers.references import SOFTWARE, bibtex, command, source

MOST = 24
"""Rows of stored numbers in a script; the others are in the stored file."""


def reference(experiment: Experiment) -> str:
    """Return in a sentence where a table or figure is printed, and our command that computes it."""
    return f"Paper: {source(experiment)}. Computed here by: {command(experiment)}."


def show_citing(experiment: Experiment) -> None:
    """Show how to cite, and offer the BibTeX file."""
    heading("To cite")
    note(reference(experiment))
    st.download_button(
        "BibTeX", bibtex(), "privbo.bib", "application/x-bibtex", on_click="ignore", icon=":material/format_quote:",
        help="The papers and this software. CITATION.cff in the project’s folder holds the same.",
    )  # fmt: skip
    with st.expander("BibTeX of the papers and of this software"):
        st.code(bibtex(), language="bibtex")
        note(f"This software: {SOFTWARE.key}.")


def view_script(report: Report) -> str:
    """Return the view as a script: it prints what is stored, and computes as much of it again as one asks for."""
    experiment = report.experiment
    rows = []
    for arm in experiment.arms:
        if found := report.mean(arm.name, experiment.measure):
            mean, error, runs = found
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
