"""Pages written as scripts beside the older pages that they are to replace: they show the engine's numbers."""

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import privbo_core as pb
from tests.helpers.paths import ROOT


def opened(name, **query):
    app = AppTest.from_file(str(ROOT / "pages" / f"{name}_script.py"), default_timeout=120)
    app.session_state["entered"] = name
    app.query_params.update({"T": "10", "runs": "5", **query})
    return app.run()


def html(app):
    return " ".join(each.proto.body for each in app.get("html"))


@pytest.mark.parametrize("release", ["projection", "noisy", "both"])
@pytest.mark.parametrize("data", ["synthetic", "homes"])
def test_outsourced_shows_the_engine_s_numbers(data, release):
    app = opened("outsourced", data=data, release=release, epsilon="2", r="7")
    assert not app.exception
    problem = pb.data.sample(data)
    if release == "noisy":
        setting = pb.outsourced.Setting(2.0, 1e-5, 10, 10)
        assert f"{setting.noise(problem.frame):.3g}" in html(app)
    else:
        sigma_min = pb.outsourced.spectrum(problem.points).sigma_min
        for number in (sigma_min, pb.outsourced.omega(2.0, 1e-5, 7)):
            assert f">{number:,.0f}<" in html(app)


def test_start_shows_the_accuracy_of_the_best_attacker(monkeypatch):
    # The script stands alone here, so there is no navigation that has the pages that it links to.
    monkeypatch.setattr(st, "page_link", lambda *of, **more: None)
    app = opened("start", epsilon="1")
    assert not app.exception
    noise = pb.privacy.TradeOff.gaussian(1 / pb.privacy.gaussian_sigma(1.0, 1e-5, 1.0))
    for accuracy in (1 - noise.least_error(0.5), 1 - pb.privacy.least_error(0.5, 1.0, 0.0)):
        assert f"{100 * accuracy:.0f} in 100" in html(app)
