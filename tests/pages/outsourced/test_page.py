"""The pages without a browser: they run, say what is wrong, and draw figures that Plotly accepts."""

import math
from dataclasses import replace

import numpy as np
import pytest

import privbo_core as pb
from pages.parts.live.sliders import Controls
from pages.parts.outsourced import figures
from pages.parts.outsourced.details import distances
from pages.parts.outsourced.question import Swept, sweep
from pages.parts.outsourced.setup import PUBLISHED, Case, case_of, cost_words
from pages.parts.outsourced.view import View
from pages.parts.system import system
from pages.parts.views.text import SIGMA_Y, as_html
from pages.parts.views.views import REFUTED_STAMP
from privbo_core.outsourced import Difference, Setting, Simulation, distance_distortion, omega
from tests.helpers.compared import compared
from tests.helpers.numbers import numbers, tells
from tests.helpers.opening import open_page
from tests.helpers.reading import address, asked_in_vain, html, plotly_takes, record, said

FEW = {"T": "10", "runs": "8"}


def run(**query):
    app = open_page("outsourced", **FEW | query)
    return app


def searched(mechanism, runs, measure="simple"):
    """Return what the page shows at its own settings, after twelve evaluations."""
    search = pb.data.SEARCHES["synthetic"]
    return compared(pb.data.sample("synthetic"), (mechanism,), T=12, runs=runs, measure=measure, search=search)


def test_the_page_shows_what_the_engine_computes_and_stamps_what_is_refuted():
    app = run(T="12", runs="12")
    text, shown, cost = html(app), record(app), searched("private", 12).comparison.cost("private")
    sigma_min, needed = Simulation(pb.data.sample("synthetic")).spectrum.sigma_min, omega(3.0, 1e-5, 10)
    assert sigma_min >= needed
    assert tells(text, round(sigma_min), round(needed))
    assert "pb-unmet" not in as_html(shown.tiles[0].value)
    assert tells(shown.tiles[-1].value, cost.mean)
    assert tells(shown.tiles[-1].remark, cost.low, cost.high, 12)
    assert {tile.stamp for tile in shown.tiles} == {""}
    assert shown.figures["regret"].finding.stamp == REFUTED_STAMP  # on the curves, wherever they go
    assert "pb-is-refuted" in text


def test_what_sigma_y_is_in_the_outcome_s_own_unit_stands_beside_a_cost():
    homes, search = pb.data.sample("homes"), pb.data.SEARCHES["homes"]
    plain = replace(homes, preparation=replace(homes.preparation, log_output=False))
    for problem in (plain, homes):
        text, sure = compared(problem, ("noisy",), T=10, runs=8, measure="simple", search=search).lost
        assert SIGMA_Y in text
        unit = float(problem.preparation.output_difference(problem.sigma_y))
        assert tells(sure, unit) == (problem is plain)  # of a logarithm, it would be a factor


def test_each_slider_reaches_the_engine():
    values = {"epsilon": 2.0, "delta": 1e-4, "r": 7.0, "distance": 3.0, "T": 12.0, "runs": 9.0, "delta_ucb": 0.2}
    case = case_of(Simulation(pb.data.synthetic(side=15)), ("private", "noisy"), Controls(values), PUBLISHED)
    assert case.runs == 9
    assert case.setting == Setting(2.0, 1e-4, 7, 12, 0.2, protected_distance=3.0)
    values |= {"initial": 9.0, "lengthscale": 2.0, "signal": 0.5, "answer_noise": 4.0, "T": 220.0}
    case = case_of(case.simulation, ("private",), Controls(values), PUBLISHED)
    model = {"lengthscale": 2.0, "signal": 0.5, "answer_noise": 4.0}
    assert case.setting == Setting(2.0, 1e-4, 7, 220, 0.2, 5, 3.0, **model), "of 225 rows T leaves five"


def test_start_and_model_stand_under_a_fold_that_opens_where_they_are_changed():
    app = run()
    assert not {"initial", "lengthscale", "signal", "answer_noise"} & {*address(app)}
    asked = {"initial": "9", "lengthscale": "2", "signal": "0.5", "answer_noise": "4", "data": "synthetic"}
    app = run(**asked)
    assert address(app).items() >= asked.items()
    kernel, noise_variance = pb.data.sample("synthetic").kernel, pb.data.sample("synthetic").noise_variance
    assert tells(said(app), 2 * kernel.lengthscale, kernel.variance / 2, 4 * noise_variance)


def test_title_and_tile_follow_the_measure():
    """Neither speaks of another measure than the curve."""
    app = run(T="12", release="noisy")
    # A browser that takes its choice back gets the first one: a script that is stopped in between can leave it so.
    for measure in (None, "cumulative", "rank"):
        app.session_state["measure"] = measure
        app.run()
        shown = measure or "simple"
        assert app.session_state["measure"] == shown
        now, view = record(app), searched("noisy", 8, shown)
        cost = view.ranks("noisy") if shown == "rank" else (view.comparison.cost("noisy", shown).mean,)
        assert tells(f"{now.tiles[-1].value} {now.tiles[-1].remark}", *map(float, cost))
        assert now.figures["regret"].finding == view.finding
        assert not now.figures["regret"].finding.stamp


@pytest.mark.parametrize("measure", ["simple", "cumulative"])
def test_the_title_says_the_cost_in_the_measure_that_is_chosen(measure):
    view = compared(pb.data.sample("hospital"), epsilon=1.0, T=12, runs=10, measure=measure)
    assert tells(figures.regret(view).layout["yaxis"]["title"]["text"], 2.05)  # the factor that is σ_y
    cost = view.comparison.cost("noisy", measure)
    assert tells(view.finding.title, 12, *((cost.mean,) if cost.clear else (cost.low, cost.high)))
    assert tells(replace(view, measure="rank").finding.title, 12, round(view.ranks("noisy")[0]), 6524)


def test_of_the_first_runs_nothing_is_said():
    simulation, setting = Simulation(pb.data.synthetic(side=15)), Setting(3.0, 1e-5, 10, 10)
    for comparison in simulation.compare(setting, 12):
        view = View(Case(simulation, setting, ("private",), 12), comparison)
        assert bool(numbers(f"{view.finding.title} {view.lost}")) == (comparison.runs >= 8)


def test_privacy_never_saves():
    """Where the private search ends ahead for certain, no negative cost is shown."""
    cost = Difference.of(-0.2 + 0.01 * np.random.default_rng(0).standard_normal(30))
    assert cost.clear
    assert numbers(cost_words(cost)) == [pytest.approx(-cost.mean, abs=0.001)]


def test_the_title_tells_when_the_condition_fails():
    case = Case(Simulation(pb.data.sample("synthetic")), Setting(1.0, 1e-5, 10, 10), ("private",), 5)
    assert tells(figures.what_follows_the_thumb(case).finding.title, math.hypot(1, 2932.274 / 1030.878))
    assert 'class="pb-unmet"' in as_html(View(case).headline()[0].value)


def test_an_address_that_cannot_be_used_is_answered_with_what_was_asked_and_what_can_be():
    app = run(epsilon="-1", r="2.5", delta="<b>x</b>", T="nan", delta_ucb="1e999")
    found = asked_in_vain(app)
    assert tells(found, -1, 2.5, 1, 100)
    for words in ("<b>x</b>", "nan", "inf"):
        assert words in found
    assert not address(app).items() & {("epsilon", "-1"), ("r", "2.5"), ("T", "nan")}
    for small in ("0", "1e-30"):  # on a scale of powers of ten these are not nearly the least value
        with pytest.raises(ValueError, match=rf"\b{small}\b.*1e-12.*0\.1"):
            system.ASKED_DELTA.read(small)


@pytest.mark.parametrize("mechanisms", [("private",), ("noisy",), ("private", "noisy")])
def test_regret_pictures_hold_the_releases_that_were_asked_for(mechanisms):
    view = compared(pb.data.synthetic(side=15), mechanisms, runs=3, r=5, once=False)
    old = {mechanism: view.comparison.band(mechanism).mean for mechanism in mechanisms}
    for measure, before, top in (("simple", old, None), ("cumulative", None, 3.0), ("rank", None, None)):
        picture = figures.regret(replace(view, measure=measure), before, top)
        assert plotly_takes(picture).data
        names = {trace.get("name") for trace in picture.data}
        assert bool(names & {"private", "projection"}) == ("private" in mechanisms)
        assert ("noisy release" in names) == ("noisy" in mechanisms)


def test_plotly_accepts_every_other_picture():
    view = compared(pb.data.synthetic(side=15), ("private",), runs=3, once=False)
    simulation, setting, band = view.case.simulation, view.case.setting, view.comparison.band("private")
    z, rng = simulation.release(setting, 0).Z, np.random.default_rng(0)
    distorted = distance_distortion(simulation.problem.points, z, 500, rng)
    swept = Swept("r", [1.0, 2.0, 5.0], {1.0: band, 2.0: band}, 0.1, 2.0, 3.0, False)
    condition = figures.condition(simulation.spectrum.sigma_min, setting)
    for picture in (condition, distances(distorted, 0.5, 1.5, True), sweep(swept)):
        assert plotly_takes(picture).data


def test_the_noise_picture_falls_with_epsilon():
    frame = pb.data.synthetic(side=15).frame
    picture = figures.noise(frame, np.array([5.0, 8.0]), Setting(2.0, 1e-5, 10, 10))
    plotly_takes(picture)
    curve, now = picture.data[:2]
    assert list(curve["y"]) == sorted(curve["y"], reverse=True)
    assert np.interp(2.0, curve["x"], curve["y"]) == pytest.approx(now["y"][0], rel=0.05)


def test_the_cards_say_which_release_keeps_its_promise_and_lead_to_the_audit_as_it_is_set():
    app = run(runs="5", release="both", epsilon="6", r="7", delta="0.01")
    (warning,) = app.warning
    assert tells(warning.value, 0.01, 1e-4)  # δ, and one in so many records
    assert "pb-is-refuted" in html(app)
    assert "pb-is-proved" in html(app)
    links = [link.proto.query_string for link in app.get("page_link") if link.proto.page == "audit"]
    brought = {"noisy": "delta=0.01", "projection": "delta=0.01&r=7"}
    asked = [f"view=expert&audited={way}&data=synthetic&epsilon=6&{more}" for way, more in brought.items()]
    assert sorted(links) == asked
