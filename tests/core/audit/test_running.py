"""Trials that come in portions: every look may be believed, and a run that was stopped goes on as if it ran through."""

import numpy as np
import pytest
from scipy.stats import beta

import privbo_core as pb
from privbo_core.release import Share
from tests.helpers.amounts import few

A = pb.audit


def noise(share=1.0):
    return A.attack_known_noise("laplace", 1.0, 0.0, share)


def same(one, other):
    numbers = [(each.here.tolist(), each.there.tolist(), each.last, each.most, each.bounds) for each in (one, other)]
    return numbers[0] == numbers[1]


@pytest.mark.parametrize("stop", [1, 3, 6])
def test_a_stopped_run_goes_on_with_the_same_numbers(stop):
    whole = list(A.run(noise(), 20_000, seed=3))
    rest = list(A.run(noise(), 20_000, seed=3, known=whole[stop - 1]))
    assert len(whole) > 6
    assert len(rest) == len(whole) - stop
    assert all(same(*pair) for pair in zip(whole[stop:], rest, strict=True))
    assert not list(A.run(noise(), 20_000, seed=3, known=whole[-1]))
    assert (whole[-1].complete, whole[-2].complete, whole[-1].trials) == (True, False, 20_000)


def test_another_seed_and_another_portion_have_other_trials():
    one, other = (next(A.run(noise(), 5000, seed=seed)) for seed in (0, 1))
    assert not np.isclose(one.here, other.here).any()
    *_, last = A.run(noise(), 5000)
    assert len(np.unique(last.here)) == 5000
    assert not np.isin(last.here, last.there - 1).any(), "the two datasets share no random numbers"


def test_what_one_look_refuted_stays_refuted():
    seen = list(A.run(noise(0.6), 20_000))
    states = [each.refutes(1.0) for each in seen]
    assert states == sorted(states)
    assert states[-1]
    assert [each.epsilon for each in seen] == [bound for _, bound in seen[-1].bounds]
    assert sorted(bound for _, bound in seen[-1].bounds) == [bound for _, bound in seen[-1].bounds]
    assert [trials for trials, _ in seen[-1].bounds] == [each.trials for each in seen]


def test_a_last_look_that_shows_less_takes_nothing_back():
    """Outputs that can be told apart at first, and not at all later on."""
    made = []

    def mechanism(which, trials, rng):
        made.append(trials)
        return rng.normal(size=trials) + (9.0 * which if len(made) <= 2 else 0.0)

    *_, last = A.run(A.Attack(mechanism, (0, 1), 0.0, first=200, factor=4.0), 20_000)
    assert last.refutes(0.5)
    assert last.last.epsilon < 0.5 < last.epsilon


def test_a_true_claim_is_rarely_refuted():
    wrong, runs = 0, few(100, 200)
    for seed in range(runs):
        seen = list(A.run(noise(), 2000, seed=seed, confidence=0.7))
        wrong += seen[-1].refutes(1.0)
    assert beta.ppf(0.95, wrong + 1, runs - wrong) < 0.3


def test_what_is_shown_cannot_be_changed():
    first = next(A.run(noise(), 5000))
    with pytest.raises(ValueError, match="read-only"):
        first.here[0] = 1.0


def test_a_run_goes_on_only_from_the_same_plan():
    known = next(A.run(noise(), 5000))
    with pytest.raises(ValueError, match="looks in all"):
        next(A.run(noise(), 50_000, known=known))


def test_few_trials_are_judged_once():
    (only,) = A.run(noise(), 800)
    assert (only.look.of, only.trials) == (1, 800)
    with pytest.raises(ValueError, match="trials"):
        next(A.run(noise(), 5))


def test_limits_are_clopper_and_pearson_s():
    *_, found = A.run(noise(), 3000)
    for bound in (found.last, found.most):
        low_alarms, high_alarms, low_misses, high_misses = bound.limits
        for rate, low, high in (
            (bound.observed_alarms, low_alarms, high_alarms),
            (bound.observed_misses, low_misses, high_misses),
        ):
            share = Share(round(rate * bound.tested), bound.tested, 1.0, bound.confidence)
            assert (low, high) == pytest.approx((share.low, share.high), abs=1e-9)
    exact = A.Attack(lambda which, trials, rng: np.full(trials, float(which)), (0, 1), 0.0)
    *_, flawless = A.run(exact, 1000)
    assert flawless.flawless
    assert flawless.last.limits[0] == flawless.last.limits[2] == 0
