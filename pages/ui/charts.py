"""Show figures that are changed in place, and let dots on them be dragged."""

import time
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.figure import Figure
from pages.ui.sliders import Panel

HERE = Path(__file__).parent
_component = st.components.v2.component(
    "privbo_ui_chart",
    js=(HERE / "charts.js").read_text("utf-8"),
    css=(HERE / "charts.css").read_text("utf-8"),
    isolate_styles=False,
)


class Chart:
    """A place for one figure, which may be drawn several times in a run.

    ``panel`` has the sliders that dots on the figure stand for. In the browser a dot moves its slider, and the slider
    its dot. The figure of an earlier run stays until there is a new one.
    """

    def __init__(self, name: str, panel: Panel | None = None) -> None:
        self._name, self._panel = name, panel
        self._place = st.container(key=f"chart-{name}", gap=None)
        self._carrier: DeltaGenerator | None = None
        self._drawn = False

    def draw(self, figure: Figure, alt: str) -> None:
        """Draw a figure. ``alt`` describes it in a sentence for those who can't see it."""
        data = {
            "slot": self._name,
            "version": time.time_ns() // 1000,  # the browser ignores an older one that comes late
            "figure": figure.to_json(),
            "alt": alt,
            "base": st.get_option("server.baseUrlPath").rstrip("/"),
            "panel": self._panel.key if self._panel else "",
        }
        if self._drawn:
            self._carrier = self._carrier or self._place.empty()
            with self._carrier:
                _component(data={**data, "carrier": True}, height=1)
            return
        self._drawn = True
        with self._place:
            _component(key=f"chart/{self._name}", data=data, height=figure.height)
