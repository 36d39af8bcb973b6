"""What σ_min the outsourced paper's tables need, and where that of a dataset stands."""

import math
from collections.abc import Mapping, Sequence

import streamlit as st

from pages.parts.reproduce.tables import VERDICTS, difference_text
from pages.parts.table.own_table import pick_problem
from pages.parts.views.content import prose
from pages.parts.views.drawing import Place, heading, note, show
from pages.parts.views.palette import MET, NON_PRIVATE, PRIVATE, UNMET
from pages.parts.views.picture import Picture
from pages.parts.views.text import SIGMA_MIN, SIGMA_Y, whole_text
from pages.parts.views.views import Figure, Finding, Table, Tile, table
from privbo_core.experiments import Report
from privbo_core.experiments.papers.contents import NEEDS, Trend, trends

TICKS = (50, 100, 200, 500, 1000, 2000)


def show_needs(reports: Mapping[str, Report]) -> None:
    """Let a person pick a dataset, and show its σ_min beside what each table needs."""
    heading("What a dataset needs, and where yours stands")
    left, right = st.columns([1, 2.2], gap="large")
    with left:
        simulation = pick_problem()
        sigma_min = simulation.spectrum.sigma_min
        show(tiles(sigma_min))
    with right:
        Place("reproduce-needs").draw(figure(simulation.problem.title, sigma_min))
        note(
            f"Each bar: the {SIGMA_MIN} at which the condition holds up to the table’s r and fails at the next. Scaled "
            "to norm 25."
        )
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(prose("reproduce", "what a dataset needs"))
    with right:
        st.markdown(prose("reproduce", "what stand-ins show"))
        show(trends_table(trends(reports)))


def trends_table(results: Sequence[Trend]) -> Table:
    """Return the pooled trends on made-up data, each with its verdict."""
    rows = []
    for each in results:
        mark, words, _ = VERDICTS[each.judged.verdict]
        margin = difference_text(each.judged.difference, each.judged.error)
        rows.append(
            (f"made-up {each.data}: {each.judged.claim.text}", f"{margin} {SIGMA_Y}", f"{mark} {words}", f"{each.sets}")
        )
    return table(("Tables 4–6, 7–9", "regret above the best r’s", "", "data sets"), rows, "grid")


def tiles(sigma_min: float) -> tuple[Tile, ...]:
    """Return a dataset's σ_min, and its ratio to what the middle table of each of the paper's three datasets needs."""
    middle = [need for need in NEEDS if need.table in (2, 5, 8)]
    ratios = [f"{sigma_min / need.least:.2f}" for need in middle]
    names = ", ".join(f"Table {need.table}" for need in middle)
    return (
        Tile(
            f"{SIGMA_MIN} of the present dataset", whole_text(sigma_min), "of the centred inputs at norm 25", "curator"
        ),
        Tile(f"{SIGMA_MIN}/ω", " · ".join(ratios), f"at the ε, δ and best r of {names}; wanted: 1 to 1.2", "curator"),
    )


def finding(title: str, sigma_min: float) -> Finding:
    """Return which tables' condition falls on this dataset where it fell in the paper."""
    met = [str(need.table) for need in NEEDS if need.met(sigma_min)]
    low = [str(need.table) for need in NEEDS if sigma_min < need.least]
    high = [str(need.table) for need in NEEDS if sigma_min >= need.most]
    verdicts = (("fits", met), ("is too small for", low), ("is too large for", high))
    parts = [f"{words} Table{'s' * (len(tables) > 1)} {', '.join(tables)}" for words, tables in verdicts if tables]
    return Finding(f"{SIGMA_MIN} = {whole_text(sigma_min)} of “{title}” {'; '.join(parts)}", "curator")


def figure(title: str, sigma_min: float) -> Figure:
    """Draw the interval of σ_min that each table needs, and a dataset's own."""
    chart = Picture(330, margin={"l": 150, "r": 70, "t": 24, "b": 46})
    rows = list(range(len(NEEDS)))
    for row, need in zip(rows, NEEDS, strict=True):
        fits = need.met(sigma_min)
        colour = MET if fits else UNMET
        chart.line(
            [need.least, need.most],
            [row, row],
            colour,
            width=9,
            hovertemplate=f"Table {need.table}: from {whole_text(need.least)} to {whole_text(need.most)}",
        )
        chart.label(math.log10(need.most), row, f"{'✓' if fits else '✗'} r = {need.edge}", colour, xshift=8)
    chart.upright(sigma_min, PRIVATE, width=2)
    chart.label(
        math.log10(sigma_min),
        1,
        f"{SIGMA_MIN} = {whole_text(sigma_min)}",
        PRIVATE,
        yref="paper",
        yanchor="bottom",
        xanchor="center",
    )
    ends = [sigma_min, *(need.least for need in NEEDS), *(need.most for need in NEEDS)]
    chart.axis(
        "xaxis",
        f"{SIGMA_MIN} needed, logarithmic",
        type="log",
        tickvals=TICKS,
        ticktext=[whole_text(tick) for tick in TICKS],
        range=[math.log10(0.7 * min(ends)), math.log10(1.5 * max(ends))],
        linecolor=NON_PRIVATE.faded(0.3),
    )
    chart.axis(
        "yaxis",
        tickvals=rows,
        ticktext=[f"Table {need.table}, ε = e^{math.log(need.epsilon):g}" for need in NEEDS],
        range=[len(NEEDS) - 0.4, -0.6],
    )
    alt = (
        f"For each of nine tables the interval of σ_min that it needs, and {whole_text(sigma_min)}, that of the "
        "dataset chosen."
    )
    return Figure("reproduce-needs", finding(title, sigma_min), chart, alt)
