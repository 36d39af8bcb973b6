"""What a person sees and does on the Papers page, in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.helpers.accessible import PHONE, found_in_both_themes, width_on_a_phone
from tests.helpers.hands import pick, within
from tests.helpers.waiting import quiet, until

DRAWN = ".st-key-chart-{} .plot[data-drawn]"
TOGETHER = """() => ['.pb-headline', '.pb-tiles', '.st-key-card-papers', '.st-key-card-numbers'].every(part => {
  const box = document.querySelector(part).getBoundingClientRect();
  return box.height > 20 && box.top > 40 && box.bottom < innerHeight; })"""


def open_page(page, app, name="table-1"):
    page.goto(f"{app}/papers?experiment={name}")
    page.wait_for_selector(DRAWN.format("papers"), timeout=60_000)
    quiet(page)


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1440, 900)])
def test_the_first_screen_has_the_finding_the_figure_and_the_numbers(app, page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    open_page(page, app)
    until(page, TOGETHER)


def test_another_table_is_one_choice_away(app, page):
    open_page(page, app)
    pick(page, "experiment", "Outsourced, Table 4: loan applications")
    page.wait_for_url("**experiment=table-4**")
    expect(page.locator(".st-key-numbers .pb-table")).to_contain_text("0.069")


def test_a_link_leads_to_the_published_setting(app, page):
    open_page(page, app, "table-2")
    page.locator(".st-key-panel .stPageLink a").click()
    page.wait_for_url("**/outsourced**r=15**")
    page.wait_for_selector(DRAWN.format("regret"), timeout=60_000)
    expect(page.locator(".st-key-tiles")).to_contain_text("r = 15")


def test_a_former_address_leads_here(app, page):
    page.goto(f"{app}/reproduce?experiment=table-3")
    page.wait_for_url("**/papers?experiment=table-3")
    page.wait_for_selector(DRAWN.format("papers"), timeout=60_000)


@pytest.mark.long
def test_a_run_can_be_stopped_and_continues_from_there(app, page):
    """The pieces of this experiment take long enough that it can't be done before it is stopped."""
    open_page(page, app, "federated-fig-2c")
    within(page, "runs_live", "[role=radiogroup]").get_by_text("10", exact=True).click()
    page.wait_for_url("**runs_live=10**")
    quiet(page)  # a click on what is about to be drawn anew may be lost
    button, bar = within(page, "run"), page.locator(".pb-progress progress")

    def pieces():
        return int(bar.get_attribute("value"))

    start = button.inner_text()
    button.click()
    until(page, lambda: bar.count() and pieces() >= 2)
    expect(button).not_to_have_text(start)  # it stops now
    button.click()
    quiet(page)
    done, all_pieces = pieces(), int(bar.get_attribute("max"))
    assert 2 <= done < all_pieces
    quiet(page)
    assert pieces() == done, "it went on after it was stopped"
    button.click()
    until(page, lambda: pieces() > done)
    button.click()
    quiet(page)


@pytest.mark.long
def test_a_person_sees_what_their_data_would_need(app, page):
    """One sample fits none of the papers' nine tables, and another fits three of them."""
    for data, tables in (("loans", []), ("synthetic", ["1", "2", "3"])):
        page.goto(f"{app}/papers?experiment=table-5&data={data}")
        page.wait_for_selector(DRAWN.format("papers"), timeout=60_000)
        page.get_by_text("What data the tables need").click()
        page.wait_for_selector(DRAWN.format("needs"))
        title = page.locator(".st-key-card-needs .pb-title").inner_text()
        assert re.findall(r"\d+", title.partition("fits")[2]) == tables


@pytest.mark.long
@pytest.mark.parametrize("name", ["table-4", "federated-fig-2a"])
def test_everybody_can_use_it(page, app, name):
    """With a screen reader, in both themes, and on a phone, where nothing is wider than the screen."""
    open_page(page, app, name)
    assert not found_in_both_themes(page)
    assert width_on_a_phone(page) <= PHONE["width"]
