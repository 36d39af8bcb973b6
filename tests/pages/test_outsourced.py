"""The pages without a browser: they run, say what is wrong, and draw figures that Plotly accepts."""

import math
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import plotly.io
import pytest
from streamlit.testing.v1 import AppTest

import privbo_core as pb
from pages.parts.controls.live_sliders import Slider
from pages.parts.outsourced import figures as outsourced_figures
from pages.parts.show.look import DARK, LIGHT, Palette, scientific
from pages.parts.values.picture import Picture
from privbo_core.outsourced import Setting, Simulation, distance_distortion

APP = Path(__file__).parents[2] / "app.py"


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


def test_sliders_read_what_people_type():
    slider = Slider("x", "x", 0.5, 20, 1, "", "", "")
    assert slider.read("3,5") == 3.5
    assert slider.read(0.5 - 1e-9) == 0.5
    whole = Slider("k", "k", 1, 9, 1, "", "", "", whole=True)
    assert whole.read("7.0") == 7
    for raw in ("", "abc", None, "0.2", "inf"):
        with pytest.raises(ValueError, match=r"x takes a number from 0\.5 to 20"):
            slider.read(raw)


def contrast(first, second):
    def luminance(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_text_colours_have_contrast(colours: Palette):
    for name in ("private", "plain", "random", "met", "unmet", "refuted", "text"):
        assert contrast(getattr(colours, name), colours.paper) >= 4.5, name


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_plotly_accepts_every_picture(colours):
    problem = pb.data.synthetic(side=15)
    simulation, setting = Simulation(problem), Setting(3.0, 1e-5, 10, 10)
    comparison = list(simulation.compare(setting, 3))[-1]
    band = comparison.band("private")
    z = simulation.release(setting, 0).Z
    pictures = [
        outsourced_figures.condition(simulation.spectrum.sigma_min, setting, colours),
        outsourced_figures.regret(comparison, {"private": band}, "simple", None, "σ", colours),
        outsourced_figures.regret(comparison, None, "cumulative", 3.0, "σ", colours),
        outsourced_figures.distances(
            distance_distortion(problem.points, z, 500, np.random.default_rng(0)), 0.5, 1.5, True, colours
        ),
        outsourced_figures.sweep([1.0, 2.0, 5.0], {1.0: band, 2.0: band}, 0.1, 2.0, 3.0, False, "r", "σ", colours),
    ]
    for picture in pictures:
        figure = plotly.io.from_json(picture.as_json())  # raises on a property that Plotly does not know
        assert isinstance(figure, go.Figure)
        assert figure.data


def test_numbers_that_are_not_finite_are_left_out():
    picture = Picture(LIGHT)
    picture.line(np.array([1.0, 2.0]), np.array([np.nan, 2.0]), "#000000")
    assert '"y": [null, 2.0]' in picture.as_json()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e-5, "10⁻⁵"),
        (2.5e-4, "2.5·10⁻⁴"),
        (0.05, "0.05"),
        (1.61e9, "1.6·10⁹"),
        (0, "0"),
        (8721.0, "8,720"),
        (999.6, "1,000"),
    ],
)
def test_small_numbers_are_written_as_people_write_them(value, text):
    assert scientific(value) == text
