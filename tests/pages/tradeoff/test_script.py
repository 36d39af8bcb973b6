"""The script that Export gives computes the numbers of Trade-off again."""

import ast

import pytest

from tests.helpers.numbers import numbers, tells
from tests.helpers.opening import open_page
from tests.helpers.own_tables import FRAME, made, open_own, small
from tests.helpers.scripts import printed, run, with_real_call
from tests.helpers.shown import facts, headline

TEAM = {"story": "team", "epsilon": "0.3"}
SEARCHES = [
    {"story": "hospital", "epsilon": "1"},
    {"story": "hospital", "epsilon": "0.4"},
    {"story": "table", "data": "loans", "epsilon": "20"},
]


def shown(app):
    """Return the sentences below the headline, and the cards by their names."""
    return headline(app)[1], {name: (value, text) for name, value, text in facts(app)}


def guessed(found):
    """Return in how many of 100 cases the attacker of a script is right."""
    return round(100 * numbers(found["attack accuracy"])[0])


@pytest.mark.parametrize("link", SEARCHES)
def test_the_script_prints_the_numbers_of_the_page(link, scripts, tmp_path):
    lead, cards = shown(open_page("tradeoff", **link))
    (script,) = scripts
    found = printed(script, tmp_path)
    private, plain = numbers(found["evaluations with privacy and without"])
    low, high = numbers(found["95% interval of the difference"])
    assert tells(lead, plain, low, high)
    assert tells(lead, private) or "more than" in lead
    assert tells(cards["What it costs"][1], low, high)
    if low > 0:
        assert tells(cards["What it costs"][0], private - plain) or "ore than" in cards["What it costs"][0]
    assert tells(cards["Protection"][1], guessed(found))


def test_the_script_of_the_team_prints_the_points_that_are_lost(scripts, tmp_path):
    lead, cards = shown(open_page("tradeoff", **TEAM))
    (script,) = scripts
    found = printed(script, tmp_path)
    (lost,) = numbers(found["points of confidence lost"])
    assert tells(cards["What it costs"][0], round(lost, 2))
    mean, best = numbers(lead)
    assert best - mean == pytest.approx(lost, abs=0.011)
    assert tells(cards["Protection"][1], guessed(found))


def test_the_script_of_an_own_table_names_no_data_and_says_what_to_do(scripts):
    open_own(made(small(), "response", frame=FRAME), "tradeoff", epsilon="2")
    (script,) = scripts
    ast.parse(script)
    assert "load_table" in script
    for private in ("dose", "response", "mine.csv"):
        assert private not in script


@pytest.mark.parametrize(
    ("link", "made", "expected"),
    [(SEARCHES[0], "release.Z.shape", "(6524, 2)"), (TEAM, "published.row is None, published.value", "False None")],
)
def test_the_call_for_the_real_thing_makes_it(link, made, expected, scripts, tmp_path):
    open_page("tradeoff", **link)
    (script,) = scripts
    said = run(with_real_call(script) + f"\nprint({made})", tmp_path)
    assert said.splitlines()[-1] == expected
