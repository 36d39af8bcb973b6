"""The kernel as inner products of vectors: exact roots and random features."""

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.gp import random_features, root
from privbo_core.gp.kernels import covariance


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


@pytest.mark.statistical
@pytest.mark.parametrize("family", [pb.gp.SquaredExponential, pb.gp.Matern52])
def test_random_features_approximate_the_kernel_and_have_its_norm(family):
    points = np.random.default_rng(0).uniform(size=(40, 2))
    kernel = family(0.5, 1.7)
    phi = random_features(points, kernel, 100_000, np.random.default_rng(1))
    np.testing.assert_allclose((phi**2).sum(axis=1), 1.7)
    # An average of 100 000 terms of size at most 2σ²: six standard errors are below 0.04.
    assert np.abs(phi @ phi.T - covariance(kernel, points, points)).max() < 0.04
