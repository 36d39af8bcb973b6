"""The best of a random number of tries on a list: the exact chances against draws, and against each other's sums."""

import math

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.privacy.tries import PoissonTries, TruncatedNegativeBinomial, noise_for_tries, tries_epsilon
from tests.helpers.amounts import few

TRIES = [
    *(TruncatedNegativeBinomial(eta, gamma) for eta, gamma in ((1.0, 0.1), (0.0, 0.05), (-0.5, 0.2))),
    PoissonTries(6.0),
]


@pytest.mark.parametrize("tries", TRIES)
def test_the_weight_of_a_try_is_a_sum_over_numbers_of_tries(tries):
    share = np.array([0.0, 0.3, 0.9, 1.0])
    k = np.arange(1, 3000)
    if isinstance(tries, PoissonTries):
        chances = np.exp(k * math.log(tries.mean) - tries.mean - np.cumsum(np.log(k)))
    else:
        chances = np.pad(tries.probabilities, (0, len(k)))[: len(k)]
    assert tries.wins(share) == pytest.approx([float(chances @ (k * x ** (k - 1.0))) for x in share], rel=1e-8)


@pytest.mark.parametrize("tries", TRIES)
def test_the_chances_are_those_of_drawing_tries_one_by_one(tries):
    scores = np.array([0.2, 0.5, 0.55, 0.9, 0.1])
    plan = pb.release.best_of_tries(scores, records=30, epsilon=2.0, tries=tries)
    rng, draws = np.random.default_rng(0), few(10_000, 40_000)
    counts = np.zeros(len(scores))
    for number in tries.draw(draws, rng):
        if number:
            rows = rng.integers(len(scores), size=number)
            counts[rows[np.argmax(scores[rows] + plan.sigma * rng.standard_normal(number))]] += 1
    error = np.sqrt(plan.probabilities * (1 - plan.probabilities) / draws)
    assert (np.abs(counts / draws - plan.probabilities) < 4.5 * error).all()


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 10.0])
@pytest.mark.parametrize("tries", TRIES)
def test_something_is_published_unless_there_was_no_try(tries, epsilon):
    task = pb.data.tuning_task("svm")
    plan = pb.release.best_of_tries(task.scores, records=250, epsilon=epsilon, tries=tries)
    nothing = math.exp(-6.0) if isinstance(tries, PoissonTries) else 0.0
    assert plan.probabilities.sum() == pytest.approx(1 - nothing, abs=1e-7)
    assert plan.multiplier == noise_for_tries(tries, epsilon, 1e-5)
    assert tries_epsilon(tries, plan.sigma * 250, 1e-5) <= epsilon * (1 + 1e-9)
    promised = plan.guarantee()
    assert (promised.epsilon, promised.delta, promised.status) == (epsilon, 1e-5, pb.privacy.Status.PROVED)
    assert plan.at(2 * epsilon).expected_loss < plan.expected_loss


def test_unusable_input_is_refused():
    for wrong in ({"records": 0}, {"epsilon": 0.0}, {"delta": 1.5}, {"largest_loss": -1.0}):
        with pytest.raises(ValueError, match="must"):
            pb.release.best_of_tries([0.1, 0.2], **{"records": 9, "epsilon": 1.0, "tries": TRIES[0], **wrong})
