"""Pairs of neighbours that once were told apart by more than ε: the exact ε of each draw is at most the claimed one."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import KFold, StratifiedKFold, StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import privbo_core as pb
from privbo_core.sklearn import PrivateSearchCV, search

CLAIM = 1.0
ROUNDING = 1e-9
LABELS = np.random.default_rng(0).integers(0, 2, 240)
NUMBERS = np.random.default_rng(1).normal(size=(240, 3))


@pytest.fixture
def chances(monkeypatch):
    """Return a function that fits a search and returns the exact chance of each setting, before anything is drawn."""
    asked = []
    publish = search.publish_row

    def noted(scores, epsilon, **options):
        asked.append(scores.choice(epsilon).probabilities)
        return publish(scores, epsilon, **options)

    monkeypatch.setattr(search, "publish_row", noted)

    def of(made, X, y, **more):
        made.fit(X, y, **more)
        return asked[-1]

    return of


def exact_epsilon(one, other):
    return float(np.abs(np.log(one) - np.log(other)).max())


def test_a_group_label_that_sorts_elsewhere_moves_no_other(chances):
    """The part of a group was drawn for the rank of its label, so a new label moved nearly all others."""
    rng = np.random.default_rng(0)
    patients = np.repeat(np.arange(100, 160), 4)
    X, y = rng.normal(size=(240, 3)), rng.integers(0, 2, 240)
    replaced = np.where(patients == 130, 1, patients)  # the same records under a label that comes first
    made = PrivateSearchCV(
        DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 9]}, epsilon=CLAIM, parts=12, cv=2, random_state=3
    )
    one, other = (chances(made, X, y, groups=groups) for groups in (patients, replaced))
    assert exact_epsilon(one, other) <= CLAIM + ROUNDING
    # With other values, too: then one part is scored otherwise, and one only.
    values = np.where((patients == 130)[:, None], 1e6, X)
    assert exact_epsilon(one, chances(made, values, y, groups=replaced)) <= CLAIM + ROUNDING


def test_a_group_that_leaves_or_joins_another_moves_no_third():
    rng = np.random.default_rng(1)
    patients = rng.integers(0, 40, 200)
    scored = search.parts_of(200, 8, patients, np.random.RandomState(0))
    merged = np.where(patients == 7, 8, patients)
    again = search.parts_of(200, 8, merged, np.random.RandomState(0))
    place, other = (np.empty(200, dtype=int) for _ in range(2))
    for part, (rows, others) in enumerate(zip(scored, again, strict=True)):
        place[rows], other[others] = part, part
    others = ~np.isin(patients, (7, 8))
    assert (place[others] == other[others]).all()


@pytest.mark.parametrize("cv", [None, 5])
def test_a_flipped_label_moves_no_record_between_folds(chances, cv):
    """Folds that keep the classes' shares depend on all labels, so one label moved other records to other folds."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 200)
    other_y = y.copy()
    other_y[0] = 1 - y[0]
    X = np.arange(200.0)[:, None]
    # It scores by where a record stands, so that whoever changes fold is seen; what it learned plays no part.
    made = PrivateSearchCV(
        DummyClassifier(), {"strategy": ["most_frequent", "prior", "uniform"]}, epsilon=CLAIM, parts=None, cv=cv,
        scoring=lambda model, rows, _: float(np.mean(np.asarray(rows)[:, 0] % 7 / 7) * (model.strategy == "prior")),
        score_range=(0, 1),
    )  # fmt: skip
    one, other = (chances(made, X, labels) for labels in (y, other_y))
    assert exact_epsilon(one, other) <= CLAIM + ROUNDING
    folds = [search.splits_of(cv, search.Records(X, labels, {})) for labels in (y, other_y)]
    assert all(np.array_equal(a, b) for one, two in zip(*folds, strict=True) for a, b in zip(one, two, strict=True))


@pytest.mark.parametrize(
    "cv", [StratifiedKFold(5), StratifiedKFold(5, shuffle=True, random_state=0), StratifiedShuffleSplit(1)]
)
def test_a_splitter_that_looks_at_labels_is_refused(cv):
    y = np.random.default_rng(2).integers(0, 2, 200)
    made = PrivateSearchCV(
        DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2]}, epsilon=CLAIM, parts=None, cv=cv
    )
    with pytest.raises(pb.DataError, match="looks at labels"):
        made.fit(np.zeros((200, 1)), y)
    made.set_params(cv=KFold(5, shuffle=True, random_state=0)).fit(np.zeros((200, 1)), y)


@pytest.mark.parametrize("spoiled", [np.nan, "unknown"])
def test_a_spoiled_cell_changes_the_types_of_one_part(chances, spoiled):
    """A column of whole numbers becomes one of floats, or of objects, in all parts, and a choice by type sees that."""
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 240)
    table = pd.DataFrame({"count": y * 10 + rng.integers(0, 3, 240), "amount": rng.normal(size=240)})
    other = table.astype({"count": object})
    other.loc[17, "count"] = spoiled
    other = other.infer_objects()
    assert other["count"].dtype != table["count"].dtype
    whole = make_pipeline(
        make_column_transformer((StandardScaler(), make_column_selector(dtype_include=[np.int64, np.float64]))),
        DecisionTreeClassifier(random_state=0),
    )
    made = PrivateSearchCV(
        whole, {"decisiontreeclassifier__max_depth": [1, 4]}, epsilon=CLAIM, parts=12, cv=2, random_state=0,
        keep_private_results=True,
    )  # fmt: skip
    drawn, scored = [], []
    for each in (table, other):
        drawn.append(chances(made, each, y))
        scored.append(made.private_results_["scores"])
    assert exact_epsilon(*drawn) <= CLAIM + ROUNDING
    assert (scored[0] != scored[1]).any(axis=0).sum() <= 1


@pytest.mark.parametrize("spoiled", [np.nan, "?", None])
def test_a_missing_label_changes_one_part(spoiled):
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(200, 2)), pd.Series(rng.integers(0, 2, 200))
    other = y.astype(object)
    other[3] = spoiled
    made = PrivateSearchCV(
        DecisionTreeClassifier(random_state=0), {"max_depth": [1, 4]}, epsilon=CLAIM, parts=10, cv=2, random_state=0,
        keep_private_results=True,
    )  # fmt: skip
    scored = [made.fit(X, labels).private_results_["scores"] for labels in (y, other, other.infer_objects())]
    for each in scored[1:]:
        assert (~((scored[0] == each) | (np.isnan(scored[0]) & np.isnan(each)))).any(axis=0).sum() <= 1


class SeesTypes(ClassifierMixin, BaseEstimator):
    """A public estimator whose two settings swap places when it sees the type that `what` names."""

    def __init__(self, what="width", k=0):
        self.what = what
        self.k = k

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        self.seen_ = {
            "width": lambda: X.dtype.itemsize > 16,
            "index": lambda: X.index.dtype == object,
            "weight": lambda: sample_weight.dtype.kind == "f",
        }[self.what]()
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])

    def score(self, X, y):
        return float(self.seen_ == bool(self.k))


def seeing(what):
    return PrivateSearchCV(SeesTypes(what), {"k": [0, 1]}, epsilon=CLAIM, parts=12, cv=2, random_state=0)


def test_one_long_text_widens_no_other_part(chances):
    """An array of text has one width for all of its cells: exact ε was 6.7."""
    table = np.array([[f"a{i % 7}"] for i in range(240)])
    other = table.astype("<U40")
    other[5] = "x" * 40
    one, two = (chances(seeing("width"), each, LABELS) for each in (table, other))
    assert exact_epsilon(one, two) <= CLAIM + ROUNDING


def test_one_index_label_retypes_no_other_part(chances):
    """A DataFrame's index has one type for all of its labels: exact ε was 6.7."""
    table = pd.DataFrame({"a": NUMBERS[:, 0]})
    other = table.set_axis([*range(239), "x"])
    one, two = (chances(seeing("index"), each, LABELS) for each in (table, other))
    assert exact_epsilon(one, two) <= CLAIM + ROUNDING


def test_one_weight_retypes_no_other_part(chances):
    """What fit is given for each record keeps one type for all: whole weights became floats, and exact ε was 6.7."""
    weights = np.ones(240, dtype=int)
    other = weights.astype(float)
    other[7] = 0.5
    one, two = (chances(seeing("weight"), NUMBERS, LABELS, sample_weight=each) for each in (weights, other))
    assert exact_epsilon(one, two) <= CLAIM + ROUNDING


@pytest.mark.parametrize(
    ("label", "replaced"),
    [
        # One label that is missing makes np.asarray turn whole numbers into floats, in which other patients' large
        # numbers are the same one: all 8 parts changed, exact ε 1.45.
        (lambda patient, record: 2**60 + 100 * patient, float("nan")),
        # One label that is text makes it turn numbers into text, in which 7 and 7.0 are two patients: 8 parts, 2.54.
        (lambda patient, record: patient if record % 2 else float(patient), "x"),
        # One label that is None makes np.unique raise TypeError.
        (lambda patient, record: patient, None),
    ],
    ids=["missing among large numbers", "text among numbers", "none"],
)
def test_one_patients_label_regroups_no_other_patient(chances, label, replaced):
    groups = [label(patient, record) for patient in range(60) for record in range(4)]
    other = [replaced if k // 4 == 30 else group for k, group in enumerate(groups)]
    tuned = PrivateSearchCV(
        DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 9]}, epsilon=CLAIM, parts=8, cv=2, random_state=0,
        keep_private_results=True,
    )  # fmt: skip
    one = chances(tuned, NUMBERS, LABELS, groups=groups)
    scored = tuned.private_results_["scores"]
    two = chances(tuned, NUMBERS, LABELS, groups=other)
    assert exact_epsilon(one, two) <= CLAIM + ROUNDING
    assert not (scored != tuned.private_results_["scores"]).any()


def test_a_container_whose_types_are_unknown_is_refused():
    class Table:
        def __init__(self, rows):
            self.rows = rows

        def __len__(self):
            return len(self.rows)

        def __getitem__(self, key):
            return self.rows[key]

    made = PrivateSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2]}, epsilon=CLAIM, parts=4, cv=2)
    with pytest.raises(pb.DataError, match=r"X is a Table\. Bring a NumPy array"):
        made.fit(Table(NUMBERS), LABELS)
