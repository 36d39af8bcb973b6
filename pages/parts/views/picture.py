"""Colours by role, and by the theme that the browser shows: figures name roles, whoever draws them has the colours."""

import json
import math
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
import streamlit as st

from pages.parts.views.text import as_hover, as_plotly, minus, sup
from privbo_core.bo import Band
from privbo_core.errors import Array

Role = Literal[
    "private", "non_private", "random", "met", "unmet", "refuted", "text", "grid", "paper", "noisy", "nothing"
]


@dataclass(frozen=True)
class Colour:
    role: Role
    opacity: float = 1.0

    def faded(self, opacity: float) -> "Colour":
        return Colour(self.role, self.opacity * opacity)


PRIVATE = Colour("private")  # What is computed under a promise of privacy.
NON_PRIVATE = Colour("non_private")  # The same without privacy.
RANDOM = Colour("random")  # What knows nothing: random search, a blind draw, tuning alone.
NOISY = Colour("noisy")  # The release whose promise is proved, where another private one is beside it.
MET, UNMET, REFUTED = Colour("met"), Colour("unmet"), Colour("refuted")
"""A condition that is met, one that is not, a promise that is refuted."""
TEXT, GRID, PAPER, NOTHING = Colour("text"), Colour("grid"), Colour("paper"), Colour("nothing", 0.0)


@dataclass(frozen=True)
class Palette:
    """Okabe–Ito colours, with the same meaning on every page; chosen per theme so that each has contrast."""

    private: str
    non_private: str
    random: str
    met: str
    unmet: str
    refuted: str
    text: str
    grid: str
    paper: str
    noisy: str

    def of(self, colour: Colour) -> str:
        if colour.role == "nothing":
            return "rgba(0,0,0,0)"
        known: str = getattr(self, colour.role)
        if colour.opacity == 1.0:
            return known
        red, green, blue = (int(known[i : i + 2], 16) for i in (1, 3, 5))
        return f"rgba({red},{green},{blue},{colour.opacity:.6g})"


LIGHT = Palette(
    "#0072B2", "#222222", "#767676", "#00795A", "#8F5600", "#C04A00", "#1f2430", "#e3e5ea", "#ffffff", "#9E3D77"
)
DARK = Palette(
    "#56B4E9", "#f2f2f2", "#a8a8a8", "#2FBF94", "#E69F00", "#FF8552", "#f0f2f6", "#333a47", "#171614", "#E39BC4"
)


def palette() -> Palette:
    return DARK if st.context.theme.type == "dark" else LIGHT


STAMP = "stamp"
ROOM = 30  # Pixels that a stamp takes.
AXIS = {"gridcolor": GRID, "linecolor": GRID, "zeroline": False, "automargin": False, "separatethousands": True}
AXIS["exponentformat"] = "power"  # never 1B
_TEXTS = {"text": as_plotly, "ticktext": as_plotly, "hovertemplate": as_hover}


class Picture:
    """One figure: few grid lines, no legend, the page's own font. ``data`` and ``layout`` are Plotly's."""

    def __init__(self, height: int = 300, **layout: Any) -> None:
        self.data: list[dict[str, Any]] = []
        self.layout: dict[str, Any] = {
            "height": height,
            "margin": {"l": 56, "r": 16, "t": 8, "b": 44},
            "paper_bgcolor": NOTHING,
            "plot_bgcolor": NOTHING,
            "font": {"color": TEXT, "size": 13, "family": "Source Sans, sans-serif"},
            "showlegend": False,
            "hovermode": "closest",
            "annotations": [],
            "shapes": [],
        }
        self.axis("xaxis")
        self.axis("yaxis")
        self.layout.update(layout)

    def axis(self, axis: str, title: str = "", **properties: Any) -> None:
        """Set an axis ("xaxis", "yaxis2", …): its title and Plotly's other properties."""
        known = self.layout.setdefault(axis, dict(AXIS))
        if title:
            known["title"] = {"text": title, "standoff": 6, "font": {"size": 13}}
        known.update(properties)

    def log_axis(self, axis: str, title: str, low: float, high: float, most: int = 8) -> None:
        self.axis(axis, title, type="log", range=[math.log10(low), math.log10(high)], **decades(low, high, most))

    def add(self, kind: str, **trace: Any) -> None:
        """Add a trace of Plotly's type ``kind``. ``hovertemplate`` is text with Plotly's %{x} and %{y} in it."""
        self.data.append({"type": kind, **trace})

    def line(
        self, x: object, y: object, colour: Colour, *, dash: str = "solid", width: float = 2.5, **trace: Any
    ) -> None:
        self.add("scatter", x=x, y=y, mode="lines", line={"color": colour, "dash": dash, "width": width}, **trace)

    def marks(self, x: object, y: object, name: str, hover: str = "", **marker: Any) -> None:
        """``hover``: what is said of one, with Plotly's %{x} and %{y}; ``marker`` may name axes and texts."""
        apart = {part: marker.pop(part) for part in ("xaxis", "yaxis", "customdata", "text") if part in marker}
        said = {"hovertemplate": hover} if hover else {"hoverinfo": "skip"}
        self.add("scatter", x=x, y=y, mode="markers", name=name, marker=marker, **said, **apart)

    def points(self, x: object, y: object, colour: Colour, width: float, error: dict[str, Any], **trace: Any) -> None:
        """Draw a line through points with their errors. ``error``: how far up they reach, and down if that differs."""
        line, bars = {"color": colour, "width": width}, {**error, "color": colour, "thickness": 1.5}
        self.add("scatter", x=x, y=y, line=line, error_y=bars, **{"mode": "lines+markers"} | trace)

    def area(self, x: object, y: object, colour: Colour, **trace: Any) -> None:
        """Fill what a line around it encloses."""
        filled = {"mode": "lines", "fill": "toself", "fillcolor": colour, "line": {"width": 0}, "hoverinfo": "skip"}
        self.add("scatter", x=x, y=y, **filled | trace)

    def between(self, x: list[float], low: Array, high: Array, colour: Colour) -> None:
        self.area([*x, *reversed(x)], np.concatenate([high, low[::-1]]), colour)

    def band(self, x: list[float], band: Band, colour: Colour, dash: str, name: str) -> None:
        if band.runs > 1:
            self.between(x, band.mean - band.standard_error, band.mean + band.standard_error, colour.faded(0.16))
        said = f"{name}: %{{y:.3f}} after %{{x}}"
        self.line(x, band.mean, colour, dash=dash, name=name, customdata=band.standard_error, hovertemplate=said)

    def label(self, x: float, y: float, text: str, colour: Colour, **placing: Any) -> None:
        """``size`` of the letters: 12. Coordinates on a log axis are given as log₁₀."""
        font = {"color": colour, "size": placing.pop("size", 12)}
        written = {"x": x, "y": y, "text": text, "font": font, "showarrow": False, "xanchor": "left"}
        self.layout["annotations"].append(written | placing)

    def upright(self, x: float, colour: Colour, *, dash: str = "solid", width: float = 2) -> None:
        self._shape("line", (x, x, 0, 1), ("x", "paper"), line={"color": colour, "dash": dash, "width": width})

    def level(self, y: float, colour: Colour, *, dash: str = "dash", width: float = 2) -> None:
        self._shape("line", (0, 1, y, y), ("paper", "y"), line={"color": colour, "dash": dash, "width": width})

    def region(self, start: float, end: float, colour: Colour) -> None:
        self._shape("rect", (start, end, 0, 1), ("x", "paper"), fillcolor=colour, line={"width": 0}, layer="below")

    def box(self, corners: tuple[float, float, float, float], **properties: Any) -> None:
        """Draw a rectangle; ``corners``: x from, x to, y from, y to."""
        self._shape("rect", corners, ("x", "y"), **properties)

    def _shape(
        self, kind: str, place: tuple[float, float, float, float], on: tuple[str, str], **properties: Any
    ) -> None:
        x0, x1, y0, y1 = place
        shape = {"type": kind, "x0": x0, "x1": x1, "y0": y0, "y1": y1, "xref": on[0], "yref": on[1]}
        self.layout["shapes"].append(shape | properties)

    def grey(self) -> None:
        """Take the colours from its curves and from what is written beside them, so that none of them leads."""
        for trace in self.data:
            for part in ("line", "marker", "error_y"):
                if "color" in trace.get(part, ()):
                    trace[part] = {**trace[part], "color": RANDOM}
            if "fillcolor" in trace:
                trace["fillcolor"] = RANDOM.faded(0.16)
        for each in self.layout["annotations"]:
            if each.get("name") != STAMP:
                each["font"] = {**each["font"], "color": RANDOM}

    def stamp(self, text: str, **placing: Any) -> None:
        """Above all of it, if no place is given; once, however often it is asked for."""
        if any(each.get("name") == STAMP for each in self.layout["annotations"]):
            return
        if not placing:
            above = self.layout["margin"].get("t", 0)
            self.layout["margin"] = {**self.layout["margin"], "t": above + ROOM}
            placing = {"yanchor": "bottom", "yshift": above}
        place = {"xref": "paper", "yref": "paper", "xanchor": "center", "yanchor": "top"} | placing
        frame = {"bordercolor": REFUTED, "borderwidth": 2, "borderpad": 3, "bgcolor": PAPER}
        x, y = place.pop("x", 0.5), place.pop("y", 1)
        self.label(x, y, text, REFUTED, name=STAMP, size=14, **frame, **place)

    def as_json(self, palette: Palette) -> str:
        """Numbers keep six significant digits, far more than a screen shows."""
        drawn = {"data": [_texts(trace) for trace in self.data], "layout": _texts(self.layout)}
        return json.dumps(drawn, default=partial(_plain, palette), allow_nan=False)


def _texts(value: dict[str, Any]) -> dict[str, Any]:
    """Return the same with every text as Plotly reads it. Data are not looked into."""
    drawn = {}
    for key, each in value.items():
        if key in _TEXTS:
            write = _TEXTS[key]
            each = [write(str(one)) for one in each] if isinstance(each, (list, tuple)) else write(each)
        elif isinstance(each, dict):
            each = _texts(each)
        elif isinstance(each, list) and each and isinstance(each[0], dict):
            each = [_texts(one) for one in each]
        drawn[key] = each
    return drawn


def _plain(palette: Palette, value: object) -> object:
    if isinstance(value, Colour):
        return palette.of(value)
    if isinstance(value, np.ndarray):
        return [float(f"{each:.6g}") if math.isfinite(each) else None for each in value.tolist()]
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a figure cannot hold {type(value).__name__}")


ONE_TWO_FIVE = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Tick marks of a logarithmic axis that are easy to read."""
SAMPLES = {"solid": "━", "dash": "╍", "longdashdot": "━·", "dot": "┈"}
"""What a line of each style looks like, for a label beside it."""

End = tuple[float, str, Colour]  # Where a curve ends, its name, its colour.


def spread_labels(ends: list[End], gap: float) -> list[End]:
    placed: list[End] = []
    for y, name, colour in sorted(ends, key=lambda end: end[:2]):
        placed.append((max(y, placed[-1][0] + gap) if placed else y, name, colour))
    return placed


def at_least_three(low: float, high: float) -> dict[str, Any]:
    """Return the roundest tick marks of which three lie there: powers of ten, with 2 and 5 too, else equal steps."""
    for steps in ((1,), (1, 2, 5)):
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        ticks = [s * 10.0**k for k in range(first, last + 1) for s in steps if low <= s * 10.0**k <= high]
        if len(ticks) >= 3:
            break
    else:
        step = nice((high - low) / 6)
        ticks = [step * k for k in range(math.ceil(low / step), math.floor(high / step) + 1)]
    if len(ticks) > 8:  # as many decades as there is room for
        ticks = ticks[:: math.ceil(len(ticks) / 8)]
    texts = []
    for each in ticks:
        power = round(math.log10(each), 9)
        if power.is_integer() and not -3 <= power <= 5:
            texts.append(f"10{sup(minus(str(int(power))))}")
        else:
            texts.append(f"{each:,.0f}" if each >= 1000 else f"{each:.6g}")
    return {"tickvals": ticks, "ticktext": texts}


def nice(value: float) -> float:
    """Return the next of 1, 2, 5, 10, 20, … that is not below ``value``."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= value * (1 - 1e-9))


def decades(low: float, high: float, most: int = 8) -> dict[str, Any]:
    powers = range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)
    kept = [k for k in powers if k % math.ceil(len(powers) / most or 1) == 0]
    text = [f"{10.0**k:g}" if -3 <= k <= 3 else f"10{sup(minus(str(k)))}" for k in kept]
    return {"tickvals": [10.0**k for k in kept], "ticktext": text}
