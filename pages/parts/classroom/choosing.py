"""What the class plays: chosen by the teacher, who is asked before answers are lost."""

import streamlit as st

from pages.parts.classroom.words import lose
from pages.parts.experiments.kind import Kind
from pages.parts.experiments.kinds import KINDS, kind_of
from privbo_core.classroom import Room

CHOSEN, NEXT = "class/experiment", "class/next"


def choose(room: Room) -> None:
    """Offer the experiments. Another one ends what is played, and its answers with it: not before that is agreed to."""
    playing, waiting = kind_of(room.kind), kind_of(st.session_state.get(NEXT, ""))
    st.session_state[CHOSEN] = playing.name if playing in KINDS else None
    st.segmented_control(
        "What the class plays",
        [kind.name for kind in KINDS],
        key=CHOSEN,
        format_func=lambda name: kind.title if (kind := kind_of(name)) else name,
        on_change=_ask,
        args=(room,),
    )
    asked = st.empty()
    if playing and waiting:
        with asked.container(key="leaving", horizontal=True, vertical_alignment="center"):
            st.warning(lose(playing.title))
            st.button(waiting.title, key="class-leave", type="primary", on_click=_begin, args=(room, waiting))
            st.button("Stay", key="class-stay", on_click=st.session_state.pop, args=(NEXT, None))


def _ask(room: Room) -> None:
    chosen = st.session_state.get(CHOSEN)
    kind = kind_of(chosen) if isinstance(chosen, str) else None
    if kind is None or kind.name == room.kind:
        return
    if room.answered:
        st.session_state[NEXT] = kind.name
    else:
        _begin(room, kind)


def _begin(room: Room, kind: Kind) -> None:
    st.session_state.pop(NEXT, None)
    room.begin(kind.name, kind.start())
