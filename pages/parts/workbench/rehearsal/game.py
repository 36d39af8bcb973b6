"""A rehearsal: one release of a sample, two searches with the same tests, the visitor's and the machine's."""

from dataclasses import dataclass, field

import numpy as np

from pages.parts.system import usual
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


@dataclass(frozen=True)
class Rules:
    """What is played for: a sample at an ε, how many tests each has, whether the visitor chooses or answers."""

    sample: str
    epsilon: float
    tests: int
    by_hand: bool


@dataclass
class Game:
    """What is going on: the visitor chooses by hand against the machine, or answers it.

    ``mine`` are the visitor's tests, ``theirs`` the machine's.
    """

    held: Held
    rules: Rules
    curator: Curator
    package: Package
    machine: Modeler
    mine: list[Test] = field(default_factory=list)
    theirs: list[Test] = field(default_factory=list)

    @classmethod
    def begin(cls, held: Held, rules: Rules) -> "Game":
        """Release the sample, and seat the machine."""
        curator = Curator(held.cells, MemoryStore())
        package = curator.release_whole(held.frame, rules.epsilon, usual.DELTA, outcome=held.outcome)
        return cls(held, rules, curator, package, Modeler(package))

    @property
    def by_hand(self) -> bool:
        """Whether the visitor chooses."""
        return self.rules.by_hand

    @property
    def tests(self) -> int:
        """How many tests each has."""
        return self.rules.tests

    @property
    def done(self) -> int:
        """How many tests were made."""
        return len(self.mine) if self.by_hand else len(self.theirs)

    @property
    def over(self) -> bool:
        """Whether all tests were made."""
        return self.done >= self.tests

    @property
    def suggested(self) -> int:
        """The row that the machine asks for now."""
        pending = self.machine.pending
        return pending[0] if pending else self.machine.ask()[0].row

    def choose(self, row: int) -> None:
        """Test a row for the visitor; then the machine makes its own test.

        Raises DataError for a row that cannot be.
        """
        if not 1 <= row <= self.package.rows:
            raise DataError(f"There is no row {row}; rows go from 1 to {self.package.rows:,}.")
        if row in (test.row for test in self.mine):
            raise DataError(f"Row {row} was tested already; choose another.")
        self.mine.append(self._test(row))
        self.answer()

    def answer(self) -> None:
        """Answer what the machine asks."""
        test = self._test(self.suggested)
        self.machine.tell(test.row, test.value)
        self.theirs.append(test)

    def nearest(self, place: Array, columns: tuple[int, int]) -> int:
        """Return the row not tested yet that is nearest to a place on the map, counted in the map's own width."""
        points = self.package.values[:, list(columns)]
        away = (((points - place) / np.maximum(np.ptp(points, axis=0), 1e-300)) ** 2).sum(axis=1)
        away[[test.row - 1 for test in self.mine]] = np.inf
        return int(away.argmin()) + 1

    def rank(self, value: float) -> int:
        """Return how many records have a better outcome, plus one."""
        better = self.outcomes > value if self.held.outcome.larger_is_better else self.outcomes < value
        return int(better.sum()) + 1

    def best(self, tests: list[Test]) -> Array:
        """Return the best outcome so far, test by test."""
        return self._better.accumulate(np.array([test.value for test in tests]))

    def chance(self) -> Array:
        """Return the best outcome so far on average, test by test, of rows drawn by chance and none twice.

        With v₁ the best of n outcomes: E = Σₖ vₖ (Sₖ₋₁ − Sₖ), where Sₖ = Πⱼ (n − k − j)/(n − j), over j below t, is the
        probability that t draws leave out the k best.
        """
        values = np.sort(self.outcomes)[:: -1 if self.held.outcome.larger_is_better else 1]
        n, kept = len(values), np.arange(len(values) + 1)
        left_out, found = np.ones(n + 1), []
        for drawn in range(self.tests):
            left_out = left_out * np.maximum(n - kept - drawn, 0) / (n - drawn)
            found.append(float(values @ -np.diff(left_out)))
        return np.array(found)

    @property
    def outcomes(self) -> Array:
        """The outcomes of all records that were released."""
        released = self.held.table.dropna(subset=list(self.held.frame.names))
        return released[self.held.outcome.name].to_numpy(dtype=float)

    @property
    def lead(self) -> int:
        """Who has found more so far: 1 the visitor, −1 the machine, 0 neither."""
        return self._ahead(self.best(self.mine)[-1], self.best(self.theirs)[-1])

    @property
    def lead_over_chance(self) -> int:
        """Whether the machine has found more so far than chance does on average: 1, or −1."""
        return self._ahead(self.best(self.theirs)[-1], self.chance()[len(self.theirs) - 1])

    def _ahead(self, one: float, other: float) -> int:
        return int(np.sign(one - other)) * (1 if self.held.outcome.larger_is_better else -1)

    @property
    def _better(self) -> np.ufunc:
        return np.maximum if self.held.outcome.larger_is_better else np.minimum

    def _test(self, row: int) -> Test:
        answer = self.curator.answer(row)
        return Test(row, answer.record, answer.value)
