"""The seats at the workbench: who holds the data, who chooses what to test, and a rehearsal of both."""

from typing import Literal, get_args

import streamlit as st

from pages.parts.frame.address import choose
from pages.parts.frame.session import OWN

Seat = Literal["holder", "modeler", "rehearsal"]
SEATS: tuple[Seat, ...] = get_args(Seat)
NAMES: dict[Seat, str] = {
    "holder": "I hold the data",
    "modeler": "I choose what to test",
    "rehearsal": "Rehearsal",
}
PAGE = "Workbench"


def pick_seat() -> Seat:
    """Let a person take a seat; the address keeps it."""
    with st.container(key="seats"):
        return choose(st.segmented_control, "Your seat", SEATS, key="seat", required=True, persist_state="session",
                      format_func=NAMES.__getitem__, label_visibility="collapsed")  # fmt: skip


def offer_seat(seat: Seat, label: str, icon: str) -> None:
    """Show a button that leads to another seat."""
    st.button(label, icon=icon, on_click=st.session_state.update, args=({"seat": seat},), key=f"to-{seat}")


def mine(what: str) -> str:
    """Return the key under which a seat keeps something: gone with all that a session holds of its visitor's data."""
    return f"{OWN}workbench/{what}"
