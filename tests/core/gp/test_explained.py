"""How much of an outcome its inputs explain."""

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF

import privbo_core as pb
from privbo_core.gp import explained_share
from tests.helpers.amounts import few

KERNEL = pb.gp.SquaredExponential(1.0)


def test_it_is_the_error_on_rows_not_seen():
    rng = np.random.default_rng(0)
    x = rng.uniform(-3, 3, (60, 2))
    y = 5 + np.sin(x[:, 0]) + 0.3 * rng.standard_normal(60)
    found = explained_share(x, y, kernel=KERNEL, noise_variance=0.09, folds=3, rng=np.random.default_rng(1))
    order = np.random.default_rng(1).permutation(60)
    x, y = x[order], y[order]
    left, spread = np.empty(60), np.empty(60)
    for fold in range(3):
        out = np.arange(60) % 3 == fold
        mean = y[~out].mean()
        model = GaussianProcessRegressor(RBF(1.0, "fixed"), alpha=0.09, optimizer=None).fit(x[~out], y[~out] - mean)
        left[out], spread[out] = y[out] - mean - model.predict(x[out]), y[out] - mean
    assert found.share == pytest.approx(1 - (left**2).sum() / (spread**2).sum())
    assert found.rows == 60


def test_where_half_is_noise_it_is_about_a_half_and_its_error_is_what_it_varies_by():
    shares, errors, shuffled = [], [], []
    for seed in range(few(60, 200)):
        rng = np.random.default_rng(seed)
        x = rng.uniform(-3, 3, (150, 1))
        y = np.sqrt(2) * np.sin(2 * x[:, 0]) + rng.standard_normal(150)
        found = explained_share(x, y, kernel=KERNEL, noise_variance=1.0, rng=rng)
        shares.append(found.share)
        errors.append(found.standard_error)
        shuffled.append(found.shuffled)
        assert found.clear
    # What is learned from 120 rows is not perfect, so it is a little below the 0.5 (of about σ² sin²) that there is.
    assert 0.4 < np.mean(shares) < 0.5
    assert np.mean(errors) == pytest.approx(np.std(shares, ddof=1), rel=0.25)
    # Of a shuffled outcome less than nothing is explained: what is fitted is noise.
    assert -0.2 < np.mean(shuffled) < 0


def test_nothing_is_explained_of_a_constant():
    found = explained_share(np.arange(30.0)[:, None], np.ones(30), kernel=KERNEL, noise_variance=1.0,
                            rng=np.random.default_rng(0))  # fmt: skip
    assert (found.share, found.standard_error, found.clear) == (0.0, 0.0, False)
