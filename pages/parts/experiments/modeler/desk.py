"""The teacher's controls of the search: what is searched, how it is released, at which ε; then a smaller one; the end."""

from collections.abc import Callable

import streamlit as st

from pages.parts.experiments.modeler.words import SOURCES, goal_of
from privbo_core.classroom import News, Room
from privbo_core.classroom.ground import Ground, make_leg
from privbo_core.classroom.modeler import MOST_LEGS, ModelerGame
from privbo_core.outsourced import Mechanism

EPSILONS = (30.0, 8.0, 3.0, 1.0, 0.3, 0.1)
RELEASES: dict[Mechanism, str] = {"noisy": "Noisy release", "private": "The paper’s projection"}
FIRST_EPSILON, NEXT_EPSILON, TESTS = 8.0, 0.3, 8
FEWEST, MOST = 2, 12
_SOURCE, _RELEASE, _EPSILON, _TESTS = (f"modeler/{name}" for name in ("source", "release", "epsilon", "tests"))


def desk(room: Room, game: ModelerGame) -> None:
    """Show what the teacher can do. It is always the same row, of which only a part can be used at a time."""
    playing, begun = game.phase == "playing", game.phase != "waiting"
    smaller = [epsilon for epsilon in EPSILONS if not begun or epsilon < game.legs[-1].map.epsilon]
    more = not begun or (playing and bool(smaller) and len(game.legs) < MOST_LEGS)
    with st.popover("What is searched", icon=":material/tune:", key="modeler/what", disabled=begun):
        st.selectbox("What is searched", SOURCES, key=_SOURCE, format_func=lambda name: goal_of(name).offer)
        st.selectbox("Released by", list(RELEASES), key=_RELEASE, format_func=lambda name: RELEASES[name])
        st.number_input("Tests each", FEWEST, MOST, TESTS, key=_TESTS)
    if more:  # afterwards there is no map to choose it for
        _epsilon("ε of the next map" if begun else "ε of the map", smaller, NEXT_EPSILON if begun else FIRST_EPSILON)
    st.button("Blur the map" if begun else "Begin", type="secondary" if begun else "primary", key="modeler/map",
              icon=":material/blur_on:" if begun else ":material/play_arrow:", on_click=_blur if begun else _begin,
              args=(room,), disabled=not more, help="The same records, released again at this smaller ε." if begun else None)  # fmt: skip
    st.button("Play again" if begun and not playing else "End, and compare", key="modeler/end",
              icon=":material/replay:" if begun and not playing else ":material/flag:",
              on_click=_again if begun and not playing else _end, args=(room,), disabled=not begun)  # fmt: skip


def _epsilon(label: str, offered: list[float], usual: float) -> None:
    if st.session_state.get(_EPSILON) not in offered:
        st.session_state[_EPSILON] = usual if usual in offered else offered[0]
    st.selectbox(label, offered, key=_EPSILON, format_func=lambda value: f"{value:g}", width=180)


def _begin(room: Room) -> None:
    """Draw records and release their map. It is done while nobody waits for the room’s lock."""
    said = st.session_state
    ground = Ground.draw(said[_SOURCE])
    leg = make_leg(ground, said[_RELEASE], float(said[_EPSILON]), int(said[_TESTS]))
    _do(room, lambda game: game.begin(leg))


def _blur(room: Room) -> None:
    with room.look() as game:
        legs = game.legs if isinstance(game, ModelerGame) else ()
    if legs:
        last = legs[-1]
        leg = make_leg(last.ground, last.map.mechanism, float(st.session_state[_EPSILON]), last.tests)
        _do(room, lambda game: game.next(leg))


def _end(room: Room) -> None:
    _do(room, ModelerGame.end)


def _again(room: Room) -> None:
    with room.look() as game:
        if isinstance(game, ModelerGame):
            room.begin(room.kind, ModelerGame())


def _do(room: Room, act: Callable[[ModelerGame], News]) -> None:
    """Let the teacher act, unless something else is played by now: the page may be open twice."""
    room.act(lambda game: act(game) if isinstance(game, ModelerGame) else News.NOTHING)
