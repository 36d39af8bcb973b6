"""The problems made by a formula."""

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.data.samples import branin_values
from tests.helpers.amounts import few
from tests.helpers.refusing import refusals


def test_the_default_grid_is_the_papers():
    problem = pb.data.sample("synthetic")
    assert (problem.n, problem.d) == (10_000, 2)
    assert np.sqrt((problem.points**2).sum(axis=1)).max() == pytest.approx(25.0)
    np.testing.assert_allclose(problem.points.mean(axis=0), 0.0, atol=1e-12)
    # One unit of protected distance leads back to the grid's own units.
    moved = problem.original[0] + np.array([problem.unit_distance[0], 0.0])
    scale = 1.0 / problem.unit_distance
    assert np.linalg.norm((moved - problem.original[0]) * scale) == pytest.approx(1.0)
    np.testing.assert_allclose(problem.original * scale, problem.points, atol=1e-9)


def test_draws_have_the_covariance_that_they_claim():
    draws = np.array([pb.data.synthetic(side=8, seed=seed).objective for seed in range(few(1000, 4000))])
    problem = pb.data.synthetic(side=8)
    distance = ((problem.points[:, None] - problem.points[None]) ** 2).sum(-1)
    expected = np.exp(-distance / (2 * problem.kernel.lengthscale**2))
    # The standard error of a covariance of unit normals is at most √2/√draws.
    assert np.abs(np.cov(draws.T) - expected).max() < 5 * np.sqrt(2 / len(draws))
    assert np.abs(draws.mean(axis=0)).max() < 5 / np.sqrt(len(draws))


def test_branin_has_its_three_known_minima():
    minima = np.array([[-np.pi, 12.275], [np.pi, 2.275], [9.42478, 2.475]])
    np.testing.assert_allclose(branin_values(minima), 0.397887, atol=1e-6)
    problem = pb.data.sample("branin")
    assert not problem.maximize
    best = problem.original[problem.objective.argmax()]
    assert np.linalg.norm(minima - best, axis=1).min() < 0.3


def test_branin_keeps_the_hyperparameters_that_a_fit_finds():
    problem = pb.data.sample("branin")
    kernel, noise, lengthscales = pb.gp.fit(problem.points, problem.objective, restarts=few(1, 3))
    np.testing.assert_allclose(lengthscales, problem.kernel.lengthscale, rtol=0.1)
    assert kernel.variance == pytest.approx(problem.kernel.variance, rel=0.3)
    assert 0.1 < noise / problem.noise_variance < 10


test_unknown_names_and_bad_shapes_are_named = refusals(
    (lambda: pb.data.sample("nothing"), "'synthetic', 'branin'"),
    (lambda: pb.data.synthetic(side=1), "side is 1"),
    (lambda: pb.data.normalise(np.ones((3, 2))), "all rows are equal"),
)
