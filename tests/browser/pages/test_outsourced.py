"""What a person sees and does on the Outsourced page, in a real browser."""

import re
import statistics
from urllib.parse import urlparse

import pytest

from tests.helpers.thumb import hold_thumb

SETTLED = ".st-key-chart-modeler-map .plot[data-drawn]"


def open_page(page, app, query=""):
    page.goto(f"{app}/outsourced?view=expert{query}")
    page.wait_for_selector(SETTLED)
    page.get_by_text(re.compile(r"^\d+ runs, bands")).wait_for()


def seen(page):
    """The marker's place, the ω tile and the private regret curve, as the browser shows them now."""
    return page.evaluate(
        """() => {
          const plot = name => document.querySelector(`.st-key-chart-${name} .plot`);
          const curve = plot('regret').data.find(t => t.name === 'private');
          return { marker: plot('condition').data.filter(t => t.name === 'now').map(t => [t.x[0], t.y[0]]),
                   omega: document.querySelectorAll('.pb-value')[2].textContent,
                   curve: Array.from(curve.y).join() };
        }"""
    )


def test_the_picture_follows_a_thumb_that_is_held(page, app):
    open_page(page, app)
    before = seen(page)
    page.evaluate(
        """() => { window.log = [];
          document.addEventListener('input', () => window.log.push(['moved', performance.now()]), true);
          document.addEventListener('pointerup', () => window.log.push(['let go', performance.now()]), true);
          for (const name of ['condition', 'regret'])
            new MutationObserver(() => window.log.push([name, performance.now()])).observe(document.querySelector(
              `.st-key-chart-${name} .plot`), { attributeFilter: ['data-drawn'] });
          const omega = () => document.querySelectorAll('.pb-value')[2]?.textContent;
          let shown = omega();
          new MutationObserver(() => { const now = omega();
            if (now && now !== shown) { shown = now; window.log.push(['tile', performance.now()]); }
          }).observe(document.body, { subtree: true, childList: true, characterData: true }); }"""
    )
    x, y = hold_thumb(page, "r")
    for step in range(1, 13):
        page.mouse.move(x + 4 * step, y)
        page.wait_for_timeout(330)
    during = seen(page)
    assert not any(entry[0] == "let go" for entry in page.evaluate("window.log"))
    assert during["marker"] != before["marker"]
    assert during["omega"] != before["omega"]
    assert during["curve"] != before["curve"]
    page.mouse.up()
    page.get_by_text("40 runs, bands ± 1 standard error").wait_for()
    log = page.evaluate("window.log")
    tiles, latencies = delays(log, "tile"), delays(log, "condition")
    let_go = next(at for name, at in log if name == "let go")
    after = [at - let_go for name, at in log if name == "regret" and at > let_go]
    print(
        f"\n  thumb to changed tile: median {statistics.median(tiles):.0f} ms of {len(tiles)}; "
        f"to redrawn condition figure: median {statistics.median(latencies):.0f} ms of {len(latencies)}; "
        f"let go to first regret curve: {after[0]:.0f} ms; to all 40 runs: {after[-1]:.0f} ms"
    )
    assert len(latencies) >= 6
    assert len(tiles) >= 6


def delays(log, name):
    """Return how long after a movement of the thumb each ``name`` came, in ms."""
    found, moved = [], None
    for what, at in log:
        if what == "moved":
            moved = at
        elif what == name and moved is not None:
            found.append(at - moved)
            moved = None
    return found


def test_a_number_box_a_key_and_a_wrong_value(page, app):
    open_page(page, app)
    box = page.get_by_label("ε: exact value", exact=True)
    box.fill("1")
    box.press("Enter")
    page.get_by_text("ω, what Theorem 1 asks").wait_for()
    page.get_by_text("2,932", exact=True).wait_for()
    page.wait_for_function("() => /[?&]epsilon=1(&|$)/.test(location.search)")
    box.fill("-3")
    box.press("Enter")
    page.get_by_text("-3 is out of range; ε takes a number from 0.35 to 150.").wait_for()
    assert page.locator(".pb-value").nth(2).inner_text() == "2,932", "the last usable value stays"
    slider = page.locator("input[type=range][data-key=T]")
    slider.focus()
    slider.press("ArrowRight")
    page.get_by_text("after 31 tests").wait_for()


def test_a_link_brings_the_view_back_and_says_what_it_could_not_use(page, app):
    open_page(page, app, "&epsilon=1&r=7&T=20&delta=oops")
    assert page.get_by_label("r: exact value", exact=True).input_value() == "7"
    assert page.get_by_label("T: exact value", exact=True).input_value() == "20"
    page.get_by_text("“oops” is not a number").wait_for()


def test_a_newer_setting_stops_the_older_computation(page, app):
    open_page(page, app)
    box = page.get_by_label("T: exact value", exact=True)
    runs = page.get_by_label("runs: exact value", exact=True)
    runs.fill("200")
    runs.press("Enter")
    box.fill("199")
    box.press("Enter")
    page.get_by_text(re.compile(r"\d+ of 200 runs")).wait_for()
    runs.fill("5")
    runs.press("Enter")
    page.get_by_text("5 runs, bands ± 1 standard error").wait_for()


TABS = {
    "Distances": "Nine of ten squared distances",
    "Regret against r and ε": "runs each, the same dice everywhere",
    "Theory": "The theorem asks for r",
}


@pytest.mark.long
def test_each_tab_shows_its_finding(page, app):
    open_page(page, app)
    for tab, words in TABS.items():
        page.get_by_role("tab", name=tab).click()
        page.get_by_text(words).first.wait_for()


@pytest.mark.long
def test_the_map_plays(page, app):
    open_page(page, app, "&T=12")
    queries = "() => document.querySelector('.st-key-chart-modeler-map .plot').data[1].x.length"
    assert page.evaluate(queries) == 17
    page.get_by_role("button", name="play").click()
    page.wait_for_function(f"() => ({queries})() < 10")
    page.wait_for_function(f"() => ({queries})() === 17")


def test_nothing_is_asked_of_the_network(page, app):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.route(lambda url: urlparse(url).hostname not in (None, "127.0.0.1"), lambda route: route.abort())
    page.goto(app)
    page.get_by_text("What does privacy cost").wait_for()
    open_page(page, app)
    outside = [url for url in asked if urlparse(url).scheme in ("http", "https", "ws", "wss")]
    assert outside
    assert [url for url in outside if urlparse(url).hostname != "127.0.0.1"] == []
