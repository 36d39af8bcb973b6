"""Lay out a page: the way in, the style sheet, the panel on the left, and cards for figures."""

import runpy
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

from pages.ui import address, demo
from pages.ui.cards import Place
from pages.ui.sliders import Panel

HERE = Path(__file__).parent
APP = HERE.parents[1] / "app.py"
ENTERED = "entered"
"""Where app.py writes the name of the page, so that the page knows that it was reached through the navigation."""


@lru_cache(maxsize=1)
def _style() -> str:
    return f"<style>{(HERE / 'theme.css').read_text('utf-8')}</style>"


def begin(name: str) -> bool:
    """Start a page. Return whether the visitor has just come to it.

    Because a folder is called pages, Streamlit runs a page's file without app.py until somebody has opened "/". Then
    this runs app.py, which shows the page within the navigation.
    """
    if st.session_state.get(ENTERED) != name:
        runpy.run_path(str(APP), run_name="__main__")
        st.stop()
    st.html(_style())
    st.html('<div class="pb-page"></div>')
    return address.arrive(name)


def columns() -> tuple[DeltaGenerator, DeltaGenerator, DeltaGenerator]:
    """Return the panel for settings on the left, and on the right the first screen and the place below it.

    On a phone the first screen comes first, then the panel, and then the rest. A demonstration says below the panel
    that it is one.
    """
    left, right = st.columns([1, 3.3], gap="medium")
    with left:
        panel = st.container(key="panel", gap="small")
        demo.show_note()
    with right:
        first, below = st.container(key="first-screen"), st.container(key="below")
    return panel, first, below


@contextmanager
def card(name: str, explanation: str = "") -> Iterator[Place]:
    """Open a card for a figure, with its title and an *Explain* popover. Yield the place of the title."""
    with st.container(border=True, key=f"card-{name}", gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="top", gap="small"):
            title = Place(key=f"title-{name}")
            if explanation:
                with st.popover("Explain", type="tertiary"):
                    st.markdown(explanation)
        yield title


def more_settings(panel: Panel) -> ExpanderContainer:
    """Return the expander for settings that are rarely needed. A page fills it only where it is ``open``.

    What is in a closed expander costs the browser time at each move of a thumb. It opens by itself where a link has set
    something in it.
    """
    key = f"section/more/{panel.key}"
    st.session_state.setdefault(key, panel.changed)
    return st.expander("More settings", key=key, on_change="rerun")
