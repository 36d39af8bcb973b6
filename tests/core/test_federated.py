"""Federated Thompson sampling: the agents' posteriors, the server's sum, the rounds, and the data that they run on."""

import math
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from federated_reference import reference_rows
from hypothesis import given, settings
from hypothesis import strategies as st

import privbo_core as pb
from privbo_core.federated import Beliefs, Settings, aggregate, region_weights, run, sub_regions, temperature, variants
from privbo_core.gp import random_features, root
from privbo_core.gp.kernels import covariance

KERNEL = pb.gp.SquaredExponential(0.2)
SMALL = pb.federated.synthetic(agents=12, side=8, seed=3)
PRIVATE = Settings(KERNEL, 1e-2, iterations=14, initial=4, features=20, q=0.4, z=0.3, S=5.0, P=4, hold=3, fade=6)


def rounds(setting, problem=SMALL, seed=0):
    return list(run(problem.objectives, problem.points, setting, np.random.default_rng(seed)))


def queries(setting, seed=0):
    return np.array([each.queries for each in rounds(setting, seed=seed)])


# The kernel as inner products of vectors.


@pytest.mark.parametrize("family", [pb.gp.SquaredExponential, pb.gp.Matern52])
def test_a_root_multiplies_out_to_the_kernel_matrix(family):
    points = np.random.default_rng(0).uniform(size=(150, 2))
    kernel = family(0.4, 2.0)
    factor = root(points, kernel, 1e-9)
    remaining = covariance(kernel, points, points) - factor @ factor.T
    assert np.abs(remaining).max() <= 2.0 * 1e-9 + 1e-12
    assert (factor.shape[1] < 100) == (family is pb.gp.SquaredExponential)
    np.testing.assert_allclose(
        root(points[[0, 0, 1]], kernel) @ root(points[[0, 0, 1]], kernel).T,
        covariance(kernel, points[[0, 0, 1]], points[[0, 0, 1]]),
        atol=1e-9,
    )  # equal points


@pytest.mark.statistical
@pytest.mark.parametrize("family", [pb.gp.SquaredExponential, pb.gp.Matern52])
def test_random_features_approximate_the_kernel_and_have_its_norm(family):
    points = np.random.default_rng(0).uniform(size=(40, 2))
    kernel = family(0.5, 1.7)
    phi = random_features(points, kernel, 100_000, np.random.default_rng(1))
    np.testing.assert_allclose((phi**2).sum(axis=1), 1.7)
    # An average of 100 000 terms of size at most 2σ²: six standard errors are below 0.04.
    assert np.abs(phi @ phi.T - covariance(kernel, points, points)).max() < 0.04


# The agents.


@pytest.mark.statistical
def test_draws_have_the_mean_and_covariance_of_the_posterior():
    rng = np.random.default_rng(0)
    points = rng.uniform(size=(30, 2))
    rows, y, noise = np.array([3, 3, 17, 9, 22]), rng.normal(size=5), 0.05
    phi = random_features(points, KERNEL, 12, rng)
    agents = 40_000
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


@settings(max_examples=60, deadline=None)
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


# The sub-regions and their weights.


def test_sub_regions_are_equal_boxes_in_any_dimension():
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


def test_a_column_that_cannot_be_cut_is_left_whole():
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


# The server.


@pytest.mark.statistical
@pytest.mark.parametrize("sampling", ["poisson", "fixed"])
def test_the_aggregate_is_unbiased_for_the_average_over_everybody(sampling):
    from privbo_core.federated.run import _select

    rng = np.random.default_rng(0)
    sent, weights = rng.normal(size=(20, 6)), region_weights(np.arange(20) % 2, 2, 3.0, 1.0)
    setting = replace(PRIVATE, q=0.3, sampling=sampling)
    draws = []
    for _ in range(20_000):
        selected, rate = _select(setting, 20, rng)
        normals = rng.standard_normal((2, 6))
        draws.append(aggregate(sent, selected, weights, rate=rate, S=1e9, z=1e-10, normals=normals).vectors)
    draws = np.array(draws)
    error = draws.std(axis=0, ddof=1) / math.sqrt(len(draws))
    assert (error > 0).all()
    assert (np.abs(draws.mean(axis=0) - weights @ sent) < 5 * error).all()


@settings(max_examples=200, deadline=None)
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


def test_the_sensitivity_is_reached():
    # One region and equal weights, and a vector longer than S: the bound is tight, so less noise would not do.
    sent, weights = np.array([[30.0, 40.0], [0.0, 1.0]]), np.full((1, 2), 0.5)
    normals = np.zeros((1, 2))
    both = aggregate(sent, np.array([True, True]), weights, rate=0.5, S=2.0, z=0.0, normals=normals)
    one = aggregate(sent, np.array([False, True]), weights, rate=0.5, S=2.0, z=0.0, normals=normals)
    assert np.linalg.norm(both.vectors - one.vectors) == pytest.approx(0.5 * 2.0 / 0.5)
    assert both.clipped == 0.5
    assert both.signal == pytest.approx(np.linalg.norm(np.array([[1.2, 1.6 + 1.0]])))


def test_nobody_selected_leaves_the_noise_alone():
    normals = np.ones((2, 3))
    weights = np.full((2, 4), 0.25)
    result = aggregate(np.ones((4, 3)), np.zeros(4, bool), weights, rate=0.5, S=2.0, z=3.0, normals=normals)
    np.testing.assert_allclose(result.vectors, 3.0 * 0.25 * 2.0 / 0.5)
    assert result.signal == 0.0


# The rounds.


@pytest.mark.parametrize("name", ["TS", "FTS", "FTS-DE", "DP-FTS", "DP-FTS-DE"])
@pytest.mark.parametrize("seed", [0, 1])
def test_every_variant_asks_for_the_rows_that_a_plain_loop_asks_for(name, seed):
    setting = variants(PRIVATE)[name]
    regions = sub_regions(SMALL.points, setting.P)
    expected = reference_rows(SMALL.objectives, SMALL.points, regions, setting, np.random.default_rng(seed))
    result = rounds(setting, seed=seed)
    np.testing.assert_array_equal(result[0].initial.T, expected[: setting.initial])
    np.testing.assert_array_equal([each.queries for each in result], expected[setting.initial :])


def test_without_privacy_and_regions_what_is_left_is_the_simpler_algorithm():
    plain = variants(PRIVATE)
    # z = 0, q = 1, S = ∞ is FTS-DE; a finite S that clips nobody and z = 0 change nothing either.
    np.testing.assert_array_equal(queries(replace(PRIVATE, z=0.0, q=1.0, S=math.inf)), queries(plain["FTS-DE"]))
    np.testing.assert_array_equal(queries(replace(PRIVATE, z=0.0, q=1.0, S=1e6)), queries(plain["FTS-DE"]))
    np.testing.assert_array_equal(queries(replace(PRIVATE, P=1)), queries(plain["DP-FTS"]))
    assert (queries(PRIVATE) != queries(plain["FTS-DE"])).any()
    # With one region the softmax is uniform: neither a nor the schedule of the weights can matter.
    np.testing.assert_array_equal(queries(replace(PRIVATE, P=1, a=1.0, hold=0)), queries(plain["DP-FTS"]))
    # Everybody in a sample of fixed size N is everybody.
    np.testing.assert_array_equal(queries(replace(plain["FTS-DE"], sampling="fixed")), queries(plain["FTS-DE"]))


def test_a_threshold_that_clips_everybody_has_no_effect_on_the_queries():
    # Signal and noise are then both proportional to S, and an argmax does not see a common factor.
    small = rounds(replace(PRIVATE, S=1.0))
    assert all(each.broadcast.clipped == 1.0 for each in small)
    np.testing.assert_array_equal([each.queries for each in small], queries(replace(PRIVATE, S=0.01)))
    large, smaller = rounds(replace(PRIVATE, S=400.0)), rounds(replace(PRIVATE, S=200.0))
    assert not any(each.broadcast.clipped for each in large + smaller)
    for one, other in zip(large, smaller, strict=True):
        assert one.broadcast.noise == pytest.approx(2 * other.broadcast.noise)


def test_variants_share_their_dice():
    by_name = {name: rounds(setting) for name, setting in variants(PRIVATE).items()}
    np.testing.assert_array_equal(by_name["TS"][0].initial, by_name["FTS"][0].initial)
    np.testing.assert_array_equal(by_name["FTS-DE"][0].initial, by_name["DP-FTS-DE"][0].initial)
    for one, other in zip(by_name["FTS"], by_name["DP-FTS-DE"], strict=True):
        np.testing.assert_array_equal(one.followed, other.followed)
    assert not any(each.followed.any() for each in by_name["TS"])
    assert all(each.broadcast is None and each.epsilon == 0.0 for each in by_name["TS"])
    first = by_name["FTS"][0]
    assert first.followed.all()
    assert len(np.unique(first.queries)) == 1  # all follow the same vector to the same row


def test_a_round_says_what_happened():
    previous = None
    for each in rounds(PRIVATE):
        best = SMALL.objectives.max(axis=1)
        own = SMALL.objectives[np.arange(12), each.queries]
        np.testing.assert_allclose(each.regret, best - own)
        before = best - SMALL.objectives[np.arange(12)[:, None], each.initial].max(axis=1)
        earlier = previous.simple_regret if previous else before
        np.testing.assert_allclose(each.simple_regret, np.minimum(earlier, each.regret))
        assert each.t == (previous.t + 1 if previous else 1)
        assert each.epsilon == pytest.approx(pb.privacy.epsilon(0.4, 0.3, each.t, 12**-1.1))
        assert each.broadcast.vectors.shape == (4, 20)
        np.testing.assert_allclose(each.weights.sum(axis=1), 1.0)
        previous = each
    assert previous.t == 14
    assert all(len(set(rows)) == 4 for rows in previous.initial)
    np.testing.assert_array_equal(previous.regions[previous.initial], np.repeat(np.arange(12) % 4, 4).reshape(12, 4))
    np.testing.assert_array_equal(np.bincount(previous.explores), [3, 3, 3, 3])


def test_a_fixed_size_sample_has_that_size_and_its_own_account():
    setting = replace(PRIVATE, sampling="fixed", z=2.0)
    for each in rounds(setting):
        assert each.selected.sum() == round(0.4 * 12)
        assert each.epsilon == pb.privacy.epsilon(5 / 12, 2.0, each.t, 12**-1.1, "rdp", "fixed")


def test_the_generator_can_be_left_at_any_time():
    stream = run(SMALL.objectives, SMALL.points, PRIVATE, np.random.default_rng(0))
    assert next(stream).t == 1
    assert next(stream).t == 2
    stream.close()
    assert list(stream) == []


@pytest.mark.statistical
def test_sharing_finds_good_points_sooner_and_privacy_costs_something():
    """The first ten iterations of the paper's synthetic section, in small: 80 agents, eight functions."""
    settings_ = variants(
        Settings(pb.gp.SquaredExponential(0.03), 1e-2, iterations=10, features=50, q=0.5, z=1.0, S=11.0, P=2)
    )
    means = {name: [] for name in settings_}
    for seed in range(8):
        problem = pb.federated.synthetic(agents=80, side=400, dimensions=1, lengthscale=0.03, seed=seed)
        for name, setting in settings_.items():
            each = rounds(setting, problem, seed)
            means[name].append(np.mean([one.simple_regret for one in each]))
    centre = {name: np.mean(values) for name, values in means.items()}
    error = {name: np.std(values, ddof=1) / math.sqrt(8) for name, values in means.items()}
    for name in ("FTS", "FTS-DE"):
        assert centre[name] + error[name] < centre["TS"] - error["TS"]
    assert centre["FTS-DE"] < centre["DP-FTS-DE"]


# What is promised.


def test_the_guarantee_is_the_loss_after_all_rounds():
    promised = pb.federated.guarantee(PRIVATE, 12)
    assert promised.epsilon == rounds(PRIVATE)[-1].epsilon
    assert promised.delta == pytest.approx(12**-1.1)
    assert pb.federated.guarantee(PRIVATE, 12, "pld").epsilon < promised.epsilon
    assert "replaced" in pb.federated.guarantee(replace(PRIVATE, sampling="fixed"), 12).neighbours
    assert pb.federated.guarantee(variants(PRIVATE)["FTS"], 12).epsilon == math.inf
    assert pb.federated.guarantee(variants(PRIVATE)["TS"], 12).epsilon == 0.0


def test_settings_that_promise_little_are_pointed_out():
    assert pb.federated.cautions(PRIVATE, 200) == ()
    assert re.search(r"N is 12, so δ = N\^−1.1 is 0.065", pb.federated.cautions(PRIVATE, 12)[0])
    assert re.search("z is 0: .* ε is ∞", pb.federated.cautions(replace(PRIVATE, z=0.0), 200)[0])
    assert pb.federated.cautions(variants(PRIVATE)["TS"], 5) == ()


# The data.


@pytest.mark.statistical
def test_agents_are_as_alike_as_they_are_said_to_be():
    for heterogeneity in (0.0, 0.5, 1.0):
        pairs = np.array(
            [
                pb.federated.synthetic(agents=2, side=3, heterogeneity=heterogeneity, seed=seed).objectives[:, 4]
                for seed in range(4000)
            ]
        )
        # Standard errors of a variance and a covariance of unit normals are at most √(2/4000) = 0.022.
        np.testing.assert_allclose(pairs.var(axis=0), 1.0, atol=0.11)
        assert np.cov(pairs.T)[0, 1] == pytest.approx(1 - heterogeneity**2, abs=0.11)
    few, many = (pb.federated.synthetic(agents=agents, side=5).objectives for agents in (3, 6))
    np.testing.assert_allclose(few, many[:3], atol=1e-12)


def long_table():
    grid = [(x, y) for x in (0.0, 1.0, 2.0, 4.0) for y in (10.0, 20.0, 30.0)]
    rows = [
        {"who": who, "x": x, "y": y, "loss": 5.0 + shift + math.sin(x + shift) + y / 30 + 0.1 * x * y}
        for shift, who in enumerate(["b", "a", "c"])
        for x, y in grid
    ]
    return pd.DataFrame(rows)


def test_a_table_becomes_objectives_whatever_its_order():
    table = long_table()
    problem = pb.federated.from_table(table, "who", ["x", "y"], "loss", maximize=False)
    assert problem.agents == ("b", "a", "c")
    assert problem.objectives.shape == (3, 12)
    np.testing.assert_allclose(problem.objectives.mean(axis=1), 0.0, atol=1e-12)
    assert problem.objectives.std() == pytest.approx(1.0)
    own = table[table.who == "a"].sort_values(["x", "y"])["loss"].to_numpy()
    np.testing.assert_allclose(-problem.objectives[1] * problem.unit, own - own.mean())
    np.testing.assert_array_equal(problem.original, table[table.who == "a"].sort_values(["x", "y"])[["x", "y"]])
    shuffled = table.sample(frac=1.0, random_state=1)
    again = pb.federated.from_table(shuffled, "who", ["x", "y"], "loss", maximize=False)
    for n, agent in enumerate(again.agents):
        np.testing.assert_allclose(again.objectives[n], problem.objectives[problem.agents.index(agent)])


def changed(row, column, value):
    table = long_table().astype({column: object})
    table.loc[row, column] = value
    return table


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (long_table().drop(columns="x"), "there is no column 'x'; the columns are 'who', 'y', 'loss'"),
        (changed(4, "loss", None), "column 'loss' is empty in row 5"),
        (changed(4, "loss", np.inf), "column 'loss' holds 'inf' in row 5"),
        (changed(7, "x", "low"), "column 'x' holds 'low' in row 8"),
        (changed(2, "who", None), "column 'who' is empty in row 3"),
        (long_table().drop(index=14), "agent a has no row for x = 0, y = 30"),
        (pd.concat([long_table(), long_table().iloc[[3]]]), "agent b has more than one row for x = 1, y = 10"),
        (long_table().query("who == 'a'"), "names 1 agent"),
        (long_table().query("x == 0 and y == 10"), "single point"),
        (long_table().assign(loss=2.0), "column 'loss' is the same at every point"),
        (long_table().query("x == 1"), "column 0 is constant"),
    ],
)
def test_tables_that_cannot_be_used_are_explained(table, words):
    with pytest.raises(pb.DataError, match=words):
        pb.federated.from_table(table, "who", ["x", "y"], "loss")


def test_the_schools_are_there():
    problem = pb.federated.schools()
    assert problem.objectives.shape == (len(problem.agents), 256)
    assert len(set(problem.agents)) == len(problem.agents) >= 80
    # They resemble each other, and not too much: the average surface explains a good part of the variation.
    shared = problem.objectives.mean(axis=0).var() / problem.objectives.var()
    assert 0.3 < shared < 0.9
    assert 4 in pb.federated.possible_sub_regions(problem.points, least_points=10)


# Bad input.

SETTING = Settings(KERNEL, 0.01)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: replace(SETTING, q=0.0), "q is 0.0; it must lie above 0 and be at most 1"),
        (lambda: replace(SETTING, q=1.01), "q is 1.01"),
        (lambda: replace(SETTING, z=-0.5), "z is -0.5; .* no guarantee"),
        (lambda: replace(SETTING, S=0.0), "S is 0.0; it must be above 0"),
        (lambda: replace(SETTING, S=float("nan")), "S is nan"),
        (lambda: replace(SETTING, z=1.0), "S is inf while z is 1.0"),
        (lambda: replace(SETTING, P=3), "P is 3; .* one of 1, 2, 4, 8"),
        (lambda: replace(SETTING, P=0), "P is 0"),
        (lambda: replace(SETTING, a=0.0), "a is 0.0"),
        (lambda: replace(SETTING, iterations=0), "iterations is 0"),
        (lambda: replace(SETTING, initial=0), "initial is 0"),
        (lambda: replace(SETTING, features=2.5), "features is 2.5"),
        (lambda: replace(SETTING, noise_variance=0.0), "noise_variance is 0.0"),
        (lambda: replace(SETTING, decay=-1.0), "decay is -1.0"),
        (lambda: replace(SETTING, sampling="some"), "sampling is 'some'"),
        (lambda: rounds(replace(SETTING, P=8)), r"P is 8; this domain can be cut into 1, 2, 4 equal .* 10 initial"),
        (lambda: rounds(replace(PRIVATE, P=16)), "P is 16; this domain can be cut into 1, 2, 4, 8 .* there are 12"),
        (lambda: rounds(replace(SETTING, initial=65)), "P is 1; this domain has too few points"),
        (lambda: sub_regions(SMALL.points, 6), "P is 6; this domain can be cut into 1, 2, 4, 8, 16, 32, 64"),
        (
            lambda: run(SMALL.objectives[:1], SMALL.points, SETTING, None),
            r"N \(the number of agents\) is 1; .* at least 2",
        ),
        (lambda: run(SMALL.objectives[:, :9], SMALL.points, SETTING, None), "9 values for each agent; .* 64 points"),
        (lambda: run([[1.0, 2.0], [1.0]], [[0.0], [1.0]], SETTING, None), "agent 0 has 2 values and agent 1 has 1"),
        (
            lambda: run([[1.0, 2], [1, math.nan]], [[0.0], [1]], SETTING, None),
            "objectives holds nan in row 1, column 1",
        ),
        (lambda: pb.federated.delta_for(1), "at least 2"),
        (lambda: pb.federated.synthetic(agents=1), "at least 2"),
        (lambda: pb.federated.synthetic(heterogeneity=1.5), "heterogeneity is 1.5"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
