"""What a policy asks for next: GP-UCB with its β, expected improvement, Thompson sampling, and no row twice."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

import privbo_core as pb
from privbo_core.bo import Improvement, Thompson, UpperBound, neighbour_queries, replay, rule, rule_queries, search
from privbo_core.bo.acquisition import log_improvement
from privbo_core.gp import Posterior, SquaredExponential
from privbo_core.gp.features import prior_draws
from privbo_core.gp.kernels import covariance
from tests.helpers.amounts import few
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


def dense(points, rows, observed):
    """Return mean, variance and covariance of the posterior by one solve with the whole matrix."""
    k = covariance(KERNEL, points, points)
    gain = np.linalg.solve(k[np.ix_(rows, rows)] + NOISE * np.eye(len(rows)), k[rows]).T
    return gain @ observed, k - gain @ k[rows]


@pytest.mark.parametrize("used", [Improvement(), *(UpperBound(0.05, factor) for factor in (1.0, 0.2, 3.0))])
def test_each_row_is_the_first_by_the_bound_or_by_expected_improvement(used):
    points, trace = run(used)
    for t in range(1, 16):
        seen = trace.rows[: 2 + t]
        mean, cov = dense(points, seen, trace.observed[: 2 + t])
        deviation = np.sqrt(np.diag(cov))
        if isinstance(used, UpperBound):
            weight = used.factor * 2 * math.log(120 * t**2 * math.pi**2 / (6 * 0.025))
            score = mean + math.sqrt(weight) * deviation
        else:  # over the best mean of a row asked for
            gap = mean - mean[seen].max()
            score = gap * norm.cdf(gap / deviation) + deviation * norm.pdf(gap / deviation)
        assert trace.rows[2 + t] == np.argmax(score)


def test_log_improvement_is_right_from_near_to_very_far_and_tells_rows_apart_where_it_is_nothing():
    # E max(0, z + N) = φ(z) ∫ s exp(zs − s²/2) ds over s > 0.
    for z in (6.0, 1.0, 0.0, -0.999, -1.001, -3.0, -12.0, -49.9, -50.1, -300.0):
        scale = 1.0 if z > -1 else 1.0 / abs(z)
        integral, _ = quad(lambda s, z=z: s * math.exp(z * s - s * s / 2), 0, 60 * scale if z <= -1 else 40, limit=400)
        expected = -0.5 * z * z - 0.5 * math.log(2 * math.pi) + math.log(integral)
        assert log_improvement(np.array([z]))[0] == pytest.approx(expected, rel=1e-9, abs=1e-9)
    z = -np.logspace(-3, 11, 400)
    found = log_improvement(z)
    assert np.isfinite(found).all()
    assert (np.diff(found) < 0).all()
    points = np.arange(40.0)[:, None]
    values = np.where(np.arange(40) == 20, 1e6, 0.0)
    model = {"kernel": SquaredExponential(0.3), "noise_variance": 1e-6, "rule": Improvement(once=True)}
    rows, _ = search(rule_queries(points, iterations=10, initial_rows=[20], **model), lambda row: values[row])
    assert len(set(rows)) == 11


def test_conditioned_draws_have_the_posterior_s_mean_and_covariance():
    points, f = domain(60)
    rng = np.random.default_rng(3)
    posterior, prior = Posterior(points, KERNEL, NOISE), np.arange(60.0)
    np.testing.assert_array_equal(posterior.conditioned(prior, rng), prior)  # before the first answer
    assert posterior.conditioned(prior, rng) is not prior
    seen = [5, 17, 5, 40, 33, 8, 9]
    observed = f[seen] + 0.2 * rng.standard_normal(len(seen))
    for row, y in zip(seen, observed, strict=True):
        posterior.observe(row, y)
    root = np.linalg.cholesky(covariance(KERNEL, points, points) + 1e-10 * np.eye(60))
    count = 20_000
    draws = np.array([posterior.conditioned(root @ rng.standard_normal(60), rng) for _ in range(count)])
    mean, cov = dense(points, seen, observed)
    np.testing.assert_allclose(mean, posterior.mean, atol=1e-9)
    error = np.sqrt(np.maximum(np.diag(cov), 1e-9) / count)
    # 60 means and 1,830 covariances: 5 standard errors are exceeded by none of them but once in a thousand times.
    assert (np.abs(draws.mean(axis=0) - mean) < 5 * error).all()
    spread = np.sqrt((cov**2 + np.outer(np.diag(cov), np.diag(cov))) / count)
    assert (np.abs(np.cov(draws.T) - cov) < 5 * spread + 1e-9).all()


@pytest.mark.parametrize("family", [pb.gp.SquaredExponential, pb.gp.Matern52])
def test_prior_draws_have_the_kernel_s_covariance(family):
    points, kernel = domain(25)[0], family(1.3, 2.0)
    many = [
        prior_draws(points, kernel, 20, np.random.default_rng(seed), features=256) for seed in range(few(300, 1000))
    ]
    exact = covariance(kernel, points, points)
    # Draws that share features are not independent: the error is taken over the sets. Scaling each row to norm
    # σ_y moves the covariance by a term of the order σ_y²/M, 0.008 here.
    products = np.array([draws.T @ draws / 20 for draws in many])
    error = products.std(axis=0, ddof=1) / math.sqrt(len(many))
    assert (np.abs(products.mean(axis=0) - exact) < 4.5 * error + 0.008).all()
    means = np.array([draws.mean() for draws in many])
    assert abs(means.mean()) < 4.5 * means.std(ddof=1) / math.sqrt(len(many))


def test_draws_do_not_depend_on_how_many_follow_or_on_the_piece_nor_a_thompson_run_on_what_comes_later():
    points = np.random.default_rng(2).uniform(size=(1300, 2))
    one = prior_draws(points, KERNEL, 3, np.random.default_rng(5), features=64)
    more = prior_draws(points, KERNEL, 9, np.random.default_rng(5), features=64)
    np.testing.assert_allclose(one, more[:3], atol=1e-4)
    # One function over all pieces: equal points have equal values.
    points[1290] = points[3]
    again = prior_draws(points, KERNEL, 3, np.random.default_rng(5), features=64)
    np.testing.assert_allclose(again[:, 1290], again[:, 3], atol=1e-4)
    short, long = (run(Thompson(np.random.default_rng(2)), iterations=T, nugget=0.3)[1] for T in (5, 15))
    np.testing.assert_array_equal(short.rows, long.rows[:8])


@pytest.mark.parametrize("name", ["ucb", "ucb/5", "ei", "thompson"])
@pytest.mark.parametrize("once", [False, True])
def test_a_replay_says_why_each_row_was_asked_for(name, once):
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
def test_once_is_once(name):
    def used():
        return rule(name, delta_ucb=0.05, once=True, rng=np.random.default_rng(0))

    _, trace = run(used(), iterations=9, initial=(2, 5, 2), n=11)
    assert sorted(trace.rows[1:]) == list(range(11))
    with pytest.raises(ValueError, match=r"iterations \(T\) is 10 after 2 initial rows"):
        run(used(), iterations=10, initial=(2, 5), n=11)
    _, again = run(rule(name, delta_ucb=0.05, once=False, rng=np.random.default_rng(0)), iterations=11, n=11)
    assert len(set(again.rows)) < len(again.rows)


def test_the_neighbour_search_goes_to_the_nearest_row_of_the_best():
    points = np.array([[0.0], [1.0], [2.1], [3.3], [10.0]])
    answers = {0: 0.0, 1: 1.0, 2: 0.5, 3: 9.0, 4: 2.0}
    rows, _ = search(neighbour_queries(points, iterations=4, initial_rows=[0]), answers.get)
    assert rows == [0, 1, 2, 3, 4]
    rows, _ = search(neighbour_queries(points, iterations=2, initial_rows=[4, 0]), answers.get)
    assert rows == [4, 0, 3, 2]
    with pytest.raises(ValueError, match="too few"):
        search(neighbour_queries(points, iterations=5, initial_rows=[0]), answers.get)


test_unknown_searches_and_factors_are_named = refusals(
    (lambda: rule("best", delta_ucb=0.05, once=False, rng=np.random.default_rng(0)), "search is 'best'"),
    (lambda: UpperBound(0.05, 0.0), "factor is 0"),
)


def test_rank_counts_the_rows_that_are_strictly_better():
    f = np.array([0.0, 5.0, 3.0, 9.0, 5.0, 1.0])
    trace = pb.bo.Trace.of([0, 5, 2, 1, 0, 3], [0.0] * 6, f, initial=1)
    np.testing.assert_array_equal(trace.rank, [5, 4, 2, 2, 1])
    np.testing.assert_array_equal(trace.head(3).rank, [5, 4, 2])
    assert pb.bo.Trace.of([0, 1], [1.0, 2.0], None, 1).rank.tolist() == [0]
