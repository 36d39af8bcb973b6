"""What rounds of DP-FTS-DE cost by the paper's sensitivity and by the joint vector's, and the noise that it saves."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as settings_of
from hypothesis import strategies as st

import privbo_core as pb
from privbo_core.federated import (
    Settings,
    ask_every_agent,
    gain,
    guarantee,
    losses,
    multipliers,
    noise_needed,
    rate_allowed,
    rounds_allowed,
    total_loss,
    total_losses,
    trade_off,
    variants,
)
from privbo_core.federated.server import aggregate, broadcasts
from privbo_core.privacy import Status
from privbo_core.privacy.loss_distribution import compose_losses, one_use
from tests.helpers.amounts import few
from tests.helpers.paths import RESULTS
from tests.helpers.refusing import refusals
from tests.helpers.small_federation import PRIVATE, rounds

DELTA = 200**-1.1
PAPERS = Settings(pb.gp.SquaredExponential(0.03), 1e-2, iterations=40, q=0.25, z=1.0, S=11.0)
FOUR = replace(PAPERS, P=4)


@pytest.mark.parametrize(("P", "expected"), few([(4, 2.64)], [(1, 7.05), (2, 4.10), (4, 2.64), (8, 1.91)]))
def test_the_joint_sensitivity_has_the_checked_losses(P, expected):
    settings = replace(PAPERS, P=P)
    exact = losses(settings, 200, "pld", "exact")
    assert (exact[-1], len(exact)) == (pytest.approx(expected, abs=0.006), 40)
    assert (np.diff(exact) > 0).all()
    assert pb.federated.total_loss(settings, 200, "pld", "exact") == pytest.approx(exact[-1], rel=1e-9)
    assert losses(settings, 200)[-1] == pytest.approx(9.91, abs=0.006)
    assert losses(settings, 200, "pld")[-1] == pytest.approx(7.05, abs=0.006)
    # Rounding the multipliers down changes nothing that is printed.
    uses = [(one_use(0.25, z, 1e-3, "poisson"), 1) for z in multipliers(settings, 200, "exact").tolist()]
    unrounded = compose_losses(uses).epsilon(DELTA)
    assert unrounded * (1 - 1e-9) <= exact[-1] <= unrounded * 1.0003


@pytest.mark.parametrize(("method", "sensitivity"), [("moments", "paper"), ("pld", "paper"), ("pld", "exact")])
def test_total_losses_are_the_total_loss_after_each_number_of_rounds(method, sensitivity):
    rounds, PAIR = few([1, 4], [1, 4, 11, 12, 40]), replace(PAPERS, P=2, hold=2, fade=8)
    kinds = {
        "paper's noise": PAIR,
        "less noise": replace(PAIR, calibration="exact"),
        "fixed": replace(PAIR, sampling="fixed"),
        "everybody": replace(PAIR, q=1.0),
        "no noise": replace(PAIR, z=0.0, S=math.inf),
        "alone": variants(PAIR)["TS"],
    }
    for settings in kinds.values():
        found = total_losses(settings, 200, rounds, method, sensitivity)
        single = [total_loss(replace(settings, iterations=t), 200, method, sensitivity) for t in rounds]
        np.testing.assert_allclose(found, single, rtol=1e-9)
        assert total_losses(settings, 200, [], method, sensitivity) == []


def test_multipliers_fall_from_the_root_of_p_to_one():
    found = multipliers(replace(FOUR, z=1.3), 200, "exact") / 1.3
    np.testing.assert_allclose(found[:10], 2.0, rtol=1e-5)
    assert found[-1] == pytest.approx(1.0)
    assert (np.diff(found) <= 1e-12).all()
    np.testing.assert_array_equal(multipliers(FOUR, 200), 1.0)


def test_exact_calibration_keeps_the_guarantee_with_less_noise():
    np.testing.assert_array_equal(multipliers(replace(FOUR, calibration="exact"), 200, "exact"), 1.0)
    papers, exact = (rounds(replace(PRIVATE, z=1.0, calibration=how)) for how in ("paper", "exact"))
    for one, other in zip(papers, exact, strict=True):
        noise = other.broadcast.noise_deviation
        assert one.broadcast.noise_deviation / noise == pytest.approx(gain(one.weights))
        assert noise == pytest.approx(5.0 / (0.4 * math.sqrt(4)) * np.linalg.norm(one.weights, axis=0).max())
        assert other.epsilon == one.epsilon
    for method in ("moments", "pld"):
        for sensitivity in ("paper", "exact"):
            found = losses(replace(FOUR, calibration="exact"), 200, method, sensitivity)
            assert found == losses(replace(PAPERS, P=1), 200, method)


@pytest.mark.parametrize(("P", "a", "heat"), [(2, 15.0, 1.0), (4, 0.7, 1.0), (8, 3.0, 2.5), (4, 5.0, math.inf)])
def test_the_joint_sensitivity_is_reached(P, a, heat):
    rng = np.random.default_rng(P)
    agents, S, q = 13, 2.0, 0.4
    weights = pb.federated.region_weights(rng.integers(P, size=agents), P, a, heat)
    sent = rng.standard_normal((agents, 6)) * 100.0  # all are clipped
    moved = []
    for one in range(agents):
        who = rng.random(agents) < q
        pair = [np.where(np.arange(agents) == one, joins, who) for joins in (True, False)]
        sums = [aggregate(sent, each, weights, rate=q, S=S, z=0.0, normals=np.zeros((P, 6))).vectors for each in pair]
        moved.append(np.linalg.norm(sums[0] - sums[1]))
    assert max(moved) == pytest.approx(weights.max() * S / q / gain(weights))
    assert 1.0 <= gain(weights) <= math.sqrt(P)


@pytest.mark.parametrize("P", [2, 4])
def test_a_likelihood_ratio_attack_gains_what_is_accounted(P):
    """Three rounds, one agent with a long vector, the others silent: the losses of the server's own outputs."""
    rng, trials, agents, S, q, z = np.random.default_rng(2), 20_000, 8, 1.0, 0.5, 0.6
    settings = replace(PAPERS, P=P, q=q, z=z, S=S, iterations=3, a=3.0, hold=1, fade=2)
    sent = np.zeros((agents, 1))
    sent[0] = 5.0
    loss = np.zeros((2, trials))
    for t in (1, 2, 3):
        weights = pb.federated.region_weights(np.arange(agents) % P, P, 3.0, pb.federated.temperature(t, 1, 2))
        share = weights[:, 0] * S / math.sqrt(P) / q
        sigma = z * weights.max() * S / q
        for side, joins in enumerate((True, False)):
            who = np.zeros((trials, agents), bool)
            who[:, 0] = joins & (rng.random(trials) < q)
            normals = rng.standard_normal((trials, P, 1))
            out = broadcasts(sent, who, weights, rate=q, S=S, z=z, normals=normals)[..., 0]
            ratio = np.log1p(q * np.expm1((out @ share - 0.5 * share @ share) / sigma**2))
            loss[side] += ratio if joins else -ratio
    excess = np.maximum(0.0, -np.expm1(losses(settings, agents, "pld", "exact")[-1] - loss))
    error = excess.std(axis=1) / math.sqrt(trials)
    worse = excess.mean(axis=1).argmax()
    assert abs(excess.mean(axis=1)[worse] - pb.federated.delta_for(agents)) < 4 * error[worse]


def test_with_one_sub_region_both_calibrations_are_the_same():
    simulation = pb.federated.Simulation(lambda run: pb.federated.synthetic(agents=12, side=8, seed=run))
    one = replace(PRIVATE, P=1, iterations=4)
    simulation.run(one, 12, 0)
    for P, runs in ((1, 1), (4, 0)):
        assert simulation.finished({"it": replace(one, P=P, calibration="exact")}, 12, 1).runs == runs


@pytest.mark.parametrize(("method", "sampling"), [("moments", "poisson"), ("pld", "poisson"), ("pld", "fixed")])
def test_the_least_noise_for_a_loss(method, sampling):
    settings = replace(FOUR, iterations=few(2, 8), hold=1, fade=few(1, 4), sampling=sampling, z=0.0, S=math.inf)
    target, found = 6.0, []
    for sensitivity in ("exact", "paper"):
        z = noise_needed(settings, 200, target, method, sensitivity)
        at, less = (replace(settings, S=11.0, z=each) for each in (z, z * (1 - 1e-5)))
        assert losses(at, 200, method, sensitivity)[-1] <= target < losses(less, 200, method, sensitivity)[-1] + 1e-9
        found.append(z)
    assert found[0] < found[1]


@pytest.mark.parametrize(("method", "sensitivity"), [("moments", "paper"), ("pld", "exact")])
def test_the_largest_rate_and_number_of_rounds_for_a_loss(method, sensitivity):
    settings = replace(FOUR, iterations=few(4, 12), hold=1, fade=2)
    how = (method, sensitivity)
    q = rate_allowed(settings, 200, 3.0, *how)
    at, more = (losses(replace(settings, q=each), 200, *how)[-1] for each in (q, q * 1.001))
    assert at <= 3.0 < more
    spent = losses(replace(settings, iterations=30), 200, *how)
    T = rounds_allowed(settings, 200, spent[6], *how, most=30)
    assert T == 7
    assert rounds_allowed(settings, 200, 0.5 * spent[0], *how) == 0
    assert rounds_allowed(settings, 200, 1e6, *how, most=5) == 5
    assert rate_allowed(replace(settings, z=1000.0), 200, 3.0, *how) == 1.0


def test_the_guarantee_names_its_sensitivity_and_accountant():
    plain, exact = guarantee(FOUR, 200), guarantee(FOUR, 200, "pld", "exact")
    assert "the paper's sensitivity" in plain.source
    assert "derived here and not in the paper" in exact.source
    assert (exact.epsilon, exact.neighbours) == (pytest.approx(2.64, abs=0.006), plain.neighbours)
    calibrated = guarantee(replace(FOUR, calibration="exact"), 200, "pld")
    assert "derived here" in calibrated.source
    assert calibrated.epsilon == pytest.approx(7.05, abs=0.006)


def test_samples_of_a_fixed_size_are_counted_by_loss_distributions():
    settings = replace(FOUR, sampling="fixed")
    by_loss = losses(settings, 200, "pld")[-1]
    # The moments of the paper do not cover a fixed-size sample.
    assert losses(settings, 200)[-1] == by_loss
    assert by_loss == pytest.approx(30.55, abs=0.01)
    assert losses(settings, 200, "pld", "exact")[-1] < by_loss / 1.5
    assert "accounting by loss distributions" in guarantee(settings, 200, "pld", counted=by_loss).source


def test_the_stored_gain_of_exact_calibration_is_significant():
    stored = json.loads((RESULTS / "exact_calibration.json").read_text())
    assert stored["runs"] >= 40
    assert stored["saved"]["mean"] >= 0.05
    assert stored["saved"]["mean"] > 3 * stored["saved"]["standard_error"]


def test_the_trade_off_function_of_a_run():
    exact, papers = trade_off(FOUR, 200), trade_off(FOUR, 200, "paper")
    alarms = np.linspace(0, 1, 101)
    assert (exact(alarms) >= papers(alarms) - 1e-12).all()
    assert exact.delta(losses(FOUR, 200, "pld", "exact")[-1]) == pytest.approx(DELTA, rel=0.02)
    np.testing.assert_allclose(trade_off(variants(FOUR)["TS"], 200)(alarms), 1 - alarms, atol=1e-12)
    assert trade_off(variants(FOUR)["FTS-DE"], 200)(alarms).max() == 0.0
    assert trade_off(replace(PAPERS, q=1.0, P=1), 200).mu == pytest.approx(math.sqrt(40))


test_unusable_input_is_refused = refusals(
    (lambda: replace(PAPERS, calibration="some"), "calibration is 'some'. It must be one of 'paper', 'exact'"),
    (lambda: losses(PAPERS, 200, "pld", "some"), "sensitivity is 'some'"),
    (lambda: noise_needed(replace(PAPERS, decay=math.inf), 200, 1.0), "no noise is needed"),
    (lambda: noise_needed(PAPERS, 200, 0.0), "epsilon is 0.0"),
    (lambda: rate_allowed(replace(PAPERS, decay=math.inf), 200, 1.0), "every q keeps"),
    (lambda: rate_allowed(PAPERS, 200, -1.0), "epsilon is -1.0"),
    (lambda: rounds_allowed(PAPERS, 200, 0.0), "epsilon is 0.0"),
    (lambda: rounds_allowed(PAPERS, 200, 1.0, most=0), "most is 0"),
    (lambda: noise_needed(PAPERS, 200, 0.01), "No z up to 1e.06 reaches it"),
)


def test_a_fitted_model_is_an_unmet_condition():
    fitted, drawn = pb.federated.schools(), pb.federated.synthetic(side=4)
    known = replace(fitted, read_off=())
    for problem, status, words in (
        (fitted, Status.UNMET, ("length-scales", "noise variance", "unit")),
        (known, Status.PROVED, ()),
        (drawn, Status.PROVED, ()),
    ):
        found = guarantee(FOUR, 98, problem=problem)
        assert found.status is status
        assert all(word in found.in_full[1] for word in words)
    assert guarantee(FOUR, 98, "pld", "exact", counted=2.5).epsilon == 2.5


@pytest.mark.parametrize(
    ("q", "z", "less"),
    [(0.25, 1.0, 22), (0.15, 1.0, 28), (0.1, 1.0, 32), (0.35, 1.0, 18), (0.25, 1.5, 14), (0.35, 4.0, 3)],
)
def test_asking_every_agent_keeps_epsilon_with_less_noise(q, z, less):
    settings = replace(PAPERS, q=q, z=z, iterations=40)
    found = ask_every_agent(settings, 200)
    assert round(100 * (1 - found.noise_ratio)) == less
    assert found.settings == replace(settings, q=1.0, z=found.settings.z)
    before, after = (losses(each, 200, "pld")[-1] for each in (settings, found.settings))
    assert before * (1 - 1e-6) <= after <= before
    assert found.epsilon == pytest.approx(before, rel=1e-9)
    # What the server adds to the mean vector, with the same sensitivity of φ_max S/q.
    assert found.noise_ratio == pytest.approx((found.settings.z / 1.0) / (z / q))
    assert trade_off(found.settings, 200, "paper").mu == pytest.approx(math.sqrt(40) / found.settings.z)


@given(st.floats(0.01, 1.0), st.floats(0.3, 20.0), st.integers(1, 200), st.sampled_from(["poisson", "fixed"]))
@settings_of(max_examples=40, deadline=None)
def test_asking_every_agent_never_needs_more_noise(q, z, iterations, sampling):
    settings = replace(PAPERS, q=q, z=z, iterations=iterations, sampling=sampling)
    try:
        found = ask_every_agent(settings, 200)
    except ValueError:
        return  # no finite z keeps so small an ε
    assert found.noise_ratio <= 1.0 + 1e-6
