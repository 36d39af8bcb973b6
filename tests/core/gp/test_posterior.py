"""The posterior against dense solves, observed one by one or all at once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

import privbo_core as pb
from privbo_core.gp import posterior as module
from tests.helpers.amounts import few
from tests.helpers.refusing import refusals

KERNELS = [pb.gp.SquaredExponential, pb.gp.Matern52]
ANY_KERNEL = st.one_of(*(st.builds(family, st.floats(0.1, 20), st.just(1.3)) for family in KERNELS))


def dense(kernel, points, rows, y, noise, nugget=0.0):
    """Return the mean and the covariance of the posterior by one solve with the whole matrix."""
    k = kernel.profile(cdist(points, points, "sqeuclidean")) + nugget * np.eye(len(points))
    gain = np.linalg.solve(k[np.ix_(rows, rows)] + noise * np.eye(len(rows)), k[rows]).T
    return gain @ y, k - gain @ k[rows]


def observe_one_by_one(posterior, rows, ys):
    for row, y in zip(rows, ys, strict=True):
        posterior.observe(int(row), float(y))


@settings(max_examples=few(50, 400))
@given(
    seed=st.integers(0, 2**32 - 1),
    family=st.sampled_from(KERNELS),
    shape=st.tuples(st.integers(2, 60), st.integers(1, 6)),
    lengthscale=st.floats(0.1, 20),
    variance=st.floats(0.05, 4),
    noises=st.tuples(st.floats(1e-3, 2), st.sampled_from([0.0, 0.4])),
    offset=st.floats(-1e3, 1e3),
)
def test_the_posterior_agrees_with_a_dense_solve(seed, family, shape, lengthscale, variance, noises, offset):
    rng, n = np.random.default_rng(seed), shape[0]
    points = rng.normal(size=shape) * 5 + offset
    points[n // 2] = points[0]  # duplicate points
    rows = rng.integers(n, size=rng.integers(1, 40))  # repeated rows, any order
    y = rng.normal(size=len(rows)) * 3
    kernel, (noise, nugget) = family(lengthscale, variance), noises
    posterior = pb.gp.Posterior(points, kernel, noise, nugget=nugget)
    observe_one_by_one(posterior, rows, y)
    mean, covariance = dense(kernel, points, rows, y, noise, nugget)
    np.testing.assert_allclose(posterior.mean, mean, atol=1e-8, rtol=1e-8)
    np.testing.assert_allclose(posterior.variance, np.diag(covariance), atol=1e-8)


@pytest.mark.parametrize("nugget", [0.0, 0.4])
def test_conditioned_draws_have_the_moments_of_the_posterior(nugget):
    kernel, noise, n, count = pb.gp.SquaredExponential(1.3, 2.0), 0.05, 25, 20_000
    rng = np.random.default_rng(3)
    points = rng.uniform(-2, 2, size=(n, 2))
    posterior = pb.gp.Posterior(points, kernel, noise, nugget=nugget)
    seen = [5, 17, 5, 20, 13, 8, 9]
    y = np.sin(points[seen, 0]) + 0.2 * rng.standard_normal(len(seen))
    observe_one_by_one(posterior, seen, y)
    k = kernel.profile(cdist(points, points, "sqeuclidean")) + (nugget + 1e-10) * np.eye(n)
    prior = rng.standard_normal((count, n)) @ np.linalg.cholesky(k).T
    draws = np.array([posterior.conditioned(each, rng) for each in prior])
    mean, covariance = dense(kernel, points, seen, y, noise, nugget)
    variances = np.maximum(np.diag(covariance), 1e-9)
    # 25 means and 325 covariances: one of them exceeds 5 standard errors once in 5,000 times.
    assert (np.abs(draws.mean(axis=0) - mean) < 5 * np.sqrt(variances / count)).all()
    error = np.sqrt((covariance**2 + np.outer(variances, variances)) / count)
    assert (np.abs(np.cov(draws.T) - covariance) < 5 * error + 1e-9).all()


def test_without_observations_conditioning_copies_the_prior_draw():
    posterior, prior = pb.gp.Posterior([[0.0], [1.0]], pb.gp.Matern52(1.0), 0.1), np.arange(2.0)
    found = posterior.conditioned(prior, np.random.default_rng(0))
    np.testing.assert_array_equal(found, prior)
    assert found is not prior


def assert_same(one, other, tolerance):
    assert (one.t, one.rows) == (other.t, other.rows)
    np.testing.assert_allclose(one.mean, other.mean, atol=tolerance, rtol=1e-9)
    np.testing.assert_allclose(one.variance, other.variance, atol=tolerance)
    draw = np.sin(np.arange(one.n))
    ours, theirs = (each.conditioned(draw, np.random.default_rng(1)) for each in (one, other))
    np.testing.assert_allclose(ours, theirs, atol=10 * tolerance, rtol=1e-8)


@settings(max_examples=few(50, 400))
@given(
    seed=st.integers(0, 2**32 - 1),
    kernel=ANY_KERNEL,
    shape=st.tuples(st.integers(2, 80), st.integers(1, 6)),
    noise=st.floats(1e-2, 2),
    nugget=st.sampled_from([0.0, 0.3]),
    parts=st.tuples(st.integers(0, 8), st.integers(0, 30), st.integers(0, 8)),
    chunk=st.sampled_from([1, 7, 1024]),
)
def test_observing_all_at_once_equals_one_by_one(seed, kernel, shape, noise, nugget, parts, chunk):
    rng, n = np.random.default_rng(seed), shape[0]
    points = rng.normal(size=shape) * 5
    points[n // 2] = points[0]  # two rows at one place
    one, other = (pb.gp.Posterior(points, kernel, noise, capacity=2, nugget=nugget) for _ in range(2))
    before, rows, after = (rng.integers(n, size=count) for count in parts)  # repeated rows, in any order
    ys = [rng.normal(size=count) * 3 for count in parts]
    # Distances are differences of squares: they round with |x|²/ℓ², and little noise makes more of that.
    tolerance = 1e-9 + 1e-14 * np.square(points).sum(axis=1).max() / kernel.lengthscale**2 / noise
    for each in (one, other):
        observe_one_by_one(each, before, ys[0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK_ROWS", chunk)
        one.observe_all(rows, ys[1])
    observe_one_by_one(other, rows, ys[1])
    assert_same(one, other, tolerance)
    for each in (one, other):
        observe_one_by_one(each, after, ys[2])
    assert_same(one, other, tolerance)


def test_close_rows_with_almost_no_noise_can_be_observed():
    points = np.array([[0.0], [0.0], [1e-9], [3.0]])
    posterior = pb.gp.Posterior(points, pb.gp.SquaredExponential(1.0), 1e-18)
    posterior.observe_all([0, 1, 2, 0], [1.0, 1.0, 1.0, 1.0])
    assert posterior.rows == [0, 1, 2, 0]
    np.testing.assert_allclose(posterior.mean[:3], 1.0, atol=1e-6)
    assert posterior.variance[3] > 0.9


@pytest.mark.parametrize(
    ("rows", "ys", "words"),
    [
        ([0, 3], [1.0, 2.0], "0 to 2"),
        ([0, 0.5], [1.0, 2.0], "0 to 2"),
        ([0, 1], [1.0, np.nan], "nan in row 1"),
        ([0, 1], [1.0], "each of the 2 rows"),
        ([0], ["much"], "not a number"),
    ],
)
def test_unusable_observations_change_nothing(rows, ys, words):
    posterior = pb.gp.Posterior([[0.0], [1.0], [2.0]], pb.gp.SquaredExponential(1.0), 0.1)
    posterior.observe(1, 2.0)
    mean, variance = posterior.mean.copy(), posterior.variance.copy()
    with pytest.raises(ValueError, match=words):
        posterior.observe_all(rows, ys)
    assert posterior.rows == [1]
    np.testing.assert_array_equal(posterior.mean, mean)
    np.testing.assert_array_equal(posterior.variance, variance)


def of(points, noise_variance=0.1):
    return pb.gp.Posterior(points, pb.gp.SquaredExponential(1.0), noise_variance)


test_unusable_input_is_refused = refusals(
    (lambda: of([[0.0], [np.nan]]), "points holds nan in row 1"),
    (lambda: of([[0.0], [1.0]], 0.0), "noise_variance is 0.0"),
    (lambda: of([[0.0], [1.0]]).observe(2, 1.0), "0 to 1"),
    (lambda: of([[0.0]]).observe(0, np.inf), "y is inf"),
)
