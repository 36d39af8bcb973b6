"""The posterior, kernels, likelihood and features against direct computations, observed one by one or all at once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from scipy.spatial.distance import cdist
from scipy.special import gamma as gamma_function
from scipy.special import kv

import privbo_core as pb
from privbo_core.gp import posterior as module
from privbo_core.gp import random_features, root
from privbo_core.gp.fit import _NegativeLogLikelihood
from privbo_core.gp.kernels import covariance
from tests.helpers.amounts import few
from tests.helpers.refusing import refusals

KERNELS = [pb.gp.SquaredExponential, pb.gp.Matern52]


@pytest.mark.parametrize("family", KERNELS)
def test_kernel_matches_its_textbook_form(family):
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(40, 3)), rng.normal(size=(30, 3))
    rho = cdist(a, b)
    if family is pb.gp.SquaredExponential:
        expected = 2.5 * np.exp(-(rho**2) / (2 * 0.7**2))
    else:  # the general Matérn form with ν = 5/2
        s = np.sqrt(5) * rho / 0.7
        expected = 2.5 * 2 ** (1 - 2.5) / gamma_function(2.5) * s**2.5 * kv(2.5, s)
    np.testing.assert_allclose(covariance(family(0.7, 2.5), a, b), expected, rtol=1e-10, atol=1e-13)


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
def test_posterior_agrees_with_a_dense_solve(seed, family, shape, lengthscale, variance, noises, offset):
    rng, n = np.random.default_rng(seed), shape[0]
    points = rng.normal(size=shape) * 5 + offset
    points[n // 2] = points[0]  # duplicate points
    rows = rng.integers(n, size=rng.integers(1, 40))  # repeated rows, any order
    y = rng.normal(size=len(rows)) * 3
    kernel, (noise, nugget) = family(lengthscale, variance), noises
    posterior = pb.gp.Posterior(points, kernel, noise, nugget=nugget)
    for row, value in zip(rows, y, strict=True):
        posterior.observe(int(row), value)
    distances = cdist(points, points, "sqeuclidean")
    k = kernel.profile(distances) + nugget * np.eye(n)
    gram = k[np.ix_(rows, rows)] + noise * np.eye(len(rows))
    np.testing.assert_allclose(posterior.mean, k[:, rows] @ np.linalg.solve(gram, y), atol=1e-8, rtol=1e-8)
    expected = variance + nugget - np.einsum("ij,ji->i", k[:, rows], np.linalg.solve(gram, k[rows]))
    np.testing.assert_allclose(posterior.variance, expected, atol=1e-8)


@pytest.mark.parametrize("family", KERNELS)
def test_likelihood_gradient_agrees_with_differences(family):
    rng = np.random.default_rng(1)
    likelihood = _NegativeLogLikelihood(rng.normal(size=(30, 3)), rng.normal(size=30), family)
    theta = np.array([0.1, -0.5, 0.7, 0.3, -1.2])
    value, gradient = likelihood(theta)
    np.testing.assert_allclose(gradient, approx_fprime(theta, lambda t: likelihood(t)[0], 1e-6), atol=2e-4)
    assert np.isfinite(value)


@pytest.mark.parametrize("family", KERNELS[: few(1, 2)])
def test_fit_recovers_the_lengthscales_of_a_draw(family):
    rng = np.random.default_rng(5)
    true = np.array([0.8, 3.0])
    points = rng.uniform(-5, 5, size=(500, 2))
    k = covariance(family(1.0, 4.0), points / true, points / true)
    y = 7 + np.linalg.cholesky(k + 1e-10 * np.eye(500)) @ rng.normal(size=500) + 0.2 * rng.normal(size=500)
    kernel, noise, lengthscales = pb.gp.fit(points, y, family=family, rng=rng)
    np.testing.assert_allclose(np.log(lengthscales), np.log(true), atol=0.25)
    assert kernel.lengthscale == 1.0
    assert 1.0 < kernel.variance < 16.0
    assert 0.02 < noise < 0.08


def test_fitting_reports_each_restart_and_never_gets_worse():
    rng = np.random.default_rng(2)
    points = rng.normal(size=(80, 2))
    steps = list(pb.gp.fitting(points, np.sin(points[:, 0]), restarts=3, subset=50))
    assert [step.done for step in steps] == [1, 2, 3]
    assert all(step.subset == 50 for step in steps)
    assert steps[0].log_likelihood <= steps[1].log_likelihood <= steps[2].log_likelihood


KERNEL = pb.gp.SquaredExponential(1.0)
test_bad_input_is_named = refusals(
    (lambda: pb.gp.SquaredExponential(0.0), "lengthscale is 0.0"),
    (lambda: pb.gp.Matern52(1.0, float("nan")), "variance is nan"),
    (lambda: pb.gp.Posterior([[0.0], [np.nan]], KERNEL, 0.1), "points holds nan in row 1"),
    (lambda: pb.gp.Posterior([[0.0], [1.0]], KERNEL, 0.0), "noise_variance is 0.0"),
    (lambda: pb.gp.Posterior([[0.0], [1.0]], KERNEL, 0.1).observe(2, 1.0), "0 to 1"),
    (lambda: pb.gp.Posterior([[0.0]], KERNEL, 0.1).observe(0, np.inf), "y is inf"),
    (lambda: pb.gp.fit([[1.0, 0.0], [1.0, 2.0]], [0.0, 1.0]), "column 0 is constant"),
    (lambda: pb.gp.fit([[1.0], [2.0]], [3.0, 3.0]), "y is constant"),
    (lambda: pb.gp.fit([[1.0], [2.0]], [3.0]), "2 rows"),
    (lambda: pb.gp.fit([["a"], ["b"]], [3.0, 1.0]), "not a number"),
)


@pytest.mark.parametrize("family", [pb.gp.SquaredExponential, pb.gp.Matern52])
def test_a_root_multiplies_out_to_the_kernel_matrix(family):
    points = np.random.default_rng(0).uniform(size=(150, 2))
    kernel = family(0.4, 2.0)
    factor = root(points, kernel, 1e-9)
    remaining = covariance(kernel, points, points) - factor @ factor.T
    assert np.abs(remaining).max() <= 2.0 * 1e-9 + 1e-12
    assert (factor.shape[1] < 100) == (family is pb.gp.SquaredExponential)
    np.testing.assert_allclose(
        root(points[[0, 0, 1]], kernel) @ root(points[[0, 0, 1]], kernel).T,
        covariance(kernel, points[[0, 0, 1]], points[[0, 0, 1]]),
        atol=1e-9,
    )  # equal points


@pytest.mark.parametrize("family", [pb.gp.SquaredExponential, pb.gp.Matern52])
def test_random_features_approximate_the_kernel_and_have_its_norm(family):
    points = np.random.default_rng(0).uniform(size=(40, 2))
    kernel = family(0.5, 1.7)
    phi = random_features(points, kernel, 100_000, np.random.default_rng(1))
    np.testing.assert_allclose((phi**2).sum(axis=1), 1.7)
    # An average of 100 000 terms of size at most 2σ²: six standard errors are below 0.04.
    assert np.abs(phi @ phi.T - covariance(kernel, points, points)).max() < 0.04


ANY_KERNEL = st.one_of(
    *(st.builds(family, st.floats(0.1, 20), st.just(1.3)) for family in (pb.gp.SquaredExponential, pb.gp.Matern52))
)


def one_by_one(posterior, rows, ys):
    for row, y in zip(rows, ys, strict=True):
        posterior.observe(int(row), float(y))


def same(one, other, tolerance):
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
def test_all_at_once_is_one_after_the_other(seed, kernel, shape, noise, nugget, parts, chunk):
    rng, n = np.random.default_rng(seed), shape[0]
    points = rng.normal(size=shape) * 5
    points[n // 2] = points[0]  # two rows at one place
    one, other = (pb.gp.Posterior(points, kernel, noise, capacity=2, nugget=nugget) for _ in range(2))
    before = rng.integers(n, size=parts[0])
    rows = rng.integers(n, size=parts[1])  # the same row more than once, in any order
    after = rng.integers(n, size=parts[2])
    ys = [rng.normal(size=count) * 3 for count in parts]
    # Distances are differences of squares: they round with |x|²/ℓ², and little noise makes more of that.
    tolerance = 1e-9 + 1e-14 * np.square(points).sum(axis=1).max() / kernel.lengthscale**2 / noise
    for each in (one, other):
        one_by_one(each, before, ys[0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK_ROWS", chunk)
        one.observe_all(rows, ys[1])
    one_by_one(other, rows, ys[1])
    same(one, other, tolerance)
    for each in (one, other):
        one_by_one(each, after, ys[2])
    same(one, other, tolerance)


def test_rows_that_lie_together_under_hardly_any_noise_are_taken_in_all_the_same():
    points = np.array([[0.0], [0.0], [1e-9], [3.0]])
    posterior = pb.gp.Posterior(points, pb.gp.SquaredExponential(1.0), 1e-18)
    posterior.observe_all([0, 1, 2, 0], [1.0, 1.0, 1.0, 1.0])
    assert posterior.rows == [0, 1, 2, 0]
    np.testing.assert_allclose(posterior.mean[:3], 1.0, atol=1e-6)
    assert posterior.variance[3] > 0.9


@pytest.mark.parametrize(
    ("rows", "ys", "words"),
    [([0, 3], [1.0, 2.0], "0 to 2"), ([0, 0.5], [1.0, 2.0], "0 to 2"), ([0, 1], [1.0, np.nan], "nan in row 1"),
     ([0, 1], [1.0], "each of the 2 rows"), ([0], ["much"], "not a number")],
)  # fmt: skip
def test_what_cannot_be_taken_in_leaves_everything_as_it_was(rows, ys, words):
    posterior = pb.gp.Posterior([[0.0], [1.0], [2.0]], pb.gp.SquaredExponential(1.0), 0.1)
    posterior.observe(1, 2.0)
    mean, variance = posterior.mean.copy(), posterior.variance.copy()
    with pytest.raises(ValueError, match=words):
        posterior.observe_all(rows, ys)
    assert posterior.rows == [1]
    np.testing.assert_array_equal(posterior.mean, mean)
    np.testing.assert_array_equal(posterior.variance, variance)
