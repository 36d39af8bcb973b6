"""Figures as values: what the browser gets is JSON that Plotly accepts, and no label covers another."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui.figure import LABEL_HEIGHT, NON_PRIVATE, PRIVATE, Figure, Stroke, faded
from tests.helpers.charts import accepted, strict

STROKE = Stroke(PRIVATE)
HEIGHT, TOP, BOTTOM = 280, 8, 44
INSIDE = HEIGHT - TOP - BOTTOM


def labels(figure):
    """Return the places of the names at the ends of curves, in pixels from the foot of the plot."""
    found = [each for each in figure.layout["annotations"] if each.get("name") == "end"]
    assert {(each["xref"], each["yref"], each["xanchor"], each["yanchor"]) for each in found} <= {
        ("paper", "paper", "left", "middle")
    }
    assert all(each["x"] >= 1 and each["xshift"] > 0 for each in found)  # in the margin, where no curve is
    return {each["text"]: each["y"] * INSIDE for each in found}


@given(st.lists(st.floats(-2, 12), min_size=1, max_size=INSIDE // LABEL_HEIGHT + 1))
def test_end_labels_never_overlap_and_stay_in_the_plot(ends):
    figure = Figure(HEIGHT)
    figure.axis("y", "regret", (0, 10))
    figure.end_labels([(end, f"curve {number}", STROKE) for number, end in enumerate(ends)])
    places = sorted(labels(figure).values())
    assert len(places) == len(ends)
    assert all(high - low >= LABEL_HEIGHT - 1e-6 for low, high in itertools.pairwise(places))
    assert places[0] >= -1e-6
    assert places[-1] <= INSIDE + 1e-6


@given(st.lists(st.floats(1e-3, 1e7), min_size=1, max_size=6, unique=True))
def test_end_labels_keep_the_order_of_their_curves(ends):
    figure = Figure(HEIGHT)
    figure.log_axis("y", "", (1e-2, 1e6))
    figure.end_labels([(end, f"{end!r}", STROKE) for end in ends])
    places = labels(figure)
    inside = [end for end in sorted(ends) if 1e-2 <= end <= 1e6]
    assert sorted(inside, key=lambda end: places[repr(end)]) == inside


@given(st.floats(0.2, 0.9))
def test_a_lone_label_stands_beside_the_end_of_its_curve(share):
    figure = Figure(HEIGHT)
    figure.axis("y", "regret", (0, 10))
    figure.end_labels([(10 * share, "alone", STROKE)])
    assert labels(figure)["alone"] == pytest.approx(share * INSIDE)
    figure = Figure(HEIGHT)
    figure.log_axis("y", "", (0.01, 100))
    figure.end_labels([(10 ** (4 * share - 2), "alone", STROKE)])
    assert labels(figure)["alone"] == pytest.approx(share * INSIDE)


def test_a_curve_that_ends_below_a_log_axis_is_named_at_its_foot():
    figure = Figure(HEIGHT)
    figure.log_axis("y", "", (0.01, 100))
    figure.end_labels([(0.0, "zero", STROKE), (-1.0, "below", STROKE)])
    assert min(labels(figure).values()) == 0


def test_each_name_is_in_the_phone_s_legend_once():
    figure = Figure(HEIGHT)
    figure.axis("y", "regret", (0, 1))
    dashed = Stroke(NON_PRIVATE, "dash")
    figure.end_labels([(0.5, "one", STROKE), (0.2, "two", dashed)])
    figure.end_labels([(0.5, "three", STROKE), (0.2, "two", dashed)], right=0.4)
    legend = strict(figure.to_json())["legend"]
    assert sorted(each["name"] for each in legend) == ["one", "three", "two"]
    assert {"name": "two", "colour": NON_PRIVATE, "dash": "dash"} in legend


NUMBERS = st.lists(st.one_of(st.floats(), st.sampled_from([math.nan, math.inf, -math.inf, 0.0])), min_size=1)


@given(NUMBERS, st.sampled_from([list, np.array, tuple]))
def test_a_number_that_is_not_finite_is_a_gap(values, kind):
    figure = Figure()
    x = kind(range(len(values)))
    figure.line(x, kind(values), STROKE, "line")
    figure.points(x, kind(values), PRIVATE, "points")
    figure.bars(x, kind(values), PRIVATE, "bars", width=np.ones(len(values)))
    figure.band(x, kind(values), kind(values), PRIVATE)
    drawn = strict(figure.to_json())["data"]
    for y in [trace["y"] for trace in drawn[:3]]:
        assert [each is None for each in y] == [not math.isfinite(value) for value in values]
        assert all(
            math.isclose(each, value, rel_tol=1e-5) for each, value in zip(y, values, strict=True) if each is not None
        )


def test_a_log_axis_takes_the_values_of_the_axis():
    figure = Figure()
    figure.log_axis("x", "ε", (0.1, 200))
    figure.log_axis("y2", "", (5, 3e5), (10, 1000), anchor="x2")
    figure.log_axis("x2", "r", (1, 100), anchor="y2")
    figure.label(10.0, 1000.0, "here", axes=2)
    figure.region(1.0, 10.0, PRIVATE)
    figure.upright(3.0, STROKE)
    layout = figure.layout
    assert layout["xaxis"]["range"] == pytest.approx([-1, math.log10(200)])
    assert layout["xaxis"]["tickvals"] == pytest.approx([0.1, 1, 10, 100])
    assert layout["xaxis"]["ticktext"] == ["0.1", "1", "10", "100"]
    assert layout["yaxis2"]["tickvals"] == [10, 1000]
    # Plotly takes logarithms for the places of annotations, and values for those of shapes.
    (note,) = layout["annotations"]
    assert (note["x"], note["y"], note["xref"], note["yref"]) == (1, 3, "x2", "y2")
    assert [(shape["x0"], shape["x1"]) for shape in layout["shapes"]] == [(1.0, 10.0), (3.0, 3.0)]


def test_plotly_accepts_everything_that_a_figure_can_draw():
    figure = Figure(300, right=80)
    figure.axis("x", "x", (0, 1), domain=[0, 0.4])
    figure.log_axis("y", "y", (1, 100))
    figure.axis("x2", "x2", (0, 1), domain=[0.6, 1], anchor="y2")
    figure.axis("y2", "y2", (0, 1), anchor="x2")
    for axes in (1, 2):
        figure.line([0, 1], [1, 2], Stroke(PRIVATE, "dashdot", 3), "line", "y = %{y:.3f}", axes)
        figure.band([0, 1], [1, 1], [2, 2], faded(PRIVATE, 0.15), axes)
        figure.points([0.5], [1], PRIVATE, "point", "%{x}", axes, size=9, symbol="circle-open")
        figure.bars([0, 1], [1, 2], PRIVATE, "bars", "%{y}", axes, width=0.3)
        figure.region(0.1, 0.2, faded(NON_PRIVATE, 0.1), axes)
        figure.level(1.5, STROKE, axes)
        figure.upright(0.5, STROKE, axes)
        figure.label(0.5, 1.5, "label", axes=axes, yanchor="bottom", xshift=4, size=13)
        figure.end_labels([(1.5, "line", STROKE)], axes)
    found = accepted(figure)
    assert len(found.data) == 8
    assert len(found.layout.shapes) == 6
    assert min(each.font.size for each in found.layout.annotations) >= 12


def test_a_handle_keeps_its_curve_and_its_place():
    figure = Figure()
    figure.handle("r", "Dimension r", 7, (1, 10, 100), np.array([1.0, 2.0, 3.0]), axes=2)
    (handle,) = strict(figure.to_json())["handles"]
    place = {"slider": "r", "label": "Dimension r", "value": 7, "x": [1, 10, 100], "y": [1, 2, 3], "axes": 2}
    assert handle == {**place, "line": "", "text": "", "stops": []}


def test_two_lines_cross_on_their_curve_and_the_level_one_has_stops():
    figure = Figure()
    curve, stops = ((1, 10), np.array([4.0, 2.0])), [(1, 4), (np.float64(10), 2)]
    figure.line_handles("epsilon", 1, curve, ("ε", "ε = 1"), ("cost", "4 tests"), stops)
    upright, level = strict(figure.to_json())["handles"]
    for handle, line, text in ((upright, "upright", "ε = 1"), (level, "level", "4 tests")):
        assert (handle["slider"], handle["value"], handle["x"], handle["y"]) == ("epsilon", 1, [1, 10], [4, 2])
        assert (handle["line"], handle["text"]) == (line, text)
    assert (upright["stops"], level["stops"]) == ([], [[1, 4], [10, 2]])


def test_a_surface_has_a_row_for_each_y():
    figure = Figure()
    figure.surface([0, 1, 2], [5, 6], [[1, 2, 3], [4, math.inf, 6]])
    (drawn,) = accepted(figure).data
    assert drawn.type == "heatmap"
    assert [list(row) for row in drawn.z] == [[1, 2, 3], [4, None, 6]]
