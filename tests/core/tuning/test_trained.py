"""Tuning where training is private too: the noise of each step, the count of all of it, and attacks that try it."""

import math

import numpy as np
import pytest
from scipy.special import expit

import privbo_core as pb
from privbo_core.audit import gaussian_lower_bound
from privbo_core.data import Frame, FrameColumn
from privbo_core.privacy import Status, gaussian_epsilon
from privbo_core.privacy.tries import PoissonTries, TruncatedNegativeBinomial, tries_epsilon
from privbo_core.tuning.trained import Descent, Labelled, TrainedTuning, accuracy, simulated_noise, train
from tests.helpers.refusing import refusals


def records(n, seed):
    rng = np.random.default_rng(seed)
    features = rng.uniform(-1, 1, (n, 2)) / math.sqrt(2)
    return Labelled(features, np.where(features[:, 0] + 0.2 * rng.normal(size=n) > 0, 1.0, -1.0))


def plan(epsilon=1.0, tries=None, n=400):
    settings = [Descent(steps, rate) for steps in (2, 5) for rate in (1.0, 5.0)]
    tries = tries or TruncatedNegativeBinomial.of_mean(1.0, 5.0)
    return TrainedTuning(records(n, 0), records(n, 1), settings, tries, epsilon, 1e-5)


def test_without_noise_it_descends_to_the_minimum():
    there = records(300, 0)
    w = train(there, Descent(5000, 5.0, 0.01), 0, simulated_noise(np.random.default_rng(0)))
    signed = there.features * there.labels[:, None]
    gradient = -signed.T @ expit(-(signed @ w)) / there.n + 0.01 * w
    assert np.linalg.norm(gradient) < 1e-9
    assert accuracy(there, w) > 0.85


def test_every_step_has_the_noise_that_the_multiplier_says():
    asked = []

    def noting(values, sensitivity, multiplier):
        asked.append((np.shape(values), sensitivity, multiplier))
        return values

    train(records(50, 0), Descent(9, 1.0), 3.0, noting)
    assert asked == [((2,), 2.0, 9.0)] * 9  # 3 · √9
    # Nine releases of multiplier 9 compose to one of 3.
    assert gaussian_epsilon(1e-5, 9.0, math.sqrt(9)) == pytest.approx(gaussian_epsilon(1e-5, 3.0, 1.0))


def test_what_is_promised_is_what_was_asked_for():
    setup = plan(epsilon=1.0)
    assert tries_epsilon(setup.tries, setup.multiplier, 1e-5) <= 1.0 + 1e-9
    promise = setup.guarantee
    assert (promise.epsilon, promise.delta, promise.status) == (1.0, 1e-5, Status.PROVED)
    assert "whether it trains or validates" in promise.protects


def test_an_attack_on_one_step_stays_within_epsilon_and_catches_less_than_half_the_noise():
    # One record points the other way; from 0 its gradient is ±½, so half of what was counted is there to be seen.
    delta, features = 1e-5, np.zeros((20, 2))
    features[0, 0] = 1.0
    pair = Labelled(features, np.ones(20)), Labelled(-features, np.ones(20))
    claim = gaussian_epsilon(delta, 1.0, 1.0)

    def least(multiplier):
        def publish(data, count, rng):
            noise = simulated_noise(rng)
            return np.array([train(data, Descent(1, 1.0), multiplier, noise)[0] for _ in range(count)])

        return gaussian_lower_bound(publish, *pair, delta, 40_000, 0.95, np.random.default_rng(5)).epsilon

    assert 0.4 * claim < least(1.0) <= claim
    assert least(0.45) > claim


def test_a_real_tuning_publishes_the_best_try_alone_and_never_the_same_twice():
    setup = plan(epsilon=20.0)
    found = [pb.tuning.publish_trained(setup) for _ in range(2)]
    assert all(each is not None and each.setting in setup.settings for each in found)
    assert not np.array_equal(found[0].weights, found[1].weights)
    assert set(vars(found[0])) == {"setting", "weights", "score", "guarantee"}
    assert found[0].guarantee.epsilon == 20.0
    assert any(pb.tuning.publish_trained(plan(20.0, PoissonTries(1.0), 50)) is None for _ in range(40))


def test_records_are_placed_by_a_public_range_and_no_longer_than_one():
    frame = Frame((FrameColumn("age", "", 50, 110, 4), FrameColumn("rate", "", 0, 1, 0.1)))
    placed = Labelled.placed(frame, np.array([[50, 0], [110, 1], [400, -7.0]]), np.array([1.0, -1, 1]))
    assert placed.features * math.sqrt(3) == pytest.approx(np.array([[-1, -1, 1], [1, 1, 1], [1, -1, 1]]))


test_what_cannot_be_is_named = refusals(
    (lambda: Labelled(np.array([[2.0]]), np.array([1.0])), "norm 2"),
    (lambda: Labelled(np.array([[0.5]]), np.array([0.0])), "something else than −1 and 1"),
    (lambda: Descent(0, 1.0), "steps is 0"),
    (lambda: Descent(1, 0.0), "rate is 0"),
    (lambda: Descent(1, 1.0, -1.0), "penalty is -1.0"),
    (lambda: TrainedTuning(records(5, 0), records(5, 1), [], PoissonTries(2.0), 1.0, 1e-5), "settings is empty"),
    error=(ValueError, pb.DataError),
)
