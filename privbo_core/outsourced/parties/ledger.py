"""The data holder's private book: every release and every answer, and what one person's record has cost so far."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privbo_core import files
from privbo_core.about import PROGRAM
from privbo_core.budget import look, reading
from privbo_core.data import Frame
from privbo_core.errors import DataError
from privbo_core.outsourced.answers import Private
from privbo_core.outsourced.parties.exchange import release_name
from privbo_core.outsourced.parties.people import NOBODY, People
from privbo_core.outsourced.parties.terms import Outcome, ReleaseTerms, TermsRecord
from privbo_core.privacy import Noise, Radial, epsilon_of_losses
from privbo_core.records import Digest, Finite, Text, decoded

FORMAT, VERSION = "privbo ledger", 2
MOST_BYTES = 400_000_000
NAMED = 3  # So many of what was not said to be known are named.
ANEW = "bring back a copy as new as what went out last, and release and answer nothing without it"


@dataclass(frozen=True)
class Cost:
    """What one record has cost: the ε of ``inputs``, ``outcome`` and ``both`` at ``delta``; ∞ once told exactly."""

    inputs: float
    outcome: float
    both: float
    delta: float


@dataclass(frozen=True, eq=False)
class Released(ReleaseTerms):
    """A release as the holder remembers it.

    ``order``: the records, from 0, in the order in which they were released: row i is record ``order[i − 1]``.
    ``csv``: the digest of the table handed out, empty as long as the release has only begun; it counts from there.
    """

    order: NDArray[np.int64]
    csv: str = ""

    @property
    def finished(self) -> bool:
        """Whether it was made to the end, so that it may have been handed out."""
        return bool(self.csv)

    @property
    def name(self) -> str:
        """What the files that go back and forth call it; empty as long as it has only begun."""
        return release_name(self.release, self.csv) if self.csv else ""

    @property
    def rows(self) -> int:
        """How many rows were released."""
        return len(self.order)

    def record(self, row: int) -> int:
        """Return the record, from 0, that stands in this row, from 1. Raises DataError for a row that there is not."""
        if isinstance(row, bool) or not isinstance(row, int | np.integer) or not 1 <= row <= self.rows:
            raise DataError(
                f"Row {files.short(row)} is not in release {self.release}, whose rows are 1 to {self.rows:,}."
            )
        return int(self.order[row - 1])


@dataclass(frozen=True)
class Answered:
    """An answer: the ``value`` that went out for a ``record`` (from 0) when its ``row`` of a release was asked for.

    ``exact``: without noise. ``corrects``: it took the place of a wrong one before it.
    """

    record: int
    row: int
    release: int
    when: str
    value: Finite
    exact: bool
    corrects: bool = False


@dataclass(frozen=True, eq=False)
class Ledger:
    """All that was released of one table, and how outcomes are answered; empty to begin with.

    It knows which record stands in which row, and must never leave the house. Records are numbered from 0 as in
    ``people``, in the order of the table that it was last written with. Records that nothing in the table but the
    outcome tells apart may be one person, who has one private answer. Values, not a manager: every change is a new
    ledger, which a store keeps.
    """

    people: People = NOBODY
    outcome: Outcome | None = None
    private: Private | None = None
    releases: tuple[Released, ...] = ()
    answers: tuple[Answered, ...] = ()

    @property
    def rows(self) -> int:
        """How many records the table has."""
        return len(self.people)

    @property
    def finished(self) -> tuple[Released, ...]:
        """The releases that were made to the end."""
        return tuple(release for release in self.releases if release.finished)

    @property
    def delta(self) -> float:
        """The δ at which the cost is told: the strictest of any release or of private answers, 0 if none needs one."""
        return _strictest([*(each.delta for each in self.releases), *([self.private.delta] if self.private else [])])

    @property
    def unsaid(self) -> tuple[str, ...]:
        """What was read off the table, as far as anyone can tell: `cost` need not hold then."""
        said = [what for release in self.releases for what in release.frame.unsaid]
        if self.outcome and self.private and not self.private.public:
            said.append(self.outcome.name)
        return tuple(dict.fromkeys(said))

    @property
    def rests(self) -> str:
        """What `cost` rests on, in sentences, where ranges were read off the data or ε was chosen by them."""
        known = files.listed(self.unsaid, NAMED)
        doubt = f"What it has cost holds only if {known} was known before; the ledger does not say so."
        looked = "ε was chosen after searches on the data; what that tells is not counted."
        return " ".join([doubt] * bool(self.unsaid) + [looked] * any(each.looked for each in self.releases))

    @cached_property
    def current(self) -> dict[int, Answered]:
        """The answer to each record that was answered, by record: the last one if it was corrected."""
        return {answer.record: answer for answer in self.answers}

    def released(self, number: int | None = None) -> Released:
        """Return the release of this number, or the only one. Raises DataError if there is not just one."""
        finished = self.finished
        if number is None and len(finished) > 1:
            numbers = ", ".join(str(release.release) for release in finished)
            raise DataError(f"This table was released more than once; say which release the row is of: {numbers}.")
        for release in finished:
            if number in (None, release.release):
                return release
        raise DataError(
            "Nothing has been released by this ledger yet, so no row can be asked for."
            if number is None or not finished
            else f"There is no release {files.short(number)} in this ledger."
        )

    def left_out(self, release: Released) -> int:
        """Return how many records were not released, because an input is missing or no number."""
        return self.rows - release.rows

    def cost(self, record: int | None = None) -> Cost:
        """Return what has been spent on this record (from 0), or at most on any; every begun release counts.

        Gaussian releases compose exactly: their μ = Δ/σ add up in squares, in whatever order and however one followed
        from another (Dong, Roth, Su 2022), and ε at δ is that of one Gaussian release of the total. Where the ε of one
        was chosen by what others had shown, the total holds as a limit that is set beforehand and kept to (Smith,
        Thakurta 2022). Noise of another shape is added by the distribution of its loss
        (`pb.privacy.epsilon_of_losses`). For ``inputs``, Δ is the most that a release moves with the widest change of
        each column that any was to hide; with one frame for all it is the change that all of them hide. A record is
        answered once, however often it is asked for, so the μ of its outcome is that of one answer, and it is 0 as long
        as there is none. What was spent on a record that nothing but the outcome tells from this one counts, too.
        Raises DataError for a record that there is not.
        """
        if record is None:
            return self._cost(self.releases, self.current.values(), self.delta)
        alike = self.people.alike(files.whole_number("record", record, 0, max(self.rows - 1, 0)))
        releases = [each for each in self.releases if np.isin(alike, each.order).any()]
        answers = [answer for answer in self.current.values() if answer.record in alike]
        return self._cost(releases, answers, self.delta)

    def after_release(
        self,
        epsilon: float,
        delta: float,
        frame: Frame | None = None,
        protected_distance: float = 1.0,
        noise: Noise = "gaussian",
    ) -> Cost:
        """Return the `cost` at most of any record after one more release, by default in the last one's frame."""
        if frame is None and not self.releases:
            raise DataError("Nothing was released before; say in which frame the first release is to be.")
        more = ReleaseTerms(
            frame=frame or self.releases[-1].frame,
            epsilon=epsilon,
            delta=delta,
            protected_distance=protected_distance,
            release=len(self.releases) + 1,
            made=files.now(),
            noise=noise,
        )
        return self._cost([*self.releases, more], self.current.values(), _strictest([delta, self.delta]))

    def _cost(self, releases: Sequence[ReleaseTerms], answers: Iterable[Answered], delta: float) -> Cost:
        mu, pure = _losses(releases)
        one, scalar = 0.0, 0.0
        for answer in answers:
            if answer.exact or self.private is None:
                one = math.inf
            elif self.private.noise == "gaussian":
                one = max(one, self.private.sensitivity / self.private.sigma)
            else:
                scalar = self.private.epsilon
        inputs = epsilon_of_losses(delta, mu=mu, pure=pure)
        outcome = epsilon_of_losses(delta, mu=one, laplace=[scalar])
        both = epsilon_of_losses(delta, mu=math.hypot(mu, one), pure=pure, laplace=[scalar])
        return Cost(inputs, outcome, both, delta)

    def second(self, records: Iterable[int]) -> set[int]:
        """Return which of these records, asked for in this order, would be answered privately a second time."""
        return set() if self.private is None else self.people.second(self.current, records)

    def of(self, people: People) -> "Ledger | None":
        """Return the ledger with its records numbered as in a table of the same people; None if there are others."""
        if np.array_equal(self.people.digests, people.digests):
            return self
        lines = self.people.lines(people)
        if lines is None:
            return None
        releases = tuple(replace(each, order=lines[each.order]) for each in self.releases)
        answers = tuple(replace(each, record=int(lines[each.record])) for each in self.answers)
        return replace(self, people=people, releases=releases, answers=answers)

    def begin(self, release: Released, people: People, outcome: Outcome, private: Private | None) -> "Ledger":
        """Return the ledger with a release that has begun."""
        return replace(self, people=people, outcome=outcome, private=private, releases=(*self.releases, release))

    def finish(self, number: int, csv: str) -> "Ledger":
        """Return the ledger with this release made to the end."""
        done = tuple(replace(each, csv=csv) if each.release == number else each for each in self.releases)
        return replace(self, releases=done)

    def answer(self, answer: Answered) -> "Ledger":
        """Return the ledger with one more answer."""
        return replace(self, answers=(*self.answers, answer))

    def to_bytes(self) -> bytes:
        """Return the ledger as a JSON file with a digest; DataError if too large to read. 0.1 s for 100 000 rows."""
        releases = [
            {**each.terms_as_json(), "order": " ".join(map(str, each.order.tolist())), "csv": each.csv}
            for each in self.releases
        ]
        said = {
            "format": FORMAT,
            "version": VERSION,
            "program": PROGRAM,
            "people": self.people.as_json() if self.rows else None,
            "outcome": self.outcome and self.outcome.as_json(),
            "private": self.private and asdict(self.private),
            "releases": releases,
            "answers": [vars(answer) for answer in self.answers],
        }
        found = files.json_bytes({**said, "digest": files.digest(files.json_bytes(said))})
        if len(found) > MOST_BYTES:
            raise DataError(
                f"The ledger would be larger than {files.size(MOST_BYTES)}, and nobody could read it again; this table "
                "cannot be released again."
            )
        return found

    @classmethod
    def from_bytes(cls, data: bytes) -> "Ledger":
        """Return the ledger in a file that `to_bytes` made. Raises DataError, one sentence, for anything else."""
        with reading("The ledger", len(data)):
            found = files.parse_json(files.utf8(data, "The ledger", ANEW), "The ledger", ANEW)
            files.format_and_version("The ledger", found, FORMAT, VERSION)
            assert isinstance(found, dict)
            said = decoded("The ledger", found, _Record)
            parts = {key: value for key, value in found.items() if key != "digest"}
            if said.digest != files.digest(files.json_bytes(parts)):
                raise DataError(f"The ledger is not as it was written (its digest differs); {ANEW}.")
            return _fitting_together(said)


@dataclass(frozen=True)
class _Release(TermsRecord):
    order: Text
    csv: Digest

    def released(self, number: int, rows: int) -> Released:
        """Return the release as it is remembered; raise DataError if it does not fit its place, or the records."""
        if self.release != number:
            raise DataError(f"Release {number} of the ledger has the number {self.release}; {ANEW}.")
        try:
            order = np.array([int(record) for record in self.order.split()], dtype=np.int64)
        except (ValueError, OverflowError):
            raise DataError(f"The order of release {number} holds something that is no record; {ANEW}.") from None
        if not len(order) or order.min() < 0 or order.max() >= rows or len(np.unique(order)) < len(order):
            raise DataError(
                f"The order of release {number} must hold different records from 0 to {rows - 1:,}; {ANEW}."
            )
        return Released(**self.terms(), order=order, csv=self.csv)


@dataclass(frozen=True)
class _Record:
    format: str
    version: int
    program: Text
    people: dict[str, Any] | None
    outcome: Outcome | None
    private: Private | None
    releases: tuple[_Release, ...]
    answers: tuple[Answered, ...]
    digest: str


def _fitting_together(said: _Record) -> Ledger:
    people = NOBODY if said.people is None else People.from_json(said.people)
    releases = tuple(each.released(number, len(people)) for number, each in enumerate(said.releases, start=1))
    if releases and said.outcome is None:
        raise DataError(f"The ledger has releases and no outcome; {ANEW}.")
    answers: dict[int | bytes, list[Answered]] = {}
    for place, answer in enumerate(said.answers, start=1):
        look()
        what = f"Answer {place} of the ledger"
        release = releases[files.whole_number(f"release of {files.lower(what)}", answer.release, 1, len(releases)) - 1]
        row = files.whole_number(f"row of {files.lower(what)}", answer.row, 1, release.rows)
        if release.record(row) != answer.record:
            raise DataError(
                f"{what} is for record {answer.record}, which is not row {row} of release {release.release}; {ANEW}."
            )
        if answer.exact != (said.private is None) or (answer.corrects and not answer.exact):
            exact = "" if answer.exact else "not "
            raise DataError(f"{what} is {exact}exact, other than the ledger's terms say; {ANEW}.")
        files.check_time("when", answer.when)
        whom = answer.record if answer.exact else people.digests[answer.record]
        before = answers.setdefault(whom, [])
        if bool(before) != answer.corrects:
            raise DataError(f"{what} is for somebody who was answered before; {ANEW}.")
        before.append(answer)
    return Ledger(people, said.outcome, said.private, releases, said.answers)


def _strictest(deltas: Iterable[float]) -> float:
    """Return the least δ of those that need one, 0 if none does."""
    return min((delta for delta in deltas if delta), default=0.0)


def _losses(releases: Sequence[ReleaseTerms]) -> tuple[float, list[float]]:
    """Return what neighbours lose in all these releases: the μ of the Gaussian ones, and the ε of each other one."""
    widest: dict[str, float] = {}
    for each in releases:
        for column in each.frame.columns:
            widest[column.name] = max(each.protected_distance * column.hide, widest.get(column.name, 0.0))
    total, pure = 0.0, []
    for each in releases:
        reach = each.reach(max(widest[column.name] / column.hide for column in each.frame.columns))
        if isinstance(each.mechanism, Radial):
            pure.append(reach / each.mechanism.scale)
        else:
            total += (reach / each.sigma) ** 2
    return math.sqrt(total), pure
