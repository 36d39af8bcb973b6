"""Zones of strength over ε, and the ε that keeps a limit of cost."""

import itertools
import math

import numpy as np
import pytest

from privbo_core.bo import ExtraSteps
from privbo_core.privacy import Guarantee, Status, strength, strength_at
from privbo_core.tradeoff import curve_of_losses, curve_of_steps, strength_zones


def pure(epsilon):
    return strength(Guarantee("", "", "", epsilon, 0.0, (), Status.PROVED, ""))


def test_zones_meet_where_the_word_changes():
    zones = strength_zones(pure, 0.01, 10.0)
    assert [zone.level for zone in zones] == [5, 4, 3, 2, 1, 0]
    assert zones[0].low == 0.01
    assert zones[-1].high == 10.0
    for one, other in itertools.pairwise(zones):
        assert one.high == other.low
        assert pure(one.high / 1.001).word == one.word
        assert pure(one.high * 1.001).word == other.word
    # At δ = 0 the best attacker is right e^ε/(1 + e^ε) of the time, and the words follow from whole per cent.
    for zone, most in zip(zones, (0.525, 0.605, 0.755, 0.905, 0.995), strict=False):
        assert zone.high == pytest.approx(math.log(most / (1 - most)), rel=2e-3)


def test_one_zone_fills_a_range_with_one_word():
    (zone,) = strength_zones(lambda epsilon: strength_at(0.7), 0.1, 100.0)
    assert (zone.low, zone.high, zone.word) == (0.1, 100.0, "moderate")
    for low, high in ((1.0, 1.0), (2.0, 1.0), (0.0, 1.0), (1.0, math.inf)):
        with pytest.raises(ValueError, match=r"low|high"):
            strength_zones(pure, low, high)


def steps(private, plain=8, limit=30):
    differences = np.full(401, float(private - plain))
    return ExtraSteps(private, plain, limit, private - plain, private - plain, 40, differences=differences)


def test_an_offer_holds_from_its_epsilon_on():
    """A single ε that was lucky doesn't count while a larger one costs more."""
    epsilons = (0.5, 1.0, 1.5, 2.0, 3.0, 5.0)
    curve = curve_of_steps(epsilons, [steps(each) for each in (31, 16, 13, 14, 12, 9)])
    assert curve.measured.tolist() == [23, 8, 5, 6, 4, 1]
    assert curve.offers == ((1.0, 8.0), (1.5, 6.0), (3.0, 4.0), (5.0, 1.0))
    assert [curve.offer(limit) for limit in (25, 8, 7, 6, 5, 1, 0.5, math.nan)] == [
        1.0,
        1.0,
        1.5,
        1.5,
        3.0,
        5.0,
        None,
        None,
    ]
    for epsilon, cost in curve.offers:
        assert max(curve.measured[np.array(epsilons) >= epsilon]) == cost


def test_an_epsilon_that_is_not_reached_offers_nothing():
    curve = curve_of_steps((1.0, 2.0), [steps(31), steps(31)])
    assert curve.offers == ()
    assert curve.offer(1e9) is None


def test_losses_keep_their_own_values_beside_the_fit():
    curve = curve_of_losses((1.0, 2.0, 4.0), [np.array([each]) for each in (3.0, 1.0, 2.0)])
    assert curve.measured.tolist() == [3.0, 1.0, 2.0]
    assert curve.costs.tolist() == [3.0, 1.5, 1.5]
    assert curve.offers == ((1.0, 3.0), (2.0, 2.0))
