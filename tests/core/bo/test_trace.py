"""Traces of searches: regret, rank, the row taken for best, bands, intervals of differences, information gain."""

import itertools
import math

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.bo import Difference, Trace, resampled_interval
from privbo_core.gp.kernels import covariance
from tests.helpers.amounts import few


def test_regret_matches_its_definition():
    f = np.array([0.0, 5.0, 3.0, 9.0, 1.0])
    trace = Trace.of([2, 4, 1, 0, 3], [0.0] * 5, f, initial=2)
    assert trace.iterations == 3
    # Initial evaluations count for the best row so far, but not for the cumulative regret.
    np.testing.assert_array_equal(trace.simple_regret, [4.0, 4.0, 0.0])
    np.testing.assert_array_equal(trace.cumulative_regret, [4.0, 13.0, 13.0])


def test_rank_counts_the_rows_that_are_strictly_better():
    f = np.array([0.0, 5.0, 3.0, 9.0, 5.0, 1.0])
    trace = Trace.of([0, 5, 2, 1, 0, 3], [0.0] * 6, f, initial=1)
    np.testing.assert_array_equal(trace.rank, [5, 4, 2, 2, 1])


def test_the_head_is_the_trace_of_the_shorter_run():
    f, rows = np.array([0.0, 5.0, 3.0, 9.0, 5.0, 1.0]), [0, 5, 2, 1, 0, 3]
    shorter, alone = Trace.of(rows, rows, f, initial=1).head(3), Trace.of(rows[:4], rows[:4], f, initial=1)
    for name in ("rows", "observed", "simple_regret", "cumulative_regret", "rank"):
        np.testing.assert_array_equal(getattr(shorter, name), getattr(alone, name))


def test_of_an_unknown_objective_regret_and_rank_are_unknown():
    trace = Trace.of([0, 1], [1.0, 2.0], None, 1)
    assert np.isnan([*trace.simple_regret, *trace.cumulative_regret]).all()
    assert trace.rank.tolist() == [0]


def test_simple_regret_and_rank_are_those_of_the_row_taken_for_best():
    f = np.array([0.0, 5.0, 3.0, 9.0, 1.0])
    trace = Trace.of([2, 4, 3, 1], [0.0] * 4, f, initial=1, taken=[2, 2, 4, 3])
    np.testing.assert_array_equal(trace.simple_regret, [6.0, 8.0, 0.0])
    np.testing.assert_array_equal(trace.rank, [3, 4, 1])
    np.testing.assert_array_equal(trace.cumulative_regret, [8.0, 8.0, 12.0])  # the evaluated rows are paid for


def test_the_row_taken_for_best_has_the_largest_posterior_mean():
    rng = np.random.default_rng(3)
    points, kernel, noise, nugget = rng.normal(size=(12, 2)), pb.gp.SquaredExponential(0.8, 1.3), 0.7, 0.4
    rows, told = [4, 9, 4, 1, 11, 0], rng.normal(size=6)
    prior = covariance(kernel, points, points) + nugget * np.eye(12)
    expected = []
    for count in range(1, len(rows) + 1):
        asked = rows[:count]
        gram = prior[np.ix_(asked, asked)] + noise * np.eye(count)
        mean = prior[:, asked] @ np.linalg.solve(gram, told[:count])
        expected.append(max(asked, key=lambda row, mean=mean: mean[row]))
    found = pb.bo.taken_for_best(points, rows, told.tolist(), kernel=kernel, noise_variance=noise, nugget=nugget)
    assert found == expected
    assert len(set(found)) > 1


def test_a_band_is_mean_and_standard_error():
    curves = np.random.default_rng(0).normal(size=(30, 4))
    found = pb.bo.band(list(curves))
    np.testing.assert_allclose(found.mean, curves.mean(axis=0))
    np.testing.assert_allclose(found.standard_error, curves.std(axis=0, ddof=1) / np.sqrt(30))
    alone = pb.bo.band([curves[0]])
    np.testing.assert_array_equal(alone.mean, curves[0])
    assert np.isnan(alone.standard_error).all()


def test_greedy_information_gain_is_near_the_maximum():
    rng = np.random.default_rng(4)
    points, noise = rng.normal(size=(12, 2)), 0.05
    gain = pb.bo.information_gain(points, pb.gp.SquaredExponential(1.0), noise, 4)
    k = np.exp(-((points[:, None] - points[None]) ** 2).sum(-1) / 2)

    def of(rows):
        return 0.5 * np.linalg.slogdet(np.eye(len(rows)) + k[np.ix_(rows, rows)] / noise)[1]

    assert gain.greedy == pytest.approx([of(list(gain.rows[: count + 1])) for count in range(4)])
    best = max(of(list(rows)) for rows in itertools.combinations_with_replacement(range(12), 4))
    assert gain.greedy[3] <= best + 1e-12
    assert best <= gain.upper[3]
    assert gain.upper == pytest.approx(gain.greedy / (1 - math.exp(-1)))


@pytest.mark.parametrize("runs", [20, 50])
@pytest.mark.parametrize("kind", ["often zero", "long tail", "symmetric"])
def test_an_interval_of_skewed_costs_misses_as_rarely_as_stated(runs, kind):
    """Student's interval lies below the mean of costs that are often zero in 8 to 12 of 100 samples.

    With at least 20 runs, this one is to miss in 2 to 8 of 100 samples. In 2,000 samples, a share of 5 of 100 has a
    standard error of 0.5 of 100.
    """
    rng, samples = np.random.default_rng(0), few(2000, 20_000)
    drawn = rng.exponential(size=(samples, runs))
    if kind == "often zero":
        drawn *= rng.random((samples, runs)) < 0.4
    elif kind == "symmetric":
        drawn = rng.standard_normal((samples, runs))
    mean = {"often zero": 0.4, "long tail": 1.0, "symmetric": 0.0}[kind]
    found = [Difference.of(sample) for sample in drawn]
    above, below = np.mean([each.low > mean for each in found]), np.mean([each.high < mean for each in found])
    assert below < 0.05
    assert above < 0.04
    assert all(each.low <= each.mean <= each.high for each in found)


def test_an_interval_of_symmetric_differences_covers_95_of_100():
    rng = np.random.default_rng(0)
    held = [Difference.of(rng.normal(0.3, 1.0, 12)) for _ in range(4000)]
    share = np.mean([each.low <= 0.3 <= each.high for each in held])
    assert abs(share - 0.95) < 4 * math.sqrt(0.95 * 0.05 / 4000)


def test_the_interval_is_students_of_halls_cubic():
    costs = np.array([0.25, 0.5, 0.15, 0.05])
    found = Difference.of(costs)
    assert found.mean == pytest.approx(costs.mean())
    assert found.standard_error == pytest.approx(costs.std(ddof=1) / 2)
    skewness = ((costs - found.mean) ** 3).mean() / costs.std() ** 3 / 2
    for end, quantile in ((found.low, 3.18245), (found.high, -3.18245)):  # Student's at 3 degrees of freedom
        t = (found.mean - end) / found.standard_error
        cubic = t + skewness * t**2 / 3 + skewness**2 * t**3 / 27 + skewness / 6
        assert cubic == pytest.approx(quantile, rel=1e-5)


def test_an_interval_scales_with_the_costs_and_turns_with_their_sign():
    costs = np.random.default_rng(1).exponential(size=12)
    one, scaled, turned = (Difference.of(costs * factor) for factor in (1.0, 1e80, -1.0))
    assert (scaled.low, scaled.high) == pytest.approx((1e80 * one.low, 1e80 * one.high), rel=1e-9)
    assert (-turned.high, -turned.low) == pytest.approx((one.low, one.high), rel=1e-9)
    doubled, twice = one.times(2.0), Difference.of(2.0 * costs)
    for name in ("mean", "standard_error", "low", "high", "runs"):
        assert getattr(doubled, name) == pytest.approx(getattr(twice, name))


def test_a_difference_is_clear_if_its_interval_excludes_zero():
    assert Difference.of([-1.0, -1.1, -0.9]).clear
    assert Difference.of([1.0, 1.1, 0.9]).clear
    assert not Difference.of([-1.0, 1.2, 0.1]).clear
    assert not Difference.of([0.0, 0.0]).clear
    same = Difference.of(np.full(9, 0.3))
    assert (same.low, same.high, same.clear) == (pytest.approx(0.3), pytest.approx(0.3), True)


def test_a_single_difference_has_no_interval():
    alone = Difference.of([1.0])
    assert (alone.mean, alone.runs, alone.clear) == (1.0, 1, False)
    assert np.isnan([alone.standard_error, alone.low, alone.high]).all()


def test_the_interval_of_resamples_holds_their_middle_95_percent():
    counts = np.random.default_rng(0).permutation(np.arange(1, 1002))
    assert resampled_interval(counts) == (26, 976)
