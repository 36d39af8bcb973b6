"""From an upload to curves with three messy tables, as a newcomer goes, in a real browser."""

import random
import re

import pytest
from playwright.sync_api import expect

from pages.ui.own_table import choice_key
from tests.helpers.accessible import PHONE
from tests.helpers.hands import bring, enter, pick, turn_to, within
from tests.helpers.waiting import quiet, rest

TABLE = "input[type=file][accept*=csv]"
REGRET = ".st-key-chart-regret .plot[data-drawn]"


def ward():
    """Decimal commas, semicolons, units in names, and −9 for missing."""
    rng = random.Random(1)
    rows = ["Patient;Age [years];Dose (mg);Response"]
    for i in range(160):
        dose = rng.uniform(0.5, 9)
        response = 40 - (dose - 4.5) ** 2 + rng.gauss(0, 1)
        age = -9 if i % 23 == 5 else rng.randint(18, 90)
        rows.append(f"{i + 1};{age};{f'{dose:.2f}'.replace('.', ',')};{f'{response:.2f}'.replace('.', ',')}")
    return "\n".join(rows).encode()


def prices():
    """A column of texts, gaps, and prices of which half have a $ and some a k."""
    rng = random.Random(2)
    rows = ["address,kind,area_m2,rooms,price"]
    for i in range(200):
        area = rng.uniform(40, 300)
        price = area * 1800 * rng.uniform(0.8, 1.2)
        plain = f"{price / 1000:.1f}k" if i % 26 == 0 else f"{price:.0f}"
        cell = f'"${price:,.0f}"' if i % 2 else "" if i % 38 == 4 else plain
        rows.append(f"{i} Elm St,{rng.choice(['flat', 'house'])},{area:.0f},{max(1, round(area / 35))},{cell}")
    return "\n".join(rows).encode()


def tuning():
    """The results of a grid search: two parameters and a score."""
    grid = [(10.0**c, 10.0**g) for c in range(-3, 4) for g in range(-4, 2)]
    scores = [0.95 - 0.01 * (i // 6 - 3) ** 2 - 0.02 * (i % 6 - 2) ** 2 for i in range(len(grid))]
    rows = [f"{c:g},{g:g},{score:.4f}" for (c, g), score in zip(grid, scores, strict=True)]
    return "\n".join(["C,gamma,accuracy", *rows]).encode()


def bring_own(page, app, name, content):
    page.goto(f"{app}/data?bring=table")
    place = page.get_by_test_id("stFileUploader").get_by_role("button").first
    expect(place).to_be_in_viewport()
    bring(page.locator(TABLE).first, name, content)
    within(page, "clear").wait_for()
    rest(page)


@pytest.mark.parametrize("phone", [False, True])
def test_the_way_from_start_leads_to_a_place_for_the_file_that_is_seen_at_once(page, app, phone):
    if phone:
        page.set_viewport_size(PHONE)
    page.goto(app)
    page.locator("[data-testid=stPageLink-NavLink][href*='bring=table']").click()
    place = page.get_by_test_id("stFileUploader").get_by_role("button").first
    place.wait_for()
    quiet(page)
    expect(place).to_be_in_viewport()
    expect(page.locator(".pb-chart")).to_have_count(0)  # no sample in its place


def test_decimal_commas_and_codes_for_missing_lead_to_curves(page, app):
    bring_own(page, app, "ward.csv", ward())
    page.get_by_role("button", name="Missing").first.click()
    page.locator(".pb-tile", has_text="153").wait_for()
    rest(page)
    expect(page.get_by_role("button", name="Missing")).to_have_count(0)
    page.get_by_role("link", name="On Outsourced").click()
    page.wait_for_selector(REGRET)
    rest(page)
    assert "ward" not in page.url


def test_mixed_prices_lead_to_curves(page, app):
    bring_own(page, app, "prices.csv", prices())
    agree = page.get_by_role("button", name="Yes", exact=True)
    for left in (1, 0):
        agree.first.click()
        expect(agree).to_have_count(left)
        rest(page)
    page.locator(".pb-headline", has_text="price").wait_for()
    page.get_by_role("link", name="On Outsourced").click()
    page.wait_for_selector(REGRET)


def test_tuning_results_lead_to_release_and_are_not_brought_twice(page, app):
    bring_own(page, app, "tuning.csv", tuning())
    page.get_by_role("link", name=re.compile("On Release")).click()
    enter(within(page, choice_key("m"), "input"), "569")
    pick(page, choice_key("decimals"), "they were not rounded")
    page.wait_for_selector(".st-key-chart-configuration .plot[data-drawn]")
    expect(page.locator(TABLE)).to_have_count(0)
    rest(page)
    turn_to(page, "data")
    within(page, "clear").wait_for()  # the table is still there
    page.reload()
    page.get_by_test_id("stAlert").filter(has_text="table").first.wait_for()
    expect(page.locator(".pb-chart")).to_have_count(0)


def test_a_limit_is_typed_with_a_decimal_comma_and_a_fault_gets_a_sentence(page, app):
    bring_own(page, app, "ward.csv", ward())
    box = page.locator("[data-testid=stDataFrame] canvas").first.bounding_box()
    x, y = box["x"] + 650, box["y"] + 35 * 2.5  # the protected difference of the first input

    def write(text):
        # The editor loses what comes faster than a hand: it settles a selection and an opened cell a moment later.
        page.mouse.click(x, y)
        page.wait_for_timeout(300)
        page.mouse.dblclick(x, y)
        cell = page.locator("#portal :is(textarea, input)").first
        expect(cell).to_be_focused()
        page.wait_for_timeout(300)
        page.keyboard.press("Control+a")
        page.keyboard.type(text, delay=60)
        expect(cell).to_have_value(text)
        page.wait_for_timeout(300)
        page.keyboard.press("Enter")

    write("3,5")
    page.locator(".st-key-card-column .pb-title", has_text=re.compile(r"\d+\.\d or \d+\.\d")).wait_for()
    rest(page)
    write("many")
    page.get_by_role("alert").filter(has_text="many").wait_for()
    expect(page.locator(".st-key-card-column .pb-title")).to_be_visible()


@pytest.mark.parametrize("size", [(1366, 768), (1440, 900)])
def test_the_first_screen_answers(page, app, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    bring_own(page, app, "tuning.csv", tuning())
    seen = (".pb-headline", "[data-testid=stDataFrame] canvas", ".st-key-chart-column .plot", ".st-key-clear button")
    for each in seen:
        expect(page.locator(each).first).to_be_in_viewport(ratio=0.8)


def test_the_reason_why_a_file_is_too_large_can_be_read(app, page):
    page.goto(f"{app}/data")
    quiet(page)
    page.locator(TABLE).evaluate(
        """place => {
          const held = new DataTransfer();
          held.items.add(new File([new Uint8Array(201 * 1024 * 1024)], 'visits.csv'));
          place.files = held.files;
          place.dispatchEvent(new Event('change', { bubbles: true }));
        }"""
    )
    reason = page.get_by_role("alert").filter(has_text="200")
    expect(reason).to_be_visible()
    box = reason.bounding_box()
    assert min(box["width"], box["height"]) > 12, "it is no pixel for screen readers alone"
    assert reason.evaluate("text => getComputedStyle(text).clipPath") == "none"
