"""Privacy accounting: the federated paper's printed numbers, the order of the accountants, and the inverses."""

import math
from itertools import pairwise

import dp_accounting
import numpy as np
import pytest
from dp_accounting.rdp import RdpAccountant
from hypothesis import given, settings
from hypothesis import strategies as st

from privbo_core import privacy
from privbo_core.privacy import epsilon, epsilon_curve, noise_for, rate_for, renyi_epsilon, steps_for
from tests.helpers.amounts import few
from tests.helpers.refusing import refusals

DELTA = 200**-1.1
PRINTED = {(0.15, 1.0): 5.93, (0.25, 1.0): 9.91, (0.5, 1.0): 20.12, (0.25, 1.2): 7.39, (0.25, 1.5): 5.22}
TIGHT = {(0.15, 1.0): 3.96, (0.25, 1.0): 7.05, (0.5, 1.0): 15.71, (0.25, 1.2): 5.15, (0.25, 1.5): 3.60}
METHODS = [("moments", "poisson"), ("pld", "poisson"), ("pld", "fixed")]


@pytest.mark.parametrize(("q", "z"), PRINTED)
def test_the_paper_s_losses_and_the_order_of_the_accountants(q, z):
    moments, pld = (epsilon(q, z, 40, DELTA, method) for method in ("moments", "pld"))
    assert round(moments, 2) == PRINTED[q, z]
    assert round(pld, 2) == TIGHT[q, z]
    assert pld <= renyi_epsilon(q, z, 40, DELTA) <= moments


@pytest.mark.parametrize(
    ("q", "z", "steps", "delta"),
    [(0.01, 2.0, 1000, 1e-5), (0.9, 3.0, 7, 0.01), (1.0, 4.0, 3, 1e-3), (0.3, 1.1, 1, 1e-9), (0.05, 4.0, 10, 1e-5)],
)
def test_moments_agree_with_the_formula_summed_term_by_term(q, z, steps, delta):
    bounds = []
    for lam in range(1, 33):
        terms = [
            math.comb(lam + 1, k) * (1 - q) ** (lam + 1 - k) * q**k * math.exp((k * k - k) / (2 * z * z))
            for k in range(lam + 2)
        ]
        bounds.append((steps * math.log(math.fsum(terms)) + math.log(1 / delta)) / lam)
    assert epsilon(q, z, steps, delta) == pytest.approx(min(bounds), rel=1e-9)


@pytest.mark.parametrize(("method", "sampling"), METHODS)
def test_curves_are_the_values_at_each_step(method, sampling):
    curve = epsilon_curve(0.25, 1.3, 12, DELTA, method, sampling)
    values = [epsilon(0.25, 1.3, t, DELTA, method, sampling) for t in (1, 5, 12)]
    # By loss distributions a curve composes one step at a time, and a value by squaring.
    np.testing.assert_allclose(curve[[0, 4, 11]], values, atol=1e-6, rtol=1e-12)
    assert (np.diff(curve) >= 0).all()
    with pytest.raises(ValueError, match="read-only"):
        curve[0] = 0.0


def test_renyi_is_dp_accountings_own_answer():
    reference = RdpAccountant()
    reference.compose(dp_accounting.PoissonSampledDpEvent(0.2, dp_accounting.GaussianDpEvent(1.1)), 30)
    assert renyi_epsilon(0.2, 1.1, 30, 1e-4) == pytest.approx(reference.get_epsilon(1e-4), rel=1e-12)
    # Replacing a person moves the sum by twice the largest norm, so noise z·norm is a multiplier of z/2.
    reference = RdpAccountant(neighboring_relation=dp_accounting.NeighboringRelation.REPLACE_ONE)
    half = dp_accounting.GaussianDpEvent(1.1 / 2)
    reference.compose(dp_accounting.SampledWithoutReplacementDpEvent(200, 40, half), 30)
    assert renyi_epsilon(0.2, 1.1, 30, 1e-4, "fixed") == pytest.approx(reference.get_epsilon(1e-4), rel=1e-12)


@pytest.mark.parametrize("sampling", ["poisson", "fixed"])
@pytest.mark.parametrize(("z", "steps", "delta"), [(142.0, 10**6, 1.7e-14), (1.5, 40, 1e-5), (0.3, 7, 1e-9)])
def test_tight_epsilon_of_everybody_is_the_gaussian_one(z, steps, delta, sampling):
    mu = (2.0 if sampling == "fixed" else 1.0) * math.sqrt(steps) / z
    assert epsilon(1.0, z, steps, delta, "pld", sampling) == pytest.approx(
        privacy.gaussian_epsilon(delta, 1.0, mu), rel=1e-10
    )
    curve = epsilon_curve(1.0, z, 5, delta, "pld", sampling)
    assert curve[-1] == pytest.approx(epsilon(1.0, z, 5, delta, "pld", sampling), rel=1e-12)
    # A smaller sample never costs more, also where a δ is too small for a grid of losses.
    assert epsilon(0.9999, z, steps, delta, "pld", sampling) <= privacy.gaussian_epsilon(delta, 1.0, mu) * (1 + 1e-10)


@settings(max_examples=40)
@given(target=st.floats(0.7, 50), q=st.floats(0.01, 1), steps=st.integers(1, 300))
def test_solving_for_each_parameter_leads_back(target, q, steps):
    z = noise_for(target, q, steps, DELTA)
    assert epsilon(q, z, steps, DELTA) <= target < epsilon(q, z * (1 - 1e-6), steps, DELTA)
    rate = rate_for(target, z, steps, DELTA)
    assert epsilon(rate, z, steps, DELTA) <= target
    assert rate == pytest.approx(q, rel=1e-6)
    assert steps_for(target, q, z, DELTA) == steps


@pytest.mark.parametrize(("method", "sampling"), METHODS)
def test_every_accountant_can_be_inverted(method, sampling):
    z = noise_for(3.0, 0.25, 40, DELTA, method, sampling)
    assert 3.0 * (1 - 1e-6) < epsilon(0.25, z, 40, DELTA, method, sampling) <= 3.0
    rate = rate_for(3.0, z, 40, DELTA, method, sampling)
    assert 0.25 * (1 - 1e-5) < rate < 0.25 * (1 + 1e-5)
    assert steps_for(3.0, 0.25, z, DELTA, method, sampling) == 40


@pytest.mark.parametrize("z", [0.25, 1.0, 8.0])
def test_powers_of_two_are_found_again(z):
    assert noise_for(epsilon(0.25, z, 10, 1e-3), 0.25, 10, 1e-3) == pytest.approx(z, rel=1e-8)
    assert rate_for(epsilon(1.0 / 16, z, 10, 1e-3), z, 10, 1e-3) == pytest.approx(1.0 / 16, rel=1e-8)


def test_the_ends_of_the_ranges():
    assert epsilon(0.25, 0.0, 40, DELTA) == math.inf
    assert epsilon(1.0, 1e-200, 40, DELTA) == math.inf
    assert np.isinf(epsilon_curve(0.25, 0, 3, DELTA, "pld")).all()
    assert rate_for(1000.0, 1.0, 40, DELTA) == 1.0
    assert steps_for(0.5, 1.0, 1.0, DELTA) == 0
    assert steps_for(3.0, 1e-6, 5.0, DELTA) == 10**6
    losses = [epsilon(0.25, z, 40, DELTA, "pld") for z in (0.01, 0.1, 1.0, 10.0)]  # no z asks for too much memory
    assert all(larger > smaller for larger, smaller in pairwise(losses))


@pytest.mark.parametrize("method", ["moments", "pld"])
def test_different_rounds_are_composed_and_solved_for(method):
    multipliers = few([2.0, 1.0], [2.0, 2.0, 2.0, 1.7, 1.3, 1.0])
    together = privacy.composed_epsilon(0.3, multipliers, 1e-3, method)
    assert together == pytest.approx(privacy.epsilon_rounds(0.3, multipliers, 1e-3, method)[-1], rel=1e-6)
    many, least = (epsilon(0.3, z, len(multipliers), 1e-3, method) for z in (1.0, 2.0))
    assert least < together < many
    rate = privacy.rate_for_rounds(together, multipliers, 1e-3, method)
    assert rate == pytest.approx(0.3, rel=1e-6)
    assert privacy.composed_epsilon(rate, multipliers, 1e-3, method) <= together
    assert privacy.noise_for_rounds(together, 0.3, multipliers, 1e-3, method) == pytest.approx(1.0, rel=1e-6)
    for asked in few([2.0], [0.5, 2.0, 20.0]):  # never above what is asked for, by the same count, and hardly below
        z = privacy.noise_for_rounds(asked, 0.3, multipliers, 1e-3, method)
        kept = privacy.composed_epsilon(0.3, [z * each for each in multipliers], 1e-3, method)
        assert asked * (1 - 1e-6) < kept <= asked
    assert privacy.rate_for_rounds(1e4, multipliers, 1e-3, method) == 1.0
    with pytest.raises(ValueError, match="q down to"):
        privacy.rate_for_rounds(0.02, [0.1, 0.11], 1e-9, method)
    assert math.isinf(privacy.composed_epsilon(0.3, [1.0, 0.0], 1e-3, method))


@pytest.mark.parametrize(("method", "sampling"), METHODS)
@pytest.mark.parametrize("scale", [0.15, 1.0, 400.0])  # one grid for all losses, and several
def test_several_at_once_are_the_values_one_by_one(scale, method, sampling):
    multipliers = (scale * np.repeat([2.0, 1.9, 1.3, 1.0], few(2, 7))).tolist()
    after = [len(multipliers), 1, 4, 4, 7]
    found = privacy.composed_epsilons(0.3, multipliers, 1e-5, after, method, sampling)
    single = [privacy.composed_epsilon(0.3, multipliers[:t], 1e-5, method, sampling) for t in after]
    np.testing.assert_allclose(found, single, rtol=1e-9)
    assert found[0] > found[-1] > found[2] > found[1] > 0
    interrupted = [*multipliers[:4], 0.0, *multipliers[4:]]
    assert np.isfinite(privacy.composed_epsilons(0.3, interrupted, 1e-5, [1, 4], method, sampling)).all()
    assert privacy.composed_epsilons(0.3, interrupted, 1e-5, [5, 8], method, sampling) == [math.inf, math.inf]
    assert privacy.composed_epsilons(0.3, multipliers, 1e-5, [], method, sampling) == []


test_unusable_input_is_refused = refusals(
    (lambda: privacy.composed_epsilons(0.3, [1.0, 2.0], 1e-3, [1, 3]), "after contains 3, but there are only 2"),
    (lambda: privacy.composed_epsilons(0.3, [1.0, 2.0], 1e-3, [0]), "after is 0"),
    (lambda: privacy.composed_epsilons(0.3, [], 1e-3, [1]), "the number of multipliers is 0"),
    (lambda: epsilon(0.0, 1.0, 40, 0.01), r"q is 0.0. It must lie above 0 and be at most 1"),
    (lambda: epsilon(1.5, 1.0, 40, 0.01), "q is 1.5"),
    (lambda: epsilon(float("nan"), 1.0, 40, 0.01), "q is nan"),
    (lambda: epsilon(0.5, -1.0, 40, 0.01), r"z is -1.0\. .* no guarantee"),
    (lambda: epsilon(0.5, 1.0, 0, 0.01), "steps is 0"),
    (lambda: epsilon(0.5, 1.0, 2.5, 0.01), "steps is 2.5"),
    (lambda: epsilon(0.5, 1.0, 40, 0.0), "delta is 0.0"),
    (lambda: epsilon(0.5, 1.0, 40, 0.01, "gdp"), "method is 'gdp'. It must be one of 'moments', 'pld'"),
    (lambda: epsilon(0.5, 1.0, 40, 0.01, "moments", "fixed"), "use 'pld'"),
    (lambda: epsilon(0.5, 1.0, 40, 0.01, "pld", "shuffled"), "sampling is 'shuffled'"),
    (lambda: noise_for(0.0, 0.5, 40, 0.01), "epsilon is 0.0"),
    (lambda: noise_for(0.1, 0.5, 40, 0.01), "epsilon is 0.1. No z up to .* The smallest ε is 0.1439"),
    (lambda: rate_for(0.1, 1.0, 40, 0.01), "No q down to 1e-09 reaches it"),
    (lambda: rate_for(1.0, 0.0, 40, 0.01), "z is 0.0"),
)
