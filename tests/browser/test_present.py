"""Presenter view: one figure at a time, large, with its sentence, moved by arrow keys and by the live sliders."""

import pytest

from tests.helpers.hands import hold_thumb
from tests.helpers.presenting import PROJECTOR
from tests.helpers.waiting import rest, until

PRESENTED = "[data-pb-presented] .plot[data-drawn]"
# The figure that is presented, in the screen: its share of it, and whether anything of it is lost or covered.
SHOWN = """() => { const box = document.querySelector('[data-pb-presented] .plot').getBoundingClientRect();
  const sliders = document.querySelector('.st-key-sliders').getBoundingClientRect();
  const title = document.querySelector('.st-key-headline').getBoundingClientRect();
  return { share: box.width * box.height / (innerWidth * innerHeight),
    inside: box.left >= 0 && box.right <= innerWidth && box.bottom <= sliders.top + 1 && box.top >= title.bottom - 1,
    ticks: Math.min(...[...document.querySelectorAll('[data-pb-presented] :is(.xtick, .ytick) text')]
      .map(e => parseFloat(getComputedStyle(e).fontSize))),
    title: parseFloat(getComputedStyle(document.querySelector('.pb-headline')).fontSize),
    card: document.querySelector('[data-pb-presented]').className.match(/st-key-card-([a-z]+)/)[1],
    asked: new URLSearchParams(location.search).get('present') }; }"""


def open_page(page, app, query=""):
    page.set_viewport_size(PROJECTOR)
    page.goto(f"{app}/outsourced?T=12&runs=6{query}")
    page.wait_for_selector(".st-key-chart-regret .plot[data-drawn]")
    rest(page)


def shown(page, card):
    """Wait until the figure of this card fills the screen, and fail if it can't be read from the last row."""
    until(page, lambda: page.evaluate(SHOWN)["card"], card)
    until(page, lambda: (seen := page.evaluate(SHOWN))["inside"] and seen["share"] >= 0.45)
    seen = page.evaluate(SHOWN)
    assert seen["ticks"] >= 16
    assert seen["title"] >= 28
    return seen


def test_a_figure_fills_the_screen_and_follows_a_thumb(page, app):
    open_page(page, app)
    page.get_by_role("button", name="Present", exact=True).click()
    assert shown(page, "condition")["asked"] == "1"
    sliders = page.locator(".st-key-sliders input[type=range]").filter(visible=True)
    assert 1 <= sliders.count() <= 3
    curve = "() => document.querySelector('[data-pb-presented] .plot').data.find(t => t.name === 'ω(r)').y.join()"
    first = page.evaluate(curve)
    x, y = hold_thumb(page, "epsilon")
    page.mouse.move(x - 100, y, steps=5)
    until(page, lambda: page.evaluate(curve) != first)
    page.mouse.up()
    rest(page)
    shown(page, "condition")
    second = page.evaluate(curve)
    page.keyboard.press("ArrowRight")  # the thumb still has the focus
    until(page, lambda: page.evaluate(curve) != second)
    rest(page)
    page.locator(PRESENTED).click(position={"x": 20, "y": 20})
    page.keyboard.press("ArrowRight")
    assert shown(page, "regret")["asked"] == "2"
    page.keyboard.press("Escape")
    page.locator("[data-pb-presented]").wait_for(state="detached")
    page.wait_for_function("() => !/present=/.test(location.search)")


WHOLE_SCREEN = """() => { let whole = null; window.asked = 0;
  Object.defineProperty(document, 'fullscreenElement', { get: () => whole });
  const turn = element => { whole = element; document.dispatchEvent(new Event('fullscreenchange')); };
  Element.prototype.requestFullscreen = async function () {
    window.asked += 1;
    await new Promise(granted => { window.grant = granted; if (!window.slowly) granted(); });
    turn(this); };
  document.exitFullscreen = async () => turn(null); }"""


def test_a_link_opens_it_and_the_end_of_the_whole_screen_is_its_own(page, app):
    """A browser without a window has no whole screen to give, so here it only pretends."""
    open_page(page, app, "&present=2")
    shown(page, "regret")
    page.wait_for_function("() => /present=2/.test(location.search) && /T=12/.test(location.search)")
    page.keyboard.press("Escape")
    page.locator("[data-pb-presented]").wait_for(state="detached")
    page.evaluate(WHOLE_SCREEN)
    button = page.get_by_role("button", name="Present", exact=True)
    button.click()
    page.locator(PRESENTED).wait_for()
    until(page, "window.asked", 1)
    page.evaluate("() => void document.exitFullscreen()")
    page.wait_for_function("() => !document.querySelector('[data-pb-presented]') && !/present=/.test(location.search)")
    page.evaluate("window.slowly = true")  # and who has left before it is granted doesn't get it
    button.click()
    page.locator(PRESENTED).wait_for()
    page.keyboard.press("Escape")
    page.locator("[data-pb-presented]").wait_for(state="detached")
    page.evaluate("window.grant()")
    until(page, "document.fullscreenElement", None)


PLACES = """() => { const box = name => document.querySelector(name)?.getBoundingClientRect();
  const plot = box('[data-pb-presented] .plot'), sliders = box('.st-key-sliders'), title = box('.st-key-headline');
  const leave = box('.pb-present-nav'), notes = [...document.querySelectorAll('[data-pb-presented] .pb-foot')];
  return { inside: plot.left >= 0 && plot.right <= innerWidth && plot.bottom <= (sliders?.top ?? innerHeight) + 1,
    below: plot.top >= title.bottom - 1, apart: title.right <= leave.left || title.top >= leave.bottom,
    covered: notes.some(note => note.getClientRects().length) }; }"""


@pytest.mark.parametrize("name", ["release", "federated?T=5&runs=5&N=20", "audit?trials=100", "papers", "tour"])
def test_each_page_is_presented_whole(page, app, name):
    page.set_viewport_size(PROJECTOR)
    page.goto(f"{app}/{name}{'&' if '?' in name else '?'}present=1")
    page.locator(PRESENTED).wait_for()
    rest(page)
    until(page, lambda: page.evaluate(PLACES), {"inside": True, "below": True, "apart": True, "covered": False})
