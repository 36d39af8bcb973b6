"""Audits that are watched: whatever the number of looks, a true claim is refuted as rarely as stated."""

import numpy as np
import pytest
from scipy.stats import beta

import privbo_core as pb
from tests.helpers.amounts import few

SIZES = tuple(pb.audit.portions(2000, 100))
DELTA = 1e-5


def noise(name, share):
    """Return a mechanism with this share of the noise that ε = 1 takes, its δ, and whether it is Gaussian."""
    if name == "laplace":
        return lambda x, trials, rng: x + rng.laplace(0.0, share, trials), 0.0, False
    sigma = share * pb.privacy.gaussian_sigma(1.0, DELTA, 1.0)
    return lambda x, trials, rng: x + sigma * rng.standard_normal(trials), DELTA, True


def looked_at(mechanism, delta, seed, sizes=SIZES, **options):
    """Every look at one audit between 0 and 1."""
    looks = pb.audit.Look.all(len(sizes))
    for look, (here, there) in zip(looks, pb.audit.in_portions(mechanism, (0.0, 1.0), sizes, seed), strict=True):
        yield pb.audit.judged(here, there, delta, look, **options)


@pytest.mark.parametrize("name", ["laplace", "gaussian"])
@pytest.mark.parametrize("confidence", [0.95, 0.7])
def test_any_look_refutes_a_true_claim_no_more_often_than_stated(name, confidence):
    mechanism, delta, gaussian = noise(name, 1.0)
    wrong, runs = 0, few(100, 200)
    for seed in range(runs):
        looks = looked_at(mechanism, delta, seed, confidence=confidence, gaussian=gaussian)
        wrong += any(found.verdict(1.0) == "refuted" for found in looks)
    assert len(SIZES) > 5
    assert beta.ppf(0.95, wrong + 1, runs - wrong) < 1 - confidence


@pytest.mark.parametrize("name", ["laplace", "gaussian"])
@pytest.mark.parametrize("seed", range(few(2, 5)))
def test_a_fifth_too_little_noise_is_still_refuted_while_one_looks(name, seed):
    mechanism, delta, gaussian = noise(name, 0.8)
    *before, last = looked_at(mechanism, delta, seed, tuple(pb.audit.portions(60_000, 1000)), gaussian=gaussian)
    assert (last.verdict(1.0), last.trials, before[0].tested) == ("refuted", 60_000, 900)


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
