"""What would you accept? The ε of a release for one's own record, and what the service may lose by it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from privbo_core.classroom.room import News

EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Where the first slider stops."""
COSTS = (0, 1, 2, 5, 10, 20)
"""Where the second stops: so many more tests."""
FEW = 5
"""Answers, or changes of answers, that are shown together: a bar that moves for one alone is that one's answer."""
QUESTION = "accept"

Wish = tuple[int, int]
"""The places of somebody's largest ε and largest cost."""


@dataclass(frozen=True)
class Offer:
    """A point of the trade-off curve: what this ε costs, in ``more`` tests, and the interval in which that lies."""

    epsilon: float
    more: int
    low: int
    high: int

    def suits(self, wish: Wish) -> bool:
        """Whether somebody who set their sliders so accepts it."""
        return self.epsilon <= EPSILONS[wish[0]] and self.more <= COSTS[wish[1]]


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
        """Whether more than half accept an offer."""
        return 2 * self.accepting[place] > self.of


@dataclass(frozen=True)
class Decision:
    """What was decided: the offer, how many of how many accepted it, and when."""

    offer: Offer
    accepting: int
    of: int
    when: datetime


@dataclass(frozen=True)
class Seen:
    """What the projector may show: counts only, and none of fewer than `FEW`."""

    closed: bool
    pupils: int
    answered: int
    offers: tuple[Offer, ...] | None
    counts: Counts | None
    decision: Decision | None


class Accept:
    """A class that says what it would accept. ``offered`` hands in the curve once it has been computed elsewhere.

    Counts change only when `FEW` people have answered or changed their mind since they were last shown, and once when
    the answers are closed.
    """

    def __init__(self, offered: Offered) -> None:
        self._offered = offered
        self._offers: tuple[Offer, ...] | None = None
        self._wishes: dict[int, Wish | None] = {}
        self._shown: list[Wish] = []
        self._changed: set[int] = set()
        self._gone = 0
        self._closed = False
        self._decision: Decision | None = None

    def enter(self, pupil: int) -> None:
        """Take somebody in, without an answer."""
        self._wishes[pupil] = None

    def leave(self, pupil: int) -> None:
        """Forget somebody; what is shown of all together changes when `FEW` have changed."""
        if self._wishes.pop(pupil, None) is not None and not self._closed:
            self._gone += 1
        self._changed.discard(pupil)
        if self._answered < FEW:
            self._shown = []
        self._show()

    def answer(self, pupil: int, question: str, value: object) -> News:
        """Take where somebody's two sliders stand. They may move them until the teacher closes.

        With the answer that makes them enough to be shown, the teacher may close them.
        """
        wish = _read(value)
        if self._closed or question != QUESTION or wish is None or pupil not in self._wishes:
            return News.NOTHING
        if wish == self._wishes[pupil]:
            return News.NOTHING
        before, self._wishes[pupil] = self._answered, wish
        self._changed.add(pupil)
        self._show()
        return News.DESK if before < FEW <= self._answered else News.SCREEN

    def close(self) -> News:
        """Take no more answers, and count those that there are."""
        if self._closed:
            return News.NOTHING
        self._show(anyway=True)
        self._closed = True
        return News.EVERYBODY

    def reopen(self) -> News:
        """Take answers again, where there were too few to be shown; else a bar may move for one who changes theirs."""
        if not self._closed or self._counts() is not None:
            return News.NOTHING
        self._closed = False
        return News.EVERYBODY

    def record(self, place: int, when: datetime) -> News:
        """Record that the class decides for the offer in this place. Only once all answers are in and may be shown."""
        counts = self._counts() if self._closed else None
        if counts is None or self._offers is None or place not in range(len(self._offers)):
            return News.NOTHING
        self._decision = Decision(self._offers[place], counts.accepting[place], counts.of, when)
        return News.EVERYBODY

    def tick(self, now: float) -> News:
        """Look whether the curve is there by now."""
        if self._offers is not None:
            return News.NOTHING
        self._offers = self._offered()
        if self._offers is None:
            return News.NOTHING
        return News.EVERYBODY if self._closed else News.SCREEN

    @property
    def closed(self) -> bool:
        """Whether no more answers are taken."""
        return self._closed

    @property
    def decision(self) -> Decision | None:
        """What was decided."""
        return self._decision

    def wish(self, pupil: int) -> Wish | None:
        """Return what somebody has answered themselves."""
        return self._wishes.get(pupil)

    def seen(self) -> Seen:
        """Return what the projector may show."""
        return Seen(self._closed, len(self._wishes), self._answered, self._offers, self._counts(), self._decision)

    @property
    def _answered(self) -> int:
        return sum(wish is not None for wish in self._wishes.values())

    def _show(self, *, anyway: bool = False) -> None:
        """Count anew what is shown, if enough have changed."""
        if self._closed or self._answered < FEW or (len(self._changed) + self._gone < FEW and not anyway):
            return
        # In no order that says who came first.
        self._shown = sorted(wish for wish in self._wishes.values() if wish is not None)
        self._changed.clear()
        self._gone = 0

    def _counts(self) -> Counts | None:
        if len(self._shown) < FEW:
            return None
        epsilons, costs = zip(*self._shown, strict=True)
        return Counts(
            of=len(self._shown),
            epsilons=tuple(np.bincount(epsilons, minlength=len(EPSILONS)).tolist()),
            costs=tuple(np.bincount(costs, minlength=len(COSTS)).tolist()),
            accepting=tuple(sum(map(offer.suits, self._shown)) for offer in self._offers or ()),
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
