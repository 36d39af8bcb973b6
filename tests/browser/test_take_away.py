"""What is downloaded in a browser: the report opens from the disk without a network."""

import pytest

from tests.helpers.hands import handed_out, take_away
from tests.helpers.waiting import rest, until

DARK = "rgb(23, 22, 20)"

# What is written beside curves is set in smaller letters, or above them, where a figure is narrow.
DATA = """plots => plots.map(plot => [plot.data, plot.layout.shapes,
  plot.layout.annotations.map(({ text, x, y, xref, yref }) => [text, x, y, xref ?? 'x', yref ?? 'y'])])"""
PAGES = [
    ("data?view=expert", 4),
]
"""Address, and how many figures there are when the page has finished."""


@pytest.mark.parametrize(("address", "figures"), PAGES)
def test_the_report_shows_the_page_s_figures_without_a_network(app, page, browser, tmp_path, address, figures):
    page.goto(f"{app}/{address}")
    page.wait_for_selector(".plot[data-drawn]")
    report_button = take_away(page).first
    page.wait_for_function(f"() => document.querySelectorAll('.plot[data-drawn]').length === {figures}")
    rest(page)
    on_the_page = page.eval_on_selector_all(".plot", DATA)
    path = handed_out(report_button, tmp_path)
    assert path.stat().st_size < 6_000_000
    with browser.new_context(viewport={"width": 1280, "height": 720}, offline=True) as context:
        asked, complaints = [], []
        context.route("**/*", lambda route: (asked.append(route.request.url), route.continue_()))
        report = context.new_page()
        report.on("console", lambda message: complaints.append(message.text))
        report.on("pageerror", lambda error: complaints.append(str(error)))
        report.goto(path.as_uri())
        report.wait_for_function(f"() => document.querySelectorAll('.plot .main-svg .trace').length >= {figures}")
        assert report.eval_on_selector_all(".plot", DATA) == on_the_page
        for plot in report.query_selector_all(".plot"):
            assert plot.query_selector(".trace path, .trace text, .point path")
            assert len(plot.get_attribute("aria-label")) > 10
        assert report.evaluate("document.documentElement.scrollWidth <= innerWidth")
        colour = "document.querySelector('.plot').layout.font.color"
        light = report.evaluate(colour)
        report.emulate_media(color_scheme="dark")
        until(report, f"() => {colour} !== '{light}' && getComputedStyle(document.body).backgroundColor", DARK)
        assert [url for url in asked if url != path.as_uri()] == []
        assert complaints == []
