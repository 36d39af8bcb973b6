"""A question to a room: one answer each, which nobody sees before all are shown, and which no phone can spoil."""

import pytest

from privbo_core.classroom import News, Room, digest
from privbo_core.classroom.poll import Poll

OPTIONS = {"a": "The search", "b": "Neither", "c": "Chance"}
NONSENSE = [
    None, True, 0, 1.5, float("nan"), "", "A", "d", b"a", ["a"], ("a",), {"a": 1}, object(), "a" * 10**6, 10**400,
]  # fmt: skip


def poll(pupils=4):
    found = Poll("lesson/step", "Who is nearer?", OPTIONS)
    for pupil in range(1, pupils + 1):
        found.enter(pupil)
    return found


def test_everybody_has_one_answer_and_may_change_it():
    asked = poll()
    assert asked.answer(1, asked.key, "a") is News.SCREEN
    assert asked.answer(1, asked.key, "a") is News.NOTHING
    assert asked.answer(1, asked.key, "c") is News.SCREEN
    assert asked.answer(2, asked.key, "c") is News.SCREEN
    assert (asked.said(1), asked.said(3)) == ("c", None)
    assert (asked.answered, asked.pupils) == (2, 4)
    asked.enter(1)
    assert asked.said(1) == "c", "whoever comes back is who they were"


def test_counts_come_when_all_are_shown_and_then_nothing_counts_any_more():
    asked = poll()
    asked.answer(1, asked.key, "a")
    asked.answer(2, asked.key, "c")
    assert asked.counts() is None
    assert asked.settle("c") is News.NOTHING
    assert asked.show() is News.EVERYBODY
    assert asked.show() is News.NOTHING
    assert asked.counts() == {"a": 1, "b": 0, "c": 1}
    assert asked.answer(1, asked.key, "b") is News.NOTHING
    assert asked.counts() == {"a": 1, "b": 0, "c": 1}
    assert asked.settle("c") is News.EVERYBODY
    assert asked.settle("c") is News.NOTHING
    assert asked.settle("none of them") is News.NOTHING
    assert asked.settle("a") is News.NOTHING, "what was asked has one answer"
    assert asked.right == "c"


@pytest.mark.parametrize("value", NONSENSE, ids=lambda value: repr(value)[:20])
def test_what_is_no_option_changes_nothing(value):
    asked = poll()
    asked.answer(1, asked.key, "b")
    assert asked.answer(1, asked.key, value) is News.NOTHING
    assert asked.said(1) == "b"


def test_stale_questions_and_strangers_are_not_heard():
    before, asked = poll(), poll()
    assert before.key != asked.key
    assert asked.answer(1, before.key, "a") is News.NOTHING
    assert asked.answer(99, asked.key, "a") is News.NOTHING
    assert asked.tick(1e9) is News.NOTHING
    assert asked.answered == 0


def test_whoever_leaves_takes_the_answer_along():
    asked = poll()
    asked.answer(1, asked.key, "a")
    asked.answer(2, asked.key, "a")
    asked.leave(1)
    asked.leave(99)
    asked.show()
    assert asked.counts() == {"a": 1, "b": 0, "c": 0}
    assert (asked.answered, asked.pupils) == (1, 3)
    assert asked.said(1) is None


def test_it_is_played_in_a_room():
    room = Room("ABCDEF", digest("teacher"))
    early = room.join(digest("one"))
    asked = Poll("lesson/step", "Who is nearer?", OPTIONS)
    room.begin("poll", asked)
    late = room.join(digest("two"))
    calls, version = room.calls, room.version
    for pupil in (early, late):
        assert room.answer(pupil, asked.key, "b") is News.SCREEN
    assert room.calls == calls, "no other phone hears of an answer"
    assert room.version > version
    assert room.act(Poll.show) is News.EVERYBODY
    assert room.calls > calls
    assert asked.counts() == {"a": 0, "b": 2, "c": 0}
