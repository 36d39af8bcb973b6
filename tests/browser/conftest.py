"""The app on a free port of this machine, and a real browser in front of it."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from ensure_browser import find
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[2]
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
READY = 60  # seconds


@pytest.fixture(scope="session")
def server_temp(tmp_path_factory):
    """The folder that the app has for temporary files."""
    return tmp_path_factory.mktemp("server-temp")


@pytest.fixture(scope="session")
def app(tmp_path_factory, server_temp):
    """Start the app; yield its address; stop it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("app") / "log.txt"
    with log.open("w") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)],
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(server_temp)},
        )
        try:
            address = f"http://127.0.0.1:{port}"
            deadline = time.monotonic() + READY
            while True:
                try:
                    urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
                    break
                except OSError:
                    assert server.poll() is None, f"the app ended:\n{log.read_text()}"
                    assert time.monotonic() < deadline, f"the app did not start:\n{log.read_text()}"
                    time.sleep(0.1)
            yield address
        finally:
            server.terminate()
            server.wait(20)
    assert "Traceback" not in log.read_text(), log.read_text()


@pytest.fixture(scope="session")
def browser():
    """A Chromium without a window."""
    path = find()
    assert path, "no Chromium: run tests/browser/ensure_browser.py"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser):
    """A fresh visitor at a projector's resolution; the test fails if the page has an error of its own."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(60_000)
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors, errors
