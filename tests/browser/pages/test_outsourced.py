"""What a person sees and does on the Outsourced page, in a real browser."""

import json
import re

import pytest
from playwright.sync_api import expect

from privbo_core.outsourced import omega
from tests.helpers.hands import box_of, enter, hold_thumb, row_of
from tests.helpers.waiting import rest, until

SETTLED = ".st-key-chart-modeler-map .plot[data-drawn]"


def open_page(page, app, query=""):
    page.goto(f"{app}/outsourced?view=expert{query}")
    page.wait_for_selector(SETTLED)
    rest(page)


TESTS = "() => document.querySelector('.st-key-chart-regret .plot').data.find(t => t.name === 'private').x.at(-1)"
SEEN = """() => {
  const plot = name => document.querySelector(`.st-key-chart-${name} .plot`);
  return { marker: plot('condition').data.filter(t => t.name === 'now').map(t => [t.x[0], t.y[0]]).join(),
           omega: document.querySelectorAll('.pb-value')[2].textContent,
           curve: plot('regret').data.find(t => t.name === 'private').y.join() }; }"""
"""The marker's place, the ω tile and the private regret curve, as the browser shows them now."""


def test_a_link_a_number_box_a_key_a_wrong_value_one_that_is_newer_and_a_thumb_that_is_held(page, app):
    open_page(page, app, "&epsilon=7&T=20&delta=oops")
    runs, number, box = (box_of(page, key) for key in ("runs", "T", "epsilon"))
    expect(box).to_have_value("7")
    expect(number).to_have_value("20")
    page.get_by_text("oops").wait_for()  # what the address asks for in vain is told
    enter(box, "1")
    r, delta = (float(box_of(page, key).input_value()) for key in ("r", "delta"))
    asked = f"{omega(1.0, delta, int(r)):,.0f}"
    expect(page.locator(".pb-value").nth(2)).to_have_text(asked)
    page.wait_for_function("() => /[?&]epsilon=1(&|$)/.test(location.search)")
    enter(box, "-3")
    expect(row_of(page, "epsilon").locator(".error")).to_have_text(re.compile(r"-3\b.*\b0\.35\b.*\b150\b"))
    expect(page.locator(".pb-value").nth(2)).to_have_text(asked)  # the last usable value stays
    slider = page.locator("input[type=range][data-key=T]")
    slider.focus()
    slider.press("ArrowRight")
    page.wait_for_function("() => /[?&]T=21(&|$)/.test(location.search)")
    until(page, f"() => ({TESTS})() >= 21")
    enter(runs, "200")
    enter(number, "199")
    page.get_by_text(re.compile(r"\b\d+ \w+ 200\b")).first.wait_for()  # so far; what is asked next interrupts it
    enter(number, "10")
    enter(runs, "5")
    page.wait_for_function("() => /[?&]runs=5(&|$)/.test(location.search)")
    the_picture_follows_a_thumb(page)


def the_picture_follows_a_thumb(page):
    rest(page)
    before = page.evaluate(SEEN)
    x, y = hold_thumb(page, "r")
    for step in (12, 24, 48):
        page.mouse.move(x + step, y)
        for part, was in before.items():
            until(page, f"() => ({SEEN})().{part} !== {json.dumps(was)}")
        before = page.evaluate(SEEN)
    page.mouse.up()
    rest(page)


@pytest.mark.long
def test_the_map_plays(page, app):
    open_page(page, app, "&T=12")
    queries = "() => document.querySelector('.st-key-chart-modeler-map .plot').data[1].x.length"
    assert page.evaluate(queries) == 17
    page.locator("button.play").first.click()
    page.wait_for_function(f"() => ({queries})() < 10")
    page.wait_for_function(f"() => ({queries})() === 17")
