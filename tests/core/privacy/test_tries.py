"""The best of a random number of tries: the distributions, the published formulas, and exact attacks on small cases."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import logsumexp
from scipy.stats import norm

from privbo_core.privacy import tries as module
from privbo_core.privacy.tries import PoissonTries, TruncatedNegativeBinomial, gaussian_loss, noise_for_tries
from tests.helpers.amounts import few
from tests.helpers.refusing import refusals

SETTINGS = [(0.0, 0.01), (1.0, 0.1), (-0.5, 0.02), (2.5, 0.3), (0.5, 0.05), (-0.9, 0.001)]
ORDERS = np.array([1.5, 2.0, 7.0, 40.0, 900.0])


def written_out(eta, gamma, most):
    """Return Pr[K = k] as the paper writes it, factor by factor."""
    if eta == 0:
        return np.array([(1 - gamma) ** k / k / math.log(1 / gamma) for k in range(1, most)])
    products = np.cumprod([(k - 1 + eta) / k for k in range(1, most)])
    return (1 - gamma) ** np.arange(1, most) / (gamma**-eta - 1) * products


@pytest.mark.parametrize(("eta", "gamma"), SETTINGS)
def test_the_number_of_tries_has_the_paper_s_distribution(eta, gamma):
    tries = TruncatedNegativeBinomial(eta, gamma)
    p = tries.probabilities
    assert p[:200] == pytest.approx(written_out(eta, gamma, 201)[: len(p)], rel=1e-9, abs=1e-300)
    assert p.sum() == pytest.approx(1, abs=1e-9)
    assert p @ np.arange(1, len(p) + 1) == pytest.approx(tries.mean, rel=1e-9)
    assert TruncatedNegativeBinomial.of_mean(eta, tries.mean).gamma == pytest.approx(gamma, rel=1e-6)


@pytest.mark.parametrize("tries", [*(TruncatedNegativeBinomial(*s) for s in SETTINGS), PoissonTries(7.5)])
def test_simulated_numbers_have_the_mean_that_is_said(tries):
    drawn = tries.draw(200_000, np.random.default_rng(0))
    assert abs(drawn.mean() - tries.mean) < 4.5 * drawn.std() / math.sqrt(len(drawn))


@pytest.mark.parametrize(("eta", "gamma"), SETTINGS)
def test_the_loss_is_theorem_2_at_every_order(eta, gamma):
    tries, z = TruncatedNegativeBinomial(eta, gamma), 3.0
    mean = (1 / gamma - 1) / math.log(1 / gamma) if eta == 0 else eta * (1 - gamma) / (gamma * (1 - gamma**eta))
    # For a Gaussian try the best λ̂ is known: (1+η) (λ̂−1)/2z² + (1+η) ln(1/γ)/λ̂ is least at λ̂ = z √(2 ln(1/γ)).
    other = z * math.sqrt(2 * math.log(1 / gamma))
    beside = (1 + eta) * ((1 - 1 / other) * other / (2 * z * z) + math.log(1 / gamma) / other)
    exact = ORDERS / (2 * z * z) + beside + math.log(mean) / (ORDERS - 1)
    found = tries.loss(gaussian_loss(z), ORDERS)
    assert (found >= exact - 1e-12).all()  # looking at some λ̂ only is never too optimistic
    assert found == pytest.approx(exact, rel=1e-3)
    # With one λ̂ the formula is the paper's to rounding.
    one = tries.loss(lambda lam: np.where(lam > 1, 0.25, 0.25), ORDERS)
    rest = (1 + eta) * min((1 - 1 / h) * 0.25 + math.log(1 / gamma) / h for h in module.ORDERS)
    assert one == pytest.approx(0.25 + rest + math.log(mean) / (ORDERS - 1), abs=1e-9)


@pytest.mark.parametrize(("mean", "z"), [(1.0, 1.0), (5.0, 2.0), (20.0, 4.0), (50.0, 9.0), (200.0, 30.0)])
def test_the_loss_is_theorem_6_at_every_order(mean, z):
    found = PoissonTries(mean).loss_with(gaussian_loss(z), lambda epsilon: 1e-3 * math.exp(-epsilon), ORDERS)
    delta = 1e-3 * np.exp(-np.log(1 + 1 / (ORDERS - 1)))
    assert found == pytest.approx(ORDERS / (2 * z * z) + mean * delta + math.log(mean) / (ORDERS - 1), abs=1e-9)


def test_a_gamma_below_rounding_gives_finite_chances():
    tries = TruncatedNegativeBinomial(-0.9, 1e-20)
    assert tries.wins(np.ones(1)) == pytest.approx([tries.mean], rel=1e-9)  # at x = 1 it is E[K]


def renyi(one, other, orders):
    """Return the larger of the two Rényi divergences at each order, exactly."""
    orders = np.asarray(orders)[:, None]
    a, b = np.log(one), np.log(other)
    both = [logsumexp(orders * x + (1 - orders) * y, axis=1) for x, y in ((a, b), (b, a))]
    return np.max(both, axis=0) / (orders[:, 0] - 1)


def best_of(q, tries):
    """Return the distribution of the best of K draws of q, whose outcomes stand from worst to best, exactly."""
    x = np.concatenate([[0.0], np.cumsum(q)])
    if isinstance(tries, PoissonTries):
        # Nothing published is an outcome too, with the same probability on both sides.
        return np.append(np.diff(np.exp(tries.mean * (x - 1))), math.exp(-tries.mean))
    eta, gamma = tries.eta, tries.gamma
    if eta == 0:
        return np.diff(np.log1p(-(1 - gamma) * x) / math.log(gamma))
    return np.diff(np.expm1(-eta * np.log1p(-(1 - gamma) * x)) / (gamma**-eta - 1))


def neighbours(rng):
    """Return two distributions of one try on few outcomes, close to one another in ratio, some outcomes rare."""
    n = int(rng.integers(2, 12))
    q = rng.dirichlet(np.full(n, rng.choice([0.2, 1.0, 5.0]))) + 1e-4
    signs = rng.permutation([-0.5, 0.5, *rng.choice([-0.5, 0.5], n - 2)])
    other = q * np.exp(rng.uniform(0.05, 2) * signs)
    return q / q.sum(), other / other.sum()


@pytest.mark.parametrize("given", [*SETTINGS, "poisson"])
def test_no_small_case_loses_more_than_the_formulas_say(given):
    rng, orders, worst = np.random.default_rng(3), np.array([1.2, 2.0, 5.0, 30.0]), 0.0
    for _ in range(few(200, 1000)):
        q, other = neighbours(rng)

        def one(lams, q=q, other=other):
            return renyi(q, other, lams)

        def delta(epsilon, q=q, other=other):
            ratio = math.exp(epsilon)
            return max(np.maximum(q - ratio * other, 0).sum(), np.maximum(other - ratio * q, 0).sum())

        if given == "poisson":
            tries = PoissonTries(float(rng.choice([1.0, rng.uniform(1, 3), rng.uniform(3, 30)])))
            allowed = tries.loss_with(one, delta, orders)
        else:
            tries = TruncatedNegativeBinomial(*given)
            allowed = tries.loss(one, orders)
        here, there = best_of(q, tries), best_of(other, tries)
        assert (renyi(here, there, orders) <= allowed + 1e-7).all()
        pure, seen = (float(np.abs(np.log(a / b)).max()) for a, b in ((q, other), (here, there)))
        assert given == "poisson" or seen <= tries.pure(pure) + 1e-7
        worst = max(worst, seen / pure)
    assert worst > 1.0  # publishing the best of several tells more than one try does


@pytest.mark.parametrize(
    ("tries", "close"),
    [
        (TruncatedNegativeBinomial.of_mean(1.0, 50), 0.999),
        (TruncatedNegativeBinomial.of_mean(0.0, 20), 0.999),
        (PoissonTries(10.0), 0.0),
    ],
)
def test_the_noise_keeps_the_promise_and_hardly_more(tries, close):
    z = noise_for_tries(tries, 1.0, 1e-5)
    assert module.tries_epsilon(tries, z, 1e-5) <= 1.0
    assert not close or module.tries_epsilon(tries, close * z, 1e-5) > 1.0


def test_a_loss_converts_to_epsilon_and_delta_and_back():
    loss = gaussian_loss(4.0)
    assert module.delta_of(loss, module.epsilon_of(loss, 1e-5)) == pytest.approx(1e-5, rel=1e-6)
    pure = module.epsilon_of(lambda orders: np.minimum(0.5, orders * 0.5**2 / 2.0), 1e-9)
    assert pure == pytest.approx(0.5, rel=1e-2)


def hockey_stick(one, other, epsilon):
    return np.maximum(one - math.exp(epsilon) * other, 0.0).sum()


def log_profile(one, other):
    """Return the logarithm of the profile of a pair in the order that a bound on weights needs: ``other`` first."""
    return lambda epsilon: math.log(max(hockey_stick(other, one, epsilon), 1e-300))


def gaussian_cells(shifts, count=400):
    """Return N(0, 1) and N(shift, 1) in cells, as one candidate for each shift, all equally likely."""
    middles = np.linspace(-8.0, 8.0, count)
    one = np.concatenate([np.exp(-0.5 * middles**2) for _ in shifts])
    other = np.concatenate([np.exp(-0.5 * (middles - shift) ** 2) for shift in shifts])
    return one / one.sum(), other / other.sum()


def base_pairs(rng):
    """Yield pairs of distributions of one try."""
    for shift in (0.05, 0.3, 1.0, 3.0):
        yield gaussian_cells([shift])
        yield gaussian_cells([shift, -shift])
        yield gaussian_cells([shift] + 9 * [-shift])
    grid = np.linspace(-12.0, 12.0, 500)
    for shift in (0.1, 1.0):
        one, other = (np.exp(-np.abs(grid - centre)) for centre in (0.0, shift))
        yield one / one.sum(), other / other.sum()
    for rate, shift in ((0.01, 1.0), (0.3, 4.0)):
        one, other = gaussian_cells([shift])
        yield one, (1 - rate) * one + rate * other
    for epsilon in (0.01, 1.0, 4.0):
        yes = 1.0 / (1.0 + math.exp(-epsilon))
        yield np.array([yes, 1 - yes]), np.array([1 - yes, yes])
        for atom in (1e-6, 1e-2, 0.3):
            most = (1 - atom) * np.array([yes, 1 - yes])
            yield np.array([atom, *most, 0.0]), np.array([0.0, *most[::-1], atom])
    for _ in range(5):
        yield neighbours(rng)


def adversarial_orders(one, other, rng):
    """Yield orders from worst to best, most of them led by the ratio of the two probabilities."""
    with np.errstate(divide="ignore"):
        ratio = np.log(one) - np.log(other)
    ascending = np.argsort(ratio, kind="stable")
    yield ascending
    yield rng.permutation(len(one))
    yield np.argsort(np.clip(ratio, -50.0, 50.0) + rng.normal(size=len(one)))
    # The best outcomes favour the second distribution, and the next ones favour the first as much as possible.
    for best in np.unique(np.geomspace(1, len(one) - 1, 9).astype(int)):
        yield np.concatenate([ascending[best:], ascending[:best][::-1]])


@pytest.mark.parametrize("eta", [-0.5, 0.0, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("gamma", [0.3, 0.02])
def test_no_pair_and_no_order_exceeds_the_bound_by_profiles(eta, gamma):
    rng, tries, closest = np.random.default_rng(5), TruncatedNegativeBinomial(eta, gamma), 0.0
    for pair in base_pairs(rng):
        for one, other in (pair, pair[::-1]):
            log_ratio = tries.log_ratio(log_profile(one, other))
            for order in adversarial_orders(one, other, rng):
                here, there = best_of(one[order], tries), best_of(other[order], tries)
                for epsilon in (-0.5, 0.0, 0.1, 0.5, 1.0, 3.0):
                    found = hockey_stick(here, there, epsilon)
                    allowed = tries.mean * hockey_stick(one, other, epsilon - log_ratio)
                    assert found <= allowed * (1 + 1e-9) + 1e-12
                    if found > 1e-9 and allowed < 1.0:
                        closest = max(closest, found / allowed)
    assert closest > 0.999  # with a smaller constant the bound would not hold


@pytest.mark.parametrize("eta", [-0.5, 0.0, 1.0, 2.0])
def test_the_ratio_of_weights_cannot_be_smaller(eta):
    tries, u, v, w = TruncatedNegativeBinomial(eta, 0.05), 0.02, 1e-7, 2e-9
    one, other = np.array([1.0 - v, v, 0.0]), np.array([1.0 - u - w, w, u])
    log_ratio = tries.log_ratio(log_profile(one, other))
    assert log_ratio == pytest.approx((1 + eta) * math.log1p(u * 0.95 / 0.05), rel=1e-9)
    epsilon = 3.0
    found = hockey_stick(best_of(one, tries), best_of(other, tries), epsilon)
    assert found == pytest.approx(tries.mean * (v - math.exp(epsilon - log_ratio) * w), rel=1e-5)


@pytest.mark.parametrize(("eta", "mean"), [(-0.5, 10.0), (0.0, 10.0), (1.0, 10.0), (1.0, 100.0), (2.0, 10.0)])
def test_gaussian_tries_keep_epsilon_in_the_worst_order(eta, mean):
    delta, largest = 1e-5, 0.0
    tries = TruncatedNegativeBinomial.of_mean(eta, mean)
    z = noise_for_tries(tries, 1.0, delta)
    for one, other in (gaussian_cells([1 / z], 2000), gaussian_cells([-1 / z], 2000)):
        ascending = np.argsort(one / other)
        for best in range(1, 2000, 20):
            order = np.concatenate([ascending[best:], ascending[:best][::-1]])
            here, there = best_of(one[order], tries), best_of(other[order], tries)
            assert hockey_stick(here, there, 1.0) <= delta
            largest = max(largest, hockey_stick(here, there, 0.9))
    assert largest > delta  # some order costs more than 90% of the promised ε


@pytest.mark.parametrize(("eta", "noise"), [(-0.5, 5.2214), (0.0, 5.5194), (0.5, 5.7415), (1.0, 5.9196), (2.0, 6.1941)])
def test_profiles_ask_for_the_noise_of_the_theorem(eta, noise):
    tries = TruncatedNegativeBinomial.of_mean(eta, 10.0)
    assert noise_for_tries(tries, 1.0, 1e-5) == pytest.approx(noise, abs=1e-4)
    # The theorem solved on its own, with the textbook form of the profile.
    mu, g = 1.0 / noise, tries.gamma / (1.0 - tries.gamma)

    def profile(epsilon):
        return norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)

    ratio = brentq(lambda e: profile(e) - g * math.expm1(e), 1e-9, 5.0)
    alone = brentq(lambda e: profile(e) * tries.mean - 1e-5, 1e-9, 5.0)
    assert (1 + eta) * ratio + alone == pytest.approx(1.0, abs=1e-4)


def test_the_smaller_of_both_bounds_is_taken():
    # Profiles win nearly always. Rényi wins where δ is large.
    tries = TruncatedNegativeBinomial.of_mean(0.0, 10.0)
    for z, delta in ((6.0, 1e-5), (0.05, 1e-9), (1e4, 0.4), (3.0, 1e-300)):
        by_loss = module.epsilon_of(lambda orders, z=z: tries.loss(gaussian_loss(z), orders), delta)
        by_profile = module.profile_epsilon(tries, z, delta)
        assert module.tries_epsilon(tries, z, delta) == min(by_loss, by_profile)
    assert module.tries_epsilon(tries, 1e4, 0.4) == 0.0 < module.profile_epsilon(tries, 1e4, 0.4)
    assert math.isinf(module.profile_epsilon(TruncatedNegativeBinomial(0.0, 1e-200), 1.0, 1e-300))


test_unusable_input_is_refused = refusals(
    (lambda: TruncatedNegativeBinomial(-1.0, 0.1), "eta is -1.0. It must be a finite number above −1"),
    (lambda: TruncatedNegativeBinomial(0.0, 1.0), "gamma is 1.0"),
    (lambda: TruncatedNegativeBinomial.of_mean(0.0, 1.0), "mean is 1.0"),
    (lambda: PoissonTries(0.0), "mean is 0.0. It must be a finite number of at least 1"),
    (lambda: PoissonTries(0.5), "mean is 0.5. It must be a finite number of at least 1"),
    (lambda: noise_for_tries(TruncatedNegativeBinomial.of_mean(1.0, 1e6), 1e-9, 1e-9), "no noise keeps it"),
)
