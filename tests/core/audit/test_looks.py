"""Audits that are watched refute a true claim as rarely as stated; and the least error that a threshold reaches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, norm

import privbo_core as pb
from tests.helpers.amounts import few

SIZES = tuple(pb.audit.portions(2000, 100))
DELTA = 1e-5


def test_repeated_looks_rarely_refute_a_true_claim():
    """Of Gaussian noise. `test_running` has the same for Laplace noise and every look of a run."""
    sigma = pb.privacy.gaussian_sigma(1.0, DELTA, 1.0)
    looks, wrong, runs = pb.audit.Look.all(len(SIZES)), 0, few(100, 200)
    for seed in range(runs):
        trials = pb.audit.in_portions(
            lambda x, trials, rng: x + sigma * rng.standard_normal(trials), (0.0, 1.0), SIZES, seed
        )
        judged = (
            pb.audit.judged(here, there, DELTA, look, gaussian=True)
            for look, (here, there) in zip(looks, trials, strict=True)
        )
        wrong += any(found.verdict(1.0) == "refuted" for found in judged)
    assert len(SIZES) > 5
    assert beta.ppf(0.95, wrong + 1, runs - wrong) < 0.05


def test_the_last_look_loses_hardly_anything():
    rng = np.random.default_rng(0)
    here, there = rng.laplace(size=50_000), 1 + rng.laplace(size=50_000)
    once = pb.audit.judged(here, there, 0.0)
    last = pb.audit.judged(here, there, 0.0, pb.audit.Look(30, 30))
    assert (once.confidence, last.confidence) == pytest.approx((0.95, 0.96))
    assert 0.98 * once.epsilon < last.epsilon < once.epsilon
    first = pb.audit.judged(here[:1000], there[:1000], 0.0, pb.audit.Look(1, 30))
    assert 1 - first.confidence == pytest.approx(0.05 * 0.2 / 29)
    rng = np.random.default_rng(1)
    assert pb.audit.epsilon_lower_bound(lambda data, *_: (here, there)[data], 0, 1, 0.0, 50_000, 0.95, rng) == once


def test_trials_of_two_lengths_are_refused():
    with pytest.raises(ValueError, match="here has 20 outputs and there 30"):
        pb.audit.judged(np.zeros(20), np.zeros(30), 0.0)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("apart", [0.5, 2.0])
def test_the_least_error_on_gaussian_noise_is_the_best_test_s(apart, sign):
    """Φ(−μ/2) is the least error there is; no test errs less, and the limit is not below it."""
    rng, n = np.random.default_rng(0), 40_000
    here, there = sign * rng.standard_normal(n), sign * (rng.standard_normal(n) + apart)
    found, least = pb.audit.least_error(here, there), norm.cdf(-apart / 2)
    assert found.error == pytest.approx(least, abs=5 * np.sqrt(0.25 / n))
    assert found.error < found.at_most < found.error + 0.01
    assert found.at_most > least
    assert found.side == ("above" if sign > 0 else "below")
    assert found.tested == n // 2


@given(st.integers(0, 2**32 - 1), st.integers(5, 15), st.integers(1, 8))
def test_the_least_error_is_chosen_on_one_half_and_counted_on_the_other(seed, half, levels):
    rng = np.random.default_rng(seed)
    here, there = rng.integers(0, levels, (2, 2 * half)).astype(float)
    found = pb.audit.least_error(here, there)

    def errors(threshold, side, one, other):
        says = (lambda outputs: outputs > threshold) if side == "above" else (lambda outputs: outputs <= threshold)
        return says(one).sum() + (~says(other)).sum()

    tried = [(threshold, side) for threshold in np.arange(-0.5, levels) for side in ("above", "below")]
    least = min(errors(*each, here[:half], there[:half]) for each in tried)
    assert errors(found.threshold, found.side, here[:half], there[:half]) == least
    counted = errors(found.threshold, found.side, here[half:], there[half:])
    assert found.error == pytest.approx(counted / (2 * half))
    limits = []
    for rate in (found.alarms, found.misses):
        wrong = round(rate * half)
        limits.append(1.0 if wrong == half else beta.ppf(0.975, wrong + 1, half - wrong))
    assert found.at_most == pytest.approx(min(0.5, sum(limits) / 2))


def test_the_limit_of_the_least_error_covers_as_stated():
    rng, least, missed = np.random.default_rng(1), norm.cdf(-0.5), 0
    for _ in range(300):
        found = pb.audit.least_error(rng.standard_normal(60), rng.standard_normal(60) + 1)
        missed += found.at_most < least
    assert missed <= 15


def test_equal_outputs_have_the_error_of_a_coin():
    rng = np.random.default_rng(2)
    found = pb.audit.least_error(rng.standard_normal(5000), rng.standard_normal(5000))
    assert (found.error, found.at_most) == (pytest.approx(0.5, abs=0.03), 0.5)
    assert pb.audit.least_error(np.zeros(20), np.zeros(20)).error == 0.5
    for low, high in ((np.nextafter(1.0, 2.0), 1.0 + 2.0**-51), (1.6e308, 1.7e308)):  # half-way lies none, or ∞
        assert pb.audit.least_error(np.full(20, low), np.full(20, high)).error == 0.0


def test_separate_outputs_are_parted_half_way():
    found = pb.audit.least_error(np.linspace(0, 1, 20), np.linspace(3, 4, 20))
    assert found.error == 0 < found.at_most < 0.5
    assert 1 < found.threshold < 4


def test_every_look_spends_its_part():
    rng = np.random.default_rng(3)
    here, there = rng.standard_normal(1000), rng.standard_normal(1000) + 1
    first, alone = (pb.audit.least_error(here, there, pb.audit.Look.all(looks)[0]).at_most for looks in (5, 1))
    assert first > alone
    with pytest.raises(pb.DataError, match="equally many"):
        pb.audit.least_error(here, there[:5])
