"""The pages without a browser: they run, say what is wrong, and draw figures that Plotly accepts."""

import math
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import plotly.io
import pytest
from streamlit.testing.v1 import AppTest

import privbo_core as pb
from pages.parts.outsourced import figures as outsourced_figures
from pages.parts.outsourced.regret import LOST, Regret, cost_words, interval
from pages.parts.outsourced.sliders import Case
from pages.parts.values.numbers import best, cost_text
from pages.parts.values.palette import DARK, LIGHT
from pages.parts.values.text import as_html
from privbo_core.outsourced import Difference, Setting, Simulation, distance_distortion
from tests.helpers.paths import APP


def run(query=None):
    app = AppTest.from_file(str(APP), default_timeout=60).run()
    app.switch_page("pages/outsourced.py")
    for name, value in (query or {}).items():
        app.query_params[name] = value
    return app.run()


def html(app):
    return " ".join(element.proto.body for element in app.get("html"))


def sigma_min(name):
    return pb.outsourced.spectrum(pb.data.sample(name).points).sigma_min


def test_start_leads_to_the_page():
    app = AppTest.from_file(str(APP), default_timeout=60).run()
    assert not app.exception
    assert "What does privacy cost" in html(app)


def test_the_page_shows_what_the_engine_computes():
    app = run({"T": "12", "runs": "12"})
    assert not app.exception
    simulation = Simulation(pb.data.sample("synthetic"))
    setting = Setting(3.0, 1e-5, 10, 12, search=pb.data.SEARCHES["synthetic"], once=True)
    *_, comparison = simulation.compare(setting, 12)
    cost = comparison.cost("private")
    text = html(app)
    assert "Distances survive: σ_min = 1,031 ≥ ω = 977" in text
    assert f"{cost_text(cost.mean, cost.standard_error)} σ<sub>y</sub>" in text
    assert f"95 %: {interval(cost)}; 12 runs" in text
    assert as_html(Regret(comparison, Case(simulation, setting, ("private",), 12), "simple").finding.title) in text


@pytest.mark.parametrize("measure", ["simple", "cumulative", "rank"])
def test_title_and_tile_follow_the_measure(measure):
    """A title never speaks of another measure than the curve."""
    text = html(run({"T": "12", "runs": "8", "measure": measure, "release": "noisy"}))
    simulation = Simulation(pb.data.sample("synthetic"))
    setting = Setting(3.0, 1e-5, 10, 12, search=pb.data.SEARCHES["synthetic"], once=True)
    *_, comparison = simulation.compare(setting, 8, ("noisy",))
    assert LOST[measure] in text
    assert as_html(Regret(comparison, Case(simulation, setting, ("noisy",), 8), measure).finding.title) in text


@pytest.mark.parametrize("measure", ["simple", "cumulative"])
def test_the_title_says_the_cost_in_the_measure_that_is_chosen(measure):
    problem = pb.data.sample("hospital")
    simulation, setting = Simulation(problem), Setting(1.0, 1e-5, 10, 12, once=True)
    *_, comparison = simulation.compare(setting, 10, ("noisy",))
    title = Regret(comparison, Case(simulation, setting, ("noisy",), 10), measure).finding.title
    assert title == f"Privacy {cost_words(comparison.cost('noisy', measure))} after 12 tests"
    ranked = Regret(comparison, Case(simulation, setting, ("noisy",), 10), "rank").finding.title
    assert f"{best(float(comparison.typical_rank('noisy').median))} of 6,524 rows found" in ranked


def test_a_search_that_does_not_beat_chance_is_said_so_and_nothing_else():
    """Outcomes of pure chance: no title speaks of a cost of privacy."""
    problem = pb.data.synthetic(side=15)
    noise = replace(problem, objective=np.random.default_rng(0).standard_normal(problem.n))
    simulation, setting = Simulation(noise), Setting(3.0, 1e-5, 10, 10, once=True)
    *_, comparison = simulation.compare(setting, 12, ("noisy",))
    title = Regret(comparison, Case(simulation, setting, ("noisy",), 12), "simple").finding.title
    assert "nothing to gain" in title
    assert "cost" not in title


def test_of_the_first_runs_nothing_is_said():
    simulation, setting = Simulation(pb.data.synthetic(side=15)), Setting(3.0, 1e-5, 10, 10)
    for comparison in simulation.compare(setting, 12):
        title = Regret(comparison, Case(simulation, setting, ("private",), 12), "simple").finding.title
        assert ("on their way" in title) == (comparison.runs < 8)


def test_privacy_never_saves():
    """Where the private search ends ahead for certain, the title says that this is no gain of privacy."""
    cost = Difference.of(-0.2 + 0.01 * np.random.default_rng(0).standard_normal(30))
    assert cost.clear
    assert "shows no cost" in cost_words(cost)
    assert "save" not in cost_words(cost)


def test_what_comes_of_the_refuted_release_is_stamped_and_has_no_sign_of_success():
    text = html(run({"T": "10", "runs": "8"}))
    assert text.count("✗ promise refuted") >= 2
    assert "✓" not in text
    assert "✗ promise refuted" not in html(run({"T": "10", "runs": "8", "release": "noisy"}))


def test_each_sample_opens():
    for name in pb.data.SAMPLES:
        app = run({"T": "10", "runs": "5"})
        app.selectbox(key="data").set_value(name).run()
        assert not app.exception, name
        assert f'σ<sub>min</sub> of the inputs</div><div class="pb-value">{sigma_min(name):,.0f}' in html(app)


def test_the_title_tells_when_the_condition_fails():
    text = html(run({"T": "10", "runs": "5", "epsilon": "1"}))
    assert f"Distances are stretched up to {math.hypot(1, 2932.274 / 1030.878):.3g}-fold" in text
    assert "✗ not met" in text


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"epsilon": "-1"}, "-1 is out of range; ε takes"),
        ({"epsilon": "1e999"}, "inf is out of range"),
        ({"r": "2.5"}, "2.5 is not whole; r takes a whole number from 1 to 100"),
        ({"delta": "<b>x</b>"}, "“<b>x</b>” is not a number"),
        ({"T": "nan"}, "nan is out of range"),
    ],
)
def test_an_address_that_cannot_be_used_gets_a_sentence(query, words):
    app = run({"T": "10", "runs": "5"} | query)
    assert not app.exception
    assert any(words in notice.value.replace("\\", "") for notice in app.info)


def test_a_large_delta_gets_a_warning():
    app = run({"T": "10", "runs": "5", "delta": "0.01"})
    assert any("at least 1/n" in warning.value for warning in app.warning)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_plotly_accepts_every_picture(palette):
    problem = pb.data.synthetic(side=15)
    simulation, setting = Simulation(problem), Setting(3.0, 1e-5, 10, 10)
    comparison = list(simulation.compare(setting, 3))[-1]
    band = comparison.band("private")
    case = Case(simulation, setting, ("private",), 3)
    z = simulation.release(setting, 0).Z
    pictures = [
        outsourced_figures.condition(simulation.spectrum.sigma_min, setting),
        Regret(comparison, case, "simple").picture({"private": band.mean}),
        Regret(comparison, case, "cumulative").picture(None, 3.0),
        Regret(comparison, case, "rank").picture(),
        outsourced_figures.distances(
            distance_distortion(problem.points, z, 500, np.random.default_rng(0)), 0.5, 1.5, True
        ),
        outsourced_figures.sweep(
            outsourced_figures.Swept([1.0, 2.0, 5.0], {1.0: band, 2.0: band}, 0.1, 2.0, 3.0, False), "r", "σ"
        ),
    ]
    for picture in pictures:
        figure = plotly.io.from_json(picture.as_json(palette))  # raises on a property that Plotly does not know
        assert isinstance(figure, go.Figure)
        assert figure.data


def test_several_functions_are_averaged_where_they_can_be_drawn():
    text = html(run({"T": "10", "runs": "8", "functions": "several"}))
    assert "8 functions, one run each" in text
    assert "functions" not in html(run({"T": "10", "runs": "8", "data": "homes", "functions": "several"}))
    assert "8 functions" not in html(run({"T": "10", "runs": "8"}))


def test_a_browser_that_takes_its_choice_back_gets_the_first_one():
    # No button does that, but a message can, and a script that is stopped in between can leave it so.
    app = run()
    app.session_state["measure"] = None
    app.run()
    assert not app.exception
    assert app.session_state["measure"] == "simple"
