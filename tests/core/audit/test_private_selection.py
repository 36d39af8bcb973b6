"""Private selection under attack: exact for the setting, sampled for setting and score together."""

import math

import numpy as np
import pytest

import privbo_core as pb

A, R = pb.audit, pb.release
WAYS = pytest.mark.parametrize("way", ["exponential", "permute-and-flip"])


def pair(n, records, epsilon, claimed_records=None, way="exponential"):
    """The two adversarial plans; ``claimed_records`` other than ``records`` is a sensitivity that is wrong."""
    return [
        R.selection(scores, records=claimed_records or records, epsilon=epsilon, way=way)
        for scores in A.adversarial_scores(n, records)
    ]


@pytest.mark.parametrize("largest", [1.0, 3.0])
@pytest.mark.parametrize(("n", "records"), [(2, 1), (2, 50), (100, 50), (1000, 7)])
def test_the_adversarial_tables_are_means_of_m_losses_and_differ_in_one_record(n, records, largest):
    here, there = A.adversarial_scores(n, records, largest)
    assert min(here.min(), there.min()) >= -largest
    assert max(here.max(), there.max()) <= 0
    np.testing.assert_allclose(np.abs(there - here), largest / records)
    assert (there > here).sum() == 1


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0, 20.0])
def test_the_setting_costs_nearly_all_of_epsilon_and_never_more(epsilon):
    few, many = (A.selection_loss(*pair(n, 50, epsilon)) for n in (2, 10_000))
    assert few.epsilon == pytest.approx(epsilon / 2)
    # Candidate 0 against so many others: log(p′/p) = ε − log of how far p′ is from being small.
    p = 1 / (1 + 9999 * math.exp(-epsilon / 2))
    assert epsilon - math.log(1 / (1 - p)) - 1e-2 < many.epsilon <= epsilon
    assert not many.refutes(epsilon, 0.0)
    assert many.delta == pytest.approx(0, abs=1e-12)


@WAYS
def test_no_two_sets_of_records_that_differ_in_one_show_more_than_epsilon(way):
    rng = np.random.default_rng(0)
    worst = 0.0
    for _ in range(2000):
        n, records, epsilon, largest = (
            rng.integers(2, 40),
            rng.integers(1, 30),
            rng.uniform(0.05, 10),
            rng.uniform(0, 9),
        )
        # What each record says of each candidate, mostly all or nothing; the last record is another one in V′.
        losses = largest * rng.uniform(0, 1, (records + 1, n)) ** rng.choice([0.01, 1.0, 9.0])
        losses[-2:] = largest * (rng.random((2, n)) < rng.choice([0.05, 0.5, 0.95], (2, 1)))
        here, there = (
            R.selection(-used.mean(axis=0), records=records, epsilon=epsilon, largest_loss=largest, way=way)
            for used in (losses[:-1], losses[[*range(records - 1), records]])
        )
        found = A.selection_loss(here, there)
        assert found.epsilon <= epsilon + 1e-9
        assert found.delta <= 1e-12
        worst = max(worst, found.epsilon / epsilon)
    assert worst > 0.9


@WAYS
def test_too_small_a_sensitivity_is_refuted_exactly(way):
    wrong = A.selection_loss(*pair(1000, 50, 1.0, claimed_records=100, way=way))
    assert wrong.epsilon > 1.9
    assert wrong.refutes(1.0, 0.0)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("n", [1000, 2000])
def test_a_pair_that_uses_all_of_epsilon_does_not_break_it_and_a_little_less_noise_does(n, epsilon):
    kept = A.selection_loss(*pair(n, 50, epsilon, way="permute-and-flip"))
    assert kept.epsilon == pytest.approx(epsilon, rel=1e-9)
    assert not kept.refutes(epsilon, 0.0)
    assert A.selection_loss(*pair(n, 1000, epsilon, claimed_records=1001, way="permute-and-flip")).refutes(epsilon, 0.0)


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("way", "epsilon"), [*(("exponential", e) for e in (0.5, 1.0, 3.0)), ("permute-and-flip", 1.0)]
)
def test_setting_and_score_together_cost_nearly_twice_epsilon_and_never_more(way, epsilon):
    here, there = pair(10, 50, epsilon, way=way)
    found = A.epsilon_lower_bound(A.selected(here, there), 0, 1, 0.0, 100_000, 0.999, np.random.default_rng(0))
    assert found.verdict(here.guarantee(2).epsilon) == "not refuted"
    assert found.epsilon > 1.6 * epsilon
    assert found.verdict(here.guarantee(1).epsilon) == "refuted", "the score costs ε of its own"


def test_the_output_is_the_log_likelihood_ratio():
    """Under V the mean of the likelihood ratio is 1, under V′ that of its inverse."""
    attack = A.selected(*pair(5, 10, 0.5))
    for which, sign in ((0, 1), (1, -1)):
        ratio = np.exp(sign * attack(which, 100_000, np.random.default_rng(which)))
        assert abs(ratio.mean() - 1) < 4 * ratio.std() / math.sqrt(len(ratio))


def test_plans_that_cannot_be_compared_are_refused():
    here, there = pair(5, 10, 1.0)
    scores = np.linspace(-1, 0, 9)
    other = R.selection(scores, records=10, epsilon=1.0, rows=[0, 1, 2, 3, 5])
    flipped = pair(5, 10, 1.0, way="permute-and-flip")[1]
    for wrong in (there.at(2.0), other, R.selection(scores, records=10, epsilon=1.0), flipped):
        for attack in (A.selection_loss, A.selected):
            with pytest.raises(ValueError, match="same candidates, with the same m"):
                attack(here, wrong)
