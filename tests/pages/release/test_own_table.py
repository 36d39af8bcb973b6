"""The visitor's own table on the Release page: nothing of it is in the address, and any table gets an answer."""

import io
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import privbo_core as pb
from pages.ui.sliders import OWN_DATA as OWN
from pages.ui.tuning import DATASET, SCORES, TASK
from privbo_core.privacy import Status
from privbo_core.release import read_scores, task_from_scores
from tests.helpers.charts import charts
from tests.helpers.numbers import numbers, tells
from tests.helpers.reading import HOSTILE, address, html, marked, press, said
from tests.helpers.released import brought, come, designed, labelled, scored
from tests.helpers.shown import guarantee, headline, move, open_sections, tiles, values

GRID = {"logisticregression__C": np.logspace(-3, 2, 8).tolist(), "logisticregression__class_weight": [None, "balanced"]}


@pytest.fixture(scope="module")
def folds():
    x, y = load_breast_cancer(return_X_y=True)
    found = GridSearchCV(make_pipeline(StandardScaler(), LogisticRegression()), GRID, cv=5).fit(x, y).cv_results_
    return pd.read_csv(io.StringIO(pd.DataFrame(found).to_csv()))


def opened(table, kind=SCORES, **query):
    return come(brought(table, kind), **query)


def fill(app, name, value):
    """Enter what is not in the file, in the field that is kept under this name."""
    app.session_state[f"{OWN}chosen/{name}"] = value
    return app.run()


def filled(folds, **query):
    return fill(fill(opened(folds, **query), "records", 569), "decimals", "exact")


def task_of(app):
    return app.session_state[TASK][1]


def test_five_folds_of_a_grid_search_end_in_a_private_choice_that_is_not_called_proven(folds):
    app = opened(folds)
    assert app.error
    app = filled(folds, publish="setting and score")
    assert not app.error
    scores = read_scores(folds, score_range=(0, 1), records=569, decimals="exact")
    now = designed("selection", 1.0).publication(task_from_scores(scores))
    assert now.guarantee == scores.guarantee(2.0, score=True)
    assert now.guarantee.status is Status.UNMET
    assert tells(tiles(app)[0][1], float(f"{pb.tradeoff.expected_loss(now.task, now.plan):.3g}"))
    card = guarantee(app)
    assert "pb-caution" in card
    assert " protection." not in card
    assert tells(card, 2, 0)
    app = open_sections(app)
    assert "pb-badge pb-proven" not in html(app)
    assert "proven, if" not in re.sub(r"\(proven, if[^)]*\)", "", html(app)), "not even in the table of ways"


def test_the_draw_is_that_of_the_engine_s_own_table_of_scores(folds):
    scores = read_scores(folds, score_range=(0, 1), records=569, decimals="exact")
    now = designed("selection", 1.0, "setting").publication(task_from_scores(scores))
    assert now.plan.choice.probabilities == pytest.approx(scores.choice(1.0).probabilities)
    assert now.sensitivity == pytest.approx(scores.sensitivity) == pytest.approx(1 / 565)
    assert now.guarantee == scores.guarantee(1.0)
    claimed = designed("1 noisy", 1.0, "setting", iterations=9).publication(task_from_scores(scores))
    assert claimed.guarantee.status is Status.CLAIMED


def test_a_column_for_each_record_is_proven():
    rng = np.random.default_rng(0)
    right = (rng.random((6, 120)) < np.linspace(0.5, 0.9, 6)[:, None]).astype(float)
    columns = {f"record {i + 1}": right[:, i] for i in range(120)}
    app = opened(pd.DataFrame({"depth": range(1, 7), "seconds": 0.1 * right.mean(axis=1), **columns}))
    assert app.error, "until the visitor ticks which columns are settings"
    app.multiselect(key=f"{OWN}chosen/parameters").set_value(["depth"]).run()
    assert not app.error
    assert task_of(app).table.settings[0] == {"depth": 1}
    assert "pb-proven" in guarantee(app)


def test_a_study_whose_sampler_may_look_at_scores_gets_a_sentence():
    study = {"number": [0, 1, 2], "value": [0.7, 0.8, 0.9], "params_C": [1.0, 2.0, 3.0], "state": ["COMPLETE"] * 3}
    app = fill(fill(opened(pd.DataFrame(study)), "records", 200), "decimals", "exact")
    assert app.error
    app.selectbox(key=f"{OWN}chosen/sampler").set_value("random").run()
    assert not app.error
    assert task_of(app).n == 3
    open_sections(app)


def test_settings_become_points_that_differ():
    def of(settings, values, ends=(0.0, 1.0)):
        return task_from_scores(
            pb.release.Scores(tuple(settings), np.array(values)[:, None], ends, "validation", 50, decimals="exact")
        )

    kernels, sizes = ("rbf", "linear", "rbf"), (1.0, 1.0, 100.0)
    settings = [{"kernel": kernel, "C": size} for kernel, size in zip(kernels, sizes, strict=True)]
    settings.append({"kernel": "rbf"})
    task = of(settings, [0.1, 0.2, 0.3, 0.4])
    assert task.names == ("kernel", "C")
    assert len({tuple(row) for row in task.points.tolist()}) == 4
    again = of([*settings, settings[0]], [0.1, 0.2, 0.3, 0.4, 0.5], (1.0, 0.0))
    assert again.names[0] == "row of the table"
    assert again.scores == pytest.approx([-0.1, -0.2, -0.3, -0.4, -0.5])
    with pytest.raises(pb.errors.DataError, match=r"without looking"):
        of(settings, [0.5] * 4)


def test_an_own_table_of_scores_needs_m_and_then_speaks_in_scores():
    app = opened(scored(), epsilon="2")
    assert charts(app) == {}
    assert headline(app)[1]
    fill(app, "m", 200)
    assert tiles(app) == [], "until the visitor tells whether the scores were rounded"
    assert "decimals=" not in said(app)
    app.number_input(key=f"{OWN}chosen/asked/m").set_value(200)
    app.selectbox(key=f"{OWN}chosen/asked/decimals").set_value("exact")
    press(app, "Use these facts")
    assert not app.error
    assert not [each for each in app.number_input if each.key.endswith("asked/m")]
    task = task_of(app)
    now = designed("selection", 2.0, "setting").publication(task)
    assert tells(headline(app)[0], float(f"{pb.tradeoff.expected_loss(task, now.plan):.3g}"))
    assert "%" not in headline(app)[0]
    assert tells(tiles(app)[-1][1], float(f"{now.bounds(3.0)[2].value:.3g}"))


@pytest.mark.parametrize(("table", "kind", "rows", "column"), [
    (scored(), SCORES, 60, "accuracy"), (labelled(), DATASET, 90, "ill"),
])  # fmt: skip
def test_every_number_is_that_of_the_table_and_nothing_of_it_is_in_the_address(table, kind, rows, column):
    for algorithm in ("1 noisy", "2 exact") if kind == SCORES else ("selection", "1 noisy", "2 exact", "3 Lipschitz"):
        app = opened(table, kind, algorithm=algorithm, T="20")
        assert not app.error
        assert column in said(app)
        task = task_of(app)
        assert task.n == (rows if kind == SCORES else 400)
        published = {"selection": "setting", "3 Lipschitz": "score"}.get(algorithm, "setting and score")
        now = designed(algorithm, values(app)["epsilon"], published, iterations=20).publication(task)
        if not isinstance(now.plan, pb.release.Lipschitz):
            bound = now.bounds(3.0)[2].value * (100 if kind == DATASET else 1)
            assert tells(
                tiles(app)[-1][1], float(f"{bound:.3g}") if bound >= 100 or kind == SCORES else round(bound, 2)
            )
        words = " ".join([*address(app), *address(app).values()])
        for private in ("mine.csv", "accuracy", "ill", "C"):
            assert private not in words.split("/")
        assert not {"m", "records"} & {*address(app)}, "how many records there are is the visitor's own"
        assert "m" not in values(app)
        if kind == SCORES:
            assert "sensitive scores" in guarantee(app), "the prior was learned from the scores themselves"


def test_a_reload_or_a_link_asks_for_the_table_and_no_sample_takes_its_place():
    asked = address(opened(scored(), algorithm="1 noisy", epsilon="5"))
    assert asked["task"] == SCORES
    app = come(**asked)
    assert len(app.warning) == 1
    assert [link.proto.page for link in app.get("page_link")] == ["data"]
    assert (charts(app), values(app)["epsilon"]) == ({}, 5)
    move(app, "release", epsilon=6.0)
    assert len(app.warning) == 1, "the banner stays until the table is there"
    chosen = come()
    chosen.selectbox(key="task").set_value(SCORES).run()
    assert not chosen.warning, "who chooses it has lost nothing"
    assert chosen.info


def test_what_was_computed_from_an_own_table_is_forgotten_with_it():
    app = open_sections(opened(labelled(), DATASET, algorithm="2 exact"))
    private = [name for name, _ in app.session_state.items() if "remembered" in name]
    assert {name.rpartition("/")[2] for name in private} >= {"searches", "pairs"}
    assert [name for name in private if not name.startswith(OWN)] == []


@pytest.mark.parametrize(("columns", "kind"), [
    ({"C": [1.0, 2.0], "score": [0.1, 0.1]}, SCORES), ({"C": ["a", "b"], "score": [0.1, 0.2]}, SCORES),
    ({"a": [0.1, 0.2, 0.3], "b": [1.5, 2.5, 3.5]}, DATASET),
])  # fmt: skip
def test_a_table_that_cannot_be_used_gets_a_sentence(columns, kind):
    app = opened(pd.DataFrame(columns), kind)
    assert app.error
    assert charts(app) == {}


@pytest.mark.parametrize("rows", [2, 3, 5])
@pytest.mark.parametrize("algorithm", ["1 noisy", "2 exact"])
def test_a_tiny_table_gets_an_answer(rows, algorithm):
    app = open_sections(opened(scored(n=rows), algorithm=algorithm))
    assert numbers(headline(app)[0])
    assert "configuration" in charts(app)


def test_gaps_and_repeats_in_a_table_of_scores_are_said():
    x, score = (np.repeat(each, 3) for each in scored(n=30).to_numpy().T)
    score = score + 0.01 * np.random.default_rng(0).standard_normal(90)
    result = np.where(np.arange(90) == 7, np.nan, score)
    app = opened(pd.DataFrame({"C": x, "seed": np.tile([0, 1, 2], 30), "result": result}), algorithm="1 noisy")
    assert not app.error
    (note,) = [each.value for each in app.caption if tells(each.value, 89, 90)]
    found = numbers(note)
    assert 1 in found  # row is dropped
    assert (found.count(30), found.count(89)) >= (2, 2)  # settings with repeats, and their rows


@pytest.mark.parametrize("algorithm", ["1 noisy", "2 exact"])
def test_the_name_of_a_column_never_becomes_markup(algorithm):
    app = come(brought(scored(HOSTILE), SCORES, f"{HOSTILE}.csv"), algorithm=algorithm)
    name = charts(app)["configuration"]["layout"]["xaxis2"]["title"]["text"]
    assert name == "![x](http://x.y/z.png) &lt;b&gt;b&lt;/b&gt; **c**"
    open_sections(app)
    assert not app.error
    assert "<b>b</b>" not in html(app)
    assert "<b>c</b>" not in html(app)
    for text in marked(app):
        assert "](http" not in text
        assert not re.search(r"(?<!\\)<b>|(?<!\\)\*\*c", text)


def test_a_condition_of_the_task_is_a_condition_of_the_guarantee():
    task = pb.data.tuning_task("logistic")
    now = designed("selection", 50.0).publication(replace(task, conditions=("It rains.",)))
    assert now.guarantee.status is Status.UNMET
    assert "It rains." in now.guarantee.in_full[-1]
    assert now.guarantee.epsilon == 100


def test_all_columns_of_numbers_are_parameters_and_the_others_have_a_reason():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "run": range(1, 41), "rate": 10.0 ** rng.uniform(-4, -1, 40), "depth": rng.integers(1, 9, 40),
            "dropout": rng.uniform(0, 0.5, 40), "optimizer": rng.choice(["sgd", "adam"], 40), "seed": [1, 2] * 20,
            "train loss": rng.random(40), "val accuracy": rng.random(40),
        }
    )  # fmt: skip
    app = opened(table, algorithm="1 noisy")
    assert app.multiselect(key=f"{OWN}chosen/parameters").value == ["rate", "depth", "dropout"]
    (note,) = [each.value for each in app.caption if "optimizer" in each.value]
    assert all(name in note for name in ("run", "seed", "train loss"))
    assert "dropout" not in note
