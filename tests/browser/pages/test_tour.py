"""A lesson of the Tour in a real browser: by mouse, on a projector, and on a phone."""

import pytest
from playwright.sync_api import expect

from tests.helpers.accessible import PHONE, found_in_both_themes, width_on_a_phone
from tests.helpers.waiting import quiet, rest

PLOT = ".st-key-chart-tour .plot[data-drawn]"
COVERED = f"() => document.querySelector('{PLOT}')?.layout.annotations?.[0]?.text === '?'"
SHOWN = f"""() => {{ const plot = document.querySelector('{PLOT}');
  return plot && plot.layout.annotations?.[0]?.text !== '?'; }}"""
PLACE = """() => {
  const boxes = ['.pb-headline', '.st-key-moves', '.st-key-card-tour', '.st-key-panel', '.st-key-previous button',
    '.st-key-next button'].map(part => document.querySelector(part)?.getBoundingClientRect());
  if (!boxes.every(box => box && box.height > 20 && box.top > 40 && box.bottom < innerHeight)) return null;
  const [previous, next] = boxes.slice(4);
  return [previous.left, previous.top, next.right, next.top].map(Math.round).join(); }"""
"""The place of the two moves, once a step stands whole on the screen."""
OPTIONS = ".st-key-asked [class*=st-key-answer-] button"


def open_step(page, app, lesson, step, **query):
    asked = "".join(f"&{key}={value}" for key, value in query.items())
    page.goto(f"{app}/tour?lesson={lesson}&step={step}{asked}")
    page.wait_for_function(SHOWN if query.get("seen") else COVERED)


def test_a_lesson_is_answered_from_step_to_step_and_next_stays_in_its_place(app, page):
    page.set_viewport_size({"width": 1366, "height": 768})
    open_step(page, app, "release", 1, seen=0)
    places, findings = set(), []
    for number in range(1, 5):
        page.wait_for_function(COVERED)
        places.add(page.wait_for_function(PLACE).json_value())
        option = page.locator(OPTIONS).nth(number % 3)
        words = option.inner_text().strip()
        option.click()
        page.wait_for_function(SHOWN)
        expect(page.locator(".pb-lead")).to_contain_text(f"You said “{words}”")
        places.add(page.wait_for_function(PLACE).json_value())
        findings.append(page.locator(".pb-headline").inner_text())
        page.locator(".st-key-next button").click()
    assert len(places) == 1
    assert len(set(findings)) == 4
    page.locator(".st-key-previous button").click()
    page.wait_for_function(SHOWN)
    expect(page.locator(".pb-headline")).to_have_text(findings[-1])


def test_a_guess_with_the_slider_is_answered(app, page):
    open_step(page, app, "epsilon", 1, seen=0)
    page.get_by_role("button", name="That is my guess").click()
    page.wait_for_function(SHOWN)
    expect(page.locator(".pb-lead")).to_contain_text("You said 85, and it is 73")


def test_arrow_keys_lead_through_a_lesson_in_presenter_view(app, page):
    page.set_viewport_size({"width": 1920, "height": 1080})
    open_step(page, app, "epsilon", 2, seen=1, present=1)
    page.locator("[data-pb-presented]").wait_for()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**step=3**")
    page.wait_for_function(COVERED)
    page.locator("[data-pb-presented]").wait_for()
    page.locator(OPTIONS).first.click()
    page.wait_for_function(SHOWN)
    box = page.locator("[data-pb-presented]").bounding_box()
    assert box["width"] > 1700
    assert box["height"] > 600
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**step=2**")


@pytest.mark.long
@pytest.mark.parametrize(("lesson", "step"), [("outsourced", 5), ("release", 2), ("federated", 4)])
def test_everybody_can_answer(app, page, lesson, step):
    """With a screen reader, in both themes, and on a phone, covered and uncovered."""
    for seen in (0, 1):
        page.set_viewport_size({"width": 1440, "height": 900})
        page.emulate_media(color_scheme="light")
        open_step(page, app, lesson, step, seen=seen)
        quiet(page)
        assert not found_in_both_themes(page)
        assert width_on_a_phone(page) <= PHONE["width"]


def test_a_thumb_is_enough_on_a_phone(phone, app):
    open_step(phone, app, "release", 1, seen=0)
    rest(phone)
    phone.locator(OPTIONS).nth(1).tap()
    phone.wait_for_function(SHOWN)
    expect(phone.locator(".pb-lead")).to_contain_text("You said")
