"""What a person sees and does on the Federated page, in a real browser."""

import json

import pytest
from playwright.sync_api import expect

from privbo_core.federated import Settings, losses
from privbo_core.gp import SquaredExponential
from tests.browser.pages.test_outsourced_look import CROSSED, DOCKED, FOCUSED, INSIDE, SMALLEST, TOP
from tests.helpers.accessible import PHONE, assert_for_everybody, violations
from tests.helpers.dots import PLACES, WATCH, in_address, middle
from tests.helpers.hands import box_of, enter, hold_thumb, pick, row_of
from tests.helpers.waiting import rest, until

SMALL = "N=30&T=12&M=20&runs=8"
COMPLETE = ".st-key-chart-regret .plot[data-drawn]"
BEHIND = "() => document.querySelectorAll('.pb-old').length"
PARTS = ("panel", "headline", "tiles", "card-privacy", "card-regret", "chart-privacy", "chart-regret")
SEEN = """() => {
  const plot = name => document.querySelector(`.st-key-chart-${name} .plot`);
  const curve = (name, trace) => plot(name).data.find(t => t.name === trace)?.y.join();
  return { epsilon: document.querySelector('.pb-tile .pb-value').textContent,
    headline: document.querySelector('.pb-headline').textContent,
    moments: curve('privacy', 'moments'), tight: curve('privacy', 'tight'), private: curve('regret', 'DP-FTS-DE'),
    alone: curve('regret', 'TS'), plain: curve('regret', 'FTS-DE'),
    axes: JSON.stringify([plot('privacy').layout.xaxis.range, plot('regret').layout.xaxis.range,
      plot('regret').layout.yaxis.range]) }; }"""
DOT = ".st-key-chart-privacy .pb-handle"


def open_page(page, app, query=SMALL):
    page.goto(f"{app}/federated?{query}")
    page.wait_for_selector(COMPLETE)
    rest(page)
    until(page, BEHIND, 0)


def of_engine(N=30, **setting):
    """Return ε as the tile shows it."""
    given = {"iterations": 12, "q": 0.25, "z": 1.0, "S": 11.0, "P": 2, **setting}
    return losses(Settings(SquaredExponential(0.15), 0.01, **given), N, "pld", "exact")[-1]


def tile(page):
    return float(page.evaluate(SEEN)["epsilon"].replace(",", ""))


@pytest.mark.parametrize("size", [(1366, 768), (1440, 900)])
def test_the_first_screen_answers(page, app, size):
    """All six settings, ε by both accounts, the regret and the cost are seen without a click or a scroll."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_page(page, app, "agents=grades&runs=8")
    first = ".st-key-chart-privacy .plot, .st-key-chart-regret .plot, .pb-headline, .pb-tiles"
    until(page, lambda: page.evaluate(INSIDE, first))
    for key in "zqSPNT":
        box = page.locator(f"input[type=range][data-key={key}]").bounding_box()
        assert box["y"] + box["height"] < size[1]
    expect(page.locator(".pb-lead .pb-proven")).to_be_in_viewport()


def test_all_that_depends_on_a_held_thumb_follows_and_nothing_else_moves(page, app):
    """ε and the private curve follow z. The curves without noise stay, the axes hold, nothing changes its place."""
    open_page(page, app, f"{SMALL}&z=2")
    places, before = page.evaluate(PLACES, PARTS), page.evaluate(SEEN)
    page.evaluate(WATCH, PARTS)
    x, y = hold_thumb(page, "z")
    last = before
    for step in (12, 26, 40):
        page.mouse.move(x + step, y)
        for part in ("epsilon", "moments", "tight", "private"):
            until(page, lambda part=part, last=last: page.evaluate(SEEN)[part] != last[part])
        last = page.evaluate(SEEN)
        assert {part: last[part] for part in ("alone", "plain", "axes")} == {
            part: before[part] for part in ("alone", "plain", "axes")
        }
    assert in_address(page, "z") == 2, "the address waits until the thumb rests"
    looks = [set(json.loads(look)) for look in page.evaluate("[...window.looks]")]
    assert [look - looks[0] for look in looks[1:]] == []
    page.mouse.up()
    until(page, lambda: in_address(page, "z") > 2)
    z = in_address(page, "z")
    until(page, lambda: tile(page) == pytest.approx(of_engine(z=z), rel=0.01))
    until(page, lambda: page.evaluate(PLACES, PARTS), places)


def test_the_dot_on_the_curve_sets_the_rounds(page, app):
    open_page(page, app)
    x, y = middle(page.locator(DOT))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y, steps=4)
    until(page, lambda: int(box_of(page, "T").input_value()) > 15)
    page.mouse.up()
    until(page, lambda: in_address(page, "T") > 15)
    T = int(in_address(page, "T"))
    until(page, lambda: tile(page) == pytest.approx(of_engine(iterations=T), rel=0.01))


def test_sub_regions_take_only_what_the_domain_allows(page, app):
    open_page(page, app)
    slider, box, error = (
        page.locator("input[type=range][data-key=P]"), box_of(page, "P"), row_of(page, "P").locator(".error")
    )  # fmt: skip
    slider.focus()
    for key, value in (("ArrowRight", "4"), ("ArrowRight", "8"), ("ArrowLeft", "4"), ("End", "64"), ("Home", "1")):
        slider.press(key)
        until(page, box.input_value, value)
    enter(box, "3")
    expect(error).not_to_be_empty()
    enter(box, "2")
    expect(error).to_be_empty()
    until(page, lambda: in_address(page, "P"), 2)
    x, y = hold_thumb(page, "P")
    for step in range(0, 120, 8):
        page.mouse.move(x + step, y)
        assert int(box.input_value()) in (2, 4, 8, 16, 32, 64)
    page.mouse.up()
    rest(page)


def test_every_agent_and_reset_are_a_click_away(page, app):
    open_page(page, app)
    before = tile(page)
    page.get_by_role("button", name="ask every agent").click()
    until(page, lambda: in_address(page, "q"), 1)
    until(page, lambda: tile(page) == pytest.approx(before, rel=0.01))
    page.get_by_role("button", name="Reset").click()
    until(page, lambda: (in_address(page, "q"), in_address(page, "z")), (0.25, 1))


def test_back_and_reload_restore_the_page(page, app):
    open_page(page, app, f"{SMALL}&measure=cumulative&z=2.5&P=4&gain=noise")
    before = page.evaluate(SEEN)
    page.get_by_role("link", name="Start", exact=True).first.click()
    page.locator(".st-key-chart-patients .plot").wait_for()
    page.go_back()
    page.wait_for_selector(COMPLETE)
    until(page, lambda: page.evaluate(SEEN), before)
    page.reload()
    page.wait_for_selector(COMPLETE)
    until(page, lambda: page.evaluate(SEEN), before)


def test_other_agents_come_with_their_own_start(page, app):
    open_page(page, app)
    pick(page, "agents", "237 schools predict grades")
    until(page, lambda: (in_address(page, "z"), in_address(page, "P"), in_address(page, "T")), (1.65, 1, 15))
    expect(page.get_by_test_id("stException")).to_have_count(0)


LOOKS = [
    SMALL,
    f"{SMALL}&P=1&measure=cumulative&z=1000&q=0.01",
    f"{SMALL}&gain=noise&P=8&z=0.2&q=1",
    "agents=schools&N=98&T=20&M=20&runs=8",
    "agents=grades&T=100&M=10&N=40&runs=5",
    "N=2&T=2&M=5&runs=5",
]


@pytest.mark.parametrize("query", LOOKS)
def test_no_label_covers_another_or_touches_a_curve(page, app, query):
    page.set_viewport_size({"width": 1366, "height": 768})
    open_page(page, app, query)
    until(page, CROSSED, [])
    assert page.evaluate(SMALLEST) >= 12


def test_everybody_can_use_it(page, app):
    """With a screen reader in both themes, and with all that lies below the first screen open."""
    open_page(page, app)
    found = violations(page)
    for section in page.get_by_test_id("stExpander").all():
        section.locator("summary").click()
        rest(page)
    until(page, CROSSED, [])
    assert page.evaluate(SMALLEST) >= 12
    assert_for_everybody(page, *found)


def test_the_keyboard_goes_through_the_page_in_its_order(page, app):
    open_page(page, app)
    page.locator("input[type=range][data-key=z]").focus()
    order = []
    for _ in range(12):
        page.keyboard.press("Tab")
        order.append(page.evaluate(FOCUSED))
    assert [key for key in order if key in (*"zqSPNT",)] == [*"qSPNT"]


def test_on_a_phone_the_noise_stays_at_the_bottom(phone, app):
    phone.goto(f"{app}/federated?{SMALL}")
    phone.wait_for_selector(COMPLETE)
    rest(phone)
    slider = phone.locator("input[type=range][data-key=z]")
    until(phone, lambda: slider.evaluate(DOCKED))
    expect(phone.locator(".pb-headline")).to_be_in_viewport()
    phone.locator(".st-key-card-regret").scroll_into_view_if_needed()
    until(phone, lambda: phone.evaluate(TOP) > 100)
    until(phone, lambda: slider.evaluate(DOCKED))
    until(phone, CROSSED, [])
    assert phone.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= PHONE["width"]
    slider.tap()
    until(phone, lambda: in_address(phone, "z") != 1)
