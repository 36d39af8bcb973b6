"""Presenter view, one figure at a time; and what every page needs of the browser: theme, Back, a phone's menu."""

from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent
_presenter = st.components.v2.component(
    "privbo_present",
    js=(HERE / "present.js").read_text(encoding="utf-8"),
    css=(HERE / "present.css").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def offer_presenter_view() -> None:
    """Put the button on the page; it shows wherever there are figures. Everything else happens in the browser.

    ``?present=2`` in the address opens the second figure at once.
    """
    _presenter(key="present", data={}, height=1)


_theme = st.components.v2.component(
    "privbo_theme", js=(Path(__file__).parent / "theme_watch.js").read_text(encoding="utf-8")
)


def watch_theme() -> None:
    """Draw the page again when the browser's theme changes: a figure has its theme's colours from when it was drawn."""
    _theme(key="theme", data={}, default={"theme": None}, on_theme_change=lambda: None, height=1)
