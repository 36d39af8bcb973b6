"""Random features, draws from the prior, and roots of the kernel matrix."""

import math

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.gp import prior_draws, random_features, root
from privbo_core.gp.kernels import covariance
from tests.helpers.amounts import few

KERNELS = [pb.gp.SquaredExponential, pb.gp.Matern52]


@pytest.mark.parametrize("family", KERNELS)
def test_random_features_approximate_the_kernel_and_have_its_norm(family):
    points = np.random.default_rng(0).uniform(size=(40, 2))
    kernel = family(0.5, 1.7)
    phi = random_features(points, kernel, 100_000, np.random.default_rng(1))
    np.testing.assert_allclose((phi**2).sum(axis=1), 1.7)
    # An average of 100 000 terms of size at most 2σ²: six standard errors are below 0.04.
    assert np.abs(phi @ phi.T - covariance(kernel, points, points)).max() < 0.04


@pytest.mark.parametrize("family", KERNELS)
def test_prior_draws_have_the_covariance_of_the_kernel(family):
    points, kernel = np.random.default_rng(7).uniform(-4, 4, size=(25, 2)), family(1.3, 2.0)
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


def test_prior_draws_do_not_depend_on_their_number_or_on_chunks():
    kernel, points = pb.gp.SquaredExponential(1.3, 2.0), np.random.default_rng(2).uniform(size=(1300, 2))
    one = prior_draws(points, kernel, 3, np.random.default_rng(5), features=64)
    more = prior_draws(points, kernel, 9, np.random.default_rng(5), features=64)
    np.testing.assert_allclose(one, more[:3], atol=1e-4)
    # One function over all chunks: equal points have equal values.
    points[1290] = points[3]
    again = prior_draws(points, kernel, 3, np.random.default_rng(5), features=64)
    np.testing.assert_allclose(again[:, 1290], again[:, 3], atol=1e-4)


@pytest.mark.parametrize("family", KERNELS)
def test_a_root_multiplies_out_to_the_kernel_matrix(family):
    points = np.random.default_rng(0).uniform(size=(150, 2))
    kernel = family(0.4, 2.0)
    factor = root(points, kernel, 1e-9)
    remaining = covariance(kernel, points, points) - factor @ factor.T
    assert np.abs(remaining).max() <= 2.0 * 1e-9 + 1e-12
    assert (factor.shape[1] < 100) == (family is pb.gp.SquaredExponential)
    equal = points[[0, 0, 1]]
    np.testing.assert_allclose(root(equal, kernel) @ root(equal, kernel).T, covariance(kernel, equal, equal), atol=1e-9)
