"""What an ε means, on every page that states one."""

import math
import re
from pathlib import Path

import plotly.io
import pytest
from streamlit.testing.v1 import AppTest

import privbo_core as pb
from pages.parts.show.meaning import belief_picture
from pages.parts.values.palette import DARK, LIGHT
from privbo_core.privacy import Guarantee, Status

APP = Path(__file__).parents[3] / "app.py"
SMALL = {"T": "10", "runs": "5", "trials": "1000", "N": "20", "pairs": "10", "federated_runs": "5"}


def panel(page, **address):
    app = AppTest.from_file(str(APP), default_timeout=60)
    for name, value in (SMALL | {"meaning": "true"} | address).items():
        app.query_params[name] = value
    app.switch_page(str(APP.parent / "pages" / f"{page}.py")).run()
    assert not app.exception
    return re.sub(r"<[^>]+>", " ", " ".join(element.proto.body for element in app.get("html")))


def test_a_refuted_promise_is_crossed_out_and_certainty_stated():
    text = panel("outsourced", epsilon="1")
    assert "somebody can be certain that a record is the real one: the promise, at most 73.1 %, is refuted" in text
    assert "Twice the distance costs twice the ε" in text


def test_a_proved_promise_says_what_a_belief_and_an_attacker_can_do():
    text = panel("outsourced", release="noisy", epsilon="1", delta="0.00001", prior="20")
    assert f"can become at most {100 / (1 + 4 * math.exp(-1)):.1f} % sure" in text
    assert "by guessing in 20.0 %" in text


def test_noisy_releases_are_counted_together():
    text = panel("outsourced", release="noisy", epsilon="1", delta="0.00001", times="4")
    together = pb.privacy.gaussian_epsilon(1e-5, pb.privacy.gaussian_sigma(1.0, 1e-5, 1.0), 2.0)
    assert f"counted together; adding up would give {4:.3g}" in text
    assert f"{together:.3g}" in text
    assert together < 4


@pytest.mark.parametrize(
    ("page", "address", "words"),
    [
        ("release", {"epsilon": "0.5", "times": "3"}, "3 × 1, added up"),
        ("federated", {"z": "2", "times": "2"}, "counted together"),
        ("federated", {"z": "0"}, ""),
        ("audit", {}, "is refuted"),
        ("audit", {"audited": "noisy", "attack-noisy": "sharpest"}, "sure"),
        ("audit", {"audited": "choice", "attack-choice": "prior"}, "if the claim holds"),
        ("audit", {"audited": "canary", "attack-canary": "one"}, "that an agent took part"),
        ("audit", {"audited": "textbook", "attack-textbook": "laplace"}, "that the number is 1"),
    ],
)
def test_every_page_with_an_epsilon_says_what_it_means(page, address, words):
    assert words in panel(page, **address)


@pytest.mark.parametrize("status", list(Status))
@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_plotly_accepts_the_picture(status, colours):
    stated = Guarantee("a", "b", "c", 3.0, 1e-5, (), status, "d")
    figure = plotly.io.from_json(belief_picture(stated, 0.5, 9.0, 3).as_json(colours))
    assert ("what Audit shows" in {trace.name for trace in figure.data}) == (status is Status.REFUTED)
