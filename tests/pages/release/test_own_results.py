"""The user's own tuning on the Release page: a search's table as its tool wrote it ends in a private draw."""

import io
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import privbo_core as pb
from pages.parts.export.offer import FILE
from pages.parts.release.script import release_script
from pages.parts.release.tasks import SCORES
from pages.parts.shell.session import OWN
from privbo_core.privacy import Status
from privbo_core.tuning import listed, read_scores
from tests.helpers.reading import brief, choose, html, press
from tests.helpers.released import brought, come, viewed

GRID = {"logisticregression__C": np.logspace(-3, 2, 8).tolist(), "logisticregression__class_weight": [None, "balanced"]}


@pytest.fixture(scope="module")
def folds():
    x, y = load_breast_cancer(return_X_y=True)
    found = GridSearchCV(make_pipeline(StandardScaler(), LogisticRegression()), GRID, cv=5).fit(x, y).cv_results_
    return pd.read_csv(io.StringIO(pd.DataFrame(found).to_csv()))


def opened(table, view="expert"):
    return come({**brought(table, SCORES), "publish_selected": "setting and score"}, view=view)


def field(app, label, value):
    next(each for each in [*app.number_input, *app.text_input] if each.label.startswith(label)).set_value(value).run()


def test_five_folds_of_a_grid_search_end_in_a_private_draw(folds):
    app = opened(folds)
    assert any("how many records were scored in all" in error.value.replace("\n", " ") for error in app.error)
    field(app, "Records scored", 569)
    assert not app.error
    scores = read_scores(folds, score_range=(0, 1), records=569)
    assert "Publish one of all 16 settings, drawn by permute-and-flip" in html(app)
    assert "not what the same record did in training the models of the other folds" in html(app)
    assert "is only known to keep ε = " in html(app)
    assert "conditional: only if settings and range were fixed beforehand" in html(app)
    press(app, "Draw a release")
    assert "Spent: ε = 2, δ = 0</strong> by 1 release" in html(app)
    drawn = re.search(r"Permute-and-flip: (logisticregression__C = [^;]+); score ([\d.]+) \(± [\d.]+\)", html(app))
    assert drawn[1].replace("&#39;", "'") in [listed(scores).written(row) for row in range(16)]
    choose(app, release_tab="Ways compared")
    assert "over all 16, permute-and-flip loses least" in html(app)
    assert "ε = 1, δ = 0, conditional: only if settings and range were fixed beforehand" in html(app)
    assert "ε = 1, δ = 0, proved" not in html(app)


def test_the_draw_and_its_promise_are_those_of_the_engine_s_own_table_of_scores(folds):
    scores = read_scores(folds, score_range=(0, 1), records=569)
    view = viewed(0, listed(scores), epsilon=1.0)
    assert view.plan.choice.probabilities == pytest.approx(scores.choice(1.0).probabilities)
    assert view.plan.value.sensitivity == pytest.approx(scores.sensitivity) == pytest.approx(1 / 565)
    for released, epsilon in ((1, 1.0), (2, 2.0)):
        assert view.guarantee(released) == scores.guarantee(epsilon, score=released == 2)
        assert view.guarantee(released).status is Status.CONDITIONAL
    assert viewed(1, listed(scores), T=9.0).guarantee(1).status is Status.CLAIMED


def test_the_simple_page_says_what_folds_leave_out(folds):
    app = opened(folds, "simple")
    field(app, "Records scored", 569)
    said = brief(app)
    assert said.facts[0].text == "One person’s part in the scores"
    assert said.answer.startswith("At ε = 1 the published setting scores 0.9")
    assert "Proved" not in said.promise[0]
    assert "the other folds’ models is left out of account" in said.promise[0]


def test_where_it_is_said_how_all_was_fixed_a_column_for_each_record_is_proved():
    rng = np.random.default_rng(0)
    right = (rng.random((6, 120)) < np.linspace(0.5, 0.9, 6)[:, None]).astype(float)
    columns = {f"record {i + 1}": right[:, i] for i in range(120)}
    app = opened(pd.DataFrame({"depth": range(1, 7), **columns}), "simple")
    assert not app.error
    assert brief(app).promise[0].count("Say how, beside the file") == 1
    field(app, "How settings", "the study protocol of May")
    assert "if settings and range were fixed before anyone looked at the records, as you say" in brief(app).promise[0]
    assert brief(app).facts[0].text == "One person’s validation record"


def test_a_study_whose_sampler_may_look_at_scores_gets_a_sentence():
    study = {"number": [0, 1, 2], "value": [0.7, 0.8, 0.9], "params_C": [1.0, 2.0, 3.0], "state": ["COMPLETE"] * 3}
    app = opened(pd.DataFrame(study))
    field(app, "Records scored", 200)
    assert any("a sampler that does not look at scores" in error.value.replace("\n", " ") for error in app.error)
    app.selectbox(key=f"{OWN}chosen/sampler").set_value("random").run()
    assert not app.error
    assert "Publish one of all 3 settings" in html(app)


def test_settings_become_points_that_differ():
    def of(settings, values, ends=(0.0, 1.0)):
        return listed(pb.tuning.Scores(tuple(settings), np.array(values)[:, None], ends, "validation", 50))

    kernels, sizes = ("rbf", "linear", "rbf"), (1.0, 1.0, 100.0)
    settings = [{"kernel": kernel, "C": size} for kernel, size in zip(kernels, sizes, strict=True)]
    settings.append({"kernel": "rbf"})
    task = of(settings, [0.1, 0.2, 0.3, 0.4])
    assert task.names == ("kernel", "C")
    assert len({tuple(row) for row in task.points.tolist()}) == 4
    assert task.written(2) == "kernel = rbf, C = 100"
    again = of([*settings, settings[0]], [0.1, 0.2, 0.3, 0.4, 0.5], (1.0, 0.0))
    assert again.names[0] == "row of the table"
    assert again.scores == pytest.approx([-0.1, -0.2, -0.3, -0.4, -0.5])
    with pytest.raises(pb.errors.DataError, match="any of them may be published without looking"):
        of(settings, [0.5] * 4)


def test_the_script_draws_by_the_same_chances(folds, tmp_path, monkeypatch):
    app = opened(folds)
    field(app, "Records scored", 569)
    kept, task = app.session_state[f"{OWN}made/tuning task"]
    monkeypatch.setattr("pages.parts.release.script.made_of", lambda: kept)
    text = release_script(SCORES, viewed(0, task))
    (line,) = [each for each in text.splitlines() if each.strip().startswith("task = ")]
    monkeypatch.chdir(tmp_path)
    folds.to_csv(FILE)
    known = {"pb": pb}
    exec(line.strip(), known)
    assert known["task"].scores == pytest.approx(task.scores)
    assert known["task"].records == task.records
