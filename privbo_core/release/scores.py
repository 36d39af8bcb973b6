"""Settings with their scores, and the largest change of a mean score by one record, on which every ε depends."""

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from privbo_core.data.tuning import Decimals, rounding_unit
from privbo_core.errors import Array, DataError, positive, whole
from privbo_core.privacy import Choice, Condition, Guarantee, Status
from privbo_core.privacy.guarantee import further_condition
from privbo_core.release.selection import Way, choosing, source_of
from privbo_core.release.theory import NEIGHBOURS, readers

Setting = dict[str, object]
"""The parameters of one candidate, by name."""
Kind = Literal["validation", "folds", "parts"]
"""The origin of the scores: held-out records, k-fold cross-validation, or parts that share no record."""
_EPS = float(np.finfo(float).eps)


@dataclass(frozen=True, eq=False)
class Scores:
    """A score of each of n ``settings`` in each of P columns. A setting is judged by its mean over the columns.

    ``values`` is n×P, in the score's own units. ``score_range`` is the worst and the best that a score can be, fixed
    without looking at the records. The best may be the smaller number. ``records`` is the least number of records that
    a column is a mean over. It has no meaning for parts. ``decimals`` is the number of decimals that these means were
    rounded to, or "exact" if they were not rounded. It is required if a column is a mean over several records.
    ``conditions`` are requirements that are not known to be met. ``noise`` is the standard deviation of a mean score,
    estimated from repeated settings, or 0 if none is repeated. ``notes`` are changes that reading made to the table.

    ``kind`` is the origin of the columns:

    - "validation": models trained on other records are scored on m held-out ones, in one column of means (``records`` =
      m) or a column for each (``records`` = 1). A record moves a mean score by range/m, and a rounded one by one unit
      of its last decimal more.
    - "folds": k-fold cross-validation, with a column for each fold. A record moves a mean score by range/m as well, but
      it also trained k−1 of the models, and that effect is not counted.
    - "parts": the records were split into P parts, and in each part the settings were trained and scored on its own
      records alone. A record can change one column arbitrarily, so it moves a mean by range/P at most, including the
      effect of its training.

    If a column belongs to one record or one part, a score outside the range is clipped to it, and a missing score
    counts as the worst, because this changes that column alone. Means over several records must lie in the range.
    Raises DataError or ValueError if the sensitivity of the scores is unknown.
    """

    settings: tuple[Setting, ...]
    values: Array = field(repr=False)
    score_range: tuple[float, float]
    kind: Kind
    records: int = 1
    conditions: tuple[str, ...] = ()
    noise: float = 0.0
    notes: tuple[str, ...] = ()
    decimals: Decimals = None

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise ValueError(f"kind is {self.kind!r}. It must be one of {', '.join(map(repr, get_args(Kind)))}.")
        if np.ndim(self.values) != 2 or len(self.values) != len(self.settings):
            raise DataError(
                f"values has shape {np.shape(self.values)}. A row for each of the {len(self.settings)} settings and a "
                "column for each fold, part or validation set is needed."
            )
        if len(self.settings) < 2:
            raise DataError(f"There is {len(self.settings)} setting. A choice needs at least two.")
        columns = self.values.shape[1]
        if columns < (1 if self.kind == "validation" else 2):
            raise DataError(
                f"There is {columns} column of scores. Scores in {self.kind} need a column for each of them, at least "
                "two, because a mean alone does not tell how many there were."
            )
        if self.kind == "validation" and columns > 1 and self.records > 1:
            raise DataError(
                f"There are {columns} columns of scores over {self.records} records each. A validation set has one "
                "column of means, or a column for each record (records=1), and k-fold scores are kind='folds'."
            )
        if not np.isfinite(self.score_range).all() or self.low >= self.high:
            raise DataError(
                f"score_range is {self.score_range!r}. It must be the worst and the best that a score can be, two "
                "different finite numbers."
            )
        whole("records", self.records)
        if self.decimals is not None or not self._own_columns:
            rounding_unit(self.decimals)
        if not self._own_columns:
            self._check_means()

    def _check_means(self) -> None:
        bad = np.argwhere(~((self.low <= self.values) & (self.values <= self.high)))
        if len(bad):
            row, column = bad[0]
            if np.isnan(self.values[row, column]):
                raise DataError(
                    f"Setting {row} has no score in column {column}. Remove the setting if it fails on any records. "
                    "Otherwise run it again, because removing it would make the list of settings depend on the records."
                )
            raise DataError(
                f"Setting {row} has a score in column {column} that lies outside score_range {self.score_range!r}. "
                "Give the range in which the score lies for any record, in the units of the table."
            )

    @property
    def _own_columns(self) -> bool:
        """Whether one record affects one column alone, so that clipping a column depends on no other record."""
        return self.kind == "parts" or self.records == 1

    @property
    def low(self) -> float:
        """The smallest possible score."""
        return float(min(self.score_range))

    @property
    def high(self) -> float:
        """The largest possible score."""
        return float(max(self.score_range))

    @property
    def larger_is_better(self) -> bool:
        """Whether the best end of the range is the larger one."""
        return self.score_range[1] > self.score_range[0]

    @cached_property
    def bounded(self) -> Array:
        """The n×P values clipped to the range. A missing value counts as the worst score."""
        return np.clip(np.where(np.isnan(self.values), self.score_range[0], self.values), self.low, self.high)

    @property
    def moved(self) -> int:
        """The number of values that were missing or out of range. It depends on the records, so keep it private."""
        return int((self.bounded != self.values).sum())

    @cached_property
    def above(self) -> Array:
        """Each mean score minus ``low``, in the score's units. It depends on the records, so keep it private.

        Before anything is added up, ``low`` is subtracted from each score, and the rest is counted in whole steps. A
        sum of floats far from 0, such as in a range from 10¹⁵ to 10¹⁵ + 1, would be rounded by more than one record
        moves it.
        """
        width = self.high - self.low
        counted = np.rint((self.bounded - self.low) / width * self._steps).astype(np.int64)
        return np.asarray(counted.sum(axis=1) / (self._steps * counted.shape[1]) * width)

    @property
    def _steps(self) -> float:
        """The number of steps in the range: as many as doubles resolve, if the sum over all columns fits 64 bits."""
        return math.ldexp(1.0, min(52, 62 - int(self.values.shape[1]).bit_length()))

    @property
    def means(self) -> Array:
        """The mean score of each setting, in the score's units. It depends on the records, so keep it private."""
        return self.low + self.above

    @property
    def shares(self) -> int:
        """The number of equal shares in a mean score. One record determines one of them."""
        columns = int(self.values.shape[1])
        return columns if self.kind == "parts" else columns * self.records

    @property
    def sensitivity(self) -> float:
        """The most that one record moves ``above``, in the score's units. It is range/shares plus effects of rounding.

        A column of means was added up before, in some order, in floats as large as the ends of the range. Several
        hundred repeats of it may have been averaged. It may also have been rounded to ``decimals``.
        """
        width, columns = self.high - self.low, self.values.shape[1]
        moves = 1.0
        if not self._own_columns:
            added = (self.records + 1000) * _EPS * max(abs(self.low), abs(self.high)) / width
            rounded = rounding_unit(self.decimals) / width
            moves = min(1.0, 1.0 / self.records + 2.0 / self._steps + added + rounded)
        return float(width * (moves / columns + 4.0 * _EPS))

    def choice(self, epsilon: float, way: Way = "permute-and-flip") -> Choice:
        """Return the draw among the settings, with its exact probabilities. A larger score there is always better."""
        return choosing(way, self.above if self.larger_is_better else -self.above, self.sensitivity, epsilon)

    def guarantee(self, epsilon: float, *, way: Way = "permute-and-flip", score: bool = False) -> Guarantee:
        """Return the guarantee of publishing one setting (and a noisy ``score`` of it) for ``epsilon`` in all.

        It is proven for validation records and for parts, unless there are ``conditions``. For folds, a condition is
        never met.
        """
        proved = self.kind != "folds" and not self.conditions
        return Guarantee(
            protects=_PROTECTS[self.kind],
            against=readers("setting and score" if score else "setting"),
            neighbours=_NEIGHBOURS[self.kind],
            epsilon=positive("epsilon", epsilon),
            delta=0.0,
            assumptions=(*_NOT_COVERED[self.kind], _MODEL),
            status=Status.PROVED if proved else Status.UNMET,
            source=source_of(self.choice(1.0, way))
            + ("; Dwork et al. (2006)" if score else "")
            + (PARTS_SOURCE if self.kind == "parts" else ""),
            conditions=(
                Condition("the settings and the range were fixed in advance", _FIXED[self.kind]),
                *((self._in_folds(epsilon),) if self.kind == "folds" else ()),
                *self._conditions_of_kind,
                Condition("nothing in the setting was computed from the records", self._published),
                *further_condition(self.conditions),
            ),
        )

    def _in_folds(self, epsilon: float) -> Condition:
        loss = epsilon * self.shares
        counted = f"{loss:.4g}" if loss < 1e4 else f"{loss:,.0f}"
        return Condition(
            "a record's effect on training does not count",
            "The guarantee covers only a record's part in the scores, but the record also trained the models of all "
            f"other folds. Counting that, this draw is only known to keep ε = {counted}.",
            unmet=True,
        )

    @property
    def _conditions_of_kind(self) -> tuple[Condition, ...]:
        span = f"[{self.low:g}, {self.high:g}]"
        terms = (
            f"Each score is a mean over its records of a number that lies in {span} for any record. Accuracy is such a "
            "mean, but AUC, F1 and R² are not. No score affected how another one was read. "
        ) + (
            "No mean was rounded."
            if self.decimals == "exact"
            else f"Each mean was rounded to no fewer than {self.decimals} decimals, or not at all."
        )
        if self.records == 1 or self.kind == "parts":
            terms = f"Each score is clipped to {span}."
        means = "each score is a mean with known bounds"
        if self.kind == "validation":
            return (Condition(means, f"{terms} A model scores each record independently of the others."),)
        if self.kind == "folds":
            once = "Each record is scored in one fold, and the sizes of folds differ by at most one record."
            return (Condition(means, f"{terms} {once}"),)
        return (
            Condition(
                "each part was trained and scored on its own",
                "In each part, the settings were trained and scored on its own records alone, from raw records to "
                "score. No scaling, imputation or choice of columns was learned from several parts together. No random "
                "state of a splitter, an estimator or a library was passed from one part to the next. No score "
                "affected how another one was read.",
            ),
            Condition(
                "the parts don't depend on the records' values",
                "Records were assigned to parts without looking at their values.",
            ),
            Condition("each score has known bounds", terms),
        )

    @property
    def _published(self) -> str:
        names = ", ".join(dict.fromkeys(name for setting in self.settings for name in setting))
        return f"The setting is published unchanged ({names}), and nothing in it was computed from the records."


PARTS_SOURCE = "; parts: Nissim, Raskhodnikova, Smith (2007), sample and aggregate"
_PROTECTS: dict[Kind, str] = {
    "validation": "each record of the validation set",
    "folds": "each record's part in the scores, not in the training",
    "parts": "each record, in training and in scoring",
}
_NEIGHBOURS: dict[Kind, str] = {
    "validation": NEIGHBOURS,
    "folds": "the scores of two data sets that differ in one record, as if the models were the same",
    "parts": "data sets that differ in the value of one record",
}
_NOT_COVERED: dict[Kind, tuple[str, ...]] = {
    "validation": ("The training records are not covered, only those of the validation set.",),
    "folds": (),
    "parts": (),
}
_MODEL = "A model trained with the published setting is not covered, because it depends on its training records."
_FIXED_LIST = (
    "The settings, their number and the range were fixed before anyone looked at the records. No timeout or callback "
    "ended the list of settings."
)
_FIXED: dict[Kind, str] = {
    "validation": _FIXED_LIST,
    "folds": _FIXED_LIST,
    "parts": (
        "The settings, their number, the range and the parts were fixed before anyone looked at the records. No "
        "timeout or callback ended the list of settings."
    ),
}
