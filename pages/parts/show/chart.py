"""Plotly figures that change in place, as fast as a thumb moves."""

import itertools
import os
import shutil
import zlib
from pathlib import Path

import plotly
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.frame.theme import palette
from pages.parts.values.picture import Picture
from pages.parts.values.text import as_plain

HERE = Path(__file__).parent
STATIC = HERE.parents[2] / "static"
_component = st.components.v2.component(
    "privbo_chart",
    js=(HERE / "chart.js").read_text(encoding="utf-8"),
    css=".plot { width: 100%; }",
    isolate_styles=False,
)


_feeds = itertools.count(1)  # tells a figure that is fed anew from one that is still there


def provide_library() -> None:
    """Put the plotting library that came with the plotly package where the app serves it from: no network needed."""
    source = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    target = STATIC / "plotly.min.js"
    if not target.exists() or target.stat().st_size != source.stat().st_size:
        target.parent.mkdir(exist_ok=True)
        partial = target.with_suffix(f".{os.getpid()}")
        shutil.copyfile(source, partial)
        partial.replace(target)


class Chart:
    """A place for one figure. `draw` may be called several times in a run: the figure there is changed, not replaced.

    The figure of an earlier run stays until the first one of this run is drawn.
    """

    def __init__(self, slot: str) -> None:
        self._slot = slot
        with st.container(key=f"chart-{slot}", gap=None):
            self._stage, self._feed, self.aside = st.container(gap=None), st.empty(), st.empty()
        self._draws = self._first = 0

    def draw(self, figure: Picture, alt: str) -> None:
        """Show the figure; ``alt`` describes it to those who cannot see it."""
        place, drawn = self._feed if self._draws else self._stage, figure.as_json(palette())
        if not self._draws:
            self._first = zlib.crc32(drawn.encode())
        _mount(place, self._slot, self._draws, drawn, self._first, int(figure.layout["height"]), as_plain(alt))
        self._draws += 1


def _mount(place: DeltaGenerator, slot: str, draws: int, drawn: str, first: int, height: int, alt: str) -> None:
    """Put a figure into a place; ``first`` tells which one this run began with: a browser may hear of them in any order."""
    with place:
        _component(
            key=f"chart/{slot}/{draws}",
            data={
                "slot": slot,
                "feed": next(_feeds) if draws else 0,
                "first": first,
                "figure": drawn,
                "alt": alt,
                "base": st.get_option("server.baseUrlPath").rstrip("/"),
            },
            height=height if draws == 0 else 1,
        )
