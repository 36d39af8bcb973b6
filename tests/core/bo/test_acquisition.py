"""Acquisition rules: GP-UCB with its β, expected improvement, Thompson sampling, and no row twice."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import chisquare, norm

import privbo_core as pb
from privbo_core.bo import Improvement, Thompson, UpperBound, replay, rule, rule_queries, search
from privbo_core.bo.acquisition import log_improvement
from privbo_core.gp import SquaredExponential
from privbo_core.gp.kernels import covariance
from tests.helpers.refusing import refusals

KERNEL, NOISE = SquaredExponential(1.3, 2.0), 0.05


def domain(n=120):
    rng = np.random.default_rng(7)
    points = rng.uniform(-4, 4, size=(n, 2))
    return points, np.sin(points[:, 0]) + np.cos(2 * points[:, 1])


def queries(points, used, iterations=15, initial=(3, 1, 4), nugget=0.0):
    model = {"kernel": KERNEL, "noise_variance": NOISE, "nugget": nugget}
    return rule_queries(points, iterations=iterations, initial_rows=initial, rule=used, **model)


def run(used, *, iterations=15, initial=(3, 1, 4), n=120, nugget=0.0):
    points, f = domain(n)
    noise, asked = np.random.default_rng(1), queries(points, used, iterations, initial, nugget)
    rows, observed = search(asked, lambda row: f[row] + 0.2 * noise.standard_normal())
    return points, pb.bo.Trace.of(rows, observed, f, len(initial))


def dense(points, rows, observed, nugget=0.0):
    """Return the mean and the covariance of the posterior by one solve with the whole matrix."""
    k = covariance(KERNEL, points, points) + nugget * np.eye(len(points))
    gain = np.linalg.solve(k[np.ix_(rows, rows)] + NOISE * np.eye(len(rows)), k[rows]).T
    return gain @ observed, k - gain @ k[rows]


@pytest.mark.parametrize("nugget", [0.0, 0.3])
@pytest.mark.parametrize("used", [Improvement(), *(UpperBound(0.05, factor) for factor in (1.0, 0.2, 3.0))])
def test_each_row_has_the_largest_acquisition(used, nugget):
    points, trace = run(used, nugget=nugget)
    for t in range(1, 16):
        seen = trace.rows[: 2 + t]
        mean, cov = dense(points, seen, trace.observed[: 2 + t], nugget)
        deviation = np.sqrt(np.diag(cov))
        if isinstance(used, UpperBound):
            weight = used.factor * 2 * math.log(120 * t**2 * math.pi**2 / (6 * 0.025))
            score = mean + math.sqrt(weight) * deviation
        else:  # over the best mean of a row asked for
            gap = mean - mean[seen].max()
            score = gap * norm.cdf(gap / deviation) + deviation * norm.pdf(gap / deviation)
        assert trace.rows[2 + t] == np.argmax(score)


def test_log_improvement_agrees_with_the_integral():
    # E max(0, z + N) = φ(z) ∫ s exp(zs − s²/2) ds over s > 0.
    for z in (6.0, 1.0, 0.0, -0.999, -1.001, -3.0, -12.0, -49.9, -50.1, -300.0):
        scale = 1.0 if z > -1 else 1.0 / abs(z)
        integral, _ = quad(lambda s, z=z: s * math.exp(z * s - s * s / 2), 0, 60 * scale if z <= -1 else 40, limit=400)
        expected = -0.5 * z * z - 0.5 * math.log(2 * math.pi) + math.log(integral)
        assert log_improvement(np.array([z]))[0] == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_log_improvement_falls_strictly_to_the_end_of_the_range():
    z = -np.logspace(-3, 11, 400)
    found = log_improvement(z)
    assert np.isfinite(found).all()
    assert (np.diff(found) < 0).all()


def test_expected_improvement_continues_at_an_optimum():
    points = np.arange(40.0)[:, None]
    values = np.where(np.arange(40) == 20, 1e6, 0.0)
    model = {"kernel": SquaredExponential(0.3), "noise_variance": 1e-6, "rule": Improvement(once=True)}
    rows, _ = search(rule_queries(points, iterations=10, initial_rows=[20], **model), lambda row: values[row])
    assert len(set(rows)) == 11


@pytest.mark.parametrize("nugget", [0.0, 2.0])
def test_thompson_sampling_chooses_rows_as_often_as_they_are_best(nugget):
    """Against draws from a dense posterior. A right rule fails the chi-squared test once in 10,000 times."""
    points, runs = np.array([[0.0], [1.0], [2.5], [4.5], [5.0], [7.5]]), 2000
    told = {1: 0.3, 3: -0.5}
    chosen = np.zeros(6)
    for seed in range(runs):
        asked = queries(points, Thompson(np.random.default_rng(seed)), 1, tuple(told), nugget)
        rows, _ = search(asked, lambda row: told.get(row, 0.0))
        chosen[rows[2]] += 1
    mean, cov = dense(points, list(told), np.array(list(told.values())), nugget)
    draws = np.random.default_rng(0).multivariate_normal(mean, cov, 200_000)
    best = np.bincount(draws.argmax(axis=1), minlength=6) / 200_000
    assert chisquare(chosen, runs * best).pvalue > 1e-4


def test_the_best_so_far_is_the_best_mean_of_an_evaluated_row():
    """Between two good rows the mean is higher still, but no improvement over it is asked for."""
    points, rows, y = np.linspace(-4, 4, 81)[:, None], [32, 48], np.array([1.0, 0.9])
    asked = queries(points, Improvement(), 1, rows)
    next(asked)
    asked.send(y[0])
    mean, cov = dense(points, rows, y)
    deviation = np.sqrt(np.diag(cov))

    def best_row(best):
        gap = (mean - best) / deviation
        return np.argmax(deviation * (gap * norm.cdf(gap) + norm.pdf(gap)))

    assert asked.send(y[1]) == best_row(mean[rows].max()) != best_row(mean.max())


def test_before_the_first_outcome_the_best_is_the_mean_of_the_prior():
    points, _ = domain(9)
    asked = rule_queries(points, kernel=KERNEL, noise_variance=NOISE, iterations=2, initial_rows=[], rule=Improvement())
    # All rows are alike at first, so the first is chosen. The second maximises E max(0, f(x) − best mean).
    assert next(asked) == 0
    second = asked.send(-1.0)
    mean, cov = dense(points, [0], np.array([-1.0]))
    deviation = np.sqrt(np.diag(cov))
    gap = (mean - mean[0]) / deviation
    assert second == np.argmax(deviation * (gap * norm.cdf(gap) + norm.pdf(gap)))


def test_a_thompson_run_does_not_depend_on_what_comes_later():
    short, long = (run(Thompson(np.random.default_rng(2)), iterations=T, nugget=0.3)[1] for T in (5, 15))
    np.testing.assert_array_equal(short.rows, long.rows[:8])


@pytest.mark.parametrize("name", ["ucb", "ucb/5", "ei", "thompson"])
@pytest.mark.parametrize("once", [False, True])
def test_a_replay_has_the_acquisition_of_each_choice(name, once):
    def fresh():
        return rule(name, delta_ucb=0.1, once=once, rng=np.random.default_rng(11))

    points, trace = run(fresh(), nugget=0.1)
    beliefs = replay(points, trace, kernel=KERNEL, noise_variance=NOISE, nugget=0.1, rule=fresh())
    for belief in beliefs:
        if belief.t < trace.iterations:
            assert belief.upper.argmax() == trace.rows[3 + belief.t]
        assert math.isnan(belief.root_beta) == (name in ("ei", "thompson"))
        if name == "ucb" and not once:
            np.testing.assert_allclose(belief.upper, belief.mean + belief.root_beta * belief.deviation)
    assert belief.t == trace.iterations


@pytest.mark.parametrize("name", ["ucb", "ucb/5", "ei", "thompson"])
def test_once_evaluates_no_row_twice(name):
    def used():
        return rule(name, delta_ucb=0.05, once=True, rng=np.random.default_rng(0))

    _, trace = run(used(), iterations=9, initial=(2, 5, 2), n=11)
    assert sorted(trace.rows[1:]) == list(range(11))
    with pytest.raises(ValueError, match=r"iterations \(T\) is 10 after 2 initial rows"):
        run(used(), iterations=10, initial=(2, 5), n=11)
    _, again = run(rule(name, delta_ucb=0.05, once=False, rng=np.random.default_rng(0)), iterations=11, n=11)
    assert len(set(again.rows)) < len(again.rows)


test_unusable_input_is_refused = refusals(
    (lambda: rule("best", delta_ucb=0.05, once=False, rng=np.random.default_rng(0)), "search is 'best'"),
    (lambda: UpperBound(0.05, 0.0), "factor is 0"),
)
