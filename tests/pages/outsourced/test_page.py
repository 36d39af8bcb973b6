"""The pages without a browser: they run, say what is wrong, and draw figures that Plotly accepts."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import privbo_core as pb
from pages.parts.live.sliders import Controls
from pages.parts.outsourced import figures
from pages.parts.outsourced.details import distances
from pages.parts.outsourced.question import Swept, sweep
from pages.parts.outsourced.setup import PUBLISHED, Case, case_of, cost_words, interval, one_sigma, sliders
from pages.parts.outsourced.shape import SHAPES
from pages.parts.outsourced.view import LOST, View
from pages.parts.system import system
from pages.parts.views.text import SIGMA_Y, as_html, cost_text, scientific
from privbo_core.outsourced import Difference, Setting, Simulation, distance_distortion
from tests.helpers.compared import compared
from tests.helpers.opening import open_page
from tests.helpers.reading import address, asked_in_vain, html, plotly_takes, said

FEW = {"T": "10", "runs": "8"}


def run(**query):
    app = open_page("outsourced", **FEW | query)
    return app


def searched(mechanism, runs, measure="simple"):
    """Return what the page shows at its own settings, after twelve evaluations."""
    search = pb.data.SEARCHES["synthetic"]
    return compared(pb.data.sample("synthetic"), (mechanism,), T=12, runs=runs, measure=measure, search=search)


def test_the_page_shows_what_the_engine_computes_and_stamps_what_is_refuted():
    text = html(run(T="12", runs="12"))
    view = searched("private", 12)
    cost, finding = view.comparison.cost("private"), view.finding
    assert "Distances survive: σ<sub>min</sub> = 1,031 ≥ ω = 977" in text
    assert f"{cost_text(cost.mean, cost.standard_error)} σ<sub>y</sub>" in text
    assert f"95 %: {interval(cost)}; 12 runs" in text
    assert as_html(finding.title) in text
    assert "✓ met" in text
    assert "promise refuted" not in text
    assert finding.stamp == "✗ promise refuted"  # on the curves, wherever they go
    assert "✗ refuted: see Audit. Claimed by Kharkovskii, Dai, Low (ICML 2020), Theorem 1" in text


def test_what_sigma_y_is_in_the_outcome_s_own_unit_stands_beside_a_cost():
    homes, search = pb.data.sample("homes"), pb.data.SEARCHES["homes"]
    plain = replace(homes, preparation=replace(homes.preparation, log_output=False))
    for problem, end in ((plain, f"; {one_sigma(plain)}"), (homes, " runs")):  # of a logarithm, it would be a factor
        text, sure = compared(problem, ("noisy",), T=10, runs=8, measure="simple", search=search).lost
        assert SIGMA_Y in text
        assert sure.endswith(end)


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
    assert "The modeler’s" not in said(app)
    asked = {"initial": "9", "lengthscale": "2", "signal": "0.5", "answer_noise": "4", "data": "synthetic"}
    app = run(**asked)
    assert address(app).items() >= asked.items()
    kernel, noise_variance = pb.data.sample("synthetic").kernel, pb.data.sample("synthetic").noise_variance
    told = f"ℓ = {2 * kernel.lengthscale:.3g} in the scaled inputs, σ y ² = {kernel.variance / 2:.3g}, "
    assert f"{told}σ n ² = {scientific(4 * noise_variance)}." in said(app)


def test_title_and_tile_follow_the_measure():
    """A title never speaks of another measure than the curve."""
    app = run(T="12", release="noisy")
    # A browser that takes its choice back gets the first one: a script that is stopped in between can leave it so.
    for measure in (None, "cumulative", "rank"):
        app.session_state["measure"] = measure
        app.run()
        text, shown = html(app), measure or "simple"
        assert app.session_state["measure"] == shown
        assert LOST[shown] in text
        assert as_html(searched("noisy", 8, shown).finding.title) in text
        assert "✗ promise refuted" not in text


@pytest.mark.parametrize("measure", ["simple", "cumulative"])
def test_the_title_says_the_cost_in_the_measure_that_is_chosen(measure):
    view = compared(pb.data.sample("hospital"), epsilon=1.0, T=12, runs=10, measure=measure)
    assert figures.regret(view).layout["yaxis"]["title"]["text"].endswith(f" ({SIGMA_Y} = factor 2.05)")
    assert view.finding.title == f"Privacy {cost_words(view.comparison.cost('noisy', measure))} after 12 tests"
    ranked = replace(view, measure="rank")
    rank = ranked.sample.best(float(view.comparison.typical_rank("noisy").median))
    assert f"{rank} of 6,524 rows found" in ranked.finding.title


def test_of_the_first_runs_nothing_is_said():
    simulation, setting = Simulation(pb.data.synthetic(side=15)), Setting(3.0, 1e-5, 10, 10)
    for comparison in simulation.compare(setting, 12):
        title = View(Case(simulation, setting, ("private",), 12), comparison).finding.title
        assert ("on their way" in title) == (comparison.runs < 8)


def test_privacy_never_saves():
    """Where the private search ends ahead for certain, the title says that this is no gain of privacy."""
    cost = Difference.of(-0.2 + 0.01 * np.random.default_rng(0).standard_normal(30))
    assert cost.clear
    assert "shows no cost" in cost_words(cost)
    assert "save" not in cost_words(cost)


def test_the_title_tells_when_the_condition_fails():
    case = Case(Simulation(pb.data.sample("synthetic")), Setting(1.0, 1e-5, 10, 10), ("private",), 5)
    title = figures.what_follows_the_thumb(case).finding.title
    assert f"Amplifying stretches distances up to {math.hypot(1, 2932.274 / 1030.878):.3g}-fold, projecting" in title
    assert "✗ not met" in View(case).headline()[0].value


def test_an_address_that_cannot_be_used_gets_sentences():
    found = asked_in_vain(run(epsilon="-1", r="2.5", delta="<b>x</b>", T="nan", delta_ucb="1e999"))
    for words in ("-1 is out of range; “ε” takes", "2.5 is not whole; “r” takes a whole number from 1 to 100",
                  "“<b>x</b>” is not a number", "nan is out of range", "inf is out of range"):  # fmt: skip
        assert words in found
    for small in ("0", "1e-30"):  # on a scale of powers of ten these are not nearly the least value
        with pytest.raises(ValueError, match=f"{small} is out of range; “δ” takes a number from 1e-12 to 0.1"):
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
    for shape in SHAPES:
        setting = Setting(2.0, 1e-5, 10, 10, shape=shape)
        picture = figures.noise(frame, np.array([5.0, 8.0]), setting)
        plotly_takes(picture)
        other, curve, now = picture.data[:3]
        assert list(curve["y"]) == sorted(curve["y"], reverse=True)
        assert np.interp(2.0, curve["x"], curve["y"]) == pytest.approx(now["y"][0], rel=0.05)
        assert (other["y"][20] > curve["y"][20]) == (shape == "laplace")


def test_the_noise_without_a_delta_reaches_card_slider_script_and_sentences():
    text = html(app := run(release="noisy", noise="laplace", data="hospital", epsilon="1", delta="0.01"))
    assert "ε = 1, δ = 0" in text
    assert "the best attacker is right 65 times in 100" in text
    assert "their best attackers are right 65 and" in text
    assert not any("1/n" in warning.value for warning in app.warning)
    assert "delta" not in [
        slider.key for slider in sliders(Simulation(pb.data.sample("hospital")), ("noisy",), "laplace")
    ]
    measured = re.findall(r"-?[\d.]+ ± [\d.]+", text)
    assert len(measured) == 3 * 5
    assert "0.69 ± 0.07" in measured


def test_more_columns_than_the_noise_is_drawn_for_are_refused_with_the_engine_s_sentence():
    def page():
        from pages.parts.outsourced.shape import pick_shape
        from privbo_core.data import Frame, FrameColumn

        for d in (20, 21):
            pick_shape(Frame(tuple(FrameColumn(f"c{i}", "", 0, 1, 0.1) for i in range(d))), shown=d == 20)

    app = AppTest.from_function(page, default_timeout=60)
    app.session_state["noise"] = "laplace"
    (error,) = app.run().error
    assert error.value.startswith("The frame has 21 columns; noise of the L2 shape is drawn for at most 20")


def test_the_cards_say_which_release_keeps_its_promise_and_lead_to_the_audit_as_it_is_set():
    app = run(runs="5", release="both", epsilon="6", r="7", delta="0.01")
    assert any("at least 1/n" in warning.value for warning in app.warning)
    assert "refuted: see Audit" in html(app)
    assert "Guarantee: proved" in html(app)
    links = [link.proto.query_string for link in app.get("page_link") if link.proto.label == "Does it hold? Audit"]
    brought = {"noisy": "delta=0.01", "projection": "delta=0.01&r=7"}
    asked = [f"view=expert&audited={way}&data=synthetic&epsilon=6&{more}" for way, more in brought.items()]
    assert sorted(links) == asked
