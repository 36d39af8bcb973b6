"""The Simple tour: what stands below a step's figure is about what the figure shows."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.frame.record import KEY
from pages.parts.values.text import as_plain
from tests.helpers.paths import APP

HIDDEN = {
    "hospital": ("Age to within 4 years", "or kidney value to within 10 %"),
    "homes": ("Place to within 220 m", ""),
}


def step(number, **address):
    """Return a step's text and its figure."""
    app = AppTest.from_file(APP, default_timeout=300)
    for name, value in {"view": "simple", "lesson": str(number), **address}.items():
        app.query_params[name] = value
    app.switch_page("pages/tour.py").run()
    assert not app.exception
    bodies = [re.sub(r"<style.*?</style>|<[^>]+>", " ", each.proto.body, flags=re.DOTALL) for each in app.get("html")]
    return re.sub(r"\s+", " ", as_plain(" ".join(bodies))), app.session_state[KEY].figures["tour"]


@pytest.mark.parametrize("data", HIDDEN)
def test_a_refuted_promise_is_never_called_strong(data):
    text, figure = step(4, told_with=data)
    assert "How strongly Not at all ○○○○○" in text
    assert "●" not in text
    assert "promise refuted" in figure.finding.stamp
    first, also = HIDDEN[data]
    assert f"What was to be hidden {first}" in text
    assert also in text
    assert "What is hidden" not in text
    assert "What it costs" not in text


def test_its_figure_speaks_of_no_x():
    _, figure = step(4)
    words = [each["text"] for each in figure.picture.layout["annotations"]]
    words.append(figure.picture.layout["xaxis"]["title"]["text"])
    assert "made of the real table" in words
    assert "made of one with one record changed" in words
    assert not [each for each in words if re.search(r"\bX\b|\bX′|\bZ\b", each)]


def test_a_search_without_privacy_hides_nothing():
    text, _ = step(2)
    assert "What is hidden Nothing" in text
    assert "How strongly Not at all" in text
    assert "What it costs Nothing" in text


@pytest.mark.parametrize("data", HIDDEN)
def test_a_promise_kept_has_one_number_for_its_strength(data):
    text, figure = step(5, told_with=data, epsilon="2")
    (said,) = re.findall(r"the best attacker is right (\d+) times in 100", figure.finding.title)
    assert set(re.findall(r"the best attacker is right (\d+) times in 100; a coin, 50", text)) == {said}
    assert "%" not in figure.finding.title
    assert "Whatever the method, ε = 2 alone allows 88:" in figure.finding.note
    (bars,) = figure.picture.data
    assert [f"{each:.0f}" for each in bars["y"]] == ["50", said, "88"]


@pytest.mark.parametrize("number", [1, 3, 5, 6])
def test_the_other_steps_are_about_the_noisy_table(number):
    text, _ = step(number)
    assert "What is hidden Age to within 4 years" in text
    assert "How strongly Strong ●●●●○" in text
    assert re.search(r"What it costs \d+ more tests", text)
