"""Steps that a search needs for a result, and the interval of the extra ones that privacy costs."""

import math

import numpy as np

from privbo_core.bo import ExtraSteps
from privbo_core.bo.steps import enough_for_half, first_reached, resampled_runs


def steps(private, plain, limit=30):
    """The extra steps of two lists of counts, run by run."""
    drawn = resampled_runs(len(private))
    counts = [enough_for_half(np.asarray(each)[drawn]) for each in (private, plain)]
    return ExtraSteps.resampled(*counts, limit, len(private))


def test_first_reached_counts_from_one():
    values = np.array([[5.0, 3.0, 2.0], [9.0, 9.0, 9.0], [1.0, 2.0, 3.0], [np.nan, np.nan, np.nan]])
    assert first_reached(values, 3.0).tolist() == [2, 4, 1, 4]
    assert first_reached(values, np.array([2.0, 9.0, 0.5, 1.0])).tolist() == [3, 1, 4, 4]


def test_enough_for_half_is_the_lower_median():
    assert enough_for_half(np.array([3])) == 3
    assert enough_for_half(np.array([9, 1, 5, 7])) == 5  # two of four are done after 5
    assert enough_for_half(np.array([[9, 1, 5], [2, 2, 31]])).tolist() == [5, 2]


def test_resamples_begin_with_all_runs_and_can_be_repeated():
    drawn = resampled_runs(6)
    assert drawn[0].tolist() == list(range(6))
    assert (drawn == resampled_runs(6)).all()
    assert {0, 5} <= set(drawn[1:].ravel()) <= set(range(6))


def test_the_interval_of_extra_steps_covers_as_often_as_stated():
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


def test_the_interval_of_extra_steps_holds_the_middle_95_percent():
    resamples = np.random.default_rng(0).permutation(np.arange(1, 1002))
    found = ExtraSteps.resampled(np.r_[500, resamples + 3], np.full(1002, 3), 2000, 40)
    assert (found.private, found.plain, found.extra) == (500, 3, 497)
    assert (found.low, found.high) == (26, 976)
    for limit, is_open in ((978, True), (980, False)):  # 26 and 24 of 1,001 resamples do not get there
        assert ExtraSteps.resampled(np.r_[500, resamples + 3], np.full(1002, 3), limit, 40).high_open is is_open


def test_only_clear_differences_are_significant_or_save_steps():
    same = np.random.default_rng(1).integers(1, 20, size=40)
    cases = {0: (False, False), -5: (False, True), 5: (True, False)}
    for extra, expected in cases.items():
        found = steps(same + 5 + extra, same + 5)
        assert (found.extra, found.significant, found.saves) == (extra, *expected)
        assert not found.approximate
    assert steps(same[:19], same[:19]).approximate


def test_searches_that_do_not_get_there_leave_the_interval_open():
    """An end is open if more than 2.5 of 100 resamples do not get there."""
    ends, never = np.full(40, 10), np.full(40, 31)
    half = np.where(np.arange(40) < 19, 31, 10)  # the median of all runs is 10, that of many resamples 31
    for private, plain, reached, low_open, high_open, significant, saves in (
        (ends, ends, (True, True), False, False, False, False),
        (never, ends, (False, True), False, True, True, False),
        (ends, never, (True, False), True, False, False, True),
        (half, ends, (True, True), False, True, False, False),
        (ends, half, (True, True), True, False, False, False),
    ):
        found = steps(private, plain)
        assert (found.private_reached, found.plain_reached) == reached
        assert (found.low_open, found.high_open) == (low_open, high_open)
        assert (found.significant, found.saves) == (significant, saves)
