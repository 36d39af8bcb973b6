"""A real browser behind the proxy: its process dies, and the page goes on by itself, on the other, as it was set."""

import re

from playwright.sync_api import expect, sync_playwright

from tests.helpers.ensure_browser import find
from tests.helpers.hands import box_of, enter
from tests.helpers.proxied import proxied

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


def test_a_page_goes_on_when_its_process_dies(tmp_path):
    path = find()
    with proxied(tmp_path) as served, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        context = chromium.new_context(viewport={"width": 1440, "height": 900})
        page = context.new_page()
        page.set_default_timeout(90_000)
        expect.set_options(timeout=90_000)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"http://127.0.0.1:{served.port}/release?task=logistic&algorithm=1+noisy&T=20")
        enter(box_of(page, "epsilon"), "2")
        expect(page).to_have_url(re.compile(r"epsilon=2\b"))
        served.kill(next(each["value"] for each in context.cookies() if each["name"] == "PRIVBO"))
        # What is moved now goes to a session that has never heard of this page.
        enter(box_of(page, "T"), "33")
        expect(page).to_have_url(re.compile(r"\bT=33\b"))
        expect(page).to_have_url(re.compile(r"epsilon=2\b"))
        enter(box_of(page, "epsilon"), "7")
        expect(page).to_have_url(re.compile(r"epsilon=7\b"))
        expect(page).to_have_url(re.compile(r"\bT=33\b"))
        for key, value in (("epsilon", "7"), ("T", "33")):
            expect(box_of(page, key)).to_have_value(value)
        expect(page.get_by_test_id("stDialog")).to_have_count(0)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        assert not errors
        chromium.close()
        assert "Traceback" not in served.log.read_text()
