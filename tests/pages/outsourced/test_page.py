"""The pages without a browser: they run, say what is wrong, and draw figures that Plotly accepts."""

import math
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import plotly.io
import pytest
from streamlit.testing.v1 import AppTest

import privbo_core as pb
from pages.parts.outsourced import figures as outsourced_figures
from pages.parts.values.palette import DARK, LIGHT
from privbo_core.outsourced import Setting, Simulation, distance_distortion

APP = Path(__file__).parents[3] / "app.py"


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
    app = run({"T": "12", "runs": "5"})
    assert not app.exception
    simulation = Simulation(pb.data.sample("synthetic"))
    comparison = list(simulation.compare(Setting(math.exp(1.1), 1e-5, 10, 12), 5))[-1]
    cost = comparison.extra()
    text = html(app)
    assert "Distances survive: σ_min = 1031 ≥ ω = 976" in text
    assert f"{cost.mean[-1]:+.2f}".replace("-", "−") in text
    assert f"± {cost.standard_error[-1]:.2f} over 5 runs" in text


def test_each_sample_opens():
    for name in pb.data.SAMPLES:
        app = run({"T": "10", "runs": "5"})
        app.selectbox(key="data").set_value(name).run()
        assert not app.exception, name
        assert f'σ<sub>min</sub> of the inputs</div><div class="pb-value">{sigma_min(name):.0f}' in html(app)


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
    z = simulation.release(setting, 0).Z
    pictures = [
        outsourced_figures.condition(simulation.spectrum.sigma_min, setting),
        outsourced_figures.regret(comparison, {"private": band}, "simple", None, "σ"),
        outsourced_figures.regret(comparison, None, "cumulative", 3.0, "σ"),
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
