"""The real door for vectors: the noise's distribution, its grid and its stated loss; and noise of the L2 shape."""

import math
from fractions import Fraction

import numpy as np
import opendp.prelude as dp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from privbo_core.errors import DataError
from privbo_core.privacy import Gaussian, gaussian_sigma, release
from tests.helpers.refusing import refusals

FALSE_ALARM = 1e-9  # These draws have no seed: a right sampler may fail no more often than this.


def whole(values, mechanism, **options):
    *_, (done, released) = release.gaussian(values, mechanism, **options)
    assert done == np.size(values)
    return released


@pytest.fixture
def made(monkeypatch):
    """Return what the library's maker was asked for and made."""
    made, make = [], dp.m.make_gaussian

    def watched(domain, metric, scale, k):
        made.append((domain, scale, k, make(domain, metric, scale=scale, k=k)))
        return made[-1][-1]

    monkeypatch.setattr(dp.m, "make_gaussian", watched)
    return made


def looks_gaussian(noise, sigma, false_alarm=FALSE_ALARM):
    """Kolmogorov–Smirnov (Massart's inequality: exact) and Σ(x/σ)² ~ χ², each at half the false alarm."""
    distance = stats.kstest(noise / sigma, "norm").statistic
    squares = float(((noise / sigma) ** 2).sum())
    law = stats.chi2(len(noise))
    near = distance <= math.sqrt(math.log(2 / (false_alarm / 2)) / (2 * len(noise)))
    return near and law.ppf(false_alarm / 4) <= squares <= law.isf(false_alarm / 4)


@pytest.mark.parametrize(
    ("mechanism", "value"),
    [
        (Gaussian(1.0, 1.0, 1e-5), 7.3),
        (Gaussian(1e-9, 1.0, 1e-5), 0.0),  # σ tiny
        (Gaussian(1e-4, 5.0, 1e-5), 1e7),  # the values are huge beside the noise
        (Gaussian(1.0, 1e-3, 1e-5), -2.0),  # the noise is huge beside what it hides
        (Gaussian(1e12, 0.5, 1e-7), 3.0),
        (Gaussian(1.0, 400.0, 1e-5), 0.25),
    ],
)
def test_the_noise_is_gaussian_with_the_calibrated_deviation(mechanism, value):
    noise = whole(np.full(20_000, value), mechanism) - value
    assert [looks_gaussian(noise, share * mechanism.sigma) for share in (0.93, 1.0, 1.07)] == [False, True, False]
    assert abs(noise.mean()) < stats.norm.isf(FALSE_ALARM / 2) * mechanism.sigma / math.sqrt(len(noise))
    assert abs(np.corrcoef(noise[1:], noise[:-1])[0, 1]) < 7 / math.sqrt(len(noise)), "one entry tells the next"


def test_a_value_far_outside_keeps_its_size():
    released = whole([1e300, -1e300, 1e17, 0.0, 5e-324], Gaussian(1e-6, 1.0, 1e-5))
    np.testing.assert_allclose(released[:3], [1e300, -1e300, 1e17], rtol=1e-15)
    assert (np.abs(released[3:]) < 1e-3).all()
    assert (released[3:] != [0.0, 5e-324]).all()


@pytest.mark.parametrize("mechanism", [Gaussian(1.0, 1.0, 1e-5), Gaussian(0.3, 900.0, 1e-5), Gaussian(2.0, 1e-4, 1e-6)])
def test_releases_lie_on_the_grid(made, mechanism):
    # A sum of doubles would not: the last digits of 1/3 + noise tell 1/3 from its neighbour (Mironov 2012).
    released = whole(np.full(3000, 1.0 / 3.0), mechanism)
    (k,) = {k for *_, k, _ in made}
    step = 2.0**k
    assert step <= min(mechanism.sensitivity, mechanism.sigma) * 2.0**-60 < 2 * step
    large = released[np.abs(released) >= 2.0**50 * step]
    assert not any(Fraction(float(value)) % Fraction(step) for value in released)
    # Where the released doubles are coarser than the grid, they are its roundings, and use all their digits.
    odd = np.mean([Fraction(float(value) / math.ulp(value)) % 2 == 1 for value in large])
    assert abs(odd - 0.5) < stats.norm.isf(FALSE_ALARM / 2) * 0.5 / math.sqrt(len(large)) + 1e-3


@settings(max_examples=60)
@given(
    sensitivity=st.floats(1e-30, 1e30),
    epsilon=st.floats(1e-6, 1e6),
    delta=st.floats(1e-30, 0.5),
    size=st.integers(1, 10**7),
)
def test_the_stated_loss_is_never_above_the_calibrated_one(sensitivity, epsilon, delta, size):
    mechanism = Gaussian(sensitivity, epsilon, delta)
    make, scale = release._gaussian_noise(size, mechanism)
    sigma = gaussian_sigma(epsilon, delta, sensitivity)
    stated = make(scale, size).map(sensitivity)
    assert Fraction(stated) <= Fraction(sensitivity) ** 2 / (2 * Fraction(sigma) ** 2)
    # Only rounding steps above the smallest: no noise is given away.
    assert sigma <= scale <= sigma * (1 + 1e-12)


def test_chunks_are_drawn_at_the_scale_of_all_entries(made):
    mechanism = Gaussian(0.7, 1.3, 1e-6)
    released = release.gaussian(np.zeros((500, 5)), mechanism, chunk=800)
    steps = [(done, array.shape, np.isnan(array).sum()) for done, array in released]
    assert steps == [(done, (500, 5), 2500 - done) for done in (800, 1600, 2400, 2500)]
    sizes = [domain.size for domain, *_ in made]
    trials = sizes.index(800)
    assert set(sizes[:trials]) == {2500}
    assert sizes[trials:] == [800, 800, 800, 100]
    kept = made[trials - 1]
    assert all(again[1:3] == kept[1:3] for again in made[trials:])
    limit = Fraction(0.7) ** 2 / (2 * Fraction(mechanism.sigma) ** 2)
    assert kept[3].map(0.7) <= limit
    assert all(measurement.map(0.7) > limit for *_, measurement in made[: trials - 1])


def test_a_coarse_grid_is_paid_for_with_noise(made, monkeypatch):
    # √(10 000) steps of 2^-20 more than Δ: the map must say so, and the scale must follow it.
    monkeypatch.setattr(release, "_GRID_BITS", 20)
    mechanism = Gaussian(1.0, 1.0, 1e-5)
    whole(np.zeros(10_000), mechanism, chunk=5000)
    scale = made[-1][1]
    assert scale >= mechanism.sigma * (1 + 100 * 2.0**-20 * (1 - 1e-9))


def test_values_that_are_not_finite_are_refused_before_drawing(made):
    for bad in ([math.nan, 1.0], [1.0, math.inf], [[0.0], [-math.inf]], []):
        with pytest.raises(DataError, match="Only finite numbers can be released"):
            release.gaussian(bad, Gaussian(1.0, 1.0, 1e-5))
    assert not made


@pytest.mark.parametrize(("sensitivity", "multiplier"), [(0.5, 1.0), (3e-4, 2.0), (40.0, 0.3)])
def test_noise_by_its_multiplier_is_gaussian(sensitivity, multiplier, made):
    values = np.full((40, 50), 7.3)
    released = release.noisy(values, sensitivity, multiplier)
    assert released.shape == values.shape
    assert looks_gaussian((released - values).ravel(), sensitivity * multiplier)
    *_, measurement = made[-1]
    assert Fraction(measurement.map(sensitivity)) <= 1 / (2 * Fraction(multiplier) ** 2)


test_unusable_input_of_noise_by_multiplier_is_refused = refusals(
    (lambda: release.noisy([math.nan], 1.0, 1.0), "values"),
    (lambda: release.noisy([], 1.0, 1.0), "values"),
    (lambda: release.noisy([0.0], 0.0, 1.0), "sensitivity"),
    (lambda: release.noisy([0.0], 1.0, 0.0), "multiplier"),
    (lambda: release.noisy([0.0], 1.0, math.inf), "multiplier"),
)
