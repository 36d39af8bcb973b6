"""Tables of scores as scikit-learn and Optuna write them, made here by these tools themselves."""

import io
import warnings

import numpy as np
import optuna
import pandas as pd
import pytest
from optuna.samplers import GridSampler, NSGAIISampler, QMCSampler, RandomSampler, TPESampler
from sklearn.datasets import load_iris
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, RandomizedSearchCV, ShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import privbo_core as pb
from privbo_core.data.proposal import propose
from privbo_core.privacy import Status
from privbo_core.release import publish_best, read_scores
from tests.core.release.test_optuna import both, failing, study
from tests.helpers.numbers import numbers
from tests.helpers.refusing import refusals

optuna.logging.set_verbosity(optuna.logging.WARNING)
pytestmark = pytest.mark.filterwarnings("ignore::optuna.exceptions.ExperimentalWarning")
X, y = load_iris(return_X_y=True)
GRID = {"logisticregression__C": list(np.logspace(-2, 1, 4)), "logisticregression__class_weight": [None, "balanced"]}
MODEL = make_pipeline(StandardScaler(), LogisticRegression())


def written(table, **options):
    return pd.DataFrame(table).to_csv(**options).encode()


def read(table, **options):
    return read_scores(
        table if isinstance(table, bytes) else written(table), **{"score_range": (0, 1), "decimals": "exact", **options}
    )


@pytest.fixture(scope="module")
def five_folds():
    return GridSearchCV(MODEL, GRID, cv=5).fit(X, y).cv_results_


@pytest.mark.parametrize("options", [{}, {"index": False}])
def test_a_grid_search_s_results_come_back_to_the_digit(five_folds, options):
    scores = read(written(five_folds, **options), records=150)
    assert (scores.kind, scores.records, scores.shares) == ("folds", 30, 150)
    assert scores.means == pytest.approx(five_folds["mean_test_score"], abs=1e-12)
    assert list(scores.settings) == five_folds["params"]
    best = np.flatnonzero(scores.means == scores.means.max())
    assert publish_best(scores, 1e6).setting in [scores.settings[row] for row in best]


def test_results_are_read_alike_from_memory_and_from_paths(five_folds, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_bytes(written(five_folds))
    there = [pd.DataFrame(five_folds), path, str(path), io.BytesIO(path.read_bytes())]
    first, *others = (read_scores(one, score_range=(0, 1), records=150, decimals="exact") for one in there)
    assert all(each.bounded == pytest.approx(first.bounded, abs=1e-15) for each in others)
    assert all(each.settings == first.settings for each in others)


def test_a_random_search_and_a_single_split_are_read():
    searched = RandomizedSearchCV(MODEL, GRID, n_iter=5, cv=ShuffleSplit(1, test_size=50), random_state=0).fit(X, y)
    scores = read(searched.cv_results_, records=50)
    assert (scores.kind, scores.shares, len(scores.settings)) == ("validation", 50, 5)
    assert scores.guarantee(1.0).status is Status.PROVED


def test_estimators_in_a_grid_are_named_as_they_are_written():
    grid = {"svc": [SVC(C=1.0), LogisticRegression()]}
    searched = GridSearchCV(make_pipeline(StandardScaler(), SVC()), grid, cv=3).fit(X, y)
    scores = read(searched.cv_results_, records=150)
    assert [setting["svc"] for setting in scores.settings] == ["SVC()", "LogisticRegression()"]


def test_of_several_metrics_one_is_said():
    searched = GridSearchCV(MODEL, GRID, cv=3, scoring=["accuracy", "neg_log_loss", "roc_auc_ovr"], refit=False)
    table = written(searched.fit(X, y).cv_results_)
    for metric, words in (
        (None, "3 metrics. Set metric to one of 'accuracy', 'neg_log_loss', 'roc_auc_ovr'"),
        ("mse", "'mse'. The table has 'accuracy'"),
        ("roc_auc_ovr", r"'roc_auc_ovr' is not a mean over records.*parts that share no record"),
    ):
        with pytest.raises(pb.DataError, match=words):
            read(table, records=150, metric=metric)
    assert read(table, records=150, metric="accuracy").means == pytest.approx(
        searched.cv_results_["mean_test_accuracy"]
    )
    assert read(table, metric="roc_auc_ovr", kind="parts").sensitivity == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("columns", "options", "words"),
    [
        (None, {"score_range": None, "records": 150}, r"score_range is missing.*\(0, 1\) for accuracy"),
        (None, {"records": 150, "decimals": None}, "decimals is missing, and one record can move a rounded mean"),
        (None, {}, r"records is missing.*number of records that were scored in all"),
        (None, {"records": 3}, "records is 3, but there are 5 folds"),
        (["params", "mean_test_score"], {"records": 150}, r"mean_test_score alone.*Bring cv_results_ with all its col"),
    ],
)
def test_what_a_search_leaves_out_gets_a_sentence(five_folds, columns, options, words):
    table = pd.DataFrame(five_folds)
    with pytest.raises(pb.DataError, match=words):
        read(table[columns] if columns else table, **options)


def test_a_halving_search_is_refused():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        searched = HalvingGridSearchCV(MODEL, GRID, cv=3, random_state=0).fit(X, y)
    with pytest.raises(pb.DataError, match=r"halving search, whose later settings depend.*run a grid or random search"):
        read(searched.cv_results_, records=150)


def objective(trial):
    c = trial.suggest_float("C", 1e-2, 1e1, log=True)
    kernel = trial.suggest_categorical("kernel", ["linear", "rbf"])
    return 0.5 + 0.04 * c + 0.01 * (kernel == "rbf")


def in_parts(trial):
    score = objective(trial)
    trial.set_user_attr("parts", [score, score / 2, np.float64(0.25), float("nan")])
    return score


SAMPLERS = {
    "random": lambda: RandomSampler(seed=0),
    "quasi-random": lambda: QMCSampler(seed=0),
    "grid": lambda: GridSampler({"C": [0.1, 1.0, 10.0], "kernel": ["linear", "rbf"]}, seed=0),
}


@pytest.mark.parametrize("sampler", ["random", "quasi-random", "grid"])
def test_a_study_is_read_to_the_digit(sampler):
    made = study(objective, sampler=SAMPLERS[sampler]())
    # A grid sampler needs not be named, for it leaves its mark.
    scores = read(made.trials_dataframe(), records=100, sampler=None if sampler == "grid" else sampler)
    assert (scores.kind, scores.shares, scores.conditions) == ("validation", 100, ())
    assert scores.means == pytest.approx([trial.value for trial in made.trials], abs=1e-15)
    assert list(scores.settings) == [trial.params for trial in made.trials]


def test_scores_of_parts_come_with_the_trials():
    scores = read(study(in_parts, 6).trials_dataframe(), sampler="random")
    assert (scores.kind, scores.bounded.shape, scores.moved) == ("parts", (6, 4), 6)
    assert (scores.bounded[:, 2:] == [0.25, 0.0]).all()


ADAPTIVE = "(?=.*depend on the records)(?=.*run the study again)"


@pytest.mark.parametrize(
    ("make", "said", "words"),
    [
        *((lambda: study(objective, 12, TPESampler(seed=0)), said, ADAPTIVE) for said in (None, "random", "tpe")),
        (lambda: study(sampler=NSGAIISampler(population_size=3, seed=0)), "random", "adaptive sampler"),
        (study, None, "Set sampler='grid', 'random' or 'quasi-random'"),
        (lambda: study(failing(optuna.TrialPruned())), "random", "Trial 2 was pruned.*NopPruner"),
        (lambda: study(failing(ArithmeticError()), catch=(ArithmeticError,)), "random", "Trial 2 is fail"),
        (lambda: study(both, directions=["maximize", "minimize"]), "random", "several objectives"),
    ],
)
def test_adaptive_studies_are_refused(make, said, words):
    with pytest.raises(pb.DataError, match=words):
        read(make().trials_dataframe(), records=100, sampler=said)


def test_trials_enqueued_by_hand_are_a_condition():
    made = study(trials=4, enqueued={"x": 0.5})
    promise = read(made.trials_dataframe(), records=9, sampler="random").guarantee(1.0)
    assert promise.status is Status.UNMET
    assert any("enqueued" in sentence for sentence in promise.in_full)


PLAIN = pd.DataFrame({"C": [0.1, 1.0, 10.0], "kernel": ["rbf", "rbf", "linear"]})


@pytest.mark.parametrize(
    ("columns", "records", "kind", "shares"),
    [
        (["part 1", "part 2", "part 3"], None, "parts", 3),
        (["Fold1", "Fold2"], 101, "folds", 100),
        (["record_1", "record_2", "record_3", "record_4"], None, "validation", 4),
        (["score"], 250, "validation", 250),
    ],
)
@pytest.mark.parametrize("options", [{}, {"index": False}])
def test_a_plain_table_says_in_its_columns_what_it_holds(columns, records, kind, shares, options):
    table = PLAIN.assign(**{name: [0.5, 0.75, 0.25] for name in columns})
    scores = read(written(table, **options), records=records, parameters=["C", "kernel"])
    assert (scores.kind, scores.shares) == (kind, shares)
    assert list(scores.settings) == PLAIN.to_dict("records")


test_plain_tables_without_a_sensitivity_are_refused = refusals(
    (PLAIN, "columns of scores must be called part 1"),
    (PLAIN.assign(**{"part 1": 0.5, "fold 1": 0.5}), "must be called part 1"),
    (pd.DataFrame({"part 1": [0.5, 0.6], "part 2": [0.5, 0.6]}), "No parameter is called 'C'"),
    (PLAIN.assign(**{"part 1": "good", "part 2": "bad"}), "Not one score in the column 'part 1' is a number"),
    (pd.concat([PLAIN.assign(score=0.5), PLAIN["C"]], axis=1), "two columns called 'C'"),
    (PLAIN.assign(score=0.5), "records is missing"),
    (PLAIN.assign(score=0.5, fold=1, record=[1, 2, 3]), "'fold', 'record' all tell what a score belongs to"),
    (PLAIN.assign(**{"record 1": 0.5, "record 2": 0.5}), "records is 7, but there are 2 columns"),
    act=lambda each: read_scores(
        each, score_range=(0, 1), decimals="exact", parameters=["C"], records=7 if "record 1" in each else None
    ),
    error=pb.DataError,
)


def test_seeds_are_averaged_and_folds_become_columns():
    rng = np.random.default_rng(1)
    where = [(C, seed, fold) for C in (0.1, 1.0, 10.0) for seed in range(4) for fold in range(3)]
    table = pd.DataFrame(where, columns=["C", "seed", "fold"])
    table["score"] = np.clip(0.5 + 0.1 * np.log10(table["C"]) + 0.05 * rng.normal(size=36), 0, 1)
    scores = read(table, records=90, parameters=["C"])
    assert scores.settings == ({"C": 0.1}, {"C": 1.0}, {"C": 10.0})
    assert (scores.kind, scores.bounded.shape, scores.shares) == ("folds", (3, 3), 90)
    np.testing.assert_allclose(scores.means, table.groupby("C")["score"].mean())
    runs = table.groupby(["C", "seed"])["score"].mean().groupby("C")
    np.testing.assert_allclose(scores.noise, np.sqrt(runs.var().mean() / 4))
    assert "3 of 3 settings occur several times (12 rows in all)" in scores.notes[-1]


REPEATED = ["seed", "random_state", "Repeat", "run_id", "fold", "cv_fold", "split"]


@pytest.mark.parametrize("name", REPEATED)
def test_columns_that_number_repeats_are_no_parameters(name):
    table = pd.DataFrame({"C": [1.0, 1.0, 2.0, 2.0], name: [1, 2, 1, 2], "part 1": [0.1, 0.3, 0.5, 0.5], "part 2": 0.5})
    assert read_scores(table, score_range=(0, 1), parameters=["C"]).settings == ({"C": 1.0}, {"C": 2.0})
    assert propose(table).repeats == (name,)


def test_a_setting_without_a_score_is_an_unmet_condition():
    table = PLAIN.assign(score=[0.5, np.nan, 0.7])
    scores = read_scores(table, score_range=(0, 1), records=50, decimals="exact", parameters=["C"])
    assert len(scores.settings) == 2
    assert numbers(scores.notes[0]) == [1, 3]
    assert pb.data.tuning.UNSCORED in scores.guarantee(1.0).conditions[-1].in_full
    assert scores.guarantee(1.0).status is Status.UNMET


def test_repeats_are_clipped_before_they_are_averaged():
    """In each repeat one record may do what it likes to one part, so an average of raw scores had no bound."""
    table = pd.DataFrame({"C": [1, 1, 2, 2], "part 1": [1e9, 0.5, 0.5, 0.5], "part 2": [0.5, 0.5, 0.5, -1e9]})
    scores = read_scores(table, score_range=(0, 1), parameters=["C"])
    np.testing.assert_allclose(scores.values, [[0.75, 0.5], [0.5, 0.25]])
    assert np.abs(scores.means - 0.5).max() <= scores.sensitivity
