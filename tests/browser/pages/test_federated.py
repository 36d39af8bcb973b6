"""The Federated page in a browser: ε follows a held thumb, rounds stream into the regret figure, Stop stops."""

import json
import time

import pytest

from privbo_core.federated.flower.ledger import Count, open_book
from privbo_core.privacy import epsilon
from tests.helpers.small_terms import terms


def curve(page, slot, name):
    """Return the y values of a curve that a chart shows now."""
    found = page.evaluate(
        """([slot, name]) => {
            const plot = document.querySelector(`.st-key-chart-${slot} .plot`);
            const trace = plot?.data?.find((each) => each.name === name);
            return trace ? JSON.stringify(Array.from(trace.y)) : "[]";
        }""",
        [slot, name],
    )
    return json.loads(found)


def until(page, condition, seconds=30.0):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        if condition():
            return
        page.wait_for_timeout(20)
    pytest.fail(f"did not come true within {seconds} seconds")


def test_epsilon_follows_a_held_thumb(app, page):
    page.goto(f"{app}/federated?N=60&federated_runs=5")
    until(page, lambda: len(curve(page, "privacy", "moments")) == 40)
    page.wait_for_timeout(1500)
    box = page.locator("input[data-key=z]").bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.26 * box["width"], y)
    page.mouse.down()
    seen = []
    for step in range(1, 9):
        before = curve(page, "privacy", "moments")[-1]
        page.mouse.move(box["x"] + (0.26 + 0.06 * step) * box["width"], y)
        began = time.perf_counter()
        until(page, lambda before=before: curve(page, "privacy", "moments")[-1] < before, 5)
        seen.append(time.perf_counter() - began)
    held = curve(page, "privacy", "moments")[-1]
    median = sorted(seen)[len(seen) // 2]
    print(f"\n  ε follows the held thumb after {median:.2f} s (median), {max(seen):.2f} s at most")
    page.mouse.up()
    assert len(seen) == 8
    # The tighter accountants come once the thumb is let go, below the curve that followed it.
    until(page, lambda: curve(page, "privacy", "pld") and curve(page, "privacy", "pld")[-1] < held)
    until(page, lambda: curve(page, "privacy", "exact")[-1] < curve(page, "privacy", "pld")[-1])
    page.get_by_text("counted exactly; the paper claims").first.wait_for()


def test_the_gain_is_spent_on_less_noise_and_the_link_says_so(app, page):
    page.goto(f"{app}/federated?N=40&T=12&P=4&M=20&federated_runs=5")
    until(page, lambda: len(curve(page, "federated-regret", "DP-FTS-DE")) == 12)
    assert curve(page, "federated-regret", "DP-FTS-DE/paper") == []
    page.get_by_text("Private sharing", exact=False).or_(page.get_by_text("No clear gain over tuning")).first.wait_for()
    page.get_by_text("5 runs, bands", exact=False).wait_for()
    papers = curve(page, "federated-regret", "DP-FTS-DE")
    page.get_by_role("button", name="Less noise").or_(page.get_by_role("radio", name="Less noise")).first.click()
    page.get_by_text("Less noise at the same ε", exact=False).first.wait_for()
    page.get_by_text("5 runs, bands", exact=False).wait_for()
    until(page, lambda: "federated_spend=noise" in page.url)
    until(page, lambda: curve(page, "federated-regret", "DP-FTS-DE/paper") == papers)
    assert curve(page, "federated-regret", "DP-FTS-DE") != papers


def test_rounds_stream_into_the_regret_figure_and_stop_stops(app, page):
    page.goto(f"{app}/federated?N=1000&T=100&federated_runs=40")
    lengths = set()

    def growing():
        lengths.add(len(curve(page, "federated-regret", "DP-FTS-DE")))
        return len(lengths - {0, 100}) >= 3

    until(page, growing, 90)  # a first run that takes longer than a busy browser needs to open the page
    until(page, lambda: len(curve(page, "federated-regret", "TS")) > 5, 120)
    page.get_by_role("button", name="Stop").click()
    began = time.perf_counter()
    until(page, lambda: page.get_by_role("button", name="Go on").is_visible(), 10)
    took = time.perf_counter() - began
    print(f"\n  stopped after {took:.2f} s")  # with much still to do: a run that is complete offers no "Go on"
    page.wait_for_timeout(500)
    still = page.locator(".st-key-chart-federated-regret .plot").get_attribute("data-drawn")
    page.wait_for_timeout(1200)
    assert page.locator(".st-key-chart-federated-regret .plot").get_attribute("data-drawn") == still
    page.get_by_role("button", name="Go on").click()
    until(page, lambda: page.get_by_role("button", name="Stop").is_visible(), 10)


def test_dragging_the_noise_on_the_simple_page_changes_the_answer(app, page):
    page.goto(f"{app}/federated?view=simple&agents=family&N=120&T=12&M=20&q=0.5&z=0.5&S=6&P=1&federated_runs=5")
    answer, facts = page.locator(".pb-answer"), page.locator(".pb-facts")
    until(page, lambda: "tuning together" in (answer.inner_text() if answer.count() else "").lower())
    until(page, lambda: "counted exactly" not in facts.inner_text())
    assert [each.get_attribute("data-key") for each in page.locator(".st-key-controls input[type=range]").all()] == [
        "z"
    ]
    before = answer.inner_text(), facts.inner_text()
    box = page.locator("input[data-key=z]").bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.13 * box["width"], y)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.99 * box["width"], y, steps=5)
    until(page, lambda: facts.inner_text() != before[1])  # while the thumb is held
    page.mouse.up()
    until(page, lambda: "under way" not in answer.inner_text() and answer.inner_text() != before[0])
    until(page, lambda: "z=3" in page.url or "z=4" in page.url)


def test_the_ledger_of_a_real_run_is_opened(app, page, tmp_path):
    found = terms(tmp_path, rounds=3, budget=9.0)
    with open_book(tmp_path / "ledger.jsonl", found) as book:
        for t in (1, 2, 3):
            book.broadcast(Count(t, book.after_one_more(), 4, 3, 0, 2, 0.5, 3.0, 7.5, (0.5, 2.0)))
    page.goto(f"{app}/federated?N=6&T=4&M=10&federated_runs=5&federated_tab=A+real+run")
    page.locator("input[type=file]").last.set_input_files(tmp_path / "ledger.jsonl")
    until(page, lambda: len(curve(page, "real-privacy", "ε")) == 3)
    assert curve(page, "real-privacy", "ε")[-1] == pytest.approx(epsilon(0.5, 1.0, 3, 0.001, "pld"))
    page.get_by_text("The noise is 2.5 times as long as the signal").first.wait_for()
    page.locator("input[type=file]").last.set_input_files(
        {"name": "ledger.jsonl", "mimeType": "application/jsonl", "buffer": b"no ledger at all\n"}
    )
    page.get_by_text("is not a JSON file that can be read").first.wait_for()
    assert len(curve(page, "real-privacy", "ε")) == 3  # the last one stays
