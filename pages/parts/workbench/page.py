"""The Workbench: two parties, one search. Each takes a seat; what passes between them are files."""

from typing import Any

import streamlit as st

from pages.parts.shell.address import choose
from pages.parts.workbench.holder.seat import show_holder
from pages.parts.workbench.modeler.seat import show_modeler
from pages.parts.workbench.rehearsal.seat import show_rehearsal

SHOWN = {"holder": show_holder, "modeler": show_modeler, "rehearsal": show_rehearsal}
NAMES = {"holder": "I hold the data", "modeler": "I choose what to test", "rehearsal": "Rehearsal"}
LOOK: dict[str, Any] = {"required": True, "persist_state": "session", "label_visibility": "collapsed"}


def run() -> None:
    with st.container(key="seats"):
        seat = choose(st.segmented_control, "Your seat", NAMES, key="seat", **LOOK)
    SHOWN[seat]()
