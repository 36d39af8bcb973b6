"""The best of a random number of tries: the distributions, the published formulas, and exact attacks on small cases."""

import math

import numpy as np
import pytest
from scipy.special import logsumexp

from privbo_core.privacy.tries import (
    ORDERS,
    PoissonTries,
    TruncatedNegativeBinomial,
    delta_of,
    epsilon_of,
    gaussian_loss,
    noise_for_tries,
    pure_loss,
    tries_epsilon,
)

SETTINGS = [(0.0, 0.01), (1.0, 0.1), (-0.5, 0.02), (2.5, 0.3), (0.5, 0.05), (-0.9, 0.001)]


def written_out(eta, gamma, most):
    """Return Pr[K = k] as the paper writes it, factor by factor."""
    if eta == 0:
        return np.array([(1 - gamma) ** k / k / math.log(1 / gamma) for k in range(1, most)])
    product, found = 1.0, []
    for k in range(1, most):
        product *= (k - 1 + eta) / k
        found.append((1 - gamma) ** k / (gamma**-eta - 1) * product)
    return np.array(found)


@pytest.mark.parametrize(("eta", "gamma"), SETTINGS)
def test_the_number_of_tries_has_the_paper_s_distribution(eta, gamma):
    tries = TruncatedNegativeBinomial(eta, gamma)
    p = tries.probabilities
    assert p[:200] == pytest.approx(written_out(eta, gamma, 201)[: len(p)], rel=1e-9, abs=1e-300)
    assert p.sum() == pytest.approx(1, abs=1e-9)
    assert p @ np.arange(1, len(p) + 1) == pytest.approx(tries.mean, rel=1e-9)
    assert TruncatedNegativeBinomial.of_mean(eta, tries.mean).gamma == pytest.approx(gamma, rel=1e-6)


@pytest.mark.statistical
@pytest.mark.parametrize("tries", [*(TruncatedNegativeBinomial(*s) for s in SETTINGS), PoissonTries(7.5)])
def test_simulated_numbers_have_the_mean_that_is_said(tries):
    drawn = tries.draw(200_000, np.random.default_rng(0))
    assert abs(drawn.mean() - tries.mean) < 4.5 * drawn.std() / math.sqrt(len(drawn))


@pytest.mark.parametrize(("eta", "gamma"), SETTINGS)
def test_the_loss_is_theorem_2_at_every_order(eta, gamma):
    tries = TruncatedNegativeBinomial(eta, gamma)
    z = 3.0
    orders = np.array([1.5, 2.0, 7.0, 40.0, 900.0])
    mean = (1 / gamma - 1) / math.log(1 / gamma) if eta == 0 else eta * (1 - gamma) / (gamma * (1 - gamma**eta))
    # For a Gaussian try the best λ̂ is known: (1+η) (λ̂−1)/2z² + (1+η) ln(1/γ)/λ̂ is least at λ̂ = z √(2 ln(1/γ)).
    other = z * math.sqrt(2 * math.log(1 / gamma))
    beside = (1 + eta) * ((1 - 1 / other) * other / (2 * z * z) + math.log(1 / gamma) / other)
    exact = orders / (2 * z * z) + beside + math.log(mean) / (orders - 1)
    found = tries.loss(gaussian_loss(z), orders)
    assert (found >= exact - 1e-12).all()  # looking at some λ̂ only is never too optimistic
    assert found == pytest.approx(exact, rel=1e-3)
    # With one λ̂ the formula is the paper's to rounding.
    one = tries.loss(lambda lam: np.where(lam > 1, 0.25, 0.25), orders)
    rest = (1 + eta) * min((1 - 1 / h) * 0.25 + math.log(1 / gamma) / h for h in ORDERS)
    assert one == pytest.approx(0.25 + rest + math.log(mean) / (orders - 1), abs=1e-9)


@pytest.mark.parametrize(("mean", "z"), [(1.0, 1.0), (5.0, 2.0), (20.0, 4.0), (50.0, 9.0), (200.0, 30.0)])
def test_the_loss_is_theorem_6_at_every_order(mean, z):
    orders = np.array([1.5, 2.0, 7.0, 40.0, 900.0])
    deltas = {}

    def delta(epsilon):
        deltas[epsilon] = 1e-3 * math.exp(-epsilon)
        return deltas[epsilon]

    found = PoissonTries(mean).loss_with(gaussian_loss(z), delta, orders)
    exact = [
        lam / (2 * z * z) + mean * 1e-3 * math.exp(-math.log(1 + 1 / (lam - 1))) + math.log(mean) / (lam - 1)
        for lam in orders
    ]
    assert found == pytest.approx(exact, abs=1e-9)
    assert len(deltas) == len(orders)


def test_a_gamma_below_rounding_gives_finite_chances():
    tries = TruncatedNegativeBinomial(-0.9, 1e-20)
    # At x = 1 it is E[K].
    assert tries.wins(np.ones(1)) == pytest.approx([tries.mean], rel=1e-9)


def renyi(p, q, lam):
    return float(logsumexp(lam * np.log(p) + (1 - lam) * np.log(q))) / (lam - 1)


def best_of(q, generating):
    """Return the distribution of the best of K draws of q, whose outcomes stand from worst to best, exactly."""
    reached = generating(np.concatenate([[0.0], np.cumsum(q)]))
    return np.diff(reached)


def generating(tries):
    if isinstance(tries, PoissonTries):
        return lambda x: np.exp(tries.mean * (x - 1))
    eta, gamma = tries.eta, tries.gamma
    if eta == 0:
        return lambda x: np.log1p(-(1 - gamma) * x) / math.log(gamma)
    return lambda x: np.expm1(-eta * np.log1p(-(1 - gamma) * x)) / (gamma**-eta - 1)


def neighbours(rng):
    """Return two distributions of one try on few outcomes, close to one another in ratio, some outcomes rare."""
    n = int(rng.integers(2, 12))
    q = rng.dirichlet(np.full(n, rng.choice([0.2, 1.0, 5.0]))) + 1e-4
    signs = rng.permutation([-0.5, 0.5, *rng.choice([-0.5, 0.5], n - 2)])
    other = q * np.exp(rng.uniform(0.05, 2) * signs)
    return q / q.sum(), other / other.sum()


@pytest.mark.parametrize("tries", [TruncatedNegativeBinomial(*s) for s in SETTINGS])
def test_no_small_case_loses_more_than_the_formulas_say(tries):
    rng = np.random.default_rng(3)
    f, worst = generating(tries), 0.0
    orders = np.array([1.2, 2.0, 5.0, 30.0])
    for _ in range(1000):
        q, other = neighbours(rng)
        pure = float(np.abs(np.log(q / other)).max())
        here, there = best_of(q, f), best_of(other, f)
        seen = float(np.abs(np.log(here / there)).max())
        assert seen <= tries.pure(pure) + 1e-7
        worst = max(worst, seen / pure)

        def one(lams, q=q, other=other):
            with np.errstate(over="ignore"):
                return np.array([max(renyi(q, other, x), renyi(other, q, x)) if x < 200 else np.inf for x in lams])

        allowed = tries.loss(one, orders)
        for lam, most in zip(orders, allowed, strict=True):
            assert max(renyi(here, there, lam), renyi(there, here, lam)) <= most + 1e-7
    assert worst > 1.0  # publishing the best of several tells more than one try does


def test_no_small_case_loses_more_with_poisson_tries():
    rng = np.random.default_rng(4)
    orders = np.array([1.2, 2.0, 5.0, 30.0])
    for _ in range(1000):
        tries = PoissonTries(float(rng.choice([1.0, rng.uniform(1, 3), rng.uniform(3, 30)])))
        q, other = neighbours(rng)
        f = generating(tries)
        # Nothing published is an outcome too, with the same probability on both sides.
        here, there = (np.append(best_of(x, f), math.exp(-tries.mean)) for x in (q, other))

        def one(lams, q=q, other=other):
            return np.array([max(renyi(q, other, x), renyi(other, q, x)) for x in lams])

        def delta(epsilon, q=q, other=other):
            ratio = math.exp(epsilon)
            return max(np.maximum(q - ratio * other, 0).sum(), np.maximum(other - ratio * q, 0).sum())

        allowed = tries.loss_with(one, delta, orders)
        for lam, most in zip(orders, allowed, strict=True):
            assert max(renyi(here, there, lam), renyi(there, here, lam)) <= most + 1e-7


def test_the_noise_keeps_the_promise_and_hardly_more():
    for tries in (TruncatedNegativeBinomial.of_mean(1.0, 50), TruncatedNegativeBinomial.of_mean(0.0, 20)):
        z = noise_for_tries(tries, 1.0, 1e-5)
        assert tries_epsilon(tries, z, 1e-5) <= 1.0 < tries_epsilon(tries, 0.999 * z, 1e-5)
    z = noise_for_tries(PoissonTries(10.0), 1.0, 1e-5)
    assert tries_epsilon(PoissonTries(10.0), z, 1e-5) <= 1.0


def test_a_loss_converts_to_epsilon_and_delta_and_back():
    loss = gaussian_loss(4.0)
    epsilon = epsilon_of(loss, 1e-5)
    assert delta_of(loss, epsilon) == pytest.approx(1e-5, rel=1e-6)
    assert epsilon_of(pure_loss(0.5), 1e-9) == pytest.approx(0.5, rel=1e-2)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: TruncatedNegativeBinomial(-1.0, 0.1), "eta is -1.0; it must be a finite number above −1"),
        (lambda: TruncatedNegativeBinomial(0.0, 1.0), "gamma is 1.0"),
        (lambda: TruncatedNegativeBinomial.of_mean(0.0, 1.0), "mean is 1.0"),
        (lambda: PoissonTries(0.0), "mean is 0.0; it must be at least 1"),
        (lambda: PoissonTries(0.5), "mean is 0.5; it must be at least 1"),
        (lambda: noise_for_tries(TruncatedNegativeBinomial.of_mean(1.0, 1e6), 1e-9, 1e-9), "no noise keeps it"),
    ],
)
def test_what_cannot_be_is_named(make, words):
    with pytest.raises(ValueError, match=words):
        make()
