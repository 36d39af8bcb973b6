"""What a person sees and does on the Start page, in a real browser."""

import pytest

from tests.helpers.accessible import PHONE, violations
from tests.helpers.hands import hold_thumb
from tests.helpers.waiting import until

READY = """() => document.querySelectorAll('.pb-facts').length === 3 && !document.querySelector('.pb-facts .pb-old')
  && document.querySelector('.st-key-chart-patients .plot[data-drawn]')"""
PARTS = ("headline", "sliders", "actions-start", "card-patients", "story-hospital", "story-team", "story-schools")
BOXES = """parts => parts.map(key => {
  const { left, top, width, height } = document.querySelector(`.st-key-${key}`).getBoundingClientRect();
  return [key, left, top, width, height].join(); })"""
SEEN = """() => {
  const plot = document.querySelector('.st-key-chart-patients .plot');
  return { title: document.querySelector('.st-key-title-patients h3').textContent,
           attacks: document.querySelector('.st-key-numbers-hospital .pb-value').textContent,
           lost: document.querySelectorAll('.st-key-numbers-team .pb-value')[1].textContent,
           schools: document.querySelector('.st-key-numbers-schools').textContent,
           dots: plot.data.find(trace => trace.name === 'patients').x.slice(0, 20).join(),
           axes: [...plot.layout.xaxis.range, ...plot.layout.yaxis.range].join() }; }"""
CHANGED = """before => { const now = (SEEN)();
  return ['title', 'lost', 'dots'].every(part => now[part] !== before[part]); }""".replace("SEEN", SEEN)
COVERED = """() => {
  const boxes = [...document.querySelectorAll('.st-key-chart-patients .annotation-text')]
    .filter(text => text.textContent).map(text => text.getBoundingClientRect());
  return boxes.some((a, k) => boxes.slice(k + 1).some(b => a.left < b.right && b.left < a.right
    && a.top < b.bottom && b.top < a.bottom)); }"""
ENDS = """() => [...document.querySelectorAll('.st-key-card-patients, .st-key-stories h2')]
  .map(e => e.getBoundingClientRect().bottom)"""
SMALLEST = """() => Math.min(...[...document.querySelectorAll('.stMain :is(p, h1, h2, h3, div, span, a, text)')]
  .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) && e.getClientRects().length)
  .map(e => parseFloat(getComputedStyle(e).fontSize)))"""


@pytest.fixture
def start(page, app):
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(f"{app}/?epsilon=1.3")
    page.wait_for_function(READY)
    return page


def test_picture_and_numbers_follow_a_held_thumb_and_nothing_moves(start):
    page = start
    boxes, before = page.evaluate(BOXES, PARTS), page.evaluate(SEEN)
    axes, schools = before["axes"], before["schools"]
    x, y = hold_thumb(page, "epsilon")
    for step in (40, 80, 120, -60):
        page.mouse.move(x + step, y)
        page.wait_for_function(CHANGED, arg=before)
        before = page.evaluate(SEEN)
        assert (before["axes"], before["schools"]) == (axes, schools)
        assert page.evaluate(BOXES, PARTS) == boxes
    page.mouse.up()
    page.wait_for_function(READY)
    page.wait_for_function("() => !/[?&]epsilon=1.3(&|$)/.test(location.search)")
    assert page.evaluate(BOXES, PARTS) == boxes


@pytest.mark.parametrize("size", [(1280, 720), (1366, 768), (1440, 900), (1024, 768)])
def test_the_first_screen_has_the_slider_the_picture_and_each_story(start, size):
    width, height = size
    start.set_viewport_size({"width": width, "height": height})
    until(start, f"() => Math.max(...({ENDS})()) <= {height}")
    until(start, COVERED, False)
    assert start.evaluate("document.documentElement.scrollWidth") <= width


def test_everybody_can_use_it_on_a_screen_and_on_a_phone(start):
    assert not violations(start)
    assert start.evaluate(SMALLEST) >= 12
    start.set_viewport_size(PHONE)
    until(start, "() => document.querySelector('.st-key-chart-patients .pb-chart').classList.contains('narrow')")
    slider = start.locator("input[type=range]")
    assert slider.evaluate("e => innerHeight - e.getBoundingClientRect().bottom") < 60
    assert start.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= PHONE["width"]
    assert start.evaluate(SMALLEST) >= 12
    assert not violations(start)


def test_a_story_opens_its_page_at_this_epsilon_and_back_returns(start):
    start.get_by_role("link", name="Explore the hospital").click()
    start.wait_for_url("**/outsourced?*epsilon=1.3*")
    start.locator(".pb-tiles").wait_for()
    start.go_back()
    start.wait_for_function(READY)
    assert "epsilon=1.3" in start.url
