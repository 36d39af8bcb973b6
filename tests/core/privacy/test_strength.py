"""The scale of strength, the accuracy of the best attacker, and μ, which both follow from a guarantee."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from privbo_core.data import Frame, FrameColumn
from privbo_core.federated import Settings, guarantee, trade_off
from privbo_core.gp import SquaredExponential
from privbo_core.outsourced import noisy_guarantee
from privbo_core.privacy import Guarantee, Status, TradeOff, gaussian_delta, gaussian_sigma, strength, strength_at


def promise(epsilon, delta=1e-5, status=Status.PROVED, curve=None):
    return Guarantee("rows", "everybody", "one row", epsilon, delta, (), status, "a test", curve=curve)


def gaussian(epsilon, delta=1e-5, status=Status.PROVED):
    curve = TradeOff.gaussian(1.0 / gaussian_sigma(epsilon, delta, 1.0))
    return promise(epsilon, delta, status, curve)


@pytest.mark.parametrize(
    ("percent", "word"),
    [(50, "very strong"), (52, "very strong"), (53, "strong"), (60, "strong"), (61, "moderate"), (75, "moderate"),
     (76, "weak"), (90, "weak"), (91, "very weak"), (99, "very weak"), (100, "none")],
)  # fmt: skip
def test_words_follow_from_the_shown_accuracy(percent, word):
    for off in (-0.499, 0.0, 0.499):
        accuracy = min(max((percent + off) / 100, 0.5), 1.0)
        found = strength_at(accuracy)
        assert (found.word, found.percent, found.accuracy) == (word, percent, accuracy)


def test_accuracy_outside_its_range_is_refused():
    for wrong in (0.49, 1.01, math.nan):
        with pytest.raises(ValueError, match="accuracy"):
            strength_at(wrong)


@pytest.mark.parametrize(
    ("epsilon", "percent", "word"),
    [(0.1, 51, "very strong"), (1.0, 55, "strong"), (3.0, 64, "moderate"), (10.0, 84, "weak"), (30.0, 99, "very weak"),
     (100.0, 100, "none")],
)  # fmt: skip
def test_words_of_a_gaussian_release(epsilon, percent, word):
    found = strength(gaussian(epsilon))
    assert (found.percent, found.word) == (percent, word)
    assert found.accuracy == pytest.approx(ndtr(0.5 / gaussian_sigma(epsilon, 1e-5, 1.0)), rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 1.0, 5.0, 30.0])
def test_accuracy_and_mu_without_a_curve(epsilon):
    pure = promise(epsilon, 0.0)
    assert pure.attack_accuracy == pytest.approx(1 / (1 + math.exp(-epsilon)), rel=1e-12)
    # G_μ passes through the corner of the curve of (ε, 0), and lies nowhere above it.
    assert ndtr(pure.mu / 2) == pytest.approx(pure.attack_accuracy, rel=1e-12)
    alarms = np.linspace(0.0, 1.0, 101)
    assert (TradeOff.gaussian(pure.mu)(alarms) <= TradeOff.of(epsilon)(alarms) + 1e-9).all()
    assert promise(epsilon, 1e-5).mu is None


@pytest.mark.parametrize(("epsilon", "delta"), [(0.01, 1e-5), (1.0, 1e-5), (3.0, 1e-9), (50.0, 0.01)])
def test_mu_of_a_noisy_release_is_exact(epsilon, delta):
    frame = Frame((FrameColumn("age", "years", 0, 100, 5),))
    found = noisy_guarantee(epsilon, delta, "", frame)
    assert gaussian_delta(epsilon, 1.0, found.mu) == pytest.approx(delta, rel=1e-6)
    assert found.attack_accuracy == pytest.approx(ndtr(found.mu / 2), rel=1e-12)


def test_mu_of_federated_rounds_in_which_every_agent_takes_part():
    settings = Settings(SquaredExponential(0.2), 0.01, iterations=16, q=1.0, z=8.0, S=5.5, P=1)
    found = guarantee(settings, 200)
    assert found.mu == pytest.approx(math.sqrt(16) / 8)
    assert found.epsilon >= found.curve.epsilon(found.delta) * (1 - 1e-9)
    sampled = guarantee(Settings(SquaredExponential(0.2), 0.01, iterations=16, q=0.25, z=2.0, S=5.5, P=1), 200)
    assert sampled.mu is None
    assert trade_off(settings, 200).mu == found.mu


@pytest.mark.parametrize(("delta", "word", "limited"), [(1e-3, "very strong", False), (1.1e-3, "moderate", True)])
def test_a_large_delta_caps_the_strength_at_moderate(delta, word, limited):
    for each in (promise(0.05, delta), gaussian(0.05, delta)):
        found = strength(each)
        assert (found.word, found.limited_by_delta) == (word, limited)
    weak = strength(promise(1.5, delta))
    assert (weak.word, weak.limited_by_delta) == ("weak", False)


def test_refuted_and_infinite_guarantees_have_no_strength():
    curve = TradeOff.gaussian(0.1)
    for gone in (promise(0.1, status=Status.REFUTED, curve=curve), promise(math.inf), promise(0.1, 1.0)):
        found = strength(gone)
        assert (found.level, found.word, found.accuracy) == (0, "none", 1.0)


def test_an_unmet_condition_counts_with_its_true_epsilon():
    unmet = gaussian(1.0, status=Status.UNMET)
    assert strength(unmet).word == "strong"
    assert strength(unmet, becomes=9.0) == strength(promise(9.0))
    assert strength(unmet, becomes=math.inf).word == "none"
    # A proven guarantee has no such condition, and a smaller ε makes up for nothing.
    assert strength(gaussian(1.0), becomes=9.0) == strength(gaussian(1.0))
    assert strength(unmet, becomes=0.1) == strength(unmet)


@given(st.floats(0, 30), st.floats(0, 30), st.sampled_from([0.0, 1e-9, 1e-5, 1e-2, 0.3]))
def test_it_never_rises_with_epsilon(one, other, delta):
    low, high = sorted((one, other))
    assert strength(promise(low, delta)).level >= strength(promise(high, delta)).level
    if delta and low > 0.01:
        assert strength(gaussian(low, delta)).level >= strength(gaussian(high, delta)).level
