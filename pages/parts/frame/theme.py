"""The colours of the theme that the visitor's browser shows."""

import streamlit as st

from pages.parts.values.palette import DARK, LIGHT, Palette


def palette() -> Palette:
    """Return the colours for the theme that the browser shows."""
    return DARK if st.context.theme.type == "dark" else LIGHT
