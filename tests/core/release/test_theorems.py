"""DP-BO by hand: every constant and theorem, and how the algorithms put them together."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privbo_core as pb
from privbo_core.privacy import Status
from tests.helpers.worked_example import EXACT, GIVEN, LOSS, WIDE, R, grid, searched

# The numbers below were worked out from the papers' formulas in 30-digit arithmetic, apart from this code.
N, T, DELTA, K1, SIGMA, GAMMA, EPSILON, A_TAIL = 150, 12, 0.08, 0.85, 0.3, 4.5, 1.7, 2.2
WORKSHOP, NARROW = replace(GIVEN, variant="workshop"), {"lambda_min": 0.5, "lambda_max": 4.0}
NOISY, DRAWN = {"sigma": SIGMA, "gamma": GAMMA}, {"epsilon": EPSILON, "a": A_TAIL}


def test_constants_of_algorithms_1_and_2():
    assert pb.bo.beta(T, N, DELTA) == pytest.approx(27.39404944202)
    assert pb.bo.beta(T + 1, N, DELTA) == pytest.approx(27.71422027272)
    assert R.dataset_term(K1, N, DELTA) == pytest.approx(2.276177878867)
    assert R.dataset_term(K1, N, DELTA, events=2) == pytest.approx(2.222095108536)
    assert R.noise_term(SIGMA, DELTA) == pytest.approx(1.615402572656)
    assert R.noise_term(SIGMA, DELTA, "workshop") == pytest.approx(1.142262113471)
    assert R.regret_constant(SIGMA) == pytest.approx(3.207539893599)
    assert R.mean_regret(N, T, DELTA, SIGMA, GAMMA) == pytest.approx(5.740236485738)
    assert R.exact_regret(3, T, 0.9, 0.15) == pytest.approx(0.3624626660101)
    assert R.exact_regret(3, T, 0.9, 0.15, "workshop") == pytest.approx(0.6063643850415)


MOST, LESS, WELL = 0.92, 0.8091968416377, 0.8891968416377
REGRET, NOISE, SELECTION = 5.740236485738, 1.142262113471, 108.6264165036
DATASET, EXACT_DATASET = 2.276177878867, 2.222095108536
BOTH = {**NOISY, **DRAWN}


@pytest.mark.parametrize(
    ("bound", "value", "probability", "terms"),
    [
        (R.theorem_1(GIVEN), 12.80503731809, MOST, {"posterior": 10.5288594392, "dataset": DATASET}),
        (R.theorem_2(GIVEN, **DRAWN), SELECTION, LESS, {"selection": SELECTION}),
        (R.theorem_2(WORKSHOP, **DRAWN, sigma=SIGMA), 120.2365436223, LESS, {"noise": NOISE, "selection": SELECTION}),
        (R.theorem_3(GIVEN, **NOISY), 9.631816937261, MOST, {"regret": REGRET, "dataset": DATASET}),
        (R.theorem_3(WORKSHOP, **NOISY), 9.158676478076, MOST, {"noise": NOISE}),
        (R.theorem_4(GIVEN, **BOTH), 19.55346759219, LESS, {"regret": REGRET, "laplace: regret": 2.2 * REGRET / 1.7}),
        (R.theorem_4(GIVEN, **BOTH), 19.55346759219, LESS, {"noise": 1.348526834698}),
        (R.theorem_4(WORKSHOP, **BOTH), 20.97015002946, LESS, {"noise": 3.377508689746}),
        (R.theorem_4(WORKSHOP, **BOTH), 20.97015002946, LESS, {"laplace: noise": 2.2 * NOISE / 1.7}),
        (R.theorem_5(GIVEN, **EXACT), 2.584557774546, MOST, {"regret": 0.3624626660101, "dataset": EXACT_DATASET}),
        (R.theorem_5(WORKSHOP, **EXACT), 2.828459493577, MOST, {"regret": 0.6063643850415}),
        (R.theorem_6(GIVEN, **EXACT, **DRAWN), 3.707184491893, LESS, {"laplace: dataset": 2.2 * EXACT_DATASET / 1.7}),
        (R.theorem_6(WORKSHOP, **EXACT, **DRAWN), 4.266723729671, LESS, {"regret": 0.6063643850415}),
        (R.theorem_7(**LOSS, **WIDE), 12.025, 1.0, {"range of λ": 12.0, "record": 0.025}),
        (R.theorem_7(**LOSS, **NARROW), 0.45, 1.0, {"range of λ": 0.4375, "record": 0.0125}),
        (R.theorem_8(**LOSS, **WIDE, **DRAWN), 15.56176470588, WELL, {"laplace: record": 2.2 * 0.025 / 1.7}),
        (R.theorem_8(**LOSS, **NARROW, **DRAWN), 0.5823529411765, WELL, {}),
    ],
)
def test_theorems_term_by_term(bound, value, probability, terms):
    assert (bound.value, bound.probability) == (pytest.approx(value), pytest.approx(probability))
    for name, expected in terms.items():
        assert bound.term(name) == pytest.approx(expected), name


@pytest.mark.parametrize(("variant", "sensitivity"), [("icml", 9.631816937261), ("workshop", 9.158676478076)])
def test_algorithm_1_puts_the_constants_together(variant, sensitivity):
    search = searched()
    plan = R.noisy(search, epsilon=EPSILON, k1=K1, variant=variant)
    # The same numbers, with this search's γ_T in place of 4.5.
    expected = sensitivity - 5.740236485738 * (1 - math.sqrt(search.gamma_upper / GAMMA))
    assert plan.value.scale == pytest.approx(expected / EPSILON)
    assert plan.value.scale * EPSILON == pytest.approx(plan.bounds(1.0)[2].value)
    assert plan.best == search.observed.max()
    log_odds = EPSILON * search.mean / (2 * 12.80503731809)
    np.testing.assert_allclose(plan.choice.probabilities, np.exp(log_odds) / np.exp(log_odds).sum())
    assert (plan.beta_T, plan.C1) == (pytest.approx(27.39404944202), pytest.approx(3.207539893599))
    smaller = R.noisy(search, epsilon=EPSILON, k1=K1, variant=variant, gamma="greedy")
    assert smaller.value.scale < plan.value.scale
    assert smaller.gamma == pytest.approx(plan.gamma * (1 - math.exp(-1)))
    assert plan.at(3.4).value.scale == pytest.approx(plan.value.scale / 2)


def test_algorithm_2_releases_the_last_sample_or_the_best():
    search = searched(sigma=0.0, seed=1)
    constants = {"epsilon": EPSILON, "k1": K1, "A": 0.9, "tau": 0.15}
    icml, workshop = (R.noise_free(search, **constants, variant=variant) for variant in ("icml", "workshop"))
    assert icml.best == search.observed[-1]
    assert workshop.best == max(search.observed[1:])
    points, kernel = grid(20)
    downhill = R.optimise(points, -points[:, 0], kernel=kernel, sigma=0.0, iterations=5, delta=0.1)
    assert downhill.observed[0] == 0
    assert R.noise_free(downhill, **constants, variant="workshop").best < 0, "the first sample does not count"
    # d = 1 here, where the numbers above have d = 3.
    omega = 0.9 * math.exp(-12 * 0.15 / math.log(12) ** 0.25)
    assert icml.value.scale == pytest.approx((omega + 2.222095108536) / EPSILON)
    omega = 0.9 * math.exp(-2 * 0.15 / math.log(2) ** 0.25)
    assert workshop.value.scale == pytest.approx((omega + 2.222095108536) / EPSILON)
    assert icml.choice.sensitivity == pytest.approx(12.80503731809)
    assert [bound.theorem for bound in icml.bounds(2.0)] == [1, 2, 5, 6]
    assert workshop.bounds(2.0)[1].term("noise") == 0


def test_algorithm_3_on_its_real_task():
    task = pb.data.tuning_task("logistic")
    evaluated = task.scores[[3, 50, 99]]
    plan = R.lipschitz(evaluated, loss=task.loss, records=task.records, epsilon=2.0)
    assert plan.best == evaluated.max()
    assert plan.value.scale == pytest.approx((1 / 250 + (1 - 1e-6) * 0.25 / 1e-6) / 2)
    assert plan.guarantee().status == Status.PROVED
    assert not plan.informative, "the range of λ alone allows far more than the score has"
    close = pb.data.LipschitzLoss(0.25, 1.0, 0.5, 0.55)
    assert R.lipschitz(evaluated, loss=close, records=250, epsilon=2.0).informative


@settings(max_examples=60, deadline=None)
@given(
    st.floats(0.01, 10.0), st.floats(0.05, 10.0), st.floats(0.01, 100.0), st.integers(2, 500), st.floats(0.001, 0.999)
)
def test_theorem_7_is_informative_from_one_lambda_on(slope, largest, highest, records, share):
    loss = replace(pb.data.tuning_task("logistic").loss, slope=slope, largest=largest, lambda_max=highest)

    def plan(low):
        return R.lipschitz([-0.25], loss=replace(loss, lambda_min=low), records=records, epsilon=1.0)

    edge = plan(highest).informative_above
    assert plan(share * edge).informative_above == edge
    assert not plan(edge * (1 - 1e-9)).informative
    assert not plan(edge * share).informative
    assert plan(edge * (1 + 1e-9)).informative
    assert plan(edge + share * (highest - edge)).informative


def test_theorem_7s_record_term_has_a_counterexample():
    """Hinge loss on the one point x = 1, y = 1 trains w = 1/λ; the ramp loss (1 − yw)/2 then moves by 2L/λ, not L/λ."""
    strength = 2.0
    moved = abs(max(0.0, (1 - 1 / strength) / 2) - min(1.0, (1 + 1 / strength) / 2))
    known = {"slope": 0.5, "largest": 1.0, "lambda_min": strength, "records": 1}
    printed = R.theorem_7(**known, lambda_max=strength)
    assert printed.value == 0.25
    assert printed.value < moved <= R.record_term(**known, printed=False) + 1e-12
    loss = pb.data.LipschitzLoss(0.5, 1.0, strength, strength)
    plan = R.lipschitz([-0.25], loss=loss, records=1, epsilon=1.0)
    assert not plan.sound
    assert plan.guarantee().status == Status.CLAIMED
    assert "2ε" in plan.guarantee().assumptions[-1]


@given(low=st.floats(1e-3, 1e3), ratio=st.floats(1.0, 100.0), seed=st.integers(0, 1000))
@settings(max_examples=30, deadline=None)
def test_theorem_7s_range_term_holds_for_trained_models(low, ratio, seed):
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(12, 3))
    features /= np.linalg.norm(features, axis=1)[:, None]
    labels = np.where(rng.random(12) < 0.5, 1.0, -1.0)
    w = pb.data.logistic.fit_path(features, labels, np.array([low, low * ratio]))
    losses = pb.data.logistic.sigmoid_losses(features, labels, w).mean(axis=0)
    limit = R.range_term(slope=0.25, lambda_min=low, lambda_max=low * ratio)
    assert abs(losses[0] - losses[1]) <= limit + 1e-9


def test_both_releases_cost_twice():
    plan = R.noisy(searched(), epsilon=1.5, k1=0.9)
    one, both = plan.guarantee(1), plan.guarantee()
    assert (one.epsilon, one.delta, both.epsilon, both.delta) == (1.5, 0.08, 3.0, 0.16)
    assert pb.privacy.compose([one, one]) == (both.epsilon, both.delta)
    assert both.status == Status.CLAIMED
    picked = R.selection(np.linspace(-1, 0, 20), records=50, epsilon=1.5)
    assert (picked.guarantee(1).epsilon, picked.guarantee().epsilon, picked.guarantee().delta) == (1.5, 3.0, 0.0)
    assert ["score" in each.against for each in (picked.guarantee(1), picked.guarantee())] == [False, True]
    assert picked.guarantee().status == Status.PROVED


def test_when_a_bound_is_vacuous():
    bound = R.theorem_4(GIVEN, **NOISY, **DRAWN)
    fixed = 1.348526834698 + 5.740236485738
    assert bound.smallest_epsilon(fixed) == math.inf
    spread = 10.0
    smallest = bound.smallest_epsilon(spread)
    assert smallest == pytest.approx((bound.value - fixed) * EPSILON / (spread - fixed))
    before, after = (
        R.theorem_4(GIVEN, **NOISY, epsilon=smallest * factor, a=A_TAIL) for factor in (1 - 1e-6, 1 + 1e-6)
    )
    assert before.vacuous(spread)
    assert not after.vacuous(spread)
    assert R.theorem_1(GIVEN).smallest_epsilon(13.0) == 0
    assert R.theorem_1(GIVEN).smallest_epsilon(12.0) == math.inf
    # A bound that holds with probability 0 says nothing, however small it is.
    assert R.theorem_6(replace(GIVEN, delta=0.5), **EXACT, epsilon=1e9, a=0.1).vacuous(1e9)
