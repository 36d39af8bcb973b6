"""A teacher's kit in a browser: it is downloaded, opened without a network, and its links lead back into the app."""

import re

from tests.helpers.hands import handed_out


def test_a_kit_is_a_file_whose_links_lead_back(browser, app, page, tmp_path):
    page.goto(f"{app}/tour?lesson=epsilon&step=1&seen=0")
    path = handed_out(page.get_by_role("button", name="Teacher’s kit"), tmp_path)
    assert path.name == "privbo-kit-epsilon.html"
    with browser.new_context(offline=True) as context:
        kit = context.new_page()
        asked, errors = [], []
        kit.on("request", lambda request: asked.append(request.url))
        kit.on("pageerror", lambda error: errors.append(str(error)))
        kit.goto(path.as_uri())
        assert kit.get_by_role("heading", level=1).inner_text() == "How to choose ε"
        address = kit.get_by_role("link", name="It adds up").first.get_attribute("href")
        # This app is on this computer only: what is typed elsewhere goes behind the address that it has there.
        typed = kit.locator("section.links").inner_text()
        assert "Type them behind the app’s own address" in typed
        assert "It adds up: /tour?lesson=epsilon&step=4&times=10&epsilon=0.1&seen=0&view=expert" in typed
        assert "What ε means: /tour?lesson=epsilon&step=1&epsilon=1&seen=0&view=simple" in typed
        assert app not in typed
        assert asked == [path.as_uri()]
        assert errors == []
    assert address.startswith(f"{app}/tour?")
    page.goto(address)
    page.get_by_text("10 releases, each with noise for ε = 0.1").wait_for()
    assert re.search(r"[?&]times=10(&|$)", page.url)
