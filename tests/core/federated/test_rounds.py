"""The rounds of federated Thompson sampling, by the defaults and the paper’s own choices; what is promised."""

import math
from dataclasses import replace

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.federated import Settings, Simulation, cautions, guarantee, run, sub_regions, variants
from privbo_core.federated.run import FAILURE_PROBABILITY, deviation_schedule
from tests.helpers.federated_reference import reference_rows
from tests.helpers.numbers import tells
from tests.helpers.refusing import refusals
from tests.helpers.small_federation import KERNEL, PRIVATE, SMALL, queries, rounds

CHANGED = {
    "fixed samples": {"sampling": "fixed", "z": 2.0},
    "exact calibration": {"calibration": "exact"},
    "beta and ridge of the theory": {"beta": "theory", "norm": 3.0, "ridge": "theory"},
    "wider samples": {"deviation": 2.5, "decay": 1.0},
    "initial points anywhere": {"start": "anywhere"},
    "a Matérn kernel": {"kernel": pb.gp.Matern52(0.3), "S": 1.0, "a": 3.0},
}
SETTINGS = variants(PRIVATE) | {name: replace(PRIVATE, **changes) for name, changes in CHANGED.items()}


@pytest.mark.parametrize("name", SETTINGS)
def test_every_variant_queries_the_rows_of_a_plain_loop(name):
    setting = SETTINGS[name]
    regions = sub_regions(SMALL.points, setting.P)
    for seed in (0, 1):
        expected = reference_rows(SMALL.objectives, SMALL.points, regions, setting, np.random.default_rng(seed))
        result = rounds(setting, seed=seed)
        np.testing.assert_array_equal(result[0].initial.T, expected[: setting.initial])
        np.testing.assert_array_equal([each.queries for each in result], expected[setting.initial :])


def test_without_noise_and_regions_the_simpler_variant_is_left():
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


def test_clipping_everybody_has_no_effect():
    """Signal and noise are then both proportional to S, and an argmax does not see a common factor."""
    small = rounds(replace(PRIVATE, S=1.0))
    assert all(each.broadcast.clipped == 1.0 for each in small)
    np.testing.assert_array_equal([each.queries for each in small], queries(replace(PRIVATE, S=0.01)))


def test_clipping_nobody_leaves_noise_in_proportion_to_s():
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


def test_samples_of_a_fixed_size_have_their_own_account():
    setting = replace(PRIVATE, sampling="fixed", z=2.0)
    for each in rounds(setting):
        assert each.selected.sum() == round(0.4 * 12)
        assert each.epsilon == pytest.approx(pb.privacy.epsilon(5 / 12, 2.0, each.t, 12**-1.1, "pld", "fixed"))


def test_the_guarantee_is_the_loss_of_all_rounds():
    promised = guarantee(PRIVATE, 12)
    assert (promised.epsilon, promised.delta) == (rounds(PRIVATE)[-1].epsilon, pytest.approx(12**-1.1))
    assert guarantee(PRIVATE, 12, "pld").epsilon < promised.epsilon
    assert "replaced" in guarantee(replace(PRIVATE, sampling="fixed"), 12).neighbours
    assert [guarantee(variants(PRIVATE)[name], 12).epsilon for name in ("FTS", "TS")] == [math.inf, 0.0]


def test_weak_guarantees_come_with_a_caution():
    assert cautions(PRIVATE, 200) == cautions(variants(PRIVATE)["TS"], 5) == ()
    (few_agents,), (no_noise,) = cautions(PRIVATE, 12), cautions(replace(PRIVATE, z=0.0), 12)
    assert tells(few_agents, 12, 12**-1.1)
    assert "∞" in no_noise


def test_the_theory_s_beta_and_ridge_match_their_formulas():
    setting = replace(PRIVATE, beta="theory", norm=3.0)
    found = deviation_schedule(SMALL.points, setting)
    gain = pb.bo.information_gain(SMALL.points, PRIVATE.kernel, PRIVATE.noise_variance, 17).upper
    for t in (1, 7, 14):
        known = gain[PRIVATE.initial + t - 2]
        expected = 3.0 + 0.1 * math.sqrt(2 * (known + 1 + math.log(4 / FAILURE_PROBABILITY)))
        assert found[t - 1] == pytest.approx(expected)
    assert (np.diff(found) >= 0).all()
    assert found[0] > 3.5
    assert (queries(setting) != queries(PRIVATE)).any()
    # A run of more points than the domain has is bounded by all of them.
    longer = deviation_schedule(SMALL.points, replace(setting, iterations=80))
    assert (len(longer), np.ptp(longer[-10:])) == (80, 0)
    theory = replace(PRIVATE, ridge="theory")
    assert theory.regularisation == 1 + 2 / 14
    assert (queries(theory) != queries(PRIVATE)).any()
    plain = Settings(PRIVATE.kernel, 1e-2)
    assert (plain.beta, plain.ridge, plain.start) == ("one", "noise", "region")
    assert (plain.regularisation, set(deviation_schedule(SMALL.points, plain))) == (plain.noise_variance, {1.0})


def test_initial_points_from_anywhere_keep_the_weights():
    here, anywhere = rounds(PRIVATE)[0], rounds(replace(PRIVATE, start="anywhere"))[0]
    assert (here.regions[here.initial] == here.explores[:, None]).all()
    assert (anywhere.regions[anywhere.initial] != anywhere.explores[:, None]).any()
    np.testing.assert_array_equal(here.weights, anywhere.weights)
    one = replace(PRIVATE, P=1)
    np.testing.assert_array_equal(queries(one), queries(replace(one, start="anywhere")))


def test_runs_of_other_choices_are_told_apart():
    simulation = Simulation(lambda run: SMALL)
    simulation.run(PRIVATE, 12, 0)
    for change in ({"beta": "theory"}, {"ridge": "theory"}, {"start": "anywhere"}):
        assert simulation.finished({"it": replace(PRIVATE, **change)}, 12, 1).runs == 0, change
    # λ = 1 + 2/T: a shorter run is another one.
    theory = replace(PRIVATE, ridge="theory")
    simulation.run(theory, 12, 0)
    assert simulation.finished({"it": replace(theory, iterations=5)}, 12, 1).runs == 0
    longer = replace(PRIVATE, beta="theory")
    known = simulation.run(longer, 12, 0)
    fresh = Simulation(lambda run: SMALL).run(replace(longer, iterations=5), 12, 0)
    np.testing.assert_array_equal(known.head(5).simple, fresh.simple)


SETTING = Settings(KERNEL, 0.01)


def started(objectives, points=SMALL.points):
    return run(objectives, points, SETTING, None)


test_unusable_input_is_refused = refusals(
    (lambda: replace(PRIVATE, beta="two"), "beta is 'two'. It must be one of 'one', 'theory'"),
    (lambda: replace(PRIVATE, ridge="none"), "ridge is 'none'. It must be one of 'noise', 'theory'"),
    (lambda: replace(PRIVATE, start="there"), "start is 'there'. It must be one of 'region', 'anywhere'"),
    (lambda: replace(PRIVATE, norm=0.0), "norm"),
    (lambda: replace(SETTING, q=0.0), "q is 0.0. It must lie above 0 and be at most 1"),
    (lambda: replace(SETTING, q=1.01), "q is 1.01"),
    (lambda: replace(SETTING, z=-0.5), r"z is -0.5\. .* no guarantee"),
    (lambda: replace(SETTING, S=0.0), "S is 0.0. It must be above 0"),
    (lambda: replace(SETTING, S=float("nan")), "S is nan"),
    (lambda: replace(SETTING, z=1.0), "S is inf while z is 1.0"),
    (lambda: replace(SETTING, P=3), r"P is 3\. .* one of 1, 2, 4, 8"),
    (lambda: replace(SETTING, P=0), "P is 0"),
    (lambda: replace(SETTING, a=0.0), "a is 0.0"),
    (lambda: replace(SETTING, iterations=0), "iterations is 0"),
    (lambda: replace(SETTING, initial=0), "initial is 0"),
    (lambda: replace(SETTING, features=2.5), "features is 2.5"),
    (lambda: replace(SETTING, noise_variance=0.0), "noise_variance is 0.0"),
    (lambda: replace(SETTING, decay=-1.0), "decay is -1.0"),
    (lambda: replace(SETTING, sampling="some"), "sampling is 'some'"),
    (lambda: rounds(replace(SETTING, P=8)), r"P is 8. This domain can be cut into 1, 2, 4 equal .* 10 initial"),
    (lambda: rounds(replace(PRIVATE, P=16)), "P is 16. This domain can be cut into 1, 2, 4, 8 .* of the 12 agents"),
    (lambda: rounds(replace(SETTING, initial=65)), "P is 1. This domain has too few points"),
    (lambda: sub_regions(SMALL.points, 6), "P is 6. This domain can be cut into 1, 2, 4, 8, 16, 32, 64"),
    (lambda: started(SMALL.objectives[:1]), r"N \(the number of agents\) is 1\. .* at least 2"),
    (lambda: started(SMALL.objectives[:, :9]), r"9 values for each agent\. .* 64 points"),
    (lambda: started([[1.0, 2.0], [1.0]], [[0.0], [1.0]]), "agent 0 has 2 values and agent 1 has 1"),
    (lambda: started([[1.0, 2], [1, math.nan]], [[0.0], [1]]), "objectives holds nan in row 1, column 1"),
    (lambda: pb.federated.delta_for(1), "at least 2"),
    (lambda: pb.federated.synthetic(agents=1), "at least 2"),
    (lambda: pb.federated.synthetic(heterogeneity=1.5), "heterogeneity is 1.5"),
)
