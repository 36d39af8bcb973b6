"""The whole search attacked through its records: what it draws from, on neighbours, never parts by more than ε."""

import random
from copy import deepcopy

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import ShuffleSplit, StratifiedKFold

from privbo_core.audit.release import ChoiceLoss
from privbo_core.privacy import release
from privbo_core.sklearn import PrivateSearchCV
from privbo_core.sklearn.scored import parts_of
from tests.helpers.amounts import few

EPSILON, SETTINGS, RECORDS = 1.0, 20, 24


class Obedient(ClassifierMixin, BaseEstimator):
    """A model that does what a record says: one with a large entry decides its scores, in training or in scoring."""

    def __init__(self, setting=0):
        self.setting = setting

    def fit(self, X, y):
        """Listen to the records that train."""
        self.heard_ = X[:, self.setting]
        return self

    def predict(self, X):
        """Say the same of all."""
        return np.zeros(len(X))

    def score(self, X, y):
        """Return what the loudest record says of this setting."""
        heard = np.concatenate([self.heard_, X[:, self.setting]])
        loudest = heard[np.argmax(np.abs(heard))]
        return 0.5 + 0.5 * np.sign(loudest) * (abs(loudest) > 1)


def drawn_from(monkeypatch, X, **options):
    asked = []
    with monkeypatch.context() as patched:
        patched.setattr(release, "select", lambda choice: asked.append(choice) or 0)
        PrivateSearchCV(
            Obedient(), {"setting": list(range(SETTINGS))}, epsilon=EPSILON, parts=4,
            cv=ShuffleSplit(1, test_size=0.5, random_state=0), random_state=0, **options,
        ).fit(X, np.arange(RECORDS) % 2)  # fmt: skip
    return asked[0]


def pair(rng):
    """Return records of which some shout, and the same in which one shouts the opposite."""
    X = rng.uniform(-1, 1, (RECORDS, SETTINGS))
    loud = rng.random(RECORDS) < rng.choice([0.0, 0.1])
    X[loud] *= 50.0
    row = rng.integers(RECORDS)
    for_first = np.where(np.arange(SETTINGS) == rng.integers(SETTINGS), 1.0, -1.0)
    X[row] = 100.0 * for_first
    moved = X.copy()
    moved[row] = -100.0 * for_first
    return X, moved


@pytest.mark.parametrize("options", [{}, {"score_range": (0.0, 1.0)}], ids=["ranks", "scores"])
def test_no_record_moves_the_draw_by_more_than_epsilon(monkeypatch, options):
    rng = np.random.default_rng(0)
    pairs = (pair(rng) for _ in range(few(4, 40)))
    drawn = ([drawn_from(monkeypatch, X, **options) for X in tables] for tables in pairs)
    losses = [ChoiceLoss.of(*each, EPSILON).epsilon for each in drawn]
    assert 0.5 * EPSILON < max(losses) <= EPSILON * (1 + 1e-9)


class Gambler(Obedient):
    """A model that throws dice, one for each label that is 1, and scores by the next; or by how it was split."""

    def __init__(self, setting=0, dice="none"):
        super().__init__(setting)
        self.dice = dice

    def fit(self, X, y, own=None):
        """Throw a die for each label that is 1."""
        shared = {"none": None, "NumPy's": np.random.random, "Python's": random.random, "own": own and own.random}
        self.throw_ = shared[self.dice]
        for _ in range(int(np.sum(y)) if self.throw_ else 0):
            self.throw_()
        return super().fit(X, y)

    def score(self, X, y):
        """Return the next number, or how far those that are scored lie from those that trained."""
        return self.throw_() if self.throw_ else 3 * abs(self.heard_.mean() - X[:, self.setting].mean())


class Judge:
    """A scorer with dice of its own."""

    def __init__(self):
        self.dice = np.random.default_rng(0)

    def __call__(self, model, X, y):
        """Throw as many as there are labels 1, and return the last."""
        return self.dice.random(1 + int(np.sum(y)))[-1]


class Shuffled:
    """A splitter with dice of its own, of which the labels take some."""

    def __init__(self):
        self.dice = np.random.default_rng(0)

    def split(self, X, y):
        """Yield two halves."""
        self.dice.random(int(np.sum(y)))
        yield np.split(self.dice.permutation(len(X)), 2)


CARRIED = {
    "NumPy's dice": ({"estimator": Gambler(dice="NumPy's")}, {}),
    "Python's dice": ({"estimator": Gambler(dice="Python's")}, {}),
    "a scorer's dice": ({"scoring": Judge()}, {}),
    "a splitter's dice": ({"cv": Shuffled()}, {}),
    "its RandomState": ({"cv": StratifiedKFold(2, shuffle=True, random_state=np.random.RandomState(0))}, {}),
    "dice given to fit": ({"estimator": Gambler(dice="own")}, {"own": np.random.default_rng(0)}),
}
"""What may carry a record of one part into the next: options of a search, and what its fit is given."""


def searched(monkeypatch, labels, options, given):
    asked = []
    with monkeypatch.context() as patched:
        patched.setattr("privbo_core.sklearn.scored.secrets.randbits", lambda bits: 7)
        patched.setattr(release, "select", lambda choice: asked.append(choice) or 0)
        np.random.seed(0)  # noqa: NPY002 - as many a notebook does in its first line
        random.seed(0)
        usual = {"estimator": Gambler(), "cv": ShuffleSplit(1, test_size=0.5, random_state=0)}
        search = PrivateSearchCV(
            **{**usual, **deepcopy(options)}, param_grid={"setting": list(range(6))}, epsilon=EPSILON, parts=30,
            score_range=(0.0, 1.0), random_state=0, keep_private_results=True,
        ).fit(np.random.default_rng(1).random((len(labels), 6)), labels, **deepcopy(given))  # fmt: skip
    return search.private_results_["scores"], asked[0]


@pytest.mark.parametrize("carried", CARRIED)
def test_no_record_moves_another_part_through_shared_state(monkeypatch, carried):
    labels = np.arange(180) % 2
    first, *_ = parts_of(180, 30, None, np.random.RandomState(0))  # what they leave behind, all others find
    records = first[:6]
    for handed_on in (True, False):
        with monkeypatch.context() as patched:
            if handed_on:  # as it was: what one part leaves behind is there for the next
                patched.setattr("privbo_core.sklearn.scored.deepcopy", lambda thing: thing)
                patched.setattr("privbo_core.sklearn.scored.reseed", lambda: None)
            here, drawn = searched(patched, labels, *CARRIED[carried])
            parts, losses = [], []
            for record in records:
                flipped = np.where(np.arange(180) == record, 1 - labels, labels)
                there, other = searched(patched, flipped, *CARRIED[carried])
                parts.append(np.any(here != there, axis=0).sum())
                losses.append(ChoiceLoss.of(drawn, other, EPSILON).epsilon)
                if len(parts) >= few(1, 6) and max(parts) > 1 and max(losses) > EPSILON * (1 + 1e-9):
                    break
            records = records[: len(parts)]  # those that tell whether something was handed on
        assert (max(parts) > 1) == handed_on
        assert (max(losses) > EPSILON * (1 + 1e-9)) == handed_on
    assert np.random.random() == np.random.RandomState(0).random()  # noqa: NPY002 - left as it was
    assert random.random() == random.Random(0).random()
