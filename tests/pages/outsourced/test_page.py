"""The Outsourced page without a browser: it shows the numbers that the engine computes, and says what it can't show."""

import math
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.outsourced import Setting, Simulation, largest_r, noise_deviation, omega, smallest_epsilon
from privbo_core.privacy import strength
from tests.helpers.charts import charts, handles, traces
from tests.helpers.numbers import numbers, tells
from tests.helpers.opening import open_page
from tests.helpers.reading import address, asked_in_vain, button, html, press
from tests.helpers.reproduced import OUTCOMES, REPORTS
from tests.helpers.shown import (
    errors,
    guarantee,
    headline,
    move,
    open_sections,
    sections,
    sliders,
    tiles,
    titles,
    values,
)

FEW = {"T": "12", "runs": "10"}
MECHANISMS = {"projection": ("private",), "noisy": ("noisy",), "both": ("private", "noisy")}
NAMES = {"private": "projection", "noisy": "noisy release", "plain": "non-private", "noiseless": "non-private"}


def opened(state=None, **query):
    return open_page("outsourced", state, **FEW | query)


@cache
def simulation(name):
    return Simulation(pb.data.sample(name))


@cache
def searched(name="synthetic", release="projection", runs=10, **setting):
    """Return all runs at these settings, computed here."""
    how = {"epsilon": 3.0, "delta": 1e-5, "r": 10, "iterations": 12, "once": True}
    how["search"] = pb.data.suited_search(pb.data.sample(name))
    *_, found = simulation(name).compare(Setting(**how | setting), runs, MECHANISMS[release])
    return found


CONDITIONS = [
    ("synthetic", 3.0, 1e-5, 10),
    ("synthetic", 1.0, 1e-5, 10),
    ("synthetic", 2.5, 1e-6, 3),
    ("homes", 150.0, 1e-3, 2),
    ("branin", 0.01, 0.1, 100),
    ("loans", 1000.0, 1e-9, 1),
]


@pytest.mark.parametrize(("data", "epsilon", "delta", "r"), CONDITIONS)
def test_the_condition_is_the_engine_s(data, epsilon, delta, r):
    app = opened(data=data, epsilon=epsilon, delta=delta, r=r)
    sigma_min, needed = simulation(data).spectrum.sigma_min, omega(epsilon, delta, r)
    smallest, largest = smallest_epsilon(sigma_min, delta, r), largest_r(sigma_min, epsilon, delta)
    met, spread, threshold, _ = tiles(app)
    assert (met[1] == "Met") == (sigma_min >= needed)
    assert tells(met[2], smallest)
    assert tells(spread[1], round(sigma_min))
    assert tells(threshold[1], round(needed))
    assert tells(threshold[2], epsilon, delta, r)
    shown = sliders(app)
    assert [mark["at"] for mark in shown["epsilon"]["marks"]] == pytest.approx([smallest])
    assert [mark["at"] for mark in shown["r"]["marks"]] == [largest]
    drawn = charts(app)["condition"]
    assert tells(drawn["alt"], round(sigma_min), round(needed))


@pytest.mark.parametrize(("data", "epsilon", "delta", "r"), CONDITIONS)
def test_the_curves_of_omega_are_the_engine_s(data, epsilon, delta, r):
    drawn = charts(opened(data=data, epsilon=epsilon, delta=delta, r=r))["condition"]
    found, dots = traces(drawn), handles(drawn)
    for x, y in zip(found["ω(ε)"]["x"], found["ω(ε)"]["y"], strict=True):
        assert y == pytest.approx(omega(x, delta, r), rel=1e-4)
    for x, y in zip(found["ω(r)"]["x"], found["ω(r)"]["y"], strict=True):
        assert y == pytest.approx(omega(epsilon, delta, round(x)), rel=1e-4)
    assert found["σ_min"]["y"] == pytest.approx([simulation(data).spectrum.sigma_min] * 2, rel=1e-4)
    assert (dots["epsilon"]["value"], dots["r"]["value"]) == (epsilon, r)
    assert dots["epsilon"]["x"] == pytest.approx(found["ω(ε)"]["x"], rel=1e-4)
    assert dots["r"]["y"] == pytest.approx(found["ω(r)"]["y"], rel=1e-4)
    words = " ".join(each["text"] for each in drawn["layout"]["annotations"])
    smallest, largest = (
        smallest_epsilon(simulation(data).spectrum.sigma_min, delta, r),
        largest_r(simulation(data).spectrum.sigma_min, epsilon, delta),
    )
    assert tells(words, smallest) == (0.1 < smallest < 200)
    assert (f"= {largest}" in words) == (1 <= largest < 100)


SEARCHES = [
    ("synthetic", "projection", {"epsilon": 3.0}),
    ("synthetic", "projection", {"epsilon": 0.5}),
    ("hospital", "noisy", {"epsilon": 1.0}),
    ("homes", "both", {"epsilon": 20.0}),
    ("branin", "noisy", {"epsilon": 2.0, "protected_distance": 2.0}),
]


@pytest.mark.parametrize(("data", "release", "setting"), SEARCHES)
@pytest.mark.parametrize("measure", ["simple", "cumulative"])
def test_the_regret_is_the_engine_s(data, release, setting, measure):
    query = {"epsilon": setting["epsilon"], "distance": setting.get("protected_distance", 1)}
    app = opened(data=data, release=release, measure=measure, **query)
    found, lead = searched(data, release, **setting), MECHANISMS[release][0]
    cost = found.cost(lead, measure)
    title, below = headline(app)
    assert tells(below, 10)
    if cost.clear:
        assert any(tells(title, round(abs(cost.mean), digits)) for digits in range(5))
    else:
        assert numbers(title) == [12], "no cost where none was measured"
    for end in (cost.low, cost.high):
        assert any(number == pytest.approx(end, abs=0.5 * max(cost.standard_error, 1e-4)) for number in numbers(below))
    drawn = traces(charts(app)["regret"])
    policies = ("random", *found.references, *MECHANISMS[release])
    names = {policy: NAMES.get(policy, "random search") for policy in policies}
    if len(found.references) > 1:  # each release has the reference of its own analyst's model
        (names["noiseless"],) = set(drawn) - {*names.values()}
    for policy, name in names.items():
        curve = drawn[name]
        assert curve["y"] == pytest.approx(list(found.band(policy, measure).mean), rel=1e-4, abs=1e-9)
        assert curve["x"] == list(range(1, 13))
    assert set(drawn) == {*names.values()}


@pytest.mark.parametrize(("data", "release", "setting"), SEARCHES[:4])
@pytest.mark.parametrize("T", [12, 30])
def test_the_extra_evaluations_are_the_engine_s(data, release, setting, T):
    app = opened(data=data, release=release, epsilon=setting["epsilon"], T=T)
    found = searched(data, release, iterations=T, **setting)
    rank = pb.data.rank_sought(pb.data.sample(data))
    extra = found.extra_evaluations(MECHANISMS[release][0], rank)
    _, value, remark = tiles(app)[-1]
    said = f"{value} {remark}"
    assert rank == 1 or tells(remark, rank)
    if not extra.plain_reached:
        assert tells(value, extra.limit)
    elif not extra.private_reached:
        assert tells(said, extra.limit, extra.plain, extra.limit - extra.plain)
    else:
        assert tells(remark, extra.private, extra.plain)
        assert bool(numbers(value)) == extra.significant
        if extra.significant:
            assert tells(said, extra.extra, extra.low, extra.high)


@pytest.mark.parametrize("data", ["synthetic", "hospital", "homes"])
def test_the_title_says_who_beats_random_search(data):
    app = opened(data=data, release="noisy", epsilon="1")
    found = searched(data, "noisy", epsilon=1.0)
    private, plain = found.lead("noisy"), found.lead(found.reference("noisy"))
    title, _ = titles(app)[-1]
    assert ("non-private" in title) == (not plain.low > 0)
    assert tells(title, 12)
    assert charts(app)["regret"]["alt"].startswith(title)
    if plain.low > 0:
        assert (re.search(r"\bis clearly ahead\b", title) is not None) == (private.low > 0)


@pytest.mark.parametrize(
    ("data", "epsilon", "delta", "distance"),
    [("hospital", 1.0, 1e-5, 1.0), ("homes", 20.0, 1e-3, 3.0), ("loans", 0.5, 1e-9, 0.5)],
)
def test_the_noise_and_its_guarantee_are_the_engine_s(data, epsilon, delta, distance):
    app = opened(data=data, release="noisy", epsilon=epsilon, delta=delta, distance=distance)
    problem, setting = pb.data.sample(data), Setting(epsilon, delta, 10, 12, protected_distance=distance)
    frame = problem.frame
    sigma = noise_deviation(epsilon, delta, bounds=frame.bounds, protected_distance=distance, d=frame.d)
    noise, lengths, protected, _ = tiles(app)
    assert tells(noise[1], sigma)
    prior = simulation(data).prior(setting).lengthscales
    assert tells(lengths[1], prior.min(), prior.max())
    assert tells(protected[1], distance)
    drawn = charts(app)["condition"]
    curve, dots = traces(drawn)["noise σ"], handles(drawn)
    assert np.interp(epsilon, curve["x"], curve["y"]) == pytest.approx(sigma, rel=0.05)
    assert (dots["epsilon"]["value"], [*dots]) == (epsilon, ["epsilon"])
    promise = simulation(data).noisy_guarantee(setting, "two")
    card = guarantee(app)
    assert "pb-proven" in card
    assert tells(card, epsilon, delta, promise.mu, strength(promise).percent)
    assert strength(promise).word in card
    for column in frame.columns:
        assert column.name in card
        assert tells(card, distance * column.hide)
    assert sliders(app)["epsilon"]["marks"] == []
    assert "r" not in sliders(app)


@pytest.mark.parametrize("release", ["projection", "both"])
def test_the_projection_is_refuted_and_has_no_word_for_strength(release):
    app = opened(release=release)
    assert "pb-refuted" in guarantee(app)
    assert "pb-is-refuted" in guarantee(app)
    assert tells(guarantee(app), 3, 1e-5)
    assert " protection" not in guarantee(app).replace("-differential privacy", "")
    assert re.search(r'<p class="pb-lead[^>]*><span class="pb-badge pb-refuted"', html(app)), "beside the headline too"
    assert tells(headline(app)[1], 3)  # d + 1 records are enough for the attack


def test_another_rule_is_drawn_thin_beside_the_suited_one():
    app = opened(search="ei", release="noisy", data="hospital", epsilon="1")
    drawn = charts(app)["regret"]["data"]
    other = searched("hospital", "noisy", epsilon=1.0, search="ei")
    widths = {}
    for policy in ("noisy", other.reference("noisy")):
        name = f"{NAMES[policy]}, other rule"
        curve = traces({"data": drawn})[name]
        assert curve["y"] == pytest.approx(list(other.band(policy).mean), rel=1e-4, abs=1e-9)
        widths[name] = curve["line"]["width"]
    own = searched("hospital", "noisy", epsilon=1.0)
    assert traces({"data": drawn})["noisy release"]["y"] == pytest.approx(list(own.band("noisy").mean), rel=1e-4)
    assert max(widths.values()) < traces({"data": drawn})["noisy release"]["line"]["width"]
    _, note = titles(app)[-1]
    ends = [other.band(policy).mean[-1] for policy in ("noisy", other.reference("noisy"))]
    assert all(any(number == pytest.approx(end, abs=0.05) for number in numbers(note)) for end in ends)


def test_the_suited_rule_by_its_name_is_no_other_rule():
    suited = pb.data.suited_search(pb.data.sample("hospital"))
    drawn = traces(charts(opened(search=suited, data="hospital", release="noisy"))["regret"])
    assert not [name for name in drawn if "other" in name]


def single_runs(app):
    return {name: trace for name, trace in traces(charts(app)["regret"]).items() if re.search(r"run \d+$", name)}


def test_single_searches_are_those_behind_the_mean():
    app = opened(epsilon="1")
    assert single_runs(app) == {}
    found = searched(epsilon=1.0)
    for number in range(3):
        press(app, "Show single" if not number else "Next")
        shown = single_runs(app)
        assert len(shown) == 3
        for policy in ("private", "plain", "random"):
            name = f"{NAMES.get(policy, 'random search')}, run {number + 1}"
            assert shown[name]["y"] == pytest.approx(list(found.curves(policy)[number]), rel=1e-4, abs=1e-9)
    app.session_state["single"] = 9
    move(app, "outsourced", runs=5)  # there is no run 10 any more
    assert {name.rpartition(" ")[2] for name in single_runs(app)} == {"5"}
    press(app, "Next")
    assert {name.rpartition(" ")[2] for name in single_runs(app)} == {"1"}
    press(app, "Show the mean")
    assert single_runs(app) == {}


TABLES = {"Table 1": ("table-1", 10), "Table 2": ("table-2", 15), "Table 3": ("table-3", 20)}


@pytest.mark.parametrize(("name", "experiment", "arm"), [
    *((name, experiment, f"r = {r}") for name, (experiment, r) in TABLES.items()),
    ("Figure 2a", "outsourced-fig-2a", "ε = e^1.1"),
])  # fmt: skip
def test_a_preset_sets_every_control_as_the_paper_did(name, experiment, arm):
    changed = {"data": "homes", "release": "noisy", "search": "ei", "rows": "once", "initial": "9", "delta_ucb": "0.2",
               "lengthscale": "2", "signal": "3", "answer_noise": "4", "distance": "2", "epsilon": "7", "delta": "1e-3",
               "T": "11", "runs": "10"}  # fmt: skip
    app = press(opened(**changed), name)
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
    again = opened(**{**asked, "T": asked["T"], "runs": asked["runs"]})
    assert values(again) == now


@pytest.mark.parametrize("name", TABLES)
def test_a_preset_s_numbers_agree_with_papers(name):
    """The page searches one function. The stored results have twenty of the same kind, and the same condition."""
    app = press(opened(runs="40"), name)
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


LINKS = [
    {"release": "noisy", "distance": "2", "measure": "cumulative", "data": "branin", "epsilon": "1.23457"},
    {"release": "both", "r": "3", "delta": "2.5e-07", "search": "ei", "rows": "again", "data": "loans"},
    {"initial": "9", "delta_ucb": "0.2", "lengthscale": "2", "signal": "0.5", "answer_noise": "4", "epsilon": "1000"},
    {"data": "homes", "epsilon": "0.01", "r": "100", "T": "20", "runs": "5"},
]


@pytest.mark.parametrize("link", LINKS)
def test_a_link_brings_everything_back(link):
    app = opened(**link)
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
    app = opened()
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
    ("data", "x" * 10_000), ("data", "own"), ("data", "../../etc/passwd"), ("release", "<b>x</b>"), ("measure", ""),
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
    assert values(app) == {key: slider["value"] for key, slider in sliders(open_page("outsourced")).items()}
    assert not {"search", "rows"} & {*address(app)}


def test_the_same_epsilon_on_a_later_visit():
    app = opened(epsilon="5")
    app.switch_page("pages/start.py").run()
    app.query_params.clear()
    app.switch_page("pages/outsourced.py").run()
    assert values(app)["epsilon"] == 5
    assert address(app)["epsilon"] == "5"


def test_choices_stay_while_other_pages_are_visited():
    app = opened(release="noisy", data="homes", search="ei", measure="cumulative", distance="3")
    before = address(app)
    app.switch_page("pages/start.py").run()
    app.query_params.clear()
    app.switch_page("pages/outsourced.py").run()
    assert address(app).items() >= before.items()


def test_a_link_within_the_app_counts_although_there_are_earlier_settings():
    app = opened(release="noisy", epsilon="5")
    app.switch_page("pages/start.py").run()
    app.query_params.clear()
    app.query_params["release"], app.query_params["epsilon"] = "projection", "0.7"
    app.switch_page("pages/outsourced.py").run()
    assert "r" in values(app)
    assert values(app)["epsilon"] == 0.7


@pytest.mark.parametrize("release", MECHANISMS)
def test_all_sections_open(release):
    app = open_sections(opened(release=release, T="6", runs="5"))
    assert len(sections(app)) == (3 if release == "noisy" else 6)
    assert {"condition", "regret", "maps"} <= charts(app).keys()
    assert ("meaning" in charts(app)) == (release == "noisy")
    assert ({"distances", "sweep-r", "sweep-epsilon"} <= charts(app).keys()) == (release != "noisy")


def test_what_an_epsilon_means_is_the_engine_s():
    app = open_sections(opened(release="noisy", data="hospital", epsilon="2", T="6", runs="5"))
    promise = simulation("hospital").noisy_guarantee(Setting(2.0, 1e-5, 10, 6), "two")
    curve = traces(charts(app)["meaning"])["best attacker"]
    assert np.interp(1.0, curve["x"], curve["y"]) == pytest.approx(100 * promise.attack_accuracy, abs=0.3)
    assert curve["y"] == sorted(curve["y"])
    words = " ".join(each.value for each in app.markdown)
    twice, ten = (pb.privacy.group_epsilon(2.0, 1e-5, times) for times in (2.0, 10.0))
    assert tells(words, 2, strength(promise).percent, twice, ten)
    assert tells(words, pb.privacy.gaussian_epsilon(1e-5, 1.0, 2 * promise.mu))  # four releases


def test_the_sweeps_and_the_theory_are_the_engine_s():
    app = open_sections(opened(T="6", runs="5", epsilon="4"))
    drawn = traces(charts(app)["sweep-r"])["projection"]
    own = Setting(4.0, 1e-5, 10, 6, search=pb.data.suited_search(pb.data.sample("synthetic")), once=True)
    for r, mean in zip(drawn["x"], drawn["y"], strict=True):
        runs = [
            trace.simple_regret[-1] for trace in simulation("synthetic").stream("private", replace(own, r=int(r)), 10)
        ]
        assert mean == pytest.approx(np.mean(runs) / pb.data.sample("synthetic").sigma_y, rel=1e-4)
    assert len(drawn["x"]) >= 6
    assert charts(app)["sweep-epsilon"]["layout"]["xaxis"]["type"] == "log"
    assert "10" in html(app)


def test_maps_show_the_rows_that_were_evaluated():
    app = open_sections(opened(T="6", runs="5", data="homes", epsilon="20"))
    trace = searched("homes", runs=1, epsilon=20.0, iterations=6).private[0]
    points = [each for each in charts(app)["maps"]["data"] if each["name"] == "evaluated rows"]
    assert [len(each["x"]) for each in points] == [11, 11]
    original = pb.data.sample("homes").original[trace.rows]
    assert points[0]["x"] == pytest.approx(list(original[:, 0]), rel=1e-5)
    for T, t in ((6, 2), (5, 5)):  # fewer evaluations than before
        move(app, "outsourced", number=T, T=T)
        (slider,) = app.slider
        slider.set_value(t).run()
        points = [each for each in charts(app)["maps"]["data"] if each["name"] == "evaluated rows"]
        assert [len(each["x"]) for each in points] == [5 + t] * 2


def test_the_first_visit_shows_the_paper_s_setting():
    app = open_page("outsourced")
    assert address(app).keys() == {*values(app)}
    now = values(app)
    assert (now["epsilon"], now["delta"], now["r"], now["T"], now["runs"]) == (3, 1e-5, 10, 30, 40)
    assert not errors(app)
    assert button(app, "Table 1")
    assert math.isclose(charts(app)["condition"]["handles"][0]["value"], 3)
