"""DP-BO's published score under attack: where the noise is enough, and where it is not."""

import numpy as np
import pytest

import privbo_core as pb
from tests.helpers.refusing import refusals

A, R = pb.audit, pb.release
SVM = pb.data.tuning_task("svm")
EXACT = R.Tuning(k1=0.99, sigma=0.0, iterations=50, delta=1e-3, A=1.0, tau=0.1)


def strongest(changes):
    return max(changes, key=lambda change: change.epsilon)


def test_one_real_record_breaks_algorithm_2_fourfold():
    """The record is searched for, and what its removal shows is bounded from trials, 95 % sure at the last look."""
    worst = strongest(A.score_changes(SVM, EXACT, 1.0, records=range(SVM.records)))
    assert worst.by is None
    assert worst.epsilon == pytest.approx(4.17, abs=0.01)
    attack, sizes = A.published_score(worst.here, worst.there), tuple(A.portions(200_000, 2000))
    looks = A.Look.all(len(sizes))
    found = [
        A.judged(here, there, EXACT.delta, look)
        for look, (here, there) in zip(looks, A.in_portions(attack, (0, 1), sizes, 0), strict=True)
    ]
    assert 4.0 < found[-1].epsilon <= worst.epsilon
    assert all(each.epsilon <= worst.epsilon for each in found)
    assert found[0].verdict(1.0) == "refuted", "2000 trials are enough"


def test_a_replaced_record_matters_as_much_as_a_removed_one():
    changes = list(A.score_changes(SVM, EXACT, 1.0, records=[17, 56], replacements=[5, 17]))
    assert [(change.record, change.by) for change in changes] == [
        (17, None), (17, 5), (17, 17), (56, None), (56, 5), (56, 17),
    ]  # fmt: skip
    assert changes[1].epsilon == pytest.approx(4.176, abs=0.002)
    assert changes[5].epsilon == pytest.approx(4.179, abs=0.002)
    # A quarter of the claim is a quarter of the cost: the ratio stays.
    again = strongest(A.score_changes(SVM, EXACT, 0.25, records=[56], replacements=[17]))
    assert again.epsilon == pytest.approx(changes[5].epsilon / 4)


def test_algorithm_1_holds_on_a_real_neighbour():
    tuning = R.Tuning(k1=0.99, sigma=0.1, iterations=15, delta=1e-3)
    mechanism, sizes = A.tuned_score(SVM, pb.data.without(SVM, 136), tuning, 3.0), (100, 200, 300)
    for look, (here, there) in zip(A.Look.all(3), A.in_portions(mechanism, (0, 1), sizes, 0), strict=True):
        assert A.judged(here, there, tuning.delta, look).verdict(3.0) == "not refuted"
    # Its noise is what the plan says, around a search that differs from trial to trial.
    search = R.optimise(
        SVM.points, SVM.objective, kernel=SVM.kernel, sigma=0.1, iterations=15, delta=1e-3, rng=np.random.default_rng(1)
    )
    plan = R.noisy(search, epsilon=3.0, k1=0.99)
    assert np.abs(here - plan.best).mean() == pytest.approx(plan.value.scale, rel=0.2)
    assert len(np.unique(here)) == len(here)


def of_ramp(strength, epsilon):
    here, there = A.ramp_pair(strength, 40, epsilon)
    mechanism, rng = A.published_score(here, there), np.random.default_rng(0)
    return here, there, A.epsilon_lower_bound(mechanism, 0, 1, 0.0, 100_000, 0.95, rng)


@pytest.mark.parametrize("strength", [0.1, 0.5])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_algorithm_3_costs_all_of_epsilon_where_it_holds(strength, epsilon):
    here, there, found = of_ramp(strength, epsilon)
    assert here.sound
    assert here.guarantee().status == pb.privacy.Status.PROVED
    assert abs(here.best - there.best) == pytest.approx(here.value.sensitivity)
    assert 0.9 * epsilon < found.epsilon <= epsilon


@pytest.mark.parametrize("strength", [1.0, 3.0])
def test_algorithm_3_is_refuted_where_its_theorem_fails(strength):
    here, _, found = of_ramp(strength, 1.0)
    assert not here.sound
    assert here.guarantee().status == pb.privacy.Status.CLAIMED
    assert found.verdict(1.0) == "refuted"
    assert 1.9 < found.epsilon <= 2.0


def test_algorithm_3_has_far_too_much_noise_on_a_real_task():
    task = pb.data.tuning_task("logistic")
    tuning = R.Tuning(k1=0.99, sigma=0.0, iterations=20, delta=1e-3)
    changes = list(A.lipschitz_changes(task, tuning, 1.0, records=range(0, 250, 25)))
    assert [change.record for change in changes] == list(range(0, 250, 25))
    assert 0 < strongest(changes).epsilon < 1e-4


test_unusable_input_is_refused = refusals(
    (lambda: A.tuned_score(SVM, SVM.scores, EXACT, 1.0), r"sigma is 0\. .* see published_score"),
    (lambda: next(A.score_changes(SVM, R.Tuning(0.9, 0.0, 5, 0.1), 1.0, records=[0])), "A is None"),
    (lambda: next(A.score_changes(SVM, R.Tuning(0.9, 0.1, 5, 0.1), 1.0, records=[0])), "A is None"),
    (lambda: list(A.score_changes(SVM, EXACT, 1.0, records=[250])), "record contains 250"),
    (lambda: list(A.score_changes(SVM, EXACT, 1.0, records=[0], replacements=[40])), "replacements contains 40"),
    (lambda: next(A.lipschitz_changes(SVM, EXACT, 1.0, records=[0])), "what Algorithm 3 needs"),
    (lambda: A.ramp_pair(0.0, 5, 1.0), "strength .* is 0"),
)
