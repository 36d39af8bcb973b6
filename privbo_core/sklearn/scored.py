"""Every setting scored in every part, or in every fold: the private half of a search."""

import contextlib
import io
import logging
import math
import numbers
import os
import random
import secrets
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import KFold, StratifiedKFold, check_cv
from sklearn.utils import _safe_indexing
from sklearn.utils.metaestimators import _safe_split
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_method_params, _num_samples

from privbo_core.errors import Array, DataError, whole


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Let nothing printed, warned or logged come out. It is the whole process's: enter it once, around the threads."""
    logged = logging.root.manager.disable
    nowhere = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        warnings.simplefilter("ignore")
        logging.disable(logging.CRITICAL)
        try:
            yield
        finally:
            logging.disable(logged)


@contextlib.contextmanager
def own_generators() -> Iterator[None]:
    """Leave both global generators as they were. They are the whole process's: enter it once, around the threads."""
    before, plain = np.random.get_state(), random.getstate()  # noqa: NPY002 - the global one is meant
    try:
        yield
    finally:
        np.random.set_state(before)  # noqa: NPY002
        random.setstate(plain)


def reseed() -> None:
    """Reseed both global generators from the system's entropy.

    Estimators without a ``random_state`` share them. The number of draws that one of them takes may depend on its
    records. In a program that has seeded them, those records would move the scores of all parts that come later.
    """
    np.random.seed(secrets.randbits(32))  # noqa: NPY002
    random.seed(secrets.randbits(64))


Rows = NDArray[np.int64]
Split = tuple[Rows, Rows]  # Which records train and which are scored.


@dataclass(frozen=True)
class Records:
    """The data of one fit, as it came: features ``X``, labels ``y``, and what else its estimator's fit is given."""

    X: Any = field(repr=False)
    y: Any = field(repr=False)
    given: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Job:
    """The settings of an estimator to be scored by a scorer, in ``n_jobs`` processes."""

    estimator: Any
    settings: Sequence[dict[str, Any]]
    scorer: Callable[[Any, Any, Any], float]
    n_jobs: int | None

    def scores(self, records: Records, columns: Sequence["Callable[[], list[Split]]"]) -> Array:
        """Return each setting's mean score over the splits of each column, NaN for none. All training is silent."""
        here = os.getpid()
        with quiet(), own_generators():
            found = Parallel(n_jobs=self.n_jobs)(
                delayed(_column)(self, setting, records, splits, here)
                for splits in columns
                for setting in self.settings
            )
        return np.asarray(found, dtype=float).reshape(len(columns), len(self.settings)).T


def _column(job: Job, setting: dict[str, Any], records: Records, splits: Callable[[], list[Split]], home: int) -> float:
    with nullcontext() if os.getpid() == home else quiet():
        try:
            reseed()
            # A copy: what a scorer keeps of one part (its dice) must not reach the next.
            job = replace(job, scorer=deepcopy(job.scorer))
            return float(np.mean([_score(job, setting, records, split) for split in splits()]))
        except Exception:  # whatever an estimator raises; which one, and where, is about the records
            return float("nan")


def _score(job: Job, setting: dict[str, Any], records: Records, split: Split) -> float:
    train, test = split
    model = clone(job.estimator).set_params(**{name: clone(value, safe=False) for name, value in setting.items()})
    X, y = map(plain, _safe_split(model, records.X, records.y, train))
    given = _check_method_params(records.X, params=dict(records.given), indices=train)
    # What has one value for each record comes back as a new object, anything else as it was given.
    given = {name: deepcopy(cells if cells is records.given[name] else plain(cells)) for name, cells in given.items()}
    model.fit(X, **given) if y is None else model.fit(X, y, **given)
    return float(job.scorer(model, *map(plain, _safe_split(model, records.X, records.y, test, train))))


@dataclass(frozen=True)
class SplitPart:
    """Cross-validation inside one part: ``rows`` of the table, split by a copy of ``cv`` among themselves.

    A splitter with a ``RandomState`` or ``Generator`` takes as many numbers of it as its labels ask for: one that was
    handed on would let a record of one part split all parts after it.
    """

    rows: Rows
    cv: Any
    classes: bool
    y: Any = field(repr=False)

    def __call__(self) -> list[Split]:
        """Return the splits, as rows of the whole table. It looks at the labels of this part alone."""
        y = None if self.y is None else plain(_safe_indexing(self.y, self.rows))
        cv = deepcopy(self.cv)
        if isinstance(cv, int):
            folds = min(cv, len(self.rows))
            # Classes that are smaller than the folds are many cannot be spread over them.
            common = self.classes and y is not None and np.unique(y, return_counts=True)[1].max() >= folds
            cv = StratifiedKFold(folds) if common else KFold(folds)
        return [(self.rows[train], self.rows[test]) for train, test in cv.split(self.rows[:, None], y)]


def parts_of(records: int, parts: int, groups: Any, rng: np.random.RandomState) -> list[Rows]:
    """Return each part's rows, drawn by chance, whole groups together. Raises DataError if parts are too small.

    A group's part is the one drawn for the row in which the group comes first, whatever its label is and whichever
    other groups there are: so a group that is replaced by another moves no third one to another part.
    """
    first = np.arange(records)
    if groups is not None:
        labels = group_codes(groups)
        first = np.unique(labels, return_index=True)[1][labels]
    units = len(np.unique(first))
    if 2 * parts > units:
        there = f"n_samples = {units}" if groups is None else f"there are {units} groups"
        raise DataError(f"parts is {parts}, but {there}, and each part needs at least two.")
    place = np.empty(records, dtype=np.int64)
    place[rng.permutation(records)] = np.arange(records) % parts
    return [np.flatnonzero(place[first] == part) for part in range(parts)]


def group_codes(groups: Any) -> Rows:
    """Return a number for each label, equal for equal labels. Each label is compared as it is, not as text or a float.

    An array of all labels has one type, so that one label that is missing or no number changes all the others.
    """
    labels = pd.Series(list(groups), dtype=object)
    return np.asarray(pd.factorize(labels, use_na_sentinel=False)[0], dtype=np.int64)


def splits_of(cv: Any, records: Records) -> list[Split]:
    """Return folds that score each record once, or the single split that there is. A number of folds means `KFold`.

    The splits depend on the number of records, and on nothing else: no label and no feature is shown to the splitter.
    Raises DataError for a splitter that needs or uses labels, because then a record with another label moves others
    from fold to fold, and for splits that score a record several times, because then it counts as often.
    """
    folds = 5 if cv is None else cv
    n = _num_samples(records.X)
    splitter = KFold(folds) if isinstance(folds, int) else check_cv(folds)
    splits = _splits(splitter, cv, n, None)
    if records.y is not None and not _same(splits, _splits(splitter, cv, n, plain(records.y))):
        raise DataError(_LOOKS.format(cv))
    times = np.bincount(np.concatenate([test for _, test in splits]))
    if times.max() > 1 or any(np.intersect1d(train, test).size for train, test in splits):
        raise DataError(
            f"cv is {cv!r}, whose splits score a record several times or train with it too, so that one record counts "
            "more than once. Use k-fold cross-validation without repetition, or a single split."
        )
    return splits


_LOOKS = (
    "cv is {!r}, which looks at labels or groups to choose the records that are scored together, so that one record "
    "moves others. Use KFold, ShuffleSplit(1) or PredefinedSplit."
)


def _splits(splitter: Any, cv: Any, records: int, labels: Any) -> list[Split]:
    """Return the splits of a number of records. They are equal for equal labels, whatever the splitter draws."""
    with own_generators():
        np.random.seed(0)  # noqa: NPY002 - splitters without a random_state throw the global dice
        try:
            return list(deepcopy(splitter).split(np.zeros((records, 1)), labels))
        except (TypeError, ValueError):
            raise DataError(_LOOKS.format(cv)) from None


def _same(one: list[Split], other: list[Split]) -> bool:
    return len(one) == len(other) and all(
        np.array_equal(a, b) for pair in zip(one, other, strict=True) for a, b in zip(*pair, strict=True)
    )


def check_container(name: str, cells: Any) -> None:
    """Raise DataError unless `plain` gives parts of these cells types that depend on the parts alone."""
    known = (np.ndarray, pd.DataFrame, pd.Series, list, tuple)
    if cells is not None and not isinstance(cells, known) and not hasattr(cells, "tocsr"):
        raise DataError(
            f"{name} is a {type(cells).__name__}. Bring a NumPy array, a pandas table, a sparse matrix or a list."
        )


def plain(cells: Any) -> Any:
    """Return some records' cells in types that depend on these cells alone: float64 for numbers, object for the rest.

    In a table of all records, one cell that is missing, longer or no number gives a column another type for all parts,
    and an estimator may choose its columns by that. The index, which has one type as well, is replaced by 0, 1, ….
    """
    if isinstance(cells, pd.DataFrame):
        columns = [plain(cells.iloc[:, place]) for place in range(cells.shape[1])]
        return pd.concat(columns, axis=1) if columns else pd.DataFrame(index=range(len(cells)))
    if isinstance(cells, pd.Series):
        return pd.Series(_plain(cells.to_numpy(dtype=object)), name=cells.name)
    if hasattr(cells, "tocsr"):  # a sparse matrix
        return cells.astype(np.float64)
    return _plain(cells) if isinstance(cells, np.ndarray) else cells


def _plain(cells: "NDArray[Any]") -> "NDArray[Any]":
    if cells.dtype.kind in "biuf":
        return np.asarray(cells, dtype=np.float64)
    if cells.dtype != object:  # an array of text is as wide as the longest text in it
        cells = pd.Series(cells.ravel()).to_numpy(dtype=object).reshape(cells.shape)
    if all(cell is None or isinstance(cell, numbers.Real | np.bool_) for cell in cells.ravel()):
        return np.asarray(cells, dtype=np.float64)
    return cells


def check_parts(parts: int | str, units: int) -> int:
    """Return how many parts there are to be: "auto" is √units, at least 2, for a balance of parts and their sizes."""
    if isinstance(parts, str):
        if parts != "auto":
            raise ValueError(f"parts is {parts!r}. It must be 'auto', None for folds, or a whole number of at least 2.")
        return max(2, round(math.sqrt(units)))
    return whole("parts", parts, least=2)
