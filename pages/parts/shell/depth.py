"""How much a page shows: Simple for whoever is shown something, Expert for whoever wants all of it."""

from typing import Literal

import streamlit as st

from pages.parts.shell.address import choose

Depth = Literal["simple", "expert"]
KEY = "view"
NAMES: dict[Depth, str] = {"simple": "Simple", "expert": "Expert"}
FIRST: Depth = "simple"
"""What a visitor gets who was sent no view in particular."""
_CARRIED = "carried to expert"
BESIDE = (KEY, "present")
"""What an address may hold that says nothing of how much its sender saw."""


def offer_depth() -> None:
    """Put the switch at the top of the page, where it is on every page."""
    with st.container(key="depth"):
        choose(
            st.segmented_control,
            "How much to show",
            list(NAMES),
            key=KEY,
            default=_at_first(),
            required=True,
            format_func=NAMES.__getitem__,
            label_visibility="collapsed",
            persist_state="session",
            on_change=_switched,
        )


def simple() -> bool:
    """Return whether the page is to be the simple one."""
    return st.session_state.get(KEY) == "simple"


def carry(**chosen: str) -> None:
    """Let what the simple page shows stay when somebody switches to Expert.

    What is picked there, by the pickers' keys.
    """
    st.session_state[_CARRIED] = chosen


def _switched() -> None:
    if not simple():
        for key, value in st.session_state.pop(_CARRIED, {}).items():
            st.session_state[key] = st.query_params[key] = value


def offer_expert(label: str, **chosen: str) -> None:
    """Show a button that leads to all there is on this page; ``chosen``: what is picked there, by the pickers' keys."""
    carry(**chosen)
    st.button(label, icon=":material/unfold_more:", on_click=st.session_state.update, args=({KEY: "expert", **chosen},))


def _at_first() -> Depth:
    """Return what a visitor gets who has not chosen: all there is if a link with settings in it led here.

    Such a link was copied where somebody had set something, before there was a choice.
    """
    return "expert" if any(name not in BESIDE for name in st.query_params) else FIRST
