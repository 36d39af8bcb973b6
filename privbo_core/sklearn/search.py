"""`PrivateSearchCV`: a grid or random search whose best setting may be published."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import rankdata
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import ParameterGrid, ParameterSampler
from sklearn.utils import Tags, check_random_state, get_tags, indexable
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _num_samples, check_is_fitted, validate_data
from threadpoolctl import threadpool_limits

from privbo_core.errors import Array, DataError, positive
from privbo_core.privacy import Guarantee
from privbo_core.release import Kind, Scores
from privbo_core.release.publish import publish_row
from privbo_core.release.score_tables import NOT_MEANS
from privbo_core.sklearn.scored import (
    Job,
    Records,
    SplitPart,
    check_container,
    check_parts,
    group_codes,
    parts_of,
    splits_of,
)

_ABSENT = {
    "cv_results_": (
        "PrivateSearchCV has no cv_results_, because the scores of all settings are not private. To look at them "
        "yourself, set keep_private_results=True and read private_results_, which must not be published."
    ),
    "private_results_": "There are no private_results_. `fit` keeps them only if keep_private_results=True.",
    "best_score_": (
        "There is no best_score_, because publishing a score costs privacy too. For one that costs a fifth of "
        "epsilon, set score_share=0.2 and the score_range."
    ),
    "best_estimator_": (
        "There is no best_estimator_, because a model trained with all records is not private. Train one with other "
        "records by clone(search.estimator).set_params(**search.best_params_), or set refit=True and keep it to "
        "yourself."
    ),
}
"""Why something that scikit-learn's searches have is not there."""
_OF_THE_MODEL = {
    "predict", "predict_proba", "predict_log_proba", "decision_function", "score_samples", "transform",
    "inverse_transform", "score", "classes_",
}  # fmt: skip
"""What is there with ``refit=True`` only, if the estimator has it."""


def _refitted(name: str) -> Callable[[Any], bool]:
    return lambda search: bool(search.refit) and hasattr(getattr(search, "best_estimator_", search.estimator), name)


def _passed_on(name: str) -> Any:
    def method(search: Any, X: Any) -> Any:
        check_is_fitted(search)
        return getattr(search.best_estimator_, name)(X)

    method.__name__ = name
    method.__doc__ = f"Return the result of ``best_estimator_.{name}``, which is there only with ``refit=True``."
    return available_if(_refitted(name))(method)


class PrivateSearchCV(MetaEstimatorMixin, BaseEstimator):
    """Search a grid or random settings, and publish the best one with a guarantee.

    ``estimator``, ``scoring`` and ``n_jobs`` are as in `GridSearchCV`. ``param_grid`` is a grid as there, or
    distributions as in `RandomizedSearchCV`, from which ``n_iter`` settings are drawn. ``epsilon`` is the cost of one
    ``fit``. Fitting again, on the same records, costs it again.

    With ``parts``, the records are split at random into this number of parts ("auto": √n). Every setting is trained
    and scored in each part, on its records alone, by cross-validation with ``cv`` folds (3). A record is in one part,
    so ε covers all of its influence, its training included. Without a ``score_range`` (worst, best), each part ranks
    the settings, from 0 for the worst to 1 for the best, and any ``scoring`` may be used. With it, scores are clipped
    to the range.

    With ``parts=None``, each setting is trained and scored with all records, by k-fold cross-validation (``cv``: 5).
    Then ε covers a record's part in the scores only, not the k − 1 models that it trained. With a ``cv`` of a single
    split, it covers the records of the validation set. A score must be a mean over records that is not rounded, in
    ``score_range``, which is (0, 1) for the accuracy of a classifier unless it is given.

    ``score_share`` is the share of ε that is spent on ``best_score_``. ``refit=True`` also trains ``best_estimator_``
    with all records. NO GUARANTEE COVERS IT: keep it and all its predictions private. ``random_state`` seeds the parts
    and random settings, which need not be secret. The published setting is drawn with the operating system's entropy.
    ``keep_private_results=True`` keeps all scores in ``private_results_``, which pickles leave out.

    After ``fit`` there are ``best_params_``, ``best_index_`` (in the list of settings), ``guarantee_`` and ``parts_``
    (None for folds). A setting that cannot be trained in a part scores worst there, silently. Error messages contain
    no score and no record, but ε does not cover the fact that there was an error.
    """

    def __init__(
        self,
        estimator: Any,
        param_grid: Any,
        *,
        epsilon: float,
        n_iter: int | None = None,
        scoring: Any = None,
        parts: int | str | None = "auto",
        cv: Any = None,
        score_range: tuple[float, float] | None = None,
        score_share: float = 0.0,
        refit: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        keep_private_results: bool = False,
    ) -> None:
        self.estimator = estimator
        self.param_grid = param_grid
        self.epsilon = epsilon
        self.n_iter = n_iter
        self.scoring = scoring
        self.parts = parts
        self.cv = cv
        self.score_range = score_range
        self.score_share = score_share
        self.refit = refit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.keep_private_results = keep_private_results

    def fit(self, X: Any, y: Any = None, *, groups: Any = None, **fit_params: Any) -> "PrivateSearchCV":
        """Tune, publish the best setting, and forget the scores.

        ``groups``: records of one group are kept in one part, so that ε covers all of a group together (all records of
        a patient). ``fit_params`` are given to each training, their rows if they have one for each record.
        Raises DataError or ValueError for what cannot be tuned privately, before anything is published.
        """
        # A second fit that fails must not leave what the first one published looking like its own.
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("_")]:
            delattr(self, name)
        positive("epsilon", self.epsilon)
        X, y, groups = indexable(X, y, groups)
        for name, cells in (("X", X), ("y", y)):
            check_container(name, cells)
        validate_data(self, X, y, skip_check_array=True)
        records, rng = Records(X, y, fit_params), check_random_state(self.random_state)
        settings = self._settings(rng)
        if not (self.scoring is None or isinstance(self.scoring, str) or callable(self.scoring)):
            raise DataError("scoring names several metrics. Name one, because each setting is chosen by one score.")
        self.scorer_ = check_scoring(self.estimator, scoring=self.scoring)
        job = Job(self.estimator, settings, self.scorer_, self.n_jobs)
        if self.parts is None:
            values, scores = self._by_folds(job, records, groups)
        else:
            values, scores = self._by_parts(job, records, self.parts, groups, rng)
        row, found = publish_row(scores, self.epsilon, score_share=self.score_share)
        self.guarantee_: Guarantee = found.guarantee
        if groups is not None:
            self.guarantee_ = replace(
                found.guarantee,
                protects="each group of records, in training and in scoring",
                neighbours="data sets that differ in the values of one group's records",
            )
        self.best_params_, self.best_index_ = found.setting, row
        if found.score is not None:
            self.best_score_ = found.score
        if self.keep_private_results:
            self.private_results_ = {"params": settings, "scores": values}
        if self.refit:
            self.best_estimator_ = self._trained(records, self.best_params_)
        return self

    def _trained(self, records: Records, setting: dict[str, Any]) -> Any:
        model = clone(self.estimator).set_params(**clone(setting, safe=False))
        given = records.given
        return model.fit(records.X, **given) if records.y is None else model.fit(records.X, records.y, **given)

    def _check_some(self, values: Array, job: Job, records: Records) -> None:
        if np.isnan(values).all():
            if self.refit:  # who asks for a model that is not private gets its errors as it raises them
                self._trained(records, job.settings[0])
            raise DataError(
                "No setting could be trained and scored anywhere. Fit the estimator by itself to see why, or give it "
                "more records by fewer parts."
            )

    def _settings(self, rng: np.random.RandomState) -> list[dict[str, Any]]:
        spaces = [self.param_grid] if isinstance(self.param_grid, Mapping) else self.param_grid
        drawn = any(hasattr(values, "rvs") for space in spaces for values in space.values())
        if drawn and self.n_iter is None:
            raise DataError("param_grid holds a distribution. Set n_iter, the number of settings to draw from it.")
        found = (
            ParameterGrid(spaces) if self.n_iter is None else ParameterSampler(spaces, self.n_iter, random_state=rng)
        )
        settings = [dict(setting) for setting in found]
        if len(settings) < 2:
            raise DataError(f"param_grid has {len(settings)} setting. A choice needs at least two.")
        for setting in settings:  # a name that does not exist is an error here, and no bad score later
            clone(self.estimator).set_params(**setting)
        return settings

    def _by_parts(
        self, job: Job, records: Records, parts: int | str, groups: Any, rng: np.random.RandomState
    ) -> tuple[Array, Scores]:
        if isinstance(self.cv, (list, tuple)):
            raise DataError("cv is a list of splits. With parts it must be a number or a splitter, used inside a part.")
        if self.score_share and self.score_range is None:
            raise DataError("score_share needs the score_range. Give the worst and the best that a score can be.")
        n = _num_samples(records.X)
        count = check_parts(parts, n if groups is None else len(np.unique(group_codes(groups))))
        self.parts_: int | None = count
        split = partial(
            SplitPart, cv=3 if self.cv is None else self.cv, classes=is_classifier(self.estimator), y=records.y
        )
        with threadpool_limits(1):  # parts are small: more threads would wait for each other
            values = job.scores(records, [split(rows) for rows in parts_of(n, count, groups, rng)])
        self._check_some(values, job, records)
        ranked, span = (values, self.score_range) if self.score_range is not None else (_ranks(values), (0.0, 1.0))
        return values, Scores(tuple(job.settings), ranked, span, "parts")

    def _by_folds(self, job: Job, records: Records, groups: Any) -> tuple[Array, Scores]:
        if groups is not None:
            raise DataError("groups are covered with parts only. Set parts='auto', or leave the groups out.")
        span = self.score_range
        named = self.scoring if isinstance(self.scoring, str) else None
        if named is None and self.scoring is None and not is_classifier(self.estimator):
            named = "r2"
        if named is not None and NOT_MEANS.search(named):
            raise DataError(
                f"The score is {named!r}, no mean over records, so one record can move it by more than range/m. Name a "
                "scoring that is one, such as 'accuracy' or 'neg_mean_absolute_error', or use parts, where any serves."
            )
        if span is None and named in (None, "accuracy") and not callable(self.scoring):
            span = (0.0, 1.0)
        if span is None:
            raise DataError("score_range is missing. Give the worst and the best score that any record can have.")
        self.parts_ = None
        splits = splits_of(self.cv, records)
        values = job.scores(records, [partial(list, [split]) for split in splits])
        self._check_some(values, job, records)
        least = min(len(test) for _, test in splits)
        kind: Kind = "folds" if len(splits) > 1 else "validation"
        return values, Scores(tuple(job.settings), values, span, kind, least, decimals="exact")

    predict = _passed_on("predict")
    predict_proba = _passed_on("predict_proba")
    predict_log_proba = _passed_on("predict_log_proba")
    decision_function = _passed_on("decision_function")
    score_samples = _passed_on("score_samples")
    transform = _passed_on("transform")
    inverse_transform = _passed_on("inverse_transform")

    @available_if(_refitted("fit"))  # type: ignore[untyped-decorator]
    def score(self, X: Any, y: Any = None) -> float:
        """Return ``best_estimator_``'s score, which is there only with ``refit=True``."""
        check_is_fitted(self)
        return float(self.scorer_(self.best_estimator_, X, y))

    @property
    def classes_(self) -> Any:
        """The labels that ``best_estimator_`` knows, which are there only with ``refit=True``."""
        return self.best_estimator_.classes_

    def __getattr__(self, name: str) -> Any:
        needed = "best_estimator_" if name in _OF_THE_MODEL and not vars(self).get("refit") else name
        raise AttributeError(_ABSENT.get(needed, f"{type(self).__name__!r} object has no attribute {name!r}"))

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a pickle, without the scores."""
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name != "private_results_"}

    def __sklearn_is_fitted__(self) -> bool:
        return "best_params_" in vars(self)

    def __sklearn_tags__(self) -> Tags:
        tags, inner = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.estimator_type = inner.estimator_type
        tags.classifier_tags, tags.regressor_tags = deepcopy(inner.classifier_tags), deepcopy(inner.regressor_tags)
        tags.target_tags = deepcopy(inner.target_tags)
        tags.input_tags.pairwise, tags.input_tags.sparse = inner.input_tags.pairwise, inner.input_tags.sparse
        return tags


def _ranks(values: Array) -> Array:
    """Return each setting's rank in each part, from 0 for the worst to 1 for the best. A missing score is the worst."""
    known = np.where(np.isnan(values), -np.inf, values)
    return np.asarray((rankdata(known, axis=0) - 1.0) / (len(values) - 1.0))
