"""What would you accept? The ε of a release for one's own record, and what the service may lose by it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from privbo_core.classroom.room import Experiment, News

EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Where the first slider stops."""
COSTS = (0, 1, 2, 5, 10, 20)  # Where the second stops: so many more tests.
FEW = 5  # The fewest answers that are shown, and that a bar stands for: a bar of one alone is that one's answer.
QUESTION = "accept"

Wish = tuple[int, int]  # The places of somebody's largest ε and largest cost.


@dataclass(frozen=True)
class Offer:
    """A point of the trade-off curve: what this ε costs, in ``more`` tests, and the interval in which that lies.

    ``open``: ``high`` is only where the searches end; it might be larger.
    """

    epsilon: float
    more: int
    low: int
    high: int
    open: bool = False

    @property
    def span(self) -> str:
        """The interval in words."""
        low = max(self.low, 0)
        return f"at least {low}" if self.open else f"{low} to {self.high}"

    def suits(self, wish: Wish) -> bool:
        return not any(self.beyond(wish))

    def beyond(self, wish: Wish) -> tuple[bool, bool]:
        """Return whether more leaks than such somebody accepts, and whether it costs more."""
        return self.epsilon > EPSILONS[wish[0]], self.more > COSTS[wish[1]]


Offered = Callable[[], tuple[Offer, ...] | None]
"""The finished curve; None until it is there. It is asked often, and answers at once."""


@dataclass(frozen=True)
class Counts:
    """How many of ``of`` set each stop of either slider, and how many accept each offer."""

    of: int
    epsilons: tuple[int, ...]
    costs: tuple[int, ...]
    accepting: tuple[int, ...]

    @property
    def best(self) -> int | None:
        """The place of the offer that most accept, the smallest ε of several; None before there are offers."""
        return int(np.argmax(self.accepting)) if self.accepting else None

    def majority(self, place: int) -> bool:
        return 2 * self.accepting[place] > self.of


Bar = tuple[int, int, int]
"""The first and the last stop that a bar is about, and how many answers stand there: `FEW` at least."""


def bars(numbers: tuple[int, ...]) -> tuple[Bar, ...]:
    """Return how many set which stops, neighbouring stops together until no bar stands for fewer than `FEW`."""
    found: list[Bar] = []
    first = number = 0
    for stop, more in enumerate(numbers):
        number += more
        if number >= FEW:
            found.append((first, stop, number))
            first, number = stop + 1, 0
    if found and first < len(numbers):
        begin, _, before = found.pop()
        found.append((begin, len(numbers) - 1, before + number))
    return tuple(found)


@dataclass(frozen=True)
class Decision:
    """What was decided: the offer, how many of how many accepted it, and when."""

    offer: Offer
    accepting: int
    of: int
    when: datetime

    @property
    def majority(self) -> bool:
        return 2 * self.accepting > self.of


@dataclass(frozen=True)
class Seen:
    """What the projector may show: counts only, and none of fewer than `FEW`."""

    closed: bool
    pupils: int
    answered: int
    offers: tuple[Offer, ...] | None
    counts: Counts | None
    decision: Decision | None


class Accept(Experiment):
    """A class that says what it would accept. ``offered`` hands in the curve once it has been computed elsewhere.

    Answers are counted when they are closed, all at once: one that came alone would show by what it changes.
    """

    def __init__(self, offered: Offered) -> None:
        self._offered = offered
        self._offers: tuple[Offer, ...] | None = None
        self._wishes: dict[int, Wish | None] = {}
        self._counted: tuple[Wish, ...] = ()
        self.closed = False
        self.decision: Decision | None = None

    def enter(self, pupil: int) -> None:
        self._wishes[pupil] = None

    def leave(self, pupil: int) -> None:
        """Forget somebody. What was counted with them stays while enough others are there to hide them."""
        self._wishes.pop(pupil, None)
        if self._answered < FEW:
            self._counted = ()

    def answer(self, pupil: int, question: str, value: object) -> News:
        """Take where somebody's two sliders stand. They may move them until the teacher closes.

        With the answer that makes them enough to be shown, the teacher may close them.
        """
        wish = _read(value)
        if self.closed or question != QUESTION or wish is None or wish == self._wishes.get(pupil, wish):
            return News.NOTHING
        before, self._wishes[pupil] = self._answered, wish
        return News.DESK if before < FEW <= self._answered else News.SCREEN

    def close(self) -> News:
        if self.closed:
            return News.NOTHING
        self.closed = True
        self._counted = tuple(wish for wish in self._wishes.values() if wish is not None)
        return News.EVERYBODY

    def reopen(self) -> News:
        """Take answers again, where there were too few to be shown; else one who changes theirs would show."""
        if not self.closed or self._counts() is not None:
            return News.NOTHING
        self.closed = False
        return News.EVERYBODY

    def record(self, place: int, when: datetime) -> News:
        """Record that the class decides for the offer in this place. Only once all answers are in and may be shown."""
        counts = self._counts() if self.closed else None
        if counts is None or self._offers is None or place not in range(len(self._offers)):
            return News.NOTHING
        self.decision = Decision(self._offers[place], counts.accepting[place], counts.of, when)
        return News.EVERYBODY

    def tick(self, now: float) -> News:
        if self._offers is not None:
            return News.NOTHING
        self._offers = self._offered()
        if self._offers is None:
            return News.NOTHING
        return News.EVERYBODY if self.closed else News.SCREEN

    def wish(self, pupil: int) -> Wish | None:
        return self._wishes.get(pupil)

    def seen(self) -> Seen:
        return Seen(self.closed, len(self._wishes), self._answered, self._offers, self._counts(), self.decision)

    @property
    def _answered(self) -> int:
        return sum(wish is not None for wish in self._wishes.values())

    def _counts(self) -> Counts | None:
        if len(self._counted) < FEW:
            return None
        epsilons, costs = zip(*self._counted, strict=True)
        return Counts(
            of=len(self._counted),
            epsilons=tuple(np.bincount(epsilons, minlength=len(EPSILONS)).tolist()),
            costs=tuple(np.bincount(costs, minlength=len(COSTS)).tolist()),
            accepting=tuple(sum(map(offer.suits, self._counted)) for offer in self._offers or ()),
        )


def _read(value: object) -> Wish | None:
    """Return where two sliders stand, from whatever a phone sent."""
    if not isinstance(value, dict) or set(map(type, value)) != {str} or set(value) != {"epsilon", "cost"}:
        return None
    epsilon, cost = value["epsilon"], value["cost"]
    # A bool is an int to Python, and no place.
    if type(epsilon) is not int or type(cost) is not int:
        return None
    return (epsilon, cost) if 0 <= epsilon < len(EPSILONS) and 0 <= cost < len(COSTS) else None
