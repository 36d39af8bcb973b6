"""Guarantees as values: composition, beliefs of an attacker, conditions, and what a large δ allows."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privbo_core.privacy import Condition, Guarantee, Status, compose, least_error, one_in, worst_case_belief
from tests.helpers.numbers import numbers
from tests.helpers.refusing import refusals


def promise(epsilon=1.0, delta=1e-5, status=Status.PROVED, conditions=()):
    return Guarantee("rows", "everybody", "one row", epsilon, delta, (), status, "a test", conditions)


def test_releases_about_the_same_people_add_up():
    one, other = promise(0.5), promise(2.0, 0.0, Status.CLAIMED)
    assert compose([one, one, other]) == (3.0, 2e-5)
    assert compose([]) == (0, 0)
    assert compose([promise(1.0, 0.7)] * 2) == (2.0, 1.0)


@given(st.floats(1e-6, 1 - 1e-6), st.floats(0, 30))
def test_the_worst_belief_is_bayes_rule_at_the_largest_ratio(prior, epsilon):
    odds = prior / (1 - prior) * math.exp(epsilon)
    assert worst_case_belief(prior, epsilon) == pytest.approx(odds / (1 + odds), rel=1e-9)


def test_the_worst_belief_has_its_ends():
    assert worst_case_belief(0.3, 0.0) == pytest.approx(0.3)
    assert worst_case_belief(0.3, 1e4) == 1.0


@given(st.floats(0.01, 0.99), st.floats(0, 20), st.floats(0, 1))
def test_the_least_error_is_the_solution_of_its_linear_program(prior, epsilon, delta):
    """The best error rates (α, β) of a test that (ε, δ) allows: α + e^ε β and β + e^ε α are at least 1 − δ.

    The solution is at a corner of what is allowed: on an axis, or where both hold with equality.
    """
    equal = (1 - delta) / (1 + math.exp(epsilon))
    corners = [(1 - delta, 0.0), (0.0, 1 - delta), (equal, equal)]
    least = min((1 - prior) * alpha + prior * beta for alpha, beta in corners)
    assert least_error(prior, epsilon, delta) == pytest.approx(least, abs=1e-12)


@pytest.mark.parametrize(("delta", "people"), [(30**-1.1, 42), (200**-1.1, 339), (1e-5, 100_000), (0.5, 2)])
def test_a_probability_is_one_in_so_many_people(delta, people):
    assert numbers(one_in(delta).replace("one in", "")) == [people]


def test_a_delta_above_a_thousandth_comes_with_a_warning():
    assert promise(delta=1e-3).exposes == ""
    assert one_in(0.024) in promise(delta=0.024).exposes
    assert promise(delta=0.6).exposes not in ("", promise(delta=0.5).exposes)


RAIN, SNOW = Condition("it rains", "It rains today."), Condition("it snows", "It snows today", unmet=True)


def test_the_standing_of_a_proof_names_every_condition():
    assert all(each.words in promise(conditions=(RAIN, SNOW)).standing() for each in (RAIN, SNOW))
    unmet = promise(status=Status.UNMET, conditions=(RAIN, SNOW)).standing()
    before, _, listed = unmet.partition("(")
    assert ("it snows" in before, "it rains" in before) == (True, False)
    assert all(each.words in listed for each in (RAIN, SNOW))
    for status in (Status.CLAIMED, Status.REFUTED):
        assert promise(status=status, conditions=(RAIN,)).standing() == status.value


def test_conditions_in_full_are_sentences_numbered_if_there_are_several():
    assert promise(conditions=(SNOW,)).in_full == ("It snows today.",)
    both = promise(conditions=(RAIN, SNOW))
    assert both.in_full == ("(1) It rains today.", "(2) It snows today.")
    assert both.unmet == both.in_full[1:]


test_unusable_input_is_refused = refusals(
    (lambda: worst_case_belief(1.0, 1.0), "prior is 1.0"),
    (lambda: worst_case_belief(0.5, -1.0), "epsilon is -1.0"),
    (lambda: least_error(0.5, math.inf, 0.0), "epsilon is inf"),
    (lambda: least_error(0.5, 1.0, 1.5), "delta is 1.5"),
)
