"""What a person sees and does on the Reproduce page, in a real browser."""

import re

import pytest

from tests.helpers.accessible import assert_for_everybody
from tests.helpers.waiting import quiet

DRAWN = ".st-key-chart-reproduce-{} .plot[data-drawn]"


def open_page(page, app, name="table-1", kind="table"):
    page.goto(f"{app}/reproduce?experiment={name}")
    page.wait_for_selector(DRAWN.format(kind), timeout=60_000)
    page.get_by_text("Where the stored numbers come from").wait_for(timeout=60_000)


@pytest.mark.long
def test_a_run_can_be_stopped_and_goes_on_from_there(app, page):
    open_page(page, app)
    page.get_by_role("radiogroup", name=re.compile("Rerun live")).get_by_text("10", exact=True).click()
    page.wait_for_url("**reproduce_runs=10**")
    quiet(page)  # a click on what is about to be drawn anew may be lost
    page.get_by_role("button", name="Rerun live").click()
    page.get_by_text(re.compile(r"running: ([2-9]|\d\d) of 81 pieces")).wait_for()
    assert page.get_by_role("button", name="Rerun live").count() == 0
    page.get_by_role("button", name="Stop").click()
    page.get_by_text(re.compile(r"stopped: \d+ of 81 pieces")).wait_for()
    done = int(re.search(r"stopped: (\d+)", page.locator(".pb-progress").inner_text()).group(1))
    assert 2 <= done < 81
    page.wait_for_timeout(1500)
    assert f"stopped: {done} of 81" in page.locator(".pb-progress").inner_text(), "it went on after Stop"
    page.get_by_role("button", name="Go on").click()
    page.get_by_text(re.compile(r"running: \d+ of 81 pieces")).wait_for()
    assert int(re.search(r"running: (\d+)", page.locator(".pb-progress").inner_text()).group(1)) >= done
    page.get_by_role("button", name="Stop").click()


@pytest.mark.long
def test_a_person_sees_what_their_data_would_need(app, page):
    page.goto(f"{app}/reproduce?experiment=table-5&data=loans")
    page.wait_for_selector(".st-key-chart-reproduce-needs .plot[data-drawn]", timeout=60_000)
    page.get_by_text("is too small for Tables 1, 2, 3, 4, 5, 6, 7, 8, 9").wait_for()
    page.goto(f"{app}/reproduce?experiment=table-5&data=synthetic")
    page.get_by_text("fits Tables 1, 2, 3").wait_for(timeout=60_000)


@pytest.mark.long
@pytest.mark.parametrize(("name", "kind"), [("table-4", "table"), ("federated-fig-2a", "curves")])
def test_everybody_can_use_it(page, app, name, kind):
    open_page(page, app, name, kind)
    assert_for_everybody(page)
