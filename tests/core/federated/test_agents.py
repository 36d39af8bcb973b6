"""The agents' posteriors, as weights of features."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privbo_core as pb
from privbo_core.federated import Beliefs, run
from privbo_core.federated import agents as module
from privbo_core.gp import random_features, root
from tests.helpers.amounts import few
from tests.helpers.small_federation import KERNEL, PRIVATE


def test_draws_have_the_mean_and_covariance_of_the_posterior():
    rng = np.random.default_rng(0)
    points = rng.uniform(size=(30, 2))
    rows, y, noise = np.array([3, 3, 17, 9, 22]), rng.normal(size=5), 0.05
    phi = random_features(points, KERNEL, 12, rng)
    agents = few(10_000, 40_000)
    beliefs = Beliefs(phi, noise, agents, 5)
    for row, value in zip(rows, y, strict=True):
        beliefs.observe(np.full(agents, row), np.full(agents, value))
    sigma = phi[rows].T @ phi[rows] + noise * np.eye(12)
    mean, spread = np.linalg.solve(sigma, phi[rows].T @ y), noise * np.linalg.inv(sigma)
    for deviation in (1.0, 2.5):
        draws = beliefs.draw(rng, deviation)
        error = np.sqrt(np.diag(spread) / agents) * deviation
        assert (np.abs(draws.mean(axis=0) - mean) < 5 * error).all()
        # The standard error of a sample covariance is √((c_ii c_jj + c_ij²)/N).
        expected = deviation**2 * spread
        error = np.sqrt((np.outer(np.diag(expected), np.diag(expected)) + expected**2) / agents)
        assert (np.abs(np.cov(draws.T) - expected) < 5 * error).all()


@settings(max_examples=few(10, 40), deadline=None)
@given(seed=st.integers(0, 2**32 - 1), agents=st.sampled_from([1, 3, 70]), drawn_at=st.sets(st.integers(0, 11)))
def test_a_draw_is_to_the_last_digit_the_same_however_long_observations_waited_for_it(seed, agents, drawn_at):
    rng = np.random.default_rng(seed)
    features = rng.standard_normal((40, 7))
    always, seldom = Beliefs(features, 0.1, agents, 12), Beliefs(features, 0.1, agents, 12)
    for t in range(12):
        rows, y = rng.integers(40, size=agents), rng.normal(size=agents)
        always.observe(rows, y)
        seldom.observe(rows, y)
        expected = always.draw(np.random.default_rng([seed, t]))
        if t in drawn_at or t == 11:
            np.testing.assert_array_equal(seldom.draw(np.random.default_rng([seed, t])), expected)


@settings(max_examples=few(15, 60), deadline=None)
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(1, 25), noise=st.floats(1e-5, 1.0), n=st.integers(2, 40))
def test_posterior_means_agree_with_the_finite_domain_posterior(seed, count, noise, n):
    rng = np.random.default_rng(seed)
    points = rng.uniform(size=(n, 2))
    factor = root(points, KERNEL, 1e-13)
    beliefs = Beliefs(factor, noise, 3, count)
    singles = [pb.gp.Posterior(points, KERNEL, noise) for _ in range(3)]
    for _ in range(count):
        rows, y = rng.integers(n, size=3), rng.normal(size=3)  # repeated rows included
        beliefs.observe(rows, y)
        for single, row, value in zip(singles, rows, y, strict=True):
            single.observe(int(row), value)
    means = beliefs.given(np.zeros((3, factor.shape[1])), np.zeros((3, count))) @ factor.T
    np.testing.assert_allclose(means, [single.mean for single in singles], atol=1e-6)


@pytest.mark.parametrize("large", [0, 10**6])
def test_a_function_is_highest_where_its_weights_say_on_a_domain_of_any_size(monkeypatch, large):
    monkeypatch.setattr(module, "LARGE", large)
    rng = np.random.default_rng(3)
    beliefs = Beliefs(rng.standard_normal((40, 7)), 0.1, 70, 9)
    for _ in range(9):
        beliefs.observe(rng.integers(40, size=70), rng.normal(size=70))
    dice, some = (rng.standard_normal((70, 7)), rng.standard_normal((70, 9))), np.arange(0, 70, 3)
    expected = (beliefs.drawn(*dice, 1.5) @ beliefs.features.T).argmax(axis=1)
    np.testing.assert_array_equal(beliefs.highest(some, *dice, 1.5), expected[some])


def test_no_number_depends_on_how_the_agents_are_shared_among_the_cores(monkeypatch):
    """Blocks, cores and a block for all give the same bits, so that results do not depend on the cores."""
    setting = replace(PRIVATE, iterations=4, P=1)
    found = []
    for block, many in ((64, 8), (64, 10**9), (10**9, 8), (7, 2)):
        monkeypatch.setattr(module, "BLOCK", block)
        monkeypatch.setattr(module, "MANY", many)
        rng = np.random.default_rng(5)
        crowd = pb.federated.synthetic(agents=600, side=6, seed=2)
        made = list(run(crowd.objectives, crowd.points, setting, rng))
        found.append(
            [np.array([part(each) for each in made]) for part in (lambda r: r.queries, lambda r: r.broadcast.vectors)]
        )
    for other in found[1:]:
        for one, same in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(one, same)
