"""What holds on every page, in both depths: on a projector, with a screen reader in either theme, and on a phone."""

import pytest

from tests.helpers.accessible import (
    AT_THE_TOP,
    PHONE,
    found_in_both_themes,
    in_each_other_s_way,
    violations,
    width_on_a_phone,
)
from tests.helpers.presenting import LEFT_OVER, PROJECTOR, SLIDERS, assert_legible, count, look
from tests.helpers.waiting import rest

SETTLED = {
    ("", "simple"): ".pb-title, .pb-page",
    ("", "expert"): "text=How to read a page",
    ("tour", "simple"): ".st-key-chart-tour .plot[data-drawn]",
    ("tour", "expert"): ".st-key-chart-tour .plot[data-drawn]",
    ("data", "simple"): ".st-key-chart-hidden-change .plot[data-drawn]",
    ("data", "expert"): ".st-key-chart-singular .plot[data-drawn]",
    ("outsourced", "simple"): ".st-key-chart-found .plot[data-drawn]",
    ("outsourced", "expert"): ".st-key-chart-modeler-map .plot[data-drawn]",
    ("release", "simple"): ".st-key-chart-chances .plot[data-drawn]",
    ("release", "expert"): ".st-key-chart-terms .plot[data-drawn]",
    ("federated", "simple"): ".st-key-chart-federated-simple .plot[data-drawn]",
    ("federated", "expert"): ".st-key-chart-clipped .plot[data-drawn]",
    ("tradeoff", "simple"): ".st-key-chart-afford .plot[data-drawn]",
    ("tradeoff", "expert"): "text=runs at each of",
    ("audit", "simple"): ".pb-answer >> text=Broken",
    ("audit", "expert"): "text=Told apart every time",
    ("decision", "simple"): ".pd-verdict >> text=Recommended",
    ("decision", "expert"): ".pd-verdict >> text=Recommended",
    ("workbench", "simple"): ".st-key-chart-expected .plot[data-drawn]",
    ("workbench", "expert"): ".st-key-chart-expected .plot[data-drawn]",
    ("class", "simple"): "text=Open a room",
    ("class", "expert"): "text=Open a room",
    ("reproduce", "simple"): ".st-key-chart-reproduce-all .plot[data-drawn]",
    ("reproduce", "expert"): ".st-key-chart-reproduce-table .plot[data-drawn]",
}
"""What there is to see of each page, in each depth, once it is complete."""
SMALL = {"federated": "&N=30&T=8&M=20&federated_runs=5", "tradeoff": "&T=10&runs=5", "tour": "&step=4&seen=1"}
PRESENTED = {"outsourced": 2, "release": 2, "federated": 2, "tradeoff": 1, "data": 0, "audit": 0}
"""The Expert pages whose figures are presented, and how many of them are looked at from the last row."""
PRESENTED_SIMPLY = {"data": 0, "outsourced": 1, "release": 1, "federated": 1, "tradeoff": 1, "reproduce": 0, "tour": 1}
"""The Simple pages whose picture is presented, with how many sliders."""
SAID = """() => [document.querySelector('.pb-present-sentence h1').innerText,
  document.querySelector('.pb-answer, .pb-finding h3').textContent]"""
BACK = """() => [...document.querySelectorAll('.plot.js-plotly-plot')].every(
  plot => Math.abs(plot._fullLayout.width - plot.clientWidth) < 1 && plot.layout.font.size === 13)"""


@pytest.mark.parametrize(("name", "depth"), SETTLED)
def test_everybody_can_use_it(page, app, name, depth):
    """From a room’s last row, with a screen reader, on a phone; the dark theme only recolours what is there."""
    page.goto(f"{app}/{name}?view={depth}{SMALL.get(name, '')}")
    page.wait_for_selector(SETTLED[name, depth], state="attached", timeout=120_000)
    page.wait_for_function(
        "() => !document.querySelector('.pb-old')", timeout=90_000
    )  # numbers on their way out are faint
    found = []
    if name in (PRESENTED if depth == "expert" else PRESENTED_SIMPLY):
        rest(page)
        page.set_viewport_size(PROJECTOR)
        page.get_by_role("button", name="Presenter view").click()
        found += (
            figures_fill_the_screen(page, PRESENTED[name]) if depth == "expert" else answer_is_presented(page, name)
        )
        page.keyboard.press("Escape")
        page.wait_for_function("() => !document.querySelector('[data-pb-slide], [data-pb-strip]')")
        assert "present=" not in page.url
        page.wait_for_function(BACK)
        page.set_viewport_size({"width": 1440, "height": 900})
    found += found_in_both_themes(page)
    assert not found, "\n".join(found)
    assert width_on_a_phone(page) <= PHONE["width"]
    assert in_each_other_s_way(page) == []


def figures_fill_the_screen(page, looked_at):
    """Walk through all figures of an Expert page; return what keeps somebody with a screen reader from the second."""
    page.keyboard.press("Home")
    _, figures = count(page)
    assert figures == page.locator(".stVerticalBlock[class*='st-key-chart-']").count() >= 1
    slides, found = set(), []
    for number in range(1, figures + 1):
        seen = look(page)
        assert count(page)[0] == number
        assert f"present={number}" in page.url
        assert seen["share"] >= 0.55, seen
        assert seen["inside"], seen
        assert min(seen["ticks"]) >= 16
        assert seen["size"] >= 24
        assert seen["badge"]
        assert not page.evaluate(LEFT_OVER)
        if number <= looked_at:
            assert_legible(page)
            sliders = page.evaluate(SLIDERS)
            assert 1 <= len(sliders) <= 2, sliders
            assert "budget" in sliders or "tradeoff" not in page.url
            assert page.locator(".pb-present-sentence .pb-curator").filter(visible=True).count() == 0
        if number == 2:
            found = violations(page)
        slides.add(page.locator("[data-pb-slide]").get_attribute("class"))
        page.keyboard.press("ArrowRight")
    assert len(slides) == figures
    assert count(page)[0] == figures, "the last figure is the last"
    return found


def answer_is_presented(page, name):
    """Look at a Simple page's picture: it comes with the answer and the strength, and nothing says it is private."""
    look(page)
    page.wait_for_function(f"() => {{ const [said, answer] = ({SAID})(); return said.trim() === answer.trim(); }}")
    assert_legible(page, ticks=name != "reproduce")  # a line for each of 27 tables: such letters fit on no screen
    assert len(page.evaluate(SLIDERS)) == PRESENTED_SIMPLY[name]
    sentence = page.locator(".pb-present-sentence")
    assert sentence.locator(".pb-badge:visible", has_text="eyes only").count() == 0
    strength = page.locator(".pb-fact .pb-strength")
    if strength.count():
        assert sentence.locator(".pb-strength").inner_text() == strength.text_content()
    return []


def test_the_bar_at_the_top_has_room_on_every_screen(page, app):
    page.goto(f"{app}/data?view=simple")
    page.wait_for_selector(SETTLED["data", "simple"])
    for width in (1920, 1440, 1366, 1280, 1100, 901, 900, 800, 768):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function(f"() => ({AT_THE_TOP})().length === 0", timeout=20_000)
    assert page.locator("[data-testid=stTopNavSection]").locator("visible=true").count() == 4
