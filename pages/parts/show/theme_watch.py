"""What every page needs of the browser: figures keep up with the theme, Back leads back, a phone's menu closes."""

from pathlib import Path

import streamlit as st

_component = st.components.v2.component(
    "privbo_theme", js=(Path(__file__).parent / "theme_watch.js").read_text(encoding="utf-8")
)


def watch_theme() -> None:
    """Draw the page again when the browser's theme changes: a figure has its theme's colours from when it was drawn."""
    _component(key="theme", data={}, default={"theme": None}, on_theme_change=lambda: None, height=1)
