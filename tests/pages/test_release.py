"""The Release page without a browser: it runs, shows the engine's numbers, and says what it cannot use."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import plotly.io
import pytest
from streamlit.testing.v1 import AppTest

import privbo_core as pb
from pages.parts.release import figures as release_figures
from pages.parts.release.setup import amount, set_up, within
from pages.parts.release.tasks import DATASET, SCORES, TABLE
from pages.parts.show.look import DARK, LIGHT

APP = Path(__file__).parents[2] / "app.py"
VALUES = {"epsilon": 3.0, "delta": 1e-3, "k1": 0.99, "sigma": 0.1, "T": 50.0, "a": 3.0, "A": 1.0, "tau": 0.1}
LIPSCHITZ = {
    "epsilon": 3.0,
    "T": 50.0,
    "a": 3.0,
    "L": 0.25,
    "g": 1.0,
    "lambda_min": 1e-6,
    "lambda_max": 1.0,
    "m": 250.0,
}
TABS = ["Bounds by term", "Loss against ε", "Neighbours for real", "Coverage under the prior", "Theory"]


def start(query=None):
    app = AppTest.from_file(str(APP), default_timeout=60).run()
    app.switch_page("pages/release.py")
    for name, value in (query or {}).items():
        app.query_params[name] = value
    return app


def html(app):
    return " ".join(element.proto.body for element in app.get("html"))


@pytest.mark.parametrize("task", ["logistic", "svm"])
@pytest.mark.parametrize(
    ("algorithm", "paper"), [("1 noisy", "ICML"), ("1 noisy", "workshop"), ("2 exact", "ICML"), ("2 exact", "workshop")]
)
def test_it_runs_for_each_algorithm_and_paper(task, algorithm, paper):
    app = start().run()
    app.selectbox(key="task").set_value(task)
    app.get("button_group")
    app.session_state["algorithm"], app.session_state["paper"] = algorithm, paper
    app.run()
    assert not app.exception
    chosen, variant = int(algorithm[0]), paper.lower()
    setup = set_up(pb.data.tuning_task(task), chosen, variant, VALUES)
    text = html(app)
    assert f"{setup.plan.choice.effective_candidates:.0f} of 400" in text
    assert f"± {amount(setup.half_width)}" in text
    assert "not for one given dataset" in text
    assert "ε = 6, δ = 0.002" in text


def test_algorithm_3_runs_where_it_applies_and_says_so_where_not():
    app = start().run()
    app.session_state["algorithm"] = "3 Lipschitz"
    app.run()
    assert not app.exception
    assert "Noise for a move of 2.5·10⁵, yet no score moves by more than 1" in html(app)
    assert "Guarantee: proved" in html(app)
    app.selectbox(key="task").set_value("svm").run()
    assert not app.exception
    assert any("This task has none" in info.value for info in app.info)


@pytest.mark.parametrize("algorithm", ["1 noisy", "2 exact", "3 Lipschitz"])
@pytest.mark.parametrize("tab", TABS)
def test_each_tab_opens(tab, algorithm):
    app = start().run()
    app.session_state["algorithm"] = algorithm
    app.session_state["release_tab"] = tab
    app.run()
    assert not app.exception
    assert not app.error


def test_the_numbers_are_the_engines_in_units_of_the_score():
    task = pb.data.tuning_task("logistic")
    search = pb.release.optimise(
        task.points,
        task.objective,
        kernel=task.kernel,
        sigma=0.1,
        iterations=50,
        delta=1e-3,
        rng=np.random.default_rng(0),
    )
    plan = pb.release.noisy(search, epsilon=3.0, k1=0.99)
    setup = set_up(task, 1, "icml", VALUES)
    truth = task.scores
    assert setup.loss_of_choice() == pytest.approx(truth.max() - plan.choice.probabilities @ truth)
    # Laplace noise exceeds b·log 20 in absolute value in 5 % of cases.
    assert setup.half_width == pytest.approx(plan.value.scale * np.log(20) * task.unit)
    assert setup.spread == pytest.approx(np.ptp(truth))
    two = plan.bounds(3.0)[1]
    assert setup.starts_at(2) == pytest.approx(3.0 * two.value * task.unit / setup.spread)
    assert setup.vacuous(4)
    assert np.isinf(setup.starts_at(4))
    assert setup.guarantee(2).epsilon == 6
    assert setup.protected == pytest.approx(task.score(search.observed.max()))


def test_too_small_constants_are_a_claim_and_nothing_is_drawn():
    task = pb.data.tuning_task("logistic")
    honest = set_up(task, 3, "icml", LIPSCHITZ)
    assert honest.guarantee(1).status is pb.privacy.Status.PROVED
    for changed in ({"L": 0.2}, {"g": 0.5}, {"m": 1000.0}):
        assert set_up(task, 3, "icml", LIPSCHITZ | changed).guarantee(1).status is pb.privacy.Status.CLAIMED
    assert within(task, 0.5, 1.0).n == int((task.parameters[:, 0] >= 0.5).sum())
    assert within(task, 0.3001, 0.3002) is None


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"epsilon": "0"}, "0 is out of range; ε takes a number from 0.1 to 1000"),
        ({"k1": "1.5"}, "1.5 is out of range; k₁ takes a number from 0 to 1"),
        ({"sigma": "0"}, "0 is out of range; σ takes"),
        ({"T": "1"}, "1 is out of range; T takes a whole number from 2 to 200"),
        ({"delta": "one"}, "“one” is not a number"),
    ],
)
def test_an_address_that_cannot_be_used_gets_a_sentence(query, words):
    app = start(query).run()
    assert not app.exception
    assert any(words in notice.value.replace("\\", "") for notice in app.info)


def test_a_large_delta_gets_a_warning():
    app = start({"delta": "0.1"}).run()
    assert any("at least 1/m" in warning.value for warning in app.warning)


def test_draws_add_up_and_can_be_started_over():
    app = start().run()

    def press(label):
        next(button for button in app.button if button.label == label).click().run()
        assert not app.exception

    press("Draw a release")
    assert "Spent: ε = 6, δ = 0.002</b> by 1 release" in html(app)
    press("Draw a release")
    assert "Spent: ε = 12, δ = 0.004</b> by 2 releases" in html(app)
    assert len(re.findall(r"Algorithm 1: λ = [^;]+; best score [−\d.]+", html(app))) == 2
    press("Start over at ε = 0")
    assert "Spent" not in html(app)


def uploaded(table, kind, name="mine.csv"):
    app = start().run()
    app.session_state[TABLE] = (name, table)
    app.selectbox(key="task").set_value(kind).run()
    return app


def test_an_uploaded_table_of_scores():
    x = np.geomspace(0.001, 10, 60)
    table = pd.DataFrame({"C": x, "accuracy": 0.8 - 0.05 * np.log10(x) ** 2})
    app = uploaded(table, SCORES)
    assert not app.exception
    assert not app.error
    assert "of 60" in html(app)
    assert "Private selection" not in html(app)  # m is not known


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (pd.DataFrame({"C": [1.0, 2.0, np.nan], "score": [0.1, 0.2, 0.3]}), "in row 2"),
        (pd.DataFrame({"C": [1.0, 2.0], "score": [0.1, 0.1]}), "constant"),
        (pd.DataFrame({"C": [1.0, 1.0, 2.0], "score": [0.1, 0.2, 0.3]}), "repeats the parameters"),
        (pd.DataFrame({"C": ["a", "b"], "score": [0.1, 0.2]}), "a parameter and a score are needed"),
        (pb.DataError("The file is empty."), "The file is empty."),
    ],
)
def test_a_table_that_cannot_be_used_gets_a_sentence(table, words):
    app = uploaded(table, SCORES)
    assert not app.exception
    assert any(words in error.value for error in app.error)


def test_an_uploaded_dataset_is_tuned_on():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 2))
    table = pd.DataFrame(
        {"a": x[:, 0], "b": x[:, 1], "ill": np.where(x.sum(axis=1) + rng.normal(size=200) > 0, "yes", "no")}
    )
    app = uploaded(table, DATASET)
    assert not app.exception
    assert not app.error
    assert "of 90 records" in html(app)
    app = uploaded(table[["a", "b"]], DATASET)
    assert any("exactly two kinds" in error.value for error in app.error)


def test_no_file_yet_gets_a_sentence():
    app = start().run()
    app.selectbox(key="task").set_value(SCORES).run()
    assert not app.exception
    assert any("nothing to tune yet" in info.value for info in app.info)


@pytest.mark.parametrize("colours", [LIGHT, DARK])
@pytest.mark.parametrize("epsilon", [0.1, 1000.0])
def test_plotly_accepts_every_picture(colours, epsilon):
    task = pb.data.tuning_task("logistic")
    curve = np.geomspace(1, 0.01, len(release_figures.EPSILONS))
    pictures = []
    for algorithm, values in ((1, VALUES), (2, VALUES), (3, LIPSCHITZ)):
        setup = set_up(task, algorithm, "icml", values | {"epsilon": epsilon})
        pictures += [
            release_figures.density(setup, release_figures.density_axes(setup), colours),
            release_figures.terms(list(setup.bounds.values()), setup.unit, setup.spread, colours),
            release_figures.losses(
                setup, curve, 0.1 * curve, "loss", setup.starts_at(setup.score_bound.theorem), 0.1, colours
            ),
        ]
        if algorithm == 3:
            pictures.append(release_figures.sensitivities(setup, values, 1e-6, colours))
        else:
            pictures.append(release_figures.candidates(setup, colours))
    still = np.zeros(3)
    pictures.append(release_figures.movements([("a", still, 1.0), ("b", np.array([0.1, 0.2, 0.0]), None)], colours))
    pictures.append(release_figures.movements([("a", still, None)], colours))
    for picture in pictures:
        figure = plotly.io.from_json(picture.as_json())  # raises on a property that Plotly does not know
        assert isinstance(figure, go.Figure)
        assert figure.data


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("2√β_{T+1}", "2√β<sub>T+1</sub>"),
        ("A e^{−Tτ/(log T)^{d/4}}", "A e<sup>−Tτ/(log T)<sup>d/4</sup></sup>"),
        ("√(C₁β_Tγ_T)/√T", "√(C₁β<sub>T</sub>γ<sub>T</sub>)/√T"),
        ("(λ_max − λ_min)L", "(λ<sub>max</sub> − λ<sub>min</sub>)L"),
    ],
)
def test_formulas_are_written_as_people_write_them(formula, text):
    assert release_figures.pretty(formula) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0934, "0.093"), (7.66, "7.7"), (249999.8, "2.5·10⁵"), (-0.5, "−0.50"), (0, "0"), (96.0, "96")],
)
def test_amounts_have_two_digits(value, text):
    assert amount(value) == text
