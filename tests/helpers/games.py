"""What a class does in “What would you accept?” and “Be the attacker”, and games in which it was done."""

from datetime import UTC, datetime

import numpy as np

from privbo_core.classroom import News
from privbo_core.classroom.games.accept import EPSILONS, FEW, QUESTION, Accept, Offer
from privbo_core.classroom.games.attacker import TRIES, key

CURVE = tuple(
    Offer(epsilon, more, more - 1, more + 2) for epsilon, more in zip(EPSILONS, (21, 29, 18, 7, 6, 0, 1), strict=True)
)
NOW = datetime(2026, 3, 4, 12, 30, tzinfo=UTC)


def wish(epsilon, cost):
    return {"epsilon": epsilon, "cost": cost}


def answered(wishes, pupils=6, curve=CURVE):
    """Return a question that so many pupils were asked, and the first of them have answered."""
    found = Accept(lambda: curve)
    for pupil in range(1, pupils + 1):
        found.enter(pupil)
    found.tick(0.0)
    for pupil, each in enumerate(wishes, start=1):
        assert found.answer(pupil, QUESTION, wish(*each)) is (News.DESK if pupil == FEW else News.SCREEN)
    return found


def closed(wishes, place=None, **how):
    """Return one whose answers are closed; with the decision for the offer in this place."""
    found = answered(wishes, **how)
    found.close()
    if place is not None:
        found.record(place, NOW)
    return found


def attack(found, pupil, choose, tries=TRIES):
    """Let a pupil answer so many tries, if there are so many."""
    for _ in range(tries):
        if asked := found.question(pupil):
            assert found.answer(pupil, key(asked), choose(asked)) > News.NOTHING


def nearest(pair):
    """The attack that nothing beats: name the nearer candidate."""
    return min("ab", key=lambda name: np.hypot(*np.subtract(pair.released, getattr(pair, name))))


def less(remainder):
    return "a" if remainder.over_a < remainder.over_b else "b"
