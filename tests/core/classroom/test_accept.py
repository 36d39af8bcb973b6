"""What a class would accept, and a question to it: what is counted and shown, and what a phone can do to it."""

import pytest

from privbo_core.classroom import News
from privbo_core.classroom.games.accept import COSTS, EPSILONS, FEW, QUESTION, Accept, Decision, bars
from privbo_core.classroom.games.poll import Poll
from tests.helpers.games import CURVE, NOW, answered, closed, wish

NONSENSE = [
    None, 3, [3, 1], {}, {"epsilon": 3}, {3: 3, None: 1}, {"epsilon": 3, "cost": 1, "more": 1},
    *({"epsilon": each, "cost": 1} for each in ("3", 3.0, True, None, [3], -1, len(EPSILONS), 10**400)),
    *({"epsilon": 3, "cost": each} for each in ("1", True, -1, len(COSTS))),
]  # fmt: skip


def test_it_is_counted_who_would_accept_each_offer_and_not_shown_who_answered_first():
    counts = closed([(3, 3), (3, 4), (5, 3), (6, 0), (0, 5)]).seen().counts
    assert (counts.of, counts.epsilons, counts.costs) == (5, (1, 0, 0, 2, 0, 1, 1), (1, 0, 0, 2, 1, 1))
    # ε = 1 costs 7 tests: the second takes both. ε = 5 costs none: the third and the fourth take it.
    assert (counts.accepting, counts.best) == ((0, 0, 0, 1, 0, 2, 0), 5)
    assert not counts.majority(5)
    counts = closed([(6, 5)] * 5).seen().counts
    assert (counts.accepting, counts.best) == ((0, 0, 5, 5, 5, 5, 5), 2)  # of as many the smallest ε
    for willing, majority in ((3, False), (4, True)):  # more than half
        counts = closed([(5, 0)] * willing + [(0, 0)] * (6 - willing)).seen().counts
        assert (counts.of, counts.accepting[5], counts.majority(5)) == (6, willing, majority)
    one = closed([(3, 3), (6, 0), (0, 5), (2, 2), (1, 1)])
    other = closed([(1, 1), (2, 2), (0, 5), (6, 0), (3, 3)])
    assert one.seen() == other.seen()


def test_fewer_than_five_answers_are_not_shown_nor_what_is_left_of_more():
    found = answered([(3, 3)] * (FEW - 1))
    assert found.seen().counts is None
    assert found.seen().answered == FEW - 1
    found.close()
    assert found.seen().counts is None
    assert found.record(0, NOW) is News.NOTHING
    found = closed([(3, 3)] * 5)
    found.leave(1)
    assert found.seen().counts is None


@pytest.mark.parametrize(
    ("numbers", "joined"),
    [
        ((5, 0, 0, 0), ((0, 3, 5),)),
        ((1, 1, 1, 2), ((0, 3, 5),)),
        ((6, 1, 5, 0, 7), ((0, 0, 6), (1, 2, 6), (3, 4, 7))),
        ((0, 5, 4, 0), ((0, 3, 9),)),
        ((1, 1, 1, 1), ()),
    ],
)
def test_no_bar_stands_for_fewer_than_five_and_every_stop_is_in_one(numbers, joined):
    assert bars(numbers) == joined


def test_nothing_is_counted_before_closing_and_then_everybody_as_they_are():
    found = answered([(3, 3)] * 5 + [(6, 0)])
    found.answer(2, QUESTION, wish(6, 0))
    found.leave(6)
    assert found.wish(6) is None
    assert found.answer(6, QUESTION, wish(0, 0)) is News.NOTHING
    assert found.seen().counts is None
    assert found.close() is News.EVERYBODY
    assert found.seen().counts.epsilons == (0, 0, 0, 4, 0, 0, 1)
    assert found.close() is News.NOTHING
    assert found.answer(1, QUESTION, wish(0, 0)) is News.NOTHING
    assert found.seen().closed
    assert found.seen().pupils == found.seen().answered == 5


@pytest.mark.parametrize("value", NONSENSE)
def test_what_no_phone_can_mean_changes_nothing(value):
    found = answered([(3, 3)] * 5)
    seen = found.seen()
    for said in (
        (1, QUESTION, value), (7, QUESTION, wish(0, 0)), (1, QUESTION, wish(3, 3)),
        *((1, question, wish(0, 0)) for question in ("", "accept/1", "guess/1", "epsilon")),
    ):  # fmt: skip
        assert found.answer(*said) is News.NOTHING
    assert (found.seen(), found.wish(1)) == (seen, (3, 3))


def test_whoever_comes_late_may_answer_and_answers_that_were_too_few_may_be_taken_again():
    found = answered([(3, 3)] * 4)
    found.enter(9)
    assert found.wish(9) is None
    assert [found.answer(9, QUESTION, wish(2, cost)) for cost in (5, 4)] == [News.DESK, News.SCREEN]
    found.close()
    assert found.seen().counts.of == 5
    found = answered([(3, 3)] * FEW)
    assert [found.reopen(), found.close(), found.reopen()] == [News.NOTHING, News.EVERYBODY, News.NOTHING]
    found.leave(1)
    assert [found.reopen(), found.closed, found.reopen()] == [News.EVERYBODY, False, News.NOTHING]
    answered_now = [found.answer(pupil, QUESTION, wish(*each)) for pupil, each in ((2, (5, 5)), (6, (0, 0)))]
    assert answered_now == [News.SCREEN, News.DESK]
    found.close()
    assert found.seen().counts.epsilons == (1, 0, 0, 3, 0, 1, 0)


def test_the_curve_may_come_late():
    curve = []
    found = Accept(lambda: curve[0] if curve else None)
    for pupil in range(1, 6):
        found.enter(pupil)
        found.answer(pupil, QUESTION, wish(6, 5))
    assert found.tick(0.0) is News.NOTHING
    found.close()
    assert found.seen().counts.accepting == ()
    assert found.seen().counts.best is None
    assert found.record(0, NOW) is News.NOTHING
    curve.append(CURVE)
    assert [found.tick(1.0), found.tick(2.0)] == [News.EVERYBODY, News.NOTHING]
    assert found.seen().counts.accepting == (0, 0, 5, 5, 5, 5, 5)


def test_a_decision_is_recorded_once_all_answers_are_in():
    found = answered([(3, 4)] * 4 + [(0, 0)])
    assert found.record(3, NOW) is News.NOTHING
    found.close()
    for place in (-1, len(CURVE)):
        assert found.record(place, NOW) is News.NOTHING
    assert found.record(3, NOW) is News.EVERYBODY
    assert found.decision == found.seen().decision == Decision(CURVE[3], 4, 5, NOW)


OPTIONS = {"a": "The search", "b": "Neither", "c": "Chance"}


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


@pytest.mark.parametrize("value", [None, True, 0, "", "A", b"a", ["a"], {"a": 1}])
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
