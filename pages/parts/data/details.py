"""What the Data page shows of a problem one below the other: its frame, inputs, distributions, rows."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from pages.parts.data import figures, words
from pages.parts.data.preparing import Roles
from pages.parts.data.view import View
from pages.parts.shell.depth import simple
from pages.parts.table.frame_file import bring_frame, offer_frame
from pages.parts.table.framing import Rows, ask_frame, ask_sure
from pages.parts.table.own_table import own_table
from pages.parts.views.drawing import Place, show
from pages.parts.views.palette import NON_PRIVATE, PRIVATE
from pages.parts.views.record import keep_figure
from pages.parts.views.text import as_markdown, whole_text
from pages.parts.views.views import Figure
from privbo_core.data import Frame, Problem, frame_from, to_csv

SHOWN_ROWS, SHOWN_INPUTS = 100, 7


def show_frame(problem: Problem, mine: bool, roles: Roles | None = None) -> Problem:
    """Show the frame of the noisy release; for a person's own table as a form, with the ways to and from a file.

    Simple has no files; ``roles``: what the columns are for. Return the problem in the frame as it is typed.
    """
    finding, short, seen = words.framed(problem), simple(), problem
    if not short:
        table = words.frame_table(problem.frame)
        show(finding)
        keep_figure(Figure("frame", finding, table=table))
        if not mine:
            show(table)
    if mine:
        read = frame_from(problem.original, problem.names, problem.units)
        if roles is None:
            drafted = ask_frame(problem.frame, read, _use)
        else:
            rows = Rows(problem.original, roles.heads(), roles.show_rest)
            drafted = ask_frame(problem.frame, read, _use, rows)
        seen = replace(problem, known_frame=drafted)
        if short:
            ask_sure(problem.frame, read)
    for warning in (*problem.frame.warnings, *(problem.frame.moved(problem.original) if mine else ())):
        st.warning(as_markdown(warning))
    if not short:
        offer_frame(problem.frame, problem.title)
        if mine:
            bring_frame(frame_from(problem.original, problem.names), _use)
    st.page_link("pages/decision.py", label="Decide on an ε, and sign: Decide", icon=":material/gavel:")
    return seen


def _use(frame: Frame) -> None:
    own_table().keep_frame(frame)
    st.rerun()


def show_inputs(view: View) -> None:
    """Show what was learned about each input, how the table was prepared, and how far the inputs spread."""
    first, second = st.columns([1.3, 1], gap="medium")
    with first:
        show(words.COLUMNS)
        learned = words.learned(view.problem)
        st.dataframe(learned, hide_index=True, width="stretch")
        keep_figure(Figure("columns", words.COLUMNS, table=words.as_table(learned)))
        if box := words.prepared(view.problem):
            show(box)
    with second:
        spectrum, threshold = view.spectrum, view.condition.omega
        picture = figures.singular_values(spectrum.values, threshold)
        alt = (
            f"Singular values of the normalised inputs, the smallest {whole_text(spectrum.sigma_min)}, beside ω = "
            f"{whole_text(threshold)}."
        )
        Place("singular").draw(Figure("singular", words.narrowest(view), picture, alt))


def show_distributions(problem: Problem) -> None:
    """Show a histogram of each of the first inputs and of the output, under one finding."""
    inputs = zip(problem.original.T[:SHOWN_INPUTS], problem.names, strict=False)
    columns = [(values, name, PRIVATE) for values, name in inputs]
    columns.append((*words.output(problem), NON_PRIVATE))
    finding = words.distributed(problem)
    show(finding)
    places = st.columns(3)
    for i, (values, name, colour) in enumerate(columns):
        slot, picture = f"histogram-{i}", figures.histogram(values, name, colour)
        with places[i % 3]:
            Place(slot, titled=False).draw(Figure(slot, finding, picture, f"Histogram of {name}."))


def show_rows(problem: Problem) -> None:
    """Show the first rows used, to be looked at and downloaded."""
    values, name = words.output(problem)
    rows = pd.DataFrame(problem.original[:SHOWN_ROWS], columns=list(problem.names))
    rows = rows.assign(**{f"output: {name}": values[:SHOWN_ROWS]})
    with st.expander(f"The first {min(problem.n, SHOWN_ROWS)} rows used"):
        st.dataframe(rows, hide_index=True)
        st.download_button("Download them as CSV", to_csv(rows), "rows.csv", "text/csv")
