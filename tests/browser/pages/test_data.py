"""Bringing one's own table, in a real browser."""

import gzip
import random
import re

import pytest
from playwright.sync_api import expect

from tests.helpers.hands import bring, turn_to, within
from tests.helpers.paths import ROOT
from tests.helpers.waiting import ENDED, rest, until

TABLE = "input[type=file][accept*=csv]"  # beside it there is one for a frame
SECRET = "7319.04625"  # a cell to look for on the disk


def crops():
    """A UTF-16 table, tab-separated, with quoted line breaks, thousands separators, gaps and a date column."""
    rng = random.Random(3)
    rows = ['"plot\nname"\twater (mm)\tsown\tyield "kg"\tremarks']
    for i in range(240):
        water = rng.uniform(200, 1800)
        output = 9000 - (water - 900) ** 2 / 120 + rng.gauss(0, 150)
        amount = SECRET if i == 7 else f"{output:,.2f}"
        rows.append(
            f'"field\n{i}"\t{"n/a" if i % 50 == 9 else f"{water:,.1f}"}\t{rng.randint(1, 28):02d}.04.2025\t"{amount}"\t'
        )
    return "\r\n".join(rows).encode("utf-16")


def upload(page, app, name, content):
    page.goto(f"{app}/data?bring=table")
    page.locator(ENDED).wait_for()
    bring(page.locator(TABLE).first, name, content)
    within(page, "clear").wait_for()
    rest(page)


@pytest.mark.long
def test_a_table_of_an_unusual_kind_reaches_a_regret_curve(page, app):
    upload(page, app, "crops.tsv", crops())
    page.get_by_text(re.compile(r"\b240\b")).first.wait_for()
    page.locator(".pb-tile", has_text=re.compile(r"235\D+240")).wait_for()  # without the gaps
    page.get_by_role("link", name="On Outsourced").click()
    page.wait_for_selector(".st-key-chart-regret .plot[data-drawn]")
    rest(page)
    expect(within(page, "data", "[role=combobox]")).to_have_value(re.compile("crops.tsv"))
    assert "crops" not in page.url


UNUSABLE = [
    ("book.csv", b"PK\x03\x04" + bytes(200)),
    ("<img src=x>.csv", b"a,a\n1,2\n"),
]


def nothing_is_lost_by_a_file_that_cannot_be_used(page):
    for name, content in UNUSABLE:
        bring(page.locator(TABLE).first, name, content)
        page.get_by_role("alert").filter(has_text=name).wait_for()
        assert "Traceback" not in page.content()
        expect(within(page, "data", "[role=combobox]")).to_have_value(re.compile("crops.csv.gz"))
        assert page.locator("img[src=x]").count() == 0


def nobody_else_sees_it_and_neither_does_the_disk(browser, app, server_folder, address):
    with browser.new_page(viewport={"width": 1440, "height": 900}) as other:
        other.set_default_timeout(60_000)
        other.goto(f"{address}&data=own")
        other.locator(".stMain [data-testid=stPageLink-NavLink][href*=data]").wait_for()  # the way to bring it again
        expect(other.locator(".pb-chart")).to_have_count(0)  # and no sample takes its place
        assert "crops" not in other.content()
        other.goto(f"{app}/data?data=own")
        other.get_by_test_id("stAlert").first.wait_for()
        expect(other.locator(".pb-chart")).to_have_count(0)
        assert "crops" not in other.content()
    for place in (ROOT / "static", ROOT / "sample_data", ROOT / ".streamlit", server_folder / "temporary"):
        for file in place.rglob("*"):
            if file.is_file():
                content = file.read_bytes()
                assert SECRET.encode() not in content, file
                assert SECRET.encode("utf-16-le") not in content, file


def test_a_table_of_ones_own_is_used_seen_by_nobody_else_and_forgotten(page, browser, app, server_folder):
    upload(page, app, "crops.csv.gz", gzip.compress(crops()))
    nothing_is_lost_by_a_file_that_cannot_be_used(page)
    page.get_by_role("link", name="On Outsourced").click()
    page.wait_for_selector(".st-key-chart-regret .plot[data-drawn]")
    rest(page)
    expect(within(page, "data", "[role=combobox]")).to_have_value(re.compile("crops.csv.gz"))
    nobody_else_sees_it_and_neither_does_the_disk(browser, app, server_folder, page.url)
    turn_to(page, "data")
    within(page, "clear").click()
    until(page, lambda: "crops" not in within(page, "data", "[role=combobox]").input_value())
    rest(page)
    expect(page.get_by_text("crops.csv.gz")).to_have_count(0)
    assert "crops" not in page.content()
