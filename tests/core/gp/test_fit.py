"""Maximum likelihood: the likelihood and its gradient, and hyperparameters that are found again."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.stats import multivariate_normal

import privbo_core as pb
from privbo_core.gp.fit import _NegativeLogLikelihood
from privbo_core.gp.kernels import covariance
from tests.helpers.amounts import few
from tests.helpers.refusing import refusals

KERNELS = [pb.gp.SquaredExponential, pb.gp.Matern52]


@pytest.mark.parametrize("family", KERNELS)
def test_the_likelihood_is_that_of_a_normal_vector_with_its_gradient(family):
    rng = np.random.default_rng(1)
    points, y = rng.normal(size=(30, 3)), rng.normal(size=30)
    likelihood = _NegativeLogLikelihood(points, y, family)
    theta = np.array([0.1, -0.5, 0.7, 0.3, -1.2])
    value, gradient = likelihood(theta)
    scaled = points / np.exp(theta[:3])
    k = covariance(family(1.0, np.exp(0.3)), scaled, scaled) + np.exp(-1.2) * np.eye(30)
    assert value == pytest.approx(-multivariate_normal(np.zeros(30), k).logpdf(y))
    np.testing.assert_allclose(gradient, approx_fprime(theta, lambda t: likelihood(t)[0], 1e-6), atol=2e-4)


@pytest.mark.parametrize("family", KERNELS[: few(1, 2)])
def test_a_fit_recovers_the_hyperparameters_of_a_draw(family):
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
    assert all((step.restarts, step.subset) == (3, 50) for step in steps)
    assert steps[0].log_likelihood <= steps[1].log_likelihood <= steps[2].log_likelihood


def test_the_reported_likelihood_is_that_of_the_reported_fit():
    """On all rows, in standard deviations of the points and of the outcomes."""
    rng = np.random.default_rng(3)
    points = rng.normal(size=(60, 2)) * [1.0, 50.0]
    y = 3.0 + 5.0 * np.sin(points[:, 0]) + rng.normal(size=60)
    *_, last = pb.gp.fitting(points, y, family=pb.gp.Matern52, restarts=2)
    kernel, noise, lengthscales = last.best
    scaled = points / lengthscales
    k = (covariance(kernel, scaled, scaled) + noise * np.eye(60)) / y.var()
    expected = multivariate_normal(np.zeros(60), k).logpdf((y - y.mean()) / y.std())
    assert last.log_likelihood == pytest.approx(expected, rel=1e-9)


def test_no_lengthscale_is_longer_than_allowed():
    rng = np.random.default_rng(4)
    points = rng.normal(size=(60, 2)) * [1.0, 7.0]
    found = pb.gp.fit(points, np.sin(2 * points[:, 0]), restarts=1, longest=5.0)
    assert found.lengthscales[0] < 2.0 * points[:, 0].std()
    assert found.lengthscales[1] == pytest.approx(5.0 * points[:, 1].std())


test_unusable_input_is_refused = refusals(
    (lambda: pb.gp.fit([[1.0, 0.0], [1.0, 2.0]], [0.0, 1.0]), "column 0 is constant"),
    (lambda: pb.gp.fit([[1.0], [2.0]], [3.0, 3.0]), "y is constant"),
    (lambda: pb.gp.fit([[1.0], [2.0]], [3.0]), "2 rows"),
    (lambda: pb.gp.fit([["a"], ["b"]], [3.0, 1.0]), "not a number"),
)
