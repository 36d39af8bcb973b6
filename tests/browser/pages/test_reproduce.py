"""What a person sees and does on the Reproduce page, in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.helpers.accessible import assert_for_everybody
from tests.helpers.hands import within
from tests.helpers.waiting import quiet, until

DRAWN = ".st-key-chart-reproduce-{} .plot[data-drawn]"


def open_page(page, app, name="table-1", kind="table"):
    page.goto(f"{app}/reproduce?experiment={name}")
    page.wait_for_selector(DRAWN.format(kind), timeout=60_000)
    quiet(page)


@pytest.mark.long
def test_a_run_can_be_stopped_and_goes_on_from_there(app, page):
    open_page(page, app)
    within(page, "reproduce_runs", "[role=radiogroup]").get_by_text("10", exact=True).click()
    page.wait_for_url("**reproduce_runs=10**")
    quiet(page)  # a click on what is about to be drawn anew may be lost
    button, bar = within(page, "reproduce_button"), page.locator(".pb-progress progress")

    def pieces():
        return int(bar.get_attribute("value"))

    start = button.inner_text()
    button.click()
    until(page, lambda: 2 <= pieces() < 81)
    expect(bar).to_have_attribute("max", "81")
    expect(button).not_to_have_text(start)  # it stops now
    button.click()
    quiet(page)
    done = pieces()
    assert 2 <= done < 81
    quiet(page)
    assert pieces() == done, "it went on after it was stopped"
    button.click()
    until(page, lambda: pieces() > done)
    button.click()
    quiet(page)


@pytest.mark.long
def test_a_person_sees_what_their_data_would_need(app, page):
    """Of one table too few rows are there for each of the papers' nine; another fits three of them."""
    said = []
    for data, tables in (("loans", "1, 2, 3, 4, 5, 6, 7, 8, 9"), ("synthetic", "1, 2, 3")):
        page.goto(f"{app}/reproduce?experiment=table-5&data={data}")
        page.wait_for_selector(DRAWN.format("needs"))
        found = page.get_by_text(re.compile(rf"(?<!\d, ){tables}(?!, \d)")).first
        found.wait_for()
        said.append(found.inner_text().replace(tables, ""))
    assert said[0] != said[1]


@pytest.mark.long
@pytest.mark.parametrize(("name", "kind"), [("table-4", "table"), ("federated-fig-2a", "curves")])
def test_everybody_can_use_it(page, app, name, kind):
    open_page(page, app, name, kind)
    assert_for_everybody(page)
