"""From Start with a table of one's own, as a newcomer goes: what is seen on the way, in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from pages.parts.table.upload import made
from tests.helpers.accessible import PHONE
from tests.helpers.hands import bring, within
from tests.helpers.waiting import ENDED, one_below_the_other, quiet, rest

TABLE = "input[type=file][accept*=csv]"
WARD = "\n".join(
    [
        "Nr;Aufnahme;Alter [Jahre];Kreatinin (mg/dl);FLC [mg/l]",
        *(
            f"{i + 1};{1 + i % 28:02d}.03.2025;{40 + i % 31};"
            f"{'n/a' if i == 3 else f'{1 + i % 9},{i % 7}'};{20 + i % 9},5"
            for i in range(90)
        ),
    ]
).encode()


def bring_ward(page):
    bring(page.locator(TABLE).first, "ward.csv", WARD)
    within(page, "clear").wait_for()
    within(page, "outcome-meant").click()
    page.locator(".st-key-frame-row-1").wait_for()
    rest(page)


@pytest.mark.parametrize("phone", [False, True])
def test_the_door_on_start_leads_to_a_place_for_the_file_that_is_seen_at_once(page, app, phone):
    if phone:
        page.set_viewport_size(PHONE)
    page.goto(app)
    door = page.locator("[data-testid=stPageLink-NavLink][href*='bring=table']")
    door.wait_for()
    expect(door).to_be_in_viewport()
    door.click()
    place = page.get_by_test_id("stFileUploader").get_by_role("button").first
    place.wait_for()
    expect(place).to_be_in_viewport()
    page.locator(ENDED).wait_for()
    expect(place).to_be_in_viewport()


def test_a_frame_is_typed_with_decimal_commas_each_fault_is_said_below_its_column_and_all_is_forgotten(page, app):
    page.goto(f"{app}/data?view=simple&bring=table")
    bring_ward(page)
    use = within(page, made("use"))

    def field(part, row):
        return within(page, f"frame-row-{row}", f"[class*='-{part}'] input")

    field("low", 0).fill("abc")
    field("hide", 1).fill("1.234")
    use.click()
    first = page.get_by_role("alert").filter(has_text="Alter").filter(has_text="abc")
    two_ways = re.compile(r"Kreatinin.*1\.234.*\b1234\b.*1,234")
    second = page.get_by_role("alert").filter(has_text=two_ways)
    first.wait_for()
    second.wait_for()
    expect(page.get_by_role("alert").filter(has_text=re.compile("Alter.*Kreatinin"))).to_be_visible()  # at the button
    one_below_the_other(page, field("low", 0), first, field("low", 1), second, use)
    for part, texts in {"low": ("18", "0,1"), "high": ("110", "25,5"), "hide": ("4", "0,3")}.items():
        for place, text in enumerate(texts):
            field(part, place).fill(text)
    use.click()
    page.locator(".pb-answer", has_text=re.compile(r"Kreatinin\D+0\.3 mg/dl")).wait_for()
    expect(first).to_have_count(0)
    rest(page)
    within(page, "clear").click()
    expect(page.get_by_test_id("stToast")).to_be_in_viewport()
    quiet(page)
    expect(within(page, "clear")).to_have_count(0)
    expect(page.locator(TABLE).first).to_be_attached()  # another may be brought
    assert "Kreatinin" not in page.locator("[data-testid=stMain]").inner_text()
