"""Trade-off functions: their shape, Gaussian identities, real tests on the curve, and what an attacker gets wrong."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr
from scipy.stats import norm

from privbo_core.privacy import (
    TradeOff,
    epsilon,
    gaussian_delta,
    gaussian_epsilon,
    least_error,
    trade_off,
    trade_off_rounds,
)
from tests.helpers.amounts import few
from tests.helpers.refusing import refusals

ALARMS = np.linspace(0.0, 1.0, 1001)
EXAMPLES = {
    "pure": TradeOff.of(1.3),
    "approximate": TradeOff.of(0.7, 0.1),
    "steep": TradeOff.of(30.0, 1e-3),
    "certain": TradeOff.of(0.0, 1.0),
    "perfect": TradeOff.of(0.0, 0.0),
    "gaussian": TradeOff.gaussian(1.2),
    "nothing": TradeOff.gaussian(0.0),
    "several": TradeOff.from_profile([0.0, 0.5, 1.0, 3.0], [0.3, 0.2, 0.1, 0.01]),
    "sampled": trade_off(0.25, 1.0, 5),
    "fixed": trade_off(0.25, 2.0, 5, "fixed"),
    "different": trade_off_rounds(0.4, [1.0, 2.0, 3.0]),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_trade_off_is_convex_decreasing_and_symmetric(name):
    f = EXAMPLES[name]
    misses = f(ALARMS)
    assert (np.diff(misses) <= 1e-15).all()
    assert (np.diff(misses, 2) >= -1e-12).all()
    assert (misses >= 0).all()
    assert (misses <= 1 - ALARMS + 1e-15).all()
    # Symmetric: the least α with f(α) ≤ β is f(β).
    positive = misses > 1e-9
    np.testing.assert_allclose(f(misses)[positive], ALARMS[positive], atol=1e-9)


@given(st.floats(0, 20), st.floats(0, 1))
def test_one_pair_is_the_largest_of_its_three_lines(loss, delta):
    f = TradeOff.of(loss, delta)
    lines = [1 - delta - math.exp(loss) * ALARMS, math.exp(-loss) * (1 - delta - ALARMS), 0 * ALARMS]
    np.testing.assert_allclose(f(ALARMS), np.max(lines, axis=0), atol=1e-12)
    assert f.delta(loss) == pytest.approx(delta, abs=1e-12)


@pytest.mark.parametrize("loss", [710.0, 1e4, math.inf])
def test_a_line_too_steep_for_a_number_promises_nothing(loss):
    np.testing.assert_array_equal(TradeOff.of(loss, 1e-6)(ALARMS), 0.0)


@given(st.floats(0.05, 6), st.floats(0.01, 10))
def test_a_gaussian_has_its_analytic_delta(mu, loss):
    f = TradeOff.gaussian(mu)
    alarms = norm.sf(np.linspace(-10, 14, 40_001))
    read = (1 - f(alarms) - math.exp(loss) * alarms).max()
    assert f.delta(loss) == pytest.approx(gaussian_delta(loss, 1.0, mu), rel=1e-12)
    assert f.delta(loss) == pytest.approx(read, abs=1e-6)
    assert (TradeOff.of(loss, f.delta(loss))(ALARMS) <= f(ALARMS) + 1e-12).all()


def test_gaussians_compose():
    f = TradeOff.gaussian(0.5)
    assert f.repeated(9).mu == pytest.approx(1.5)
    assert trade_off(1.0, 2.0, 9).mu == pytest.approx(1.5)
    assert trade_off(1.0, 2.0, 9, "fixed").mu == pytest.approx(3.0)
    assert trade_off_rounds(1.0, [1.0, 2.0]).mu == pytest.approx(math.sqrt(1.25))
    # Rate 1 − 1e−9 goes through the loss distribution, and comes from below.
    by_losses = trade_off(1 - 1e-9, 2.0, 9)
    assert by_losses.mu is None
    exact = TradeOff.gaussian(1.5)(ALARMS)
    assert (by_losses(ALARMS) <= exact + 1e-8).all()
    np.testing.assert_allclose(by_losses(ALARMS), exact, atol=2e-4)
    assert trade_off_rounds(0.5, [1.0, 0.0])(ALARMS).max() == 0.0


@pytest.mark.parametrize("prior", [0.02, 0.5, 0.9])
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_best_test_has_the_least_error_on_the_curve(name, prior):
    f = EXAMPLES[name]
    alarms = np.unique(np.concatenate([ALARMS, np.geomspace(1e-14, 1.0, 4000), f.alarms]))
    tried = (1 - prior) * alarms + prior * f(alarms)
    assert f.least_error(prior) <= tried.min() + 1e-15
    assert f.least_error(prior) == pytest.approx(tried.min(), abs=1e-6)
    assert f.least_error(prior) <= min(prior, 1 - prior) + 1e-15
    alarms, misses = f.best_test(prior)
    assert misses == pytest.approx(float(f(alarms)), abs=1e-12)
    assert (1 - prior) * alarms + prior * misses == pytest.approx(f.least_error(prior), rel=1e-12)


@given(st.floats(0.01, 20), st.floats(1e-6, 0.5), st.floats(0.01, 0.99))
def test_the_epsilon_and_the_least_error_of_one_pair(loss, delta, prior):
    assert TradeOff.of(loss, delta).epsilon(delta) == pytest.approx(loss, rel=1e-6)
    assert TradeOff.of(loss, delta).least_error(prior) == pytest.approx(least_error(prior, loss, delta), rel=1e-9)
    gaussian = TradeOff.gaussian(loss / 5)
    found = gaussian.epsilon(delta)
    assert gaussian.delta(found) <= delta * (1 + 1e-8) + 1e-14
    assert found == 0 or gaussian.delta(found * (1 - 1e-6)) > delta
    assert TradeOff.of(0.0, 1.0).epsilon(delta) == math.inf  # none is enough for what is certain


def test_a_run_done_again_is_composed_with_itself():
    once, thrice = (trade_off_rounds(0.4, [1.0, 2.0, 3.0], times=times) for times in (1, 3))
    one_by_one = trade_off_rounds(0.4, [1.0, 2.0, 3.0] * 3)
    np.testing.assert_allclose(thrice(ALARMS), one_by_one(ALARMS), atol=1e-9)
    assert thrice.epsilon(1e-3) > once.epsilon(1e-3)
    assert trade_off_rounds(1.0, [2.0, 2.0], times=8).mu == pytest.approx(2.0)


@pytest.mark.parametrize("sampling", ["poisson", "fixed"])
def test_it_agrees_with_the_accountant(sampling):
    loss = epsilon(0.25, 1.5, 10, 1e-3, "pld", sampling)
    assert trade_off(0.25, 1.5, 10, sampling).delta(loss) == pytest.approx(1e-3, rel=0.02)


test_unusable_input_is_refused = refusals(
    (lambda: TradeOff.gaussian(-1.0), "mu is -1.0"),
    (lambda: TradeOff.of(-1.0), "epsilons holds -1.0"),
    (lambda: TradeOff.of(1.0, 1.5), "deltas holds 1.5"),
    (lambda: TradeOff.from_profile([1.0, 2.0], [0.1]), "one δ for each ε"),
    (lambda: TradeOff.of(1.0)(1.2), "outside"),
    (lambda: TradeOff.of(1.0).repeated(3), "mu is None"),
    (lambda: TradeOff.gaussian(1.0).repeated(0), "times is 0"),
    (lambda: TradeOff.of(1.0).delta(-1.0), "epsilon is -1.0"),
    (lambda: trade_off(0.0, 1.0, 3), "q is 0.0"),
    (lambda: trade_off(0.5, 1.0, 0), "steps is 0"),
    (lambda: trade_off(0.5, 1.0, 3, "shuffled"), "sampling is 'shuffled'"),
)


@pytest.mark.parametrize("delta", [1e-5, 1e-12, 1e-13, 1e-16, 1e-20, 1e-60])
@pytest.mark.parametrize("mu", [0.1, 1.0, 4.0])
def test_a_small_delta_does_not_make_epsilon_too_small(mu, delta):
    """A constant was added to δ, so that at 10⁻²⁰ an ε of 8.17 stood for one of 9.51."""
    true = gaussian_epsilon(delta, 1.0, mu)
    assert TradeOff.gaussian(mu).epsilon(delta) == pytest.approx(true, rel=1e-12)
    epsilons = np.linspace(0.0, 1.5 * true, 200)
    pairs = [gaussian_delta(each, 1.0, mu) if each else 2.0 * ndtr(0.5 * mu) - 1.0 for each in epsilons]
    assert TradeOff.from_profile(epsilons, pairs).epsilon(delta) >= true * (1.0 - 1e-9)


@pytest.mark.parametrize("mu", [1e-40, 1e-16, 1e-12, 1e-9, 1e-3])
def test_a_tiny_mu_still_needs_a_delta_at_epsilon_0(mu):
    """As 2Φ(μ/2) − 1 it rounded to 0 below μ = 1e-16."""
    exact = mu / math.sqrt(2.0 * math.pi)  # the next term is smaller by μ²/24
    assert TradeOff.gaussian(mu).delta(0.0) == pytest.approx(exact, rel=max(1e-12, mu * mu / 20.0), abs=0.0)


def test_nearly_equal_deltas_do_not_lower_epsilon():
    """What is caught minus δ cancelled, and ε was too small by 1e-7 of itself."""
    rng = np.random.default_rng(0)
    for _ in range(few(10, 100)):
        epsilons = rng.uniform(0.2, 3.0) + np.sort(10.0 ** rng.uniform(-13.0, -3.0, 8))
        deltas = 1e-5 * (1.0 + np.sort(10.0 ** rng.uniform(-12.0, -2.0, 8))[::-1])
        f = TradeOff.from_profile(epsilons, deltas)
        for delta in deltas[1:]:
            assert f.epsilon(delta) >= least_epsilon(epsilons, deltas, delta) * (1.0 - 1e-9)


def least_epsilon(epsilons, deltas, delta):
    """Return the ε of the polygon through these pairs at δ, in fractions: the largest (caught − δ)/α of its knots."""
    slopes = [Fraction(math.exp(each)) for each in epsilons.tolist()]
    lines = list(zip(slopes, map(Fraction, deltas.tolist()), strict=True))
    lines += [(1 / slope, 1 - (1 - offset) / slope) for slope, offset in lines]
    knots = [
        (offset - below) / (steeper - slope)
        for steeper, below in lines
        for slope, offset in lines
        if steeper > slope and offset > below
    ]
    steepest = max((min(offset + slope * knot for slope, offset in lines) - Fraction(delta)) / knot for knot in knots)
    return math.log(max(steepest, 1))


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 10.0, 30.0])
@pytest.mark.parametrize("delta", [0.0, 1e-20, 1e-16, 3e-16, 1e-13, 1e-5])
def test_the_epsilon_of_a_pair_is_that_of_the_pair(epsilon, delta):
    found = TradeOff.of(epsilon, delta).epsilon(max(delta, 1e-30))
    assert epsilon * (1.0 - 1e-9) <= found <= epsilon + 1e-12 + 1e-9 * epsilon
