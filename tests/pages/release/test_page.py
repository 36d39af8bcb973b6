"""The Release page without a browser: it runs, shows the engine's numbers, and says what it cannot use."""

import json
import re

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import plotly.io
import pytest
from streamlit.testing.v1 import AppTest

import privbo_core as pb
from pages.parts.frame.session import OWN
from pages.parts.release import figures as release_figures
from pages.parts.release.draws import IN_SHORT, PUBLISHED, REFUSED, Wish
from pages.parts.release.setup import set_up, within
from pages.parts.release.tabs import figures as tab_figures
from pages.parts.release.tabs.movements import coverage_finding
from pages.parts.release.tasks import DATASET, SCORES
from pages.parts.values.numbers import two_digits
from pages.parts.values.palette import DARK, LIGHT
from pages.parts.values.text import sub, sup
from tests.helpers.paths import APP

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
TABS = [
    "Bounds by term",
    "Ways compared",
    "Loss against ε",
    "Neighbours for real",
    "Coverage under the prior",
    "Theory",
    "Training too",
]


def start(query=None):
    """Come to the page; to Algorithm 1, if nothing else is said, at the ε that most tests compute with."""
    app = AppTest.from_file(str(APP), default_timeout=60).run()
    app.switch_page("pages/release.py")
    for name, value in ({"algorithm": "1 noisy", "epsilon": "3"} | (query or {})).items():
        app.query_params[name] = value
    return app


def html(app):
    return " ".join(element.proto.body for element in app.get("html"))


def card(app):
    """The page's one guarantee: what is read first, and what can be opened below it."""
    shown = [element.value for element in app.get("html")]
    (first,) = [text for text in shown if "pb-card pb-is" in text]
    (rest,) = [text for text in shown if "pb-card pb-rows" in text]
    return first + rest


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
    assert f"± {two_digits(setup.half_width)}" in text
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


@pytest.mark.parametrize("algorithm", ["selection", "1 noisy", "2 exact", "3 Lipschitz"])
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
    assert "Spent: ε = 6, δ = 0.002</strong> by 1 release" in html(app)
    press("Draw a release")
    assert "Spent: ε = 12, δ = 0.004</strong> by 2 releases" in html(app)
    assert len(re.findall(r"Algorithm 1: λ = [^;]+; best score [−\d.]+", html(app))) == 2
    press("Start over at ε = 0")
    assert "Spent" not in html(app)


def button(app, label):
    return next(each for each in app.button if each.label == label)


def test_private_selection_is_drawn_for_real_and_counted_like_the_others():
    app = start({"epsilon": "2"}).run()
    button(app, "Draw a release").click().run()
    app.session_state["algorithm"] = "selection"
    app.run()
    assert not app.exception
    for words in ("Guarantee: proved", "ε = 4, δ = 0.", "picked without looking at V", "whatever that record holds."):
        assert words in card(app)
    assert "prior correlation" not in card(app)
    button(app, "Draw a release").click().run()
    assert not app.exception
    assert "Spent: ε = 8, δ = 0.002</strong> by 2 releases" in html(app)
    assert re.search(r"Permute-and-flip: λ = [^;]+; score [−\d.]+ \(± [\d.]+\)", html(app))
    app.session_state["publish_selected"] = "setting"
    app.run()
    button(app, "Draw a release").click().run()
    assert "Spent: ε = 10, δ = 0.002</strong> by 3 releases" in html(app)
    assert re.search(r"Permute-and-flip: λ = [^;(]+<", html(app))
    assert "McKenna and Sheldon (2020)" in card(app)
    app.session_state["way"] = "exponential"
    app.run()
    assert "McSherry and Talwar (2007)" in card(app)
    button(app, "Draw a release").click().run()
    assert "Spent: ε = 12, δ = 0.002</strong> by 4 releases" in html(app)
    assert re.search(r"The exponential mechanism: λ = [^;(]+<", html(app))


def test_what_private_selection_publishes_is_in_units_of_the_score():
    setup = set_up(pb.data.tuning_task("logistic"), 0, "icml", VALUES | {"epsilon": 50.0})
    wish = Wish(setup, "setting and score")
    assert len(wish.plan.rows) == 400
    assert wish.guarantee.status is pb.privacy.Status.PROVED
    assert wish.guarantee.epsilon == 100
    drawn = pb.release.Drawn(int(wish.plan.rows[3]), -0.4567, wish.guarantee)
    half = two_digits(wish.plan.value.half_width(0.95))
    assert wish.text(drawn).endswith(f"; score −0.46 (± {half})")
    assert wish.refused == ""


def test_algorithm_2_s_score_is_refused_with_the_engine_s_reason_and_its_setting_is_not():
    app = start().run()
    app.session_state["algorithm"] = "2 exact"
    for parts, drawn in (("setting and score", False), ("score", False), ("setting", True)):
        app.session_state["publish"] = parts
        app.run()
        assert not app.exception
        assert button(app, "Draw a release").disabled != drawn
        assert any(IN_SHORT[REFUSED] in info.value for info in app.info) != drawn
        assert (button(app, "Draw a release").help == REFUSED) != drawn
    button(app, "Draw a release").click().run()
    assert "Spent: ε = 3, δ = 0.001</strong> by 1 release" in html(app)
    assert "Algorithm 2: λ = " in html(app)
    reason = (
        "because its noise rests on constants A and τ that nobody knows and an attack on a real neighbour breaks its ε"
    )
    plan = set_up(pb.data.tuning_task("logistic"), 2, "icml", VALUES).plan
    with pytest.raises(ValueError, match=reason):
        pb.release.draw(plan)
    assert reason in REFUSED
    app.session_state["algorithm"] = "selection"
    app.run()
    assert not button(app, "Draw a release").disabled


def test_algorithm_2_s_card_names_a_tau_and_the_search():
    app = start({"algorithm": "2 exact", "A": "2", "tau": "0.3"}).run()
    assert "A and τ say, two numbers that nobody knows" in card(app)
    assert "The search here is GP-UCB with exact observations: a different method" in card(app)
    assert any("the search here is GP-UCB" in element.value.replace("\n", " ") for element in app.markdown)


@pytest.mark.parametrize(
    ("algorithm", "paper", "second", "refuted"),
    [(1, "icml", 3, False), (2, "icml", 5, True), (2, "workshop", 5, False)],
)
def test_coverage_shows_each_share_with_its_limits_and_verdict(algorithm, paper, second, refuted):
    setup = set_up(pb.data.tuning_task("svm"), algorithm, paper, VALUES)
    tuning = pb.release.Tuning(0.99, setup.search.sigma, 50, 1e-3, paper, A=1.0, tau=0.1)
    options = {"kernel": setup.task.kernel, "pairs": 60, "rng": np.random.default_rng(0)}
    *_, result = pb.release.coverage(setup.task.points, tuning, **options)
    finding, share = coverage_finding(result), result.share(second)
    limits = f"{100 * share.low:.1f} to {100 * share.high:.1f} % of all: {share.verdict}"
    assert f"Theorem {second} held in {share.held} of 60, so in {limits}" in finding.note
    assert "Theorem 1 held in 60 of 60" in finding.note
    assert "Promised: 99.9 %; 95 % sure, the error spent over all 60 looks" in finding.note
    assert (share.verdict == "refuted") == refuted
    assert ("Theorem 5 is refuted here" in finding.title) == refuted
    if refuted:
        assert f"in at most {100 * share.high:.1f} %" in finding.title


def test_algorithm_2_s_coverage_follows_its_own_constants():
    tab = {"algorithm": "2 exact", "release_tab": "Coverage under the prior"}
    app = start({"T": "5", "A": "90", "tau": "0.01", **tab}).run()
    assert not app.exception
    assert re.search(r"Theorem 5 held in 200 of 200, so in 98\.\d to 100\.0 % of all: not refuted", html(app))


def test_forgetting_the_data_forgets_what_was_drawn_but_not_what_it_cost():
    app = start().run()
    next(button for button in app.button if button.label == "Draw a release").click().run()
    assert "Algorithm 1: λ = " in html(app)
    assert PUBLISHED.startswith(OWN)  # so that it is forgotten with all else of the kind
    del app.session_state[PUBLISHED]
    app.run()
    assert "Spent: ε = 6, δ = 0.002</strong> by 1 release" in html(app)
    assert "Algorithm 1: λ = " not in html(app)


def uploaded(table, kind, name="mine.csv"):
    app = start().run()
    app.session_state[f"{OWN}table"], app.session_state[f"{OWN}name"] = table, name
    app.selectbox(key="task").set_value(kind).run()
    return app


def test_an_uploaded_table_of_scores():
    x = np.geomspace(0.001, 10, 60)
    table = pd.DataFrame({"C": x, "accuracy": 0.8 - 0.05 * np.log10(x) ** 2})
    app = uploaded(table, SCORES)
    assert not app.exception
    assert not app.error
    assert "of 60" in html(app)
    assert "ermute-and-flip" not in html(app)  # m is not known


def test_a_file_that_cannot_be_read_gets_a_sentence():
    app = start().run()
    app.selectbox(key="task").set_value(SCORES).run()
    app.get("file_uploader")[0].upload("mine.csv", b"", "text/csv").run()
    assert not app.exception
    assert any("The file is empty" in error.value for error in app.error)
    assert any("nothing to tune yet" in box.value for box in app.info)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (pd.DataFrame({"C": [1.0, 2.0], "score": [0.1, 0.1]}), "it has the same value everywhere"),
        (pd.DataFrame({"C": ["a", "b"], "score": [0.1, 0.2]}), "a parameter and a score are needed"),
    ],
)
def test_a_table_that_cannot_be_used_gets_a_sentence(table, words):
    app = uploaded(table, SCORES)
    assert not app.exception
    assert any(words in error.value for error in app.error)


def test_gaps_and_repeats_in_a_table_of_scores_are_said():
    x = np.repeat(np.geomspace(0.001, 10, 30), 3)
    score = 0.8 - 0.05 * np.log10(x) ** 2 + 0.01 * np.random.default_rng(0).standard_normal(90)
    table = pd.DataFrame(
        {"C": x, "seed": np.tile([0, 1, 2], 30), "result": np.where(np.arange(90) == 7, np.nan, score)}
    )
    app = uploaded(table, SCORES)
    assert not app.exception
    assert not app.error
    assert "89 of 90 rows are used; 1 was dropped." in html(app)
    assert "30 of 30 settings occur several times (89 rows in all)" in html(app)
    assert "whether a score is there must not depend on the records" in html(app)


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


HOSTILE = "![x](http://x.y/z.png) <b>b</b> **c**"


def scores_of_a_hostile_column():
    x = np.geomspace(0.001, 10, 60)
    return pd.DataFrame({HOSTILE: x, "accuracy": 0.8 - 0.05 * np.log10(x) ** 2})


def shown_as_markdown(app):
    kinds = ("markdown", "caption", "info", "warning", "error", "success")
    return [element.value for kind in kinds for element in app.get(kind)] + [button.label for button in app.button]


@pytest.mark.parametrize("algorithm", ["1 noisy", "2 exact"])
def test_the_name_of_a_column_never_becomes_markup(algorithm):
    app = uploaded(scores_of_a_hostile_column(), SCORES, f"{HOSTILE}.csv")
    app.session_state["algorithm"] = algorithm
    app.session_state["publish"] = "setting" if algorithm == "2 exact" else "setting and score"
    texts, bodies = [], []
    for tab in TABS:
        app.session_state["release_tab"] = tab
        app.run()
        next(button for button in app.button if button.label == "Draw a release").click().run()
        assert not app.exception
        assert not app.error
        texts += shown_as_markdown(app)
        bodies.append(html(app))
    assert any("Above: what the search knows" in text for text in texts)
    for text in texts:
        assert "](" not in text
        assert not re.search(r"(?<!\\)<b>", text)
        assert not re.search(r"(?<!\\)\*\*c", text)
    released = "Algorithm 1: ![x](http://x.y/z.png) &lt;b&gt;b&lt;/b&gt; **c** = "
    assert all(released.replace("1", algorithm[0], 1) in body for body in bodies)
    assert not any("<b>" in body for body in bodies)


def test_the_name_of_a_column_is_escaped_in_figures():
    task = pb.data.task_from_table(scores_of_a_hostile_column(), [HOSTILE], "accuracy", records=100)
    figure = json.loads(release_figures.candidates(set_up(task, 1, "icml", VALUES)).as_json(LIGHT))
    axis = figure["layout"]["xaxis"]["title"]["text"]
    assert axis == "![x](http://x.y/z.png) &lt;b&gt;b&lt;/b&gt; **c**"
    assert "<b>" not in json.dumps(figure)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize("epsilon", [0.1, 1000.0])
def test_plotly_accepts_every_picture(palette, epsilon):
    task = pb.data.tuning_task("logistic")
    curve = np.geomspace(1, 0.01, len(tab_figures.EPSILONS))
    pictures = []
    for algorithm, values in ((0, VALUES), (1, VALUES), (2, VALUES), (3, LIPSCHITZ), (4, VALUES)):
        setup = set_up(task, algorithm, "icml", values | {"epsilon": epsilon})
        start = setup.starts_at(setup.score_bound.theorem)
        pictures += [
            release_figures.density(setup, release_figures.density_axes(setup)),
            tab_figures.terms({str(number): bound for number, bound in setup.bounds.items()}, setup.unit, setup.spread),
            tab_figures.against_epsilon(setup, curve, 0.1 * curve, "loss", start=start, ceiling=0.1),
        ]
        if algorithm == 3:
            pictures.append(release_figures.sensitivities(setup, values, 1e-6))
        else:
            pictures.append(release_figures.candidates(setup))
    still, some = np.zeros(3), np.array([0.1, 0.2, 0.0])
    pictures.append(tab_figures.movements([tab_figures.Moved("a", still, 1.0), tab_figures.Moved("b", some, None)]))
    pictures.append(tab_figures.movements([tab_figures.Moved("a", still, None)]))
    for picture in pictures:
        figure = plotly.io.from_json(picture.as_json(palette))  # raises on a property that Plotly does not know
        assert isinstance(figure, go.Figure)
        assert figure.data


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
    assert tab_figures.pretty(formula) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0934, "0.093"), (7.66, "7.7"), (249999.8, "2.5·10⁵"), (-0.5, "−0.50"), (0, "0"), (96.0, "96")],
)
def test_amounts_have_two_digits(value, text):
    assert two_digits(value) == text
