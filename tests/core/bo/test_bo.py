"""The search loop, traces and information gain; threads that compute step back behind those that draw pages."""

import itertools
import math
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import Matern

import privbo_core as pb
from privbo_core.bo.parallel import BACKGROUND_NICENESS, StoppedError, in_order, lower_priority
from privbo_core.gp.kernels import covariance
from tests.helpers.amounts import few
from tests.helpers.refusing import refusals


def test_queries_agree_with_a_straightforward_implementation():
    ours, theirs = pb.gp.Matern52(1.3), Matern(1.3, "fixed", nu=2.5)
    rng = np.random.default_rng(7)
    points = rng.uniform(-4, 4, size=(300, 2))
    f = np.sin(points[:, 0]) + np.cos(2 * points[:, 1])
    trace = pb.bo.gp_ucb(
        points, f, kernel=ours, noise_variance=0.01, iterations=30, initial=[3, 1, 4], rng=np.random.default_rng(0)
    )
    assert list(trace.rows[:3]) == [3, 1, 4]
    for t in range(1, 31):
        seen = trace.rows[: 2 + t]
        model = GaussianProcessRegressor(theirs, alpha=0.01, optimizer=None).fit(points[seen], trace.observed[: 2 + t])
        mean, deviation = model.predict(points, return_std=True)
        beta_t = 2 * math.log(300 * t**2 * math.pi**2 / (6 * 0.025))
        assert trace.rows[2 + t] == np.argmax(mean + math.sqrt(beta_t) * deviation)


def test_regret_is_what_its_definition_says_and_observations_carry_the_stated_noise():
    f = np.array([0.0, 5.0, 3.0, 9.0, 1.0])
    trace = pb.bo.Trace.of([2, 4, 1, 0, 3], [0.0] * 5, f, initial=2)
    assert trace.iterations == 3
    np.testing.assert_array_equal(trace.simple_regret, [4.0, 4.0, 0.0])  # the initial rows count as found
    np.testing.assert_array_equal(trace.cumulative_regret, [4.0, 13.0, 13.0])  # and are not paid for
    shorter = trace.head(2)
    np.testing.assert_array_equal(shorter.rows, [2, 4, 1, 0])
    np.testing.assert_array_equal(shorter.simple_regret, [4.0, 4.0])
    f = np.zeros(4000)
    trace = pb.bo.random_search(4000, f, noise_variance=0.25, iterations=4000, initial=0, rng=np.random.default_rng(1))
    assert sorted(trace.rows) == list(range(4000))
    assert abs(trace.observed.std() - 0.5) < 4 * 0.5 / math.sqrt(2 * 4000)


def test_a_callable_objective_is_asked_row_by_row():
    asked = []

    def measure(row):
        asked.append(row)
        return float(row)

    model = {"kernel": pb.gp.SquaredExponential(2.0), "noise_variance": 0.1, "rng": np.random.default_rng(0)}
    trace = pb.bo.gp_ucb(np.arange(10.0)[:, None], measure, **model, iterations=4, initial=1)
    assert asked == list(trace.rows)
    assert np.isnan(trace.simple_regret).all()


def test_greedy_information_gain_is_within_its_bounds_of_the_maximum_and_band_is_mean_and_standard_error():
    rng = np.random.default_rng(4)
    points = rng.normal(size=(12, 2))
    kernel, noise = pb.gp.SquaredExponential(1.0), 0.05
    gain = pb.bo.information_gain(points, kernel, noise, 4)
    k = np.exp(-((points[:, None] - points[None]) ** 2).sum(-1) / 2)

    def of(rows):
        return 0.5 * np.linalg.slogdet(np.eye(len(rows)) + k[np.ix_(rows, rows)] / noise)[1]

    assert gain.greedy[3] == pytest.approx(of(list(gain.rows)))
    best = max(of(list(rows)) for rows in itertools.combinations_with_replacement(range(12), 4))
    assert gain.greedy[3] <= best + 1e-12
    assert best <= gain.upper[3]
    curves = np.random.default_rng(0).normal(size=(30, 4))
    result = pb.bo.band(list(curves))
    np.testing.assert_allclose(result.standard_error, curves.std(axis=0, ddof=1) / np.sqrt(30))
    assert np.isnan(pb.bo.band([curves[0]]).standard_error).all()


def test_parallel_runs_keep_their_order_and_stop_when_nobody_listens():
    assert list(in_order(lambda item, stop: item**2, range(20))) == [item**2 for item in range(20)]
    started, stopped = [], threading.Event()

    def endless(item, stop):
        started.append(item)
        if item == 0:
            return 0
        if not stop.wait(60):
            raise AssertionError("nobody said stop")
        stopped.set()
        raise StoppedError

    results = in_order(endless, range(1000))
    assert next(results) == 0
    results.close()
    assert stopped.wait(60)
    assert len(started) < 20


def run(points=((0.0,), (1.0,), (2.0,), (3.0,), (4.0,), (5.0,)), objective=(0.0,) * 6, **changes):
    given = {"kernel": pb.gp.SquaredExponential(1.0), "noise_variance": 0.1, "iterations": 3, "initial": [0]}
    return pb.bo.gp_ucb(points, objective, rng=np.random.default_rng(0), **given | changes)


test_bad_input_is_named = refusals(
    (lambda: run(initial=[6]), r"initial contains 6\. .* 0 to 5"),
    (lambda: run(initial=[-1]), "initial contains -1"),
    (lambda: run(initial=[0.5]), "initial contains 0.5"),
    (lambda: run(initial=7), "at most 6"),
    (lambda: run(iterations=7), r"iterations \(T\) is 7"),
    (lambda: run(iterations=0), "iterations is 0"),
    (lambda: run(iterations=2.5), "iterations is 2.5"),
    (lambda: run(delta_ucb=1.0), "delta_ucb is 1.0"),
    (lambda: run(noise_variance=-1.0), "noise_variance is -1.0"),
    (lambda: run(points=[[0.0]]), "points has 1 rows"),
    (lambda: run(points=[0.0, 1.0]), "shape"),
    (lambda: run(objective=np.zeros(5)), "objective has shape"),
    (lambda: run(objective=[0, 0, np.nan, 0, 0, 0]), "objective holds nan in row 2"),
)


PRIORITIES = """
import os, threading
from privbo_core.bo import parallel
{before}
def own(item, stop):
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
print(sorted(set(parallel.in_order(own, range(8)))), os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
"""
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only there a single thread has a priority of its own")


def niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


@on_linux
def test_a_thread_steps_back_by_itself():
    before, seen = niceness(), []
    thread = threading.Thread(target=lambda: (lower_priority(), seen.append(niceness())))
    thread.start()
    thread.join()
    assert (seen, niceness()) == ([BACKGROUND_NICENESS], before)


@on_linux
@pytest.mark.parametrize(("before", "computing"), [("", 0), ("parallel.prioritise_pages()", BACKGROUND_NICENESS)])
def test_simulations_have_a_lower_priority_only_where_there_are_pages(before, computing):
    """A study from the command line has the machine to itself, as far as it is concerned."""
    own = niceness()
    said = subprocess.run(
        [sys.executable, "-c", PRIORITIES.format(before=before)], capture_output=True, check=True, text=True
    )
    assert said.stdout.strip() == f"[{computing or own}] {own}"


def test_a_system_that_forbids_it_stops_nothing(monkeypatch):
    def forbidden(*_):
        raise PermissionError

    monkeypatch.setattr(os, "setpriority", forbidden)
    lower_priority()


def test_the_row_taken_for_best_is_the_one_expected_to_be():
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


@pytest.mark.parametrize("n", [6, 30])
def test_random_search_draws_an_initial_row_again_only_where_no_other_is_left(n):
    """On 30 rows its regret looked a third worse than it is, since it asked for what it knew already."""
    objective = np.arange(float(n))
    for seed in range(20):
        rng = np.random.default_rng(seed)
        trace = pb.bo.random_search(n, objective, noise_variance=1e-4, iterations=n, initial=5, rng=rng)
        first, drawn = trace.rows[:5].tolist(), trace.rows[5:].tolist()
        assert sorted(drawn) == list(range(n)), "each row once"
        assert not set(first) & set(drawn[: n - 5])


@pytest.mark.parametrize("runs", [20, 50])
@pytest.mark.parametrize("kind", ["often zero", "long tail", "symmetric"])
def test_an_interval_of_skewed_costs_misses_about_as_often_as_it_says(runs, kind):
    """Student's lies below the mean of costs that are often zero in 8 to 12 of 100 samples, and 2.5 are promised."""
    rng, samples = np.random.default_rng(0), few(2000, 20_000)
    drawn = rng.exponential(size=(samples, runs))
    if kind == "often zero":
        drawn *= rng.random((samples, runs)) < 0.4
    elif kind == "symmetric":
        drawn = rng.standard_normal((samples, runs))
    mean = {"often zero": 0.4, "long tail": 1.0, "symmetric": 0.0}[kind]
    found = [pb.bo.Difference.of(sample) for sample in drawn]
    above, below = np.mean([each.low > mean for each in found]), np.mean([each.high < mean for each in found])
    assert below < 0.05
    assert above < 0.04
    assert all(each.low <= each.mean <= each.high for each in found)


def test_an_interval_is_in_the_unit_of_the_costs_and_turns_with_their_sign():
    costs = np.random.default_rng(1).exponential(size=12)
    one, scaled, turned = (pb.bo.Difference.of(costs * factor) for factor in (1.0, 1e80, -1.0))
    assert (scaled.low, scaled.high) == pytest.approx((1e80 * one.low, 1e80 * one.high), rel=1e-9)
    assert (-turned.high, -turned.low) == pytest.approx((one.low, one.high), rel=1e-9)
    same = pb.bo.Difference.of(np.full(9, 0.3))
    assert (same.low, same.high) == pytest.approx((0.3, 0.3))
