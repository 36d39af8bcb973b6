"""What a person sees and does on the Outsourced page, in a real browser."""

import json
import math
import random
import re

import pytest
from playwright.sync_api import expect

from privbo_core.outsourced import omega
from tests.helpers.dots import FOLLOW, PARTS, PLACES, SEEN, WATCH, dot, hold_dot, in_address, middle, value_of
from tests.helpers.hands import box_of, enter, hold_thumb, row_of
from tests.helpers.serving import serving
from tests.helpers.waiting import rest, until

SMALL = "T=20&runs=20"
COMPLETE = ".st-key-chart-regret .plot[data-drawn]"
BEHIND = "() => document.querySelectorAll('.pb-old').length"
DRAWN = "() => Number(document.querySelector('.st-key-chart-condition .plot').dataset.drawn)"


def open_page(page, app, query=SMALL):
    page.goto(f"{app}/outsourced?{query}")
    page.wait_for_selector(COMPLETE)
    rest(page)
    until(page, BEHIND, 0)


def shows_one_setting(page, delta=1e-5):
    """Wait until slider, dot, tile and address are of one setting, and return its ε and r."""

    def others():
        epsilon, r = (float(box_of(page, key).input_value()) for key in ("epsilon", "r"))
        seen = {
            "tile": page.evaluate(SEEN)["omega"],
            "address": (in_address(page, "epsilon"), in_address(page, "r")),
            "dots": (value_of(page, 0), value_of(page, 1)),
        }
        wanted = {
            "tile": f"{omega(epsilon, delta, int(r)):,.0f}",
            "address": (epsilon, r),
            "dots": (float(f"{epsilon:.4g}"), r),
        }
        return {part: (seen[part], wanted[part]) for part in seen if seen[part] != wanted[part]}

    until(page, others, {})
    return tuple(float(box_of(page, key).input_value()) for key in ("epsilon", "r"))


@pytest.mark.parametrize("release", ["projection", "both"])
def test_all_that_depends_on_a_held_thumb_follows_and_nothing_else_moves(page, app, release):
    """Tile and figures follow ε. Random and non-private curves stay, the axes hold, and nothing changes its place."""
    open_page(page, app, f"{SMALL}&epsilon=0.5&release={release}")
    places, before = page.evaluate(PLACES, PARTS), page.evaluate(SEEN)
    page.evaluate(WATCH, PARTS)
    x, y = hold_thumb(page, "epsilon")
    last = before
    for step in (10, 25, -30):  # below the ε from which on the condition holds, and the curve stays
        page.mouse.move(x + step, y)
        for part in ("omega", "condition", "private"):
            until(page, lambda part=part, last=last: page.evaluate(SEEN)[part] != last[part])
        last = page.evaluate(SEEN)
        assert {part: last[part] for part in ("random", "plain", "axes")} == {
            part: before[part] for part in ("random", "plain", "axes")
        }
    assert in_address(page, "epsilon") == 0.5, "the address waits until the thumb rests"
    looks = [set(json.loads(look)) for look in page.evaluate("[...window.looks]")]
    assert [look - looks[0] for look in looks[1:]] == []
    page.mouse.up()
    epsilon, _ = shows_one_setting(page)
    assert epsilon < 0.5
    until(page, lambda: page.evaluate(PLACES, PARTS), places)


@pytest.mark.parametrize("key", ["r", "delta"])
def test_another_slider_moves_no_curve_that_does_not_depend_on_it(page, app, key):
    open_page(page, app)
    before = page.evaluate(SEEN)
    x, y = hold_thumb(page, key)
    page.mouse.move(x - 40, y)
    for part in ("omega", "private"):
        until(page, lambda part=part: page.evaluate(SEEN)[part] != before[part])
    now = page.evaluate(SEEN)
    assert [now["random"], now["plain"]] == [before["random"], before["plain"]]
    page.mouse.up()
    rest(page)


@pytest.mark.parametrize(("number", "key"), [(0, "epsilon"), (1, "r")])
def test_a_dot_is_under_the_pointer_within_a_frame_and_the_rest_follows(page, app, number, key):
    open_page(page, app)
    before, value = page.evaluate(SEEN), value_of(page, number)
    dot(page, number).evaluate(FOLLOW)
    x, y = hold_dot(page, number)
    for step in range(1, 16):
        page.mouse.move(x - 2 * step, y + 3 * step)  # off the curve: the dot stays on it
        page.evaluate("() => new Promise(requestAnimationFrame)")
    misses = page.evaluate("window.misses")
    assert len(misses) >= 10
    assert max(across for across, _ in misses) <= 1
    assert max(off for _, off in misses) <= 1.5
    for part in ("omega", "private"):
        until(page, lambda part=part: page.evaluate(SEEN)[part] != before[part])
    assert page.evaluate(SEEN)["random"] == before["random"]
    now = value_of(page, number)
    assert now < value
    near = {"abs": 0.51} if key == "r" else {"rel": 0.01}  # three digits, or a whole number
    until(page, lambda: float(box_of(page, key).input_value()) == pytest.approx(now, **near))
    page.mouse.up()
    settled = dict(zip(("epsilon", "r"), shows_one_setting(page), strict=True))
    assert settled[key] == pytest.approx(now, **near)
    expect(page.get_by_test_id("stAlert")).to_have_count(0)
    across, _ = middle(dot(page, number))
    assert abs(across - (x - 30)) <= (12 if key == "r" else 1)  # r is a whole number


def test_a_dot_does_not_leave_its_curve(page, app):
    open_page(page, app)
    x, y = hold_dot(page)
    page.mouse.move(x + 2000, y)
    until(page, lambda: value_of(page), 200)
    page.mouse.move(x - 2000, y)
    until(page, lambda: value_of(page), 0.1)
    page.mouse.up()
    assert shows_one_setting(page)[0] == 0.1


@pytest.mark.parametrize(("number", "key"), [(0, "epsilon"), (1, "r")])
def test_a_dot_is_moved_by_keys(page, app, number, key):
    open_page(page, app)
    before = value_of(page, number)
    dot(page, number).focus()
    for press in ("ArrowRight", "ArrowRight", "PageUp"):
        seen = value_of(page, number)
        dot(page, number).press(press)
        until(page, lambda seen=seen: value_of(page, number) > seen)
        rest(page)
    settled = dict(zip(("epsilon", "r"), shows_one_setting(page), strict=True))
    assert settled[key] > before
    dot(page, number).press("ArrowLeft")
    until(page, lambda: value_of(page, number) < settled[key])
    shows_one_setting(page)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_fast_hand_never_breaks_the_page(page, app, seed):
    """Runs of one page overlap at each of these moves, and what is shown in the end is what was moved last."""
    open_page(page, app)
    dice = random.Random(seed)
    for _ in range(12):
        kind = dice.choice(["thumb", "dot", "key", "box"])
        if kind in ("thumb", "dot"):
            x, y = hold_thumb(page, "epsilon") if kind == "thumb" else hold_dot(page, dice.randrange(2))
            for _ in range(dice.randint(2, 12)):
                page.mouse.move(x + dice.randint(-30, 30), y + dice.randint(-3, 3))
            page.mouse.up()
        elif kind == "key":
            slider = page.locator("input[type=range][data-key=r]")
            slider.focus()
            for _ in range(dice.randint(1, 5)):
                slider.press(dice.choice(["ArrowRight", "ArrowLeft"]))
        else:
            enter(box_of(page, "epsilon"), f"{dice.uniform(0.5, 20):.3g}")
    slider = page.locator("input[type=range][data-key=r]")
    slider.focus()
    slider.press("Home")
    enter(box_of(page, "epsilon"), "4.5")
    rest(page)
    assert shows_one_setting(page) == (4.5, 1)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stAlert")).to_have_count(0)


def test_typing_takes_what_papers_write_and_names_what_it_cannot_take(page, app):
    open_page(page, app)
    box, error = box_of(page, "epsilon"), row_of(page, "epsilon").locator(".error")
    for text, value in (("e^1.1", 3.00417), ("0,5", 0.5), ("1e1", 10)):
        enter(box, text)
        until(page, lambda value=value: in_address(page, "epsilon"), value)
        expect(error).to_be_empty()
    enter(box_of(page, "delta"), "10^-6")
    until(page, lambda: in_address(page, "delta"), 1e-6)
    enter(box, "-3")
    expect(error).to_have_text(re.compile(r"0\.01\b.*1,000\b"))
    assert in_address(page, "epsilon") == 10, "the last usable value stays"
    enter(box, "2")
    expect(error).to_be_empty()
    until(page, lambda: page.evaluate(SEEN)["omega"], f"{omega(2.0, 1e-6, 10):,.0f}")


def test_back_and_reload_restore_the_page(page, app):
    open_page(page, app, f"{SMALL}&measure=cumulative")
    enter(box_of(page, "epsilon"), "1.7")
    enter(box_of(page, "r"), "6")
    assert shows_one_setting(page) == (1.7, 6)
    rest(page)
    before = page.evaluate(SEEN)
    page.get_by_role("link", name="Start", exact=True).first.click()
    page.locator(".st-key-chart-patients .plot").wait_for()
    page.go_back()
    page.wait_for_selector(COMPLETE)
    assert shows_one_setting(page) == (1.7, 6)
    until(page, lambda: page.evaluate(SEEN), before)
    page.reload()
    page.wait_for_selector(COMPLETE)
    assert shows_one_setting(page) == (1.7, 6)
    until(page, lambda: page.evaluate(SEEN), before)


def test_a_preset_and_reset(page, app):
    open_page(page, app, f"{SMALL}&epsilon=7&r=30&release=noisy&data=homes&search=ei")
    page.get_by_role("button", name="Table 1").click()
    until(page, lambda: in_address(page, "T"), 50)
    epsilon, r = shows_one_setting(page)
    assert (round(math.log(epsilon), 2), r) == (1.1, 10)
    page.get_by_role("button", name="Reset").click()
    until(page, lambda: in_address(page, "T"), 30)
    assert shows_one_setting(page) == (3, 10)


def test_the_first_visitors_of_a_deep_link_get_the_page_in_its_navigation(browser, tmp_path):
    """Streamlit runs a page's file without app.py until somebody has opened the first page."""
    with serving(tmp_path) as server:
        for epsilon in ("2", "4"):
            with browser.new_context(viewport={"width": 1366, "height": 768}) as visits:
                page = visits.new_page()
                page.goto(f"{server.address}/outsourced?epsilon={epsilon}&T=10&runs=5")
                page.wait_for_selector(COMPLETE)
                expect(page.get_by_test_id("stTopNavLink")).to_have_count(9)
                expect(page.locator(".pb-headline")).to_have_count(1)
                expect(box_of(page, "epsilon")).to_have_value(epsilon)
                expect(page.get_by_test_id("stException")).to_have_count(0)
        assert "Traceback" not in server.log.read_text()


def test_single_searches_are_shown_one_after_another(page, app):
    open_page(page, app)
    runs = """() => document.querySelector('.st-key-chart-regret .plot').data
      .map(trace => trace.name).filter(name => /run \\d/.test(name))"""
    for number in (1, 2):
        page.get_by_role("button", name=re.compile("single searches|Next search")).click()
        until(page, f"() => ({runs})().map(n => n.match(/\\d+/)[0]).join()", ",".join([str(number)] * 3))
    page.get_by_role("button", name="Show the mean").click()
    until(page, f"() => ({runs})().length", 0)
