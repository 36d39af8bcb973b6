"""Settings and their scores, and by how much one record can move a mean score: on that every ε rests."""

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from privbo_core.data.tuning import Decimals, rounding_unit
from privbo_core.errors import Array, DataError, positive, whole
from privbo_core.privacy import Choice, Condition, Guarantee, Status
from privbo_core.privacy.guarantee import named
from privbo_core.release.selection import Way, choosing, source_of
from privbo_core.release.theory import NEIGHBOURS, readers

Setting = dict[str, object]
"""The parameters of one candidate, by name."""
Kind = Literal["validation", "folds", "parts"]
"""How the scores came about: on held-out records, by k-fold cross-validation, or in parts that share no record."""
_ROUNDING = float(np.finfo(float).eps)


@dataclass(frozen=True, eq=False)
class Scores:
    """A score of each of n ``settings`` in each of P columns, whose mean is to be large (or small).

    ``values``: n×P, in the score's own units. ``score_range``: (worst, best) that a score can be, fixed without looking
    at the records. The best may be the smaller number. ``records``: the least number of records that a column is a mean
    over, without meaning for parts. ``decimals``: the number of decimals that these means were rounded to, or "exact"
    if they were not rounded. It is needed wherever a column is a mean over several records. ``conditions``:
    requirements that are not known to be met. ``noise``: the standard deviation of a mean score, estimated from
    repeated settings, 0 where none is repeated. ``notes``: the changes that reading made to the table.

    ``kind`` tells how the columns came about:

    - "validation": models trained on other records are scored on m held-out ones, in one column of means (``records`` =
      m) or a column for each (``records`` = 1). A record moves a mean score by range/m, and a rounded one by one unit
      of its last decimal more.
    - "folds": k-fold cross-validation, a column for each fold. A record moves a mean score by range/m as well, but it
      also trained k−1 of the models, and that is not counted.
    - "parts": the records were split into P parts, and in each the settings were trained and scored on its own records
      alone. A record can change one column arbitrarily, so it moves a mean by range/P at most, its training included.

    Where a column is one record's or one part's, a score outside the range is moved into it and a missing score counts
    as the worst, because that changes this column alone. Means over several records must lie in the range. Raises
    DataError or ValueError on what gives no sensitivity.
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
        """Whether one record touches one column alone, so that what is done to a column is done to its record."""
        return self.kind == "parts" or self.records == 1

    @property
    def low(self) -> float:
        """The smallest that a score can be."""
        return float(min(self.score_range))

    @property
    def high(self) -> float:
        """The largest that a score can be."""
        return float(max(self.score_range))

    @property
    def larger_is_better(self) -> bool:
        """Whether the best end of the range is the larger one."""
        return self.score_range[1] > self.score_range[0]

    @cached_property
    def bounded(self) -> Array:
        """The values as they count, n×P: inside the range, missing ones as its worst end."""
        return np.clip(np.where(np.isnan(self.values), self.score_range[0], self.values), self.low, self.high)

    @property
    def moved(self) -> int:
        """How many values were missing or outside the range. It is about the records: not to be published."""
        return int((self.bounded != self.values).sum())

    @cached_property
    def above(self) -> Array:
        """How far each mean score lies above ``low``, in the score's units. About the records: not to be published.

        The low end is taken off each score and the rest counted in whole steps, before anything is added up: a sum of
        floats far from 0 (in a range from 10¹⁵ to 10¹⁵ + 1) would round by more than a record moves it.
        """
        width = self.high - self.low
        counted = np.rint((self.bounded - self.low) / width * self._steps).astype(np.int64)
        return np.asarray(counted.sum(axis=1) / (self._steps * counted.shape[1]) * width)

    @property
    def _steps(self) -> float:
        """Into how many steps the range is cut: as many as doubles tell apart, if all columns' fit into 64 bits."""
        return math.ldexp(1.0, min(52, 62 - int(self.values.shape[1]).bit_length()))

    @property
    def means(self) -> Array:
        """The mean score of each setting, in the score's units. About the records: not to be published."""
        return self.low + self.above

    @property
    def shares(self) -> int:
        """The number of equal shares in a mean score. One record decides over one of them."""
        columns = int(self.values.shape[1])
        return columns if self.kind == "parts" else columns * self.records

    @property
    def sensitivity(self) -> float:
        """The most that one record moves ``above``, in the score's units: range/shares, and the effect of rounding.

        A column that is itself a mean was added up before, in some order, in floats as large as the range's ends, and
        some hundred repeats of it may have been averaged. It may also have been rounded to ``decimals``.
        """
        width, columns = self.high - self.low, self.values.shape[1]
        moves = 1.0
        if not self._own_columns:
            added = (self.records + 1000) * _ROUNDING * max(abs(self.low), abs(self.high)) / width
            rounded = rounding_unit(self.decimals) / width
            moves = min(1.0, 1.0 / self.records + 2.0 / self._steps + added + rounded)
        return float(width * (moves / columns + 4.0 * _ROUNDING))

    def choice(self, epsilon: float, way: Way = "permute-and-flip") -> Choice:
        """Return the draw among the settings, with its exact probabilities: a larger score there is always better."""
        return choosing(way, self.above if self.larger_is_better else -self.above, self.sensitivity, epsilon)

    def guarantee(self, epsilon: float, *, way: Way = "permute-and-flip", score: bool = False) -> Guarantee:
        """Return the guarantee of publishing one setting (and a noisy ``score`` of it) for ``epsilon`` in all.

        It is proven for validation records and for parts, unless there are ``conditions``. For folds, one is never met.
        """
        proved = self.kind != "folds" and not self.conditions
        return Guarantee(
            protects=_PROTECTS[self.kind],
            against=readers("setting and score" if score else "setting"),
            neighbours=_NEIGHBOURS[self.kind],
            epsilon=positive("epsilon", epsilon),
            delta=0.0,
            assumptions=(*self._of_the_kind, self._published, _MODEL),
            status=Status.PROVED if proved else Status.UNMET,
            source=source_of(self.choice(1.0, way))
            + ("; Dwork et al. (2006)" if score else "")
            + (PARTS_SOURCE if self.kind == "parts" else ""),
            conditions=(
                Condition("settings and range were fixed beforehand", self._fixed()),
                *((self._in_folds(epsilon),) if self.kind == "folds" else ()),
                *named(self.conditions),
            ),
        )

    def _in_folds(self, epsilon: float) -> Condition:
        loss = epsilon * self.shares
        counted = f"{loss:.4g}" if loss < 1e4 else f"{loss:,.0f}"
        return Condition(
            "what a record taught the models does not count",
            "It covers a record's part in the scores only: the record also trained the models of all other folds. "
            f"With that counted, this draw is only known to keep ε = {counted}.",
            unmet=True,
        )

    @property
    def _of_the_kind(self) -> tuple[str, ...]:
        span = f"[{self.low:g}, {self.high:g}]"
        terms = (
            f"Each score is a mean over its records of what lies in {span} for any record: so is accuracy, but neither "
            "AUC nor F1 nor R² is. No score decided how another one was read. "
        ) + (
            "No mean was rounded before it got here."
            if self.decimals == "exact"
            else f"Each mean was rounded to no fewer than {self.decimals} decimals, or not at all."
        )
        if self.records == 1 or self.kind == "parts":
            terms = f"Each score counts inside {span}, whatever it was."
        if self.kind == "validation":
            return (
                "The training records are not covered, only those of the validation set.",
                f"{terms} A model scores each record by itself.",
            )
        if self.kind == "folds":
            return (f"{terms} Each record is scored in one fold, and folds differ by at most one record in size.",)
        return (
            "In each part the settings were trained and scored on its own records alone, from raw records to score: "
            "no scaling, filling in or choice of columns was learned from several parts together, no random state went "
            "from one part to the next (a splitter's, an estimator's, a library's), and no score decided how another "
            "one was read.",
            "Which record is in which part was decided without looking at the records' values.",
            terms,
        )

    @property
    def _published(self) -> str:
        names = ", ".join(dict.fromkeys(name for setting in self.settings for name in setting))
        return f"The setting is published as it stands ({names}): nothing in it was computed from the records."

    def _fixed(self) -> str:
        what = "settings, their number (no timeout or callback ended the list), the range"
        what += " and the parts" if self.kind == "parts" else ""
        return f"The {what} were fixed before anyone looked at the records."


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
_MODEL = "A model trained with the published setting is not covered: it has seen its training records."
