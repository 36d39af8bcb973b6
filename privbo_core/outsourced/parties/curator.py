"""The data holder's side: releases noisy inputs and answers what was measured, and books each before it goes out."""

import random
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import Any, TypedDict, Unpack

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privbo_core import files, privacy
from privbo_core.data import Frame
from privbo_core.data.columns import as_text
from privbo_core.data.marks import PLAIN, refuse_votes
from privbo_core.data.table import MAX_ROWS
from privbo_core.errors import Array, DataError
from privbo_core.outsourced.answers import Private
from privbo_core.outsourced.noisy import refuse_read_off
from privbo_core.outsourced.parties.ledger import Answered, Cost, Ledger, Released
from privbo_core.outsourced.parties.package import MOST_NUMBERS, Package, rounded
from privbo_core.outsourced.parties.people import People
from privbo_core.outsourced.parties.stores import Store
from privbo_core.outsourced.parties.terms import Outcome, ReleaseTerms
from privbo_core.privacy import Noise

MANY = 5  # Of more records that a row may be, the first are named.
PATIENCE = 60.0  # For so many seconds a release that was made waits for somebody who holds the ledger.


class AgainError(DataError):
    """A table that was released before; ``cost`` is what it would have cost with one more release."""

    def __init__(self, sentence: str, cost: Cost) -> None:
        super().__init__(sentence)
        self.cost = cost


class Despite(TypedDict, total=False):
    """What a holder releases in spite of, all False if left out.

    ``accept_read_off``: a frame that does not say from where each column was known, so that ε need not hold. ``again``:
    earlier releases of the table, so that all of them count together. ``looked``: ε was chosen after searches on the
    records, so that the promise is conditional.
    """

    accept_read_off: bool
    again: bool
    looked: bool


class How(Despite, total=False):
    """What `Curator.release` takes by name."""

    outcome: Outcome | None
    private: Private | None
    protected_distance: float
    noise: Noise


@dataclass(frozen=True, eq=False)
class Step:
    """How many of the release's numbers have their noise, and the ``package`` once all have and the ledger says so."""

    done: int
    total: int
    package: Package | None = None


@dataclass(frozen=True, eq=False)
class Lookup:
    """Who stands in a ``row`` of a release: one of these ``records`` (lines of the table, from 0), mostly the only one.

    There are several where nothing but the outcome tells them apart. ``cells``: by column, where all of them agree.
    """

    row: int
    release: int
    records: tuple[int, ...]
    cells: dict[str, Any]

    @property
    def record(self) -> int:
        """The only record that it can be. Raises DataError if there are several."""
        if len(self.records) > 1:
            raise DataError(f"Row {self.row} is data row {self.lines}: nothing but the outcome tells which.")
        return self.records[0]

    @property
    def lines(self) -> str:
        """The data rows that it can be, counted from 1, in words: ``812``, or ``3, 7 or 20``."""
        shown, more = [f"{record + 1:,}" for record in self.records[:MANY]], len(self.records) - MANY
        shown += [f"one of {more:,} more"] if more > 0 else []
        return f"{', '.join(shown[:-1])} or {shown[-1]}" if len(shown) > 1 else shown[0]


@dataclass(frozen=True)
class Answer:
    """The ``value`` to be told of a ``row``; its ``record`` (from 0) and the rest are the holder's alone.

    Of records that nothing but the outcome tells apart it is one that the row may be.

    ``exact``: as it was measured. ``repeated``: it was told before, and this is the same. ``clipped``: what was
    measured lies outside the public range and was moved to its edge before noise.
    """

    row: int
    record: int
    value: float
    exact: bool
    repeated: bool
    clipped: bool


class Curator:
    """Holds the table, and a ``store`` with the ledger of all that went out; every call reads and writes the ledger.

    Rows are numbered from 1 in an order that only the ledger knows, new in each release. A record is known by all that
    the table said of it when it was first released, but the outcome; so its lines may be in any order, columns may be
    added, and outcomes be filled in as they are measured. Raises DataError, one sentence, for any other table.
    Cells are read one by one, by the marks of frame and outcome alone: of a file, give the table that
    `pb.data.load_cells` returns. Raises DataError for one of `load_table`, which has read them all together.
    """

    def __init__(self, table: pd.DataFrame, store: Store) -> None:
        refuse_votes(table)
        self._table = table
        self._store = store
        self._known: tuple[pd.DataFrame, People] | None = None

    @property
    def ledger(self) -> Ledger:
        """The ledger as it stands, its records numbered as in the table. Raises DataError if it is another table's."""
        return self._fitting(self._store.read())

    def release(
        self,
        frame: Frame,
        epsilon: float,
        delta: float,
        *,
        outcome: Outcome | None = None,
        private: Private | None = None,
        protected_distance: float = 1.0,
        noise: Noise = "gaussian",
        **despite: Unpack[Despite],
    ) -> Iterator[Step]:
        """Release the table's inputs in a frame, with noise from the operating system; yield how far it is.

        The last step has the package, for `Package.to_bytes`. Z = frame.place(inputs) + noise is (ε, δ)-private for
        records that differ by ``protected_distance`` hidden changes or less; with ``noise`` "laplace" δ must be 0.
        Records whose inputs are not all numbers, as the frame's marks have them, are left out. ``outcome`` and
        ``private`` say how rows will be answered, exactly if ``private`` is left out; they stay as the first finished
        release has them.

        The release counts from this call on, before any noise is drawn: the ledger says that it has begun, then that
        it is finished, and only then is it handed out. Raises AgainError for a second release without ``again=True``,
        and DataError, before anything counts, for what cannot be released. About 0.1 s for 2000 numbers.
        """
        if unknown := set(despite) - set(Despite.__annotations__):
            raise TypeError(f"release() got an unexpected keyword argument {min(unknown)!r}.")
        refuse_read_off(frame, despite.get("accept_read_off", False))
        inputs = frame.numbers(self._table)
        order = _shuffled(np.flatnonzero(np.isfinite(inputs).all(axis=1)))
        records, numbers = len(inputs), len(order) * frame.d
        if not numbers:
            raise DataError("No record of the table has a number in each of the frame's columns; nothing is released.")
        if records > MAX_ROWS or numbers > MOST_NUMBERS:
            raise DataError(
                f"The release would have {numbers:,} numbers, of a table of {records:,} records; at most "
                f"{MOST_NUMBERS:,} numbers, of {MAX_ROWS:,} records, can be released at once."
            )
        placed = frame.place(inputs[order])
        with self._store.alone():
            ledger = self.ledger
            outcome, private = _terms_of_answers(ledger, frame, outcome, private)
            people = ledger.people
            if not ledger.releases or ledger.outcome is None or outcome.name != ledger.outcome.name:
                people = People.of(self._table, outcome.name, people.secret)
            begun = Released(
                frame=frame,
                epsilon=epsilon,
                delta=delta,
                noise=noise,
                looked=despite.get("looked", False),
                protected_distance=protected_distance,
                release=len(ledger.releases) + 1,
                made=files.now(),
                order=order,
            )
            cost = ledger.after_release(epsilon, delta, frame, protected_distance, noise)
            if ledger.releases and not despite.get("again", False):
                raise _again(ledger, cost)
            self._store.write(ledger.begin(begun, people, outcome, private))
        return self._noise(begun, placed, outcome, private)

    def release_whole(self, frame: Frame, epsilon: float, delta: float, **how: Unpack[How]) -> Package:
        """Return the package that `release` ends with; it takes and raises the same."""
        *_, last = self.release(frame, epsilon, delta, **how)
        assert last.package is not None
        return last.package

    def _noise(self, begun: Released, placed: Array, outcome: Outcome, private: Private | None) -> Iterator[Step]:
        z = placed
        for done, z in privacy.release.rows(placed, begun.mechanism):  # noqa: B007 - the last one is released
            if done < placed.size:
                yield Step(done, placed.size)
        package = Package(
            **{part.name: getattr(begun, part.name) for part in fields(ReleaseTerms)},
            outcome=outcome,
            private=private,
            values=rounded(begun.frame.to_original(z), begun.frame.hide * begun.sigma),
        )
        self._finish(begun, package)
        yield Step(placed.size, placed.size, package)

    def _finish(self, begun: Released, package: Package) -> None:
        """Book a release as made, as soon as nobody else holds the ledger: it has cost, and is not lost to a wait."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                with self._store.alone():
                    ledger = self._still_begun(self._store.read(), begun, package)
                    self._store.write(ledger.finish(begun.release, package.digest))
                return
            except files.InUseError:
                if time.monotonic() > until:
                    raise
            time.sleep(0.02)

    def find(self, row: int, *, release: int | None = None) -> Lookup:
        """Return who stands in a ``row`` of a release, the only one if left out; DataError where there is none."""
        ledger = self.ledger
        released = ledger.released(release)
        records = ledger.people.alike(released.record(row))
        cells = {}
        for place, name in enumerate(self._table.columns):
            column = self._table.iloc[list(records), place]
            if len(records) == 1 or len(set(as_text(column))) == 1:
                cells[str(name)] = column.iloc[0]
        return Lookup(int(row), released.release, records, cells)

    def answer(self, row: int, outcome: float | None = None, *, release: int | None = None) -> Answer:
        """Return what is to be told of a ``row`` whose ``outcome`` was measured; left out, it stands in the table.

        Private answers are clipped to the public range and get noise from the operating system. A record is answered
        once: whatever is given later, in whichever release it is asked for, its answer is repeated. Exact answers are
        repeated too; another outcome is refused (`correct`). The ledger has the answer before it is returned.
        Raises DataError for a row or a release that there is not, for an outcome that is no number, and where it would
        be a second private answer to somebody, as far as anything but the outcome tells records apart.
        """
        return self._answer(row, outcome, release, correct=False)

    def correct(self, row: int, outcome: float, *, release: int | None = None) -> Answer:
        """Return the exact answer that takes the place of a wrong one; DataError for none and for private ones."""
        return self._answer(row, outcome, release, correct=True)

    def _answer(self, row: int, outcome: float | None, release: int | None, *, correct: bool) -> Answer:
        given = None if outcome is None else files.number(f"The outcome of row {row}", outcome)
        with self._store.alone():
            ledger = self.ledger
            released = ledger.released(release)
            record, private = released.record(row), ledger.private
            before = ledger.current.get(record)
            if _repeats(before, given, row, correct=correct):
                assert before is not None
                return Answer(int(row), record, before.value, before.exact, repeated=True, clipped=False)
            if ledger.second([record]):
                raise DataError(
                    f"Row {row} cannot be answered: nothing but the outcome tells its record from one that was "
                    "answered privately, and nobody is answered twice. Let another row be asked for."
                )
            measured = self._measured(ledger, row, record) if given is None else given
            value = measured if private is None else _noisy(measured, private)
            answered = Answered(record, int(row), released.release, files.now(), value, private is None, correct)
            self._store.write(ledger.answer(answered))
        clipped = private is not None and private.clip(measured) != measured
        return Answer(int(row), record, value, private is None, repeated=False, clipped=clipped)

    def _measured(self, ledger: Ledger, row: int, record: int) -> float:
        assert ledger.outcome is not None  # no ledger has releases without one
        name = ledger.outcome.name
        places = [place for place, column in enumerate(self._table.columns) if column == name]
        if len(places) != 1:
            raise DataError(
                f"The table has {'more than one' if places else 'no'} column {name!r}: give the outcome that was "
                f"measured on row {row}."
            )
        value = (ledger.outcome.marks or PLAIN).amount(self._table.iloc[record, places[0]])
        if not np.isfinite(value):
            raise DataError(
                f"The table's column {name!r} has no number for row {row} (data row {record + 1:,}): give the outcome "
                "that was measured."
            )
        return files.number(f"The outcome of row {row}", value)

    def _fitting(self, ledger: Ledger) -> Ledger:
        """Return the ledger with its records numbered as in the table; raise DataError if the table is not its own."""
        if not ledger.releases:
            return ledger
        if len(self._table) != ledger.rows:
            raise DataError(
                f"The table has {len(self._table):,} records and the ledger is for one of {ledger.rows:,}; use the "
                "table that was released, or another ledger."
            )
        people = self._people(ledger.people)
        fitting = ledger.of(people)
        if fitting is None:
            others = ledger.people.strangers(people)
            raise DataError(
                f"{len(others):,} of the table's records, the first in data row {others[0] + 1:,}, are not those that "
                "the ledger is for: only outcomes may change; use the table as it was released, or another ledger."
            )
        return fitting

    def _still_begun(self, ledger: Ledger, begun: Released, package: Package) -> Ledger:
        """Return the ledger as `_fitting` does; DataError if it has not this release as it began, or other terms."""
        with suppress(DataError):
            fitting = self._fitting(ledger)
            same = [each for each in fitting.releases if each.release == begun.release and not each.finished]
            terms = (fitting.outcome, fitting.private) == (package.outcome, package.private)
            if terms and len(same) == 1 and np.array_equal(same[0].order, begun.order):
                return fitting
        raise DataError("The ledger was replaced while the release was being made; nothing is handed out.")

    def _people(self, known: People) -> People:
        """Return who is in the table, known as in the ledger; found anew only if one of the two has changed."""
        cells = self._table.iloc[:, known.places(self._table)]
        if self._known is not None:
            before, people = self._known
            if (people.secret, people.columns) == (known.secret, known.columns) and before.equals(cells):
                return people
        self._known = cells, known.in_table(self._table)
        return self._known[1]


def _shuffled(records: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the records in a random order, of which nobody can know anything."""
    return np.array(random.SystemRandom().sample(records.tolist(), len(records)), dtype=np.int64)


def _terms_of_answers(
    ledger: Ledger, frame: Frame, outcome: Outcome | None, private: Private | None
) -> tuple[Outcome, Private | None]:
    """Return the terms of the answers: the ledger's once a release is finished, those given until then."""
    if ledger.finished and ledger.outcome is not None:
        for given, known in ((outcome, ledger.outcome), (private, ledger.private)):
            if given not in (None, known):
                raise DataError(
                    "The first release of this table says otherwise what is measured and how it is answered; leave "
                    "both out, and they stay as they are."
                )
        outcome, private = ledger.outcome, ledger.private
    if outcome is None:
        raise DataError("The first release must say what will be measured: give an outcome.")
    if outcome.name in frame.names:
        raise DataError(
            f"{outcome.name!r} is the outcome and a column of the frame; it must not be released with the inputs."
        )
    return outcome, private


def _again(ledger: Ledger, cost: Cost) -> AgainError:
    begun = len(ledger.releases) - len(ledger.finished)
    earlier = ", ".join(f"ε = {each.epsilon:.4g}" for each in ledger.releases)
    unfinished = f"; {begun} of them not finished, which counts too" if begun else ""
    return AgainError(
        f"This table was released before ({earlier}{unfinished}): with this release, one record's inputs cost ε = "
        f"{cost.inputs:.4g} at δ = {cost.delta:.2g} together; release it again only if that is meant (again=True).",
        cost,
    )


def _repeats(before: Answered | None, given: float | None, row: int, *, correct: bool) -> bool:
    """Return whether the answer ``before`` is to be told again; raise DataError if no answer may go out."""
    if before is None:
        if correct:
            raise DataError(f"Row {row} has not been answered yet, so there is nothing to correct: answer it.")
        return False
    if correct and not before.exact:
        raise DataError(
            f"Row {row} was answered privately, which cannot be corrected: a second answer would tell more of the "
            "record than was promised."
        )
    same = not before.exact or given in (None, before.value)
    if not same and not correct:
        raise DataError(
            f"Row {row} was answered with {before.value!r}, and {given!r} is given now; correct it if the first was "
            "wrong."
        )
    return same


def _noisy(measured: float, private: Private) -> float:
    """Return a private answer: clipped, with noise, and no more digits than mean something."""
    *_, (_, noisy) = privacy.release.rows([[private.clip(measured)]], private.mechanism)
    return float(rounded(noisy, private.sigma)[0, 0])
