"""Show figures that are changed in place, and let dots on them be dragged."""

import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from pages.ui.figure import Figure
from pages.ui.sliders import Panel, set_sliders

HERE = Path(__file__).parent
_component = st.components.v2.component(
    "privbo_ui_chart",
    js=(HERE / "charts.js").read_text("utf-8"),
    css=(HERE / "charts.css").read_text("utf-8"),
    isolate_styles=False,
)


class Chart:
    """A place for one figure, which may be drawn several times in a run.

    ``panel`` has the sliders that dots on the figure set. The figure of an earlier run stays until there is a new one.
    """

    def __init__(self, name: str, panel: Panel | None = None) -> None:
        self._name, self._panel = name, panel
        with st.container(key=f"chart-{name}", gap=None):
            self._first, self._later = st.container(gap=None), st.empty()
        self._drawn = False

    def draw(self, figure: Figure, alt: str) -> None:
        """Draw a figure. ``alt`` says in a sentence what it shows, for those who can't see it."""
        key = f"chart/{self._name}"
        data = {
            "slot": self._name,
            "version": time.time_ns() // 1000,  # the browser ignores an older one that comes late
            "figure": figure.to_json(),
            "alt": alt,
            "base": st.get_option("server.baseUrlPath").rstrip("/"),
        }
        if self._drawn:
            with self._later:
                _component(data={**data, "carrier": True}, height=1)
            return
        self._drawn = True
        with self._first:
            _component(key=key, data=data, height=figure.height, on_handle_change=lambda: self._dragged(key))

    def _dragged(self, key: str) -> None:
        """Set the slider to where the browser says that its dot is. It can send anything."""
        state: Any = st.session_state.get(key)
        moved = state.get("handle") if isinstance(state, Mapping) else None
        if not isinstance(moved, Mapping) or self._panel is None:
            return
        value, dragging = _finite(moved.get("value")), moved.get("dragging") is True
        for slider in self._panel.sliders:
            if slider.key == moved.get("slider") and value is not None:
                set_sliders(self._panel.key, {slider.key: slider.nearest(value)}, dragging=dragging)


def _finite(value: object) -> float | None:
    """Return a number that can be used, or None for anything else."""
    try:
        number = float(value) if isinstance(value, int | float) else math.nan
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
