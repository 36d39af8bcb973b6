"""What the theorems promise under the prior that they assume."""

import math

import numpy as np
import pytest
from scipy.stats import beta, binom

import privbo_core as pb
from tests.helpers.amounts import few
from tests.helpers.worked_example import R, grid


@pytest.mark.parametrize(("k1", "sigma", "kernel"), [(0.9, 0.1, "se"), (0.5, 0.5, "matern"), (0.0, 1.0, "se")])
def test_theorems_1_and_3_hold_under_the_assumed_prior(k1, sigma, kernel):
    delta, points = 0.1, np.linspace(0, 10, 120)[:, None]
    family = pb.gp.SquaredExponential if kernel == "se" else pb.gp.Matern52
    for variant in ("icml", "workshop"):
        tuning = R.Tuning(k1, sigma, 25, delta, variant, "greedy")
        *_, measured = R.coverage(points, tuning, kernel=family(1.0), pairs=few(40, 150), rng=np.random.default_rng(0))
        assert measured.pairs == few(40, 150)
        for theorem in (1, 3):
            assert measured.share(theorem).value >= 1 - delta
            assert measured.share(theorem).verdict == "not refuted"
            assert measured.slack(theorem) > 1
        assert measured.mean_moved.min() > 0


def test_pairs_have_the_prior_they_are_said_to_have():
    points, kernel = grid(8, 3.0)
    root, rng = R.two_task_roots(points, kernel), np.random.default_rng(0)
    pairs = np.array([np.concatenate(R.sample_pair(root, 0.7, rng)) for _ in range(few(10_000, 40_000))])
    k2 = np.exp(-((points - points.T) ** 2) / 2)
    np.testing.assert_allclose(np.cov(pairs.T), np.kron([[1, 0.7], [0.7, 1]], k2), atol=few(0.06, 0.03))


def svm(iterations, variant="icml", pairs=60, **changed):
    """The coverage of Theorem 5 on the prior of the SVM task itself, after each pair."""
    task = pb.data.tuning_task("svm")
    given = {"A": 1.0, "tau": 0.1, "variant": variant, **changed}
    tuning = R.Tuning(0.99, 0.0, iterations, 1e-3, **given)
    return R.coverage(task.points, tuning, kernel=task.kernel, pairs=pairs, rng=np.random.default_rng(0))


@pytest.mark.parametrize(("iterations", "low", "high"), [(20, 0.2, 0.5), (50, 0.1, 0.3)])
def test_theorem_5_fails_on_its_prior_with_wrong_constants(iterations, low, high):
    """Promised to fail in one case out of 1000, with A = 1 and τ = 0.1 it does in about a third or a fifth."""
    seen = list(svm(iterations))
    share = seen[-1].share(5)
    assert low < 1 - share.value < high
    assert share.high < 1 - 0.05
    assert share.verdict == "refuted"
    assert seen[0].share(5).verdict == "not refuted", "one pair shows nothing"
    # What was refuted once, before all pairs were drawn, counts: the looks share the error.
    assert any(each.share(5).verdict == "refuted" for each in seen[:-1])
    assert seen[-1].share(1).verdict == "not refuted"
    with pytest.raises(ValueError, match="measured for 1 and 5"):
        seen[-1].share(3)


@pytest.mark.parametrize(("sigma", "variant"), [(0.2, "icml"), (0.0, "icml"), (0.0, "workshop")])
def test_coverage_measures_the_pairs_of_the_prior(sigma, variant):
    """Against the two searches of each pair, one after the other with the same random numbers."""
    (points, kernel), pairs = grid(40), 3
    tuning = R.Tuning(0.6, sigma, 8, 0.1, variant, A=1.0, tau=0.2)
    *_, found = R.coverage(points, tuning, kernel=kernel, pairs=pairs, rng=np.random.default_rng(4))
    root, rng = R.two_task_roots(points, kernel), np.random.default_rng(4)
    for pair in range(pairs):
        own, other = (tuning.search(points, f, kernel, rng) for f in R.sample_pair(root, 0.6, rng))
        assert found.mean_moved[pair] == pytest.approx(np.abs(own.mean - other.mean).max())
        if sigma:
            published = [each.observed.max() for each in (own, other)]
        elif variant == "icml":
            published = [each.observed[-1] for each in (own, other)]
        else:
            published = [each.observed[1:].max() for each in (own, other)]
        assert found.best_moved[pair] == pytest.approx(abs(published[0] - published[1]))
    held = (found.mean_moved <= found.theorem_1.value).sum()
    assert (found.share(1).held, found.share(1).cases) == (held, pairs)


def test_the_workshop_s_maximum_held_on_a_line():
    points, pairs = np.linspace(0, 10, 120)[:, None], few(40, 150)
    tuning = R.Tuning(0.99, 0.0, 20, 1e-3, "workshop", A=1.0, tau=0.1)
    *_, seen = R.coverage(
        points, tuning, kernel=pb.gp.SquaredExponential(1.0), pairs=pairs, rng=np.random.default_rng(0)
    )
    assert seen.share(5).held == seen.share(5).cases == pairs
    assert seen.theorem_5.quantity.startswith("|max")


def test_coverage_of_exact_observations_needs_a_and_tau():
    with pytest.raises(ValueError, match=r"tau is None. Algorithm 2's score needs .* A and τ"):
        svm(20, tau=None)
    with pytest.raises(ValueError, match="A is -1"):
        svm(20, A=-1.0)


def test_limits_of_a_share_are_clopper_and_pearsons():
    share = R.Share(95, 100, 0.99)
    assert (share.low, share.high) == pytest.approx((beta.ppf(0.025, 95, 6), beta.ppf(0.975, 96, 5)))
    assert share.verdict == "refuted"
    assert R.Share(95, 100, 0.97).verdict == "not refuted"
    assert (R.Share(0, 5, 0.5).low, R.Share(5, 5, 0.5).high) == (0.0, 1.0)
    assert R.Share(5, 5, 0.5).low == pytest.approx(0.025 ** (1 / 5))
    for call, words in [
        (lambda: R.Share(6, 5, 0.5), "held is 6"),
        (lambda: R.Look(3, 2), "number .* is 3. There are 2"),
        (lambda: R.Look(0, 2), "number .* is 0"),
    ]:
        with pytest.raises(ValueError, match=words):
            call()


def test_a_share_as_good_as_promised_is_not_refuted():
    """Exact probabilities: without limits a share equal to its promise is "refuted" in 38 % of trials of 100."""
    delta, cases = 0.05, 100
    failures = np.arange(cases + 1)
    chance = binom.pmf(failures, cases, delta)
    assert chance[failures > delta * cases].sum() == pytest.approx(0.38, abs=0.01)
    refuted = [R.Share(cases - k, cases, 1 - delta).verdict == "refuted" for k in failures]
    assert chance[refuted].sum() <= 0.025
    # With power where the promise is broken: a share of 0.85 is caught more often than not.
    assert binom.pmf(failures, cases, 0.15)[refuted].sum() > 0.8


def test_repeated_looks_err_no_more_often_than_stated():
    rng, delta, cases, runs = np.random.default_rng(0), 0.05, 100, 4000
    held = np.cumsum(rng.random((runs, cases)) >= delta, axis=1)
    looks = R.Look.all(cases)
    assert math.fsum(look.part for look in looks) == pytest.approx(1)

    def fewest(n, *confidence):
        """The fewest cases held that do not refute."""
        return next(h for h in range(n + 1) if R.Share(h, n, 1 - delta, *confidence).verdict == "not refuted")

    least = [fewest(n, look.confidence(0.95)) for n, look in enumerate(looks, start=1)]
    careless = [fewest(n) for n in range(1, cases + 1)]
    assert binom.sf(int((held < careless).any(axis=1).sum()), runs, 0.05) < 1e-6, "without sharing, too often"
    wrong = int((held < least).any(axis=1).sum())
    assert beta.ppf(0.95, wrong + 1, runs - wrong) < 0.05
    assert least[-1] >= careless[-1] - 1, "the last look loses one case at most"
