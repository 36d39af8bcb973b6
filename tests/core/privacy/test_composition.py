"""Noise of different shapes counted together: never less than the exact loss, and hardly more."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.integrate import quad

from privbo_core.privacy import epsilon_of_losses, gaussian_epsilon
from privbo_core.privacy.loss_distribution import gaussian_profile
from tests.helpers.refusing import refusals


def delta_of(epsilon, mu, pure, laplace):
    """δ at ε of one Gaussian, randomised responses and at most one Laplace, integrated directly."""

    def rest(loss):
        left = epsilon - loss
        return float(gaussian_profile(np.array([left]), mu)[0]) if mu else max(0.0, -math.expm1(left))

    def with_laplace(loss, a):
        between, _ = quad(lambda x: rest(loss + a - 2 * x) * math.exp(-x) / 2, 0, a, epsabs=1e-14, limit=200)
        return rest(loss + a) / 2 + rest(loss - a) * math.exp(-a) / 2 + between

    total = 0.0
    for signs in product((1, -1), repeat=len(pure)):
        losses = [sign * each for sign, each in zip(signs, pure, strict=True)]
        weight = math.prod(1 / (1 + math.exp(-each)) for each in losses)
        total += weight * (with_laplace(sum(losses), *laplace) if laplace else rest(sum(losses)))
    return total


@pytest.mark.parametrize(
    ("mu", "pure", "laplace", "delta"),
    [
        (0.24, (1.0,), (), 1e-6),
        (0.24, (0.5, 0.5, 0.5), (), 1e-6),
        (1.5, (0.3, 2.0), (1.0,), 1e-5),
        (0.8, (), (3.0,), 1e-8),
        (0.0, (0.1,) * 10, (), 1e-4),
        (0.0, (0.2,) * 4, (0.4,), 1e-3),
    ],
)
def test_the_whole_is_the_exact_loss_from_above(mu, pure, laplace, delta):
    found = epsilon_of_losses(delta, mu=mu, pure=pure, laplace=laplace)
    assert delta_of(found, mu, pure, laplace) <= delta * (1 + 1e-6)
    assert delta_of(found - 2e-3, mu, pure, laplace) > delta
    assert found <= (gaussian_epsilon(delta, 1.0, mu) if mu else 0.0) + sum(pure) + sum(laplace)


def test_one_alone_costs_what_it_says():
    assert epsilon_of_losses(1e-6) == epsilon_of_losses(0.0) == 0.0
    assert epsilon_of_losses(1e-6, pure=[1.3]) == epsilon_of_losses(0.0, laplace=[1.3]) == 1.3
    assert epsilon_of_losses(0.0, pure=[1.0, 0.5], laplace=[0.25]) == 1.75
    assert epsilon_of_losses(1e-6, mu=0.5) == gaussian_epsilon(1e-6, 1.0, 0.5)
    assert (
        epsilon_of_losses(1e-6, mu=0.5, laplace=[math.inf])
        == epsilon_of_losses(1e-6, mu=math.inf, pure=[1.0])
        == math.inf
    )


test_a_gaussian_has_no_epsilon_without_a_delta = refusals((lambda: epsilon_of_losses(0.0, mu=1.0), "delta"))
