"""What a person sees and does on Trade-off, in a real browser: two lines to pull, two questions, and the brief."""

import os
import re
from dataclasses import replace

import pytest
from playwright.sync_api import expect

import privbo_core as pb
from pages import ui
from pages.ui import stories
from privbo_core.outsourced import Simulation
from tests.browser.conftest import ARGUMENTS
from tests.helpers.accessible import assert_for_everybody
from tests.helpers.dots import in_address, touch
from tests.helpers.fonts import single_font
from tests.helpers.hands import handed_out, hold_thumb
from tests.helpers.waiting import rest, until

PARTS = ("stories-tradeoff", "headline", "card-tradeoff", "chart-tradeoff", "asked-tradeoff", "facts")
BOXES = """parts => parts.map(key => {
  const { left, top, width, height } = document.querySelector(`.st-key-${key}`).getBoundingClientRect();
  return [key, ...[left, top, width, height].map(Math.round)].join(); })"""
READY = "() => !document.querySelector('.pb-old') && document.querySelector('.st-key-brief button:not([disabled])')"
UPRIGHT, LEVEL = ".pb-line.pb-upright", ".pb-line.pb-level"
STRENGTH = ".pb-fact .pb-strong"


def open_story(page, app, story="hospital", epsilon=1.0, size=(1366, 768)):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{app}/tradeoff?story={story}&epsilon={epsilon:g}")
    page.wait_for_function(READY, timeout=240_000)
    rest(page)


@pytest.mark.parametrize("size", [(1366, 768), (1440, 900)])
def test_question_figure_and_answer_are_seen_together(page, app, size):
    open_story(page, app, size=size)
    height = size[1]
    for part in (
        ".pb-headline",
        ".st-key-card-tradeoff",
        "input[type=range][data-key=epsilon]",
        ".st-key-asked-tradeoff",
    ):
        box = page.locator(part).first.bounding_box()
        assert box["y"] >= 40
        assert box["y"] + box["height"] <= height


def test_pulling_the_epsilon_line_shows_its_cost_and_moves_nothing_else(page, app):
    open_story(page, app, "team")
    boxes, strength = page.evaluate(BOXES, PARTS), page.locator(STRENGTH).first.inner_text()
    line = page.locator(UPRIGHT).bounding_box()
    x, y = line["x"] + 1, line["y"] + 0.7 * line["height"]
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 9):
        page.mouse.move(x + 20 * step, y)
    until(page, lambda: abs(page.locator(UPRIGHT).bounding_box()["x"] + 1 - (x + 160)) < 3)
    until(page, lambda: page.locator(STRENGTH).first.inner_text() != strength)
    assert page.evaluate(BOXES, PARTS) == boxes
    page.mouse.up()
    until(page, lambda: (in_address(page, "epsilon") or 0) > 2)
    rest(page)
    level, cost = page.locator(LEVEL), page.locator(STRENGTH).nth(2).inner_text()
    assert level.inner_text() == cost
    assert page.evaluate(BOXES, PARTS) == boxes


def test_pulling_the_cost_line_finds_the_epsilon(page, app):
    open_story(page, app, "hospital", epsilon=10)
    line = page.locator(LEVEL).bounding_box()
    x, y = line["x"] + 40, line["y"] + 1
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 9):
        page.mouse.move(x, y - 8 * step)
    page.mouse.up()
    until(page, lambda: (in_address(page, "epsilon") or 99) < 4)
    rest(page)
    epsilon = in_address(page, "epsilon")
    assert float(page.locator(UPRIGHT).get_attribute("aria-valuenow")) == pytest.approx(epsilon, rel=1e-3)
    assert f"{epsilon:g}" in page.locator(".pb-headline").inner_text()


def test_both_lines_are_moved_by_keys(page, app):
    open_story(page, app, "team")
    page.locator(UPRIGHT).focus()
    page.keyboard.press("ArrowRight")
    until(page, lambda: in_address(page, "epsilon"), 1.05)
    page.locator(LEVEL).focus()
    page.keyboard.press("ArrowUp")  # a higher cost, and a smaller ε
    until(page, lambda: (in_address(page, "epsilon") or 9) < 1.05)
    page.keyboard.press("ArrowDown")
    until(page, lambda: (in_address(page, "epsilon") or 0) > 0.9)


def test_a_finger_pulls_the_line_and_scrolls_beside_it(phone, app):
    phone.goto(f"{app}/tradeoff?story=team&epsilon=1")
    phone.wait_for_function(READY)
    rest(phone)
    phone.locator(UPRIGHT).scroll_into_view_if_needed()
    line = phone.locator(UPRIGHT).bounding_box()
    touch(phone, line["x"] + 1, line["y"] + 60, across=60)
    until(phone, lambda: (in_address(phone, "epsilon") or 0) > 1.5)


def test_nothing_moves_while_the_thumb_is_held(page, app):
    open_story(page, app, "hospital")
    boxes = page.evaluate(BOXES, PARTS)
    x, y = hold_thumb(page, "epsilon")
    for step in (30, 90, 150, -60):
        before = page.locator(UPRIGHT).bounding_box()["x"]
        page.mouse.move(x + step, y)
        until(page, lambda before=before: page.locator(UPRIGHT).bounding_box()["x"] != before)
        assert page.evaluate(BOXES, PARTS) == boxes
    page.mouse.up()


@pytest.mark.long
@pytest.mark.parametrize("story", ["hospital", "team"])
def test_everybody_can_use_it(page, app, story):
    open_story(page, app, story)
    assert_for_everybody(page)


PAPERS = {"A4": (210, 297), "Letter": (216, 279)}


@pytest.fixture(scope="module")
def brief(browser, app, tmp_path_factory):
    """Return the file of a brief, as a visitor gets it."""
    with browser.new_context(accept_downloads=True) as visit:
        page = visit.new_page()
        page.set_default_timeout(120_000)
        open_story(page, app, "hospital")
        return handed_out(page.locator(".st-key-brief button"), tmp_path_factory.mktemp("brief"))


def longest(folder):
    """Return a brief of the longest texts that there are: many columns with long names, and no assumption is met."""
    problem = pb.data.sample("homes")
    names = tuple(f"{'a long name of a column ' * 4}{k}" for k in range(problem.d))
    frame = pb.data.frame_from(problem.original, names)
    story = stories.table(Simulation(replace(problem, title="t" * 200, names=names, known_frame=frame, identity=None)))
    promise = story.guarantee(1.0)
    cost = story.cost(1.0)
    text, whom = story.protected()
    made = ui.Brief(
        story.asked(), story.title(1.0, cost), f"{story.lead(cost)} {story.sure(cost)} {'Little to lose. ' * 8}",
        ui.Picture([0.1, 1.0, 9.0], [9.0, 5.0, 0.0], [8.0, 4.0, 0.0], [9.0, 6.0, 1.0], 1, [], 1.0, 5.0, "l", "a", "r"),
        "caption " * 12, [("Privacy budget (ε)", "1"), ("Protected", f"{text}, {whom}"), ("Strength", "s " * 80),
                          ("Cost", story.sure(cost))],
        [ui.Assumption(each, "x", unmet) for each, unmet in story.conditions(promise)], promise.assumptions,
        "comparison " * 40, story.signers, "source " * 12,
    )  # fmt: skip
    path = folder / "longest.html"
    path.write_text(ui.brief_html(made))
    return path


def pages_of(pdf):
    return len(re.findall(rb"/Type\s*/Page[^s]", pdf))


@pytest.fixture(scope="module")
def other_fonts(tmp_path_factory):
    """Return the variables of a machine that has one other font only."""
    font = single_font(tmp_path_factory.mktemp("fonts"))
    if not font:
        pytest.skip("This machine has no other font.")
    return {**os.environ, **font}


def looked_at(chromium, path):
    """Return the pages of a brief on each paper, and the width of its words."""
    with chromium.new_context(offline=True) as visit:
        page = visit.new_page()
        page.goto(path.as_uri())
        page.evaluate("() => document.fonts.ready")
        counts = {name: pages_of(page.pdf(format=name)) for name in PAPERS}
        return counts, page.locator("dt").first.evaluate("e => Math.round(e.getBoundingClientRect().width)")


def test_the_brief_is_one_page_with_its_own_font(browser, browser_path, brief, other_fonts, tmp_path):
    counts, width = looked_at(browser, brief)
    assert counts == dict.fromkeys(PAPERS, 1)
    assert looked_at(browser, longest(tmp_path))[0] == dict.fromkeys(PAPERS, 1)
    foreign = browser.browser_type.launch(executable_path=browser_path, args=ARGUMENTS, env=other_fonts)
    try:
        assert looked_at(foreign, brief) == (counts, width)
    finally:
        foreign.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_brief_can_be_read_without_a_network_in_both_themes(browser, brief, scheme, width):
    with browser.new_context(offline=True, color_scheme=scheme, viewport={"width": width, "height": 800}) as visit:
        page, asked = visit.new_page(), []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(brief.as_uri())
        dark, light = page.evaluate("""() => { const channel = name => Math.max(...getComputedStyle(
          document.documentElement)[name].match(/\\d+/g).slice(0, 3).map(Number));
          return [channel('backgroundColor'), Math.max(...getComputedStyle(document.body).color.match(/\\d+/g)
          .slice(0, 3).map(Number))]; }""")
        assert (dark < light) == (scheme == "dark")
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
        expect(page.locator("h1")).to_be_visible()
