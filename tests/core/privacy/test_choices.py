"""Choosing one of a list: exact probabilities, the ε that is claimed, and which of two ways loses less."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from privbo_core.privacy import Exponential, PermuteAndFlip, largest_expected_loss, release, simulate
from tests.helpers.amounts import few

WAYS = (Exponential, PermuteAndFlip)


def by_coins(logits):
    """Return permute-and-flip's probabilities as it is defined: every order of the candidates, in fractions."""
    heads = [Fraction(math.exp(x)) for x in logits]
    # Pr[i] = s_i Σ over the sets that come before i of their tails, |set|! (n−1−|set|)!/n!
    n, found = len(heads), []
    orders = [Fraction(math.factorial(k) * math.factorial(n - 1 - k), math.factorial(n)) for k in range(n)]
    for i in range(n):
        tails = [Fraction(1)]  # the elementary symmetric polynomials of the others' tails
        for other in heads[:i] + heads[i + 1 :]:
            pairs = zip([*tails, 0], [0, *tails], strict=True)
            tails = [here + before * (1 - other) for here, before in pairs]
        found.append(float(heads[i] * sum(a * b for a, b in zip(tails, orders, strict=True))))
    return np.array(found)


@pytest.mark.parametrize("n", [2, 7, 15])
@pytest.mark.parametrize("spread", [0.0, 0.1, 3.0, 1000.0])
def test_permute_and_flip_matches_its_definition(n, spread):
    scores = np.random.default_rng(n).uniform(0, 1, n) * spread
    mechanism = PermuteAndFlip(scores, 0.5, 1.0)
    assert mechanism.probabilities == pytest.approx(by_coins(mechanism.logits), abs=1e-13)
    assert np.exp(mechanism.log_probabilities).sum() == pytest.approx(1, abs=1e-13)


def test_a_long_list_s_probabilities_sum_to_one():
    mechanism = PermuteAndFlip(np.random.default_rng(0).uniform(0, 1, 100_000), 1 / 250, 1.0)
    assert np.exp(mechanism.log_probabilities).sum() == pytest.approx(1, abs=1e-11)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30), st.floats(1e-3, 1e3), st.floats(1e-3, 50))
def test_permute_and_flip_loses_no_more_than_exponential(scores, sensitivity, epsilon):
    flip, exponential = (kind(np.array(scores), sensitivity, epsilon) for kind in (PermuteAndFlip, Exponential))
    assert flip.expected_loss <= exponential.expected_loss * (1 + 1e-9) + 1e-9
    assert exponential.expected_loss <= largest_expected_loss(len(scores), exponential.scale) * (1 + 1e-9) + 1e-9


@pytest.mark.parametrize("n", [2, 3, 400, 100_000])
def test_the_largest_expected_loss_is_reached(n):
    at_most = largest_expected_loss(n, 0.25)
    worst = Exponential(-np.r_[0.0, np.full(n - 1, at_most + 0.25)], 1.0, 8.0)
    assert worst.expected_loss == pytest.approx(at_most, rel=1e-9)
    assert at_most < math.log(n) * 0.25
    assert largest_expected_loss(1, 0.25) == 0


@pytest.mark.parametrize("kind", WAYS)
@pytest.mark.parametrize("scores", [[0.0, 1e300], [0.0, -1e300, 3.0], [1.0] * 5, [0.0, 1e-300]])
@pytest.mark.parametrize("epsilon", [1e-6, 1.0, 1e6])
def test_extreme_scores_stay_finite(kind, scores, epsilon):
    mechanism = kind(np.array(scores), 1.0, epsilon)
    assert not np.isnan(mechanism.log_probabilities).any()
    assert mechanism.probabilities.sum() == pytest.approx(1)
    assert 0 <= mechanism.expected_loss < math.inf


@pytest.mark.parametrize("kind", WAYS)
def test_simulated_and_real_draws_follow_the_probabilities(kind):
    scores = np.array([0.3, -1.0, 0.0, 1.0, 2.5])
    mechanism, (other,) = kind(scores, 1.0, 2.0), [way for way in WAYS if way is not kind]
    simulated = simulate.select(mechanism, simulate.gumbel(200_000, 5, np.random.default_rng(0)))
    real = [release.select(mechanism) for _ in range(few(3000, 20_000))]
    for draws in (simulated, real):
        counts = np.bincount(draws, minlength=5)
        assert chisquare(counts, mechanism.probabilities * counts.sum()).pvalue > 1e-7
        for wrong in (other(scores, 1.0, 2.0), kind(scores, 1.0, 1.5)):
            assert chisquare(counts, wrong.probabilities * counts.sum()).pvalue < 1e-7
