"""Runs that advance together: the same rows are asked for as by each run alone."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privbo_core as pb
from privbo_core.bo import batched
from privbo_core.bo.batched import Posteriors, batched_queries, groups, split_evenly
from privbo_core.bo.policies import batched_search
from tests.helpers.amounts import few
from tests.helpers.refusing import refusals

KERNELS = st.sampled_from(
    [pb.gp.SquaredExponential(1.0), pb.gp.SquaredExponential(0.05, 4.0), pb.gp.Matern52(2.0), pb.gp.Matern52(0.3, 0.5)]
)


@st.composite
def problems(draw, most_runs=1):
    """Points (some there twice, on a lattice or in one place), each run's values, the model, and starting rows."""
    seed, n, d, runs = (draw(st.integers(*ends)) for ends in ((0, 10**6), (12, 400), (1, 4), (1, most_runs)))
    rng = np.random.default_rng(seed)
    spread = rng.standard_normal((n, d)) * 2
    rows = {"spread": range(n), "twice": rng.integers(0, max(2, n // 4), n), "one place": [0] * n}
    kind = draw(st.sampled_from([*rows, "lattice"]))
    points = rng.integers(-2, 3, (n, d)).astype(float) if kind == "lattice" else spread[rows[kind]]
    scatter = draw(st.sampled_from([0.0, 0.3, 1.0]))
    values = np.sin(points.sum(axis=1)) + scatter * rng.standard_normal((runs, n))
    model = {
        "kernel": draw(KERNELS),
        "noise_variance": draw(st.sampled_from([1e-5, 1e-2, 1.0])),
        "nugget": draw(st.sampled_from([0.0, 0.3])),
        "rule": pb.bo.UpperBound(0.05, draw(st.sampled_from([1.0, 0.2])), draw(st.booleans())),
        "iterations": min(n - 4, 20),
    }
    return points, values, model, rng.integers(0, n, (runs, seed % 4)).tolist()


@settings(max_examples=few(30, 100))
@given(problem=problems(most_runs=6))
def test_runs_together_take_the_rows_of_each_alone(problem):
    points, values, model, starts = problem
    answers = [lambda row, f=f: float(f[row]) for f in values]
    found = batched_search(batched_queries(points, initial_rows=starts, **model), answers)
    for start, answer, of_run in zip(starts, answers, found, strict=True):
        assert of_run == pb.bo.search(pb.bo.rule_queries(points, initial_rows=start, **model), answer)


@pytest.mark.parametrize("kernel", [pb.gp.SquaredExponential(1.5, 2.0), pb.gp.Matern52(1.5)])
@pytest.mark.parametrize("n", [7, 1001, 4999])
def test_beliefs_together_have_every_digit_of_each_alone(kernel, n):
    rng = np.random.default_rng(n)
    points = rng.standard_normal((n, 3)) * 2
    together_ = Posteriors(points, kernel, 1e-6, runs=5, capacity=30, nugget=0.1)
    alone = [pb.gp.Posterior(points, kernel, 1e-6, nugget=0.1) for _ in range(5)]
    for _ in range(30):
        rows, ys = rng.integers(0, n, 5).tolist(), rng.standard_normal(5).tolist()
        together_.observe(rows, ys)
        for posterior, row, y in zip(alone, rows, ys, strict=True):
            posterior.observe(row, y)
    np.testing.assert_array_equal(together_.mean, [posterior.mean for posterior in alone])
    np.testing.assert_array_equal(together_.variance, [posterior.variance for posterior in alone])


def runs(count, seed=0, **changes):
    rng = np.random.default_rng(5)
    points = rng.uniform(-4, 4, (600, 2))
    given = {
        "points": points,
        "objective": np.sin(points[:, 0]) + np.cos(2 * points[:, 1]),
        "kernel": pb.gp.SquaredExponential(1.3),
        "noise_variance": 0.01,
        "iterations": 15,
        "rngs": [np.random.default_rng([seed, run]) for run in range(count)],
    } | changes
    return given


def same(one, other):
    return all(
        getattr(one, name).tobytes() == getattr(other, name).tobytes()
        for name in ("rows", "observed", "simple_regret", "cumulative_regret", "rank")
    )


def test_runs_do_not_depend_on_groups_or_cores(monkeypatch):
    given = runs(7)
    alone = [pb.bo.gp_ucb(**given, rng=rng) for rng in given.pop("rngs")]
    in_groups = (0, 300_000, 10**9)  # alone, of two or three, large ones
    for held, cores, count in itertools.product(in_groups, (1, 2, 5), (1, 2, 7)):
        monkeypatch.setattr(batched, "MAX_GROUP_BYTES", held)
        monkeypatch.setattr(batched, "cores", lambda cores=cores: cores)
        many = pb.bo.gp_ucb_runs(**runs(count))
        assert all(same(one, other) for one, other in zip(many, alone[:count], strict=True)), (held, cores, count)


def test_groups_hold_each_run_once_and_suit_the_cores(monkeypatch):
    monkeypatch.setattr(batched, "cores", lambda: 2)
    for count, n in ((50, 10_000), (7, 100), (3, 10**6), (1, 10)):
        parts = groups(count, n, 55)
        assert [run for part in parts for run in range(*part)] == list(range(count))
        assert len(parts) in (1, count) or len(parts) % 2 == 0
    assert max(stop - start for start, stop in groups(50, 900, 55)) > 1
    assert all(stop - start == 1 for start, stop in groups(50, 60_000, 55))
    assert (split_evenly(10, 3), len(split_evenly(2, 5))) == ([(0, 3), (3, 6), (6, 10)], 2)


test_unusable_input_is_refused = refusals(
    (lambda: pb.bo.gp_ucb_runs(**runs(4, iterations=601)), "this domain has 600 rows"),
    (lambda: pb.bo.gp_ucb_runs(**runs(4, initial=[600])), "initial contains 600"),
    (lambda: pb.bo.gp_ucb_runs(**runs(4, objective=np.zeros(5))), "objective has shape"),
    (lambda: pb.bo.gp_ucb_runs(**runs(4, noise_variance=0.0)), "noise_variance is 0.0"),
    (lambda: pb.bo.gp_ucb_runs(**runs(4, delta_ucb=2.0)), "delta_ucb is 2.0"),
    (lambda: pb.bo.gp_ucb_runs(**runs(4, objective=lambda row: float("nan"))), "must be a finite number"),
)


def test_runs_with_different_numbers_of_initial_rows_are_refused():
    model = {"kernel": pb.gp.SquaredExponential(1.0), "noise_variance": 0.1, "rule": pb.bo.UpperBound()}
    with pytest.raises(ValueError, match="initial_rows"):
        next(batched_queries(np.arange(9.0)[:, None], iterations=2, initial_rows=[[1], [1, 2]], **model))


def test_no_generators_make_no_runs():
    assert pb.bo.gp_ucb_runs(**runs(0)) == []
