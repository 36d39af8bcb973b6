"""Can this table carry an answer? Three tables of one's own, and the same warning on each page, in a real browser."""

import random
import re

import pytest
from playwright.sync_api import expect

from tests.helpers.hands import bring, turn_to, within
from tests.helpers.waiting import ENDED, rest, until

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
TABLE = "input[type=file][accept*=csv]"


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


CASES = [(table(200, noise), "simple", set()), (table(12, signal), "expert", {"12"})]
"""Tables, the depth, and which numbers a page may have in its answer: at most how many rows there are."""


def upload(page, app, content, view):
    page.goto(f"{app}/data?view={view}&bring=table")
    page.locator(ENDED).wait_for()
    bring(page.locator(TABLE).first, "mine.csv", content)
    within(page, "outcome-meant").click()


@pytest.mark.long
@pytest.mark.parametrize(("content", "view", "rows"), CASES)
def test_a_table_without_an_answer_is_said_to_be_one_before_any_curve(page, app, content, view, rows):
    """The same warning stands on each page, and no page says what privacy costs with such a table."""
    upload(page, app, content, view)
    warning = page.locator("aside.pb-worth-not strong")
    warning.wait_for()
    said = warning.inner_text()
    assert {*NUMBER.findall(said)} == rows
    turn_to(page, "tradeoff")
    expect(warning).to_have_text(said)
    rest(page)
    titles = page.locator(".pb-answer" if view == "simple" else ".st-key-title-tradeoff h3").filter(visible=True)
    expect(titles.first).not_to_be_empty()
    # While the first searches are under way the title says how many tests there will be.
    until(page, lambda: {*NUMBER.findall(" ".join(titles.all_inner_texts()))} <= rows)


@pytest.mark.long
def test_a_strong_signal_is_said_in_a_quiet_line_and_searched_as_always(page, app):
    upload(page, app, table(200, signal), "expert")
    page.locator("details.pb-worth", has_text=re.compile("dose.*age")).wait_for()  # what tells most, first
    expect(page.locator("aside.pb-worth-not")).to_have_count(0)
    turn_to(page, "outsourced")
    page.wait_for_selector(".st-key-chart-regret .plot[data-drawn]")
    rest(page)
    expect(page.locator("aside.pb-worth-not")).to_have_count(0)
