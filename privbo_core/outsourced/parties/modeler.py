"""Who chooses what to test: asks for rows of a release, is told outcomes, learns, and says when to stop."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np

from privbo_core import files
from privbo_core.bo import UpperBound
from privbo_core.budget import reading
from privbo_core.errors import Array, DataError
from privbo_core.outsourced.parties.learned import View
from privbo_core.outsourced.parties.package import MOST_BYTES as MOST_BYTES_RELEASED
from privbo_core.outsourced.parties.package import Package
from privbo_core.outsourced.parties.state import MOST_BYTES, Entry, Search

FEW = 10  # Fewer outcomes than this say too little about the rest to advise to stop.
LEAST_GAIN = 0.02  # A gain below this share of the standard deviation of what was told is small.
TIE = 1e-9
"""Rows whose scores differ by less, in deviations of the outcomes, are alike: the first is asked for, everywhere."""


class Best(NamedTuple):
    """The best row so far, and the outcome that was told of it."""

    row: int
    outcome: float


@dataclass(frozen=True)
class Suggestion:
    """A row to test. All numbers in the outcome's unit.

    ``mean``, ``deviation``: what the model expects of its outcome, and how far it may be off. ``score``: what the
    outcome may be at best (GP-UCB's bound), by which rows are chosen. ``why``: the same in words. NaN where nothing is
    known: ``mean`` before the first outcome, the others as long as all outcomes are equal and have no known limits.
    """

    row: int
    mean: float
    deviation: float
    score: float
    why: str


@dataclass(frozen=True)
class Advice:
    """Whether to stop, in a sentence; ``expected_improvement`` of one more test in the outcome's unit, ∞ if unknown."""

    enough: bool
    sentence: str
    expected_improvement: float


@dataclass(frozen=True, eq=False)
class Model:
    """What the modeler has learned of the function behind the noise.

    ``lengthscales``: of each column, in its own unit, the change that matters. ``variance``: of the function;
    ``noise``: the variance that equal inputs leave open, without what private answers add; both in squared units of the
    outcome. ``learned_from``: how many outcomes; 0 is what was believed before the first.
    """

    names: tuple[str, ...]
    lengthscales: Array
    variance: float
    noise: float
    learned_from: int


@dataclass(frozen=True, eq=False)
class Map:
    """The model at all rows, for a picture: ``points`` are the chosen columns' (n×c); NaN as in a `Suggestion`."""

    names: tuple[str, ...]
    points: Array
    mean: Array
    deviation: Array


class Modeler:
    """Has the release and what it is told, and nothing else: there is no way from here to the data.

    It asks by GP-UCB with the published β. Its model is a squared exponential as it appears through the noise in the
    inputs (`expected_kernel`); length-scales, amplitude and noise are learned from the outcomes (`learn`). What the
    model predicts is the outcome that a test of the row would measure, so that a row's own variation counts, and every
    row is asked for once. Which row comes next depends on the file of the search alone: brought back elsewhere, it asks
    for the same. Memory: 8 bytes for each row and outcome.
    """

    def __init__(self, package: Package) -> None:
        self.package = package
        self._search = Search(package.rows)
        self._zip: bytes | None = None
        self._view: View | None = None

    @classmethod
    def open(cls, source: str | Path | IO[bytes] | bytes) -> "Modeler":
        """Return a modeler that begins with a release: a ZIP's path, open file or bytes. DataError for any other."""
        data = source if isinstance(source, bytes) else files.read_bytes(source, "The release", MOST_BYTES_RELEASED)
        found = cls(Package.from_bytes(data))
        found._zip = data
        return found

    @classmethod
    def load(cls, source: str | Path | IO[bytes] | bytes) -> "Modeler":
        """Return the modeler in a file that `save` wrote: a path, open file or bytes. DataError for any other."""
        data = source if isinstance(source, bytes) else files.read_bytes(source, "The search", MOST_BYTES)
        with reading("The search", len(data)):
            search, zipped = Search.from_bytes(data)
            found = cls.open(zipped)
        if search.rows != found.package.rows:
            raise DataError(
                f"The search is among {search.rows:,} rows and its release has {found.package.rows:,}; bring the last "
                "file of the search that was saved whole."
            )
        found._search = search
        return found

    def to_bytes(self) -> bytes:
        """Return the file of this search: the release and all steps since, in one ZIP."""
        if self._zip is None:
            self._zip = self.package.to_bytes()
        return self._search.to_bytes(self._zip)

    def save(self, path: str | Path) -> None:
        """Write the file of this search, whole or not at all, over what is there."""
        files.write_whole(path, self.to_bytes(), "The search")

    @property
    def outcomes(self) -> dict[int, float]:
        """The outcome of each row that was told, in the order told."""
        return dict(self._search.outcomes)

    @property
    def pending(self) -> tuple[int, ...]:
        """The rows that were asked for and are neither told nor skipped, in the order asked for."""
        return self._search.pending

    @property
    def skipped(self) -> tuple[int, ...]:
        """The rows that cannot be tested, in the order skipped."""
        return tuple(self._search.skipped)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All steps of the search in order, corrections too."""
        return tuple(self._search.entries)

    def ask(self, count: int = 1) -> tuple[Suggestion, ...]:
        """Return the next rows to test, best first, and remember them as `pending`: each row is asked for once ever.

        Several at once differ: each is chosen as if those before it, and whatever is pending, had been answered as
        expected. The mean stays, the uncertainty about rows like them shrinks (GP-BUCB, Desautels, Krause, Burdick
        2014), with β as for one after the other. O(n(t + count)t). Raises DataError where fewer rows are left.
        """
        if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
            raise DataError(f"{files.short(count)} rows cannot be asked for; ask for a whole number of at least 1.")
        open_rows = np.ones(self.package.rows, dtype=bool)
        for rows in (self._search.outcomes, self._search.requests, self._search.skipped):
            open_rows[[row - 1 for row in rows]] = False
        left = int(open_rows.sum())
        if not left:
            raise DataError("Every row has been asked for, told or skipped; there is none left to ask for.")
        if count > left:
            raise DataError(
                f"{left:,} rows are left that were not asked for, told or skipped, so {count:,} cannot be asked for."
            )
        pending = _places(self.pending)
        # The view is kept for other questions; what is only supposed goes into another.
        alone = count == 1 and not pending
        view = self._seen() if alone else View.after(self.package, self._search.outcomes, len(pending) + count)
        mean, variance = view.posterior.mean, view.posterior.variance
        if pending:
            view.posterior.observe_all(pending, mean[pending])
        chosen = []
        for supposed in range(len(pending), len(pending) + count):
            upper = mean + np.sqrt(self._beta(supposed) * variance)
            upper[~open_rows] = -np.inf
            row = int(np.flatnonzero(upper >= upper.max() - TIE)[0])
            open_rows[row] = False
            chosen.append(self._suggestion(view, row, supposed))
            if len(chosen) < count:
                view.posterior.observe(row, float(mean[row]))
        for suggestion in chosen:
            self._search.ask(suggestion.row)
        return tuple(chosen)

    def tell(self, row: int, outcome: float) -> None:
        """Take in the outcome of a row, asked for or not; DataError for another than before: `correct` it."""
        self._search.tell(row, outcome)
        self._view = None

    def correct(self, row: int, outcome: float) -> None:
        """Put the right outcome in the place of a wrong one: from here on all is as if it had been told at once."""
        self._search.correct(row, outcome)
        self._view = None

    def untell(self, row: int) -> None:
        """Take back what was told of a row. If it was asked for, it is pending again."""
        self._search.untell(row)
        self._view = None

    def skip(self, row: int) -> None:
        """Set a row aside that cannot be tested: it is not asked for (again)."""
        self._search.skip(row)

    def unskip(self, row: int) -> None:
        """Take back that a row cannot be tested. If it was asked for, it is pending again."""
        self._search.unskip(row)

    def suggestion(self, row: int) -> Suggestion:
        """Return what is expected of a row now, asked for or not; nothing is remembered."""
        return self._suggestion(self._seen(), self._search.row(row) - 1, 0)

    @property
    def best(self) -> Best | None:
        """The best row that was told, None before the first. Equal ones: the one told first.

        With exact answers the one with the best outcome; with private ones the one with the best expected outcome, as
        the largest of many noisy answers is mostly the luckiest.
        """
        told = self._search.outcomes
        if not told:
            return None
        if self.package.private is None:
            row = (max if self.package.outcome.larger_is_better else min)(told, key=lambda each: told[each])
        else:
            places = _places(told)
            row = places[int(self._seen().posterior.mean[places].argmax())] + 1
        return Best(row, told[row])

    @property
    def advice(self) -> Advice:
        """Whether another test is worth while, as far as the model knows: by the largest expected improvement."""
        best = self.best
        if best is None:
            return Advice(False, "Nothing has been told yet.", math.inf)
        view, done = self._seen(), [*self._search.outcomes, *self._search.skipped]
        if len(done) == self.package.rows:
            return Advice(True, "Every row has been told or skipped: there is nothing left to test.", 0.0)
        expected = view.improvement(best.row - 1, _places(done))
        by = f"{self._figure(expected)} on average over the best so far"
        if math.isinf(expected) and len(self._search.outcomes) > 1:
            sentence = "All outcomes so far are equal: nothing tells yet where better ones are."
        elif len(self._search.outcomes) < FEW:
            sentence = f"Few tests yet: after some {FEW} the model can tell better whether more are worth while."
        elif expected < LEAST_GAIN * view.scale:
            sentence = (
                f"One more test gains {by} at most, less than {100 * LEAST_GAIN:g} % of the deviation of what was "
                "told: stopping is reasonable."
            )
            return Advice(True, sentence, expected)
        else:
            sentence = f"The most promising test gains {by}: going on is worth while."
        return Advice(False, sentence, expected)

    @property
    def model(self) -> Model:
        """What was learned so far, in the units of the columns and of the outcome."""
        frame, learned = self.package.frame, self._seen().learned
        return Model(
            names=frame.names,
            lengthscales=learned.lengthscales * frame.hide,
            variance=learned.variance * learned.scale**2,
            noise=learned.noise_variance * learned.scale**2,
            learned_from=learned.learned_from,
        )

    def map(self, columns: Sequence[int] | None = None) -> Map:
        """Return the model at all rows with these columns' released values (from 0; left out: the first two)."""
        frame, values = self.package.frame, self.package.values
        chosen = list(range(min(2, frame.d))) if columns is None else list(columns)
        for column in chosen:
            if column not in range(frame.d):
                raise DataError(f"Column {column!r} is not in this release; its columns are 0 to {frame.d - 1}.")
        view = self._seen()
        return Map(
            names=tuple(frame.names[column] for column in chosen),
            points=values[:, chosen],
            mean=view.outcome(view.posterior.mean),
            deviation=np.sqrt(view.posterior.variance) * view.scale,
        )

    def _seen(self) -> View:
        """Return the view of what was told, to which nothing may be added."""
        if self._view is None:
            self._view = View.after(self.package, self._search.outcomes)
        return self._view

    def _beta(self, supposed: int) -> float:
        return UpperBound().weight(len(self._search.outcomes) + supposed + 1, self.package.rows)

    def _suggestion(self, view: View, place: int, supposed: int) -> Suggestion:
        """Return what is expected of the row in this place, from 0, when so many questions are open."""
        y, deviation = float(view.posterior.mean[place]), math.sqrt(view.posterior.variance[place])
        mean, score = view.outcome(np.array([y, y + math.sqrt(self._beta(supposed)) * deviation]))
        score = float(score) if view.learned.scaled else math.nan
        others = " Chosen as if the other open questions had been answered as expected." if supposed else ""
        why = f"{self._why(view, place, float(mean), deviation * view.scale)}{others}"
        return Suggestion(place + 1, float(mean), deviation * view.scale, score, why)

    def _why(self, view: View, place: int, mean: float, deviation: float) -> str:
        best = self.best
        if best is None:
            return "Nothing has been told yet, so every row is as good as any other."
        reason = "few rows like it have been tested" if view.left(place) > 0.5 else "it is like rows that were tested"
        if not view.learned.scaled:
            alike = (
                "All outcomes so far are equal" if len(self._search.outcomes) > 1 else "One outcome tells of no other"
            )
            return f"{alike}; {reason}."
        share = view.chance(place, best.row - 1)
        chance = "below 1 %" if share < 0.01 else "above 99 %" if share > 0.99 else f"{100 * share:.0f} %"
        expected = self._figure(mean, deviation)
        return f"Expected {expected}, better than the best so far with probability {chance}; {reason}."

    def _figure(self, value: float, deviation: float | None = None) -> str:
        unit = f" {self.package.outcome.unit}" if self.package.outcome.unit else ""
        return f"{_short(value)}{'' if deviation is None else f' ± {_short(deviation)}'}{unit}"


def _places(rows: Iterable[int]) -> list[int]:
    return [row - 1 for row in rows]


def _short(value: float) -> str:
    """Return a number to three figures or to whole units: 0.0123, 12.3, 1,234."""
    if value == 0 or not 1e-4 <= abs(value) < 1e9:
        return f"{value:.3g}".replace("-", "−")
    return f"{value:,.{max(0, 2 - math.floor(math.log10(abs(value))))}f}".replace("-", "−")
