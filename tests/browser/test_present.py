"""Presenter view: one figure at a time, large, with its sentence, moved by arrow keys and by the live sliders."""

import re

import pytest

from tests.helpers.accessible import found_in_both_themes
from tests.helpers.waiting import rest

READY = {
    "data": ".st-key-chart-singular .plot[data-drawn]",
    "outsourced": ".st-key-chart-modeler-map .plot[data-drawn]",
    "release": ".st-key-chart-terms .plot[data-drawn]",
    "federated": ".st-key-chart-clipped .plot[data-drawn]",
    "audit": "text=Told apart every time",
}
SMALL = {"federated": "&N=30&T=8&M=20&federated_runs=5"}
SHOWN = "[data-pb-slide] .plot[data-drawn]"

# Everything that can be seen although it is no part of the view.
LEFT_OVER = """() => [...document.querySelectorAll('.stApp *')].filter(e => e.getClientRects().length
  && getComputedStyle(e).visibility === 'visible' && e.closest('.stMain, .stAppHeader')
  && !e.closest('[data-pb-slide], [data-pb-strip], .st-key-present')
  && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())).map(e => e.textContent)"""
SEEN = """() => { const plot = document.querySelector('[data-pb-slide] .plot'), box = plot.getBoundingClientRect();
  const below = document.querySelector('[data-pb-strip]')?.getBoundingClientRect().top ?? innerHeight;
  const above = document.querySelector('.pb-present-head').getBoundingClientRect().bottom;
  return { share: box.width * box.height / (innerWidth * innerHeight),
    covered: above > box.top + 1 || below < box.bottom - 1,
    inside: box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight,

    drawn: [plot._fullLayout.width, plot._fullLayout.height].map(Math.round).join()
      === [box.width, box.height].map(Math.round).join(),
    ticks: [...plot.querySelectorAll('.xtick text, .ytick text')].map(e => parseFloat(getComputedStyle(e).fontSize)),
    title: document.querySelector('.pb-present-sentence h1').textContent,
    letters: parseFloat(getComputedStyle(document.querySelector('.pb-present-sentence h1')).fontSize),
    badge: document.querySelector('.pb-present-sentence .pb-badge').textContent }; }"""


def start(page, app, name, query="", width=1280, height=720):
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{app}/{name}?view=expert{query or SMALL.get(name, '')}")
    page.wait_for_selector(READY[name], state="attached", timeout=120_000)


def count(page):
    now, of = page.locator(".pb-present-nav [role=status]").inner_text().split(" / ")
    return int(now), int(of)


def look(page):
    """Wait until the figure that is shown fills its place, and nothing covers it; return what is seen."""
    page.wait_for_function(
        f"() => {{ const now = document.querySelector('{SHOWN}') && ({SEEN})(); return now?.drawn && !now.covered; }}"
    )
    return page.evaluate(SEEN)


@pytest.mark.parametrize("name", list(READY))
def test_each_figure_of_a_page_fills_the_screen_with_its_sentence(page, app, name):
    start(page, app, name)
    rest(page)
    page.get_by_role("button", name="Presenter view").click()
    page.keyboard.press("Home")
    _, figures = count(page)
    assert figures == page.locator(".stVerticalBlock[class*='st-key-chart-']").count() >= 2
    slides = set()
    for number in range(1, figures + 1):
        seen = look(page)
        assert count(page)[0] == number
        assert f"present={number}" in page.url
        assert seen["share"] >= 0.55, seen
        assert seen["inside"], seen
        assert not seen["covered"], seen
        assert seen["ticks"]
        assert min(seen["ticks"]) >= 16
        assert seen["letters"] >= 24
        assert seen["title"]
        assert seen["badge"]
        assert not page.evaluate(LEFT_OVER)
        slides.add(page.locator("[data-pb-slide]").get_attribute("class"))
        page.keyboard.press("ArrowRight")
    assert len(slides) == figures
    assert count(page)[0] == figures, "the last figure is the last"
    page.keyboard.press("ArrowLeft")
    assert count(page)[0] == figures - 1
    page.keyboard.press("Escape")
    assert "present=" not in page.url
    assert page.locator("[data-pb-slide], [data-pb-strip]").count() == 0
    assert page.get_by_role("link", name="Start").is_visible()
    page.wait_for_function("""() => [...document.querySelectorAll('.plot.js-plotly-plot')].every(
        plot => Math.abs(plot._fullLayout.width - plot.clientWidth) < 1 && plot.layout.font.size === 13)""")


def test_the_figure_follows_a_thumb_and_the_arrow_keys_of_a_slider_are_its_own(page, app):
    start(page, app, "outsourced", "&present=1")
    before = look(page)
    assert before["title"].startswith("Distances survive")
    marker = """() => document.querySelector('[data-pb-slide] .plot').data
        .filter(t => t.name === 'now').map(t => [t.x[0], t.y[0]]).join()"""
    first = page.evaluate(marker)
    box = page.locator("[data-pb-strip] input[data-key=epsilon]").bounding_box()
    x, y = box["x"] + box["width"] * 0.35, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 40, y, steps=5)
    page.wait_for_function(f"old => ({marker})() !== old", arg=first)
    page.locator(".pb-present-sentence h1", has_text="Distances are stretched").wait_for()
    assert look(page)["share"] >= 0.55
    assert count(page)[0] == 1
    page.mouse.up()
    second = page.evaluate(marker)
    page.keyboard.press("ArrowRight")  # the thumb still has the focus
    page.wait_for_function(f"old => ({marker})() !== old", arg=second)
    assert count(page)[0] == 1
    area = page.locator("[data-pb-slide] .plot").bounding_box()
    page.mouse.click(area["x"] + 20, area["y"] + 20)
    page.keyboard.press("ArrowRight")
    assert count(page)[0] == 2
    page.locator(".pb-present-sentence h1", has_text=re.compile("Privacy|No clear cost")).wait_for()


def test_a_link_opens_right_in_it_and_waits_for_a_figure_that_is_still_to_come(page, app):
    start(page, app, "outsourced", "&present=4&T=12")
    page.locator(".st-key-chart-modeler-map[data-pb-slide] .plot").wait_for()
    page.locator("[data-pb-strip] input[data-key=t]").wait_for()  # the slider nearest to the figure
    assert "present=4" in page.url
    page.wait_for_function("() => location.search.includes('T=12')")


@pytest.mark.parametrize("name", ["outsourced", "audit"])
def test_no_serious_accessibility_violation(page, app, name):
    start(page, app, name, "&present=2")
    page.wait_for_selector(SHOWN)
    rest(page)
    found = found_in_both_themes(page)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("data", ["synthetic", "homes"])
def test_the_tour_leads_through_eight_steps_by_arrow_keys(page, app, data):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{app}/tour?tour_data={data}&present=1")
    sentences = []
    for number in range(1, 9):
        page.locator(".pb-present-nav [role=status]", has_text=f"{number} / 8").wait_for()
        page.wait_for_function("number => location.search.includes(`step=${number}`)", arg=number)
        seen = look(page)
        assert seen["share"] >= 0.55, seen
        assert not seen["covered"], seen
        assert min(seen["ticks"]) >= 16
        page.locator("[data-pb-strip] input[type=range]").first.wait_for()  # it is made anew after the figure
        sentences.append(seen["title"])
        page.keyboard.press("ArrowRight")
    assert len(set(sentences)) == 8
    assert f"tour_data={data}" in page.url
    page.keyboard.press("ArrowLeft")
    page.locator(".pb-present-nav [role=status]", has_text="7 / 8").wait_for()
    page.keyboard.press("Home")
    page.locator(".pb-present-nav [role=status]", has_text="1 / 8").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Next").click()
    page.locator(".pb-step-count", has_text="2 / 8").wait_for()


def test_a_link_to_a_step_brings_its_settings(page, app):
    page.goto(f"{app}/tour?tour_data=homes&step=3&epsilon=1&r=20")
    page.locator(".pb-finding", has_text="inflated first").wait_for()
    assert page.get_by_label("r: exact value", exact=True).input_value() == "20"
    assert page.get_by_label("ε: exact value", exact=True).input_value() == "1"
