"""The whole search attacked through its records: what it draws from, on neighbours, never parts by more than ε."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import ShuffleSplit

from privbo_core.audit.selection import ChoiceLoss
from privbo_core.privacy import release
from privbo_core.sklearn import PrivateSearchCV
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
    """Return the draw that a search would make with these records."""
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
    pairs = (pair(rng) for _ in range(few(8, 40)))
    drawn = ([drawn_from(monkeypatch, X, **options) for X in tables] for tables in pairs)
    losses = [ChoiceLoss.of(*each, EPSILON).epsilon for each in drawn]
    assert 0.5 * EPSILON < max(losses) <= EPSILON * (1 + 1e-9)


class Gambler(Obedient):
    """A model that throws NumPy's own dice, as many as its records say, and scores what comes next."""

    def fit(self, X, y):
        """Throw a die for each label that is 1."""
        np.random.random(int(np.sum(y)))  # noqa: NPY002 - as estimators without a random_state do
        return self

    def score(self, X, y):
        """Return the next number."""
        return np.random.random()  # noqa: NPY002


def test_no_record_moves_another_part_through_dice_that_all_share(monkeypatch):
    monkeypatch.setattr("privbo_core.sklearn.quiet.secrets.randbits", lambda bits: 7)
    X, labels, scores = np.zeros((RECORDS, 1)), np.arange(RECORDS) % 2, []
    for y in (labels, np.where(np.arange(RECORDS) == 5, 1 - labels, labels)):
        np.random.seed(0)  # noqa: NPY002 - as many a notebook does in its first line
        search = PrivateSearchCV(
            Gambler(), {"setting": [0, 1]}, epsilon=EPSILON, parts=4, cv=ShuffleSplit(1, random_state=0),
            random_state=0, keep_private_results=True,
        ).fit(X, y)  # fmt: skip
        scores.append(search.private_results_["scores"])
        assert np.random.random() == np.random.RandomState(0).random()  # noqa: NPY002 - left as it was
    assert np.any(scores[0] != scores[1], axis=0).sum() == 1
