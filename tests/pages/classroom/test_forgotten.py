"""After the end of a room this process holds nothing of it, although pages that were in it are still open."""

import gc
import weakref

from streamlit.runtime.state.common import TESTING_KEY

from pages.parts.classroom import rooms
from pages.parts.classroom.phone import ACK, KEY
from pages.parts.classroom.rooms import GAMES
from privbo_core.classroom import Pupil, digest
from tests.helpers.opening import open_page

TEACHER = "0123456789abcdef" * 2
BACKWARDS = "amrakihC-2xqZ"  # A nickname from its end, so that this file is not where it is found.
PART = "-Chik"  # What a text is looked for first: to turn all of them around takes long.


def opened(page, secret, **address):
    app = open_page(page, {rooms.KEPT: secret}, **address)
    return app


def holders():
    """Return what holds a text with the nickname in it."""
    gc.collect()
    found = []
    for each in gc.get_objects():
        inside = gc.get_referents(each)
        # What holds nothing but texts and numbers is not listed itself.
        inside += [one for held in inside if isinstance(held, (dict, tuple, list)) and not gc.is_tracked(held)
                   for one in gc.get_referents(held)]  # fmt: skip
        if each is not inside and any(type(one) is str and PART in one and BACKWARDS in one[::-1] for one in inside):
            found.append(type(each).__name__)
    return found


def test_a_name_is_found_where_it_is_held():
    pupil = Pupil(1, BACKWARDS[::-1])
    assert holders(), pupil


def leave(house, kind):
    """Play a game in a room of its own, and end the room; return what is still open of it, and what was in it."""
    room = house.open(TEACHER)
    room.join(digest("one"), BACKWARDS[::-1])
    room.join(digest("two"))
    room.begin(kind.name, kind.start())
    teacher = opened("class", TEACHER)
    phones = [opened("join", secret, room=room.code) for secret in ("one", "two")]
    with room.look() as experiment:
        kept = [weakref.ref(each) for each in (experiment, *room.pupils)]
    del experiment
    phones[0].session_state[KEY] = {"said": {"acts": [{"number": 9, "question": "x", "value": BACKWARDS[::-1]}]}}
    phones[0].run()
    assert all(each() is not None for each in kept)
    assert phones[0].session_state[ACK] == 9, "it was heard"
    teacher.button("door-end").click().run()
    for phone in phones:
        phone.run()
    teacher.session_state[TESTING_KEY].clear()  # what only a test keeps
    return (room, teacher, *phones), kept


def test_nothing_is_left_of_rooms_that_have_ended(house):
    left = {kind.name: leave(house, kind) for kind in GAMES}
    gc.collect()
    assert {name: [each() for each in kept] for name, (_, kept) in left.items()} == dict.fromkeys(left, [None] * 3)
    assert holders() == []
    assert [room.pupils for (room, *_), _ in left.values()] == [[]] * len(left)
    assert house._rooms == {}
