"""Presenter view: one figure at a time, large, with its sentence, moved by arrow keys and by the live sliders."""

from tests.helpers.hands import hold_thumb, present
from tests.helpers.presenting import PRESENTED, PROJECTOR, assert_seen_from_the_last_row, look
from tests.helpers.waiting import rest, until


def open_page(page, app, query=""):
    page.set_viewport_size(PROJECTOR)
    page.goto(f"{app}/outsourced?T=12&runs=6{query}")
    page.wait_for_selector(".st-key-chart-regret .plot[data-drawn]")
    rest(page)


def shown(page, card):
    """Wait until the figure of this card fills the screen, and fail if it can't be read from the last row."""
    look(page, card)
    rest(page)
    seen = look(page, card)
    assert_seen_from_the_last_row(seen)
    return seen


def test_a_figure_fills_the_screen_and_follows_a_thumb(page, app):
    open_page(page, app)
    present(page)
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
    present(page)
    page.locator(PRESENTED).wait_for()
    until(page, "window.asked", 1)
    page.evaluate("() => void document.exitFullscreen()")
    page.wait_for_function("() => !document.querySelector('[data-pb-presented]') && !/present=/.test(location.search)")
    page.evaluate("window.slowly = true")  # and who has left before it is granted doesn't get it
    present(page)
    page.locator(PRESENTED).wait_for()
    page.keyboard.press("Escape")
    page.locator("[data-pb-presented]").wait_for(state="detached")
    page.evaluate("window.grant()")
    until(page, "document.fullscreenElement", None)


def test_a_question_is_presented_with_its_answers(page, app):
    page.set_viewport_size(PROJECTOR)
    page.goto(f"{app}/tour?present=1")
    page.locator(PRESENTED).wait_for()
    rest(page)
    seen = look(page, "tour")
    assert seen["inside"], seen
    assert seen["apart"], seen
    assert seen["left"] == []
    assert page.locator("[data-pb-presented] .st-key-asked button").filter(visible=True).count() >= 1
