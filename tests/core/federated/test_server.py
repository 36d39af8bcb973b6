"""The agents' posteriors, the sub-regions with their weights, and the sum that the server makes of what is sent."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privbo_core as pb
from privbo_core.federated import Beliefs, aggregate, region_weights, run, server, sub_regions, temperature
from privbo_core.federated import agents as module
from privbo_core.federated.run import common
from privbo_core.gp import random_features, root
from tests.helpers.amounts import few
from tests.helpers.small_federation import KERNEL, PRIVATE, SMALL


def test_sub_regions_are_equal_boxes():
    for d, side, possible in [(1, 16, (1, 2, 4, 8, 16)), (2, 4, (1, 2, 4, 8, 16)), (3, 4, (1, 2, 4, 8, 16, 32, 64))]:
        axes = [np.linspace(-3, 7, side)] * d
        points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, d)
        assert pb.federated.possible_sub_regions(points) == possible
        for P in possible:
            regions = sub_regions(points, P)
            assert list(np.bincount(regions)) == [len(points) // P] * P
            extents = np.array([np.ptp(points[regions == i], axis=0) for i in range(P)])
            np.testing.assert_allclose(extents, extents[:1].repeat(P, axis=0))
            boxes = [(points[regions == i].min(axis=0), points[regions == i].max(axis=0)) for i in range(P)]
            for i, (low, high) in enumerate(boxes):
                assert not ((points[regions != i] >= low) & (points[regions != i] <= high)).all(axis=1).any()


def test_a_column_with_too_few_levels_is_not_cut_again():
    points = np.array([[x, float(flag)] for x in range(8) for flag in (0, 1)])
    assert pb.federated.possible_sub_regions(points) == (1, 2, 4, 8, 16)
    assert len(np.unique(sub_regions(points[:, [1, 0]], 8))) == 8


def test_weights_are_a_softmax_that_flattens():
    explores = np.array([0, 1, 0, 1, 0])
    weights = region_weights(explores, 2, a=2.0, temperature=1.0)
    near, far = math.exp(3.0), math.exp(1.0)
    np.testing.assert_allclose(weights[0], np.array([near, far, near, far, near]) / (3 * near + 2 * far))
    np.testing.assert_allclose(weights.sum(axis=1), 1.0)
    np.testing.assert_allclose(region_weights(explores, 2, 2.0, math.inf), 0.2)
    assert [temperature(t, 10, 30) for t in (1, 10, 25, 40, 90)] == [1.0, 1.0, 2.0, math.inf, math.inf]


@pytest.mark.parametrize("sampling", ["poisson", "fixed"])
def test_the_aggregate_is_unbiased_for_the_average_over_everybody(sampling):
    rng = np.random.default_rng(0)
    sent, weights = rng.normal(size=(20, 6)), region_weights(np.arange(20) % 2, 2, 3.0, 1.0)
    setting = replace(PRIVATE, q=0.3, sampling=sampling)
    draws = []
    for _ in range(few(4_000, 20_000)):
        selected, rate = server.select(setting, 20, rng)
        normals = rng.standard_normal((2, 6))
        draws.append(aggregate(sent, selected, weights, rate=rate, S=1e9, z=1e-10, normals=normals).vectors)
    draws = np.array(draws)
    error = draws.std(axis=0, ddof=1) / math.sqrt(len(draws))
    assert (error > 0).all()
    assert (np.abs(draws.mean(axis=0) - weights @ sent) < 5 * error).all()


@settings(max_examples=few(50, 200), deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    agents=st.integers(2, 15),
    halvings=st.integers(0, 3),
    a=st.floats(0.1, 20),
    S=st.floats(0.01, 100),
    q=st.floats(0.05, 1),
    size=st.floats(0.01, 1e4),
)
def test_no_agent_moves_the_joint_vector_beyond_the_sensitivity(seed, agents, halvings, a, S, q, size):
    rng, P = np.random.default_rng(seed), 2**halvings
    sent = rng.normal(size=(agents, 7)) * size * rng.exponential(size=(agents, 1))
    weights = region_weights(rng.integers(P, size=agents), P, a, float(rng.uniform(1, 20)))
    selected = rng.random(agents) < q
    one = int(rng.integers(agents))
    joined, stayed = selected.copy(), selected.copy()
    joined[one], stayed[one] = True, False
    normals = rng.standard_normal((P, 7))
    with_it, without, noisy = (
        aggregate(sent, who, weights, rate=q, S=S, z=z, normals=normals)
        for who, z in ((joined, 0.0), (stayed, 0.0), (joined, 1.7))
    )
    sensitivity = weights.max() * S / q
    moved = np.linalg.norm(with_it.vectors - without.vectors)
    assert moved <= sensitivity * (1 + 1e-9)
    assert noisy.noise_deviation == pytest.approx(1.7 * sensitivity)
    np.testing.assert_allclose(
        noisy.vectors - with_it.vectors, 1.7 * sensitivity * normals, rtol=1e-6, atol=1e-9 * size
    )


def test_a_real_broadcast_cannot_be_repeated():
    rng = np.random.default_rng(0)
    sent, weights = 3.0 * rng.normal(size=(30, 50)), region_weights(np.arange(30) % 2, 2, 3.0, 1.0)
    selected, rate = server.select_for_real(PRIVATE, 30)
    assert rate == PRIVATE.q
    given = {"rate": 0.5, "S": 4.0}
    normals = np.zeros((2, 50))
    exact = aggregate(sent, selected, weights, z=0.0, normals=normals, **given)
    assert (server.publish(sent, selected, weights, z=0.0, **given).vectors == exact.vectors).all()
    once, again = (server.publish(sent, selected, weights, z=2.0, **given) for _ in range(2))
    assert not (once.vectors == again.vectors).any()
    said = aggregate(sent, selected, weights, z=2.0, normals=normals, **given)
    assert once.noise_deviation == pytest.approx(said.noise_deviation, rel=1e-8)
    assert (once.signal, once.clipped) == (exact.signal, exact.clipped)
    # 100 numbers: their root mean square is within a factor of two of the deviation but for less than 1e-12.
    assert 0.5 < np.sqrt(np.mean((once.vectors - exact.vectors) ** 2)) / once.noise_deviation < 2.0


def test_agents_are_drawn_for_real_with_probability_q():
    drawn = np.array([server.select_for_real(replace(PRIVATE, q=0.3), 50)[0] for _ in range(1000)])
    # No seed: Hoeffding's inequality, with a false alarm in 10⁹.
    assert abs(drawn.mean() - 0.3) < math.sqrt(math.log(2e9) / (2 * drawn.size))
    fixed = replace(PRIVATE, q=0.3, sampling="fixed")
    assert {int(server.select_for_real(fixed, 50)[0].sum()) for _ in range(20)} == {15}


def test_unusable_vectors_are_dropped_and_count_as_zero():
    good, long = np.arange(3.0), np.full(3, 1e308)
    received = {
        0: good,
        1: [1, 2, 3],
        2: [1.0, math.nan, 3.0],
        3: [1.0, math.inf, 3.0],
        4: long,
        5: [1.0, 2.0],
        6: [[1.0, 2.0, 3.0]],
        7: ["1", "2", "3"],
        8: [1.0, [2.0], 3.0],
        9: None,
        10: [1 + 1j, 2.0, 3.0],
        11: [True, True, True],
    }
    sent, dropped = server.gather(received, 13, 3)
    np.testing.assert_array_equal(sent[:2], [good, [1, 2, 3]])
    assert not sent[2:].any()
    assert sorted(dropped) == list(range(2, 12))
    assert sent.shape == (13, 3)


@settings(max_examples=few(30, 100), deadline=None)
@given(size=st.floats(0, 300), one=st.integers(0, 11), seed=st.integers(0, 2**32 - 1))
def test_malicious_vector_moves_broadcast_within_sensitivity(size, one, seed):
    """The real server without noise, everybody selected: one agent sends any finite vector, or nothing at all."""
    rng, setting = np.random.default_rng(seed), replace(PRIVATE, q=1.0, z=0.0)
    others = {n: rng.normal(size=20) * 10.0 ** rng.uniform(-3, 3) for n in range(12) if n != one}
    vector = np.clip(rng.normal(size=20), -5, 5) * 10.0**size
    real = server.Server(setting, 12)
    for t in (1, 5, 14):
        turns = [real.turn(t, server.gather(each, 12, 20)[0]) for each in ({**others, one: vector}, others)]
        moved = np.linalg.norm(turns[0].broadcast.vectors - turns[1].broadcast.vectors)
        assert moved <= turns[0].weights.max() * setting.S * (1 + 1e-9)


def test_agents_restored_apart_match_agents_together():
    """An agent that is restored from its rows and outcomes, as on a machine of its own, asks and sends the same."""
    setting, values = replace(PRIVATE, q=1.0, z=0.0), np.random.default_rng(3).normal(size=(12, 64))
    points = np.stack(np.meshgrid(*[np.linspace(0, 1, 8)] * 2, indexing="ij"), axis=-1).reshape(-1, 2)
    shared = common(points, setting, 12, np.random.default_rng(4))
    streams = [module.Streams.of(np.random.default_rng(5)) for _ in range(12)]
    rows, sent = [[] for _ in range(12)], np.zeros((3, 12, 20))
    asked, server_of_all = np.zeros((2, 12), dtype=int), server.Server(setting, 12)
    for t in range(3):
        vectors = server_of_all.turn(t, sent[t - 1]).broadcast.vectors if t else None
        for n in range(12):
            agent = module.Agents(shared, module.RandomNumbers(streams[n], 12, np.array([n])), 10)
            for row in rows[n]:
                agent.observe(np.array([row]), values[n, [row]])
            chosen = agent.begin()[0] if t == 0 else agent.asks(t, vectors)[0]
            for row in chosen:
                rows[n].append(int(row))
                agent.observe(np.array([row]), values[n, [row]])
            if t:
                asked[t - 1, n] = chosen[0]
            sent[t, n] = agent.vectors()[0]
    together = module.Agents(
        shared, module.RandomNumbers(module.Streams.of(np.random.default_rng(5)), 12, np.arange(12)), 10
    )
    for column in together.begin().T:
        together.observe(column, values[np.arange(12), column])
    for t in (1, 2):
        vectors = server_of_all.turn(t, together.vectors()).broadcast.vectors
        chosen, _ = together.asks(t, vectors)
        np.testing.assert_array_equal(asked[t - 1], chosen)
        together.observe(chosen, values[np.arange(12), chosen])
    np.testing.assert_allclose(sent[2], together.vectors(), rtol=1e-9, atol=1e-12)


def test_lone_agent_starts_in_its_region_without_a_seed():
    shared = common(SMALL.points, PRIVATE, 12, np.random.default_rng(0))
    draws = []
    for n in (0, 5, 5):
        agent = module.Agents(shared, module.RandomNumbers.alone(n), 10)
        (rows,) = agent.begin()
        assert (shared.regions[rows] == n % PRIVATE.P).all()
        for row in rows:
            agent.observe(np.array([row]), SMALL.objectives[[n], [row]])
        draws.append(agent.vectors()[0])
    assert (draws[1] != draws[2]).any()


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
def test_draws_do_not_depend_on_when_observations_are_added(seed, agents, drawn_at):
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
def test_posterior_means_agree_with_the_posterior_class(seed, count, noise, n):
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
def test_the_highest_row_is_that_of_the_drawn_weights(monkeypatch, large):
    monkeypatch.setattr(module, "MAX_PRECOMPUTED_ROWS", large)
    rng = np.random.default_rng(3)
    beliefs = Beliefs(rng.standard_normal((40, 7)), 0.1, 70, 9)
    for _ in range(9):
        beliefs.observe(rng.integers(40, size=70), rng.normal(size=70))
    dice, some = (rng.standard_normal((70, 7)), rng.standard_normal((70, 9))), np.arange(0, 70, 3)
    expected = (beliefs.drawn(*dice, 1.5) @ beliefs.features.T).argmax(axis=1)
    np.testing.assert_array_equal(beliefs.highest(some, *dice, 1.5), expected[some])


def test_results_do_not_depend_on_blocks_or_cores(monkeypatch):
    """Blocks, cores and a block for all give the same bits, so that results do not depend on the cores."""
    setting = replace(PRIVATE, iterations=4, P=1)
    found = []
    for block, many in ((64, 8), (64, 10**9), (10**9, 8), (7, 2)):
        monkeypatch.setattr(module, "BLOCK_SIZE", block)
        monkeypatch.setattr(module, "MIN_PARALLEL_BLOCKS", many)
        rng = np.random.default_rng(5)
        crowd = pb.federated.synthetic(agents=600, side=6, seed=2)
        made = list(run(crowd.objectives, crowd.points, setting, rng))
        found.append(
            [np.array([part(each) for each in made]) for part in (lambda r: r.queries, lambda r: r.broadcast.vectors)]
        )
    for other in found[1:]:
        for one, same in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(one, same)
