"""The figures of the Papers page show the engine's means and the papers' numbers."""

import math
from itertools import pairwise

import pytest

from pages.figures import papers as figures
from privbo_core.experiments import EXPERIMENTS
from privbo_core.experiments.contents import NEEDS, edge_of, sizes_of
from tests.helpers.charts import accepted, strict
from tests.helpers.reproduced import NOTHING, REPORTS


def traces(figure):
    return {trace["name"]: trace for trace in strict(figure.to_json())["data"] if "name" in trace}


@pytest.mark.parametrize("name", list(EXPERIMENTS))
def test_every_figure_is_one_that_plotly_accepts(name):
    for stored, live in ((NOTHING, NOTHING), (REPORTS, NOTHING), (REPORTS, REPORTS), (NOTHING, REPORTS)):
        accepted(figures.draw(stored[name], live[name]))


@pytest.mark.parametrize("name", [name for name, each in EXPERIMENTS.items() if each.kind == "table"])
def test_a_table_s_dots_are_the_printed_numbers_and_ours(name):
    report = REPORTS[name]
    drawn, sizes = traces(figures.draw(report, NOTHING[name])), sizes_of(EXPERIMENTS[name])
    for each in report.compared:
        if each.number.exact is None and each.number.counted:
            place = float(sizes.index(int(each.number.arm.removeprefix("r = "))))
            ours, paper = drawn["ours"], drawn["paper"]
            at = ours["x"].index(place)
            assert ours["y"][at] == pytest.approx(each.ours, rel=1e-5)
            assert ours["error_y"]["array"][at] == pytest.approx(each.error, rel=1e-5)
            at = paper["x"].index(place)
            assert paper["y"][at] == each.number.printed
            scatter = paper["error_y"]["array"][at]
            own = EXPERIMENTS[name].data == "own"
            assert scatter == (pytest.approx(each.printed_error, rel=1e-5) if own else 0)


@pytest.mark.parametrize("name", ["table-1", "table-5", "table-8"])
def test_the_shaded_part_is_where_the_condition_fails_in_the_paper(name):
    (shaded,) = [each for each in figures.draw(REPORTS[name], NOTHING[name]).layout["shapes"] if each["type"] == "rect"]
    sizes, edge = sizes_of(EXPERIMENTS[name]), edge_of(EXPERIMENTS[name])
    inside = [r for place, r in enumerate(sizes) if shaded["x0"] < place < shaded["x1"]]
    assert inside == [r for r in sizes if r > edge]


@pytest.mark.parametrize("name", [name for name, each in EXPERIMENTS.items() if each.kind == "curves"])
def test_curves_are_the_stored_means_and_differ_in_colour_or_style(name):
    report = REPORTS[name]
    drawn = traces(figures.draw(report, report))
    for arm in EXPERIMENTS[name].curves:
        assert drawn[arm]["y"] == pytest.approx(list(report.bands[arm].mean), rel=1e-4, abs=1e-9)
        assert drawn[f"{arm}, run live"]["y"] == drawn[arm]["y"]
    looks = [(drawn[arm]["line"]["color"], drawn[arm]["line"]["dash"]) for arm in EXPERIMENTS[name].curves]
    assert len(set(looks)) == len(looks)


def test_a_curve_along_a_setting_never_turns_back():
    """The arm that differs in something else stands apart, under its own name."""
    drawn = traces(figures.draw(REPORTS["federated-fig-2b"], NOTHING["federated-fig-2b"]))
    line = drawn["DP-FTS-DE"]
    assert line["x"] == sorted(set(line["x"]))
    assert len(line["x"]) == 7
    assert drawn["S = 11, P = 1"]["x"] == [11.0]


@pytest.mark.parametrize("name", ["bounds-epsilon", "bounds-iterations", "bounds-candidates"])
def test_bounds_are_drawn_above_what_they_bound(name):
    drawn = traces(figures.draw(REPORTS[name], NOTHING[name]))
    for bound, measured in (("Theorem 2 allows", "configuration loses"), ("Theorem 4 allows", "score is off by")):
        assert all(a > b for a, b in zip(drawn[bound]["y"], drawn[measured]["y"], strict=True))
    arms = EXPERIMENTS[name].arms
    means = [REPORTS[name].mean(arm.name, "setting_bound")[0] for arm in arms]
    assert drawn["Theorem 2 allows"]["y"] == pytest.approx(means, rel=1e-5)


def test_utility_stands_at_its_privacy_loss():
    (name,) = [name for name, each in EXPERIMENTS.items() if each.kind == "privacy"]
    report, drawn = REPORTS[name], traces(figures.draw(REPORTS[name], NOTHING[name]))
    for line, arms in (("z from 4 to 1", "q = 0.35, z = {}"), ("q from 0.1 to 0.35", "q = {}, z = 1")):
        values = (4, 3, 2, 1.6, 1) if "z from" in line else (0.1, 0.15, 0.2, 0.25, 0.35)
        for x, y, value in zip(drawn[line]["x"], drawn[line]["y"], values, strict=True):
            arm = arms.format(f"{value:g}")
            assert x == pytest.approx(report.mean(f"privacy loss, {arm}", "epsilon")[0], rel=1e-4)
            assert y == pytest.approx(report.mean(arm, "last")[0], rel=1e-4)


@pytest.mark.parametrize("name", list(EXPERIMENTS))
def test_names_beside_curves_have_room_and_lines_of_their_own(name):
    figure = figures.draw(REPORTS[name], REPORTS[name])
    ends = [each for each in figure.layout["annotations"] if each.get("name") == "end"]
    assert ends
    widest = max(len(each["text"].replace("<sup>", "").replace("</sup>", "")) for each in ends)
    assert figure.layout["margin"]["r"] >= 6 + 6 * widest
    inside = figure.height - figure.layout["margin"]["t"] - figure.layout["margin"]["b"]
    places = sorted(each["y"] * inside for each in ends)
    assert all(high - low >= 15 for low, high in pairwise(places))


@pytest.mark.parametrize("sigma_min", [0.5, 88.0, 219.0, 1030.9, 1e5])
def test_what_the_tables_need_is_drawn_to_scale(sigma_min):
    figure = figures.needs(sigma_min)
    accepted(figure)
    drawn = traces(figure)
    for need in NEEDS:
        ends = drawn[f"Table {need.table}"]["x"]
        assert ends == pytest.approx([need.least, need.most], rel=1e-4)
        assert (ends[0] <= sigma_min < ends[1]) == need.met(sigma_min)
    low, high = figure.layout["xaxis"]["range"]
    assert low < math.log10(sigma_min) < high
