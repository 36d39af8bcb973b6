"""The app on a free port of this machine, and a real browser in front of it."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.helpers.accessible import PHONE
from tests.helpers.ensure_browser import find
from tests.helpers.faults import note
from tests.helpers.serving import serving

expect.set_options(timeout=60_000)  # a slow machine is no fault
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@pytest.fixture(scope="session")
def server_folder(tmp_path_factory):
    return tmp_path_factory.mktemp("app")


@pytest.fixture(scope="session")
def app(server_folder):
    with serving(server_folder) as server:
        yield server.address
    assert "Traceback" not in server.log.read_text(), server.log.read_text()


@pytest.fixture(scope="session")
def browser_path():
    path = find()
    assert path, "no Chromium: run tests/helpers/ensure_browser.py"
    return path


@pytest.fixture(scope="session")
def browser(browser_path):
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser_path, args=ARGUMENTS)
        yield chromium
        chromium.close()


@contextmanager
def opened(browser, app, **device):
    """Open what lets visitors in who have such a device: they share its process, and what was compiled there."""
    with browser.new_context(**device) as visits:
        door = visits.new_page()
        door.goto(f"{app}/app/static/icon.svg")
        yield door


@contextmanager
def entering(door, app):
    """Let a visitor in of whom the app knows nothing; it fails if the page has an error of its own."""
    visits = door.context
    with visits.expect_page() as entered:
        door.evaluate("() => { window.open('about:blank').opener = null }")
    page, errors = entered.value, []
    page.set_default_timeout(90_000)
    visits.clear_cookies()
    kept = {"origin": app, "storageTypes": "cookies,local_storage,indexeddb,service_workers"}
    visits.new_cdp_session(page).send("Storage.clearDataForOrigin", kept)
    note(page, errors)
    yield page
    for visit in visits.pages:
        if visit != door:
            visit.close()
    assert not errors, errors


@pytest.fixture(scope="session")
def door(browser, app):
    with opened(browser, app, viewport={"width": 1440, "height": 900}) as door:
        yield door


@pytest.fixture(scope="session")
def door_of_phones(browser, app):
    with opened(browser, app, viewport=PHONE, has_touch=True, is_mobile=True) as door:
        yield door


@pytest.fixture
def page(door, app):
    with entering(door, app) as page:
        yield page


@pytest.fixture
def phone(door_of_phones, app):
    """A visitor with a phone, and nothing but a finger."""
    with entering(door_of_phones, app) as page:
        yield page


@pytest.fixture
def listener():
    """A server of this machine that answers whatever is asked, and what it was asked for."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self):
            server.asked.append(urlsplit(self.path).path.strip("/"))
            self.send_response(204)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.end_headers()

        do_POST = do_GET  # noqa: N815 - as the library names it

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    server.asked = []
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()
