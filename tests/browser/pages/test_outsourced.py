"""What a person sees and does on the Outsourced page, in a real browser."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.helpers.hands import enter, exact, hold_thumb
from tests.helpers.waiting import rest, until

SETTLED = ".st-key-chart-modeler-map .plot[data-drawn]"


def open_page(page, app, query=""):
    page.goto(f"{app}/outsourced?view=expert{query}")
    page.wait_for_selector(SETTLED)
    page.get_by_text(re.compile(r"^\d+ runs, bands")).wait_for()


SEEN = """() => {
  const plot = name => document.querySelector(`.st-key-chart-${name} .plot`);
  return { marker: plot('condition').data.filter(t => t.name === 'now').map(t => [t.x[0], t.y[0]]).join(),
           omega: document.querySelectorAll('.pb-value')[2].textContent,
           curve: plot('regret').data.find(t => t.name === 'private').y.join() }; }"""
"""The marker's place, the ω tile and the private regret curve, as the browser shows them now."""


def test_a_link_a_number_box_a_key_a_wrong_value_one_that_is_newer_and_a_thumb_that_is_held(page, app):
    open_page(page, app, "&epsilon=7&T=20&delta=oops")
    runs, number, box = (exact(page, name) for name in ("runs", "T", "ε"))
    expect(box).to_have_value("7")
    expect(number).to_have_value("20")
    page.get_by_text("“oops” is not a number").wait_for()
    enter(box, "1")
    page.get_by_text("ω, what Theorem 1 asks").wait_for()
    page.get_by_text("2,932", exact=True).wait_for()
    page.wait_for_function("() => /[?&]epsilon=1(&|$)/.test(location.search)")
    enter(box, "-3")
    page.get_by_text("-3 is out of range; “ε” takes a number from 0.35 to 150.").wait_for()
    expect(page.locator(".pb-value").nth(2)).to_have_text("2,932")  # the last usable value stays
    slider = page.locator("input[type=range][data-key=T]")
    slider.focus()
    slider.press("ArrowRight")
    page.get_by_text("after 21 tests").wait_for()
    enter(runs, "200")
    enter(number, "199")
    page.get_by_text(re.compile(r"\d+ of 200 runs")).wait_for()
    enter(number, "10")
    enter(runs, "5")
    page.get_by_text("5 runs, bands ± 1 standard error").wait_for()
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
    page.get_by_text("5 runs, bands ± 1 standard error").wait_for()


@pytest.mark.long
def test_the_map_plays(page, app):
    open_page(page, app, "&T=12")
    queries = "() => document.querySelector('.st-key-chart-modeler-map .plot').data[1].x.length"
    assert page.evaluate(queries) == 17
    page.get_by_role("button", name="play").click()
    page.wait_for_function(f"() => ({queries})() < 10")
    page.wait_for_function(f"() => ({queries})() === 17")
