"""The Federated page in a browser: ε follows a held thumb, rounds stream into the regret figure, Stop stops."""

import json
import re

import pytest
from playwright.sync_api import expect

from privbo_core.federated.flower.ledger import Count, open_book
from privbo_core.privacy import epsilon
from tests.helpers.hands import bring, hold_thumb
from tests.helpers.small_terms import terms
from tests.helpers.waiting import rest, until


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
    page.goto(f"{app}/federated?N=60&T=12&federated_runs=5")
    until(page, lambda: len(curve(page, "privacy", "moments")), 12)
    rest(page)
    x, y = hold_thumb(page, "z")
    wide = page.locator("input[data-key=z]").evaluate("e => e.clientWidth")
    for share in (0.1, 0.2, 0.3, 0.4):
        before = curve(page, "privacy", "moments")[-1]
        page.mouse.move(x + share * wide, y)
        until(page, lambda before=before: curve(page, "privacy", "moments")[-1] < before)
    held = curve(page, "privacy", "moments")[-1]
    page.mouse.up()
    # The tighter accountants come once the thumb is let go, below the curve that followed it.
    until(page, lambda: curve(page, "privacy", "pld")[-1] < held)
    until(page, lambda: curve(page, "privacy", "exact")[-1] < curve(page, "privacy", "pld")[-1])
    page.get_by_text("counted exactly; the paper claims").first.wait_for()


def test_rounds_stream_into_the_regret_figure_and_stop_stops(app, page):
    page.goto(f"{app}/federated?N=1000&T=100&federated_runs=40")
    lengths = set()

    def growing():
        lengths.add(len(curve(page, "federated-regret", "DP-FTS-DE")))
        return len(lengths - {0, 100}) >= 3

    until(page, growing)  # a first run that takes longer than a busy browser needs to open the page
    until(page, lambda: len(curve(page, "federated-regret", "TS")) > 5)
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Go on").wait_for()  # much is still to do: a run that is complete offers none
    rest(page)
    still = page.locator(".st-key-chart-federated-regret .plot").get_attribute("data-drawn")
    page.wait_for_timeout(1200)
    expect(page.locator(".st-key-chart-federated-regret .plot")).to_have_attribute("data-drawn", still)
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Stop").wait_for()


def test_dragging_the_noise_on_the_simple_page_changes_the_answer(app, page):
    page.goto(f"{app}/federated?view=simple&agents=family&N=120&T=12&M=20&q=0.5&z=0.5&S=6&P=1&federated_runs=5")
    answer, facts = page.locator(".pb-answer"), page.locator(".pb-facts")
    expect(answer).to_contain_text(re.compile("tuning together", re.IGNORECASE))
    until(page, lambda: "counted exactly" not in facts.inner_text())
    rest(page)
    sliders = page.locator(".st-key-controls input[type=range]")
    assert sliders.evaluate_all("all => all.map(each => each.dataset.key)") == ["z"]
    before = answer.inner_text(), facts.inner_text()
    x, y = hold_thumb(page, "z")
    page.mouse.move(x + sliders.first.evaluate("e => 0.86 * e.clientWidth"), y, steps=5)
    until(page, lambda: facts.inner_text() != before[1])  # while the thumb is held
    page.mouse.up()
    until(page, lambda: not re.search("under way", said := answer.inner_text()) and said != before[0])
    page.wait_for_url(re.compile("z=[34]"))


def test_the_ledger_of_a_real_run_is_opened(app, page, tmp_path):
    found = terms(tmp_path, rounds=3, budget=9.0)
    with open_book(tmp_path / "ledger.jsonl", found) as book:
        for t in (1, 2, 3):
            book.broadcast(Count(t, book.after_one_more(), 4, 3, 0, 2, 0.5, 3.0, 7.5, (0.5, 2.0)))
    page.goto(f"{app}/federated?N=6&T=4&M=10&federated_runs=5&federated_tab=A+real+run")
    page.locator("input[type=file]").last.set_input_files(tmp_path / "ledger.jsonl")
    until(page, lambda: len(curve(page, "real-privacy", "ε")), 3)
    until(page, lambda: curve(page, "real-privacy", "ε")[-1], pytest.approx(epsilon(0.5, 1.0, 3, 0.001, "pld")))
    page.get_by_text("The noise is 2.5 times as long as the signal").first.wait_for()
    bring(page.locator("input[type=file]").last, "ledger.jsonl", b"no ledger at all\n")
    page.get_by_text("is not a JSON file that can be read").first.wait_for()
    until(page, lambda: len(curve(page, "real-privacy", "ε")), 3)  # the last one stays
