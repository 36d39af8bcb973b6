"""Strength in words: where the levels begin, what counts for a condition, and that it never rises with ε."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privbo_core.privacy import Guarantee, Status, TradeOff, gaussian_sigma, strength

WORDS = ["none", "hardly any", "weak", "moderate", "strong", "very strong"]


def promise(epsilon, delta=1e-5, status=Status.PROVED):
    return Guarantee("rows", "everybody", "one row", epsilon, delta, (), status, "a test")


def gaussian(epsilon, delta=1e-5):
    return TradeOff.gaussian(1.0 / gaussian_sigma(epsilon, delta, 1.0))


@pytest.mark.parametrize(
    ("epsilon", "word"),
    [(0.1, "very strong"), (0.5, "very strong"), (1.0, "strong"), (2.0, "moderate"), (3.0, "weak"),
     (5.0, "hardly any"), (9.9, "hardly any"), (100.0, "hardly any")],
)  # fmt: skip
def test_words_of_a_gaussian_release(epsilon, word):
    found = strength(promise(epsilon), gaussian(epsilon))
    assert found.word == word
    assert WORDS[found.level] == word
    assert found.least_error == pytest.approx(gaussian(epsilon).least_error(0.5))
    assert found.belief == pytest.approx(1.0 / (1.0 + math.exp(-epsilon)))


@pytest.mark.parametrize(
    ("epsilon", "delta", "line", "word", "by_belief"),
    [
        (1.0, 1e-5, gaussian(1.0), "strong", False),
        # At ε = 1 the belief says strong (0.731), and all that (ε, δ) says of the error is 0.269.
        (1.0, 1e-5, None, "moderate", False),
        # A promise with a large δ fails by its error alone.
        (0.1, 0.9, None, "hardly any", False),
        # At ε = 3 the Gaussian's least error says moderate (below); the belief of 0.953 says weak.
        (3.0, 1e-5, gaussian(3.0), "weak", True),
    ],
)
def test_it_is_the_worse_of_the_two_scales_and_says_which(epsilon, delta, line, word, by_belief):
    found = strength(promise(epsilon, delta), line)
    assert (found.word, found.by_belief) == (word, by_belief)
    assert 0.25 <= gaussian(3.0).least_error(0.5) < 0.40


@pytest.mark.parametrize(("delta", "word", "by_delta"), [(1e-3, "very strong", False), (1.1e-3, "moderate", True)])
def test_where_one_in_some_hundreds_may_be_told_of_protection_is_moderate_at_most(delta, word, by_delta):
    for line in (None, gaussian(0.2)):
        found = strength(promise(0.1, delta), line)
        assert (found.word, found.by_delta, found.by_belief) == (word, by_delta, False)
    weak = strength(promise(3.0, delta), gaussian(3.0))
    assert (weak.word, weak.by_delta, weak.by_belief) == ("weak", False, True)


def test_nothing_is_left_of_what_is_refuted_or_infinite():
    for gone in (promise(0.1, status=Status.REFUTED), promise(math.inf), promise(0.1, 1.0)):
        found = strength(gone, TradeOff.gaussian(0.1))
        assert (found.level, found.word, found.least_error, found.belief) == (0, "none", 0.0, 1.0)


def test_a_condition_counts_with_what_it_can_become():
    held, line = promise(1.0, status=Status.UNMET), gaussian(1.0)
    assert strength(held, line).word == "strong"
    worse = strength(held, line, becomes=9.0)
    assert worse == strength(promise(9.0))
    assert strength(held, gaussian(3.0), becomes=3.0) == strength(promise(3.0), gaussian(3.0))
    assert strength(held, line, becomes=math.inf).word == "none"
    # What was proved has no condition to fail, and a smaller ε does not make up for anything.
    assert strength(promise(1.0), line, becomes=9.0) == strength(promise(1.0), line)
    assert strength(held, line, becomes=0.1) == strength(held, line)


@given(st.floats(0, 30), st.floats(0, 30), st.sampled_from([0.0, 1e-9, 1e-5, 1e-2, 0.3]))
def test_it_never_rises_with_epsilon(one, other, delta):
    low, high = sorted((one, other))
    assert strength(promise(low, delta)).level >= strength(promise(high, delta)).level
    if delta and low > 0.01:
        weaker = strength(promise(high, delta), gaussian(high, delta)).level
        assert strength(promise(low, delta), gaussian(low, delta)).level >= weaker
