"""`PrivateSearchCV` in the place of scikit-learn's searches, on real data, in each of its ways."""

import difflib

import numpy as np
import pandas as pd
import pytest
from scipy.stats import loguniform, rankdata
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold, PredefinedSplit, ShuffleSplit, StratifiedShuffleSplit, cross_val_score
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KernelDensity
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import privbo_core as pb
from privbo_core.privacy import Status, release
from privbo_core.sklearn import PrivateSearchCV

X, y = load_breast_cancer(return_X_y=True)
TREE = DecisionTreeClassifier(random_state=0)
GRID, DEPTHS = {"max_depth": [1, 3], "min_samples_leaf": [1, 4, 0.49]}, {"max_depth": [1, 3]}
SCRIPT = """
import numpy as np
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

digits, labels = load_digits(return_X_y=True)
digits, labels = digits[:400], labels[:400]
pipe = Pipeline([("scaler", StandardScaler()), ("pca", PCA()), ("logistic", LogisticRegression(max_iter=200, tol=0.1))])
param_grid = {"pca__n_components": [2, 6], "logistic__C": np.logspace(-4, 0, 3)}
search = GridSearchCV(pipe, param_grid)
search.fit(digits, labels)
print("Best parameters:", search.best_params_)
print("Seen again:", search.predict(digits[:10]))
"""


@pytest.mark.long
def test_it_replaces_a_grid_search_by_one_changed_line(capsys):
    private = SCRIPT.replace(
        "GridSearchCV(pipe, param_grid)", "PrivateSearchCV(pipe, param_grid, epsilon=20.0, refit=True)"
    ).replace("import numpy as np", "import numpy as np\nfrom privbo_core.sklearn import PrivateSearchCV")
    changes = [line for line in difflib.ndiff(SCRIPT.splitlines(), private.splitlines()) if line[0] in "+-"]
    assert len([line for line in changes if "import" not in line]) == 2
    names = [{}, {}]
    for script, space in zip([SCRIPT, private], names, strict=True):
        exec(script, space)
    printed = capsys.readouterr().out
    assert printed.count("Best parameters: {'logistic__C'") == printed.count("Seen again: [") == 2
    public, found = (space["search"] for space in names)
    assert set(found.best_params_) == set(public.best_params_)
    assert found.guarantee_.epsilon == 20.0
    # It is told that 400 digits want more than two components.
    assert found.best_params_["pca__n_components"] == public.best_params_["pca__n_components"] == 6


def search(estimator=TREE, **options):
    usual = {"param_grid": GRID, "epsilon": 1.0, "parts": 10, "cv": 2, "random_state": 0}
    return PrivateSearchCV(estimator, **{**usual, **options})


def scores(made, X=X, y=y, **more):
    return clone(made).set_params(keep_private_results=True).fit(X, y, **more).private_results_["scores"]


@pytest.fixture
def asked(monkeypatch):
    """Return what was asked of the door for real releases; the best is drawn, and 0.875 for its score."""
    noted = []
    monkeypatch.setattr(release, "select", lambda choice: noted.append(choice) or int(np.argmax(choice.scores)))
    monkeypatch.setattr(release, "laplace", lambda value, noise: noted.append((value, noise)) or 0.875)
    return noted


def test_it_publishes_one_setting_of_the_grid():
    found = search().fit(X, y)
    assert found.best_params_ == list(pb.sklearn.search.ParameterGrid(GRID))[found.best_index_]
    assert (found.parts_, found.n_features_in_) == (10, 30)
    promise = found.guarantee_
    assert (promise.epsilon, promise.delta, promise.status) == (1.0, 0.0, Status.PROVED)
    assert any("fixed before" in sentence for sentence in promise.in_full)
    assert promise.protects == "each record, in training and in scoring"
    assert any("trained with the published setting is not covered" in sentence for sentence in promise.assumptions)
    # Parts are as many as each has records, unless they are said.
    assert search(param_grid=DEPTHS, parts="auto").fit(X[:200], y[:200]).parts_ == 14


def test_the_draw_is_by_ranks_with_the_sensitivity_of_a_part(asked):
    found = search(keep_private_results=True).fit(X, y)
    made = found.private_results_["scores"]
    (choice,) = asked
    assert (choice.sensitivity, choice.epsilon) == (pytest.approx(0.1), 1.0)
    below, above = ((compared(made[None], made[:, None])).mean(axis=(1, 2)) for compared in (np.less, np.greater))
    expected = (below - above) * 6 / 5 / 2 + 0.5
    assert choice.scores == pytest.approx(expected)
    assert found.best_index_ == np.argmax(expected)


@pytest.mark.parametrize("value", [1e30, np.nan, -5.0])
def test_one_record_touches_one_part(value):
    grid = {"gaussiannb__var_smoothing": [1e-9, 1.0]}
    made = search(make_pipeline(StandardScaler(), GaussianNB()), param_grid=grid, parts=5, scoring="neg_log_loss")
    moved, flipped = X.copy(), y.copy()
    moved[17], flipped[17] = value, 1 - y[17]
    here, there = scores(made), scores(made, moved, flipped)
    assert (here != there).any(axis=0).sum() == 1
    assert np.isnan(there).any() == np.isnan(value)  # this model knows no missing values, and fails in silence


def test_a_setting_that_fails_in_a_part_ranks_worst_there(asked):
    made = search(param_grid={"max_depth": [2, -3, 4]})  # a depth of −3 cannot be
    assert np.isnan(scores(made)[1]).all()
    assert asked[0].scores[1] == 0.0


def test_what_is_published_takes_no_seed():
    found = set()
    for _ in range(8):
        np.random.seed(0)  # noqa: NPY002 - the one that it must not follow
        found.add(search(epsilon=1e-6, parts=2, random_state=0).fit(X[:40], y[:40]).best_index_)
    assert len(found) > 1


def test_a_share_of_epsilon_buys_a_noisy_score(asked):
    found = search(param_grid=DEPTHS, score_share=0.25, score_range=(0.5, 1.0), keep_private_results=True).fit(X, y)
    mean = np.clip(found.private_results_["scores"], 0.5, 1.0)[found.best_index_].mean()
    choice, noisy = asked
    assert choice.epsilon == 0.75
    assert (noisy[0], noisy[1].sensitivity, noisy[1].epsilon) == pytest.approx((mean - 0.5, 0.05, 0.25))
    assert (found.best_score_, found.guarantee_.epsilon) == (0.5 + 0.875, 1.0)


def test_random_settings_are_drawn_from_distributions():
    leaves = {"min_samples_leaf": loguniform(0.01, 0.5)}
    found = search(param_grid=leaves, epsilon=1e6, n_iter=5, parts=5).fit(X, y)
    assert 0.01 <= found.best_params_["min_samples_leaf"] <= 0.5
    with pytest.raises(pb.DataError, match="Set n_iter"):
        clone(found).set_params(n_iter=None).fit(X, y)


def test_folds_cover_the_scores_only_and_say_so(asked):
    found = search(parts=None, cv=None, keep_private_results=True).fit(X, y)
    assert asked[0].sensitivity == pytest.approx(1 / (5 * (569 // 5)))
    expected = cross_val_score(clone(TREE).set_params(max_depth=1), X, y, cv=KFold(5))
    assert found.private_results_["scores"][0] == pytest.approx(expected)
    assert (found.guarantee_.status, found.parts_) == (Status.UNMET, None)
    assert found.guarantee_.protects == "each record's part in the scores, not in the training"


def test_a_single_split_covers_its_validation_records(asked):
    held = np.where(np.arange(len(y)) < 369, -1, 0)
    found = search(parts=None, cv=PredefinedSplit(held)).fit(X, y)
    assert asked[0].sensitivity == pytest.approx(1 / 200)
    assert (found.guarantee_.status, found.guarantee_.protects) == (Status.PROVED, "each record of the validation set")


def test_records_of_a_group_are_covered_together():
    patients = np.random.default_rng(0).integers(0, 60, len(y))
    both = X[:, :3], np.where((patients == 7)[:, None], 1e6, X[:, :3])
    made = search(param_grid=DEPTHS)
    together = [scores(made, data, groups=patients) for data in both]
    assert (together[0] != together[1]).any(axis=0).sum() <= 1
    # Without the groups, seven or so parts would hear of that patient.
    alone = [scores(made, data) for data in both]
    assert (alone[0] != alone[1]).any(axis=0).sum() > 1
    assert (
        made.fit(both[0], y, groups=patients).guarantee_.protects == "each group of records, in training and in scoring"
    )


def test_folds_need_scores_that_are_means():
    table, target = load_diabetes(return_X_y=True)
    ridge = search(Ridge(), param_grid={"alpha": [1e-3, 1e6]}, epsilon=1e6, parts=8)
    folds = clone(ridge).set_params(parts=None)
    bounded = clone(folds).set_params(scoring="neg_mean_absolute_error", score_range=(-400, 0), cv=3)
    for made in (ridge, bounded):
        assert made.fit(table, target).best_params_ == {"alpha": 1e-3}
    curves = search(param_grid=DEPTHS, scoring="roc_auc", epsilon=1e6, keep_private_results=True).fit(X, y)
    values = curves.private_results_["scores"]
    assert not np.array_equal(values, scores(search(param_grid=DEPTHS)))
    assert rankdata(values, axis=0).mean(axis=1)[curves.best_index_] == rankdata(values, axis=0).mean(axis=1).max()
    for made, data, words in (
        (folds, (table, target), r"'r2', no mean over records.*use parts"),
        (search(parts=None, scoring="roc_auc"), (X, y), r"'roc_auc', no mean over records"),
        (clone(folds).set_params(scoring="neg_mean_absolute_error"), (table, target), "score_range is missing"),
    ):
        with pytest.raises(pb.DataError, match=words):
            made.fit(*data)


def test_text_frames_and_unlabelled_tables_are_accepted():
    texts = ["good plain words", "fine plain words", "bad odd words", "poor odd words"] * 6
    model, grid = make_pipeline(CountVectorizer(), MultinomialNB()), {"multinomialnb__alpha": [0.1, 1.0]}
    found = search(model, param_grid=grid, parts=2).fit(texts, [1, 1, 0, 0] * 6)
    assert found.best_params_["multinomialnb__alpha"] in (0.1, 1.0)
    frame = load_iris(as_frame=True)
    found = search(param_grid=DEPTHS, refit=True).fit(frame.data, frame.target)
    assert list(found.feature_names_in_) == list(frame.data.columns)
    assert found.predict(frame.data).shape == (150,)
    density = search(KernelDensity(), param_grid={"bandwidth": [0.3, 1e6]}, epsilon=1e6, parts=5)
    assert density.fit(pd.DataFrame(frame.data)).best_params_ == {"bandwidth": 0.3}


def test_weights_go_with_their_records():
    wrong, weights = np.where(np.arange(len(y)) % 2, 1 - y, y), np.where(np.arange(len(y)) % 2, 0.0, 1.0)
    made = search(param_grid={"min_samples_leaf": [1, 2]}, refit=True)
    assert not np.array_equal(scores(made, y=wrong), scores(made, y=wrong, sample_weight=weights))
    assert made.fit(X, wrong, sample_weight=weights).score(X[::2], y[::2]) > 0.9


def test_a_fit_that_fails_leaves_nothing_of_the_one_before():
    made = search(param_grid=DEPTHS, parts=2).fit(X, y)
    with pytest.raises(ValueError, match="epsilon is -1"):
        made.set_params(epsilon=-1).fit(X, y)
    assert not hasattr(made, "best_params_")
    assert not hasattr(made, "guarantee_")


EACH = np.arange(len(y))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"epsilon": 0}, "epsilon is 0"),
        ({"score_share": 1.0, "score_range": (0, 1)}, "score_share is 1.0"),
        ({"score_share": 0.5}, "score_share needs the score_range"),
        ({"parts": 1}, "parts is 1. It must be a whole number of at least 2"),
        ({"parts": 400}, "parts is 400, but n_samples = 569, and each part needs at least two"),
        ({"parts": "many"}, "parts is 'many'. It must be 'auto', None"),
        ({"param_grid": {"max_depth": [3]}}, "param_grid has 1 setting"),
        ({"param_grid": {"depth": [3, 4]}}, "Invalid parameter 'depth'"),
        ({"param_grid": {"max_depth": [-3, -4]}}, "No setting could be trained and scored anywhere"),
        ({"scoring": ["accuracy", "f1"]}, "scoring names several metrics"),
        ({"cv": [([0], [1])]}, "cv is a list of splits"),
        ({"parts": None, "cv": ShuffleSplit(3, random_state=0)}, "one record counts more than once"),
        ({"parts": None, "cv": StratifiedShuffleSplit(1)}, "looks at labels or groups"),
        ({"parts": None, "cv": 3, "scoring": lambda *_: 0.5}, "score_range is missing"),
        ({"parts": None, "param_grid": {"max_depth": [3, -4]}}, "depend on the records"),
        ({"parts": None, "groups": EACH}, "groups are covered with parts only"),
        ({"groups": EACH % 12}, "there are 12 groups"),
    ],
)
def test_unusable_searches_are_refused(options, words):
    made = search(**{name: value for name, value in options.items() if name != "groups"})
    with pytest.raises((ValueError, pb.DataError), match=words):
        made.fit(X, y, groups=options.get("groups"))
