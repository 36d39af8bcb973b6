"""From Start to Decide with a table of one's own, as a newcomer goes: what is seen on the way, in a real browser."""

import pytest
from playwright.sync_api import expect

from privbo_core.data import sample
from tests.helpers.accessible import PHONE
from tests.helpers.hands import bring, go_to
from tests.helpers.waiting import ENDED, one_below_the_other, rest, until

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
    page.get_by_text("Forget my data").wait_for()
    page.get_by_role("button", name="Yes: look for the").click()
    page.get_by_text("; of the others, Kreatinin is missing in 1.").wait_for()
    rest(page)


@pytest.mark.parametrize(
    ("view", "phone"), [("simple", False), pytest.param("expert", False, marks=pytest.mark.long), ("simple", True)]
)
def test_the_door_on_start_leads_to_a_place_for_the_file_that_is_seen_at_once(page, app, view, phone):
    if phone:
        page.set_viewport_size(PHONE)
    page.goto(f"{app}/?view={view}")
    door = page.get_by_role("link", name="I have a table of my own")
    door.wait_for()
    if phone:
        door.scroll_into_view_if_needed()
        until(page, "() => document.querySelector('[data-testid=stMain]').scrollTop > 300")
    expect(door).to_be_in_viewport()
    door.click()
    place = page.get_by_role("button", name="Upload", exact=True).first
    place.wait_for()
    expect(place).to_be_in_viewport()
    page.locator(ENDED).wait_for()
    expect(place).to_be_in_viewport()


def test_a_frame_is_typed_with_decimal_commas_each_fault_is_said_below_its_column_and_all_is_forgotten(page, app):
    page.goto(f"{app}/data?view=simple&bring=table")
    bring_ward(page)
    use = page.get_by_role("button", name="Use this frame")

    def field(name, place):
        return page.get_by_role("textbox", name=name, exact=True).nth(place)

    field("low", 0).fill("abc")
    field("hide ±", 1).fill("1.234")
    use.click()
    first = page.get_by_role("alert").filter(has_text="low of column 'Alter' is 'abc'")
    two_ways = "hide ± of column 'Kreatinin' is '1.234', which may be 1234 or 1,234"
    second = page.get_by_role("alert").filter(has_text=two_ways)
    first.wait_for()
    second.wait_for()
    expect(page.get_by_role("alert").filter(has_text="The frame is not used yet")).to_be_visible()
    one_below_the_other(page, field("low", 0), first, field("low", 1), second, use)
    for name, texts in {"low": ("18", "0,1"), "high": ("110", "25,5"), "hide ±": ("4", "0,3")}.items():
        for place, text in enumerate(texts):
            field(name, place).fill(text)
    for place in (0, 1):
        source = page.get_by_role("combobox", name="known from", exact=True).nth(place)
        source.fill("the register")
        page.keyboard.press("Enter")
    use.click()
    page.locator(".pb-answer", has_text="Kreatinin to within 0.3 mg/dl").wait_for()
    expect(first).to_have_count(0)
    rest(page)  # while the page is drawn anew, what moves may stand there twice
    expect(page.get_by_role("link", name="Decide on an ε, and sign: Decide")).to_be_visible()
    forgetting_is_said_where_one_is_and_the_workbench_names_the_sample_in_use(page)


def forgetting_is_said_where_one_is_and_the_workbench_names_the_sample_in_use(page):
    go_to(page, "Do", "Workbench")
    unit = page.get_by_role("textbox", name="Unit of the outcome")
    unit.wait_for()
    expect(unit).to_have_value("mg/l")
    go_to(page, "Explore", "Data")
    page.get_by_role("button", name="Use this frame").wait_for()
    page.get_by_role("button", name="Forget my data").click()
    page.get_by_role("button", name="Forget all the same").click()
    expect(page.get_by_test_id("stToast").filter(has_text="Forgotten: your table")).to_be_in_viewport()
    go_to(page, "Do", "Workbench")
    said = page.get_by_text(f"Your table was forgotten. In use now is a sample: {sample('hospital').title}.")
    expect(said).to_have_count(1)  # while the page is drawn anew it may stand there twice
    picker = page.get_by_role("combobox", name="Table", exact=True)
    one_below_the_other(page, picker, said, within=150)
