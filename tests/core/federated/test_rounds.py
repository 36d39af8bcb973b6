"""The rounds of federated Thompson sampling, and what is promised for them."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.federated import cautions, guarantee, sub_regions, variants
from tests.benchmarks.federated_reference import reference_rows
from tests.helpers.small_federation import PRIVATE, SMALL, queries, rounds


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
    # With one region the softmax is uniform: neither a nor the schedule of the weights can matter.
    # Everybody in a sample of fixed size N is everybody.
    for setting, name in (
        (replace(PRIVATE, z=0.0, q=1.0, S=math.inf), "FTS-DE"),
        (replace(PRIVATE, z=0.0, q=1.0, S=1e6), "FTS-DE"),
        (replace(PRIVATE, P=1), "DP-FTS"),
        (replace(PRIVATE, P=1, a=1.0, hold=0), "DP-FTS"),
        (replace(plain["FTS-DE"], sampling="fixed"), "FTS-DE"),
    ):
        np.testing.assert_array_equal(queries(setting), queries(plain[name]))
    assert (queries(PRIVATE) != queries(plain["FTS-DE"])).any()


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


def test_the_guarantee_is_the_loss_after_all_rounds():
    promised = guarantee(PRIVATE, 12)
    assert promised.epsilon == rounds(PRIVATE)[-1].epsilon
    assert promised.delta == pytest.approx(12**-1.1)
    assert guarantee(PRIVATE, 12, "pld").epsilon < promised.epsilon
    assert "replaced" in guarantee(replace(PRIVATE, sampling="fixed"), 12).neighbours
    assert [guarantee(variants(PRIVATE)[name], 12).epsilon for name in ("FTS", "TS")] == [math.inf, 0.0]


def test_settings_that_promise_little_are_pointed_out():
    assert cautions(PRIVATE, 200) == cautions(variants(PRIVATE)["TS"], 5) == ()
    assert re.search(r"N is 12, so δ = N\^−1.1 is 0.065", cautions(PRIVATE, 12)[0])
    assert re.search("z is 0: .* ε is ∞", cautions(replace(PRIVATE, z=0.0), 200)[0])
