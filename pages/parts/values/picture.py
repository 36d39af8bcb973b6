"""Plotly figures as plain data.

A figure that follows a thumb has a few milliseconds to be made. Plotly's own figure objects check each property as it
is set, which takes longer than everything else that happens between two positions of a slider. Here a figure is what
Plotly draws from, lists and dictionaries; the tests put every picture of the app through Plotly's checks.
"""

import json
from typing import Any

import numpy as np

from pages.parts.show.look import Palette, faded
from privbo_core.bo import Band
from privbo_core.errors import Array


class Picture:
    """One figure: few grid lines, no legend, the page's own font. ``data`` and ``layout`` are Plotly's."""

    def __init__(self, colours: Palette, height: int = 300, **layout: Any) -> None:
        axis = {
            "gridcolor": colours.grid,
            "zeroline": False,
            "linecolor": colours.grid,
            "automargin": False,
        }
        self.data: list[dict[str, Any]] = []
        self.layout: dict[str, Any] = {
            "height": height,
            "margin": {"l": 56, "r": 16, "t": 8, "b": 44},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"color": colours.text, "size": 13, "family": "Source Sans, sans-serif"},
            "showlegend": False,
            "hovermode": "closest",
            "annotations": [],
            "shapes": [],
        }
        self._axis = axis
        self.axis("xaxis")
        self.axis("yaxis")
        self.layout.update(layout)

    def axis(self, axis: str, title: str = "", **properties: Any) -> None:
        """Set an axis ("xaxis", "yaxis2", …): its title and Plotly's other properties."""
        known = self.layout.setdefault(axis, dict(self._axis))
        if title:
            known["title"] = {"text": title, "standoff": 6, "font": {"size": 13}}
        known.update(properties)

    def add(self, kind: str, **trace: Any) -> None:
        """Add a trace of Plotly's type ``kind``."""
        self.data.append({"type": kind, **trace})

    def line(self, x: object, y: object, colour: str, *, dash: str = "solid", width: float = 2.5, **trace: Any) -> None:
        """Add a curve."""
        self.add("scatter", x=x, y=y, mode="lines", line={"color": colour, "dash": dash, "width": width}, **trace)

    def band(self, x: list[float], band: Band, colour: str, dash: str, name: str) -> None:
        """Add a mean with its standard-error band."""
        if band.runs > 1:
            low, high = band.mean - band.standard_error, band.mean + band.standard_error
            self.add(
                "scatter",
                x=[*x, *reversed(x)],
                y=np.concatenate([high, low[::-1]]),
                fill="toself",
                fillcolor=faded(colour, 0.16),
                line={"width": 0},
                hoverinfo="skip",
                mode="lines",
            )
        self.line(
            x, band.mean, colour, dash=dash, name=name, customdata=band.standard_error,
            hovertemplate=f"{name}: %{{y:.3f}} after %{{x}}<extra></extra>",
        )  # fmt: skip

    def label(self, x: float, y: float, text: str, colour: str, **placing: Any) -> None:
        """Write beside a curve, in the curve's colour. Coordinates on a log axis are given as log₁₀."""
        self.layout["annotations"].append(
            {"x": x, "y": y, "text": text, "font": {"color": colour, "size": 12}, "showarrow": False, "xanchor": "left"}
            | placing
        )

    def upright(self, x: float, colour: str, *, dash: str = "solid", width: float = 2) -> None:
        """Add a vertical line across the whole figure."""
        self._shape("line", x, x, 0, 1, "x", "paper", line={"color": colour, "dash": dash, "width": width})

    def level(self, y: float, colour: str, *, dash: str = "dash", width: float = 2) -> None:
        """Add a horizontal line across the whole figure."""
        self._shape("line", 0, 1, y, y, "paper", "y", line={"color": colour, "dash": dash, "width": width})

    def region(self, start: float, end: float, colour: str) -> None:
        """Shade the figure between two values of x."""
        self._shape("rect", start, end, 0, 1, "x", "paper", fillcolor=colour, line={"width": 0}, layer="below")

    def _shape(
        self, kind: str, x0: float, x1: float, y0: float, y1: float, xref: str, yref: str, **properties: Any
    ) -> None:
        place = {"type": kind, "x0": x0, "x1": x1, "y0": y0, "y1": y1, "xref": xref, "yref": yref}
        self.layout["shapes"].append(place | properties)

    def as_json(self) -> str:
        """Return the figure as Plotly reads it. Numbers keep six significant digits, far more than a screen shows."""
        return json.dumps({"data": self.data, "layout": self.layout}, default=_plain, allow_nan=False)


def _plain(value: object) -> object:
    if isinstance(value, np.ndarray):
        return _rounded(value)
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a figure cannot hold {type(value).__name__}")


def _rounded(values: Array) -> list[float | None]:
    return [float(f"{value:.6g}") if np.isfinite(value) else None for value in values.tolist()]
