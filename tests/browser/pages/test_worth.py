"""Can this table carry an answer? Three tables of one's own, in a real browser."""

import random
import re

import pytest

from tests.helpers.hands import bring, within
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


CASES = [(table(200, noise), set()), (table(12, signal), {"12"})]
"""Tables, and which numbers the headline may have: at most how many rows there are."""


def upload(page, app, content):
    page.goto(f"{app}/data?bring=table")
    page.locator(ENDED).wait_for()
    bring(page.locator(TABLE).first, "mine.csv", content)
    within(page, "clear").wait_for()
    rest(page)


@pytest.mark.long
@pytest.mark.parametrize(("content", "rows"), CASES)
def test_a_table_without_an_answer_is_named_before_any_curve(page, app, content, rows):
    upload(page, app, content)
    title = page.locator(".pb-headline")
    until(page, lambda: {*NUMBER.findall(title.inner_text())} == rows)
    assert "can carry" not in title.inner_text()


@pytest.mark.long
def test_a_strong_signal_is_named_and_searched(page, app):
    upload(page, app, table(200, signal))
    shares = page.locator(".st-key-card-added .pb-table")
    shares.filter(has_text=re.compile("dose.*age", re.DOTALL)).wait_for()  # what explains most, first
    page.get_by_role("link", name="On Outsourced").click()
    page.wait_for_selector(".st-key-chart-regret .plot[data-drawn]")
