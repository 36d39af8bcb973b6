"""A rehearsal: one release of a sample, two searches with the same tests, the visitor's and the machine's."""

from dataclasses import dataclass, field

import numpy as np

from pages.parts.workbench.holder.table import Held
from privbo_core.errors import Array, DataError
from privbo_core.outsourced.parties.curator import Curator
from privbo_core.outsourced.parties.modeler import Modeler
from privbo_core.outsourced.parties.package import Package
from privbo_core.outsourced.parties.stores import MemoryStore


@dataclass(frozen=True)
class Test:
    """A row that was asked for, the record it came from (counted from 0), and what came out."""

    row: int
    record: int
    value: float


@dataclass
class Game:
    """What is going on: the visitor chooses by hand against the machine, or answers it.

    ``by_hand``: the visitor chooses. ``mine`` are the visitor's tests, ``theirs`` the machine's.
    """

    held: Held
    by_hand: bool
    tests: int
    curator: Curator
    package: Package
    machine: Modeler
    mine: list[Test] = field(default_factory=list)
    theirs: list[Test] = field(default_factory=list)

    @classmethod
    def begin(cls, held: Held, epsilon: float, delta: float, tests: int, *, by_hand: bool) -> "Game":
        """Release the sample, and seat the machine."""
        curator = Curator(held.table, MemoryStore())
        package = curator.release_whole(held.frame, epsilon, delta, outcome=held.outcome)
        return cls(held, by_hand, tests, curator, package, Modeler(package))

    @property
    def done(self) -> int:
        """How many tests were made."""
        return len(self.mine) if self.by_hand else len(self.theirs)

    @property
    def over(self) -> bool:
        """Whether all tests were made."""
        return self.done >= self.tests

    @property
    def asked(self) -> int:
        """The row that the machine asks for now."""
        pending = self.machine.pending
        return pending[0] if pending else self.machine.ask()[0].row

    def choose(self, row: int) -> None:
        """Test a row for the visitor; then the machine makes its own test. Raises DataError for a row that cannot be."""
        if not 1 <= row <= self.package.rows:
            raise DataError(f"There is no row {row}; rows go from 1 to {self.package.rows:,}.")
        if row in (test.row for test in self.mine):
            raise DataError(f"Row {row} was tested already; choose another.")
        self.mine.append(self._test(row))
        self.answer()

    def answer(self) -> None:
        """Answer what the machine asks."""
        test = self._test(self.asked)
        self.machine.tell(test.row, test.value)
        self.theirs.append(test)

    def nearest(self, place: Array, columns: tuple[int, int]) -> int:
        """Return the row not tested yet that is nearest to a place on the map, counted in the map's own width."""
        points = self.package.values[:, list(columns)]
        away = (((points - place) / np.maximum(np.ptp(points, axis=0), 1e-300)) ** 2).sum(axis=1)
        away[[test.row - 1 for test in self.mine]] = np.inf
        return int(away.argmin()) + 1

    def rank(self, value: float) -> int:
        """Return how many of the released records have a better outcome, plus one."""
        released = self.held.table.dropna(subset=list(self.held.frame.names))
        outcomes = released[self.held.outcome.name].to_numpy(dtype=float)
        better = outcomes > value if self.held.outcome.larger_is_better else outcomes < value
        return int(better.sum()) + 1

    def ranks(self, tests: list[Test]) -> list[int]:
        """Return the rank of the best found so far, test by test."""
        return [int(rank) for rank in np.minimum.accumulate([self.rank(test.value) for test in tests])]

    def _test(self, row: int) -> Test:
        answer = self.curator.answer(row)
        return Test(row, answer.record, answer.value)
