"""What a team publishes: designs, publications in units of the score, their guarantees and their constants."""

from dataclasses import replace

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.errors import DataError
from privbo_core.privacy import Status
from privbo_core.release import Design, Publication, Share, prior_task, restrict, unmet_constants

TASK = pb.data.tuning_task("logistic")
DESIGNS = {
    "selection": Design("selection", 2.0),
    "noisy": Design("noisy", 20.0, sigma=0.2, iterations=15, variant="workshop", k1=0.9),
    "noise-free": Design("noise-free", 5.0, iterations=12, A=0.5, tau=0.3),
    "lipschitz": Design("lipschitz", 3.0, setting=False, iterations=12),
}


@pytest.mark.parametrize("name", DESIGNS)
def test_amounts_are_in_units_of_the_score(name):
    now = DESIGNS[name].publication(TASK)
    unit = TASK.unit if name in ("noisy", "noise-free") else 1.0
    assert now.unit == unit
    # Laplace noise exceeds b·log 20 in absolute value in 5% of cases.
    assert now.half_width(0.95) == pytest.approx(np.log(20) * now.noise_scale)
    assert now.noise_scale == pytest.approx(now.sensitivity / now.plan.epsilon)
    for theorem, bound in now.bounds(2.0).items():
        (own,) = [each for each in now.plan.bounds(2.0) if each.theorem == theorem]
        assert bound.value == pytest.approx(own.value * unit)
        assert bound.smallest_epsilon(now.spread) == pytest.approx(own.smallest_epsilon(now.spread / unit))
    if name == "selection":
        assert now.before_noise is None
        assert now.centres[0] is now.plan.scores
    else:
        framed = name != "lipschitz"
        wanted = float(TASK.score(now.plan.best)) if framed else now.plan.best
        assert now.before_noise == pytest.approx(wanted)


@pytest.mark.parametrize("name", ["selection", "noisy", "noise-free"])
def test_quantiles_and_chances_are_those_of_the_draw(name):
    now = DESIGNS[name].publication(TASK)
    losses, p = TASK.scores.max() - TASK.scores, now.plan.choice.probabilities
    for share in (0.05, 0.5, 0.95):
        quantile = now.loss_quantile(share)
        assert p[losses <= quantile].sum() >= share - 1e-12
        assert p[losses < quantile - 1e-12].sum() < share
    for count in (1, 40, 400):
        best = np.argsort(-TASK.scores, kind="stable")[:count]
        assert now.chance_of_best(count) == pytest.approx(p[best].sum())
    assert now.uniform_loss == pytest.approx(losses.mean())
    with pytest.raises(ValueError, match="share"):
        now.loss_quantile(1.5)


def test_a_publication_of_nothing_is_refused():
    plan = DESIGNS["lipschitz"].publication(TASK).plan
    with pytest.raises(ValueError, match="nothing is published"):
        Publication(TASK, plan, setting=False, score=False)
    with pytest.raises(ValueError, match="Algorithm 3"):
        Publication(TASK, plan)
    with pytest.raises(ValueError, match="no setting"):
        DESIGNS["lipschitz"].publication(TASK).loss_quantile(0.5)


@pytest.mark.parametrize(("mechanism", "delta"), [("selection", 0.0), ("noisy", 1e-3), ("noise-free", 1e-3)])
def test_each_publication_costs_epsilon_and_delta(mechanism, delta):
    for setting, score, pieces in ((True, False, 1), (False, True, 1), (True, True, 2)):
        design = Design(mechanism, 2.0, setting, score)
        given = design.publication(TASK).guarantee
        counted = 2 if mechanism == "selection" and score else pieces  # its score is that of the setting drawn
        assert (given.epsilon, given.delta) == (2.0 * counted, pytest.approx(delta * counted))
        assert given.status is (Status.PROVED if mechanism == "selection" else Status.CLAIMED)
        about_constants = any("A and τ" in sentence for sentence in given.in_full)
        assert about_constants == (mechanism == "noise-free" and score)


def test_too_small_constants_are_an_unmet_condition():
    loss = TASK.loss
    for changed, unmet in (({}, 0), ({"slope": 0.2}, 1), ({"largest": 0.5}, 1), ({"slope": 0.2, "largest": 0.5}, 2)):
        design = replace(DESIGNS["lipschitz"], loss=replace(loss, **changed))
        now = design.publication(TASK)
        assert len(now.unmet) == unmet == len(unmet_constants(TASK, replace(loss, **changed), 250))
        assert now.guarantee.status is (Status.UNMET if unmet else Status.PROVED)
    many = replace(DESIGNS["lipschitz"], records=1000).publication(TASK)
    assert many.guarantee.status is Status.UNMET
    assert "1,000" in many.guarantee.unmet[0]
    assert replace(DESIGNS["lipschitz"], records=100).publication(TASK).guarantee.status is Status.PROVED


def test_only_a_share_below_the_claim_refutes_a_score():
    now = DESIGNS["noise-free"].publication(TASK)
    for held, refuted in ((200, False), (150, True)):
        seen = replace(now, held=Share(held, 200, 0.999))
        assert seen.refuted == refuted
        assert (seen.guarantee.status is Status.REFUTED) == refuted
        assert not replace(seen, score=False).refuted


def test_other_constants_of_theorem_5_need_no_new_search():
    """The searches of the pairs don't depend on A and τ."""
    design = Design("noise-free", 1.0, iterations=8)
    *_, first = design.pairs(TASK, 6)
    other = replace(design, A=7.0, tau=0.02)
    *_, again = other.pairs(TASK, 6)
    beside = first.beside(other.tuning, TASK)
    assert np.array_equal(beside.best_moved, again.best_moved)
    assert beside.theorem_5 == again.theorem_5 != first.theorem_5


def test_a_design_searches_as_trade_off_does():
    design = DESIGNS["noisy"]
    known = {"iterations": 15, "sigma": 0.2, "k1": 0.9, "variant": "workshop"}
    (curve, *_) = pb.tradeoff.released_question(TASK, published="setting", **known).curves
    *_, costs = curve.costs(20.0, 3)
    plans = [design.publication(TASK, design.search(TASK, run)).plan for run in range(3)]
    assert [pb.tradeoff.expected_loss(TASK, plan) for plan in plans] == pytest.approx(costs.tolist())
    assert design.publication(TASK).plan.best == plans[0].best


def test_a_design_that_does_not_apply_is_refused():
    with pytest.raises(DataError, match="number of records"):
        Design("selection", 1.0).publication(prior_task(50))
    with pytest.raises(DataError, match="Lipschitz"):
        replace(DESIGNS["lipschitz"]).publication(pb.data.tuning_task("svm"))
    with pytest.raises(ValueError, match="mechanism"):
        Design("blind", 1.0)


def test_every_constant_has_the_value_of_the_plan():
    for name, design in DESIGNS.items():
        now = design.publication(TASK)
        found = {(each.name, each.unit): each.value for each in now.constants}
        assert len(found) == len(now.constants)
        assert found["ε of each publication", ""] == design.epsilon
        assert found["range of all scores", "score"] == now.spread
        assert found["Δ/ε, noise scale of the score", "score"] == pytest.approx(now.noise_scale)
        if name == "noisy":
            plan, search = now.plan, now.plan.search
            assert found["β_T", ""] == plan.beta_T
            assert found["c", "σ_f"] == plan.c
            assert found["q", "σ_f"] == plan.q
            assert found["γ_T, upper bound in use", "nats"] == search.gamma_upper
            assert found["one σ_f, the prior standard deviation", "score"] == TASK.unit
            scale = found["Δ of the score", "σ_f"] / design.epsilon * TASK.unit
            assert scale == pytest.approx(found["Δ/ε, noise scale of the score", "score"])


def test_the_function_from_the_prior_has_its_covariance():
    draws = np.array([prior_task(40, replicate).scores for replicate in range(400)])
    assert float(draws.var()) == pytest.approx(1.0, abs=0.08)
    points = prior_task(40).points[:, 0]
    wanted = np.exp(-((points[4] - points[0]) ** 2) / (2 * 0.1**2))
    assert float(np.mean(draws[:, 4] * draws[:, 0])) == pytest.approx(wanted, abs=0.12)
    task = prior_task(40, 3)
    assert (task.n, task.unit, task.centre, task.records) == (40, 1.0, 0.0, None)
    assert np.array_equal(task.objective, task.scores)
    with pytest.raises(ValueError, match="candidates"):
        prior_task(1)


def test_a_restricted_task_keeps_the_candidates_in_range():
    kept = restrict(TASK, 0.01, 0.5)
    inside = (TASK.parameters[:, 0] >= 0.01) & (TASK.parameters[:, 0] <= 0.5)
    assert np.array_equal(kept.scores, TASK.scores[inside])
    assert np.array_equal(kept.losses, TASK.losses[:, inside])
    assert restrict(TASK, 1e-6, 1.0) is TASK
    for ends in ((0.3001, 0.3002), (0.5, 0.1)):
        with pytest.raises(DataError, match="candidates"):
            restrict(TASK, *ends)


@pytest.mark.parametrize("name", DESIGNS)
def test_the_expected_error_of_a_score_is_a_mean_over_draws(name):
    now = DESIGNS[name].publication(TASK)
    truth = TASK.scores if now.in_scores else TASK.objective
    rng = np.random.default_rng(1)
    drawn = pb.release.simulated_releases(now.plan, [now.plan.epsilon], draws=20_000, objective=truth, rng=rng)
    errors = np.abs(drawn.value_error[0]) * now.unit
    exact = pb.tradeoff.expected_score_error(TASK, now.plan)
    assert exact == pytest.approx(errors.mean(), abs=5 * errors.std() / np.sqrt(len(errors)))
