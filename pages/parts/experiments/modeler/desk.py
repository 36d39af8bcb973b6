"""The teacher's controls of the search: what is searched, how it is released, at which ε; then a smaller one; the end."""

import streamlit as st

from pages.parts.experiments.modeler.words import TASKS
from privbo_core.classroom import Room
from privbo_core.classroom.ground import Ground, make_leg
from privbo_core.classroom.modeler import MOST_LEGS, ModelerGame
from privbo_core.outsourced import Mechanism

EPSILONS = (30.0, 8.0, 3.0, 1.0, 0.3, 0.1)
RELEASES: dict[Mechanism, str] = {"noisy": "Noisy release", "private": "The paper’s projection"}
FIRST_EPSILON, NEXT_EPSILON, TESTS = 8.0, 0.3, 8
FEWEST, MOST = 2, 12
_SOURCE, _RELEASE, _EPSILON, _TESTS, _NEXT = (
    f"modeler/{name}" for name in ("source", "release", "epsilon", "tests", "next")
)


def desk(room: Room, game: ModelerGame) -> None:
    """Show what the teacher can do now, in place of what could be done before."""
    with st.empty().container(key=f"modeler-{game.phase}", horizontal=True, vertical_alignment="bottom"):
        if game.phase == "waiting":
            _beginning(room)
        elif game.phase == "playing":
            _going_on(room, game)
        else:
            st.button("Play again", icon=":material/replay:", key="modeler/again", on_click=_again, args=(room,))


def _beginning(room: Room) -> None:
    st.selectbox("What is searched", list(TASKS), key=_SOURCE, format_func=lambda name: TASKS[name].offer)
    st.selectbox("Released by", list(RELEASES), key=_RELEASE, format_func=lambda name: RELEASES[name])
    _epsilon(_EPSILON, EPSILONS[:-1], FIRST_EPSILON)
    st.number_input("Tests each", FEWEST, MOST, TESTS, key=_TESTS)
    st.button("Begin", type="primary", icon=":material/play_arrow:", key="modeler/begin", on_click=_begin, args=(room,))


def _going_on(room: Room, game: ModelerGame) -> None:
    now = game.legs[-1].map.epsilon
    smaller = [epsilon for epsilon in EPSILONS if epsilon < now]
    if smaller and len(game.legs) < MOST_LEGS:
        _epsilon(_NEXT, smaller, NEXT_EPSILON)
        st.button("Blur the map", icon=":material/blur_on:", key="modeler/blur", on_click=_blur, args=(room,),
                  help="The same records, released again at this smaller ε. Everybody begins anew.")  # fmt: skip
    st.button("End, and compare", icon=":material/flag:", key="modeler/end", on_click=_end, args=(room,))


def _epsilon(key: str, offered: list[float] | tuple[float, ...], usual: float) -> None:
    place = offered.index(usual) if usual in offered else 0
    if st.session_state.get(key) not in offered:
        st.session_state[key] = offered[place]
    st.selectbox("ε of the map", offered, key=key, format_func=lambda value: f"{value:g}")


def _begin(room: Room) -> None:
    """Draw records and release their map. It is done while nobody waits for the room’s lock."""
    said = st.session_state
    ground = Ground.draw(said[_SOURCE])
    leg = make_leg(ground, said[_RELEASE], float(said[_EPSILON]), int(said[_TESTS]))
    room.act(lambda game: game.begin(leg))


def _blur(room: Room) -> None:
    with room.look() as game:
        legs = game.legs if isinstance(game, ModelerGame) else ()
    if legs:
        last = legs[-1]
        leg = make_leg(last.ground, last.map.mechanism, float(st.session_state[_NEXT]), last.tests)
        room.act(lambda game: game.next(leg))


def _end(room: Room) -> None:
    room.act(ModelerGame.end)


def _again(room: Room) -> None:
    room.begin(room.kind, ModelerGame())
