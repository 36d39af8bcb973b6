"""The analytic calibration of Gaussian noise, and its inverses."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr
from scipy.stats import norm

from privbo_core.privacy import Gaussian, gaussian_delta, gaussian_epsilon, gaussian_sigma, group_epsilon
from tests.helpers.refusing import refusals


@given(st.floats(0.01, 8), st.floats(0.05, 6))
def test_delta_is_the_formula_of_balle_and_wang(epsilon, mu):
    expected = norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)
    assert gaussian_delta(epsilon, 1.0, mu) == pytest.approx(expected, rel=1e-6, abs=1e-14)
    assert gaussian_delta(epsilon, 3.0, 3.0 * mu) == pytest.approx(gaussian_delta(epsilon, 1.0, mu), rel=1e-12)


@pytest.mark.parametrize(
    ("epsilon", "delta", "sigma"),
    # Written out in 60-digit arithmetic; the first three are also the checked ones to the digits known.
    [
        (1.0, 1e-5, 3.7306316348159423),
        (math.exp(1.1), 1e-5, 1.388894149594738),
        (math.exp(2.0), 1e-5, 0.6411505270390482),
        (1e-8, 1e-300, 3634980269.0130367),
        (1e-3, 0.9, 0.30393363089464775),
        (1000.0, 1e-100, 0.035379541289937706),
        (50.0, 0.999999, 0.06276617739829213),
    ],
)
def test_sigma_has_the_checked_values(epsilon, delta, sigma):
    assert gaussian_sigma(epsilon, delta, 1.0) == pytest.approx(sigma, rel=1e-11)
    assert gaussian_sigma(epsilon, delta, 7.5) == pytest.approx(7.5 * sigma, rel=1e-11)


@given(epsilon=st.floats(1e-300, 1e300), delta=st.floats(1e-300, 1 - 1e-9))
def test_sigma_is_finite_for_any_epsilon_and_delta(epsilon, delta):
    sigma = gaussian_sigma(epsilon, delta, 1.0)
    assert 0 < sigma < math.inf
    assert Gaussian(1.0, epsilon, delta).sigma == sigma


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 3.0, 50.0])
@pytest.mark.parametrize("delta", [1e-12, 1e-5, 0.3])
def test_epsilon_undoes_sigma(epsilon, delta):
    sigma = gaussian_sigma(epsilon, delta, 2.0)
    assert gaussian_epsilon(delta, sigma, 2.0) == pytest.approx(epsilon, rel=1e-6)
    assert gaussian_epsilon(0.5, 1.0, 1.0) == 0.0
    # However much noise there is.
    most = gaussian_epsilon(delta, 1e9, 0.1)
    assert most == 0.0 or gaussian_delta(most, 1e9, 0.1) == pytest.approx(delta, rel=1e-6)


@pytest.mark.parametrize("mu", [1e-9, 1e-3, 1.0])
@pytest.mark.parametrize("below", [1e-6, 1e-10, 1e-13])
def test_epsilon_is_0_only_where_delta_alone_is_enough(mu, below):
    """Where the true ε was below 1e-12, 0 was returned."""
    enough = math.erf(mu / math.sqrt(8.0))
    delta = enough * (1.0 - below)
    # The profile falls from `enough` with a slope of −Φ(−μ/2) and is convex, so ε is at least this.
    least = (enough - delta) / ndtr(-0.5 * mu)
    assert gaussian_epsilon(delta, 1.0, mu) >= least * (1.0 - 1e-9) - 1e-15
    assert gaussian_epsilon(enough * (1.0 + 1e-12), 1.0, mu) == 0.0


@pytest.mark.parametrize(
    ("given", "times", "costs"), [((1, 1e-6), 2, 2.12), ((1, 1e-6), 10, 13.5), ((3, 1e-5), 10, 55.7)]
)
def test_group_epsilon_has_the_checked_values(given, times, costs):
    assert float(f"{group_epsilon(*given, times):.3g}") == costs


test_unusable_input_is_refused = refusals(
    (lambda: gaussian_sigma(0, 0.1, 1), "epsilon is 0"),
    (lambda: gaussian_sigma(math.nan, 0.1, 1), "epsilon is nan"),
    (lambda: gaussian_sigma(1, 1.0, 1), "delta is 1.0. It must lie strictly between 0 and 1"),
    (lambda: gaussian_sigma(1, 0.1, -1), "sensitivity is -1"),
    (lambda: group_epsilon(1, 0.1, 0), "times is 0"),
)
