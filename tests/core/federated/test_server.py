"""The sub-regions with their weights, and the sum that the server makes of what is sent."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privbo_core as pb
from privbo_core.federated import aggregate, region_weights, server, sub_regions, temperature
from tests.helpers.amounts import few
from tests.helpers.small_federation import PRIVATE


def test_sub_regions_are_equal_boxes_in_any_dimension_and_a_column_that_cannot_be_cut_is_left_whole():
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
def test_one_agent_never_moves_the_joint_vector_by_more_than_the_sensitivity(seed, agents, halvings, a, S, q, size):
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


def test_a_broadcast_for_real_is_the_same_sum_with_noise_that_nobody_can_repeat():
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


def test_whom_the_operating_system_draws_is_drawn_with_probability_q():
    drawn = np.array([server.select_for_real(replace(PRIVATE, q=0.3), 50)[0] for _ in range(1000)])
    # No seed: Hoeffding's inequality, with a false alarm in 10⁹.
    assert abs(drawn.mean() - 0.3) < math.sqrt(math.log(2e9) / (2 * drawn.size))
    fixed = replace(PRIVATE, q=0.3, sampling="fixed")
    assert {int(server.select_for_real(fixed, 50)[0].sum()) for _ in range(20)} == {15}
