"""Be the attacker: which of two records was released? Through noise of an unknown ε, then through a projection."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from privbo_core.audit import column_space_test
from privbo_core.audit.lower_bound import upper_limits
from privbo_core.bo import CONFIDENCE
from privbo_core.classroom.ground import DELTA
from privbo_core.classroom.room import Experiment, News
from privbo_core.data import Problem
from privbo_core.errors import Array
from privbo_core.outsourced import curate, noisy_release
from privbo_core.privacy import TradeOff, gaussian_sigma, least_error

EPSILONS = (0.5, 3.0, 10.0, 30.0)
"""What is in the four envelopes."""
PROMISED = EPSILONS[0]  # The ε that the projection is run at: the strictest of the four.
TRIES, TESTS = 20, 5  # How often everybody guesses, and how often they use the test.
CLOUD, WARD, R = 400, 30, 10
"""Records whose release everybody sees; records that are projected, and to how many numbers each."""
EVEN = 0.5

Point = tuple[float, float]


class Stage(IntEnum):
    """How far a class has got."""

    SEALING = 0
    """The teacher chooses an envelope."""
    GUESSING = 1
    REVEALED = 2
    TESTING = 3
    """The same against the projection, with the test in hand."""
    OVER = 4


@dataclass(frozen=True)
class Pair:
    """A try: a ``released`` point and the two records that it may come from, in the frame.

    One of them was in the table, the other differs by exactly the protected distance. Which is which is not told.
    """

    number: int
    released: Point
    a: Point
    b: Point
    round: int = 1


@dataclass(frozen=True)
class Remainder:
    """A try with the test in hand: two records in original units, and what of the release each leaves over."""

    number: int
    a: Point
    b: Point
    over_a: float
    over_b: float
    round: int = 1


@dataclass(frozen=True)
class Share:
    """How many were right of so many, with the interval that holds the true share in 95 of 100 classes."""

    right: int
    of: int

    @property
    def value(self) -> float:
        """The share itself; that of a coin where nothing was tried."""
        return self.right / self.of if self.of else EVEN

    @property
    def interval(self) -> Point:
        """The limits of Clopper and Pearson."""
        if not self.of:
            return 0.0, 1.0
        high, wrong = upper_limits(np.array([self.right, self.of - self.right]), self.of, CONFIDENCE)
        return float(1.0 - wrong), float(high)


@dataclass(frozen=True)
class Most:
    """The share of tries in which the best attacker is right: through Gaussian noise of this (ε, δ), through any."""

    gaussian: float
    any: float


def most(epsilon: float) -> Most:
    """Return how often the best attacker is right at ``epsilon`` and `DELTA`, between two equally likely neighbours.

    1 − min_α (α + f(α))/2. For the Gaussian that is Φ(Δ/2σ), which whoever names the nearer candidate reaches.
    """
    line = TradeOff.gaussian(1.0 / gaussian_sigma(epsilon, DELTA, 1.0))
    return Most(1.0 - line.least_error(EVEN), 1.0 - least_error(EVEN, epsilon, DELTA))


@dataclass(frozen=True)
class Seen:
    """What everybody may see: nothing of an envelope's ε before it is opened.

    ``opened``: what was in each envelope that has been opened; None for closed ones. ``guesses``: right or not, in the
    order in which they came. ``tests``: of those who had the test, and ``tested`` of the test itself in the same
    tries.
    """

    stage: Stage
    envelope: int | None
    epsilon: float | None
    pupils: int
    finished: int
    guesses: tuple[bool, ...]
    tests: Share
    tested: Share
    opened: tuple[float | None, ...] = (None,) * len(EPSILONS)

    @property
    def guessed(self) -> Share:
        return Share(sum(self.guesses), len(self.guesses))


@dataclass
class _Sheet:
    """What is somebody's: how many tries they have answered, what they are asked, and which is right.

    ``late``: they came when the guessing was over.
    """

    late: bool = False
    guesses: int = 0
    tests: int = 0
    question: Pair | Remainder | None = None
    real: str = ""
    last: bool | None = None


class Attacker(Experiment):
    """A class that attacks. In every try a coin says which of two neighbouring records is in the table.

    So the try is the promise's own: whatever somebody knows of the sample, they are right at most as often as `most`
    says, in the long run.
    """

    def __init__(self, problem: Problem, rng: np.random.Generator | None = None) -> None:
        self._rng = np.random.default_rng() if rng is None else rng
        self._frame = problem.frame
        self._placed = self._frame.place(problem.original)
        self._order = self._shuffled()
        self._opened: set[int] = set()
        self._round = 1
        self._ward = self._some(WARD)
        self.stage = Stage.SEALING
        self._envelope: int | None = None
        self.cloud: tuple[Point, ...] = ()
        """The released points of other records, in the frame; empty until everybody begins."""
        self._sheets: dict[int, _Sheet] = {}
        self._guesses: list[tuple[int, bool]] = []
        self._tests: list[tuple[int, bool, bool]] = []

    def enter(self, pupil: int) -> None:
        self._sheets[pupil] = _Sheet(late=self.stage > Stage.GUESSING)
        self._ask(self._sheets[pupil])

    def leave(self, pupil: int) -> None:
        self._sheets.pop(pupil, None)
        self._guesses = [each for each in self._guesses if each[0] != pupil]
        self._tests = [each for each in self._tests if each[0] != pupil]

    def seal(self, envelope: int) -> News:
        """Choose one of the envelopes that are closed, by its place. It may be changed until everybody begins."""
        if self.stage is not Stage.SEALING or envelope == self._envelope:
            return News.NOTHING
        if envelope not in range(len(EPSILONS)) or envelope in self._opened:
            return News.NOTHING
        self._envelope = envelope
        return News.SCREEN

    def begin(self) -> News:
        return self._go(Stage.SEALING, Stage.GUESSING) if self._envelope is not None else News.NOTHING

    def reveal(self) -> News:
        return self._go(Stage.GUESSING, Stage.REVEALED)

    def project(self) -> News:
        return self._go(Stage.REVEALED, Stage.TESTING)

    def end(self) -> News:
        return self._go(Stage.TESTING, Stage.OVER)

    def again(self) -> News:
        """Put the tries aside, with or without the projection, and go back to the envelopes that are still closed.

        Four new ones come if only one is left: everybody would know what is in it.
        """
        if self.stage not in (Stage.REVEALED, Stage.OVER):
            return News.NOTHING
        news = self._go(self.stage, Stage.SEALING)
        if len(self._opened) >= len(EPSILONS) - 1:
            self._order, self._opened = self._shuffled(), set()
        self._round += 1
        self._envelope, self.cloud = None, ()
        self._guesses, self._tests = [], []
        self._sheets = {pupil: _Sheet() for pupil in self._sheets}
        return news

    def answer(self, pupil: int, question: str, value: object) -> News:
        """Take which of the two somebody names, in their try. After the first of all the envelope may be opened."""
        sheet = self._sheets.get(pupil)
        if sheet is None or sheet.question is None or question != key(sheet.question):
            return News.NOTHING
        if not isinstance(value, str) or value not in ("a", "b"):
            return News.NOTHING
        sheet.last = value == sheet.real
        if isinstance(sheet.question, Pair):
            sheet.guesses += 1
            self._guesses.append((pupil, sheet.last))
        else:
            sheet.tests += 1
            less = "a" if sheet.question.over_a < sheet.question.over_b else "b"
            self._tests.append((pupil, sheet.last, less == sheet.real))
        self._ask(sheet)
        return News.DESK if len(self._guesses) == 1 and not self._tests else News.SCREEN

    def question(self, pupil: int) -> Pair | Remainder | None:
        return self._sheets.get(pupil, _Sheet()).question

    def last(self, pupil: int) -> bool | None:
        """Return whether somebody's last answer of this stage was right; None before the first."""
        return self._sheets.get(pupil, _Sheet()).last

    def late(self, pupil: int) -> bool:
        """Return whether somebody came when the guessing was over."""
        return self._sheets.get(pupil, _Sheet()).late

    def score(self, pupil: int) -> Share:
        return _share([right for who, right in self._guesses if who == pupil])

    def tests(self, pupil: int) -> Share:
        return _share([right for who, right, _ in self._tests if who == pupil])

    def seen(self) -> Seen:
        opened = self.stage >= Stage.REVEALED
        testing = self.stage >= Stage.TESTING
        return Seen(
            stage=self.stage,
            envelope=self._envelope,
            epsilon=self._order[self._envelope] if opened and self._envelope is not None else None,
            pupils=len(self._sheets),
            finished=sum(
                sheet.tests >= TESTS if testing else sheet.guesses >= TRIES for sheet in self._sheets.values()
            ),
            guesses=tuple(right for _, right in self._guesses),
            tests=_share([right for _, right, _ in self._tests]),
            tested=_share([right for *_, right in self._tests]),
            opened=tuple(epsilon if place in self._opened else None for place, epsilon in enumerate(self._order)),
        )

    def _go(self, before: Stage, after: Stage) -> News:
        if self.stage is not before:
            return News.NOTHING
        self.stage = after
        if after is Stage.REVEALED and self._envelope is not None:
            self._opened.add(self._envelope)
        if after is Stage.GUESSING:
            self.cloud = tuple(map(_rounded, self._noisy(self._some(CLOUD))))
        for sheet in self._sheets.values():
            self._ask(sheet, anew=True)
        return News.EVERYBODY

    def _ask(self, sheet: _Sheet, *, anew: bool = False) -> None:
        """Draw somebody's next try, if there is one."""
        sheet.question, sheet.real = None, ""
        if anew:
            sheet.last = None
        if self.stage is Stage.GUESSING and sheet.guesses < TRIES:
            sheet.real = self._coin()
            a, b = self._candidates(self._placed[self._rng.integers(len(self._placed))])
            released = self._noisy((a if sheet.real == "a" else b)[None])[0]
            sheet.question = Pair(sheet.guesses + 1, _rounded(released), _rounded(a), _rounded(b), self._round)
        elif self.stage is Stage.TESTING and sheet.tests < TESTS:
            sheet.real = self._coin()
            sheet.question = self._remainder(sheet.tests + 1, sheet.real)

    def _remainder(self, number: int, real: str) -> Remainder:
        """Project the ward with the real record in it, and test both candidates."""
        row = int(self._rng.integers(WARD))
        a, b = self._candidates(self._ward[row])
        with_a, with_b = (np.vstack([self._ward[:row], each, self._ward[row + 1 :]]) for each in (a, b))
        release = curate(with_a if real == "a" else with_b, PROMISED, DELTA, R, self._rng)
        over_a, over_b = (column_space_test(release, candidate) for candidate in (with_a, with_b))
        shown_a, shown_b = (self._frame.to_original(each) for each in (a, b))
        return Remainder(number, _pair(shown_a), _pair(shown_b), over_a, over_b, self._round)

    def _candidates(self, record: Array) -> tuple[Array, Array]:
        """Return a record and one at exactly the protected distance, in any direction; a coin names them."""
        angle = self._rng.uniform(0.0, 2.0 * np.pi)
        step = np.array([np.cos(angle), np.sin(angle)])
        low, high = self._frame.bounds.T
        other = record + np.where((record + step < low) | (record + step > high), -step, step)
        return (record, other) if self._coin() == "a" else (other, record)

    def _noisy(self, points: Array) -> Array:
        assert self._envelope is not None
        epsilon = self._order[self._envelope]
        return noisy_release(points, epsilon, DELTA, bounds=self._frame.bounds, rng=self._rng).Z

    def _some(self, count: int) -> Array:
        return np.asarray(self._placed[self._rng.choice(len(self._placed), count, replace=False)])

    def _shuffled(self) -> list[float]:
        return [float(epsilon) for epsilon in self._rng.permutation(EPSILONS)]

    def _coin(self) -> str:
        return "ab"[int(self._rng.integers(2))]


def key(asked: Pair | Remainder) -> str:
    """Return the key that a try is asked under: another one in every round, so that a late answer is nobody's."""
    again = f"/{asked.round}" if asked.round > 1 else ""
    return f"{'guess' if isinstance(asked, Pair) else 'test'}/{asked.number}{again}"


def _share(right: list[bool]) -> Share:
    return Share(sum(right), len(right))


def _pair(point: Array) -> Point:
    return float(point[0]), float(point[1])


def _rounded(point: Array) -> Point:
    """Return a point to three decimals, finer than any screen; the digits behind them tell nothing then."""
    return round(float(point[0]), 3), round(float(point[1]), 3)
