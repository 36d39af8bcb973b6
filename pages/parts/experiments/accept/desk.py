"""What the teacher does in “What would you accept?”: close or open the answers, record the decision, take it away."""

from datetime import datetime

import streamlit as st

from pages.parts.experiments.accept.curve import SAMPLE
from pages.parts.show.show import note
from pages.parts.take_away.offer import take_away
from pages.parts.take_away.report import About
from privbo_core.classroom import Room
from privbo_core.classroom.accept import EPSILONS, FEW, Accept
from privbo_core.data import sample

CHOSEN = "accept/decide"


def desk(room: Room, accept: Accept) -> None:
    """Draw the next acts."""
    seen = accept.seen()
    if not seen.closed:
        few = seen.answered < FEW
        st.button(
            "Close the answers", type="primary", icon=":material/lock:", on_click=_close, args=(room,), disabled=few
        )
        if few:
            note(f"They can be closed from {FEW} answers on: fewer are not shown.")
        return
    if seen.counts is None:
        st.button("Open again", type="primary", icon=":material/lock_open:", on_click=_reopen, args=(room,))
        note(f"Fewer than {FEW} answers are left: there is nothing to decide on.")
        return
    if seen.offers is None or seen.counts.best is None:
        note("The searches are being simulated: a few seconds more.")
        return
    if st.session_state.get(CHOSEN) is None:
        st.session_state[CHOSEN] = EPSILONS[seen.counts.best]
    st.segmented_control("The class decides for ε =", EPSILONS, key=CHOSEN, format_func=lambda one: f"{one:g}")
    st.button("Record the decision", type="primary", icon=":material/gavel:", on_click=_record, args=(room,))
    take_away(About("What would you accept?", sample(SAMPLE).title))


def _close(room: Room) -> None:
    st.session_state.pop(CHOSEN, None)
    room.act(Accept.close)


def _reopen(room: Room) -> None:
    room.act(Accept.reopen)


def _record(room: Room) -> None:
    chosen = st.session_state.get(CHOSEN)
    if chosen in EPSILONS:
        now = datetime.now().astimezone()
        room.act(lambda accept: accept.record(EPSILONS.index(chosen), now))
