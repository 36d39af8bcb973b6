"""Canary agents: what the server's own code sends, beside the formula, the accountants, and implanted bugs."""

import itertools
import math
import sys
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import privbo_core as pb
from privbo_core.federated import region_weights, temperature
from privbo_core.federated.server import aggregate, broadcasts, noise_deviation, noise_multiplier, select
from tests.helpers.refusing import refusals

SERVER = "privbo_core.federated.server"
SETTINGS = pb.federated.Settings(pb.gp.SquaredExponential(1.0), 1.0, iterations=1, q=0.25, z=1.0, S=11.0)
DELTA = pb.federated.delta_for(200)


def formula(q, z, steps, mu=1.0):
    """The log-likelihood ratio of the subsampled Gaussian, not of a server: N(b mu, z²) with b = 1 at rate q."""

    def watch(present, trials, rng):
        total = np.zeros(trials)
        for _ in range(steps):
            seen = z * rng.standard_normal(trials) + mu * present * (rng.random(trials) < q)
            total += np.log(1 - q + q * np.exp((mu * seen - mu**2 / 2) / z**2))
        return total

    return watch


def audited(mechanism, trials=20_000, confidence=0.999, seed=0):
    rng = np.random.default_rng(seed)
    return pb.audit.epsilon_lower_bound(mechanism, False, True, DELTA, trials, confidence, rng)


def test_the_canary_is_what_the_server_sends():
    """A round is the real aggregate along the canary's direction, in units of φ_max S/q."""
    rng = np.random.default_rng(0)
    agents, features, regions, q, z, length = 30, 8, 4, 0.3, 1.3, 5.0
    weights = np.full((regions, agents), 1 / agents)
    direction = rng.standard_normal(features)
    direction /= np.linalg.norm(direction)
    vectors = rng.standard_normal((agents, features))
    vectors[0] = 1e6 * direction  # clipped to S/√P
    unit, joint = weights.max() * length / q, np.tile(direction, regions) / math.sqrt(regions)
    for chosen in (True, False):
        selected, normals = rng.random(agents) < q, rng.standard_normal((regions, features))
        others = selected.copy()
        selected[0], others[0] = chosen, False
        sent, without = (
            aggregate(vectors, who, weights, rate=q, S=length, z=z, normals=noise)
            for who, noise in ((selected, normals), (others, 0 * normals))
        )
        seen = (sent.vectors - without.vectors).ravel() @ joint / unit
        assert seen == pytest.approx(float(chosen) + z * float(normals.ravel() @ joint))


def test_many_rounds_at_once_are_the_rounds_one_by_one():
    rng = np.random.default_rng(1)
    sent, weights = 10 * rng.standard_normal((7, 3)), rng.dirichlet(np.ones(7), 2)
    selected, normals = rng.random((5, 7)) < 0.4, rng.standard_normal((5, 2, 3))
    given = {"rate": 0.4, "S": 2.0, "z": 1.5}
    together = broadcasts(sent, selected, weights, normals=normals, **given)
    for round_, who, noise in zip(together, selected, normals, strict=True):
        np.testing.assert_allclose(round_, aggregate(sent, who, weights, normals=noise, **given).vectors)


def plain(settings, agents, present, rounds, rng):
    """One run after the other: each round a draw of all agents, and the real aggregate, along the canary's part."""
    heats = [temperature(t, settings.hold, settings.fade) for t in range(1, settings.iterations + 1)]
    weights = [region_weights(np.arange(agents) % settings.P, settings.P, settings.a, heat) for heat in heats]
    canary, replaced = int(np.linalg.norm(weights[0], axis=0).argmax()), settings.sampling == "fixed"
    sent = np.tile([0.0, 1e4], (agents, 1))
    sent[canary] = [-1e4 if replaced and not present else 1e4, 0.0]
    total = np.zeros(rounds)
    for run, each in itertools.product(range(rounds), weights):
        selected, q = select(settings, agents, rng)
        selected[canary] &= present or replaced
        given = {"rate": q, "S": settings.S, "z": noise_multiplier(settings, each)}
        seen = aggregate(sent, selected, each, normals=rng.standard_normal((settings.P, 2)), **given)
        alone = aggregate(abs(sent), np.arange(agents) == canary, each, normals=np.zeros((settings.P, 2)), **given)
        mu = alone.signal / seen.noise_deviation
        s = float((seen.vectors * alone.vectors).sum()) / (alone.signal * seen.noise_deviation)
        told = [math.log(1 - q + q * math.exp(mu * at - mu**2 / 2)) for at in (s, -s)]
        total[run] += told[0] - told[1] if replaced else told[0]
    return total


@pytest.mark.parametrize("present", [False, True])
@pytest.mark.parametrize("change", [{"P": 4, "fade": 2, "calibration": "exact"}, {"P": 2, "sampling": "fixed"}])
def test_trials_at_once_are_distributed_as_one_by_one(change, present):
    settings = replace(SETTINGS, iterations=4, hold=1, **change)
    seen = pb.audit.server_canary(settings, 9)(present, 20_000, np.random.default_rng(6))
    one_by_one = plain(settings, 9, present, 1000, np.random.default_rng(7))
    assert stats.ks_2samp(seen, one_by_one).pvalue > 1e-3
    np.testing.assert_allclose(seen.mean(), one_by_one.mean(), atol=4 * one_by_one.std() / math.sqrt(1000))


@pytest.mark.parametrize("present", [False, True])
@pytest.mark.parametrize(("q", "z", "steps"), [(0.25, 1.0, 1), (0.25, 1.0, 10), (1.0, 1.5, 3), (0.1, 0.7, 1)])
def test_the_canary_is_a_subsampled_gaussian(q, z, steps, present):
    seen = pb.audit.canary(q, z, steps)(present, 20_000, np.random.default_rng(2))
    known = formula(q, z, steps)(present, 20_000, np.random.default_rng(3))
    assert stats.ks_2samp(seen, known).pvalue > 1e-3
    if not present and steps == 1:  # The mean of a likelihood ratio under absence is 1.
        ratio = np.exp(seen)
        assert abs(ratio.mean() - 1) < 4 * ratio.std() / math.sqrt(len(ratio))


def test_sub_regions_shorten_the_canary():
    """Only where it explores does a canary count for much: its joint vector is ‖φ_n‖/(√P φ_max) as long as thought."""
    for P in (2, 4):
        settings = replace(SETTINGS, P=P)
        weights = pb.federated.region_weights(np.arange(200) % P, P, settings.a, 1.0)
        length = np.linalg.norm(weights[:, 0]) / (math.sqrt(P) * weights.max())
        assert length == pytest.approx(1 / math.sqrt(P), rel=1e-3)
        seen = pb.audit.server_canary(settings, 200)(True, 20_000, np.random.default_rng(4))
        known = formula(0.25, 1.0, 1, length)(True, 20_000, np.random.default_rng(5))
        assert stats.ks_2samp(seen, known).pvalue > 1e-3


@pytest.mark.parametrize(("q", "z", "steps"), [(0.25, 1.0, 1), (0.25, 1.0, 40), (1.0, 1.5, 3)])
def test_canaries_refute_only_accounts_that_are_too_small(q, z, steps):
    found = audited(pb.audit.canary(q, z, steps), 100_000)
    moments, pld = (pb.privacy.epsilon(q, z, steps, DELTA, method) for method in ("moments", "pld"))
    assert found.verdict(moments) == found.verdict(pld) == "not refuted"
    assert found.could_refute(pld)
    # The audit comes near enough to catch an account that is too small by half.
    assert found.verdict(0.5 * pld) == "refuted"


@pytest.mark.parametrize("z", [2.0, 1.0])
def test_fixed_samples_are_audited_with_one_agent_replaced(z):
    """The canary sends the opposite: at q = 1, T = 1 that is a Gaussian twice as far apart as its presence."""
    everybody, rng = replace(SETTINGS, q=1.0, z=z, sampling="fixed"), np.random.default_rng(0)
    attack = pb.audit.server_canary(everybody, 20)
    found = pb.audit.gaussian_lower_bound(attack, False, True, DELTA, 20_000, 0.95, rng)
    true = pb.privacy.gaussian_epsilon(DELTA, z, 2.0)
    assert 0.85 * true < found.epsilon <= true
    assert audited(pb.audit.server_canary(replace(everybody, q=0.25), 20)).epsilon < 0.8 * found.epsilon


BUGS = {
    "half the noise": (f"{SERVER}.noise_deviation", lambda weights, **given: 0.5 * noise_deviation(weights, **given)),
    "no clipping": (f"{SERVER}.clip", lambda sent, P, S: (sent, np.zeros(len(sent)))),
    "everybody": ("privbo_core.audit.federated.select", lambda settings, n, rng: (np.ones(n, dtype=bool), settings.q)),
}


@pytest.mark.parametrize("P", [1, 2])
@pytest.mark.parametrize("bug", [*BUGS, None])
def test_a_bug_in_the_server_is_found_by_the_audit(bug, P, monkeypatch):
    if bug:
        where, wrong = BUGS[bug]
        name, _, part = where.rpartition(".")
        monkeypatch.setattr(sys.modules[name], part, wrong)
    # What one round costs at most: the sub-regions weaken the canary, so its account is that of the z that is left.
    claim = pb.privacy.epsilon(0.25, math.sqrt(P), 1, DELTA, "pld")
    found = audited(pb.audit.server_canary(replace(SETTINGS, P=P), 200))
    assert found.verdict(claim) == ("refuted" if bug else "not refuted")


test_unusable_input_is_refused = refusals(
    (lambda: pb.audit.canary(1.5, 1.0), "q is 1.5"),
    (lambda: pb.audit.canary(0.5, 0.0), "z is 0"),
    (lambda: pb.audit.canary(0.5, 1.0, 0), "iterations is 0"),
    (lambda: pb.audit.server_canary(SETTINGS, 1), r"N \(the number of agents\) is 1"),
    (lambda: pb.audit.server_canary(replace(SETTINGS, decay=math.inf), 20), "every agent works alone"),
)


def test_only_a_fitted_model_tells_who_took_part():
    problem = pb.federated.synthetic(agents=8, side=5)
    fitted = replace(problem, read_off=("the unit",))
    rng = np.random.default_rng(0)
    for audited, told in ((fitted, True), (problem, False)):
        attack = pb.audit.model_attack(audited)
        here, there = attack(True, 2000, rng), attack(False, 2000, rng)
        assert (abs(here[0] - there[0]) > 1e-8) == told
        assert (pb.audit.judged(there, here, 1e-5).epsilon > 5) == told
    changes = [abs(np.sqrt((np.delete(problem.objectives, n, axis=0) ** 2).mean()) - here[0]) for n in range(8)]
    assert abs(pb.audit.model_attack(fitted)(False, 1, rng)[0] - here[0]) == pytest.approx(max(changes), abs=1e-8)
