"""Settings that stay in the address although they were meant for another task, or in another unit."""

from collections.abc import Iterable

import streamlit as st

from pages.parts.frame.address import visit
from pages.parts.frame.session import OWN

_TASK = "tradeoff/task"
_SCALE, _SCALED = f"{OWN}tradeoff/scale", "tradeoff/scaled"


def leave_task(task: str) -> None:
    """Take what another task's sliders wrote in this visit out of the address: there they have other ranges."""
    last_visit, last, keys = st.session_state.get(_TASK, (None, task, ()))
    if (last_visit, last) != (visit(), task):
        if last_visit == visit():
            for key in keys:
                st.query_params.pop(key, None)
        st.session_state[_TASK] = (visit(), task, ())


def will_leave(keys: Iterable[str]) -> None:
    """Remember which sliders the present task has."""
    at, task, known = st.session_state[_TASK]
    st.session_state[_TASK] = (at, task, tuple({*known, *keys}))


def leave_scale(scale: str, key: str) -> None:
    """Take a setting out of the address if in this visit it was meant on another scale."""
    if st.session_state.get(_SCALED) == visit() and st.session_state.get(_SCALE) != scale:
        st.query_params.pop(key, None)
    st.session_state[_SCALED], st.session_state[_SCALE] = visit(), scale
