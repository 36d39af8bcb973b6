"""The figures of the Release page: Plotly accepts them, and their amounts and axes are right."""

import numpy as np
import pytest

import privbo_core as pb
from pages.figures import release as figures
from pages.figures import release_more as more
from tests.helpers.charts import accepted
from tests.helpers.released import designed, task_of

MECHANISMS = ["selection", "1 noisy", "2 exact", "3 Lipschitz"]


@pytest.mark.parametrize("epsilon", [0.01, 1000.0])
@pytest.mark.parametrize("task", ["logistic", "svm", "prior"])
def test_plotly_accepts_every_figure(task, epsilon):
    known = task_of(task)
    units = figures.units_of(known)
    for algorithm in MECHANISMS:
        if (known.loss is None and algorithm == "3 Lipschitz") or (known.records is None and algorithm == "selection"):
            continue
        published = "score" if algorithm == "3 Lipschitz" else "setting and score"
        now = designed(algorithm, epsilon, published).publication(known)
        score = figures.NoisyScore.of(now, units)
        bounds = {f"Theorem {number}": bound for number, bound in now.bounds(3.0).items()}
        drawn = [
            figures.published_score(score, figures.score_axis(score), units),
            more.terms(bounds, now.spread, units),
        ]
        curve = more.costs([now.plan], lambda plan: pb.tradeoff.expected_score_error(known, plan), units.factor)
        drawn.append(more.against_epsilon({"a": curve, "b": curve / 9}, "error", epsilon, None, 3.0))
        if algorithm == "3 Lipschitz":
            drawn += [figures.sensitivity(now.plan.loss, 250, 1e-6, units, sound=sound) for sound in (True, False)]
        else:
            belief = None if algorithm == "selection" else figures.belief_of(now.plan.search, known, units)
            both = (now.plan.choice.probabilities, None)
            drawn += [figures.candidates(known, units, chances_of, belief, 1.0) for chances_of in both]
        for figure in drawn:
            assert accepted(figure).data


def test_a_score_axis_holds_the_interval_and_the_best_score():
    for epsilon in (0.1, 1.0, 30.0, 1000.0):
        for algorithm in MECHANISMS[:3]:
            score = figures.NoisyScore.of(
                designed(algorithm, epsilon).publication(task_of()), figures.units_of(task_of())
            )
            left, right = figures.score_axis(score)
            assert left < score.centre - score.half_width
            assert right > score.centre + score.half_width
            assert left < score.best < right


def test_the_published_score_is_a_density():
    for algorithm in MECHANISMS[:3]:
        units = figures.units_of(task_of("svm"))
        score = figures.NoisyScore.of(designed(algorithm, 2.0).publication(task_of("svm")), units)
        x = np.linspace(score.centre - 60 * score.scale - 60, score.centre + 60 * score.scale + 60, 400_001)
        assert float(np.trapezoid(score.density(x), x)) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(("formula", "text"), [
    ("2√β_{T+1}", "2√β_{T+1}"), ("A e^{−Tτ/(log T)^{d/4}}", "A exp(−Tτ/(log T)^{d/4})"),
    ("√(C₁β_Tγ_T)/√T", "√(C₁β_{T}γ_{T})/√T"), ("(λ_max − λ_min)L", "(λ_{max} − λ_{min})L"),
    ("|f̃ − f_BO|", "|f̃ − f_{BO}|"), ("|f_V(w_λ)|", "|f_{V}(w_{λ})|"),
])  # fmt: skip
def test_formulas_are_written_as_people_write_them(formula, text):
    assert figures.formula(formula) == text


@pytest.mark.parametrize(("unit", "value", "text"), [
    ("points", 0.0935, "9.35 points"), ("points", 0.00003, "under 0.01 points"), ("points", 0.0, "0.00 points"),
    ("points", 8.5227, "852 points"), ("points", 2.5e5, "2.5 × 10⁷ points"), ("", 0.01234, "0.0123"),
    ("σ_{f}", 228.55, "229 σ_{f}"),
])  # fmt: skip
def test_amounts_are_written_with_their_unit(unit, value, text):
    assert figures.Units(100.0 if unit == "points" else 1.0, 0.0, unit, "score").amount(value) == text


def test_algorithm_3_s_sensitivity_is_not_drawn_as_covered_where_a_constant_is_too_small():
    loss, units = pb.data.LipschitzLoss(0.25, 1.0, 0.5, 1.0), figures.units_of(task_of())
    fills = [
        {shape["fillcolor"] for shape in figures.sensitivity(loss, 250, 1e-6, units, sound=sound).layout["shapes"]}
        for sound in (True, False)
    ]
    assert len(fills[0]) == 2
    assert len(fills[1]) == 1
    assert fills[1] < fills[0]
