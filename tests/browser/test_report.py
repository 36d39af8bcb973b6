"""The interactive report opens from the disk without a network, moves, and loads nothing that a name asks for."""

import re
from contextlib import contextmanager

import numpy as np
import pytest

from pages.ui import cards
from pages.ui.figure import PRIVATE, Figure, Stroke
from pages.ui.report import FigureCard, Frame, Report, write_report
from tests.helpers.accessible import PHONE
from tests.helpers.waiting import rest, until

LINKS = {
    "outsourced?T=8&runs=5&epsilon=3": ("condition", "regret"),
    "release?epsilon=1": ("configuration", "score"),
    "federated?T=5&runs=5&N=20&z=1": ("privacy", "regret"),
}
CURVES = """plots => plots.flatMap(plot => plot.data.filter(trace => trace.name).map(trace => [trace.name, trace.y]))"""
DARK = "rgb(23, 22, 20)"


def download(page, app, link, folder):
    """Make the report of a page, and return its file and the curves that the page shows."""
    page.goto(f"{app}/{link}")
    page.wait_for_selector(".st-key-first-screen .plot[data-drawn]")
    rest(page)
    curves = page.eval_on_selector_all(".st-key-first-screen .plot", CURVES)
    page.get_by_role("button", name="Export").click()
    page.get_by_role("button", name="Make the report").click()
    button = page.get_by_role("button", name="Download the report")
    button.wait_for(timeout=200_000)
    with page.expect_download() as found:
        button.click()
    path = folder / found.value.suggested_filename
    found.value.save_as(path)
    return path, curves


def drawn(report):
    """Return the curves of the first two figures, which are on the first screen of the page."""
    return report.eval_on_selector_all("#figures > :nth-child(-n + 2) .plot", CURVES)


def alike(curves, others):
    """Return whether curves have the same names and the same values, to the digits that a report keeps."""
    if [name for name, _ in curves] != [name for name, _ in others]:
        return False
    return all(one == pytest.approx(other, rel=1e-4) for (_, one), (_, other) in zip(curves, others, strict=True))


@contextmanager
def opened(browser, path, **device):
    """Open a report where there is no network. It may ask for nothing and complain of nothing."""
    with browser.new_context(offline=True, **device) as context:
        asked, complaints = [], []
        context.on("request", lambda request: asked.append(request.url))
        report = context.new_page()
        report.on("console", lambda message: complaints.append(message.text))
        report.on("pageerror", lambda error: complaints.append(str(error)))
        report.goto(path.as_uri())
        report.wait_for_selector(".plot[data-drawn]")
        yield report
        assert [url for url in asked if url != path.as_uri() and not url.startswith(("data:", "blob:"))] == []
        assert complaints == []


@pytest.mark.parametrize("link", LINKS)
def test_the_report_shows_the_page_and_moves_without_a_network(app, page, browser, tmp_path, link):
    path, curves = download(page, app, link, tmp_path)
    with opened(browser, path, viewport={"width": 1366, "height": 768}) as report:
        until(report, "document.querySelectorAll('#figures .plot[data-drawn]').length >= 2")
        assert alike(drawn(report), curves)
        first, before = report.inner_text("#tiles"), report.input_value("#setting")
        report.focus("#setting")
        report.keyboard.press("End")
        until(report, lambda: report.inner_text("#tiles") != first)
        until(report, lambda: not alike(drawn(report), curves))
        report.keyboard.press("Home")
        until(report, lambda: report.input_value("#setting"), "0")
        for _ in range(int(before)):
            report.keyboard.press("ArrowRight")
        until(report, lambda: report.inner_text("#tiles"), first)
        report.get_by_role("button", name="Dark").click()
        until(report, "getComputedStyle(document.body).backgroundColor", DARK)
    with opened(browser, path, viewport=PHONE, has_touch=True, is_mobile=True, color_scheme="dark") as report:
        assert report.evaluate("document.documentElement.scrollWidth <= innerWidth")
        until(report, "getComputedStyle(document.body).backgroundColor", DARK)
        box = report.locator("#setting").bounding_box()
        assert 0 <= box["y"] <= PHONE["height"] - box["height"], "the slider is docked where a thumb is"


def test_hostile_names_load_nothing(browser, listener, tmp_path):
    there = f"http://127.0.0.1:{listener.server_address[1]}"
    name = (
        f"</script><script src={there}/script></script><img src={there}/image onerror=fetch('{there}/error')>"
        f"<style>@import '{there}/style'</style><svg onload=fetch('{there}/svg')>"
    )

    def frame(value):
        figure, x = Figure(), np.linspace(0, 1, 20)
        figure.axis("x", cards.axis_name(name, name))
        figure.axis("y", "", (0, 1))
        figure.line(x, x, Stroke(PRIVATE), cards.axis_name(name, ""), f"{cards.axis_name(name, '')}: %{{y}}")
        figure.end_labels([(1.0, cards.axis_name(name, ""), Stroke(PRIVATE))])
        shown = FigureCard("curve", name, name, figure, name)
        return Frame(
            cards.headline(f"{value} {name}", name), [cards.Tile(name, name, name)], [shown], cards.remark(name)
        )

    report = Report(name, name, "epsilon", name, 1.0, (0.1, 1.0), frame, None, [(name, name)])
    frames = {value: frame(value).packed() for value in (0.1, 1.0)}
    path = tmp_path / "report.html"
    path.write_text(write_report(report, frames, covered_only=False), encoding="utf-8")
    with browser.new_context() as context:  # with a network, which it must not use
        page, asked = context.new_page(), []
        context.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        page.wait_for_selector(".plot[data-drawn]")
        page.focus("#setting")
        page.keyboard.press("Home")
        until(page, lambda: page.input_value("#setting"), "0")
        box = page.locator(".plot").bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert there in page.inner_text("#headline")
        assert page.locator("main img, main script, main style").count() == 0
        assert [url for url in asked if re.match("https?:", url)] == []
    assert listener.asked == []


def test_a_listener_would_hear_what_a_name_loads(browser, listener, tmp_path):
    there = f"http://127.0.0.1:{listener.server_address[1]}"
    path = tmp_path / "unguarded.html"
    path.write_text(f"<img src={there}/image>", encoding="utf-8")
    with browser.new_context() as context:
        context.new_page().goto(path.as_uri(), wait_until="load")
    assert listener.asked == ["image"]
