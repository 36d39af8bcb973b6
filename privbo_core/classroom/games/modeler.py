"""Be the modeler: everybody searches the same released map for the best record, as the product’s own search does."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from privbo_core.bo import Band, band
from privbo_core.classroom.ground import Leg
from privbo_core.classroom.room import Experiment, News
from privbo_core.errors import Array

Phase = Literal["waiting", "playing", "over"]
MOST_LEGS = 4


@dataclass(frozen=True)
class Tested:
    """A row that somebody knows: its outcome, and the share of the other records that are worse."""

    row: int
    outcome: float
    share: float


@dataclass(frozen=True, eq=False)
class Turn:
    """What one pupil is asked: which row of the map to test next. ``key`` is empty where nothing is asked of them.

    ``points``: the released map, n×2, as it is shown; None before there is one. ``tested``: the first rows, then their
    own tests in order. ``regrets``: in each leg so far, how far their best one is from the best there is; None before
    their first test.
    """

    phase: Phase
    key: str = ""
    made: int = 0
    tests: int = 0
    points: Array | None = None
    tested: tuple[Tested, ...] = ()
    regrets: tuple[float | None, ...] = ()


@dataclass(frozen=True, eq=False)
class Seen:
    """What the class has done on one map, all in the unit of the outcome.

    ``people[t − 1]``: the mean regret after t tests of all who have begun; whoever made fewer counts with their best so
    far, so that it never rises. NaN where nobody made so many. ``errors``: its standard error, ∞ for a single pupil.
    ``counts[t − 1]``: how many made t tests or more. ``machine``: the search on `ground.MAPS` maps like this one;
    ``here``: on this one; ``chance``: blind taps.
    ``taps``: for each row of the map how many pupils tapped it at their latest test.
    """

    leg: Leg
    people: Array
    errors: Array
    counts: tuple[int, ...]
    taps: tuple[int, ...]
    playing: int
    machine: Band
    here: Array
    chance: Array

    @property
    def finished(self) -> int:
        return self.counts[-1]

    @property
    def reached(self) -> int:
        """How many tests somebody has made: so far the curve of the class goes."""
        return sum(count > 0 for count in self.counts)


class ModelerGame(Experiment):
    """A game of one or more legs, each on another release of the same records at a smaller ε. Not thread-safe.

    Everybody has the same map and the same first rows, and taps at their own speed.
    """

    def __init__(self) -> None:
        self.phase: Phase = "waiting"
        self.legs: tuple[Leg, ...] = ()  # The maps that were played on, the last of them now.
        self._rows: list[dict[int, list[int]]] = []
        self._pupils: set[int] = set()

    def enter(self, pupil: int) -> None:
        """Take somebody in; whoever is late begins with the first test of the present map."""
        self._pupils.add(pupil)

    def leave(self, pupil: int) -> None:
        self._pupils.discard(pupil)
        for rows in self._rows:
            rows.pop(pupil, None)

    def begin(self, leg: Leg) -> News:
        """Give everybody the first map. It was made before (`make_leg`), for that takes longer than a lock may."""
        return self._play(leg) if self.phase == "waiting" else News.NOTHING

    def next(self, leg: Leg) -> News:
        """Give everybody a map of the same records, released at a smaller ε."""
        if self.phase != "playing" or len(self.legs) >= MOST_LEGS:
            return News.NOTHING
        last = self.legs[-1]
        like_it = (leg.ground, leg.map.mechanism, leg.tests) == (last.ground, last.map.mechanism, last.tests)
        return self._play(leg) if like_it and leg.map.epsilon < last.map.epsilon else News.NOTHING

    def end(self) -> News:
        if self.phase != "playing":
            return News.NOTHING
        self.phase = "over"
        return News.EVERYBODY

    def _play(self, leg: Leg) -> News:
        self.phase = "playing"
        self.legs = (*self.legs, leg)
        self._rows.append({})
        return News.EVERYBODY

    def answer(self, pupil: int, question: str, value: object) -> News:
        """Take the row that a pupil tests next: a number of the map that they do not know yet."""
        asked = self._key(pupil)
        if not asked or question != asked or type(value) is not int:
            return News.NOTHING
        leg, mine = self.legs[-1], self._rows[-1].get(pupil, [])
        if not 0 <= value < len(leg.map.order) or value in leg.map.initial or value in mine:
            return News.NOTHING
        self._rows[-1][pupil] = [*mine, value]
        return News.SCREEN

    def question(self, pupil: int) -> Turn:
        if not self.legs:
            return Turn(self.phase)
        leg, mine = self.legs[-1], self._rows[-1].get(pupil, [])
        tested = tuple(
            Tested(row, float(leg.ground.outcome[leg.map.order[row]]), float(leg.ground.shares[leg.map.order[row]]))
            for row in (*leg.map.initial, *mine)
        )
        regrets = tuple(self._regrets(number, pupil) for number in range(len(self.legs)))
        last = tuple(float(found[-1]) if len(found) else None for found in regrets)
        return Turn(self.phase, self._key(pupil), len(mine), leg.tests, leg.map.shown, tested, last)

    def seen(self) -> tuple[Seen, ...]:
        return tuple(self._seen(number, leg) for number, leg in enumerate(self.legs))

    def _seen(self, number: int, leg: Leg) -> Seen:
        curves = [self._regrets(number, pupil) for pupil in self._rows[number]]
        counts = tuple(sum(len(curve) > t for curve in curves) for t in range(leg.tests))
        best = [[curve[min(t, len(curve) - 1)] for curve in curves] if counts[t] else [] for t in range(leg.tests)]
        latest = [rows[-1] for rows in self._rows[number].values()]
        return Seen(
            leg,
            np.array([np.mean(each) if each else np.nan for each in best]),
            np.array([np.std(each, ddof=1) / len(each) ** 0.5 if len(each) > 1 else np.inf for each in best]),
            counts,
            tuple(int(count) for count in np.bincount(latest, minlength=len(leg.map.order))),
            len(self._pupils),
            band(list(leg.machine)),
            leg.here.simple_regret,
            leg.chance,
        )

    def _regrets(self, number: int, pupil: int) -> Array:
        """Return a pupil's simple regret after each of their tests on a map: of the best of all rows that they know."""
        leg = self.legs[number]
        known = [*leg.map.initial, *self._rows[number].get(pupil, [])]
        return np.asarray(np.minimum.accumulate(leg.ground.regrets[leg.map.order[known]])[len(leg.map.initial) :])

    def _key(self, pupil: int) -> str:
        """Return the key of what is asked of a pupil: which map, and which of their tests."""
        if self.phase != "playing" or pupil not in self._pupils:
            return ""
        made = len(self._rows[-1].get(pupil, []))
        return f"test/{len(self.legs)}/{made + 1}" if made < self.legs[-1].tests else ""
