"""Rooms: their codes, what trying codes gets, and when a room ends."""

import gc
import inspect
import re
import secrets
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import numpy as np
import pytest

from privbo_core.classroom import House, RoomError, digest, house, limits
from privbo_core.classroom.house import KEY_LENGTH, LENGTH, LETTERS, clean, new_code
from privbo_core.classroom.limits import AWAY, LASTS, MINUTE, ROOMS, ROOMS_FROM_ONE, WRONG_FROM_ONE, WRONG_IN_ALL, place
from tests.helpers.played import Answer, Clock, Played

TEACHER = "0123456789abcdef" * 2
TOO_MANY, NONE_SUCH = "Too many wrong codes", "There is no room with this code"


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def rooms(clock):
    """A house whose clock stands still; its rooms are ended in the end, so that its sweeper goes."""
    kept = House(clock)
    yield kept
    for code in list(kept._rooms):
        kept.close(kept.find(code))


MADE_UP = count()


def refused(rooms, code, where="10.0.0.1", browser=None, key=""):
    """Return what is said to somebody who comes with a code; in a browser that is made up, if none is given."""
    with pytest.raises(RoomError) as said:
        rooms.room(code, where, browser or f"browser {next(MADE_UP)}", key)
    return str(said.value)


def wrong(rooms):
    """Return a code that no room has."""
    code = new_code()
    return wrong(rooms) if rooms.find(code) else code


def test_a_code_is_short_of_letters_that_nobody_takes_for_others_and_of_the_operating_system_s_dice(monkeypatch):
    codes = [new_code() for _ in range(2000)]
    assert ({len(code) for code in codes}, sorted(set("".join(codes)))) == ({LENGTH}, sorted(LETTERS))
    assert not set(LETTERS) & set("01OIL")
    assert len(set(codes)) >= 1999
    asked = []
    monkeypatch.setattr(secrets, "choice", lambda letters: asked.append(letters) or letters[3])
    assert (new_code(), asked) == (LETTERS[3] * LENGTH, [LETTERS] * LENGTH)


def test_limits_are_enough_for_a_school_leave_as_much_to_others_and_to_chance_what_they_say():
    """The figure in limits.py: with all rooms open, and as many tries as the house allows."""
    tries = WRONG_IN_ALL * (LASTS / MINUTE + 1)
    chance = 1 - (1 - ROOMS / len(LETTERS) ** LENGTH) ** tries
    said = float(re.search(r"with a chance of ([\d.]+) %", re.sub(r"\s+", " ", inspect.getsource(limits))).group(1))
    assert round(100 * chance, 2) == said
    assert limits.SEATS_FROM_ONE >= 60
    assert limits.SEATS >= 2 * limits.SEATS_FROM_ONE
    assert ROOMS >= 2 * ROOMS_FROM_ONE
    assert WRONG_FROM_ONE >= 2 * limits.SEATS_FROM_ONE
    assert WRONG_IN_ALL >= 5 * WRONG_FROM_ONE


@pytest.mark.parametrize("first", ["23456789ABCDEFG", "Z", LETTERS])
def test_rooms_of_one_process_begin_with_its_letters(first):
    house = House(first=first)
    codes = [house.open(f"teacher {number}", str(number)).code for number in range(ROOMS)]
    assert {code[0] for code in codes} <= set(first)
    assert all(house.room(code).code == code and not house.elsewhere(code) for code in codes)
    for code in codes:
        house.close(house.find(code))


@pytest.mark.parametrize("first", ["", "O", "2O", "a"])
def test_letters_that_no_code_has_are_refused(first):
    with pytest.raises(ValueError, match="it takes one or more of the letters"):
        House(first=first)


def test_a_code_of_another_process_is_told_from_a_wrong_one(clock):
    house = House(clock, first="2345")
    assert house.elsewhere("zz-99 99")
    assert not house.elsewhere("2Z9999")
    assert not any(house.elsewhere(code) for code in ("zz99", "", "ZZ99999"))
    for _ in range(2 * WRONG_FROM_ONE):
        assert "not open any more" in refused(house, "ZZ9999")
    assert NONE_SUCH in refused(house, "2Z9999")  # what cannot be here was no try at what is


@pytest.mark.parametrize("typed", ["{0}", " {0} ", "{1}-{2}", "{1} {2}", "{3}", "\t{3}\n"])
def test_a_code_may_be_typed_as_people_do(rooms, typed):
    room = rooms.open(TEACHER)
    code = room.code
    assert rooms.room(typed.format(code, code[:3], code[3:], code.lower())) is room


@pytest.mark.parametrize("typed", ["", " ", "A" * 10**6, "\ud800", "\0" * 50, "22222", "2222222", "' OR 1=1", "²²²²²²"])
def test_what_is_no_code_leads_nowhere(rooms, typed):
    rooms.open(TEACHER)
    assert refused(rooms, typed).startswith(NONE_SUCH)
    assert len(clean(typed)) <= LENGTH + 1


def test_who_comes_by_the_picture_is_let_in_whatever_others_have_tried(rooms):
    room, other = rooms.open(TEACHER), rooms.open("another")
    for k in range(2 * WRONG_IN_ALL):
        refused(rooms, wrong(rooms), f"10.0.0.{k % 9}")
    for where in ("10.0.0.1", "192.168.0.9"):
        assert rooms.room(room.code, where, "one", room.key) is room
        for code, key in ((room.code, ""), (room.code, other.key), (wrong(rooms), room.key), (room.code, "\udcff")):
            assert refused(rooms, code, where, key=key).startswith(TOO_MANY), "a key is of one room, and no code"
    assert (len({room.key, other.key}), {len(room.key), len(other.key)}) == (2, {KEY_LENGTH})


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("10.0.0.1", "10.0.0.2", False),
        ("10.0.0.1", "::ffff:10.0.0.1", True),
        ("::ffff:10.0.0.1", "::ffff:10.0.0.2", False),
        ("2001:db8:0:1::1", "2001:DB8:0:1:ffff:ffff:ffff:ffff", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("", "10.0.0.1", False),
        ("no address", "\ud800", False),
    ],
)
def test_an_address_is_counted_by_what_one_machine_has_and_is_not_kept(one, other, same):
    assert (place(one) == place(other)) is same
    assert re.fullmatch("[0-9a-f]{64}", place(one))
    assert place(one) != digest(one), "nobody can look it up"


@pytest.mark.parametrize(
    ("browser", "most", "other"),
    [
        ("one", limits.WRONG_FROM_BROWSER, ("10.0.0.1", "another behind it")),
        (None, WRONG_FROM_ONE, ("10.0.0.2", "other")),
    ],
)
def test_too_many_wrong_codes_from_a_browser_or_address_stop_it_and_none_beside_it(rooms, clock, browser, most, other):
    room = rooms.open(TEACHER)
    room.join(digest("there"))  # else it ends within the minute
    for k in range(most):
        assert refused(rooms, wrong(rooms), browser=browser).startswith(NONE_SUCH), k
    assert refused(rooms, wrong(rooms), browser=browser).startswith(TOO_MANY)
    assert rooms.room(room.code, *other) is room
    for late in (0, MINUTE - 1):
        clock.now += late
        for _ in range(100):  # else the limit says which codes are right; trying on does not make it longer
            assert refused(rooms, room.code, browser=browser).startswith(TOO_MANY)
    clock.now += 1.1
    assert rooms.room(room.code, "10.0.0.1", browser or "new") is room


def test_too_many_wrong_codes_from_everywhere_stop_everybody_for_a_minute(rooms, clock):
    room = rooms.open(TEACHER)
    room.join(digest("there"))  # else it ends within the minute
    found = 0
    for k in range(2 * WRONG_IN_ALL):
        found += refused(rooms, wrong(rooms), f"10.0.{k % 256}.{k // 256}").startswith(NONE_SUCH)
    assert found == WRONG_IN_ALL
    assert refused(rooms, room.code, "192.168.0.9").startswith(TOO_MANY)
    assert len(rooms._wrong) == WRONG_IN_ALL, "what is remembered of it does not grow"
    clock.now += MINUTE + 0.1
    assert rooms.room(room.code, "192.168.0.9") is room
    assert not rooms._wrong


def test_however_it_is_paced_no_minute_has_more_tries_than_allowed(rooms, clock):
    counted = []
    dice = np.random.default_rng(4)
    while clock.now < 1000 + 3 * MINUTE:
        clock.now += dice.exponential(0.02 if dice.random() < 0.99 else 5)
        if refused(rooms, wrong(rooms), str(dice.integers(400))).startswith(NONE_SUCH):
            counted.append(clock.now)
    counted = np.array(counted)
    inside = np.searchsorted(counted, counted + MINUTE) - np.arange(len(counted))
    assert inside.max() == WRONG_IN_ALL


def test_neither_a_right_code_nor_coming_back_with_one_is_counted_and_the_latter_tells_nothing(rooms):
    room = rooms.open(TEACHER)
    for _ in range(5 * WRONG_FROM_ONE):
        assert rooms.room(room.code, "10.0.0.1") is room
    assert rooms.find(room.code) is room
    assert all(rooms.find(wrong(rooms)) is None for _ in range(300))
    assert not rooms._wrong


def test_a_teacher_has_one_room_and_keeps_it_and_of_a_secret_only_a_digest_is_kept(rooms):
    room = rooms.open(TEACHER)
    assert rooms.open(TEACHER) is room is rooms.of_teacher(TEACHER)
    assert rooms.of_teacher("f" * 32) is None
    assert rooms.of_teacher(room.teacher) is None, "what the house keeps of a teacher does not make one"
    assert rooms.of_teacher(room.code) is None
    assert rooms.open("f" * 32).code != room.code
    room.join(digest("f" * 32), "Ada")
    kept = repr([vars(rooms), vars(room), [vars(pupil) for pupil in room.pupils]])
    assert TEACHER not in kept
    assert "f" * 32 not in kept


def test_many_at_once_open_one_room_for_one_teacher(rooms):
    opened, gate = [], threading.Barrier(20)

    def open_it():
        gate.wait()
        opened.append(rooms.open(TEACHER))

    with ThreadPoolExecutor(20) as pool:
        for _ in range(20):
            pool.submit(open_it)
    assert (len(set(map(id, opened))), len(rooms._rooms)) == (1, 1)


@pytest.mark.parametrize(
    ("most", "addresses", "said"),
    [(ROOMS_FROM_ONE, 1, f"^{ROOMS_FROM_ONE} rooms have been opened from your network"),
     (ROOMS, ROOMS, "All rooms of this server are taken")],
)  # fmt: skip
def test_a_full_house_or_network_says_so_and_has_a_room_again_when_one_ends(rooms, most, addresses, said):
    for k in range(most):
        rooms.open(f"teacher {k}", f"{k % addresses}")
    with pytest.raises(RoomError, match=said):
        rooms.open("one more", "0")
    if most < ROOMS:
        assert all(rooms.open(f"elsewhere {k}", f"10.1.0.{k}") for k in range(ROOMS - most))
    assert rooms.open("teacher 3", "0") is rooms.of_teacher("teacher 3")
    rooms.close(rooms.of_teacher("teacher 3"))
    assert rooms.open("one more", "0")


def test_two_rooms_never_have_one_code(rooms, monkeypatch):
    drawn = iter(["ABCDEF", "ABCDEF", "ABCDEF", "BCDEFG"])
    monkeypatch.setattr(house, "new_code", lambda first: next(drawn))
    assert [rooms.open(str(k)).code for k in range(2)] == ["ABCDEF", "BCDEFG"]


def test_a_room_ends_after_two_hours_and_one_that_nobody_is_in_a_minute_after_its_teacher_has_gone(rooms, clock):
    room = rooms.open(TEACHER)
    room.join(digest("one"))
    assert LASTS == 2 * 3600
    for now in clock.now + np.append(np.arange(0, LASTS, AWAY / 3), LASTS + 0.1):
        assert rooms.of_teacher(TEACHER) is room
        clock.now = now
        room.tick()
    assert rooms.of_teacher(TEACHER) is None
    assert room.ended
    empty, left, used = (rooms.open(name, name) for name in ("one", "two", "three"))
    left.remove(left.join(digest("gone again")).number)
    used.join(digest("there"))
    clock.now += limits.AWAY_FROM_NOBODY - 1
    rooms.sweep()
    assert not empty.ended
    empty.tick()
    clock.now += 2
    rooms.sweep()
    assert [room.ended for room in (empty, left, used)] == [False, True, False]
    clock.now += limits.AWAY_FROM_NOBODY
    rooms.sweep()
    assert [room.ended for room in (empty, left, used)] == [True, True, False]


def test_a_room_ends_when_its_teacher_has_been_away_for_long_but_not_on_another_page(rooms, clock):
    room = rooms.open(TEACHER)
    pupil = room.join(digest("one"))
    clock.now += AWAY - 1
    room.tick()
    clock.now += AWAY - 1
    rooms.sweep()
    assert not room.ended
    room.answer(pupil, "anything", 1)  # a phone that is there does not hold it open
    clock.now += 2
    assert refused(rooms, room.code).startswith(NONE_SUCH)
    assert room.ended
    room = rooms.open(TEACHER)
    room.join(digest("one"))
    for _ in range(4):
        clock.now += AWAY - 1
        assert rooms.of_teacher(TEACHER) is room
    assert rooms.of_teacher("f" * 32) is None
    clock.now += AWAY + 1
    assert rooms.of_teacher(TEACHER) is None


def test_rooms_end_by_themselves_where_nobody_looks(rooms, clock, monkeypatch):
    swept = threading.Event()
    monkeypatch.setattr(house, "SWEPT", 0.01)
    room = rooms.open(TEACHER)
    end, done = room.end, []
    monkeypatch.setattr(room, "end", lambda: (end(), done.append(1), swept.set()))
    clock.now += LASTS + 1
    assert swept.wait(30)
    assert room.ended
    assert done == [1]
    if sweeper := rooms._sweeper:
        sweeper.join(30)
    assert rooms._sweeper is None, "nothing is left running for an empty house"
    assert rooms.open(TEACHER) is not room
    assert rooms._sweeper is not None


def test_when_a_room_has_ended_nothing_of_it_is_left(rooms, clock):
    room = rooms.open(TEACHER)
    room.begin("kind", Played())
    pupil, answer = room.join(digest("one"), "Ada"), Answer()
    room.answer(pupil, "question", answer)
    with room.look() as experiment:
        kept = [weakref.ref(each) for each in (pupil, answer, experiment)]
    del pupil, answer, experiment
    assert all(each() is not None for each in kept)
    clock.now += AWAY + 1
    rooms.sweep()
    gc.collect()
    assert [each() for each in kept] == [None] * 3, "although somebody still holds the room itself"
    with room.look() as experiment:
        assert (room.pupils, room.kind, experiment, rooms.find(room.code)) == ([], "", None, None)
    gone = weakref.ref(room)
    del room
    gc.collect()
    assert gone() is None, "the house does not hold it"


def test_a_room_that_has_ended_does_not_take_another_of_its_code_along(rooms, monkeypatch):
    monkeypatch.setattr(house, "new_code", lambda first: "ABCDEF")
    old = rooms.open(TEACHER)
    rooms.close(old)
    new = rooms.open(TEACHER)
    rooms.close(old)
    assert rooms.room("ABCDEF") is new
    assert not new.ended
