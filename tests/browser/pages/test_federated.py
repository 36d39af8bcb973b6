"""The Federated page in a browser: ε follows a held thumb, rounds stream into the regret figure, Stop stops."""

import json
import re

from playwright.sync_api import expect

from tests.helpers.hands import hold_thumb, within
from tests.helpers.waiting import quiet, rest, until


def curve(page, slot, name):
    found = page.evaluate(
        """([slot, name]) => {
            const plot = document.querySelector(`.st-key-chart-${slot} .plot`);
            const trace = plot?.data?.find((each) => each.name === name);
            return trace ? JSON.stringify(Array.from(trace.y)) : "[]";
        }""",
        [slot, name],
    )
    return json.loads(found)


def test_epsilon_follows_a_held_thumb(app, page):
    page.goto(f"{app}/federated?N=30&T=8&M=20&federated_runs=5")
    until(page, lambda: len(curve(page, "privacy", "moments")), 8)
    rest(page)
    x, y = hold_thumb(page, "z")
    wide = page.locator("input[data-key=z]").evaluate("e => e.clientWidth")
    for share in (0.2, 0.4):
        before = curve(page, "privacy", "moments")[-1]
        page.mouse.move(x + share * wide, y)
        until(page, lambda before=before: curve(page, "privacy", "moments")[-1] < before)
    held = curve(page, "privacy", "moments")[-1]
    page.mouse.up()
    # The tighter accountants come once the thumb is let go, below the curve that followed it.
    until(page, lambda: curve(page, "privacy", "pld")[-1] < held)
    until(page, lambda: curve(page, "privacy", "exact")[-1] < curve(page, "privacy", "pld")[-1])


def test_rounds_stream_into_the_regret_figure_and_stop_stops(app, page):
    page.goto(f"{app}/federated?N=1000&T=100&federated_runs=40")
    lengths = set()

    def growing():
        lengths.add(len(curve(page, "federated-regret", "DP-FTS-DE")))
        return len(lengths - {0, 100}) >= 3

    until(page, growing)  # a first run that takes longer than a busy browser needs to open the page
    until(page, lambda: len(curve(page, "federated-regret", "TS")) > 5)
    within(page, "federated_stop").click()
    within(page, "federated_go").wait_for()  # much is still to do: a run that is complete offers none
    rest(page)
    still = page.locator(".st-key-chart-federated-regret .plot").get_attribute("data-drawn")
    quiet(page)
    expect(page.locator(".st-key-chart-federated-regret .plot")).to_have_attribute("data-drawn", still)
    within(page, "federated_go").click()
    within(page, "federated_stop").wait_for()


def test_dragging_the_noise_on_the_simple_page_changes_the_answer(app, page):
    page.goto(f"{app}/federated?view=simple&agents=family&N=120&T=12&M=20&q=0.5&z=0.5&S=6&P=1&federated_runs=5")
    answer, facts = page.locator(".pb-answer"), page.locator(".pb-facts")
    answer.wait_for()
    rest(page)
    sliders = page.locator(".st-key-controls input[type=range]")
    assert sliders.evaluate_all("all => all.map(each => each.dataset.key)") == ["z"]
    before = answer.inner_text(), facts.inner_text()
    x, y = hold_thumb(page, "z")
    page.mouse.move(x + sliders.first.evaluate("e => 0.86 * e.clientWidth"), y, steps=5)
    until(page, lambda: facts.inner_text() != before[1])  # while the thumb is held
    page.mouse.up()
    page.wait_for_url(re.compile("z=[34]"))
    rest(page)
    assert answer.inner_text() != before[0]
