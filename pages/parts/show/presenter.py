"""Presenter view: one figure at a time, large, with its sentence above it and the live sliders below."""

from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent
_component = st.components.v2.component(
    "privbo_present",
    js=(HERE / "present.js").read_text(encoding="utf-8"),
    css=(HERE / "present.css").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def offer_presenter_view() -> None:
    """Put the button on the page; it shows wherever there are figures. Everything else happens in the browser.

    ``?present=2`` in the address opens the second figure at once.
    """
    _component(key="present", data={}, height=1)
