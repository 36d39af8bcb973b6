"""A class that attacks: what it is told, what it can reach, and what a phone can do to it."""

import numpy as np
import pytest
from scipy.stats import binom

from privbo_core.classroom import News
from privbo_core.classroom.games import attacker as module
from privbo_core.classroom.games.attacker import EPSILONS, TESTS, TRIES, Attacker, Share, Stage, key, most
from privbo_core.data import sample
from tests.helpers.games import attack, less, nearest

NONSENSE = [None, True, 0, "", "c", "A", "ab", b"a", ["a"], {"a": 1}]


def attacker(envelope=0, pupils=3, seed=5):
    found = Attacker(sample("hospital"), np.random.default_rng(seed))
    for pupil in range(1, pupils + 1):
        found.enter(pupil)
    if envelope is not None:
        found.seal(envelope)
        found.begin()
    return found


def refuting(pupils):
    found = attacker(0, pupils)
    found.reveal()
    found.project()
    return found


def envelope_of(epsilon, seed):
    """The place of the envelope that holds this ε, found by opening each of four rooms with the same dice."""
    for envelope in range(len(EPSILONS)):
        found = attacker(envelope, 1, seed)
        found.reveal()
        if found.seen().epsilon == epsilon:
            return envelope
    raise AssertionError("no envelope holds it")


@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_the_best_attackers_reach_the_bound_and_do_not_exceed_it(epsilon):
    found = attacker(envelope_of(epsilon, 11), 150, 11)
    for pupil in range(1, 151):
        attack(found, pupil, nearest)
    right, tries, bound = found.seen().guessed.right, 150 * TRIES, most(epsilon).gaussian
    assert len(found.seen().guesses) == tries
    assert binom.cdf(right, tries, bound) > 1e-4
    assert binom.sf(right - 1, tries, bound) > 1e-4


def rounder(pair):
    """Name whose age is nearer to a whole number, as the sample's are and those of a neighbour are not."""
    ages = [sample("hospital").frame.to_original(each)[0] for each in (pair.a, pair.b)]
    return "a" if abs(ages[0] - round(ages[0])) < abs(ages[1] - round(ages[1])) else "b"


def test_neither_the_names_nor_the_records_tell_which_is_real():
    found, right = attacker(0, 150, 3), []
    for pupil in range(1, 151):
        while pair := found.question(pupil):
            found.answer(pupil, key(pair), "a")
            named = "a", min("ab", key=lambda name: getattr(pair, name)), rounder(pair)
            right.append([(name == "a") == found.last(pupil) for name in named])
    for habit in np.sum(right, axis=0):
        assert 1e-4 < binom.cdf(habit, 150 * TRIES, 0.5) < 1 - 1e-4


def test_candidates_differ_by_exactly_the_protected_distance_within_the_bounds_by_dice_of_their_own():
    found = attacker(2, 40)
    bounds = sample("hospital").frame.bounds
    for pupil in range(1, 41):
        pair = found.question(pupil)
        assert np.hypot(*np.subtract(pair.a, pair.b)) == pytest.approx(1.0, abs=2e-3)
        for record in (pair.a, pair.b):
            assert (bounds[:, 0] - 1e-3 <= record).all()
            assert (record <= bounds[:, 1] + 1e-3).all()
    assert len({found.question(pupil).released for pupil in range(1, 31)}) == 30


def test_nothing_tells_epsilon_before_the_envelope_is_opened():
    """Four envelopes in an order of this room's own: the same letter holds another ε elsewhere."""
    opened = set()
    for seed in range(20):
        found = attacker(0, 2, seed)
        assert found.seen().epsilon is None
        found.reveal()
        opened.add(found.seen().epsilon)
    assert opened == set(EPSILONS)


def test_acts_have_their_order():
    found = attacker(None)
    assert found.begin() is News.NOTHING
    assert [act() for act in (found.reveal, found.project, found.end)] == [News.NOTHING] * 3
    for wrong in (-1, 4):
        assert found.seal(wrong) is News.NOTHING
    assert found.question(1) is None
    assert [found.seal(envelope) for envelope in (1, 1, 2)] == [News.SCREEN, News.NOTHING, News.SCREEN]
    stages = []
    for act in (found.begin, found.reveal, found.project, found.end):
        assert [act(), act()] == [News.EVERYBODY, News.NOTHING]
        stages.append(found.seen().stage)
    assert stages == [Stage.GUESSING, Stage.REVEALED, Stage.TESTING, Stage.OVER]
    assert found.seal(0) is News.NOTHING
    assert found.seen().envelope == 2


@pytest.mark.parametrize("value", NONSENSE)
def test_what_no_phone_can_mean_changes_nothing(value):
    found = attacker()
    asked, seen = found.question(1), found.seen()
    for question in (key(asked), "guess/2", "guess/0", "guess/-1", "", "test/1", "a"):
        assert found.answer(1, question, value) is News.NOTHING
    assert (found.question(1), found.seen()) == (asked, seen)


def test_an_answer_counts_once_for_its_own_try_only_before_the_reveal_and_nobody_answers_more_often():
    found = attacker()
    first = found.question(1)
    said = [found.answer(1, *each) for each in (("guess/2", "a"), *((key(first), value) for value in "aab"))]
    assert said == [News.NOTHING, News.DESK, News.NOTHING, News.NOTHING]
    assert len(found.seen().guesses) == found.score(1).of == 1
    assert found.question(1).number == 2
    assert found.answer(9, key(first), "a") is News.NOTHING
    found = attacker()
    attack(found, 1, nearest)
    assert found.score(1).of == TRIES
    assert found.answer(1, f"guess/{TRIES + 1}", "a") is News.NOTHING
    assert (found.seen().finished, found.score(2)) == (1, Share(0, 0))
    found = attacker()
    asked = found.question(1)
    found.reveal()
    assert found.question(1) is None
    assert found.answer(1, key(asked), "a") is News.NOTHING
    assert found.seen().guesses == ()


def over(found, envelope):
    """Play an envelope to the end."""
    found.seal(envelope)
    for act in (found.begin, found.reveal, found.project, found.end):
        assert act() is News.EVERYBODY
    return found.seen().epsilon


def test_another_envelope_is_one_of_those_that_are_closed_and_before_the_last_is_known_four_new_ones_come():
    found = attacker(None)
    assert found.again() is News.NOTHING
    first = over(found, 1)
    assert found.seen().opened == (None, first, None, None)
    assert [found.again(), found.again(), found.seal(1)] == [News.EVERYBODY, News.NOTHING, News.NOTHING]
    second = over(found, 3)
    assert found.seen().opened == (None, first, None, second)
    assert first != second
    found.again()
    found.seal(0)
    for act in (found.begin, found.reveal):  # the projection may be left out
        act()
    assert found.seen().epsilon not in (first, second)
    assert [found.again(), found.stage] == [News.EVERYBODY, Stage.SEALING]
    found, orders = attacker(None, 1), set()
    for _ in range(6):
        order = []
        for place in (2, 0, 1):
            order.append(over(found, place))
            assert found.again() is News.EVERYBODY
        assert (found.seen().opened, len(set(order))) == ((None,) * 4, 3)
        orders.add(tuple(order))
    assert len(orders) > 1


def test_of_the_tries_before_nothing_counts_in_another_round():
    found = attacker(0)
    stale = key(found.question(1))
    attack(found, 1, nearest)
    for act in (found.reveal, found.project):
        act()
    attack(found, 1, less)
    found.enter(4)
    assert found.late(4)
    assert not found.late(1)
    found.end()
    found.again()
    assert found.seen().guessed == found.seen().tested == found.score(1) == Share(0, 0)
    assert found.cloud == ()
    assert not found.late(4)
    found.seal(1)
    found.begin()
    assert found.question(1).number == found.question(4).number == 1
    assert key(found.question(1)) != stale
    assert found.answer(1, stale, "a") is News.NOTHING
    attack(found, 1, nearest)
    assert found.score(1).of == TRIES


def test_whoever_comes_late_has_tries_of_their_own_and_of_somebody_who_leaves_nothing_is_kept():
    found = attacker()
    attack(found, 1, nearest)
    found.enter(4)
    assert found.question(4).number == 1
    found.reveal()
    found.enter(5)
    assert found.question(5) is None
    found.project()
    assert isinstance(found.question(5), module.Remainder)
    found = attacker()
    attack(found, 1, nearest)
    pair = found.question(2)
    found.answer(2, key(pair), "a")
    found.leave(1)
    assert (len(found.seen().guesses), found.score(1)) == (1, Share(0, 0))
    assert found.question(1) is None
    assert found.answer(1, "guess/1", "a") is News.NOTHING
    found.leave(1)
    assert found.seen().pupils == 2


def test_with_the_test_in_hand_everybody_is_always_right_and_the_test_whatever_a_pupil_says():
    found = refuting(10)
    for pupil in range(1, 11):
        asked = found.question(pupil)
        low, high = sorted((asked.over_a, asked.over_b))
        assert low < 1e-12
        assert high > 1e-3
        attack(found, pupil, less)
        assert found.tests(pupil) == Share(TESTS, TESTS)
    seen = found.seen()
    assert seen.tests == seen.tested == Share(10 * TESTS, 10 * TESTS)
    assert seen.finished == 10
    # So many are more than the paper's promise allows.
    assert seen.tests.interval[0] > most(module.PROMISED).any
    found = refuting(1)
    attack(found, 1, lambda asked: "ab".replace(less(asked), ""))
    assert (found.seen().tests, found.seen().tested) == (Share(0, TESTS), Share(TESTS, TESTS))
    # Records are told in their own units.
    asked, problem = refuting(1).question(1), sample("hospital")
    near = [np.abs(problem.original - each).sum(axis=1).min() for each in (asked.a, asked.b)]
    assert min(near) < 1e-9
    apart = np.subtract(asked.a, asked.b) / problem.frame.hide
    assert np.hypot(*apart) == pytest.approx(1.0)


def test_an_interval_holds_its_share():
    assert (Share(0, 0).interval, Share(0, 0).value) == ((0.0, 1.0), 0.5)
    low, high = Share(61, 100).interval
    assert (low, high) == (pytest.approx(0.507, abs=1e-3), pytest.approx(0.706, abs=1e-3))
    assert Share(100, 100).interval[1] == 1.0
