"""Private selection under attack: exact for the setting, sampled for setting and score together."""

import math

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.privacy.tries import PoissonTries, TruncatedNegativeBinomial
from tests.helpers.amounts import few

A, R = pb.audit, pb.release


def pair(n, records, epsilon, claimed_records=None, way="exponential"):
    """The two adversarial plans; ``claimed_records`` other than ``records`` is a sensitivity that is wrong."""
    return [
        R.selection(scores, records=claimed_records or records, epsilon=epsilon, way=way)
        for scores in A.adversarial_scores(n, records)
    ]


@pytest.mark.parametrize("largest", [1.0, 3.0])
@pytest.mark.parametrize(("n", "records"), [(2, 1), (2, 50), (100, 50), (1000, 7)])
def test_the_adversarial_tables_differ_in_one_record(n, records, largest):
    here, there = A.adversarial_scores(n, records, largest)
    assert min(here.min(), there.min()) >= -largest
    assert max(here.max(), there.max()) <= 0
    np.testing.assert_allclose(np.abs(there - here), largest / records)
    assert (there > here).sum() == 1


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0, 20.0])
def test_the_setting_costs_nearly_all_of_epsilon(epsilon):
    few, many = (A.selection_loss(*pair(n, 50, epsilon)) for n in (2, 10_000))
    assert few.epsilon == pytest.approx(epsilon / 2)
    # Candidate 0 against so many others: log(p′/p) = ε − log of how far p′ is from being small.
    p = 1 / (1 + 9999 * math.exp(-epsilon / 2))
    assert epsilon - math.log(1 / (1 - p)) - 1e-2 < many.epsilon <= epsilon
    assert not many.refutes(epsilon, 0.0)
    assert many.delta == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("n", [1000, 2000])
def test_a_pair_uses_all_of_epsilon_and_less_noise_breaks_it(n, epsilon):
    kept = A.selection_loss(*pair(n, 50, epsilon, way="permute-and-flip"))
    assert kept.epsilon == pytest.approx(epsilon, rel=1e-9)
    assert not kept.refutes(epsilon, 0.0)
    assert A.selection_loss(*pair(n, 1000, epsilon, claimed_records=1001, way="permute-and-flip")).refutes(epsilon, 0.0)


@pytest.mark.parametrize(("way", "epsilon"), [("exponential", 0.5), ("exponential", 3.0), ("permute-and-flip", 1.0)])
def test_setting_and_score_cost_nearly_twice_epsilon(way, epsilon):
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
    other, whole = (R.selection(scores, records=10, epsilon=1.0, rows=rows) for rows in ([0, 1, 2, 3, 5], None))
    flipped = pair(5, 10, 1.0, way="permute-and-flip")[1]
    for wrong in (there.at(2.0), other, whole, flipped):
        for attack in (A.selection_loss, A.selected):
            with pytest.raises(ValueError, match="same candidates, with the same m"):
                attack(here, wrong)


GEOMETRIC = TruncatedNegativeBinomial.of_mean(1.0, 50.0)
TRIES = [GEOMETRIC, *(TruncatedNegativeBinomial.of_mean(eta, mean) for eta, mean in ((0.0, 10.0), (-0.5, 5.0)))]
TRIES += [PoissonTries(1.0), PoissonTries(50.0)]


def tried(tables, epsilon, tries, *, records=50, claimed=None):
    """The two plans of a pair of tables; ``claimed`` records other than ``records`` is noise that is wrong."""
    assert np.abs(np.subtract(*tables)).max() <= (1 + 1e-9) / records
    return [R.best_of_tries(scores, records=claimed or records, epsilon=epsilon, tries=tries) for scores in tables]


def alike(n, records=50):
    """All candidates are as good, and a record moves all of them."""
    return np.zeros(n), np.full(n, 1 / records)


@pytest.mark.parametrize("epsilon", few([0.3, 10.0], [0.3, 1.0, 3.0, 10.0]))
@pytest.mark.parametrize("tries", TRIES)
def test_the_best_of_tries_keeps_epsilon_on_adversarial_tables(tries, epsilon):
    rng = np.random.default_rng(0)
    base = rng.uniform(-0.1, 0.1, 8)
    tables = [alike(2), *(A.adversarial_scores(n, 50) for n in few((2, 10), (2, 10, 100)))]
    tables += [(base, base + rng.choice([-1, 1], 8) / 50) for _ in range(5)]
    shown = [A.tries_loss(*tried(pair, epsilon, tries)).epsilon(1e-5) for pair in tables]
    assert max(shown) <= epsilon
    assert max(shown) > 0.4 * epsilon


@pytest.mark.parametrize("epsilon", [1.0, 3.0, 10.0])
def test_noise_a_fifth_too_small_is_refuted(epsilon):
    """Where the proof leaves least room: a Poisson number of mean 1."""
    plans = tried(alike(2, 80), epsilon, PoissonTries(1.0), records=80, claimed=100)
    assert A.tries_loss(*plans).epsilon(1e-5) > epsilon
    assert A.tries_loss(*tried(alike(2, 100), epsilon, PoissonTries(1.0), records=100)).epsilon(1e-5) < epsilon


@pytest.mark.parametrize("epsilon", [1.0, 3.0])
@pytest.mark.parametrize("tries", [GEOMETRIC, TruncatedNegativeBinomial.of_mean(0.0, 10.0)])
def test_a_number_of_tries_that_is_told_or_chosen_is_refuted(tries, epsilon):
    plans = tried(alike(2), epsilon, tries)
    assert A.tries_loss(*plans).epsilon(1e-5) < epsilon
    assert A.tries_loss(*plans, told=tries.probabilities).epsilon(1e-5) > epsilon
    chosen = np.arange(1, round(tries.mean) + 1) == round(tries.mean)
    assert A.tries_loss(*plans, told=chosen).epsilon(1e-5) > epsilon


def test_the_loss_of_one_try_is_that_of_its_gaussian():
    plans = tried(alike(2), 1.0, GEOMETRIC)
    exact = pb.privacy.gaussian_epsilon(1e-5, plans[0].multiplier, 1.0)
    found = A.tries_loss(*plans, told=[1.0]).epsilon(1e-5)
    assert 0.98 * exact < found <= exact * (1 + 1e-6)


@pytest.mark.parametrize("tries", TRIES)
def test_the_outcomes_are_all_there_is(tries):
    plans = tried(A.adversarial_scores(10, 50), 2.0, tries)
    found = A.tries_loss(*plans)
    something = 1 - math.exp(-tries.mean) if isinstance(tries, PoissonTries) else 1.0
    for outcomes, plan in zip((found.here, found.there), plans, strict=True):
        assert outcomes.sum() == pytest.approx(something, abs=1e-7)
        assert outcomes.reshape(-1, 10).sum(axis=0) == pytest.approx(plan.probabilities, abs=1e-7)
    assert found.delta(found.epsilon(1e-3)) == pytest.approx(1e-3, rel=1e-5)
    told = A.tries_loss(*plans, told=[0.2, 0.3, 0.5])
    assert (told.here.sum(), told.there.sum()) == (pytest.approx(1, abs=1e-7), pytest.approx(1, abs=1e-7))


def test_different_plans_of_tries_are_refused():
    here, there = tried(alike(2), 1.0, GEOMETRIC)
    wrong = R.best_of_tries(np.zeros(4), records=50, epsilon=1.0, tries=GEOMETRIC)
    for other in (there.at(2.0), wrong):
        with pytest.raises(pb.DataError, match="same candidates as often"):
            A.tries_loss(here, other)
