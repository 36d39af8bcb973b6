"""The protected differences of a problem in words: a category is one, and numbers are in the units of their columns."""

from dataclasses import replace

import numpy as np
import pytest

from pages.ui.differences import differences
from privbo_core.data import describe, finish, propose, propose_settings, rule_of_thumb, sample
from tests.helpers.numbers import numbers
from tests.helpers.own_tables import small


def problem(frame=True):
    table = small(60).assign(place=np.random.default_rng(0).choice(["north", "south", "west"], 60))
    settings = propose_settings(table, describe(table), propose(table, "response"))
    settings = settings.replaced("place", use="input").replaced("dose", low=0.0, high=90_000.0, hide=3090.0, unit="mg")
    cleaned = settings.clean(table)
    return finish(cleaned, rule_of_thumb(cleaned), frame=settings.frame(cleaned) if frame else None)


def test_a_category_is_one_difference_and_numbers_have_no_exponent():
    made = problem()
    assert made.d == 4
    found = {name: amount for amount, name in differences(made)}
    assert list(found) == ["dose", "age", "place"]
    assert found["dose"] == "3,090 mg"
    assert not numbers(found["place"]), "it is hidden as a whole"
    doubled = {name: amount for amount, name in differences(made, 2.0)}
    assert doubled["dose"] == "6,180 mg"
    assert numbers(doubled["place"]) == [2]


def test_a_category_that_is_not_hidden_as_a_whole_is_not_called_so():
    narrow = problem(frame=False)
    assert all(column.hide < 1 for column in narrow.frame.columns[2:])
    assert len(differences(narrow)) == narrow.d
    whole = problem()
    column = replace(whole.frame.columns[2], hide=1.0)
    columns = (*whole.frame.columns[:2], column, whole.frame.columns[3])
    assert len(differences(replace(whole, known_frame=replace(whole.frame, columns=columns)))) == whole.d


@pytest.mark.parametrize("name", ["hospital", "loans", "homes"])
def test_samples_have_an_amount_for_each_column(name):
    found = differences(sample(name))
    assert found
    assert all(numbers(amount) or "category" in amount for amount, _ in found)
