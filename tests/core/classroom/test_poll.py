"""A question to a room: one answer each, which nobody sees before all are shown, and which no phone can spoil."""

import pytest

from privbo_core.classroom import News
from privbo_core.classroom.games.poll import Poll

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
    said = [asked.answer(pupil, asked.key, option) for pupil, option in ((1, "a"), (1, "a"), (1, "c"), (2, "c"))]
    assert said == [News.SCREEN, News.NOTHING, News.SCREEN, News.SCREEN]
    assert ((asked.answer_of(1), asked.answer_of(3)), (asked.answered, asked.pupils)) == (("c", None), (2, 4))
    asked.enter(1)
    assert asked.answer_of(1) == "c", "whoever comes back is who they were"


def test_counts_come_when_all_are_shown_and_then_nothing_counts_any_more():
    asked = poll()
    asked.answer(1, asked.key, "a")
    asked.answer(2, asked.key, "c")
    assert asked.counts() is None
    assert asked.settle("c") is News.NOTHING
    assert [asked.show() for _ in range(2)] == [News.EVERYBODY, News.NOTHING]
    assert asked.answer(1, asked.key, "b") is News.NOTHING
    assert asked.counts() == {"a": 1, "b": 0, "c": 1}
    settled = [asked.settle(key) for key in ("c", "c", "none of them", "a")]  # what was asked has one answer
    assert (settled, asked.right) == ([News.EVERYBODY, *[News.NOTHING] * 3], "c")


@pytest.mark.parametrize("value", NONSENSE, ids=lambda value: repr(value)[:20])
def test_what_is_no_option_changes_nothing(value):
    before, asked = poll(), poll()
    assert before.key != asked.key
    asked.answer(1, asked.key, "b")
    for said in ((1, asked.key, value), (1, before.key, "a"), (99, asked.key, "a")):  # or stale, or from a stranger
        assert asked.answer(*said) is News.NOTHING
    assert (asked.tick(1e9), asked.answer_of(1), asked.answered) == (News.NOTHING, "b", 1)


def test_whoever_leaves_takes_the_answer_along():
    asked = poll()
    asked.answer(1, asked.key, "a")
    asked.answer(2, asked.key, "a")
    asked.leave(1)
    asked.leave(99)
    asked.show()
    assert (asked.counts(), (asked.answered, asked.pupils)) == ({"a": 1, "b": 0, "c": 0}, (1, 3))
    assert asked.answer_of(1) is None
