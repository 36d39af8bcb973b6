"""What the Release page draws, writes and recommends: pictures Plotly accepts, formulas, amounts, ways."""

import numpy as np
import pytest

import privbo_core as pb
from pages.parts.release import details, figures, neighbours
from pages.parts.release.words import cautions, lead
from pages.parts.views.text import sub, sup, two_digits
from tests.helpers.numbers import numbers, tells
from tests.helpers.reading import plotly_takes
from tests.helpers.released import noisily, scored, viewed


@pytest.mark.parametrize("epsilon", [0.1, 1000.0])
def test_plotly_accepts_every_picture(epsilon):
    curve = np.geomspace(1, 0.01, len(details.EPSILONS))
    still, some = neighbours.Moved("a", np.zeros(3), 1.0), neighbours.Moved("b", np.array([0.1, 0.2, 0.0]), None)
    pictures = [neighbours.movements([still, some]), neighbours.movements([some])]
    for algorithm in range(5):
        view = viewed(algorithm, epsilon=epsilon)
        start = view.starts_at(view.score_bound.theorem)
        bounds = {str(number): bound for number, bound in view.bounds.items()}
        pictures += [
            figures.density(view, figures.density_axes(view)),
            details.terms(bounds, view.unit, view.spread),
            details.against_epsilon(view, curve, 0.1 * curve, "loss", start=start, ceiling=0.1),
            figures.sensitivities(view, 1e-6) if algorithm == 3 else figures.candidates(view),
        ]
    for picture in pictures:
        assert plotly_takes(picture).data


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("2√β_{T+1}", f"2√β{sub('T+1')}"),
        ("A e^{−Tτ/(log T)^{d/4}}", "A e" + sup("−Tτ/(log T)" + sup("d/4"))),
        ("√(C₁β_Tγ_T)/√T", f"√(C₁β{sub('T')}γ{sub('T')})/√T"),
        ("(λ_max − λ_min)L", f"(λ{sub('max')} − λ{sub('min')})L"),
    ],
)
def test_formulas_are_written_as_people_write_them(formula, text):
    assert details.pretty(formula) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0934, "0.093"), (7.66, "7.7"), (249999.8, "2.5·10⁵"), (-0.5, "−0.50"), (0, "0"), (96.0, "96")],
)
def test_amounts_have_two_digits(value, text):
    assert two_digits(value) == text


def test_nothing_is_drawn_as_met_where_the_promise_is_not_kept():
    for slope, role in ((0.25, "met"), (0.1, "unmet")):
        picture = figures.sensitivities(viewed(3, lambda_min=0.5, epsilon=30.0, L=slope), 1e-6)
        (now,) = [trace for trace in picture.data if trace.get("name") == "now"]
        assert now["marker"]["color"].role == role


@pytest.mark.parametrize(("task", "algorithm"), [("logistic", 0), ("svm", 1), ("logistic", 4)])
def test_the_lead_tells_what_to_publish_and_what_both_lose_at_the_same_epsilon(task, algorithm):
    known = pb.data.tuning_task(task)
    found = lead(viewed(algorithm, known, epsilon=1.0))
    best = pb.release.selection(known.scores, records=known.records, epsilon=1.0, way="permute-and-flip").choice
    theirs = noisily(known, 1.0)[1].choice.probabilities @ (known.scores.max() - known.scores)
    _, *told = numbers(found.title.replace("Algorithm 1", ""))
    assert told == [1, pytest.approx(100 * best.expected_loss, abs=0.005), pytest.approx(100 * theirs, abs=0.05)]
    assert best.expected_loss < 0.1 * theirs
    assert numbers(found.note).count(400) == 2  # of all 400 candidates 400 are in effect
    assert not cautions(viewed(algorithm, known, T=50.0))[0], "T is no matter of private selection’s"


def test_where_the_published_draw_is_not_blind_the_lead_tells_how_many_are_in_effect():
    assert tells(lead(viewed(0, "svm", epsilon=300.0)).note, 8, 400)


def test_the_lead_is_missing_where_nothing_can_be_proved():
    assert lead(viewed(1, pb.data.task_from_table(scored(), ["C"], "accuracy"))) is None
