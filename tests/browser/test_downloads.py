"""Figures are downloaded as pictures and as the values of their curves."""

import csv
import io

import pytest

from tests.helpers.waiting import rest


@pytest.fixture
def exported(page, app, tmp_path):
    page.goto(f"{app}/outsourced?T=8&runs=5&release=noisy")
    page.wait_for_selector(".st-key-chart-regret .plot[data-drawn]")
    page.get_by_text("What does this ε mean?").click()
    page.wait_for_selector(".st-key-chart-meaning .plot[data-drawn]")
    rest(page)

    def download(name):
        if not page.get_by_role("button", name=name).is_visible():
            page.get_by_role("button", name="Export").click()
        with page.expect_download() as found:
            page.get_by_role("button", name=name).click()
        path = tmp_path / found.value.suggested_filename
        found.value.save_as(path)
        return path.read_bytes()

    return download


def test_a_figure_is_downloaded_in_each_format(page, exported):
    assert exported("Regret as PNG").startswith(b"\x89PNG")
    svg = exported("Regret as SVG").decode()
    assert svg.startswith("<svg")
    assert "<script" not in svg
    rows = list(csv.DictReader(io.StringIO(exported("Regret as CSV").decode("utf-8-sig"))))
    drawn = page.evaluate("""() => document.querySelector('.st-key-chart-regret .plot').data.filter(t => t.name)
      .flatMap(t => t.y.map((y, i) => [t.name, t.x[i], y]))""")
    assert [[row["curve"], float(row["x"]), float(row["y"])] for row in rows] == drawn


def test_a_figure_of_an_open_section_is_offered_by_its_title(page, exported):
    title = page.inner_text(".st-key-meaning-title .pb-title")
    rows = list(csv.DictReader(io.StringIO(exported(f"{title} as CSV").decode("utf-8-sig"))))
    assert {row["curve"] for row in rows} >= {"best attacker"}
