"""What the Release page draws and writes: pictures Plotly accepts, formulas, amounts."""

import json

import numpy as np
import pandas as pd
import pytest

import privbo_core as pb
from pages.parts.release import details, neighbours
from pages.parts.release import figures as release_figures
from pages.parts.release.setup import Setup
from pages.parts.release.view import compute
from pages.parts.views.picture import LIGHT
from pages.parts.views.text import sub, sup, two_digits
from tests.helpers.reading import HOSTILE, plotly_takes
from tests.helpers.released import LIPSCHITZ, VALUES


def test_the_name_of_a_column_is_escaped_in_figures():
    x = np.geomspace(0.001, 10, 60)
    table = pd.DataFrame({HOSTILE: x, "accuracy": 0.8 - 0.05 * np.log10(x) ** 2})
    task = pb.data.task_from_table(table, [HOSTILE], "accuracy", records=100)
    figure = json.loads(release_figures.candidates(compute(Setup(task, 1, "icml", VALUES))).as_json(LIGHT))
    axis = figure["layout"]["xaxis"]["title"]["text"]
    assert axis == "![x](http://x.y/z.png) &lt;b&gt;b&lt;/b&gt; **c**"
    assert "<b>" not in json.dumps(figure)


@pytest.mark.parametrize("epsilon", [0.1, 1000.0])
def test_plotly_accepts_every_picture(epsilon):
    task = pb.data.tuning_task("logistic")
    curve = np.geomspace(1, 0.01, len(details.EPSILONS))
    pictures = []
    for algorithm, values in ((0, VALUES), (1, VALUES), (2, VALUES), (3, LIPSCHITZ), (4, VALUES)):
        view = compute(Setup(task, algorithm, "icml", values | {"epsilon": epsilon}))
        start = view.starts_at(view.score_bound.theorem)
        bounds = {str(number): bound for number, bound in view.bounds.items()}
        sensitivities = algorithm == 3
        pictures += [
            release_figures.density(view, release_figures.density_axes(view)),
            details.terms(bounds, view.unit, view.spread),
            details.against_epsilon(view, curve, 0.1 * curve, "loss", start=start, ceiling=0.1),
            release_figures.sensitivities(view, 1e-6) if sensitivities else release_figures.candidates(view),
        ]
    still, some = neighbours.Moved("a", np.zeros(3), 1.0), neighbours.Moved("b", np.array([0.1, 0.2, 0.0]), None)
    pictures += [neighbours.movements([still, some]), neighbours.movements([some])]
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
