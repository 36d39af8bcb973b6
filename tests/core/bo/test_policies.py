"""The search loop and the policies: GP-UCB against a plain implementation, random search, and the nearest row."""

import math

import numpy as np
import pytest
from scipy.stats import chisquare
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import Matern

import privbo_core as pb
from privbo_core.bo import neighbour_queries, search
from tests.helpers.refusing import refusals


def test_gp_ucb_agrees_with_a_plain_implementation():
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


def test_observations_carry_the_stated_noise():
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


@pytest.mark.parametrize("n", [6, 30])
def test_random_search_repeats_an_initial_row_only_at_the_end(n):
    """On 30 rows its regret looked a third worse than it is, since it asked for what it knew already."""
    objective = np.arange(float(n))
    for seed in range(20):
        rng = np.random.default_rng(seed)
        trace = pb.bo.random_search(n, objective, noise_variance=1e-4, iterations=n, initial=5, rng=rng)
        first, drawn = trace.rows[:5].tolist(), trace.rows[5:].tolist()
        assert sorted(drawn) == list(range(n)), "each row once"
        assert not set(first) & set(drawn[: n - 5])


def test_initial_and_random_rows_are_drawn_uniformly():
    """Chi-squared tests of 3,000 seeded runs, which a uniform draw fails once in 10,000 times."""
    first, drawn = np.zeros(8), np.zeros(8)
    for seed in range(3000):
        rng = np.random.default_rng(seed)
        rows = pb.bo.random_search(8, np.zeros(8), noise_variance=1.0, iterations=2, initial=1, rng=rng).rows
        first[rows[0]] += 1
        drawn[rows[1:]] += 1
    assert chisquare(first).pvalue > 1e-4
    # The two later rows differ from each other, which makes the statistic smaller than under independence.
    assert chisquare(drawn).pvalue > 1e-4


def test_the_neighbour_search_takes_the_nearest_row_to_the_best():
    points = np.array([[0.0], [1.0], [2.1], [3.3], [10.0]])
    answers = {0: 0.0, 1: 1.0, 2: 0.5, 3: 9.0, 4: 2.0}
    rows, _ = search(neighbour_queries(points, iterations=4, initial_rows=[0]), answers.get)
    assert rows == [0, 1, 2, 3, 4]
    rows, _ = search(neighbour_queries(points, iterations=2, initial_rows=[4, 0]), answers.get)
    assert rows == [4, 0, 3, 2]
    with pytest.raises(ValueError, match="too few"):
        search(neighbour_queries(points, iterations=5, initial_rows=[0]), answers.get)


def test_the_neighbour_search_starts_at_the_centre():
    points = np.array([[0.0, 0.0], [4.0, 0.0], [2.1, 1.9], [0.0, 4.0], [4.0, 4.0]])  # the middle is (2.02, 1.98)
    rows, _ = search(neighbour_queries(points, iterations=2, initial_rows=[]), float)
    assert rows == [2, 1]


def run(points=((0.0,), (1.0,), (2.0,), (3.0,), (4.0,), (5.0,)), objective=(0.0,) * 6, **changes):
    given = {"kernel": pb.gp.SquaredExponential(1.0), "noise_variance": 0.1, "iterations": 3, "initial": [0]}
    return pb.bo.gp_ucb(points, objective, rng=np.random.default_rng(0), **given | changes)


test_unusable_input_is_refused = refusals(
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
