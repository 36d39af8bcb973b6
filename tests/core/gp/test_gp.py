"""The posterior, kernels, likelihood and features against direct computations, and how much inputs explain."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from scipy.spatial.distance import cdist
from scipy.special import gamma as gamma_function
from scipy.special import kv

import privbo_core as pb
from privbo_core.gp import random_features, root
from privbo_core.gp.fit import _Likelihood
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
    likelihood = _Likelihood(rng.normal(size=(30, 3)), rng.normal(size=30), family)
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
