"""The class page without a browser: the way to a room, the door, and what a teacher can do there."""

from contextlib import suppress

import pytest

from pages.parts.classroom import door, phone, rooms
from pages.parts.classroom.door import TYPED
from pages.parts.classroom.rooms import GAMES
from privbo_core.classroom import RoomError, digest
from privbo_core.classroom.room import BURST
from tests.helpers.opening import open_page
from tests.helpers.reading import html, press

SECRET = "0123456789abcdef" * 2


def opened(page, secret=SECRET, state=None, **query):
    return open_page(page, {**({rooms.KEPT: secret} if secret else {}), **(state or {})}, **query)


def test_a_teacher_opens_a_room_and_ends_it(house):
    app = opened("class")
    assert [app.button(f"play/{kind.name}").label for kind in GAMES] == [kind.title for kind in GAMES]
    press(app, "Open a room")
    room = house.of_teacher(SECRET)
    assert room.code in html(app)
    assert "data:image/svg" in html(app)
    assert "No other device can reach this address" in app.warning[0].value
    room.join(digest("one"), "Ada <i>")
    app.run()
    assert "Ada &lt;i&gt;" in html(app)
    assert not app.warning  # somebody has reached it
    other = room.join(digest("two"), "ada  <I>")
    assert f"{other.name} (“ada <I>” was taken) · room" in rooms.next_screen(room, other)["name"]
    app.button("door-turn").click().run()
    assert not room.door
    assert "The door is closed" in html(app)
    app.button("door-end").click().run()
    assert house.of_teacher(SECRET) is None
    assert "Open a room" in [button.label for button in app.button]


def test_a_phone_that_answers_too_fast_hears_of_it(house):
    room = house.open(SECRET)
    room.join(digest("one"))
    room.begin(GAMES[0].name, GAMES[0].start())
    room._clock = lambda: 0.0
    said = {"secret": "one", "room": room.code, "question": "vote/1", "value": "noise"}
    assert [rooms._take(said).status_code for _ in range(BURST + 1)] == [200] * BURST + [429]


def test_another_browser_does_not_get_the_room(house):
    room = house.open(SECRET)
    for secret in ("f" * 32, ""):
        assert room.code not in html(opened("class", secret))


def test_each_experiment_begins_from_the_page(house):
    room = house.open(SECRET)
    room.join(digest("one"))
    app = opened("class")
    for kind in GAMES:
        app.session_state["class/experiment"] = kind.name
        app.run()
        room.begin(kind.name, kind.start())
        app.run()
        opened("join", "one", room=room.code)


def test_answers_are_not_lost_without_a_question(house):
    app = opened("class")
    app.button("play/modeler").click().run()
    room = house.of_teacher(SECRET)
    assert room.kind == "modeler"
    room.begin("", None)
    app.run()
    app.button("play/attacker").click().run()
    assert room.kind == "attacker"
    app.button_group(door.CHOSEN).select("accept").run()
    assert room.kind == "accept"  # nobody has answered
    room.answered = True
    app.run()
    app.button_group(door.CHOSEN).select("attacker").run()
    assert room.kind == "accept"
    assert "is gone" in app.warning[0].value
    app.button("class-stay").click().run()
    assert room.kind == "accept"
    assert not app.warning
    app.button_group(door.CHOSEN).select("attacker").run()
    app.button("class-leave").click().run()
    assert room.kind == "attacker"
    assert not room.answered
    assert not app.warning


def test_the_picture_s_link_leads_in_whatever_codes_were_tried(house, monkeypatch):
    monkeypatch.setattr("pages.parts.classroom.join.here", lambda: "there")
    room = house.open(SECRET)
    app = opened("class", state={TYPED: "http://10.0.0.5:8501"})
    link = f"http://10.0.0.5:8501/join?room={room.code}&key={room.key}"
    assert door.qr_picture(link).replace("&", "&amp;") in html(app)
    for k in range(2000):
        with suppress(RoomError):
            house.room("222222", str(k), str(k))
    for number, (key, inside) in enumerate({"": 0, room.key.lower(): 0, room.key: 1}.items()):
        said = {"number": 1, "question": phone.DOOR, "value": {"room": room.code, "name": ""}}
        opened("join", f"{number}", {phone.KEY: {"said": {"acts": [said]}}}, room=room.code, key=key)
        assert [pupil.where for pupil in room.pupils] == ["there"] * inside


def test_a_house_without_room_says_so(house, monkeypatch):
    monkeypatch.setattr("privbo_core.classroom.limits.ROOMS", 0)
    app = opened("class")
    press(app, "Open a room")
    assert "All rooms of this server are taken" in app.warning[0].value


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("10.0.0.5:8501", "http://10.0.0.5:8501"),
        ("https://example.org/lab/", "https://example.org/lab"),
        ("http://teacher.local:8501/class", "http://teacher.local:8501"),
        *((typed, "") for typed in ("", "javascript:alert(1)", "http://a b", "http://a:99999", "ftp://a")),
    ],
)
def test_an_address_is_taken_as_it_was_meant(typed, meant):
    assert door.usable(typed) == meant
