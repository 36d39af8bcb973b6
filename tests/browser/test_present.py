"""Presenter view: one figure at a time, large, with its sentence, moved by arrow keys and by the live sliders."""

import pytest
from playwright.sync_api import expect

from tests.helpers.hands import hold_thumb, present, within
from tests.helpers.presenting import PROJECTOR, SLIDERS, assert_legible, look
from tests.helpers.waiting import rest, until


def start(page, app, query):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{app}/outsourced?view=expert{query}")
    page.wait_for_selector(".st-key-chart-modeler-map .plot[data-drawn]", state="attached")
    rest(page)


def test_the_figure_follows_a_thumb_and_the_arrow_keys_of_a_slider_are_its_own(page, app):
    start(page, app, "&present=1&T=12&runs=6")
    before = look(page)
    marker = """document.querySelector('[data-pb-slide] .plot').data
        .filter(t => t.name === 'now').map(t => [t.x[0], t.y[0]]).join()"""
    first = page.evaluate(marker)
    x, y = hold_thumb(page, "epsilon")
    page.mouse.move(x - 100, y, steps=5)
    until(page, f"() => {marker} !== '{first}'")
    sentence = page.locator(".pb-present-sentence h1")
    expect(sentence).not_to_have_text(before["title"])  # at this ε it says something else of the figure
    assert look(page, 1)["share"] >= 0.55
    page.mouse.up()
    rest(page)
    second = page.evaluate(marker)
    page.keyboard.press("ArrowRight")  # the thumb still has the focus
    until(page, f"() => {marker} !== '{second}'")
    said = look(page, 1)["title"]
    page.locator("[data-pb-slide] .plot").click(position={"x": 20, "y": 20})
    page.keyboard.press("ArrowRight")
    assert look(page, 2)["title"] not in (before["title"], said)


@pytest.mark.long
def test_the_tour_leads_through_eight_steps_by_arrow_keys(page, app):
    page.set_viewport_size(PROJECTOR)
    page.goto(f"{app}/tour?tour_data=homes&present=1")
    sentences = []
    for number in range(1, 9):
        page.locator(".pb-present-nav [role=status]", has_text=f"{number} / 8").wait_for()
        page.wait_for_function("number => location.search.includes(`step=${number}`)", arg=number)
        rest(page)
        seen = look(page, number)
        assert seen["share"] >= 0.55, seen
        assert min(seen["ticks"]) >= 16
        assert_legible(page)
        page.locator("[data-pb-strip] input[type=range]").first.wait_for()  # it is made anew after the figure
        sentences.append(seen["title"])
        page.keyboard.press("ArrowRight")
    assert len(set(sentences)) == 8
    page.wait_for_url("**tour_data=homes**")
    page.keyboard.press("ArrowLeft")
    page.locator(".pb-present-nav [role=status]", has_text="7 / 8").wait_for()
    page.keyboard.press("Home")
    page.locator(".pb-present-nav [role=status]", has_text="1 / 8").wait_for()
    page.keyboard.press("Escape")
    within(page, "tour-next").click()
    page.locator(".pb-step-count", has_text="2 / 8").wait_for()


@pytest.mark.long
@pytest.mark.parametrize(("lesson", "step"), [("release", 2), ("federated", 4), ("epsilon", 8)])
def test_a_lesson_s_picture_is_legible_from_the_last_row(page, app, lesson, step):
    page.set_viewport_size(PROJECTOR)
    page.goto(f"{app}/tour?lesson={lesson}&step={step}&present=1")
    assert_legible(page)
    until(page, f"() => [1, 2].includes(({SLIDERS})().length)")


WHOLE_SCREEN = """() => { let whole = null; window.asked = 0;
  Object.defineProperty(document, 'fullscreenElement', { get: () => whole });
  const turn = element => { whole = element; document.dispatchEvent(new Event('fullscreenchange')); };
  Element.prototype.requestFullscreen = async function () {
    window.asked += 1;
    await new Promise(granted => { window.grant = granted; if (!window.slowly) granted(); });
    turn(this); };
  document.exitFullscreen = async () => turn(null); }"""


def test_a_link_opens_right_in_it_and_its_button_takes_the_whole_screen_whose_end_is_the_view_s(page, app):
    """A browser without a window has no whole screen to give, so here it only says so."""
    start(page, app, "&present=4&T=12&runs=6")
    page.locator(".st-key-chart-modeler-map[data-pb-slide] .plot").wait_for()  # a figure that was still to come
    page.locator("[data-pb-strip] input[data-key=t]").wait_for()  # the slider nearest to the figure
    page.wait_for_function("() => /present=4/.test(location.search) && /T=12/.test(location.search)")
    page.keyboard.press("Escape")
    page.locator("[data-pb-slide]").wait_for(state="detached")
    page.evaluate(WHOLE_SCREEN)
    present(page)
    page.locator("[data-pb-slide] .plot").wait_for()
    until(page, "window.asked", 1)
    page.evaluate("() => void document.exitFullscreen()")
    page.wait_for_function("() => !document.querySelector('[data-pb-slide]') && !/present=/.test(location.search)")
    page.evaluate("window.slowly = true")  # and who has left before it is granted does not get it
    present(page)
    page.locator("[data-pb-slide] .plot").wait_for()
    page.keyboard.press("Escape")
    page.locator("[data-pb-slide]").wait_for(state="detached")
    page.evaluate("window.grant()")
    until(page, "document.fullscreenElement", None)
