"""The Federated page in a browser: ε follows a held thumb, rounds stream into the regret figure, Stop stops."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

sync_api = pytest.importorskip("playwright.sync_api")
ROOT = Path(__file__).parents[2]


# A server and a page of this module's own; a conftest.py with the same two fixtures can take their place.


@pytest.fixture(scope="module")
def app():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", int(os.environ.get("PRIVBO_TEST_PORT", "0"))))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(150):
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=1)
                break
            except OSError:
                time.sleep(0.2)
        yield address
    finally:
        server.terminate()
        server.wait(10)


@pytest.fixture
def page():
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        yield browser.new_page(viewport={"width": 1440, "height": 900})
        browser.close()


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
    page.goto(f"{app}/federated?N=60&federated_runs=5+runs")
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
    print(f"\n  ε follows the held thumb after {median:.2f} s (median), {max(seen):.2f} s at most")  # noqa: T201
    page.mouse.up()
    assert len(seen) == 8
    assert median < 1.0
    # The tighter accountants come once the thumb is let go, below the curve that followed it.
    until(page, lambda: curve(page, "privacy", "pld") and curve(page, "privacy", "pld")[-1] < held)


def test_rounds_stream_into_the_regret_figure_and_stop_stops(app, page):
    page.goto(f"{app}/federated?N=300&T=60&federated_runs=40+runs")
    lengths = set()

    def growing():
        lengths.add(len(curve(page, "federated-regret", "DP-FTS-DE")))
        return len(lengths - {0, 60}) >= 3

    until(page, growing)
    until(page, lambda: len(curve(page, "federated-regret", "TS")) > 5)
    page.get_by_role("button", name="Stop").click()
    began = time.perf_counter()
    until(page, lambda: page.get_by_role("button", name="Go on").is_visible(), 10)
    took = time.perf_counter() - began
    print(f"\n  stopped after {took:.2f} s")  # noqa: T201
    assert took < 1.0
    page.wait_for_timeout(500)
    still = page.locator(".st-key-chart-federated-regret .plot").get_attribute("data-drawn")
    page.wait_for_timeout(1200)
    assert page.locator(".st-key-chart-federated-regret .plot").get_attribute("data-drawn") == still
    page.get_by_role("button", name="Go on").click()
    until(page, lambda: page.get_by_role("button", name="Stop").is_visible(), 10)
