"""What holds on every page, in both depths: on a projector, with a screen reader in either theme, and on a phone."""

import pytest
from playwright.sync_api import expect

from tests.helpers.accessible import AT_THE_TOP, assert_for_everybody, violations
from tests.helpers.hands import present
from tests.helpers.presenting import PROJECTOR, SLIDERS, assert_legible, count, look
from tests.helpers.waiting import quiet, rest, until


def plot(slot):
    return f".st-key-chart-{slot} .plot[data-drawn]"


SETTLED = {
    "": (".pb-facts", ".pb-facts"),
    "data": (plot("hidden-change"), plot("singular")),
}
"""What there is to see of each page, Simple and Expert, once it is complete."""
SMALL: dict[str, str] = {}
PRESENTED = {"data": 0}
"""The Expert pages whose figures are presented, and how many of them are looked at from the last row."""
PRESENTED_SIMPLY = {"data": 0}
"""The Simple pages whose picture is presented, with how many sliders."""
SAID = """() => [document.querySelector('.pb-present-sentence h1').innerText,
  document.querySelector('.pb-answer, .pb-finding h3').textContent]"""
BACK = """() => [...document.querySelectorAll('.plot.js-plotly-plot')].every(
  plot => Math.abs(plot._fullLayout.width - plot.clientWidth) < 1
    && Math.abs(plot.layout.font.size - 13) < 0.01)"""


VISITS = [
    pytest.param(name, depth, seen, marks=[pytest.mark.long] if (number % 2 == 0) != (depth == "expert") else [])
    for number, (name, both) in enumerate(SETTLED.items())
    for depth, seen in zip(("simple", "expert"), both, strict=True)
]
"""Each page in both depths; by turns, one of them is left to the long run."""


@pytest.mark.parametrize(("name", "depth", "seen"), VISITS)
def test_everybody_can_use_it(page, app, name, depth, seen):
    """From a room’s last row, with a screen reader, on a phone; the dark theme only recolours what is there."""
    page.goto(f"{app}/{name}?view={depth}{SMALL.get(name, '')}")
    page.wait_for_selector(seen, state="attached")
    quiet(page)
    page.wait_for_function("() => !document.querySelector('.pb-old')")  # numbers on their way out are faint
    found = []
    if name in (PRESENTED if depth == "expert" else PRESENTED_SIMPLY):
        rest(page)
        page.set_viewport_size(PROJECTOR)
        present(page)
        if depth == "expert":
            found = figures_fill_the_screen(page, PRESENTED[name])
        else:
            answer_is_presented(page, name)
        page.keyboard.press("Escape")
        page.wait_for_function("() => !document.querySelector('[data-pb-slide], [data-pb-strip]')")
        until(page, "() => location.search.includes('present=')", False)
        until(page, BACK)
        page.set_viewport_size({"width": 1440, "height": 900})
    assert_for_everybody(page, *found)


def figures_fill_the_screen(page, looked_at):
    """Walk through all figures of an Expert page; return what keeps somebody with a screen reader from the second."""
    page.keyboard.press("Home")
    figures = count(page)
    assert figures == page.locator(".stVerticalBlock[class*='st-key-chart-']").count() >= 1
    slides, found = set(), []
    for number in range(1, figures + 1):
        seen = look(page, number)
        assert seen["asked"] == number
        assert seen["share"] >= 0.55, seen
        assert seen["inside"], seen
        assert min(seen["ticks"]) >= 16
        assert seen["size"] >= 24
        assert seen["badge"]
        assert not seen["left"]
        if number <= looked_at:
            assert_legible(page)
            until(page, f"() => [1, 2].includes(({SLIDERS})().length)")
            expect(page.locator(".pb-present-sentence .pb-curator").filter(visible=True)).to_have_count(0)
        if number == 2:
            found = violations(page)
        slides.add(seen["slide"])
        page.keyboard.press("ArrowRight")
    assert len(slides) == figures
    look(page, figures)  # the last figure is the last
    return found


def answer_is_presented(page, name):
    """Look at a Simple page's picture: it comes with the answer and the strength, and nothing says it is private."""
    look(page)
    until(page, f"() => {{ const [said, answer] = ({SAID})(); return said.trim() === answer.trim(); }}")
    assert_legible(page)
    until(page, f"() => ({SLIDERS})().length", PRESENTED_SIMPLY[name])
    sentence = page.locator(".pb-present-sentence")
    expect(sentence.locator(".pb-curator, .pb-inside").filter(visible=True)).to_have_count(0)
    strength = page.locator(".pb-fact .pb-strength")
    if strength.count():
        until(page, lambda: sentence.locator(".pb-strength").inner_text() == strength.text_content())


def test_the_bar_at_the_top_has_room_on_every_screen(page, app):
    page.goto(f"{app}/data?view=simple")
    page.wait_for_selector(SETTLED["data"][0])
    for width in (1920, 1440, 1366, 1280, 1100, 901, 900, 800, 768):
        page.set_viewport_size({"width": width, "height": 800})
        until(page, AT_THE_TOP, [])
