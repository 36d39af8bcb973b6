"""The class page: a room with a code on the left, what the class plays on the right."""

import streamlit as st

from pages.parts.classroom import rooms
from pages.parts.classroom.door import NAMES, Door, choose, offer_games, play
from pages.parts.classroom.games.game import Game
from pages.parts.classroom.kits import offer_kits
from pages.parts.classroom.rooms import HOUSE, game_of, here, my_room
from pages.parts.shell.undocumented import forget
from pages.parts.views.content import prose
from pages.parts.views.drawing import heading, note, nothing_more
from pages.parts.views.templates import apply_style
from privbo_core.classroom import RoomError


def run() -> None:
    apply_style()
    secret = rooms.meet()
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
        kind = game_of(room.kind)
        with st.container(key="desk", horizontal=True, vertical_alignment="bottom"), room.look() as experiment:
            if kind is not None:
                kind.desk(room, experiment)
            nothing_more()
        play(room, kind, door.draw, turn)


def _offer(secret: str) -> None:
    heading("Class", 1)
    st.write(prose("class", "playing"))
    st.button("Open a room", type="primary", icon=":material/meeting_room:", disabled=not secret, on_click=_open)
    if problem := st.session_state.pop("class/problem", ""):
        st.warning(problem)
    offer_games(_open, can=bool(secret))
    offer_kits()
    with st.expander("What a room keeps"):
        note(prose("class", "what a room keeps"))


def _open(kind: Game | None = None) -> None:
    """Open a room; ``kind``: what is played in it at once."""
    try:
        room = HOUSE.open(rooms.known(), here())
    except RoomError as full:
        st.session_state["class/problem"] = str(full)
        return
    if kind is not None:
        room.begin(kind.name, kind.start())
