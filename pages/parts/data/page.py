"""The Data page: the choice of data on the left, what becomes of them on the right."""

import pandas as pd
import streamlit as st

from pages.parts.bring.problems import own, own_recipe, pick_problem
from pages.parts.bring.table import bring_table
from pages.parts.bring.worth.judged import judged
from pages.parts.bring.worth.shown import WorthShown
from pages.parts.data import figures, script, words
from pages.parts.data.condition import condition_now
from pages.parts.data.frame_form import show_frame
from pages.parts.data.plain.page import run as show_simply
from pages.parts.data.preparing import choose_columns, prepare
from pages.parts.frame.depth import simple
from pages.parts.frame.record import keep_figure
from pages.parts.show.desk import Desk
from pages.parts.show.show import Place, show
from pages.parts.take_away.offer import about_problem, take_away
from pages.parts.values.numbers import whole_text
from pages.parts.values.palette import NON_PRIVATE, PRIVATE
from pages.parts.values.views import Figure
from privbo_core.data import Problem, to_csv
from privbo_core.outsourced import Spectrum

SHOWN_ROWS, SHOWN_INPUTS = 100, 7


def run() -> None:
    """Show the picker, the upload, and what is known about the problem that is chosen."""
    if simple():
        show_simply()
        return
    desk = Desk("Data", right=2.6)
    with desk.left:
        simulation = pick_problem()
        table = bring_table()
        progress = st.empty()
        if table is not None and (choice := choose_columns(table)) is not None:
            prepare(table, choice, progress)
        problem, spectrum, condition = simulation.problem, simulation.spectrum, condition_now()
        take_away(
            about_problem("Data", problem),
            lambda: script.data(problem, own_recipe(), condition.epsilon, condition.delta, condition.r, SHOWN_INPUTS),
        )
    with desk.right:
        show(words.headline(problem, spectrum, condition))
        worth = WorthShown(lambda: judged(simulation))
        show(words.protected(problem))
        show_frame(problem, mine := own() is simulation)
        st.page_link("pages/outsourced.py", label="Optimise it: Outsourced", icon=":material/hub:")
        _show_inputs(problem, spectrum, condition.omega)
        _show_distributions(problem)
        _show_rows(problem)
        if table is not None and mine:
            with st.expander("The file as it was read"):
                st.dataframe(pd.DataFrame(dict(table.head(SHOWN_ROWS))), hide_index=True)  # without the reader's notes
    worth.settle()


def _show_inputs(problem: Problem, spectrum: Spectrum, threshold: float) -> None:
    """Show what was learned about each input, how the table was prepared, and how far the inputs spread."""
    first, second = st.columns([1.3, 1], gap="medium")
    with first:
        show(words.COLUMNS)
        learned = words.learned(problem)
        st.dataframe(learned, hide_index=True, width="stretch")
        keep_figure(Figure("columns", words.COLUMNS, table=words.as_table(learned)))
        if box := words.prepared(problem):
            show(box)
    with second:
        picture = figures.singular_values(spectrum.values, threshold)
        alt = f"Singular values of the normalised inputs, the smallest {whole_text(spectrum.sigma_min)}, beside ω = {whole_text(threshold)}."
        Place("singular").draw(Figure("singular", words.narrowest(spectrum, threshold), picture, alt))


def _show_distributions(problem: Problem) -> None:
    """Show a histogram of each of the first inputs and of the output, under one finding."""
    inputs = zip(problem.original.T[:SHOWN_INPUTS], problem.names, strict=False)
    columns = [(values, name, PRIVATE) for values, name in inputs]
    columns.append((*words.output(problem), NON_PRIVATE))
    finding = words.distributed(problem)
    show(finding)
    places = st.columns(3)
    for i, (values, name, colour) in enumerate(columns):
        with places[i % 3]:
            picture = figures.histogram(values, name, colour)
            Place(f"histogram-{i}", titled=False).draw(
                Figure(f"histogram-{i}", finding, picture, f"Histogram of {name}.")
            )


def _show_rows(problem: Problem) -> None:
    """Show the first rows used, to be looked at and downloaded."""
    values, name = words.output(problem)
    rows = pd.DataFrame(problem.original[:SHOWN_ROWS], columns=list(problem.names))
    rows = rows.assign(**{f"output: {name}": values[:SHOWN_ROWS]})
    with st.expander(f"The first {min(problem.n, SHOWN_ROWS)} rows used"):
        st.dataframe(rows, hide_index=True)
        st.download_button("Download them as CSV", to_csv(rows), "rows.csv", "text/csv")
