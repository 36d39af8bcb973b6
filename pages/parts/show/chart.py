"""Plotly figures that change in place, as fast as a thumb moves."""

import itertools
import math
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from pages.parts.frame.theme import palette
from pages.parts.values.picture import Picture
from pages.parts.values.text import as_plain

HERE = Path(__file__).parent
STATIC = HERE.parents[2] / "static"
_component = st.components.v2.component(
    "privbo_chart",
    js=(HERE / "chart.js").read_text(encoding="utf-8"),
    css=".plot { width: 100%; } .plot.pickable .nsewdrag { cursor: pointer; }",
    isolate_styles=False,
)


Picked = Callable[[float, float], None]
_feeds = itertools.count(1)  # tells a figure that is fed anew from one that is still there


class Chart:
    """A place for one figure. `draw` may be called several times in a run: the figure there is changed, not replaced.

    The figure of an earlier run stays until the first one of this run is drawn. ``picked``: what happens when somebody
    points at a place in it, with its x and y.
    """

    def __init__(self, slot: str, picked: Picked | None = None) -> None:
        self._slot = slot
        self._picked = picked
        with st.container(key=f"chart-{slot}", gap=None):
            self._stage, self._feed, self.aside = st.container(gap=None), st.empty(), st.empty()
        self._draws = self._first = 0

    def draw(self, figure: Picture, alt: str) -> None:
        """Show the figure; ``alt`` describes it to those who cannot see it."""
        place, drawn = self._feed if self._draws else self._stage, figure.as_json(palette())
        if not self._draws:
            self._first = zlib.crc32(drawn.encode())
        with place:
            self._mount(drawn, int(figure.layout["height"]), as_plain(alt))
        self._draws += 1

    def _mount(self, drawn: str, height: int, alt: str) -> None:
        """Put a figure here; ``first`` tells which one this run began with: a browser may hear of them in any order."""
        key = f"chart/{self._slot}/{self._draws}"
        _component(
            key=key,
            data={
                "slot": self._slot,
                "feed": next(_feeds) if self._draws else 0,
                "first": self._first,
                "figure": drawn,
                "alt": alt,
                "base": st.get_option("server.baseUrlPath").rstrip("/"),
                **({"pick": True} if self._picked else {}),
            },
            height=height if self._draws == 0 else 1,
            on_place_change=lambda: self._point(key),
        )

    def _point(self, key: str) -> None:
        """Hand on where somebody points. It comes from a browser, so it may be anything."""
        state: Any = st.session_state.get(key)
        said = state.get("place") if isinstance(state, Mapping) else None
        places = [said.get(axis) if isinstance(said, Mapping) else None for axis in ("x", "y")]
        x, y = (float(each) if isinstance(each, int | float) else math.nan for each in places)
        if self._picked and math.isfinite(x) and math.isfinite(y):
            self._picked(x, y)
