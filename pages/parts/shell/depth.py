"""In what depth a page is shown, and whether it is being presented."""

from pathlib import Path
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.shell import address
from pages.parts.shell.address import choose
from pages.parts.views.drawing import component
from pages.ui.own_data import holds_settings

Depth = Literal["simple", "expert"]
KEY = "view"
NAMES: dict[Depth, str] = {"simple": "Simple", "expert": "Expert"}
FIRST: Depth = "simple"  # What a visitor gets who was sent no view in particular.
_CARRIED = "carried to expert"
BESIDE = (KEY, "present")  # What an address may hold that says nothing of how much its sender saw.


def offer_depth() -> None:
    with st.container(key="depth"):
        # A link with settings in it was copied where somebody had set something, before there was a choice.
        first: Depth = "expert" if any(name not in BESIDE for name in st.query_params) else FIRST
        look: dict[str, Any] = {"required": True, "label_visibility": "collapsed", "persist_state": "session"}
        choose(st.segmented_control, "How much to show", NAMES, key=KEY, default=first, on_change=_switched, **look)


def simple() -> bool:
    return st.session_state.get(KEY) == "simple"


def place_of_page() -> DeltaGenerator:
    """Return where the page is drawn: another place at each depth, and the other one is emptied at once.

    In one place, Streamlit would hand what the other depth had drawn to whatever stands there next, and take it off
    only when the script ends: on a page that goes on computing, that is late.
    """
    places = [st.empty() if (depth == "simple") != simple() else st.container() for depth in NAMES]
    return places[0 if simple() else 1]


def carry(**chosen: str) -> None:
    """Let what is picked on a Simple page, by the pickers' keys, stay when somebody switches to Expert, on any page."""
    st.session_state[_CARRIED] = {**st.session_state.get(_CARRIED, {}), address.page(): chosen}


def _switched() -> None:
    if not simple():
        for page, chosen in st.session_state.pop(_CARRIED, {}).items():
            st.session_state.update(chosen)
            if page == address.page():
                st.query_params.update(chosen)


def _to_expert() -> None:
    st.session_state[KEY] = "expert"
    _switched()


def offer_expert(label: str, **chosen: str) -> None:
    """Show a button that leads to all there is on this page; ``chosen``: what is picked there, by the pickers' keys."""
    carry(**chosen)
    st.button(label, icon=":material/unfold_more:", on_click=_to_expert)


HERE = Path(__file__).parent
_presenter = component("present", HERE / "present.js", HERE / "present.css", isolate_styles=False)
_browser = component("window", HERE / "browser.js")


def offer_presenter_view() -> None:
    """Everything else happens in the browser; ``?present=2`` in the address opens the second figure at once."""
    _presenter(key="present", data={}, height=1)


def watch_browser() -> None:
    """Draw the page again when the browser's theme changes: a figure has its theme's colours from when it was drawn.

    Where a reload would lose what nothing brings back, the browser asks first.
    """
    data = {"lost": holds_settings()}
    _browser(key="window", data=data, default={"theme": None}, on_theme_change=lambda: None, height=1)
