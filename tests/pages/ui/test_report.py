"""A report is one file in which text stays text, and whose frames are those that it was given."""

import json

import numpy as np
import pytest

from pages.ui import cards, report
from pages.ui.figure import PRIVATE, Figure, Stroke
from pages.ui.report import FigureCard, Frame, Pool, Report, halving, write_report
from tests.helpers.reports import Reader, checked

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)><!-- \u2028"


def figure_at(value, name="curve"):
    drawn = Figure()
    x = np.linspace(0, 1, 30)
    drawn.line(x, value * x, Stroke(PRIVATE), cards.axis_name(name, ""))
    drawn.line(x, x**2, Stroke(PRIVATE), "the same")
    drawn.handle("epsilon", name, value, [0.1, 1], [0, 1])
    drawn.handle("r", name, value, [0.1, 1], [0, 1])
    return drawn


def frame_at(value, name="curve", kind=None):
    shown = FigureCard("curve", name, name, figure_at(value, name), name, covered=kind is not None)
    tiles = [cards.Tile(name, f"{value:g}", name, kind), cards.Tile("other", "17", kind="holder")]
    return Frame(cards.headline(f"{name} {value:g}", name), tiles, [shown], f"<p>{cards.to_html(name)}</p>")


def report_of(name="curve", **more):
    return Report(name, name, "epsilon", name, 3.0, (0.1, 1.0, 10.0), frame_at, None, [(name, name)], **more)


def packed(values, *given):
    return {value: frame_at(value, *given).packed() for value in values}


def test_frames_come_out_as_they_went_in():
    frames = packed((0.1, 3.0, 10.0))
    data = checked(write_report(report_of(), frames, covered_only=False))
    assert data["now"] == 3.0
    assert list(data["frames"]) == [0.1, 3.0, 10.0]
    for value, frame in data["frames"].items():
        given = json.loads(frames[value])
        assert frame["headline"] == given["headline"]
        assert frame["tiles"] == [tile["html"] for tile in given["tiles"]]
        (card,), (original,) = frame["figures"], given["figures"]
        assert card["heading"] == original["heading"]
        for drawn, wanted in zip(card["figure"]["data"], original["figure"]["data"], strict=True):
            assert drawn["y"] == pytest.approx(wanted["y"], rel=1e-4)
        assert [handle["slider"] for handle in card["figure"]["handles"]] == ["epsilon"]


def test_what_frames_share_is_written_once():
    pool = Pool()
    curve = [float(each) for each in range(40)]
    first, second = (pool.put({"x": curve, "y": [value, *curve]}) for value in (1.0, 2.0))
    assert first != second
    assert pool.parts.count(curve) == 1


def test_hostile_names_stay_text():
    made = report_of(HOSTILE)
    text = write_report(made, packed((0.1, 3.0), HOSTILE), covered_only=False)
    data = checked(text)
    read = Reader(text)
    assert "img" not in read.tags
    assert HOSTILE.strip() in read.text
    for frame in data["frames"].values():
        for part in (frame["headline"], *frame["tiles"], frame["guarantee"], frame["figures"][0]["heading"]):
            assert {"script", "img"} & {*Reader(part).tags} == set()
        names = [trace["name"] for trace in frame["figures"][0]["figure"]["data"]]
        assert not any("<script" in name or "<img" in name for name in names)


def test_a_report_of_what_is_covered_has_nothing_else():
    frames = packed((0.1, 3.0), "open") | packed((1.0,), "covered", "covered")
    made = report_of(own=True, guaranteed=True)
    data = checked(write_report(made, frames, covered_only=True))
    assert data["frames"][0.1]["tiles"] == data["frames"][0.1]["figures"] == []
    assert len(data["frames"][1.0]["tiles"]) == len(data["frames"][1.0]["figures"]) == 1
    assert all(frame["headline"] == "" for frame in data["frames"].values())
    everything = checked(write_report(made, frames, covered_only=False))
    assert len(everything["frames"][0.1]["tiles"]) == 2


def test_the_names_of_own_data_are_left_out():
    made = report_of(own=True)
    text = write_report(
        Report("Page", "secret.csv", "epsilon", "ε", 3.0, made.values, frame_at, None, own=True),
        packed((3.0,)), covered_only=True,
    )  # fmt: skip
    assert "secret" not in text


@pytest.mark.parametrize("many", [1, 2, 3, 12, 49])
def test_values_are_computed_from_far_apart_to_close(many):
    values = tuple(float(each) for each in range(many))
    order = halving(values)
    assert sorted(order) == list(values)
    for so_far in range(2, many + 1):
        gaps = np.diff(sorted(order[:so_far]))
        assert gaps.max() <= max(1, 4 * gaps.min()), "no part is left out for long"


def test_a_script_that_ends_its_element_would_be_found():
    for number in (report.LIBRARY, report.HERE / "charts.js", report.HERE / "report.js"):
        assert "</script" not in number.read_text("utf-8").lower()
