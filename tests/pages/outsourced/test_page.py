"""The Outsourced page without a browser: it shows the numbers that the engine computes."""

import re
import sys
from dataclasses import replace

import numpy as np
import pytest

import privbo_core as pb
from pages import ui
from privbo_core.outsourced import Setting, largest_r, noise_deviation, omega, smallest_epsilon
from privbo_core.privacy import strength
from tests.helpers.charts import charts, handles, traces
from tests.helpers.numbers import numbers, tells
from tests.helpers.reading import html, press
from tests.helpers.searched import MECHANISMS, NAMES, open_few, searched, simulation
from tests.helpers.shown import (
    guarantee,
    headline,
    move,
    open_sections,
    sections,
    sliders,
    tables,
    tiles,
    titles,
)

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
    app = open_few(data=data, epsilon=epsilon, delta=delta, r=r)
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
    drawn = charts(open_few(data=data, epsilon=epsilon, delta=delta, r=r))["condition"]
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
    app = open_few(data=data, release=release, measure=measure, **query)
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
    app = open_few(data=data, release=release, epsilon=setting["epsilon"], T=T)
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
    app = open_few(data=data, release="noisy", epsilon="1")
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
    app = open_few(data=data, release="noisy", epsilon=epsilon, delta=delta, distance=distance)
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
    app = open_few(release=release)
    assert "pb-refuted" in guarantee(app)
    assert "pb-is-refuted" in guarantee(app)
    assert tells(guarantee(app), 3, 1e-5)
    assert " protection" not in guarantee(app).replace("-differential privacy", "")
    assert re.search(r'<p class="pb-lead[^>]*><span class="pb-badge pb-refuted"', html(app)), "beside the headline too"
    assert tells(headline(app)[1], 3)  # d + 1 records are enough for the attack


def test_another_rule_is_drawn_thin_beside_the_suited_one():
    app = open_few(search="ei", release="noisy", data="hospital", epsilon="1")
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
    band, added = other.band("noisy"), other.cost("noisy")
    error, least = float(band.standard_error[-1]), float(added.standard_error)
    assert numbers(note)[1:] == [
        pytest.approx(band.mean[-1], abs=error / 2),
        pytest.approx(error, rel=0.5),
        pytest.approx(abs(added.mean), abs=least / 2),
    ]
    assert (" more " in note) == (added.mean > 0)
    finding, below = headline(app)
    assert ("β/5" in finding) == (pb.data.suited_search(pb.data.sample("hospital")) == "ucb/5"), "what it is about"
    assert "Expected improvement" in below, "what is drawn thin"


def test_nothing_is_said_of_a_single_run(monkeypatch):
    """Its standard error is not a number, and nothing is said of it while the runs come in one by one."""
    said = []
    monkeypatch.setattr(sys.modules["pages.ui.follow"], "REDRAW_INTERVAL", -1.0)
    for name in ("headline", "title"):
        shown = getattr(ui, name)
        monkeypatch.setattr(ui, name, lambda *texts, _shown=shown, **how: said.append(texts) or _shown(*texts, **how))
    open_few(search="ei", epsilon="2.2345")
    counts = [numbers(text) for texts in said for text in map(str, texts) if "simulated searches" in text]
    assert len(counts) > 3, "the runs came in one by one"
    assert "nan" not in str(said)


def test_the_suited_rule_by_its_name_is_no_other_rule():
    suited = pb.data.suited_search(pb.data.sample("hospital"))
    drawn = traces(charts(open_few(search=suited, data="hospital", release="noisy"))["regret"])
    assert not [name for name in drawn if "other" in name]


def single_runs(app):
    return {name: trace for name, trace in traces(charts(app)["regret"]).items() if re.search(r"run \d+$", name)}


def test_single_searches_are_those_behind_the_mean():
    app = open_few(epsilon="1")
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


@pytest.mark.parametrize("release", MECHANISMS)
def test_all_sections_open(release):
    app = open_sections(open_few(release=release, T="6", runs="5"))
    assert len(sections(app)) == (3 if release == "noisy" else 6)
    assert {"condition", "regret", "maps"} <= charts(app).keys()
    assert ("meaning" in charts(app)) == (release == "noisy")
    assert ({"distances", "sweep-r", "sweep-epsilon"} <= charts(app).keys()) == (release != "noisy")


def test_what_an_epsilon_means_is_the_engine_s():
    app = open_sections(open_few(release="noisy", data="hospital", epsilon="2", T="6", runs="5"))
    promise = simulation("hospital").noisy_guarantee(Setting(2.0, 1e-5, 10, 6), "two")
    curve = traces(charts(app)["meaning"])["best attacker"]
    assert np.interp(1.0, curve["x"], curve["y"]) == pytest.approx(100 * promise.attack_accuracy, abs=0.3)
    assert curve["y"] == sorted(curve["y"])
    words = " ".join(each.value for each in app.markdown)
    twice, ten = (pb.privacy.group_epsilon(2.0, 1e-5, times) for times in (2.0, 10.0))
    assert tells(words, 2, strength(promise).percent, twice, ten)
    assert tells(words, pb.privacy.gaussian_epsilon(1e-5, 1.0, 2 * promise.mu))  # four releases


def test_the_sweeps_and_the_theory_are_the_engine_s():
    app = open_sections(open_few(T="6", runs="5", epsilon="4"))
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


@pytest.mark.parametrize("epsilon", [1.0, 4.0])
def test_theorem_3_gives_a_bound_only_where_its_condition_holds(epsilon):
    """Without σ_min ≥ ω a constant that the paper's text does not give takes the place of ε_ucb (Remark 2)."""
    app = open_sections(open_few(T="6", runs="5", epsilon=str(epsilon)))
    (rows,) = [dict(table[1:]) for table in tables(app) if table and table[0][0].startswith("Theorem 3")]
    met = simulation("synthetic").spectrum.sigma_min >= pb.outsourced.omega(epsilon, 1e-5, 10)
    assert met == (epsilon == 4.0)
    for name in ("Bound", "Term ε"):
        (value,) = [value for label, value in rows.items() if label.startswith(name)]
        assert bool(re.match(r"[\d.]", value)) == met, value
    problem = pb.data.sample("synthetic")
    runs = searched("synthetic", runs=5, epsilon=epsilon, iterations=6).private
    ratio = min(pb.outsourced.dominance_margin(problem.points[run.rows[:-1]], problem.kernel) for run in runs)
    (shown,) = [value for label, value in rows.items() if label.startswith("Diagonal")]
    assert tells(shown, ratio)


def test_maps_show_the_rows_that_were_evaluated():
    app = open_sections(open_few(T="6", runs="5", data="homes", epsilon="20"))
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
