"""Every experiment, against a phone that sends anything at all."""

import pytest

from pages.parts.classroom.rooms import GAMES
from privbo_core.classroom import News, Room, digest
from privbo_core.classroom.ground import Ground, make_leg
from tests.helpers.played import Clock

BEGUN = {
    "attacker": lambda attacker: (attacker.seal(1), attacker.begin())[-1],
    "modeler": lambda game: game.begin(make_leg(Ground.draw("hospital"), "noisy", 8.0, 8)),
    "favourite": lambda favourite: favourite.begin(30, 1.0),
}
"""What a teacher does before anything is asked."""
HOSTILE = [
    None, True, False, 0, 1, -1, 3, 10**400, 1.5, float("nan"), float("inf"), "", "a", "b", "A", "0", "\ud800",
    "x" * 10**6,
    [], [0], [[]], {}, {"room": 1}, {"a": [{"b": []}]}, {"epsilon": 1}, {"epsilon": 10**400, "cost": float("nan")},
    {"epsilon": True, "cost": "1"}, {"epsilon": 1, "cost": 1, "more": [1] * 10_000}, [None] * 10_000,
]  # fmt: skip
QUESTIONS = (
    *("", "\ud800", "x" * 10**5, "accept", "lobby", "door"),
    *("guess/1", "guess/-1", "guess/1e9", "rate/0", "rate/x", "test/1"),
)


@pytest.mark.parametrize(
    ("kind", "begun"),
    [(kind, begun) for kind in GAMES for begun in sorted({False, kind.name in BEGUN})],
    ids=lambda each: getattr(each, "name", each),
)
def test_whatever_a_phone_sends_changes_nothing_but_its_own_screen(kind, begun):
    """In every experiment: what the other is asked, and shown of their own answers, stays to the letter."""
    clock = Clock()
    room = Room("ABCDEF", digest("teacher"), clock)
    room.begin(kind.name, kind.start())
    hostile, other = room.join(digest("one")), room.join(digest("two"))
    if begun:
        assert room.act(BEGUN[kind.name]) is News.EVERYBODY
    with room.look() as experiment:
        before = kind.screen(experiment, other.number)
        own = kind.screen(experiment, hostile.number).key
    for question in (*QUESTIONS, own):
        for value in HOSTILE:
            clock.now += 1.0
            assert room.answer(hostile, question, value) in News
    with room.look() as experiment:
        assert kind.screen(experiment, other.number) == before
        assert kind.show(experiment)
        assert kind.screen(experiment, hostile.number)
    assert room.tick() in News
    room.remove(hostile.number)
    with room.look() as experiment:
        assert kind.screen(experiment, other.number) == before
