"""How the Outsourced page looks: its first screen, its letters, its labels, on a phone and for screen readers."""

import pytest
from playwright.sync_api import expect

from tests.helpers.accessible import PHONE, assert_for_everybody, violations
from tests.helpers.dots import dot, in_address, middle, touch, value_of
from tests.helpers.hands import box_of
from tests.helpers.looks import CROSSED, INSIDE, SMALLEST
from tests.helpers.waiting import rest, until

COMPLETE = ".st-key-chart-regret .plot[data-drawn]"
FIRST = ".st-key-chart-condition .plot, .st-key-chart-regret .plot, .pb-headline, .pb-tiles"
FOCUSED = """() => { let e = document.activeElement;
  while (e.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
  return e.dataset?.key ?? e.className; }"""

SETTINGS = [
    "T=20&runs=10",
    "T=20&runs=10&epsilon=0.3&r=3&release=both",
    "T=20&runs=10&epsilon=150&r=90&delta=1e-9&measure=cumulative",
    "T=20&runs=10&epsilon=0.01&r=1&delta=0.1",
    "T=20&runs=10&release=noisy&data=hospital&epsilon=0.5&search=ei",
    "T=20&runs=10&release=noisy&data=homes&epsilon=1000&measure=cumulative",
    "T=20&runs=10&data=loans&epsilon=3",
]


def open_page(page, app, query=SETTINGS[0]):
    page.goto(f"{app}/outsourced?{query}")
    page.wait_for_selector(COMPLETE)
    rest(page)


@pytest.mark.parametrize("size", [(1366, 768), (1440, 900)])
def test_the_first_screen_answers(page, app, size):
    """ε, δ, r, σ_min against ω, the regret and that the claim is refuted are seen without a click or a scroll."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_page(page, app, "")
    until(page, lambda: page.evaluate(INSIDE, FIRST))
    for key in ("epsilon", "delta", "r"):
        box = page.locator(f"input[type=range][data-key={key}]").bounding_box()
        assert box["y"] + box["height"] < size[1]
    expect(page.locator(".pb-lead .pb-refuted")).to_be_in_viewport()


@pytest.mark.parametrize("query", SETTINGS)
def test_no_label_covers_another_or_touches_a_curve(page, app, query):
    page.set_viewport_size({"width": 1366, "height": 768})
    open_page(page, app, query)
    until(page, CROSSED, [])
    assert page.evaluate(SMALLEST) >= 12


@pytest.mark.parametrize("query", SETTINGS[3:5])
def test_a_dot_stays_in_its_figure(page, app, query):
    open_page(page, app, query)
    plot = page.locator(".st-key-chart-condition .plot .bglayer, .st-key-chart-condition .plot").first.bounding_box()
    for number in range(page.locator(".st-key-chart-condition .pb-handle").count()):
        x, y = middle(dot(page, number))
        assert plot["x"] <= x <= plot["x"] + plot["width"]
        assert plot["y"] <= y <= plot["y"] + plot["height"]


@pytest.mark.parametrize("query", [SETTINGS[0], SETTINGS[4]])
def test_everybody_can_use_it(page, app, query):
    """With a screen reader in both themes, and with all that lies below the first screen open."""
    open_page(page, app, query)
    found = violations(page)
    for section in page.get_by_test_id("stExpander").all():
        section.locator("summary").click()
        rest(page)
    until(page, CROSSED, [])
    assert page.evaluate(SMALLEST) >= 12
    assert_for_everybody(page, *found)


def test_the_keyboard_goes_through_the_page_in_its_order(page, app):
    open_page(page, app)
    page.locator("input[type=range][data-key=epsilon]").focus()
    order = []
    for _ in range(8):
        page.keyboard.press("Tab")
        order.append(page.evaluate(FOCUSED))
    keys = [key for key in order if key in ("epsilon", "delta", "r", "T", "runs")]
    assert keys == ["delta", "r", "T", "runs"]


DOCKED = """slider => { const box = slider.getBoundingClientRect();
  return box.height > 0 && box.bottom <= innerHeight && innerHeight - box.bottom < 80; }"""
CENTRE = "element => element.scrollIntoView({ block: 'center' })"
TOP = "() => document.querySelector('[data-testid=stMain]').scrollTop"


def test_on_a_phone_the_slider_stays_at_the_bottom(phone, app):
    phone.goto(f"{app}/outsourced?T=12&runs=6")
    phone.wait_for_selector(COMPLETE)
    rest(phone)
    slider = phone.locator("input[type=range][data-key=epsilon]")
    until(phone, lambda: slider.evaluate(DOCKED))
    expect(phone.locator(".pb-headline")).to_be_in_viewport()
    phone.locator(".stVerticalBlock.st-key-chart-regret").scroll_into_view_if_needed()
    until(phone, lambda: phone.evaluate(TOP) > 100)
    until(phone, lambda: slider.evaluate(DOCKED))
    until(phone, CROSSED, [])
    assert phone.evaluate(SMALLEST) >= 12
    assert phone.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= PHONE["width"]
    slider.tap()
    until(phone, lambda: in_address(phone, "epsilon") != 3)


def test_a_finger_drags_a_dot_and_scrolls_beside_it(phone, app):
    phone.goto(f"{app}/outsourced?T=12&runs=6")
    phone.wait_for_selector(COMPLETE)
    rest(phone)
    dot(phone).evaluate(CENTRE)  # the slider at the bottom would cover it
    before, top = value_of(phone), phone.evaluate(TOP)
    x, y = middle(dot(phone))
    touch(phone, x, y, across=25)
    until(phone, lambda: value_of(phone) > before)
    assert phone.evaluate(TOP) == top, "the page isn't scrolled by the finger that holds a dot"
    now = value_of(phone)
    until(phone, lambda: in_address(phone, "epsilon"), now)
    until(phone, lambda: float(box_of(phone, "epsilon").input_value()), now)
    rest(phone)
    chart = phone.locator(".st-key-chart-condition .plot")
    chart.evaluate(CENTRE)
    top, plot = phone.evaluate(TOP), chart.bounding_box()
    touch(phone, plot["x"] + plot["width"] - 20, plot["y"] + 150, across=0, down=-120)
    until(phone, lambda: phone.evaluate(TOP) > top + 60)
    assert in_address(phone, "epsilon") == now
