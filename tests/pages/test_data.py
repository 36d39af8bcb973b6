"""The Data page without a browser."""

import tomllib
from pathlib import Path

import plotly.io
import pytest
from starlette.formparsers import MultiPartParser
from streamlit.testing.v1 import AppTest

import privbo_core as pb
from pages.parts.bring import upload
from pages.parts.data import figures as data_figures
from pages.parts.show.look import LIGHT, in_markdown, scientific

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", pb.data.SAMPLES)
def test_each_sample_is_described(name):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    app.switch_page("pages/data.py").run()
    app.selectbox(key="data").set_value(name).run()
    assert not app.exception
    text = " ".join(element.proto.body for element in app.get("html"))
    problem = pb.data.sample(name)
    assert f"{problem.n:,}" in text
    assert scientific(problem.unit_distance[0]) in text


def test_an_upload_is_never_spooled_to_the_disk():
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert upload.MultiPartParser is MultiPartParser
    assert settings["server"]["maxUploadSize"] * 2**20 < MultiPartParser.spool_max_size


def test_plotly_accepts_the_pictures():
    problem = pb.data.sample("homes")
    values = pb.outsourced.spectrum(problem.points).values
    for picture in (
        data_figures.histogram(problem.original[:, 0], "a <b>name</b>", LIGHT.private, LIGHT),
        data_figures.singular_values(values, 900.0, LIGHT),
        data_figures.singular_values(values, 1.0, LIGHT),
    ):
        assert plotly.io.from_json(picture.as_json()).data


def test_markup_in_names_is_shown_as_text():
    assert in_markdown("a*b_[x](y) $z$") == r"a\*b\_\[x\]\(y\) \$z\$"
