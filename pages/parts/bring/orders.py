"""An order that was signed, on its way to the workbench in this session: gone with all that it holds of its visitor's."""

import streamlit as st

from pages.parts.frame.session import OWN, at_stake
from privbo_core.decision import Decision

_ORDER, _WAITS = f"{OWN}order", f"{OWN}order waits"


def hand_over(decision: Decision) -> None:
    """Give an order to the holder's seat at the workbench, which takes it when it is opened next."""
    st.session_state[_ORDER] = decision
    st.session_state[_WAITS] = True


def order() -> Decision | None:
    """Return the order that the workbench works on, if there is one."""
    kept: Decision | None = st.session_state.get(_ORDER)
    return kept


def waits() -> bool:
    """Return whether it has not been taken yet: its settings are not those of the workbench."""
    return bool(st.session_state.get(_WAITS, False))


def taken() -> None:
    """Note that its settings are those of the workbench."""
    st.session_state[_WAITS] = False


def drop() -> None:
    """Put the order aside."""
    st.session_state.pop(_ORDER, None)
    st.session_state.pop(_WAITS, None)


@at_stake
def _in_use() -> str:
    return "the order in use" if order() else ""
