"""What Outsourced is set to, as far as the Data page depends on it."""

import streamlit as st

from pages.parts.data.words import Condition
from pages.parts.frame.depth import simple
from pages.parts.show.sheet import START
from pages.parts.system import usual


def condition_now() -> Condition:
    """Return what was set last on Outsourced, or what it starts with."""
    last = st.session_state.get("outsourced/last", {})
    epsilon = last.get("epsilon", START if simple() else usual.EPSILON)
    return Condition(epsilon, last.get("delta", usual.DELTA), int(last.get("r", usual.R)))
