"""The class page: a room with a code on the left, what the class plays on the right."""

import streamlit as st

from pages.parts.classroom import words
from pages.parts.classroom.choosing import choose
from pages.parts.classroom.door import NAMES, Door
from pages.parts.classroom.stage import play
from pages.parts.experiments.kinds import KINDS, kind_of
from pages.parts.experiments.rooms import HOUSE, here, my_room
from pages.parts.frame.spot import nothing_more
from pages.parts.frame.undocumented import forget
from pages.parts.kits.offer import offer_kits
from pages.parts.show.look import apply_style
from pages.parts.show.show import heading, note
from pages.parts.show.templates import render
from pages.parts.thumbs import who
from privbo_core.classroom import RoomError


def run() -> None:
    """Show the teacher's room, or the way to one."""
    apply_style()
    secret = who.meet()
    room = my_room()
    outside = st.empty()
    if room is None:
        forget(NAMES)
        with outside.container():
            _offer(secret)
        return
    turn = room.turns
    # Until something is played, the way in is what the class looks at.
    left, right = st.columns([1, 4.2] if room.kind else [1.1, 1], gap="medium")
    with left:
        door = Door(room)
        nothing_more()
    with right, st.container(key="stage"):
        choose(room)
        kind = kind_of(room.kind)
        with st.container(key="desk", horizontal=True, vertical_alignment="bottom"), room.look() as experiment:
            if kind is not None:
                kind.desk(room, experiment)
            nothing_more()
        play(room, kind, door.draw, turn)


def _offer(secret: str) -> None:
    heading("Class", 1)
    st.write(words.LEAD)
    st.button("Open a room", type="primary", icon=":material/meeting_room:", disabled=not secret, on_click=_open)
    if problem := st.session_state.pop("class/problem", ""):
        st.warning(problem)
    st.html(render("experiments.html", kinds=KINDS))
    offer_kits("experiment")
    with st.expander("What a room keeps"):
        note(words.KEPT)


def _open() -> None:
    try:
        HOUSE.open(who.known(), here())
    except RoomError as full:
        st.session_state["class/problem"] = str(full)
