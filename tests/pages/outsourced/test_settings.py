"""Settings of the Outsourced page: presets, the address, what is asked for in vain, and other pages in between."""

import math

import numpy as np
import pytest

from privbo_core.outsourced import largest_r
from tests.helpers.charts import charts, traces
from tests.helpers.numbers import numbers, tells
from tests.helpers.opening import open_page
from tests.helpers.reading import address, asked_in_vain, button, press
from tests.helpers.reproduced import OUTCOMES, REPORTS
from tests.helpers.searched import open_few, searched
from tests.helpers.shown import (
    errors,
    headline,
    move,
    open_more,
    sliders,
    tiles,
    titles,
    values,
)

TABLES = {"Table 1": ("table-1", 10), "Table 2": ("table-2", 15), "Table 3": ("table-3", 20)}


@pytest.mark.parametrize(("name", "experiment", "arm"), [
    *((name, experiment, f"r = {r}") for name, (experiment, r) in TABLES.items()),
    ("Figure 2a", "outsourced-fig-2a", "ε = e^1.1"),
])  # fmt: skip
def test_a_preset_sets_every_control_as_the_paper_did(name, experiment, arm):
    changed = {"data": "homes", "release": "noisy", "search": "ei", "rows": "once", "initial": "9", "delta_ucb": "0.2",
               "lengthscale": "2", "signal": "3", "answer_noise": "4", "distance": "2", "epsilon": "7", "delta": "1e-3",
               "T": "11", "runs": "10"}  # fmt: skip
    app = press(open_more(open_few(**changed)), name)
    (made,) = [each for each in REPORTS[experiment].experiment.arms if each.name == arm]
    now, asked = values(app), address(app)
    assert now["epsilon"] == pytest.approx(made.settings["epsilon"], rel=1e-5)
    assert (now["delta"], now["r"], now["T"]) == (
        made.settings["delta"], made.settings["r"], made.settings["iterations"]
    )  # fmt: skip
    assert (now["initial"], now["delta_ucb"]) == (5, 0.05)
    assert {now[key] for key in ("lengthscale", "signal", "answer_noise")} == {1}
    assert (asked["search"], asked["rows"]) == ("ucb", "again")
    assert not {"data", "release"} & {*asked}, "the synthetic sample and the projection are the first choices"
    again = open_more(open_few(**{**asked, "T": asked["T"], "runs": asked["runs"]}))
    assert values(again) == now


@pytest.mark.parametrize("name", TABLES)
def test_a_preset_s_numbers_agree_with_papers(name):
    """The page searches one function. The stored results have twenty of the same kind, and the same condition."""
    app = press(open_few(runs="40"), name)
    experiment, r = TABLES[name]
    stored = {each.name: each for each in REPORTS[experiment].experiment.arms}
    measured = REPORTS[experiment]
    met, spread, *_ = tiles(app)
    condition = next(each for each in OUTCOMES.values() if each.experiment == experiment and each.arm == "condition")
    assert tells(spread[1], round(condition.measures["sigma_min"][0]))
    assert met[1] == "Met"
    assert measured.mean("condition", "largest")[0] == r
    assert largest_r(1030.9, values(app)["epsilon"], 1e-5) >= r
    ends = {name: trace["y"][-1] for name, trace in traces(charts(app)["regret"]).items()}
    for curve, arm in (("projection", f"r = {r}"), ("non-private", "non-private"), ("random search", "random search")):
        assert arm in stored
        of_functions = [value for each in OUTCOMES.values() if (each.experiment, each.arm) == (experiment, arm)
                        for value in each.measures["last"]]  # fmt: skip
        assert len(of_functions) == 20
        assert min(of_functions) <= ends[curve] <= max(of_functions)


PRINTED = {"Table 1": 0.014, "Table 2": 0.008, "Table 3": 0.002}
"""The regret that the paper prints at the largest r that meets the condition."""


@pytest.mark.parametrize("name", PRINTED)
def test_one_click_shows_the_printed_regret(name):
    """It agrees up to the spread between functions, of which the paper has one and the page another."""
    app = press(open_few(runs="40"), name)
    experiment, r = TABLES[name]
    (number,) = [each for each in REPORTS[experiment].compared if each.number.label.split()[-1] == str(r)]
    assert number.number.printed == PRINTED[name]
    of_functions = [value for each in OUTCOMES.values() if (each.experiment, each.arm) == (experiment, f"r = {r}")
                    for value in each.measures["last"]]  # fmt: skip
    (note,) = [note for _, note in titles(app) if "Thin" in note]
    runs, end, error, added = numbers(note)
    assert runs == 40
    assert end == pytest.approx(traces(charts(app)["regret"])["projection, other rule"]["y"][-1], abs=1.1 * error)
    assert abs(end - PRINTED[name]) < 3 * np.std(of_functions)
    if name == "Table 1":
        assert added == pytest.approx(0.011, abs=3 * error), "Section 5.1 prints how much the release adds"


LINKS = [
    {"release": "noisy", "distance": "2", "measure": "cumulative", "data": "branin", "epsilon": "1.23457"},
    {"release": "both", "r": "3", "delta": "2.5e-07", "search": "ei", "rows": "again", "data": "loans"},
    {"initial": "9", "delta_ucb": "0.2", "lengthscale": "2", "signal": "0.5", "answer_noise": "4", "epsilon": "1000"},
    {"data": "homes", "epsilon": "0.01", "r": "100", "T": "20", "runs": "5"},
]


@pytest.mark.parametrize("link", LINKS)
def test_a_link_brings_everything_back(link):
    app = open_few(**link)
    assert not app.info
    assert address(app).items() >= link.items()
    again = open_page("outsourced", **address(app))
    assert address(again) == address(app)
    assert values(again) == values(app)
    assert (headline(again), tiles(again)) == (headline(app), tiles(app))
    assert {slot: chart["data"] for slot, chart in charts(again).items()} == {
        slot: chart["data"] for slot, chart in charts(app).items()
    }


def test_every_slider_and_choice_is_in_the_address_and_reaches_the_search():
    app = open_more(open_few())
    first = searched()
    moved = {"epsilon": 1.0, "delta": 1e-3, "r": 4, "T": 15, "runs": 8}
    move(app, "outsourced", **moved)
    model = {"initial": 8, "delta_ucb": 0.3, "lengthscale": 2.0, "signal": 0.5, "answer_noise": 3.0}
    move(app, "outsourced/more", **model)
    app.selectbox(key="rows").set_value("again").run()
    assert {key: float(address(app)[key]) for key in (*moved, *model)} == {**moved, **model}
    assert address(app)["rows"] == "again"
    changed = searched(runs=8, epsilon=1.0, delta=1e-3, r=4, iterations=15, once=False, **model)
    curve = traces(charts(app)["regret"])["projection"]["y"]
    assert curve == pytest.approx(list(changed.band("private").mean), rel=1e-4, abs=1e-9)
    assert list(first.band("private").mean) != curve[:12]


BAD = [
    ("epsilon", "-1"), ("epsilon", "nan"), ("epsilon", "1e999"), ("r", "2.5"), ("r", "<b>x</b>"), ("delta", "0"),
    ("delta", "1e-30"), ("T", "![](//a.bc/d)"), ("T", "9" * 5000), ("runs", ""), ("delta_ucb", "oops"),
    ("data", "x" * 10_000), ("data", "../../etc/passwd"), ("release", "<b>x</b>"), ("measure", ""),
    ("search", "zz"), ("rows", "🦊"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "bad"), BAD, ids=[f"{name}={bad[:9]}" for name, bad in BAD])
def test_a_bad_address_gets_a_sentence_and_the_rest_counts(name, bad):
    rest = {"T": "14", "runs": "8", "r": "7"} | {name: bad}
    app = open_page("outsourced", **rest)
    (notice,) = [each.value for each in app.info]
    assert len(notice) < 300
    for sign in "[]()<>":
        assert notice.count(sign) == notice.count(f"\\{sign}")
    assert bad[:20] in asked_in_vain(app)
    assert address(app).get(name) != bad
    assert all(address(app)[key] == value for key, value in rest.items() if key != name)
    assert headline(app)


def test_all_that_an_address_asks_for_in_vain_is_named():
    app = open_page("outsourced", epsilon="-1", r="2.5", delta="x", T="nan", search="zz", data="yy", runs="5")
    assert len(app.info) == 6
    assert tells(asked_in_vain(app), 0.01, 1000, 1, 100)


def test_reset_brings_the_first_values_back():
    changed = {"epsilon": "1", "r": "3", "T": "14", "runs": "9", "delta": "1e-3", "search": "ei", "rows": "again",
               "initial": "9", "lengthscale": "2"}  # fmt: skip
    app = press(open_page("outsourced", **changed), "Reset")
    first = sliders(open_more(open_page("outsourced")))
    assert values(app) == {key: slider["value"] for key, slider in first.items()}
    assert not {"search", "rows"} & {*address(app)}


def test_the_same_epsilon_on_a_later_visit():
    app = open_few(epsilon="5")
    app.switch_page("pages/start.py").run()
    app.query_params.clear()
    app.switch_page("pages/outsourced.py").run()
    assert values(app)["epsilon"] == 5
    assert address(app)["epsilon"] == "5"


def test_choices_stay_while_other_pages_are_visited():
    app = open_few(release="noisy", data="homes", search="ei", measure="cumulative", distance="3")
    before = address(app)
    app.switch_page("pages/start.py").run()
    app.query_params.clear()
    app.switch_page("pages/outsourced.py").run()
    assert address(app).items() >= before.items()


def test_a_link_within_the_app_counts_although_there_are_earlier_settings():
    app = open_few(release="noisy", epsilon="5")
    app.switch_page("pages/start.py").run()
    app.query_params.clear()
    app.query_params["release"], app.query_params["epsilon"] = "projection", "0.7"
    app.switch_page("pages/outsourced.py").run()
    assert "r" in values(app)
    assert values(app)["epsilon"] == 0.7


def test_the_first_visit_shows_the_paper_s_setting():
    app = open_page("outsourced")
    assert address(app).keys() == {*values(open_more(app))}
    now = values(app)
    assert (now["epsilon"], now["delta"], now["r"], now["T"], now["runs"]) == (3, 1e-5, 10, 30, 40)
    assert not errors(app)
    assert button(app, "Table 1")
    assert math.isclose(charts(app)["condition"]["handles"][0]["value"], 3)
