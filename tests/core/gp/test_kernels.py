"""Kernels against their textbook forms, and squared distances."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.special import gamma as gamma_function
from scipy.special import kv

import privbo_core as pb
from privbo_core.gp.kernels import covariance
from tests.helpers.refusing import refusals

KERNELS = [pb.gp.SquaredExponential, pb.gp.Matern52]


@pytest.mark.parametrize("family", KERNELS)
@pytest.mark.parametrize("variance", [1.0, 2.5])
def test_a_kernel_matches_its_textbook_form(family, variance):
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(40, 3)), rng.normal(size=(30, 3))
    rho = cdist(a, b)
    if family is pb.gp.SquaredExponential:
        expected = np.exp(-(rho**2) / (2 * 0.7**2))
    else:  # the general Matérn form with ν = 5/2
        s = np.sqrt(5) * rho / 0.7
        expected = 2 ** (1 - 2.5) / gamma_function(2.5) * s**2.5 * kv(2.5, s)
    np.testing.assert_allclose(covariance(family(0.7, variance), a, b), variance * expected, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("family", KERNELS)
def test_the_slope_is_the_derivative_in_the_squared_distance(family):
    kernel, squared, h = family(0.7, 1.8), np.array([0.01, 0.3, 2.0, 20.0]), 1e-6
    difference = (kernel.profile(squared + h) - kernel.profile(squared - h)) / (2 * h)
    np.testing.assert_allclose(kernel.slope(squared), difference, rtol=1e-6, atol=1e-10)
    at_zero = (kernel.profile(np.array([h])) - kernel.variance) / h
    assert kernel.slope(np.zeros(1)) == pytest.approx(at_zero, rel=2e-3)


def test_squared_distances_survive_a_large_offset():
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(9, 3)), rng.normal(size=(7, 3))
    expected = cdist(a, b, "sqeuclidean")
    np.testing.assert_allclose(pb.gp.squared_distances(a, b), expected, rtol=1e-12)
    np.testing.assert_allclose(pb.gp.squared_distances(a + 1e6, b + 1e6), expected, atol=1e-8)
    same = pb.gp.squared_distances(a + 1e6, a + 1e6)
    assert (same >= 0).all()
    np.testing.assert_allclose(np.diag(same), 0, atol=1e-8)


test_unusable_parameters_are_refused = refusals(
    (lambda: pb.gp.SquaredExponential(0.0), "lengthscale is 0.0"),
    (lambda: pb.gp.Matern52(1.0, float("nan")), "variance is nan"),
)
