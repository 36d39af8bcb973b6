"""What one phone does: it comes in, shows what is asked, answers, and waits until something else is asked."""

import time
from collections.abc import Mapping

import streamlit as st

from pages.parts.experiments.kinds import kind_of
from pages.parts.experiments.rooms import HOUSE, here
from pages.parts.frame.undocumented import give_way
from pages.parts.join import words
from pages.parts.show.templates import render
from pages.parts.thumbs import thumbs, who
from pages.parts.thumbs.screen import Screen
from privbo_core.classroom import Pupil, Room, RoomError, digest

IN = "join/in"
"""Under which a session keeps the code of the room that it is in."""
LOOK = 0.1  # seconds between two looks whether something else is asked


def run() -> None:
    """Show this phone its screen; when something else is asked, show that."""
    st.html(render("phone.html"))
    secret = who.meet()
    answers = thumbs.hear()
    if not secret:
        thumbs.show(words.WAIT)
        return
    key = digest(secret)
    room = HOUSE.known(st.session_state.get(IN, ""))
    pupil = room.pupil(key) if room else None
    if room is None or pupil is None:
        problem = ""
        if IN in st.session_state:
            problem = words.ENDED if room is None else words.REMOVED
            del st.session_state[IN]
            thumbs.forget()
            st.query_params.clear()
        _at_the_door(key, answers, problem)
        return
    for said in answers:
        room.answer(pupil, said.question, said.value)
    seen = room.calls
    thumbs.show(_screen(room, pupil), f"{pupil.name} · room {room.code}")
    while room.calls == seen:
        time.sleep(LOOK)
        give_way()
    st.rerun()


def _screen(room: Room, pupil: Pupil) -> Screen:
    with room.look() as experiment:
        kind = kind_of(room.kind)
        return words.lobby(pupil.name) if experiment is None or kind is None else kind.screen(experiment, pupil.number)


def _at_the_door(key: str, answers: list[thumbs.Said], problem: str) -> None:
    """Let a phone in: at once if it was in before, else when it asks to."""
    asked = words.cleaned(st.query_params.get("room", ""))
    known = HOUSE.known(asked)
    if known is not None and known.pupil(key) is not None:
        _come_in(known)
    for said in answers:
        if said.question == words.DOOR and isinstance(said.value, Mapping):
            code, name = (said.value.get(part) for part in ("room", "name"))
            typed = words.cleaned(str(code))
            if HOUSE.elsewhere(typed) and typed != asked:
                thumbs.show(words.elsewhere(typed))  # the address leads to the process that has the room
                return
            try:
                room = HOUSE.room(str(code)[:40], here(), key, st.query_params.get("key", "")[:40])
                room.join(key, name if isinstance(name, str) else "", here())
            except RoomError as closed:
                problem = str(closed)
                continue
            _come_in(room)
    # Whether there is a room of this code is only said to those who come in: their tries are counted.
    thumbs.show(words.door("" if problem else asked, problem))


def _come_in(room: Room) -> None:
    st.session_state[IN] = room.code
    st.query_params["room"] = room.code
    st.rerun()
