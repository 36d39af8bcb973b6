"""The best setting of a table of scores, or of a random number of tries, drawn for real."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from typing import Literal, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from privbo_core.about import SAMPLE_DATA
from privbo_core.data import TuningTask, task_from_table, tuning_task
from privbo_core.data.tuning import FIXED_POINT, Decimals
from privbo_core.errors import Array, DataError, positive, probability, whole
from privbo_core.privacy import Condition, Guarantee, Laplace, release
from privbo_core.privacy.tries import Tries, noise_for_tries
from privbo_core.release import Way
from privbo_core.release.tries import UNTOLD
from privbo_core.tuning.scores import PARTS_SOURCE, Scores, Setting


@dataclass(frozen=True)
class Published:
    """What may be published: a ``setting``, and what that cost.

    ``score``: its mean score with Laplace noise, in the score's units, and ``half_width``: how far that noise reaches
    19 times in 20; None, both, if the score was not asked for.
    """

    setting: Setting
    score: float | None
    half_width: float | None
    guarantee: Guarantee


def publish(scores: Scores, epsilon: float, *, way: Way = "permute-and-flip", score_share: float = 0.0) -> Published:
    """Draw one setting, a better score the likelier, from the operating system's entropy. It cannot be repeated.

    ``score_share``: which share of ε is spent on the score of the setting that was drawn, 0 for not publishing it; ε is
    what both cost together. Two calls give two independent results and cost twice. The first takes a second or two,
    for loading the noise library. Raises DataError or ValueError on unusable input.
    """
    return published_row(scores, epsilon, way=way, score_share=score_share)[1]


def published_row(
    scores: Scores, epsilon: float, *, way: Way = "permute-and-flip", score_share: float = 0.0
) -> tuple[int, Published]:
    """Return what `publish` publishes, and before it the place of the setting in the list of settings.

    The place must not be published unless the order of the list is known not to depend on the records: a table that is
    sorted by score has the rank of each setting as its place.
    """
    if not 0 <= score_share < 1:
        raise ValueError(
            f"score_share is {score_share!r}; it must be at least 0 and below 1: the setting needs a share."
        )
    guarantee = scores.guarantee(epsilon, way=way, score=score_share > 0)
    row = release.select(scores.choice(epsilon * (1.0 - score_share), way))
    score = half_width = None
    if score_share:
        noise = Laplace(scores.sensitivity, epsilon * score_share)
        score, half_width = scores.low + release.laplace(float(scores.above[row]), noise), noise.half_width(0.95)
    return row, Published(dict(scores.settings[row]), score, half_width, guarantee)


_Try = TypeVar("_Try")


@dataclass(frozen=True, eq=False)
class Unscored:
    """Settings without scores: ``score`` is called for each that is tried, and for no other.

    ``settings``: a list of them, tried alike, or a function that draws one with the generator it is given; for any set
    of candidates, however large. ``score`` returns what the records say of a setting: a score of each of ``shares``
    records of a validation set, or their mean; for ``kind`` "parts" a score of each of ``shares`` parts, as in
    `Scores`, which also says what ``score_range`` is. One record moves a mean by range/shares. Means are taken only
    where ``decimals`` says to how many decimals ``score`` rounds them, or "exact".
    Raises DataError or ValueError on what gives no sensitivity.
    """

    settings: Sequence[Setting] | Callable[[np.random.Generator], Setting]
    score: Callable[[Setting], ArrayLike] = field(repr=False)
    score_range: tuple[float, float]
    shares: int
    kind: Literal["validation", "parts"] = "validation"
    decimals: Decimals = None

    def __post_init__(self) -> None:
        if not callable(self.settings) and not self.settings:
            raise DataError("settings is empty; give at least one to try.")
        whole("shares", self.shares)
        if self.kind not in ("validation", "parts"):
            raise ValueError(f"kind is {self.kind!r}; it must be 'validation' or 'parts'.")
        positive("sensitivity", self.terms.sensitivity)

    @cached_property
    def terms(self) -> Scores:
        """A table of such scores, of no records: its range, sensitivity and guarantee are those of the true ones.

        Where means are taken, it is one of means: what is true of these is of a score of each record.
        """
        columns = 1 if self._means else self.shares
        return self._table({}, np.full(columns, self.score_range[0], dtype=float))

    def pick(self, dice: np.random.Generator) -> Setting:
        """Return a setting to try, drawn without looking at the records."""
        if callable(self.settings):
            return dict(self.settings(dice))
        return dict(self.settings[int(dice.integers(len(self.settings)))])

    def above(self, setting: Setting) -> float:
        """Return how far a setting's mean score lies above the low end. About the records: not to be published."""
        found = np.atleast_1d(np.asarray(self.score(dict(setting)), dtype=float))
        if found.shape != (self.shares,) and not (self._means and found.shape == (1,)):
            mean = ", or their mean if decimals says how it is rounded" if self.kind == "validation" else ""
            raise DataError(
                f"score returned an array of shape {found.shape}; it must return {self.shares} scores{mean}."
            )
        return float(self._table(setting, found).above[0])

    @property
    def _means(self) -> bool:
        return self.kind == "validation" and self.decimals is not None

    def _table(self, setting: Setting, found: Array) -> Scores:
        # A table has two rows at least.
        records = self.shares if self._means and len(found) == 1 else 1
        rows = np.tile(found, (2, 1))
        return Scores((setting, setting), rows, self.score_range, self.kind, records, decimals=self.decimals)


@dataclass(frozen=True)
class Tried:
    """What may be published of the best try: its ``setting`` and noisy ``score``, in the score's units.

    ``noise`` is the standard deviation of every try's noise. The best of several is rather one whose noise flattered
    it, so the score tends to be too good, by up to a few of these.
    """

    setting: Setting
    score: float
    noise: float
    guarantee: Guarantee


def publish_tries(candidates: Unscored | Scores, epsilon: float, *, tries: Tries, delta: float = 1e-5) -> Tried | None:
    """Try settings for real and return the best: all dice from the operating system. It cannot be repeated.

    A random number of ``tries``, each of a setting drawn blindly, with repetition, whose score gets Gaussian noise of
    its own. Of a table of `Scores`, all of which is there already, `publish` mostly draws better; this is for what
    costs to score, and for settings without end. None if the number of tries came out as none, which Poisson tries
    allow: that, too, is published. A second call costs twice. An error that a score raises ends it, and ε does not
    cover that there was one. Raises DataError or ValueError on unusable input.
    """
    terms = candidates if isinstance(candidates, Scores) else candidates.terms
    promise = tries_guarantee(candidates, epsilon, delta)
    multiplier = noise_for_tries(tries, epsilon, delta)
    better = 1.0 if terms.larger_is_better else -1.0
    dice = real_dice()

    def attempt() -> Tried:
        if isinstance(candidates, Scores):
            row = int(dice.integers(len(candidates.settings)))
            setting, exact = dict(candidates.settings[row]), float(candidates.above[row])
        else:
            setting = candidates.pick(dice)
            exact = candidates.above(setting)
        (noisy,) = release.noisy([exact], terms.sensitivity, multiplier)
        return Tried(setting, terms.low + float(noisy), multiplier * terms.sensitivity, promise)

    return best_try(tries, attempt, lambda made: better * made.score)


def tries_guarantee(candidates: Unscored | Scores, epsilon: float, delta: float = 1e-5) -> Guarantee:
    """Return what `publish_tries` promises of setting and score together. Raises DataError for scores in folds."""
    terms = candidates if isinstance(candidates, Scores) else candidates.terms
    if terms.kind == "folds":
        raise DataError(
            "The scores are of folds, where a record also trains the models of the others; draw from them by publish, "
            "which says what that costs, or score in parts."
        )
    base = terms.guarantee(epsilon, score=True)
    return replace(
        base,
        delta=probability("delta", delta),
        assumptions=(
            *base.assumptions,
            "What is tried, and how it is scored, depends on no other try.",
        ),
        conditions=(
            *base.conditions,
            Condition(
                UNTOLD,
                "Only the best try is published: no other score, nor how many tries there were or how long they took.",
            ),
        ),
        source="Papernot, Steinke (ICLR 2022), Theorems 2 and 6" + (PARTS_SOURCE if terms.kind == "parts" else ""),
    )


def best_try(tries: Tries, attempt: Callable[[], _Try], score: Callable[[_Try], float]) -> _Try | None:
    """Make tries, each private, alike and independent, and return the best by ``score``; None if there were none."""
    (count,) = tries.draw(1, real_dice())
    best: _Try | None = None
    for _ in range(count):
        made = attempt()
        if best is None or score(made) > score(best):
            best = made
    return best


def real_dice() -> np.random.Generator:
    """Return a generator that starts from the system's entropy, for what is drawn without looking at the records."""
    return np.random.Generator(np.random.PCG64(secrets.randbits(128)))


_ROW, _SCORE, _WIDE = "row of the table", "score of the setting", 100.0


@dataclass(frozen=True, eq=False)
class Listed(TuningTask):
    """A tuning task of the settings in a table of ``results``, in their order; a larger score is better.

    Its ``records`` and ``largest_loss`` are such that their quotient is the sensitivity of the results' means, rounding
    included. What publishing one of them promises is up to ``results``, which knows how the scores came about.
    """

    results: Scores | None = None

    def written(self, row: int) -> str:
        """Return a setting as a person writes it."""
        if self.results is None:
            raise ValueError("results is None; there are no settings to write.")
        chosen = self.results.settings[row].items()
        return ", ".join(f"{name} = {f'{cell:.6g}' if isinstance(cell, float) else cell}" for name, cell in chosen)


def listed(scores: Scores) -> Listed:
    """Return the task of a table of scores.

    A parameter that is a number in every setting is one in the task, on a logarithmic scale if it spans two orders of
    magnitude; any other is told apart by numbers in the order of the table. Parameters that never change are left out;
    if that leaves two settings alike, the row is a parameter too. Raises DataError if all scores are the same.
    """
    names = dict.fromkeys(name for setting in scores.settings for name in setting)
    columns = {name: _numbers([setting.get(name) for setting in scores.settings]) for name in names}
    table = pd.DataFrame({name: column for name, column in columns.items() if np.ptp(column) > 0})
    if table.empty or table.duplicated().any():
        table.insert(0, _ROW, np.arange(len(scores.settings)))
    parameters = [str(name) for name in table.columns]
    logarithmic = [name for name in parameters if 0 < _WIDE * table[name].min() <= table[name].max()]
    if np.ptp(scores.means) <= 1e-12 * np.abs(scores.means).max():
        raise DataError("All settings have the same mean score, so any of them may be published without looking.")
    table[_SCORE] = scores.means
    known = task_from_table(
        table,
        parameters,
        _SCORE,
        logarithmic=logarithmic,
        maximize=scores.larger_is_better,
        records=scores.shares,
        decimals="exact",  # The sensitivity includes what rounding adds.
        largest_loss=scores.shares * (scores.sensitivity + 2.0 * np.spacing(max(abs(scores.low), abs(scores.high)))),
    )
    return Listed(**{field.name: getattr(known, field.name) for field in fields(TuningTask)}, results=scores)


@cache
def in_parts(name: str) -> Listed:
    """Return the sample task of that name (`pb.data.TASKS`) with training covered too.

    Its 350 records that are not public lie in 14 parts of 25; in each, 16 train every setting and 9 score it. Raises
    ValueError, listing the names.
    """
    task = tuning_task(name)
    with np.load(SAMPLE_DATA / f"tuning_{name}.npz", allow_pickle=False) as file:
        scores = file["parts"].T / -FIXED_POINT
    settings: list[Setting] = [dict(zip(task.names, map(float, row), strict=True)) for row in task.parameters]
    found = listed(Scores(tuple(settings), scores, (-1.0, 0.0), "parts"))
    return replace(found, title=f"{task.title}, in parts", identity=f"{task.identity}/parts")


def _numbers(cells: Sequence[object]) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Return the cells if all are finite numbers, otherwise which of the different ones each is, in order."""
    if all(isinstance(cell, (int, float)) and not isinstance(cell, bool) and np.isfinite(cell) for cell in cells):
        return np.array(cells, dtype=float)
    kinds = list(dict.fromkeys(map(repr, cells)))
    return np.array([kinds.index(repr(cell)) for cell in cells], dtype=float)
