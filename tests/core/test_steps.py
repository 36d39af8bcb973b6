"""Steps that a search needs for a result: counts, their interval, and the curve of extra steps over ε."""

import math

import numpy as np
import pytest

from privbo_core.bo import ExtraSteps
from privbo_core.bo.steps import enough_for_half, first_reached, resampled_runs
from privbo_core.tradeoff import curve_of_losses, curve_of_steps


def steps(private, plain, limit=30):
    """The extra steps of two lists of counts, run by run."""
    drawn = resampled_runs(len(private))
    counts = [enough_for_half(np.asarray(each)[drawn]) for each in (private, plain)]
    return ExtraSteps.resampled(*counts, limit, len(private))


def test_first_reached_counts_from_one_and_one_more_where_it_is_never():
    values = np.array([[5.0, 3.0, 2.0], [9.0, 9.0, 9.0], [1.0, 2.0, 3.0], [np.nan, np.nan, np.nan]])
    assert first_reached(values, 3.0).tolist() == [2, 4, 1, 4]
    assert first_reached(values, np.array([2.0, 9.0, 0.5, 1.0])).tolist() == [3, 1, 4, 4]


def test_enough_for_half_is_a_number_of_steps_that_occurs():
    assert enough_for_half(np.array([3])) == 3
    assert enough_for_half(np.array([9, 1, 5, 7])) == 5  # two of four are done after 5
    assert enough_for_half(np.array([[9, 1, 5], [2, 2, 31]])).tolist() == [5, 2]


def test_resampled_runs_begin_with_all_runs_and_are_the_same_each_time():
    drawn = resampled_runs(6)
    assert drawn[0].tolist() == list(range(6))
    assert (drawn == resampled_runs(6)).all()
    assert {0, 5} <= set(drawn[1:].ravel()) <= set(range(6))


def test_the_interval_of_extra_steps_holds_the_truth_as_often_as_stated():
    """Log-normal counts that a run's ease shifts on both sides: medians 10 and 6, at 20 runs and at 40."""
    rng = np.random.default_rng(0)
    for runs in (20, 40):
        missed = 0
        for _ in range(400):
            ease = rng.normal(size=runs)
            private = np.ceil(np.exp(np.log(9.5) + 0.8 * (0.5 * ease + 0.87 * rng.normal(size=runs))))
            plain = np.ceil(np.exp(np.log(5.5) + 0.6 * ease))
            found = steps(np.minimum(private, 31).astype(int), np.minimum(plain, 31).astype(int))
            missed += not found.low <= 4 <= found.high
        assert missed <= 400 * 0.05 + 3 * math.sqrt(400 * 0.05 * 0.95)


def test_privacy_that_helps_or_does_nothing_is_not_significant():
    rng = np.random.default_rng(1)
    same = rng.integers(1, 20, size=40)
    assert not steps(same, same).significant
    assert steps(same, same + 5).extra < 0
    assert not steps(same, same + 5).significant
    assert steps(same + 5, same).significant
    assert not steps(same + 5, same).approximate


EPSILONS = [0.5, 1.0, 2.0, 4.0]


def curve():
    rng = np.random.default_rng(2)
    plain = rng.integers(4, 8, size=40)
    later = [np.full(40, 31), plain + rng.integers(8, 12, 40), plain + rng.integers(9, 14, 40), plain]
    return curve_of_steps(EPSILONS, [steps(private, plain) for private in later])


def test_a_curve_of_extra_steps_never_rises_and_holds_its_interval():
    found = curve()
    assert (np.diff(found.costs) <= 0).all()
    assert (np.diff(found.low) <= 0).all()
    assert (np.diff(found.high) <= 0).all()
    assert (found.low <= found.costs).all()
    assert (found.costs <= found.high).all()
    # The two in the middle are in the wrong order, and are pooled.
    assert found.costs[1] == found.costs[2]
    assert found.costs[-1] == 0.0
    assert found.at(0.01) == found.costs[0]
    assert found.costs[1] > found.at(3.0) > found.costs[-1]
    assert [found.reached_at(each) for each in (0.2, 0.5, 0.7, 1.0, 3.0, 9.0)] == [
        False,
        False,
        False,
        True,
        True,
        True,
    ]


def test_pulling_the_cost_finds_the_epsilon_and_the_other_way_round():
    found = curve()
    for limit in (0.0, 2.0, 5.0, 100.0):
        answer = found.smallest(limit)
        assert found.at(answer.epsilon) <= limit + 1e-9
        assert answer.low <= answer.epsilon <= answer.high
        assert found.at(answer.epsilon * 0.9) > limit or answer.epsilon == EPSILONS[0]
    never = found.smallest(-1.0)
    assert math.isinf(never.epsilon)
    assert math.isinf(never.high)


def test_a_curve_of_losses_resamples_the_same_runs_at_each_epsilon():
    rng = np.random.default_rng(3)
    noise = rng.normal(size=50)  # the same in each run, whatever ε: it moves all together
    found = curve_of_losses(EPSILONS, [level + noise for level in (3.0, 2.0, 2.5, 1.0)])
    assert found.costs == pytest.approx(noise.mean() + np.array([3.0, 2.25, 2.25, 1.0]))
    assert found.high - found.low == pytest.approx(np.full(4, (found.high - found.low)[0]))
    assert found.reached.all()


@pytest.mark.parametrize("epsilons", [[], [1.0, 1.0], [2.0, 1.0], [0.0, 1.0], [1.0, math.inf], [1.0]])
def test_values_of_epsilon_that_make_no_curve_are_refused(epsilons):
    with pytest.raises(ValueError, match=r"ε|epsilons"):
        curve_of_losses(epsilons, [np.ones(5), np.ones(5)])
