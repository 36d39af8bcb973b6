"""Can this table carry an answer? Three tables of one's own, and the right sentence on each page, in a real browser."""

import random

import pytest
from playwright.sync_api import expect

from tests.helpers.hands import bring, go_to
from tests.helpers.waiting import ENDED, rest

TABLE = "input[type=file][accept*=csv]"  # beside it there is one for a frame


def table(n, outcome):
    rng = random.Random(6)
    lines = ["dose,age,weight,response"]
    for _ in range(n):
        dose, age, weight = rng.gauss(50, 10), rng.gauss(60, 8), rng.gauss(75, 9)
        lines.append(f"{dose:.3f},{age:.3f},{weight:.3f},{outcome(dose, age, rng):.4f}")
    return "\n".join(lines).encode()


def noise(dose, age, rng):
    return rng.gauss(20, 3)


def signal(dose, age, rng):
    return 20 - 3 * ((dose - 60) / 10) ** 2 + 1.2 * (age - 60) / 8 + rng.gauss(0, 0.5)


TOO_FEW = "12 rows are too few to carry an answer."
NOTHING = "These inputs do not explain the outcome: a search has nothing to go by, and finds no more than chance."
CASES = [
    (table(200, noise), "simple", NOTHING, "Nothing to gain: these inputs do not explain the outcome"),
    (
        table(12, signal),
        "expert",
        TOO_FEW,
        "What privacy costs cannot be told: 12 rows are too few to tell a search from chance",
    ),
]


def upload(page, app, content, view):
    page.goto(f"{app}/data?view={view}&bring=table")
    page.locator(ENDED).wait_for()
    bring(page.locator(TABLE).first, "mine.csv", content)
    page.get_by_role("button", name="Yes: look for the").click()


@pytest.mark.long
@pytest.mark.parametrize(("content", "view", "sentence", "title"), CASES)
def test_a_table_without_an_answer_is_said_to_be_one_before_any_curve(page, app, content, view, sentence, title):
    upload(page, app, content, view)
    page.locator("aside.pb-worth-not strong", has_text=sentence).wait_for()
    go_to(page, "Explore", "Outsourced")
    page.locator("aside.pb-worth-not strong", has_text=sentence).wait_for()
    page.get_by_text(title).first.wait_for()
    rest(page)
    assert_no_cost(page)
    go_to(page, "Explore", "Trade-off")
    page.locator("aside.pb-worth-not strong", has_text=sentence).wait_for()
    page.get_by_text(title).first.wait_for()
    assert_no_cost(page)


def assert_no_cost(page):
    content = page.locator("[data-testid=stMain]").inner_text()
    for words in ("no clear cost", " more tests", "no cost shows"):
        assert words not in content


@pytest.mark.long
def test_a_strong_signal_is_said_in_a_quiet_line_and_searched_as_always(page, app):
    upload(page, app, table(200, signal), "expert")
    page.get_by_text("Most tells dose, then age; nothing shows of weight.").wait_for()
    expect(page.locator("aside.pb-worth-not")).to_have_count(0)
    go_to(page, "Explore", "Outsourced")
    page.get_by_text("40 runs, bands ± 1 standard error").wait_for()
    expect(page.locator("aside.pb-worth-not")).to_have_count(0)
