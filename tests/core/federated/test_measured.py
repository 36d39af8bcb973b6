"""Agents measured at different points: the common grid, and each agent's model on it."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF

from privbo_core.federated.measured import common_grid, measured, read_off

LENGTHSCALES, NOISE = np.array([2.0, 30.0]), 0.05


def table(agents=3, seed=0):
    """Return a table in which each agent has 20 points of its own, some of them with repeats."""
    rng = np.random.default_rng(seed)
    rows = []
    for agent in range(agents):
        points = rng.uniform(0, [10, 100], (20, 2)).round(2)
        for repeat in range(2):
            rows += [
                (f"site {agent}", x, y, np.sin(x) + y / 50 + 0.1 * rng.normal()) for x, y in points[: 20 - 15 * repeat]
            ]
    return pd.DataFrame(rows, columns=["who", "x", "y", "effect"])


def test_a_small_grid_is_kept_whole():
    points = np.random.default_rng(0).uniform(size=(400, 2))
    np.testing.assert_array_equal(common_grid(points), points)


def test_a_large_grid_is_thinned_evenly():
    """No point is farther from the chosen ones than these are from each other, in shares of the ranges."""
    points = np.random.default_rng(0).uniform(0, [1, 1000], (600, 2))
    grid = common_grid(points)
    assert len(grid) == 300
    one, other = (each / [1, 1000] for each in (points, grid))
    gaps = cdist(other, other)
    gaps[np.diag_indices(300)] = np.inf
    assert cdist(one, other).min(axis=1).max() <= gaps.min() * (1 + 1e-2)


def test_each_agent_is_modelled_from_its_own_values():
    """Against scikit-learn's regressor, with less noise where a value is a mean of repeats."""
    found = measured(table(), "who", ["x", "y"], "effect", sign=-1.0)
    grid, scaled = found.grid[::7], found.centred()
    objectives, error = read_off(found, scaled, grid, LENGTHSCALES, NOISE)
    missed = []
    for agent in range(3):
        own = found.who == agent
        x, y, alpha = found.points[own] / LENGTHSCALES, scaled[own], NOISE / found.counts[own] + 1e-10
        assert sorted(set(found.counts[own])) == [1, 2]
        model = GaussianProcessRegressor(RBF(1.0), alpha=alpha, optimizer=None).fit(x, y)
        np.testing.assert_allclose(objectives[agent], model.predict(grid / LENGTHSCALES), atol=1e-8)
        for out in range(len(y)):
            rest = np.arange(len(y)) != out
            model = GaussianProcessRegressor(RBF(1.0), alpha=alpha[rest], optimizer=None).fit(x[rest], y[rest])
            missed.append(y[out] - model.predict(x[[out]])[0])
    assert error == pytest.approx(np.sqrt(np.mean(np.square(missed))))


def test_values_are_means_of_repeats_centred_for_each_agent():
    rows = table()
    found = measured(rows, "who", ["x", "y"], "effect", sign=-1.0)
    means = rows.groupby(["who", "x", "y"])["effect"].mean()
    for agent, name in enumerate(found.agents):
        own = found.who == agent
        expected = [-means[name, x, y] for x, y in found.points[own]]
        np.testing.assert_allclose(found.means[own], expected)
        np.testing.assert_allclose(found.centred()[own], np.array(expected) - np.mean(expected))
    assert not found.shared
