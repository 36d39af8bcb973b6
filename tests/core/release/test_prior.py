"""What the theorems promise under the prior that they assume."""

import numpy as np
import pytest
from worked_example import R, grid

import privbo_core as pb


@pytest.mark.statistical
@pytest.mark.parametrize(("k1", "sigma", "kernel"), [(0.9, 0.1, "se"), (0.5, 0.5, "matern"), (0.0, 1.0, "se")])
def test_theorems_1_and_3_hold_under_the_assumed_prior(k1, sigma, kernel):
    delta, points = 0.1, np.linspace(0, 10, 120)[:, None]
    family = pb.gp.SquaredExponential if kernel == "se" else pb.gp.Matern52
    for variant in ("icml", "workshop"):
        *_, measured = R.coverage(
            points,
            R.Tuning(k1, sigma, 25, delta, variant, "greedy"),
            kernel=family(1.0),
            pairs=150,
            rng=np.random.default_rng(0),
        )
        assert measured.pairs == 150
        for theorem in (1, 3):
            assert measured.share(theorem) >= 1 - delta
            assert measured.slack(theorem) > 1
        assert measured.mean_moved.min() > 0


def test_pairs_have_the_prior_they_are_said_to_have():
    points, kernel = grid(8, 3.0)
    root, rng = R.two_task_roots(points, kernel), np.random.default_rng(0)
    pairs = np.array([np.concatenate(R.sample_pair(root, 0.7, rng)) for _ in range(40_000)])
    k2 = np.exp(-((points - points.T) ** 2) / 2)
    np.testing.assert_allclose(np.cov(pairs.T), np.kron([[1, 0.7], [0.7, 1]], k2), atol=0.03)


@pytest.mark.statistical
def test_the_workshops_noise_term_alone_is_too_small_for_what_it_bounds():
    """|max v − max f| + |max v′ − max f′| ≤ q should fail in at most δ/3 of cases; the ICML paper's q does about that.

    The sums of Theorem 3 hold all the same, because the other two terms are far too large.
    """
    points, kernel = np.linspace(0, 10, 100)[:, None], pb.gp.SquaredExponential(1.0)
    root, rng, delta = R.two_task_roots(points, kernel), np.random.default_rng(0), 0.1
    moved = []
    for _ in range(150):
        parts = []
        for f in R.sample_pair(root, 0.9, rng):
            run = R.optimise(points, f, kernel=kernel, sigma=0.5, iterations=50, delta=delta, rng=rng)
            parts.append(abs(run.observed.max() - f[run.rows].max()))
        moved.append(sum(parts))
    assert np.mean(np.array(moved) > R.noise_term(0.5, delta, "workshop")) > 5 * delta / 3
    assert np.mean(np.array(moved) > R.noise_term(0.5, delta, "icml")) < 3 * delta / 3
