"""What one phone does: it comes in, shows what is asked, answers, and waits until something else is asked."""

from collections.abc import Mapping

import streamlit as st

from pages.parts.classroom import phone, rooms
from pages.parts.classroom.rooms import HOUSE, address, here, next_screen
from pages.parts.shell.undocumented import give_way
from pages.parts.views.templates import render
from privbo_core.classroom import Room, RoomError, digest
from privbo_core.classroom.house import clean

IN = "join/in"  # Under which a session keeps the code of the room that it is in.
LOOK = 0.5  # seconds between two looks whether the page is to be drawn anew for another reason than the room's


def run() -> None:
    """Show this phone its screen; when something else is asked, show that."""
    st.html(render("phone.html"))
    secret = rooms.meet()
    answers = phone.hear()
    if not secret:
        phone.show(phone.face(phone.WAIT))
        return
    key = digest(secret)
    room = HOUSE.find(st.session_state.get(IN, ""))
    pupil = room.pupil(key) if room else None
    if room is None or pupil is None:
        problem = ""
        if IN in st.session_state:
            problem = phone.ENDED if room is None else phone.REMOVED
            del st.session_state[IN]
            phone.forget()
            st.query_params.clear()
        _at_the_door(key, answers, problem)
        return
    for said in answers:
        room.answer(pupil, said.question, said.value, said.number)
    seen = room.calls
    phone.show(next_screen(room, pupil), {"to": address(), "secret": secret, "room": room.code})
    while not room.await_call(seen, LOOK):
        give_way()
    st.rerun()


def _at_the_door(key: str, answers: list[phone.PhoneAnswer], problem: str) -> None:
    """Let a phone in: at once if it was in before, else when it asks to."""
    asked = clean(st.query_params.get("room", ""))
    known = HOUSE.find(asked)
    if known is not None and known.pupil(key) is not None:
        _come_in(known)
    for said in answers:
        if said.question == phone.DOOR and isinstance(said.value, Mapping):
            code, name = (said.value.get(part) for part in ("room", "name"))
            typed = clean(str(code))
            if HOUSE.elsewhere(typed) and typed != asked:
                phone.show(phone.face(phone.elsewhere(typed)))  # the address leads to the process that has the room
                return
            try:
                room = HOUSE.room(str(code)[:40], here(), key, st.query_params.get("key", "")[:40])
                room.join(key, name if isinstance(name, str) else "", here())
            except RoomError as closed:
                problem = str(closed)
                continue
            _come_in(room)
    # Whether there is a room of this code is only said to those who come in: their tries are counted.
    phone.show(phone.face(phone.door("" if problem else asked, problem)))


def _come_in(room: Room) -> None:
    st.session_state[IN] = room.code
    st.query_params["room"] = room.code
    st.rerun()
