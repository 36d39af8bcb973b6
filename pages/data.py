"""Data: pick a sample or bring a table, and see what becomes of it before anything is optimised."""

import math

import pandas as pd
import streamlit as st

from pages.parts.bring.problems import own, own_recipe, pick_problem
from pages.parts.bring.upload import choose_columns, prepare, upload_table
from pages.parts.data import figures as data_figures
from pages.parts.frame.record import keep_figure
from pages.parts.front_door import come_in
from pages.parts.show.chart import Chart
from pages.parts.show.look import apply_style, finding, plain, scientific, tiles
from pages.parts.take_away import script as scripts
from pages.parts.take_away.offer import about_problem, take_away
from privbo_core.data import Problem, to_csv
from privbo_core.outsourced import omega

SHOWN_ROWS = 100
SHOWN_COLUMNS = 8


def protected(problem: Problem) -> str:
    """Return what one unit of protected distance means, column by column."""
    moves = (
        f"{scientific(distance)}{' ' + plain(unit) if unit else ''} in {plain(name)}"
        for name, unit, distance in zip(problem.names, problem.units, problem.unit_distance, strict=True)
    )
    return ", or ".join(moves)


def column_table(problem: Problem) -> pd.DataFrame:
    """Return what was learned about each input, in original units."""
    lengthscales = problem.unit_distance * problem.kernel.lengthscale
    return pd.DataFrame(
        {
            "input": problem.names,
            "unit": problem.units,
            "from": problem.original.min(axis=0),
            "to": problem.original.max(axis=0),
            "length-scale": lengthscales,
            "one unit of protected distance": problem.unit_distance,
        }
    )


def as_html(table: pd.DataFrame) -> str:
    """Return a table as HTML that shows just its text."""
    return f"<div class='pb-grid'>{table.to_html(index=False, border=0, float_format='{:.6g}'.format)}</div>"


come_in()
colours = apply_style()
left, right = st.columns([1, 2.6], gap="medium")
with left:
    st.html("<h1 class='pb-page'>Data</h1>")
    simulation = pick_problem()
    table = upload_table()
    progress = st.empty()
    if table is not None:
        choice = choose_columns(table)
        if choice is not None:
            prepare(table, choice, progress)

problem, spectrum = simulation.problem, simulation.spectrum
setting = st.session_state.get("outsourced/last", {})
epsilon, delta, r = setting.get("epsilon", math.exp(1.1)), setting.get("delta", 1e-5), int(setting.get("r", 10))
threshold = omega(epsilon, delta, r)
with left:
    take_away(
        about_problem("Data", problem),
        lambda: scripts.data(problem, own_recipe(), epsilon, delta, r, SHOWN_COLUMNS - 1),
    )
preparation = problem.preparation
used = f"of {preparation.table_rows:,} in the table" if preparation else "made by a formula"
goal = "highest" if problem.maximize else "lowest"
with right:
    st.html(
        tiles(
            [
                ("Rows used", f"{problem.n:,}", used, "curator"),
                ("Inputs", str(problem.d), f"looking for the {goal} {plain(problem.output)}", "share"),
                ("σ<sub>min</sub>", f"{spectrum.sigma_min:,.0f}", "smallest spread of the inputs", "curator"),
                ("ω now", f"{threshold:,.0f}", f"at ε = {epsilon:.3g}, r = {r}", "share"),
            ]
        )
    )
    st.html(
        finding(
            "What one unit of protected distance hides",
            "curator",
            f"A change of one record by {protected(problem)}, if only that column changes. Larger differences are protected less.",
        )
    )
    st.page_link("pages/outsourced.py", label="Optimise it: Outsourced", icon=":material/hub:")
    first, second = st.columns([1.3, 1], gap="medium")
    with first:
        st.html(
            finding(
                "How fast the output changes along each input",
                "curator",
                "A length-scale is the change of an input that makes two outcomes nearly unrelated. A long one: this input hardly matters.",
            )
        )
        st.dataframe(column_table(problem), hide_index=True, width="stretch")
        keep_figure("columns", None, "", as_html(column_table(problem)))
        if preparation:
            st.html(
                "<div class='pb-card'><h3>How the table was prepared</h3><ul>"
                + "".join(f"<li>{plain(step)}</li>" for step in (*preparation.steps(), *preparation.warnings))
                + "</ul></div>"
            )
    with second:
        verdict = "meets" if spectrum.sigma_min >= threshold else "falls short of"
        st.html(
            finding(f"The narrowest direction, {spectrum.sigma_min:,.0f}, {verdict} ω = {threshold:,.0f}", "curator")
        )
        Chart("singular").draw(
            data_figures.singular_values(spectrum.values, threshold, colours),
            f"Singular values of the normalised inputs, the smallest {spectrum.sigma_min:.0f}, beside ω = {threshold:.0f}.",
        )
    output_name = problem.output
    output = problem.objective if problem.maximize else -problem.objective
    if preparation:
        output = preparation.output(problem.objective)
        output_name = problem.output.removeprefix("log ") if preparation.log_output else problem.output
        output_name += f" ({preparation.output_unit})" if preparation.output_unit else ""
    shown = [
        (problem.original[:, i], problem.names[i], colours.private) for i in range(min(problem.d, SHOWN_COLUMNS - 1))
    ]
    st.html(
        finding(
            "How the columns are distributed", "curator", "The output last, in its own units." if preparation else ""
        )
    )
    places = st.columns(3)
    for i, (values, name, colour) in enumerate([*shown, (output, output_name, colours.plain)]):
        with places[i % 3]:
            Chart(f"histogram-{i}").draw(data_figures.histogram(values, name, colour, colours), f"Histogram of {name}.")
    preview = pd.DataFrame(problem.original[:SHOWN_ROWS], columns=list(problem.names)).assign(
        **{f"output: {output_name}": output[:SHOWN_ROWS]}
    )
    with st.expander(f"The first {min(problem.n, SHOWN_ROWS)} rows used"):
        st.dataframe(preview, hide_index=True)
        st.download_button("Download them as CSV", to_csv(preview), "rows.csv", "text/csv")
    if table is not None and own() is simulation:
        with st.expander("The file as it was read"):
            st.dataframe(table.head(SHOWN_ROWS), hide_index=True)
