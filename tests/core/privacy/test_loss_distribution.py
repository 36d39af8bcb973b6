"""Loss distributions: the dominating pairs against real mechanisms, uses that differ, and noise of different shapes."""

import math
from itertools import combinations

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution as reference
from dp_accounting.pld.pld_pmf import DensePLDPmf
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

import privbo_core as pb
from privbo_core.privacy import (
    composed_epsilons,
    epsilon,
    epsilon_curve,
    epsilon_rounds,
    gaussian_delta,
    gaussian_epsilon,
    renyi_epsilon,
)
from privbo_core.privacy import loss_distribution as module
from privbo_core.privacy.accounting import composed_uses
from privbo_core.privacy.loss_distribution import (
    GridLosses,
    LossDistribution,
    compose_losses,
    one_use,
    partial_sums,
    replacing_profile,
)
from tests.helpers.amounts import few
from tests.helpers.refusing import refusals

DELTA = 200**-1.1
LINE = np.linspace(-14.0, 14.0, 20_001)
EPSILONS = np.array([-4.0, -1.0, -0.2, 0.0, 0.3, 1.0, 2.5, 5.0])


def hockey_stick(one, other, epsilons, cell):
    return np.array([np.maximum(one - math.exp(e) * other, 0.0).sum() * cell for e in epsilons])


def normal(centre, sigma=1.0):
    return norm.pdf(LINE, centre, sigma)


@settings(max_examples=60)
@given(q=st.floats(0.01, 1.0), mu=st.floats(0.05, 5.0))
def test_profiles_are_the_hockey_stick_divergences(q, mu):
    nobody, cell = normal(0.0), LINE[1] - LINE[0]
    mixed = (1 - q) * nobody + q * normal(mu)
    for profile, one, other in [(module.joining_profile, mixed, nobody), (module.leaving_profile, nobody, mixed)]:
        np.testing.assert_allclose(profile(EPSILONS, q, mu), hockey_stick(one, other, EPSILONS, cell), atol=1e-6)


def test_the_gaussian_profile_keeps_its_digits_and_its_ends():
    for mu in (0.01, 0.7, 3.0, 60.0):
        epsilons = np.array([1e-3, 0.5, 2.0, 30.0, 600.0])
        exact = [gaussian_delta(e, 1.0, mu) for e in epsilons]
        np.testing.assert_allclose(module.gaussian_profile(epsilons, mu), exact, rtol=1e-7, atol=1e-290)
    np.testing.assert_array_equal(module.gaussian_profile(np.array([-np.inf, np.inf]), 1.0), [1.0, 0.0])


DELTAS = (1e-300, 1e-18, 1e-9, 1e-5, 1e-2, 0.3, 0.9)


@pytest.mark.parametrize(("q", "z", "steps"), [(0.01, 0.7, 300), (0.999, 2.0, 5), (1.0, 1.5, 3)])
def test_joining_and_leaving_agree_with_dp_accounting(q, z, steps):
    theirs = reference.from_gaussian_mechanism(z, value_discretization_interval=1e-3, sampling_prob=q)
    theirs = theirs.self_compose(steps)
    ours = compose_losses([(one_use(q, z, 1e-3, "poisson"), steps)])
    for delta in (1e-2, 1e-5, 1e-8):
        assert ours.epsilon(delta) == pytest.approx(theirs.get_epsilon_for_delta(delta), rel=1e-5, abs=1e-9)
    at = EPSILONS[EPSILONS >= 0]
    np.testing.assert_allclose(ours.delta(at), theirs.get_delta_for_epsilon(at), rtol=1e-4, atol=1e-9)


@pytest.mark.parametrize(
    "losses", [one_use(0.3, 1.0, 1e-3, "poisson"), one_use(0.2, 1.0, 1e-3, "fixed"), one_use(0.5, 0.02, 0.5, "poisson")]
)
def test_epsilon_and_delta_are_those_of_the_masses(losses):
    at = EPSILONS[EPSILONS >= 0]
    theirs = as_reference(losses)
    np.testing.assert_allclose(losses.delta(at), theirs.get_delta_for_epsilon(at), rtol=1e-9, atol=1e-15)
    epsilons, expected = ([of(each) for each in DELTAS] for of in (losses.epsilon, theirs.get_epsilon_for_delta))
    np.testing.assert_allclose(epsilons, expected, rtol=1e-9, atol=1e-12)


def as_reference(losses):
    """Return the same masses as dp-accounting's own distribution of the privacy loss."""
    orders = [DensePLDPmf(each.step, each.lowest, each.masses, each.infinite, True) for each in losses.orders]
    return reference.PrivacyLossDistribution(*orders)


def test_partial_sums_agree_with_dp_accounting():
    single, often = one_use(0.2, 1.0, 1e-3, "poisson"), one_use(0.05, 0.6, 1e-3, "poisson")
    uses = [(single, 1), (often, 30), (one_use(0.3, 2.0, 1e-3, "fixed"), 4), (single, 1)]
    theirs, ours = [], list(partial_sums(uses))
    for losses, times in uses:
        once = as_reference(losses).self_compose(times)
        theirs.append(theirs[-1].compose(once) if theirs else once)
    assert [len(each.orders) for each in ours] == [2] * len(uses)
    for one, other in zip([*ours, compose_losses(uses)], [*theirs, theirs[-1]], strict=True):
        at = np.linspace(0, 12, 40)
        np.testing.assert_allclose(one.delta(at), other.get_delta_for_epsilon(at), rtol=1e-8, atol=3e-14)
    for one, other in zip(partial_sums(uses, [2, 4]), [ours[1], ours[3]], strict=True):
        np.testing.assert_allclose(one.delta(at), other.delta(at), rtol=1e-12, atol=1e-14)


def test_infinite_losses_add_up():
    single = one_use(0.2, 1.0, 1e-3, "poisson")
    # Randomised response with ε = 0.1 that reveals everything with probability 0.001.
    kept = 0.999 / (1 + math.exp(0.1))
    masses = np.concatenate([[kept], np.zeros(199), [kept * math.exp(0.1)]])
    sure = LossDistribution((GridLosses(1e-3, -100, masses, 1e-3),) * 2)
    assert compose_losses([(sure, 50), (single, 1)]).delta(np.array([99.0]))[0] == pytest.approx(1 - 0.999**50)


def test_a_sum_never_lies_below_what_is_added_up_without_fourier():
    once, step = one_use(0.05, 0.8, 1e-2, "poisson"), 1e-2
    for ours, one in zip(compose_losses([(once, 12)]).orders, once.orders, strict=True):
        masses = one.masses
        for _ in range(11):
            masses = np.convolve(masses, one.masses)
        losses = step * (12 * one.lowest + np.arange(len(masses)))
        lost = -math.expm1(12 * math.log1p(-one.infinite))
        for at in (0.0, 0.7, 2.0, 4.0):
            above = losses > at
            delta = lost + masses[above] @ -np.expm1(at - losses[above])
            assert delta * (1 - 1e-13) <= ours.delta(np.array([at]))[0] <= delta * (1 + 1e-9) + 3e-14


@pytest.mark.parametrize(
    ("z", "steps", "delta", "sampling"),
    [
        (50.0, 10**6, 1e-5, "poisson"),  # many uses, each of little loss
        (0.002, 1, 1e-6, "poisson"),  # one of a huge one
        (1.754, 1000, 1.81e-12, "poisson"),  # δ near what rounding leaves
        (47.84, 1000, 4.895e-13, "fixed"),
        (3.0, 3, 0.3, "fixed"),
    ],
)
def test_uses_by_everybody_add_up_to_the_gaussian_that_they_are(z, steps, delta, sampling):
    exact = gaussian_epsilon(delta, 1.0, (2 if sampling == "fixed" else 1) * math.sqrt(steps) / z)
    found = composed_uses(1.0, [(z, steps)], sampling).epsilon(delta)
    assert exact <= found <= exact * (1 + (0.03 if delta < 1e-9 else 3e-4))


@pytest.mark.parametrize("sampling", ["poisson", "fixed"])
@pytest.mark.parametrize("delta", [1e-2, 1e-6])
def test_sums_of_different_uses_bound_the_gaussians_that_they_are(delta, sampling):
    multipliers, after = np.linspace(3.0, 1.0, 12), [1, 2, 5, 11, 12]
    uses = [(one_use(1.0, z, 1e-3, sampling), 1) for z in multipliers.tolist()]
    for t, losses in zip(after, partial_sums(uses, after), strict=True):
        mu = (2 if sampling == "fixed" else 1) * math.sqrt((multipliers[:t] ** -2.0).sum())
        exact = gaussian_epsilon(delta, 1.0, mu)
        assert exact <= losses.epsilon(delta) <= exact * (1 + 3e-4)
        sampled = composed_epsilons(0.7, multipliers.tolist(), delta, [t], "pld", sampling)[0]
        assert 0 < sampled < exact


def test_a_delta_below_rounding_has_an_infinite_loss():
    assert composed_uses(1.0, [(142.0, 10**6)], "poisson").epsilon(1.7e-14) == math.inf


@pytest.mark.parametrize(
    ("q", "z", "steps", "delta"),
    [(1e-3, 1.0, 10**4, 1e-5), (1e-2, 1.0, 10**5, 1e-5), (5e-4, 42.0, 10**4, 3e-12), (0.1, 1e-3, 2000, 1e-5)],
)
def test_many_uses_cost_less_than_by_renyi(q, z, steps, delta):
    assert 0 < epsilon(q, z, steps, delta, "pld") < renyi_epsilon(q, z, steps, delta)


def sampled(values, size, sigma=1.0):
    """The density of Σ over a random subset of ``size`` + N(0, σ²), on LINE."""
    subsets = list(combinations(values, size))
    return sum(normal(sum(subset), sigma) for subset in subsets) / len(subsets)


@settings(max_examples=40)
@given(
    others=st.lists(st.floats(-1, 1), min_size=1, max_size=5),
    person=st.sampled_from([-1.0, 1.0, 0.3]),
    stand_in=st.sampled_from([-1.0, 1.0, 0.0]),
    size=st.integers(1, 4),
    z=st.floats(0.4, 3.0),
)
def test_no_real_sample_of_fixed_size_exceeds_its_profile(others, person, stand_in, size, z):
    size = min(size, len(others))  # someone can be left out
    q = size / (len(others) + 1)
    # In units of z, so that the noise is N(0, 1) and a person's value at most 1/z.
    one, other = (sampled([x / z for x in (*others, who)], size) for who in (person, stand_in))
    bound = replacing_profile(EPSILONS, q, 2.0 / z) + 1e-6
    for order in ((one, other), (other, one)):
        assert (hockey_stick(*order, EPSILONS, LINE[1] - LINE[0]) <= bound).all()


@pytest.mark.parametrize("others", [1, 3])
def test_extreme_neighbours_reach_the_profile(others):
    # Everybody at −1, and one person who is at 1 or at −1: for ε ≥ 0 one order reaches it, for ε < 0 the other.
    one, other = (sampled([-1.0] * others + [who], 1) for who in (1.0, -1.0))
    up, down = (hockey_stick(*order, EPSILONS, LINE[1] - LINE[0]) for order in ((one, other), (other, one)))
    bound = replacing_profile(EPSILONS, 1 / (others + 1), 2.0)
    np.testing.assert_allclose(np.where(EPSILONS >= 0, up, down), bound, atol=1e-6)


def test_a_fixed_size_costs_far_less_than_by_renyi():
    found = epsilon(0.25, 1.0, 40, DELTA, "pld", "fixed")
    assert 27.7 < found < 31.0
    assert found == pytest.approx(30.549, abs=1e-3)
    assert renyi_epsilon(0.25, 1.0, 40, DELTA, "fixed") == pytest.approx(86.7, abs=0.1)
    # The pair that is not symmetric belongs to a real mechanism, so no sound account can be below it.
    assert epsilon(0.25, 0.5, 40, DELTA, "pld") == pytest.approx(27.8, abs=0.05)
    for q, z, steps in [(0.1, 2.0, 10), (0.5, 5.0, 100), (0.9, 1.0, 3)]:
        loss = epsilon(q, z, steps, DELTA, "pld", "fixed")
        assert epsilon(q, z / 2, steps, DELTA, "pld") <= loss <= renyi_epsilon(q, z, steps, DELTA, "fixed")


@pytest.mark.parametrize(
    ("method", "sampling"),
    [("moments", "poisson"), ("pld", "poisson"), ("pld", "fixed")],
)
def test_a_round_without_noise_ends_the_guarantee(method, sampling):
    found = epsilon_curve(0.25, 1.3, 6, DELTA, method, sampling)
    ended = epsilon_rounds(0.25, [1.3, 1.3, 0.0, 1.3], DELTA, method, sampling)
    np.testing.assert_allclose(ended[:2], found[:2], rtol=1e-6)
    assert np.isinf(ended[2:]).all()
    assert np.isinf(epsilon_rounds(0.25, [0.0, 1.0], DELTA, method, sampling)).all()


@pytest.mark.parametrize("sampling", ["poisson", "fixed"])
def test_two_different_rounds_agree_with_an_integral(sampling):
    q, multipliers, delta = 0.3, (0.8, 1.7), 0.02
    found = epsilon_rounds(q, multipliers, delta, "pld", sampling)[-1]
    grid = np.linspace(-12.0, 16.0, 1401)
    cell = (grid[1] - grid[0]) ** 2

    def pair(z, order):
        stay, move = norm.pdf(grid), norm.pdf(grid, (2.0 if sampling == "fixed" else 1.0) / z)
        mixed = (1 - q) * stay + q * move
        if sampling == "poisson":
            return (mixed, stay) if order else (stay, mixed)
        # The symmetric pair on a line: losses above 0 from one order, below 0 from the other, the rest at 0.
        up = mixed > stay
        rest = (1.0 - (mixed + stay)[up].sum() * (grid[1] - grid[0])) / (grid[1] - grid[0])
        one = np.concatenate([mixed[up], stay[up], [rest]])
        return one, np.concatenate([stay[up], mixed[up], [rest]])

    deltas = []
    for order in (True, False):
        (a, b), (c, d) = (pair(z, order) for z in multipliers)
        deltas.append(hockey_stick(np.multiply.outer(a, c), np.multiply.outer(b, d), [found], cell)[0])
    assert max(deltas) == pytest.approx(delta, rel=2e-3)


def two_uses_delta(epsilon, q, mus, joining):
    """Return δ(ε) of two uses, by an integral over the first output of the second use's profile."""
    x = np.linspace(-40.0, 40.0 + mus[0], 10_001)
    ratio = np.logaddexp(math.log1p(-q), math.log(q) + mus[0] * x - 0.5 * mus[0] ** 2)
    if joining:
        density, rest = norm.pdf(x) * np.exp(ratio), module.joining_profile(epsilon - ratio, q, mus[1])
    else:
        density, rest = norm.pdf(x), module.leaving_profile(epsilon + ratio, q, mus[1])
    return (density * rest).sum() * (x[1] - x[0])


def test_two_uses_never_cost_more_than_is_counted():
    rng, closest = np.random.default_rng(0), 0.0
    for _ in range(few(8, 200)):
        q, delta = 10.0 ** rng.uniform(-3.5, -0.005), 10.0 ** rng.uniform(-15.5, -0.5)
        multipliers = 10.0 ** rng.uniform(-0.6, 1.5, 2)
        found = min(
            pb.privacy.composed_epsilon(q, multipliers.tolist(), delta, "pld"),
            epsilon_rounds(q, multipliers.tolist(), delta)[-1],
        )
        for joining in (True, False):
            exact = two_uses_delta(found, q, 1.0 / multipliers, joining)
            assert exact <= delta * (1.0 + 1e-7)
            closest = max(closest, exact / delta)
    assert closest > 0.99


def test_rounding_multipliers_down_costs_next_to_nothing():
    multipliers = np.linspace(1.0, 2.0, few(8, 30))
    rounded = epsilon_rounds(0.25, multipliers, DELTA)[-1]
    exact = None
    for z in multipliers:
        one = reference.from_gaussian_mechanism(z, value_discretization_interval=1e-3, sampling_prob=0.25)
        exact = one if exact is None else exact.compose(one)
    assert exact.get_epsilon_for_delta(DELTA) <= rounded <= exact.get_epsilon_for_delta(DELTA) * 1.0003
    many = pb.privacy.accounting._rounded_down(np.linspace(1.0, 3.0, 1000))
    assert (many <= np.linspace(1.0, 3.0, 1000)).all()
    assert len(np.unique(many)) <= 64
    assert epsilon_rounds(0.25, [2.0, 1.0], DELTA)[-1] == pytest.approx(epsilon_rounds(0.25, [1.0, 2.0], DELTA)[-1])


test_unusable_input_is_refused = refusals(
    (lambda: epsilon_rounds(0.5, [], 0.01), "the number of multipliers is 0"),
    (lambda: epsilon_rounds(0.5, [1.0, -1.0], 0.01), "z is -1.0"),
    (lambda: epsilon_rounds(0.5, [1.0], 0.01, "moments", "fixed"), "use 'pld'"),
)
