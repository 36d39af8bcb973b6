"""Two buttons below a panel: one takes the last change back, the other brings the page's defaults back."""

from collections.abc import Sequence

import streamlit as st

from pages.parts.controls.live_sliders import Controls, Slider
from pages.parts.frame import history


def offer_undo(controls: Controls, sliders: Sequence[Slider]) -> None:
    """Show both buttons; what is set now is noted, unless a thumb is held."""
    if not controls.dragging:
        history.note({slider.key for slider in sliders})
    with st.container(horizontal=True, key="taking-back"):
        st.button("Undo", key="undo", on_click=history.undo, icon=":material/undo:", type="tertiary",
                  disabled=not history.can_undo(), help="Take back the last change")  # fmt: skip
        st.button("Reset", key="reset", on_click=history.reset, icon=":material/restart_alt:", type="tertiary",
                  help="All settings as they were at first; the data stay")  # fmt: skip
