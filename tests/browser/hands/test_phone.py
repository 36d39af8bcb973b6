"""A phone: 390 × 844, a finger, no keys."""

import pytest
from playwright.sync_api import expect

from tests.helpers.hands import box_of
from tests.helpers.waiting import ENDED, rest, until

VIEWS = [
    "release?",
    "release?algorithm=1+noisy",
    "federated?N=30&T=6&M=20&runs=5",
    "audit?trials=100",
    "tradeoff?story=team",
]
TOP = "() => document.querySelector('[data-testid=stMain]').scrollTop"
STILL = f"() => {{ const before = window.place; window.place = ({TOP})(); return window.place === before; }}"
TOGETHER = """() => { const plot = document.querySelector('.plot[data-drawn]').getBoundingClientRect();
  const find = root => [...root.querySelectorAll('*')].flatMap(e => e.shadowRoot ? find(e.shadowRoot)
    : e.matches('.row.presented input[type=range]') ? [e] : []);
  const sliders = find(document).map(e => e.getBoundingClientRect()).filter(box => box.height);
  const header = document.querySelector('[data-testid=stHeader]').getBoundingClientRect().bottom;
  return plot.top >= header - 1 && plot.bottom <= innerHeight
    && sliders.some(box => box.top >= plot.bottom && box.bottom <= innerHeight); }"""
CUT = """() => [...document.querySelectorAll('.plot[data-drawn] .annotation text')].filter(text => {
  const [box, plot] = [text.getBoundingClientRect(), text.closest('.plot').getBoundingClientRect()];
  return box.width && (box.left < plot.left - 1 || box.right > plot.right + 1); }).map(text => text.textContent)"""


def swipe(page, locator, across=0, along=0):
    """Move a finger that starts in the middle of something, once nothing moves by itself any more."""
    page.wait_for_function(STILL, polling=200)
    box = locator.bounding_box()
    x, y, touch = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 13):
        place = {"x": x + across * step / 12, "y": y + along * step / 12}
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [place]})
        page.evaluate("() => new Promise(requestAnimationFrame)")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function(STILL, polling=200)


@pytest.mark.long
@pytest.mark.parametrize("view", VIEWS)
def test_the_first_picture_and_a_slider_are_seen_together(phone, app, view):
    phone.goto(f"{app}/{view}")
    phone.locator(".plot[data-drawn]").first.wait_for()
    phone.locator(".row.presented input[type=range]").first.wait_for()
    until(phone, TOGETHER)
    assert phone.evaluate(TOP) == 0
    until(phone, CUT, [])
    expect(phone.locator(".modebar-container").filter(visible=True)).to_have_count(0)


def test_a_finger_scrolls_over_plots_and_sliders_and_moves_a_thumb_sideways(phone, app):
    phone.goto(f"{app}/outsourced?T=12&runs=6")
    phone.locator(".st-key-chart-regret .plot[data-drawn]").wait_for()
    rest(phone)
    plot = phone.locator(".st-key-chart-condition .plot")
    plot.scroll_into_view_if_needed()
    top = phone.evaluate(TOP)
    swipe(phone, plot, along=-200)
    until(phone, f"() => ({TOP})() > {top + 120}")
    slider, box = phone.locator("input[type=range][data-key=T]"), box_of(phone, "T")
    slider.scroll_into_view_if_needed()
    top = phone.evaluate(TOP)
    expect(box).to_have_value("12")
    swipe(phone, slider, along=-150)
    until(phone, f"() => ({TOP})() > {top + 80}")
    expect(box).to_have_value("12")
    swipe(phone, slider, across=60)
    until(phone, lambda: int(box.input_value()) > 30)
    until(phone, lambda: slider.get_attribute("aria-valuetext") == box.input_value())
    rest(phone)
    pinned = phone.locator("input[type=range][data-key=epsilon]")
    swipe(phone, pinned, along=-150)
    expect(box_of(phone, "epsilon")).to_have_value("3")
    pinned.tap()
    phone.wait_for_function("() => !/[?&]epsilon=3(&|$)/.test(location.search)")


def test_the_menu_closes_after_a_choice(phone, app):
    phone.goto(app)
    phone.locator(".pb-facts").first.wait_for()
    phone.locator(ENDED).wait_for()
    phone.locator("[data-testid=stExpandSidebarButton]").tap()
    phone.locator("[data-testid=stSidebarNavLink][href$='/tour']").tap()
    phone.wait_for_url("**/tour*")
    phone.wait_for_function(
        "() => document.querySelector('[data-testid=stSidebar]').getBoundingClientRect().right <= 1"
    )
    phone.locator(".st-key-chart-tour .plot[data-drawn]").wait_for()
