"""Settings of the Release page: presets, the address, what is asked for in vain, and other pages in between."""

import math

import numpy as np
import pytest

from privbo_core.release import Design, prior_task
from tests.helpers.charts import charts
from tests.helpers.numbers import numbers, tells
from tests.helpers.opening import open_page
from tests.helpers.reading import address, asked_in_vain, press
from tests.helpers.released import come, designed, losses_of, task_of
from tests.helpers.reproduced import OUTCOMES, REPORTS
from tests.helpers.shown import headline, move, open_sections, tables, tiles, values

PRESETS = {"Bounds (ICML)": "icml", "Bounds (workshop)": "workshop"}
CHANGED = {"task": "svm", "algorithm": "2 exact", "publish": "setting", "epsilon": "7", "delta": "0.1", "k1": "0.5",
           "T": "11", "a": "2", "A": "3", "tau": "2", "candidates": "50", "sigma": "0.7"}  # fmt: skip


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_sets_every_control_as_on_papers(name):
    app = press(come(**CHANGED), name)
    (arm,) = [each for each in REPORTS["bounds-epsilon"].experiment.arms if each.name == "ε = 1"]
    known, now, asked = arm.settings, values(app), address(app)
    assert [now[key] for key in ("epsilon", "delta", "k1", "sigma", "a")] == [
        known[key] for key in ("epsilon", "delta", "k1", "sigma", "a")
    ]
    assert now["T"] == known["iterations"]
    assert "candidates" not in asked or asked["candidates"] == "200"
    assert (asked["task"], asked["algorithm"]) == ("prior", "1 noisy")
    assert asked.get("paper", "ICML").lower() == PRESETS[name]
    assert known["candidates"] == 200
    again = come(**asked)
    assert (values(again), tiles(again)) == (now, tiles(app))


@pytest.mark.parametrize("experiment", ["bounds-epsilon", "bounds-iterations", "bounds-candidates"])
def test_a_preset_has_the_bounds_of_papers_and_one_control_leads_to_each_of_the_others(experiment):
    """Papers has the version of the ICML paper. Each of its arms changes one control of the preset."""
    report = REPORTS[experiment]
    key = {"bounds-epsilon": "epsilon", "bounds-iterations": "T", "bounds-candidates": "candidates"}[experiment]
    for arm in report.experiment.arms[1::2]:
        value = arm.settings[report.experiment.x_key]
        app = press(come(), "Bounds (ICML)")
        if key == "candidates":
            app.selectbox(key=key).set_value(f"{value:.0f}").run()
        else:
            move(app, "release", **{key: value})
        setting, score = (report.mean(arm.name, f"{what}_bound")[0] for what in ("setting", "score"))
        assert tells(tiles(app)[-1][1], float(f"{setting:.3g}"))
        app = open_sections(app)
        sums = [each["x"][0] for each in charts(app)["terms"]["data"] if each["marker"]["symbol"] == "diamond"]
        assert [sums[1], sums[3]] == pytest.approx([setting, score], rel=1e-4)


def test_a_preset_searches_the_function_that_papers_searched():
    app = press(come(), "Bounds (ICML)")
    (stored,) = [each for each in OUTCOMES.values() if (each.experiment, each.arm, each.first) ==
                 ("bounds-epsilon", "ε = 1", 0)]  # fmt: skip
    scores = next(each for each in charts(app)["configuration"]["data"] if each.get("name") == "true score")["y"]
    assert np.ptp(scores) == pytest.approx(stored.measures["range"][0], rel=1e-4)


def test_the_workshop_version_differs_from_the_icml_version_as_its_formulas_do():
    bounds = {}
    for name, variant in PRESETS.items():
        app = open_sections(press(come(), name))
        bounds[variant] = [each["x"][0] for each in charts(app)["terms"]["data"]
                           if each["marker"]["symbol"] == "diamond"]  # fmt: skip
        known = Design("noisy", 1.0, variant=variant).publication(prior_task(200)).bounds(3.0)
        assert bounds[variant] == pytest.approx([bound.value for bound in known.values()], rel=1e-4)
    assert bounds["icml"][1] < bounds["workshop"][1], "the workshop's Theorem 2 has two more terms"


LINKS = [
    {"algorithm": "1 noisy", "paper": "workshop", "publish": "score", "epsilon": "12.3", "k1": "0.876543"},
    {"algorithm": "2 exact", "task": "svm", "A": "2", "tau": "0.3", "T": "20", "delta": "2.5e-05", "a": "1.5"},
    {"algorithm": "3 Lipschitz", "lambda_min": "0.4", "lambda_max": "0.9", "L": "0.3", "g": "2", "m": "100"},
    {"way": "exponential", "publish": "setting and score", "epsilon": "0.01"},
    {"task": "prior", "candidates": "50", "algorithm": "1 noisy", "epsilon": "1000", "T": "30"},
]  # fmt: skip


@pytest.mark.parametrize("link", LINKS)
def test_a_link_brings_everything_back(link):
    app = come(**link)
    assert not app.info
    assert address(app).items() >= link.items()
    again = come(**address(app))
    assert address(again) == address(app)
    assert (values(again), headline(again), tiles(again)) == (values(app), headline(app), tiles(app))
    assert {slot: chart["data"] for slot, chart in charts(again).items()} == {
        slot: chart["data"] for slot, chart in charts(app).items()
    }


MOVES = [
    ("1 noisy", {"epsilon": 40.0, "delta": 0.01, "k1": 0.5, "T": 12, "sigma": 0.5, "a": 2.0}),
    ("2 exact", {"epsilon": 9.0, "delta": 0.2, "k1": 0.7, "T": 9, "A": 4.0, "tau": 0.05, "a": 1.0}),
]


@pytest.mark.parametrize(("algorithm", "moved"), MOVES)
def test_every_slider_is_in_the_address_and_reaches_the_engine(algorithm, moved):
    app = come(algorithm=algorithm)
    for number, (key, value) in enumerate(moved.items(), 1):
        before = open_sections(app)
        before = {slot: chart["data"] for slot, chart in charts(before).items()}
        move(app, "release", number, **{key: value})
        now = {slot: chart["data"] for slot, chart in charts(app).items()}
        assert now != before, f"{key} changes no figure"
    assert {key: float(address(app)[key]) for key in moved} == moved
    known = {key: value for key, value in moved.items() if key not in ("a", "T")}
    design = designed(algorithm, **known, iterations=moved["T"])
    lost = 100 * float(np.mean(losses_of(design, task_of())))
    assert tells(headline(app)[0], round(lost, 2))
    bounds = design.publication(task_of()).bounds(moved["a"])
    sums = [each["x"][0] for each in charts(app)["terms"]["data"] if each["marker"]["symbol"] == "diamond"]
    assert sums == pytest.approx([100 * bound.value for bound in bounds.values()], rel=1e-4)


BAD = [
    ("epsilon", "-1"), ("epsilon", "nan"), ("epsilon", "1e999"), ("T", "2.5"), ("T", "<b>x</b>"), ("delta", "0"),
    ("k1", "1.5"), ("sigma", "one"), ("a", "![](//a.bc/d)"), ("T", "9" * 5000), ("delta", ""),
    ("task", "x" * 10_000), ("task", "../../etc/passwd"), ("paper", "<b>x</b>"), ("publish", "everything"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "bad"), BAD, ids=[f"{name}={bad[:9]}" for name, bad in BAD])
def test_a_bad_address_gets_a_sentence_and_the_rest_counts(name, bad):
    rest = {"T": "14", "sigma": "0.3", "algorithm": "1 noisy"} | {name: bad}
    app = come(**rest)
    (notice,) = [each.value for each in app.info]
    assert len(notice) < 300
    for sign in "[]()<>":
        assert notice.count(sign) == notice.count(f"\\{sign}")
    assert bad[:20] in asked_in_vain(app)
    assert address(app).get(name) != bad
    assert all(address(app)[key] == value for key, value in rest.items() if key != name)
    assert numbers(headline(app)[0])


def test_all_that_an_address_asks_for_in_vain_is_named():
    app = come(algorithm="1 noisy", epsilon="0", k1="1.5", sigma="one", T="1", paper="zz")
    assert len(app.info) == 5
    assert tells(asked_in_vain(app), 0.01, 1000, 1.5, 1, 2, 200)


def test_a_mechanism_that_does_not_apply_says_what_it_needs_and_keeps_its_settings():
    app = come(algorithm="3 Lipschitz", task="svm", epsilon="5")
    assert charts(app) == {}
    assert headline(app)[1]
    assert values(app)["epsilon"] == 5
    app.selectbox(key="task").set_value("logistic").run()
    assert charts(app)
    assert charts(come(task="prior")) == {}, "private selection needs m"


def test_reset_brings_the_first_values_back_and_keeps_what_is_looked_at():
    app = press(come(**CHANGED), "Reset")
    assert (address(app)["task"], address(app)["algorithm"]) == ("svm", "2 exact")
    first = values(open_page("release", algorithm="2 exact", task="svm"))
    assert values(app) == first


def test_epsilon_is_kept_from_page_to_page_and_choices_stay():
    app = come(algorithm="1 noisy", task="svm", paper="workshop", epsilon="500", k1="0.8")
    before = address(app)
    app.switch_page("pages/outsourced.py").run()
    assert values(app)["epsilon"] == 500
    app.switch_page("pages/start.py").run()
    app.query_params.clear()
    app.switch_page("pages/release.py").run()
    assert address(app).items() >= before.items()


def test_a_link_within_the_app_counts_although_there_are_earlier_settings():
    app = come(algorithm="1 noisy", epsilon="5")
    app.switch_page("pages/start.py").run()
    app.query_params.clear()
    app.query_params["algorithm"], app.query_params["epsilon"] = "selection", "0.7"
    app.switch_page("pages/release.py").run()
    assert values(app).keys() == {"epsilon", "a"}
    assert values(app)["epsilon"] == 0.7


@pytest.mark.parametrize("name", PRESETS)
def test_one_click_shows_the_constants_of_the_papers_formulas(name):
    """β_T = 2 log(|Λ|T²π²/3δ), c = 2√((1 − k₁) log(3|Λ|/δ)), C₁ = 8/log(1 + σ⁻²), and q with 8 or, before, 4."""
    app = open_sections(press(come(**CHANGED), name))
    candidates, T, k1, sigma, delta = 200, 50, 0.99, 0.1, 1e-3
    (constants,) = [{row[0]: row[1] for row in table} for table in tables(app) if table[0][0] == "Constant"]
    expected = {
        "βT": 2 * math.log(candidates * T**2 * math.pi**2 / (3 * delta)),
        "c": 2 * math.sqrt((1 - k1) * math.log(3 * candidates / delta)),
        "q": sigma * math.sqrt((8 if PRESETS[name] == "icml" else 4) * math.log(3 / delta)),
        "C₁": 8 / math.log(1 + sigma**-2),
        "δ of each publication": delta,
    }
    for constant, value in expected.items():
        assert float(constants[constant]) == pytest.approx(value, rel=5e-3), constant
