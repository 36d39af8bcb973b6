"""One room: who is in it, under which name, and what of their answers counts."""

import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest

from privbo_core.classroom import News, Room, RoomError, digest
from privbo_core.classroom.limits import SEATS, SEATS_FROM_ONE
from privbo_core.classroom.room import ANIMALS, BURST, LONGEST_NAME
from tests.helpers.played import Answer, Clock, Played


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def room(clock):
    return Room("ABCDEF", digest("teacher"), clock)


@pytest.fixture
def played(room):
    experiment = Played()
    room.begin("kind", experiment)
    return experiment


def test_the_same_browser_twice_is_one_pupil_and_nobody_outside_can_answer(room, played):
    ada = room.join(digest("one"), "Ada")
    again = room.join(digest("one"), "Somebody else")
    assert again is ada is room.pupil(digest("one"))
    assert (ada.name, len(room.pupils), list(played.said)) == ("Ada", 1, [ada.number])
    assert room.pupil(digest("two")) is None
    room.door = False
    assert room.join(digest("one")) is ada, "the door is closed to others"
    other = Room("BCDEFG", digest("other")).join(digest("one"))
    assert other.number == ada.number
    assert room.answer(other, "q", 1) is News.NOTHING
    assert played.said == {ada.number: []}


def test_an_answer_that_comes_after_a_later_one_to_its_question_changes_nothing(room, played):
    ada = room.join(digest("one"))
    for question, value, number in (("q", "first", 1), ("q", "later", 3), ("q", "late", 2), ("r", "next", 2)):
        room.answer(ada, question, value, number)
    assert [value for _, value in played.said[ada.number]] == ["first", "later", "next"]


def test_numbers_count_from_one_and_are_never_given_again_and_a_closed_door_keeps_others_out_and_says_so(room):
    numbers = [room.join(digest(str(k))).number for k in range(5)]
    room.remove(5)
    numbers.append(room.join(digest("late")).number)
    assert numbers == [1, 2, 3, 4, 5, 6]
    room.door = False
    with pytest.raises(RoomError, match="door of this room is closed"):
        room.join(digest("one"))
    room.door = True
    assert room.join(digest("one"))


@pytest.mark.parametrize(
    ("most", "addresses", "said"), [(SEATS_FROM_ONE, 1, "60 phones of your network"), (SEATS, 2, "places for 120")]
)
def test_there_are_so_many_places_and_each_removed_phone_frees_one(room, most, addresses, said):
    for k in range(most):
        room.join(digest(str(k)), where=str(k % addresses))
    with pytest.raises(RoomError, match=said):
        room.join(digest("one more"), where="0")
    if addresses == 1:
        assert room.join(digest("of another network"), where="1")
    assert room.join(digest("7"), where="0").number == 8
    room.remove(7)
    assert room.join(digest("one more"), where="0").number > most


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Ada", "Ada"),
        ("  Ada   Lovelace \n", "Ada Lovelace"),
        ("<b>Ada</b>", "<b>Ada</b>"),
        ("**Ada** $x$ :red[y]", "**Ada** $x$ :red[y]"),
        ("Ada\u202egnirts", "Ada gnirts"),
        ("A\u200bd\u200ba", "A d a"),
        ("Zoë 🦊", "Zoë 🦊"),
        ("x" * 1000, "x" * LONGEST_NAME),
        ("\x00\x1b[31mAda", "[31mAda"),
    ],
)
def test_a_name_is_plain_text(room, typed, name):
    assert room.join(digest("one"), typed).name == name


@pytest.mark.parametrize("typed", ["", "   ", "\n\t", "\u200b\u200d", "\ud800", "\x00" * 500, " " * 300 + "Ada"])
def test_whoever_gives_no_name_is_an_animal(room, typed):
    assert room.join(digest("one"), typed).name in ANIMALS


def test_nobody_has_somebody_elses_name_and_animals_are_not_given_in_a_row(room):
    first, second, third = (room.join(digest(str(k)), name) for k, name in enumerate(("Ada", "ada", "ADA ")))
    assert first.name == "Ada"
    assert {second.name, third.name} < set(ANIMALS)
    fox = room.join(digest("fox"), "fox")
    others = [room.join(digest(f"other {k}")) for k in range(SEATS_FROM_ONE - 4)]
    names = [pupil.name.casefold() for pupil in (first, second, third, fox, *others)]
    assert len(set(names)) == SEATS_FROM_ONE
    assert len(set(ANIMALS)) == len(ANIMALS) > SEATS_FROM_ONE
    assert all(len(animal) <= LONGEST_NAME for animal in ANIMALS)
    orders = {tuple(Room("A", "t").join(digest("one")).name for _ in range(6)) for _ in range(5)}
    assert len(orders) > 1


def test_when_all_animals_are_taken_there_are_guests(room):
    room.join(digest("sly"), "Guest 1")
    names = [room.join(digest(str(k)), where=str(k)).name for k in range(len(ANIMALS) + 2)]
    assert set(names) == {*ANIMALS, "Guest 2", "Guest 3"}


def test_a_removed_pupil_is_out_with_all_their_answers(room, played):
    ada, ben = room.join(digest("one"), "Ada"), room.join(digest("two"), "Ben")
    room.answer(ada, "first", 1)
    before = room.calls
    room.remove(ada.number)
    assert room.calls > before, "their phone looks again"
    assert played.left == [ada.number]
    assert ada.number not in played.said
    assert room.answer(ada, "second", 2) is News.NOTHING
    assert room.pupil(digest("one")) is None
    assert room.pupils == [ben]
    room.remove(ada.number)
    room.remove(-1)
    assert played.left == [ada.number]
    gone = weakref.ref(ada)
    del ada
    gc.collect()
    assert gone() is None


def test_who_comes_late_is_in_and_who_was_in_before_is_told_to_the_next_experiment(room):
    early = room.join(digest("one"))
    first, second = Played(), Played()
    room.begin("first", first)
    late = room.join(digest("two"))
    assert list(first.said) == [early.number, late.number]
    gone = weakref.ref(first)
    del first
    room.begin("second", second)
    gc.collect()
    assert gone() is None, "nothing is kept of what was played before"
    assert (list(second.said), room.kind) == ([early.number, late.number], "second")
    room.begin("", None)
    assert room.act(lambda experiment: News.EVERYBODY) is News.NOTHING
    assert room.answer(early, "late", 1) is News.NOTHING
    assert room.tick() is News.NOTHING


def test_those_look_again_whom_it_concerns_and_a_room_knows_whether_somebody_has_answered(room, played):
    ada = room.join(digest("one"))
    for question, news in (("nothing", (0, 0, 0)), ("mine", (1, 0, 0)), ("desk", (1, 1, 0)), ("all", (1, 1, 1))):
        version, turns, calls = room.version, room.turns, room.calls
        room.answer(ada, question, 1)
        assert room.answered == (question != "nothing")
        assert (room.version - version, room.turns - turns, room.calls - calls) == news
    version = room.version
    room.join(digest("two"))
    assert room.version > version, "the projector shows who is in"
    room.begin("kind", Played())
    assert not room.answered


def test_who_waits_for_a_call_goes_on_with_it_and_with_nothing_less(room, played):
    seen = room.calls
    with ThreadPoolExecutor() as pool:
        waiting = [pool.submit(room.await_call, seen, 60.0) for _ in range(3)]
        assert room.act(lambda _: News.SCREEN) is News.SCREEN
        assert not room.await_call(seen, 0.0)
        room.begin("other", Played())
        assert all(one.result(timeout=30.0) for one in waiting)
    assert room.await_call(seen, 0.0)


def test_a_phone_that_answers_without_a_pause_is_not_listened_to(room, played, clock):
    ada, ben = room.join(digest("one")), room.join(digest("two"))
    for _ in range(1000):
        clock.now += 0.001
        news = room.answer(ada, "q", 1)
    assert len(played.said[ada.number]) == BURST
    assert news is News.LATER, "and hears of it"
    assert len(ada.recent) <= BURST + 1
    room.answer(ben, "q", 1)
    assert len(played.said[ben.number]) == 1, "which is nobody else's loss"
    clock.now += 1.1
    room.answer(ada, "q", 2)
    assert played.said[ada.number][-1] == ("q", 2)


def test_an_experiment_is_told_one_thing_at_a_time_by_sixty_phones(room, clock):
    played = Played()
    room.begin("kind", played)
    gate, times = threading.Barrier(SEATS_FROM_ONE + 2), 50

    def phone(k):
        gate.wait()
        pupil = room.join(digest(str(k)))
        for number in range(times):
            pupil.recent.clear()
            room.answer(pupil, f"mine/{number}", k)
            with room.look() as experiment:
                assert experiment is played
            assert len(room.pupils) <= SEATS_FROM_ONE

    def teacher():
        gate.wait()
        for _ in range(200):
            room.tick()
            room.act(lambda experiment: experiment.tick(0.0))

    with ThreadPoolExecutor(SEATS_FROM_ONE + 2) as pool:
        done = [pool.submit(phone, k) for k in range(SEATS_FROM_ONE)] + [pool.submit(teacher) for _ in range(2)]
    assert not [each.exception() for each in done if each.exception()]
    assert (played.clashes, sorted(played.said)) == (0, list(range(1, SEATS_FROM_ONE + 1)))
    for said in played.said.values():  # answers stay their own
        assert said == [(f"mine/{number}", said[0][1]) for number in range(times)]
    assert (len(played.ticks), room.version) == (800, SEATS_FROM_ONE * (1 + times) + 1)


def test_whoever_still_holds_a_room_that_has_ended_holds_nothing_of_anybody(room):
    room.begin("kind", Played())
    ada, answer = room.join(digest("one"), "Ada"), Answer()
    room.answer(ada, "q", answer)
    gone, calls = [weakref.ref(each) for each in (ada, answer)], room.calls
    room.end()
    assert room.calls > calls, "all phones look again"
    assert room.answer(ada, "q", 1) is News.NOTHING
    del ada, answer
    gc.collect()
    assert [each() for each in gone] == [None, None]
    with pytest.raises(RoomError, match="has ended"):
        room.join(digest("one"))
    room.begin("kind", Played())
    with room.look() as experiment:
        assert experiment is None
