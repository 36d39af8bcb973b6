"""The user's own tuning on the Release page: a search's table as its tool wrote it ends in a private choice."""

import io

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
from pages.parts.release.tasks import SCORES, TASK
from pages.parts.shell.session import OWN
from privbo_core.privacy import Status
from privbo_core.release import read_scores, task_from_scores
from tests.helpers.numbers import tells
from tests.helpers.reading import brief, choose, html
from tests.helpers.released import brought, come, viewed

GRID = {"logisticregression__C": np.logspace(-3, 2, 8).tolist(), "logisticregression__class_weight": [None, "balanced"]}


@pytest.fixture(scope="module")
def folds():
    x, y = load_breast_cancer(return_X_y=True)
    found = GridSearchCV(make_pipeline(StandardScaler(), LogisticRegression()), GRID, cv=5).fit(x, y).cv_results_
    return pd.read_csv(io.StringIO(pd.DataFrame(found).to_csv()))


def opened(table, view="expert"):
    return come({**brought(table, SCORES), "publish_selected": "setting and score"}, view=view)


def fill(app, name, value):
    """Say what is not in the file, in the field that is kept under this name."""
    app.session_state[f"{OWN}chosen/{name}"] = value
    app.run()


def test_five_folds_of_a_grid_search_end_in_a_private_choice(folds):
    app = opened(folds)
    assert app.error
    fill(app, "records", 569)
    fill(app, "decimals", "exact")
    assert not app.error
    scores = read_scores(folds, score_range=(0, 1), records=569, decimals="exact")
    for tab in ("", "Ways compared"):
        choose(app, **({"release_tab": tab} if tab else {}))
        assert "pb-is-unmet" in html(app)
        assert "pb-is-proved" not in html(app)
    promise = viewed(0, task_from_scores(scores), epsilon=1.0).guarantee(2)
    assert (promise.epsilon, promise.delta) == (2.0, 0.0)


def test_the_draw_and_its_promise_are_those_of_the_engine_s_own_table_of_scores(folds):
    scores = read_scores(folds, score_range=(0, 1), records=569, decimals="exact")
    view = viewed(0, task_from_scores(scores), epsilon=1.0)
    assert view.plan.choice.probabilities == pytest.approx(scores.choice(1.0).probabilities)
    assert view.plan.value.sensitivity == pytest.approx(scores.sensitivity) == pytest.approx(1 / 565)
    for released, epsilon in ((1, 1.0), (2, 2.0)):
        assert view.guarantee(released) == scores.guarantee(epsilon, score=released == 2)
        assert view.guarantee(released).status is Status.UNMET
    assert viewed(1, task_from_scores(scores), T=9.0).guarantee(1).status is Status.CLAIMED


def test_the_simple_page_has_the_engine_s_mean_score_and_no_proof(folds):
    app = opened(folds, "simple")
    fill(app, "records", 569)
    fill(app, "decimals", "exact")
    known = task_from_scores(read_scores(folds, score_range=(0, 1), records=569, decimals="exact"))
    view = viewed(0, known, epsilon=1.0)
    assert tells(brief(app).answer, 1, float(view.plan.choice.probabilities @ known.scores))
    assert view.guarantee(1).status is Status.UNMET


def test_a_column_for_each_record_is_proved():
    rng = np.random.default_rng(0)
    right = (rng.random((6, 120)) < np.linspace(0.5, 0.9, 6)[:, None]).astype(float)
    columns = {f"record {i + 1}": right[:, i] for i in range(120)}
    app = opened(pd.DataFrame({"depth": range(1, 7), "seconds": 0.1 * right.mean(axis=1), **columns}), "simple")
    assert app.error  # until somebody ticks which columns are settings
    app.multiselect(key=f"{OWN}chosen/parameters").set_value(["depth"]).run()
    assert not app.error
    assert app.session_state[TASK][1].table.settings[0] == {"depth": 1}
    assert viewed(0, app.session_state[TASK][1], epsilon=1.0).guarantee(1).status is Status.PROVED


def test_a_study_whose_sampler_may_look_at_scores_gets_a_sentence():
    study = {"number": [0, 1, 2], "value": [0.7, 0.8, 0.9], "params_C": [1.0, 2.0, 3.0], "state": ["COMPLETE"] * 3}
    app = opened(pd.DataFrame(study))
    fill(app, "records", 200)
    fill(app, "decimals", "exact")
    assert app.error
    app.selectbox(key=f"{OWN}chosen/sampler").set_value("random").run()
    assert not app.error
    assert app.session_state[TASK][1].n == 3


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


def test_the_script_draws_by_the_same_chances(folds, tmp_path, monkeypatch):
    app = opened(folds)
    fill(app, "records", 569)
    fill(app, "decimals", "exact")
    kept, task = app.session_state[TASK]
    monkeypatch.setattr("pages.parts.release.script.made_of", lambda: kept)
    text = release_script(SCORES, viewed(0, task))
    (line,) = [each for each in text.splitlines() if each.strip().startswith("task = ")]
    monkeypatch.chdir(tmp_path)
    folds.to_csv(FILE)
    known = {"pb": pb}
    exec(line.strip(), known)
    assert known["task"].scores == pytest.approx(task.scores)
    assert known["task"].records == task.records
