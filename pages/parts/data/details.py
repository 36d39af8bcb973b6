"""The figures of the Data page, at either depth; among them what will be hidden of a record, to scale."""

import math
from textwrap import wrap
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.parts.data import view as view_room
from pages.parts.data.view import View
from pages.parts.views.content import Sample
from pages.parts.views.drawing import Place, show
from pages.parts.views.picture import NOISY, NON_PRIVATE, PAPER, PRIVATE, UNMET, Colour, Picture, nice
from pages.parts.views.text import minus, scientific, whole_text
from pages.parts.views.views import Figure, Finding, keep_figure
from privbo_core.data import Problem, to_csv
from privbo_core.errors import Array

LINE = 34  # Letters of a column's name that fit on one line below its histogram.
MOST = 1500  # Dots that are drawn.
ROUND = np.linspace(0.0, 2.0 * np.pi, 61)


def histogram(values: Array, name: str, colour: Colour) -> Picture:
    picture = Picture(height=190, margin={"l": 52, "r": 12, "t": 8, "b": 56})
    counts, edges = np.histogram(values, bins=bins(values))
    look = {"marker": {"color": colour.faded(0.65), "line": {"width": 0}}, "hovertemplate": "%{y} rows near %{x:.4g}"}
    picture.add("bar", x=(edges[1:] + edges[:-1]) / 2, y=counts, width=np.diff(edges), name=name, **look)
    picture.axis("xaxis", broken(name), **ticks(float(edges[0]), float(edges[-1])))
    picture.axis("yaxis", "rows", rangemode="tozero", tickformat=",d")
    return picture


def bins(values: Array) -> int | Array:
    """Return how many bins there are, or the edges of whole numbers': as many of them in each bin."""
    many, span = min(40, max(5, int(np.sqrt(len(values))))), np.rint(np.ptp(values)) + 1
    if not 2 <= span < 1e9 or not np.allclose(values, np.rint(values), rtol=0, atol=1e-6):
        return many
    width = np.ceil(span / many)
    return np.asarray(np.rint(values.min()) - 0.5 + width * np.arange(np.ceil(span / width) + 1))


def broken(name: str) -> str:
    """Return a long name on several lines, so that none is cut off."""
    return "\n".join(wrap(name, LINE, max_lines=2, placeholder=" …"))


def ticks(low: float, high: float) -> dict[str, Any]:
    """Return round tick marks from ``low`` to ``high``, written as numbers are written everywhere."""
    step = nice(max(high - low, 1e-300) / 5)
    places = [step * k for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    large = max(abs(low), abs(high)) >= 1e6 or digits > 4
    text = [scientific(round(place, 12)) if large else minus(f"{place + 0.0:,.{digits}f}") for place in places]
    return {"tickvals": places, "ticktext": text}


def singular_values(values: Array, threshold: float) -> Picture:
    """Draw the singular values of the normalised inputs beside ω at the present setting."""
    picture = Picture(height=230, margin={"l": 56, "r": 84, "t": 8, "b": 44})
    wide, met = len(values) - 1, values[-1] >= threshold
    shades = [shade.faded(0.75) for shade in [PRIVATE] * wide + [PRIVATE if met else UNMET]]
    marker = {"color": shades, "pattern": {"shape": [""] * wide + ["" if met else "/"]}}
    x, text = [str(i + 1) for i in range(len(values))], [whole_text(value) for value in values]
    look = {"textposition": "outside", "cliponaxis": False, "hovertemplate": "%{y:.1f}"}
    picture.add("bar", x=x, y=values, name="singular value", marker=marker, text=text, **look)
    picture.level(threshold, NON_PRIVATE)
    # In the margin, where no bar can be.
    picture.label(1, threshold, f"ω = {whole_text(threshold)}", NON_PRIVATE, xref="paper", xshift=4)
    picture.axis("xaxis", "direction of the inputs, from widest to narrowest", type="category")
    picture.axis("yaxis", "singular value", range=[0, 1.15 * max(float(values[0]), threshold)])
    return picture


def two_columns(problem: Problem, sample: Sample) -> list[int]:
    """Return the columns that are drawn, those that are spoken of first; the same one twice if there is but one."""
    spoken = [problem.names.index(each.name) for each in sample.columns if each.name in problem.names]
    order = dict.fromkeys((*spoken, *range(problem.d)))
    return sorted([*order][:2]) if problem.d > 1 else [0, 0]


def in_frame(problem: Problem, column: int) -> Array:
    """Return a column as it will be handed out but for the noise: what lies outside of its frame, at the edge."""
    frame = problem.frame.columns[column]
    return np.clip(problem.original[:, column], frame.low, frame.high)


def middle_one(points: Array, hide: Array) -> int:
    away = (points - np.median(points, axis=0)) / hide
    return int((away**2).sum(axis=1).argmin())


def hidden_change(problem: Problem, sample: Sample, hides: tuple[str, ...]) -> Picture:
    """Draw the records and what will be hidden (``hides``: that in words); beside a single column, the outcome."""
    picture = Picture(height=380, margin={"l": 64, "r": 16, "t": 12, "b": 48})
    (across, up), single = two_columns(problem, sample), problem.d == 1
    frame, frame_up = problem.frame.columns[across], problem.frame.columns[up]
    x, y = in_frame(problem, across), problem.objective if single else in_frame(problem, up)
    wide, high = frame.hide, 0.0 if single else frame_up.hide
    chosen = middle_one(np.column_stack([x, y]), np.array([wide, high or float(np.ptp(y)) or 1.0]))
    drawn = np.random.default_rng(0).choice(problem.n, min(MOST, problem.n), replace=False)
    picture.marks(x[drawn], y[drawn], sample.one, color=NON_PRIVATE.faded(0.28), size=5)
    left, low = x[chosen], y[chosen]
    around, edge = (left + wide * np.cos(ROUND), low + high * np.sin(ROUND)), {"color": NOISY, "width": 2.5}
    picture.area(*around, NOISY.faded(0.25), line=edge, name="hidden")
    picture.line([left - wide, left + wide], [low, low], NOISY, hoverinfo="skip")
    picture.line([left, left], [low - high, low + high], NOISY, hoverinfo="skip")
    dot = {"color": NON_PRIVATE, "size": 7, "line": {"color": PAPER, "width": 1.5}}
    picture.add("scatter", x=[left], y=[low], mode="markers", hoverinfo="skip", marker=dot)
    above = {"xanchor": "center", "yanchor": "bottom", "yshift": 6, "bgcolor": PAPER, "size": 15}
    picture.label(left, low + high, f"hidden of this {sample.one}:\n{hides[0]}", NOISY, **above)
    ends = (float(y.min()), float(y.max())) if single else (frame_up.low, frame_up.high)
    picture.axis("xaxis", sample.label(problem, across), range=_room(frame.low, frame.high))
    named = f"{problem.output}, not hidden" if single else sample.label(problem, up)
    picture.axis("yaxis", named, range=_room(*ends))
    return picture


def _room(low: float, high: float) -> list[float]:
    """Return an axis from low to high with some room at both ends."""
    room = 0.03 * (high - low) or 1.0
    return [low - room, high + room]


SHOWN_ROWS, SHOWN_INPUTS = 100, 7


def show_inputs(view: View) -> None:
    first, second = st.columns([1.3, 1], gap="medium")
    with first:
        show(view_room.COLUMNS)
        learned = view_room.learned(view.problem)
        st.dataframe(learned, hide_index=True, width="stretch")
        keep_figure(Figure("columns", view_room.COLUMNS, table=view_room.as_table(learned)))
        if box := view_room.prepared(view.problem):
            show(box)
    with second:
        spectrum, threshold = view.spectrum, view.condition.omega
        picture = singular_values(spectrum.values, threshold)
        alt = f"Singular values of the normalised inputs, the smallest {whole_text(spectrum.sigma_min)}"
        alt = f"{alt}, beside ω = {whole_text(threshold)}."
        verdict = "meets" if spectrum.sigma_min >= threshold else "falls short of"
        found = f"The narrowest direction, {spectrum.sigma_min:,.0f}, {verdict} ω = {threshold:,.0f}"
        narrowest = Finding(found, "curator")
        Place("singular").draw(Figure("singular", narrowest, picture, alt))


def show_distributions(problem: Problem) -> None:
    inputs = zip(problem.original.T[:SHOWN_INPUTS], problem.names, strict=False)
    columns = [(values, name, PRIVATE) for values, name in inputs]
    columns.append((*view_room.output(problem), NON_PRIVATE))
    note = "The output last, in its own units." if problem.preparation else ""
    finding = Finding("How the columns are distributed", "curator", note)
    show(finding)
    places = st.columns(3)
    for i, (values, name, colour) in enumerate(columns):
        slot, picture = f"histogram-{i}", histogram(values, name, colour)
        with places[i % 3]:
            Place(slot, titled=False).draw(Figure(slot, finding, picture, f"Histogram of {name}."))


def show_rows(problem: Problem) -> None:
    values, name = view_room.output(problem)
    rows = pd.DataFrame(problem.original[:SHOWN_ROWS], columns=list(problem.names))
    rows = rows.assign(**{f"output: {name}": values[:SHOWN_ROWS]})
    with st.expander(f"The first {min(problem.n, SHOWN_ROWS)} rows used"):
        st.dataframe(rows, hide_index=True)
        st.download_button("Download them as CSV", to_csv(rows), "rows.csv", "text/csv")
