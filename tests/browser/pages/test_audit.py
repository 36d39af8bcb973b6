"""What a person sees and does on the Audit page, in a real browser. `page` is a fresh page at 1440×900."""

import json

import pytest
from playwright.sync_api import expect

import privbo_core as pb
from tests.browser.pages.test_outsourced_look import CROSSED, DOCKED, INSIDE, SMALLEST, TOP
from tests.helpers.accessible import PHONE, found_in_both_themes, violations, width_on_a_phone
from tests.helpers.attacked import ATTACKS, FEW
from tests.helpers.dots import PLACES, WATCH, in_address
from tests.helpers.hands import box_of, hold_thumb
from tests.helpers.numbers import numbers
from tests.helpers.waiting import rest, until

COMPLETE = ".st-key-chart-attack .plot[data-drawn]"
FIRST = ".st-key-chart-attack .plot, .st-key-records table, .pb-headline, .pb-tiles"
PARTS = ("headline", "tiles", "card-attack", "card-records", "chart-attack", "sliders")
"""What keeps its place and its size while a thumb is held."""
SEEN = """() => ({ claim: document.querySelectorAll('.pb-tile .pb-value')[0].textContent,
  shown: document.querySelectorAll('.pb-tile .pb-value')[1].textContent,
  axes: JSON.stringify(['xaxis', 'yaxis2'].map(
    axis => document.querySelector('.st-key-chart-attack .plot').layout[axis].range)) })"""
QUERIES = [
    *(f"attack={attack}&trials={FEW[attack]}" for attack in ATTACKS),
    "data=loans&r=1&epsilon=24&trials=60",
    "attack=columns&data=homes&epsilon=0.01&trials=60",
    "attack=noisy&data=hospital&epsilon=1000&trials=5000",
    "attack=noisy&data=loans&epsilon=0.01&trials=5000",
    "attack=score&epsilon=40&trials=5000",
    "attack=canary&z=0.3&N=30&T=5&P=4&trials=1000",
]


def open_page(page, app, query):
    page.goto(f"{app}/audit?{query}")
    page.wait_for_selector(COMPLETE)
    rest(page)


@pytest.mark.parametrize("size", [(1366, 768), (1440, 900)])
@pytest.mark.parametrize("attack", ATTACKS)
def test_the_first_screen_shows_the_attack_whole(page, app, attack, size):
    """Attack, claim, bound, finding and records are seen together, without a click or a scroll."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_page(page, app, f"attack={attack}")
    until(page, lambda: page.evaluate(INSIDE, FIRST))
    for key in ("z", "N") if attack == "canary" else ("epsilon", "trials"):
        box = page.locator(f"input[type=range][data-key={key}]").bounding_box()
        assert box["y"] + box["height"] < size[1]
    expect(page.locator(".pb-lead .pb-badge")).to_be_in_viewport()


@pytest.mark.parametrize("query", QUERIES)
def test_no_label_covers_another_or_touches_a_curve(page, app, query):
    page.set_viewport_size({"width": 1366, "height": 768})
    open_page(page, app, query)
    until(page, CROSSED, [])
    assert page.evaluate(SMALLEST) >= 12


@pytest.mark.parametrize("attack", ["reconstruction", pytest.param("canary", marks=pytest.mark.long)])
def test_everybody_can_use_it(page, app, attack):
    """With a screen reader in both themes, and with all that lies below the first screen open."""
    open_page(page, app, f"attack={attack}&trials={FEW[attack]}")
    found = violations(page)
    for section in page.get_by_test_id("stExpander").all():
        section.locator("summary").click()
        rest(page)
    until(page, CROSSED, [])
    assert page.evaluate(SMALLEST) >= 12
    assert not [*found, *found_in_both_themes(page)]
    assert width_on_a_phone(page) <= PHONE["width"]


@pytest.mark.parametrize(("attack", "key"), [("noisy", "epsilon"), ("reconstruction", "epsilon"), ("canary", "z")])
def test_claim_and_trials_follow_a_held_thumb_and_nothing_moves(page, app, attack, key):
    open_page(page, app, f"attack={attack}&trials={FEW[attack]}")
    places, before = page.evaluate(PLACES, PARTS), page.evaluate(SEEN)
    page.evaluate(WATCH, PARTS)
    x, y = hold_thumb(page, key)
    last = before
    for step in (8, -8):
        page.mouse.move(x + step, y)
        until(page, lambda last=last: page.evaluate(SEEN)["claim"] != last["claim"])
        if attack == "noisy":
            until(page, lambda last=last: page.evaluate(SEEN)["shown"] != last["shown"])
        last = page.evaluate(SEEN)
        assert last["axes"] == before["axes"]
    looks = [set(json.loads(look)) for look in page.evaluate("[...window.looks]")]
    assert [look - looks[0] for look in looks[1:]] == []
    page.mouse.up()
    rest(page)
    until(page, lambda: page.evaluate(PLACES, PARTS), places)
    assert in_address(page, key) == pytest.approx(float(box_of(page, key).input_value()), rel=1e-2)


def test_the_way_from_outsourced_keeps_the_session(page, app):
    """The guarantee's link opens the reconstruction of the same table at the same ε, and doesn't load the app anew."""
    page.goto(f"{app}/outsourced?data=homes&epsilon=7&T=10&runs=5")
    link = page.locator(".pb-guarantee a").first
    link.wait_for()
    rest(page)
    page.evaluate("window.kept = true")
    link.click()
    page.wait_for_selector(COMPLETE)
    rest(page)
    assert page.evaluate("window.kept")
    assert "/audit" in page.url
    others = pb.data.sample("homes").n - 3
    until(page, lambda: numbers(page.locator(".pb-headline").inner_text()), [3, others])
    assert float(box_of(page, "epsilon").input_value()) == 7
    page.go_back()
    page.wait_for_selector(".st-key-chart-condition .plot[data-drawn]")
    assert page.evaluate("window.kept")


def test_on_a_phone_the_slider_stays_at_the_bottom(phone, app):
    phone.goto(f"{app}/audit?attack=noisy&trials=2000")
    phone.wait_for_selector(COMPLETE)
    rest(phone)
    slider = phone.locator("input[type=range][data-key=epsilon]")
    until(phone, lambda: slider.evaluate(DOCKED))
    expect(phone.locator(".pb-headline")).to_be_in_viewport()
    phone.locator(".st-key-records").scroll_into_view_if_needed()
    until(phone, lambda: phone.evaluate(TOP) > 100)
    until(phone, lambda: slider.evaluate(DOCKED))
    until(phone, CROSSED, [])
    assert phone.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= PHONE["width"]
