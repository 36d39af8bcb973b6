"""The figures of the Data page: nothing over a bar, nothing cut, numbers as people write them."""

import numpy as np
import pandas as pd
import pytest

from pages.parts.data import details, view
from pages.parts.views.picture import PRIVATE, Picture
from privbo_core.data import Frame, FrameColumn
from tests.helpers.reading import numbers

COLUMNS = [(-30, -2), (-0.02, 0.04), (200, 36_000), (-3e6, 9e6), (5, 5)]


@pytest.mark.parametrize("values", [np.linspace(low, high, 99) for low, high in COLUMNS])
def test_ticks_have_real_minus_signs_and_commas(values):
    axis = details.histogram(values, "x", PRIVATE).layout["xaxis"]
    assert axis["tickvals"]
    for place, text in zip(axis["tickvals"], axis["ticktext"], strict=True):
        assert "-" not in text
        assert ("−" in text.replace("10⁻", "")) == (place < -1e-9)
        assert "," in text or "·" in text or "10" in text or abs(place) < 1000
    assert len(set(axis["ticktext"])) == len(axis["ticktext"])


def test_long_names_are_broken_and_end_in_dots():
    (long, short) = "average number of daily visits to the outpatient clinic of each of the wards", "age"
    lines = details.broken(long).split("\n")
    assert len(lines) == 2
    assert all(len(line) <= details.LINE for line in lines)
    assert lines[-1].endswith("…")
    assert details.broken(short) == short


@pytest.mark.parametrize("threshold", [5.0, 80.0, 5823.0])
def test_omega_stands_in_the_margin_where_no_bar_can_be(threshold):
    picture = details.singular_values(np.array([90.0, 60.0, 30.0]), threshold)
    (label,) = picture.layout["annotations"]
    assert label["xref"] == "paper"
    assert label["x"] == 1
    assert label["xanchor"] == "left"
    assert picture.layout["margin"]["r"] >= 7 * len(label["text"])
    assert numbers(label["text"]) == [threshold]


@pytest.mark.parametrize(("high", "width"), [(12, 1), (40, 3), (59, 4)])
def test_bars_of_whole_numbers_hold_as_many_of_them_each(high, width):
    times = 300 // (high + 1)
    values = np.repeat(np.arange(high + 1.0), times)
    bar = details.histogram(values, "age", PRIVATE).data[0]
    assert set(bar["width"]) == {width}
    assert set(bar["y"][:-1]) == {width * times}
    assert sum(bar["y"]) == len(values)


def test_tables_of_the_page_have_real_minus_signs():
    frame = Frame((FrameColumn("a", "m", -1200, 3500, 0.2, 1.5),))
    cells = [cell.text for cell in view.frame_table(frame).body[0].cells]
    assert "−1,200" in cells
    assert "3,500" in cells
    table = view.as_table(pd.DataFrame({"from": [-0.916, 36_000.0]}))
    assert [row.cells[0].text for row in table.body] == ["−0.916", "36,000"]


def test_every_axis_writes_thousands_one_way():
    layout = Picture().layout
    assert layout["xaxis"]["separatethousands"]
    assert layout["yaxis"]["separatethousands"]
