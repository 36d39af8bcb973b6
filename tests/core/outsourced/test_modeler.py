"""The analyst of a noisy release: what it asks for next, and what it makes of what it is told."""

import math

import numpy as np
import pytest
from scipy.optimize import check_grad
from scipy.spatial.distance import cdist
from scipy.stats import multivariate_normal, norm

from privbo_core.data import Frame, FrameColumn
from privbo_core.errors import DataError
from privbo_core.outsourced import Modeler, noisy_release
from privbo_core.outsourced.hyperparameters import _Density, learn
from tests.helpers.amounts import few

FRAME = Frame(
    (
        FrameColumn("age", "years", 0.0, 100.0, 4.0, 20.0),
        FrameColumn("dose", "mg", 0.0, 10.0, 0.5, None),
    )
)
EXACT = np.random.default_rng(0).uniform([0.0, 0.0], [100.0, 10.0], (150, 2))
OUTCOMES = 50.0 - ((EXACT[:, 0] - 70.0) / 10.0) ** 2 + 3.0 * np.sin(EXACT[:, 1])


def released(points=EXACT, epsilon=8.0, seed=1):
    rng = np.random.default_rng(seed)
    return noisy_release(FRAME.place(points), epsilon, 1e-5, bounds=FRAME.bounds, rng=rng)


def run(modeler, evaluations, outcomes=OUTCOMES):
    """Carry a search on; return the rows in the order asked."""
    rows = []
    for _ in range(evaluations):
        row = modeler.ask()
        assert row == modeler.ask(), "the same one until something is told"
        modeler.tell(row, outcomes[row])
        rows.append(row)
    return rows


def test_every_row_is_asked_for_once_and_then_there_is_none():
    modeler = Modeler(released(EXACT[:12]), FRAME)
    modeler.tell(4, OUTCOMES[4])
    assert sorted([4, *run(modeler, 11)]) == list(range(12))
    with pytest.raises(DataError, match="none left"):
        modeler.ask()


def test_a_search_finds_the_best_of_many_through_the_noise():
    """Thirty of 150 rows, in another order and with other noise in each run.

    Random search finds the best in a fifth of its runs, so it would do so in four of four once in 600 times.
    """
    hill = np.exp(-0.5 * ((EXACT[:, 0] - 70.0) / 15.0) ** 2 - 0.5 * ((EXACT[:, 1] - 3.0) / 2.0) ** 2)
    found, tries = 0, few(4, 10)
    for seed in range(tries):
        order = np.random.default_rng(seed).permutation(150)
        modeler = Modeler(released(EXACT[order], 3.0, seed), FRAME)
        run(modeler, 30, hill[order])
        found += int(modeler.best.outcome == hill.max())
    assert found >= 0.8 * tries


def test_the_next_row_has_the_highest_bound_of_a_dense_solve():
    release = released()
    modeler = Modeler(release, FRAME)
    told = run(modeler, 12)
    y = np.array([OUTCOMES[row] for row in told])
    found = learn(release.Z[told], y, sigma=release.sigma, frame=FRAME)
    wide = np.sqrt(found.lengthscales**2 + 2.0 * release.sigma**2)
    z = release.Z / wide
    k = found.variance * np.prod(found.lengthscales / wide) * np.exp(-0.5 * cdist(z, z, "sqeuclidean"))
    k[np.diag_indices(len(z))] = found.variance + found.noise_variance
    gain = np.linalg.solve(k[np.ix_(told, told)], k[told])
    mean = gain.T @ ((y - found.centre) / found.scale - found.mean)
    deviation = np.sqrt(np.maximum(np.diag(k) - np.einsum("ij,ij->j", k[told], gain), 0.0))
    beta = 2.0 * math.log(150 * 13**2 * math.pi**2 / (6.0 * 0.05 / 2.0))
    upper = mean + math.sqrt(beta) * deviation
    upper[told] = -np.inf
    assert modeler.ask() == upper.argmax()


@pytest.mark.parametrize("shift", [0.0, 0.3, -0.4])
def test_the_learned_density_is_likelihood_times_prior(shift):
    """With the documented priors: log ℓ has deviation 0.5 if it is given and 0.75 if not, and the mean is N(0, 1)."""
    release, rows = released(), np.arange(0, 150, 9)
    y = (OUTCOMES[rows] - OUTCOMES[rows].mean()) / OUTCOMES[rows].std()
    density = _Density(release.Z[rows], y, release.sigma, FRAME)
    medians = np.log([20.0 / 4.0, 0.25 * 10.0 / 0.5, 1.0, 1.0])
    np.testing.assert_allclose(density.median, medians)

    def expected(theta):
        lengthscales, variance, noise = np.exp(theta[:2]), np.exp(theta[2]), np.exp(theta[3])
        wide = np.sqrt(lengthscales**2 + 2 * release.sigma**2)
        z = release.Z[rows] / wide
        k = variance * np.prod(lengthscales / wide) * np.exp(-0.5 * cdist(z, z, "sqeuclidean"))
        k[np.diag_indices(len(k))] = variance + noise
        prior = norm.logpdf(theta, medians, [0.5, 0.75, 0.5, 1.0]).sum()
        # The mean is maximised over, not integrated out.
        ones = np.linalg.solve(k, np.ones(len(k)))
        mean = ones @ y / (ones.sum() + 1.0)
        likelihood = multivariate_normal(np.full(len(k), mean), k).logpdf(y)
        return -(likelihood + prior + norm.logpdf(mean))

    theta = density.median + shift * np.array([1.0, -1.0, 0.5, 2.0])
    difference = density(theta)[0] - density(density.median)[0]
    assert difference == pytest.approx(expected(theta) - expected(density.median), abs=1e-9)


def test_what_is_learned_follows_its_gradient():
    release = released()
    rows = np.arange(0, 150, 9)
    y = (OUTCOMES[rows] - OUTCOMES[rows].mean()) / OUTCOMES[rows].std()
    density = _Density(release.Z[rows], y, release.sigma, FRAME)
    for shift in (0.0, 0.3, -0.4):
        theta = density.median + shift
        off = check_grad(lambda at: density(at)[0], lambda at: density(at)[1], theta)
        assert off < 1e-4 * max(1.0, np.abs(density(theta)[1]).max())


def test_minimising_is_maximising_the_negative():
    up, down = Modeler(released(), FRAME), Modeler(released(), FRAME, maximize=False)
    assert run(up, 12) == run(down, 12, -OUTCOMES)
    assert (up.best.row, up.best.outcome) == (down.best.row, -down.best.outcome)
    assert up.best.outcome == max(up.outcomes.values())


def test_the_unit_of_the_outcome_does_not_matter():
    rows = run(Modeler(released(), FRAME), 12)
    for factor in (18.0, 1e90, 1e-90):
        assert run(Modeler(released(), FRAME), 12, OUTCOMES * factor) == rows, factor


def test_equal_outcomes_and_none_are_no_obstacle():
    modeler = Modeler(released(), FRAME)
    assert modeler.best is None
    assert len(set(run(modeler, 5, np.zeros(150)))) == 5
    assert modeler.best.outcome == 0.0


def test_unusable_outcomes_change_nothing():
    modeler = Modeler(released(), FRAME)
    modeler.tell(2, 1.0)
    for row in (-1, 150, 1.5, math.nan, "7", True):
        with pytest.raises(DataError, match=r"rows are 0 to 149"):
            modeler.tell(row, 1.0)
    for outcome in (math.nan, -math.inf):
        with pytest.raises(DataError, match="finite"):
            modeler.tell(5, outcome)
    assert modeler.outcomes == {2: 1.0}
    modeler.tell(np.int64(2), np.float32(1.5))
    assert modeler.outcomes == {2: 1.5}
    with pytest.raises(DataError, match="describe 1"):
        Modeler(released(), Frame(FRAME.columns[:1]))
