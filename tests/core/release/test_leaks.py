"""A search that is asked to give its scores away: it is copied, printed, listened to, made to fail, taken apart."""

import copy
import io
import logging
import math
import pickle
import sys
import traceback
import warnings

import joblib
import numpy as np
import optuna
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import SGDClassifier

import privbo_core as pb
from privbo_core import optuna as privbo_optuna
from privbo_core import release
from privbo_core.sklearn import PrivateSearchCV

X, y = load_breast_cancer(return_X_y=True)
X, y = X[:90], y[:90]
WORD = "Mrs-Smith-of-row-17"
PARTS = 7


def telltale():
    """Return an estimator that tells all it knows wherever it can, and whose scores are known by their digits.

    It is made within a function, so that other processes are sent all of it.
    """
    word = WORD

    class Telltale(ClassifierMixin, BaseEstimator):
        def __init__(self, factor=1.0, fails=False):
            self.factor, self.fails = factor, fails

        def fit(self, X, y):
            sys.stdout.write(word)
            sys.stderr.write(word)
            warnings.warn(word, UserWarning, stacklevel=1)
            logging.getLogger("telltale").error(word)
            if self.fails:
                raise ArithmeticError(f"{word} {X[0]}")
            self.classes_ = np.unique(y)
            self.seen_ = float(X.sum())
            return self

        def predict(self, X):
            return np.zeros(len(X))

        def score(self, X, y):
            sys.stdout.write(word)
            return 0.5 + 0.4 * math.sin(self.factor * self.seen_)

    return Telltale()


def tell(**options):
    usual = {"epsilon": 1.0, "parts": PARTS, "cv": 2, "random_state": 0}
    return PrivateSearchCV(telltale(), {"factor": [1.0, 2.0, 3.0]}, **{**usual, **options})


WAYS = [{}, {"score_range": (0.0, 1.0), "score_share": 0.5}, {"parts": None, "cv": 3}, {"keep_private_results": True}]


def secrets(**options):
    """Return every number about the records that such a search holds while it fits."""
    values = tell(**{**options, "keep_private_results": True}).fit(X, y).private_results_["scores"]
    seen = [values, values.mean(axis=1), values.mean(axis=0), np.clip(values, 0, 1).mean(axis=1)]
    return sorted({float(value) for array in seen for value in np.ravel(array)})


def everything(thing, depth=6):
    """Yield every plain value that can be reached from a thing by its attributes and items."""
    if isinstance(thing, (float, np.floating)):
        yield float(thing)
    if depth == 0 or isinstance(thing, (type, str, bytes)) or callable(thing):
        return
    if isinstance(thing, np.ndarray):
        thing = thing.ravel().tolist()
    elif hasattr(thing, "__dict__"):
        thing = vars(thing)
    if isinstance(thing, (dict, list, tuple, set)):
        for value in thing.values() if isinstance(thing, dict) else thing:
            yield from everything(value, depth - 1)


@pytest.mark.parametrize("options", WAYS, ids=lambda one: ",".join(one) or "parts")
def test_no_score_is_in_copies_representations_or_attributes(options):
    known = secrets(**options)
    assert len(known) > 9
    found = tell(**options).fit(X, y)
    if "keep_private_results" in options:  # they are there, where it was asked for, and nowhere else
        assert set(everything(found)) & set(known)
        copies = [copy.copy(found), copy.deepcopy(found), clone(found)]
        assert not any(hasattr(one, "private_results_") for one in copies)
        del found.private_results_
    whole = {float(number) for name in dir(found) for number in everything(getattr(found, name, None))}
    assert not whole & set(known)
    assert not set(everything(found)) & set(known)
    text = " ".join([repr(found), str(found), found._repr_html_(), repr(vars(found)), repr(found.guarantee_)])
    assert not [number for number in known if repr(number)[:10] in text]


@pytest.mark.parametrize("options", WAYS, ids=lambda one: ",".join(one) or "parts")
def test_no_score_is_in_a_pickle(options):
    # An estimator of a module, as pickle wants it; its scores are shares of records, so the table is looked for whole.
    usual = {"epsilon": 1.0, "parts": PARTS, "cv": 2}
    found = PrivateSearchCV(SGDClassifier(random_state=0), {"alpha": [1e-9, 1.0]}, **{**usual, **options}).fit(X, y)
    stored = io.BytesIO()
    joblib.dump(found, stored)
    files = [pickle.dumps(found, protocol) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)] + [stored.getvalue()]
    for content in files:
        assert b"private_results_" not in content.replace(b"keep_private_results", b"")
    again = pickle.loads(files[-2])
    assert (again.best_params_, again.guarantee_) == (found.best_params_, found.guarantee_)
    assert set(vars(again)) == set(vars(found)) - {"private_results_"}
    assert set(vars(again)) - set(again.get_params(deep=False)) <= {
        "best_params_", "best_index_", "best_score_", "guarantee_", "parts_", "scorer_", "n_features_in_",
    }  # fmt: skip


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_nothing_is_printed_warned_or_logged(n_jobs, capfd, caplog):
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        found = tell(n_jobs=n_jobs, keep_private_results=True).fit(X, y)
    out, err = capfd.readouterr()
    assert WORD not in out + err + caplog.text + " ".join(str(one.message) for one in warned)
    one = tell(keep_private_results=True).fit(X, y).private_results_["scores"]
    assert found.private_results_["scores"] == pytest.approx(one)  # and processes score as one does
    # Afterwards all of them speak again.
    sys.stdout.write(WORD)
    logging.getLogger("telltale").error(WORD)
    with pytest.warns(UserWarning, match=WORD):
        warnings.warn(WORD, UserWarning, stacklevel=1)
    assert WORD in capfd.readouterr().out
    assert WORD in caplog.text


@pytest.mark.parametrize(
    "options",
    [
        {"param_grid": {"fails": [True], "factor": [1.0, 2.0]}},
        {"param_grid": {"fails": [False, True]}, "parts": None, "cv": 3},
        {"parts": None, "cv": 3, "score_range": (0.6, 0.7)},
        {"score_share": 2.0, "score_range": (0.0, 1.0)},
    ],
)
def test_an_error_names_no_score_and_no_record(options):
    known = secrets(**{name: options[name] for name in ("parts", "cv") if name in options})
    with pytest.raises((ValueError, pb.DataError)) as refused:
        tell().set_params(**options).fit(X, y)
    shown = "".join(traceback.format_exception(refused.value))
    assert WORD not in shown
    assert str(X[0, 0]) not in shown
    assert not [number for number in known if f"{number:.5g}" in shown]
    assert refused.value.__cause__ is None
    assert refused.value.__context__ is None


NO_MODEL = "a model trained with all records is not private"


@pytest.mark.parametrize("made", [tell(), tell().fit(X, y)], ids=["before", "after"])
def test_missing_attributes_say_why(made):
    for name, words in (
        ("cv_results_", "scores of all settings are not private"),
        ("private_results_", "keeps them only if keep_private_results=True"),
        ("best_score_", "publishing a score costs privacy too"),
        ("best_something_", "has no attribute 'best_something_'"),
        *((name, NO_MODEL) for name in ("best_estimator_", "predict", "predict_proba", "decision_function")),
        *((name, NO_MODEL) for name in ("transform", "score")),
    ):
        assert not hasattr(made, name)
        with pytest.raises(AttributeError, match=words):
            getattr(made, name)


def test_a_refitted_model_is_made_only_on_request():
    found = PrivateSearchCV(SGDClassifier(), {"alpha": [1e-4, 1.0]}, epsilon=1.0, refit=True).fit(X, y)
    assert found.best_estimator_.alpha == found.best_params_["alpha"]
    assert any("trained with the published setting is not covered" in one for one in found.guarantee_.assumptions)


def test_a_published_table_and_study_hold_no_other_score():
    values = np.random.default_rng(0).uniform(0, 1, (4, 9))
    made = release.publish_best(
        release.Scores(tuple({"C": c} for c in range(4)), values, (0.0, 1.0), "parts"), 1.0, score_share=0.5
    )
    assert not set(everything(made)) & {float(one) for one in [*values.ravel(), *values.mean(axis=1)]}
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0), direction="maximize")
    study.optimize(lambda trial: trial.suggest_float("x", 0, 1) / 2, n_trials=6)
    found = privbo_optuna.publish_best(study, 1.0, score_range=(0, 1), records=50, decimals="exact", score_share=0.5)
    assert not set(everything(found)) & {trial.value for trial in study.trials}
