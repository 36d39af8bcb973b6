"""Build a figure as values, without Streamlit. Colours are roles, which the browser looks up in the page's theme."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from pages.ui.numbers import power_of_ten

PRIVATE = "pb:private"
SECOND_PRIVATE = "pb:second"
NON_PRIVATE = "pb:non-private"
RANDOM = "pb:random"
REFUTED = "pb:refuted"
PROVEN = "pb:proven"
CAUTION = "pb:caution"
TEXT = "pb:text"
MUTED = "pb:muted"
GRID = "pb:grid"
PAPER = "pb:paper"
CLEAR = "rgba(0,0,0,0)"
FONT = '"Source Sans", "Source Sans 3", sans-serif'
SIZE = 13
DIGITS = 6
"""Significant digits of the numbers in a figure, far more than a screen shows."""
LABEL_HEIGHT = 18
"""Pixels between two labels beside each other's ends of curves."""


def faded(colour: str, opacity: float) -> str:
    """Return a colour with this opacity."""
    return f"{colour}@{opacity:g}"


@dataclass(frozen=True)
class Stroke:
    """How a curve is drawn: its colour and its line style, which doubles the colour."""

    colour: str
    dash: str = "solid"
    width: float = 2.5


@dataclass(frozen=True)
class Handle:
    """A dot that can be dragged along a curve to set a slider.

    ``x`` and ``y`` are the curve, in the order of x. ``value`` is where the dot is, and ``axes`` the number of the
    subplot. With ``line``, an upright or level line across the plot is dragged instead, with a ``text`` at its end. A
    level line stands for the height of the curve. While it is dragged, the slider takes the first x of ``stops`` whose
    height isn't above the line.
    """

    slider: str
    label: str
    value: float
    x: tuple[float, ...]
    y: tuple[float, ...]
    axes: int = 1
    line: Literal["", "upright", "level"] = ""
    text: str = ""
    stops: tuple[tuple[float, float], ...] = ()


class Figure:
    """One figure with few grid lines, no legend and the page's font. ``data`` and ``layout`` are Plotly's."""

    def __init__(self, height: int = 300, *, left: int = 56, right: int = 16, top: int = 8, bottom: int = 44) -> None:
        self.height = height
        self.data: list[dict[str, Any]] = []
        self.handles: list[Handle] = []
        self.legend: list[tuple[str, Stroke]] = []
        self.layout: dict[str, Any] = {
            "height": height,
            "margin": {"l": left, "r": right, "t": top, "b": bottom},
            "paper_bgcolor": CLEAR,
            "plot_bgcolor": CLEAR,
            "font": {"color": TEXT, "size": SIZE, "family": FONT},
            "hoverlabel": {
                "bgcolor": PAPER,
                "bordercolor": GRID,
                "font": {"color": TEXT, "size": SIZE, "family": FONT},
            },
            "showlegend": False,
            "hovermode": "closest",
            "dragmode": False,
            "annotations": [],
            "shapes": [],
        }
        self.axis("x")
        self.axis("y")

    def axis(self, name: str, title: str = "", bounds: tuple[float, float] | None = None, **properties: Any) -> None:  # noqa: ANN401
        """Set an axis ("x", "y2", …): its title, its bounds in the axis' own values, and Plotly's properties."""
        known = self.layout.setdefault(_long(name), {
            "gridcolor": GRID, "linecolor": GRID, "zeroline": False, "fixedrange": True, "exponentformat": "power",
            "separatethousands": True, "tickfont": {"size": 12, "color": MUTED}, "ticks": "",
        })  # fmt: skip
        known.update(properties)
        if title:
            known["title"] = {"text": title, "standoff": 8, "font": {"size": SIZE, "color": MUTED}}
        if bounds is not None:
            known["range"] = [math.log10(end) for end in bounds] if known.get("type") == "log" else list(bounds)

    def log_axis(
        self,
        name: str,
        title: str,
        bounds: tuple[float, float],
        ticks: Sequence[float] = (),
        **more: Any,  # noqa: ANN401
    ) -> None:
        """Set a logarithmic axis. Without ``ticks`` it has one for each power of ten."""
        low, high = bounds
        if not ticks:
            powers = range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)
            ticks = [10.0**power for power in powers]
        texts = [
            f"10<sup>{round(math.log10(tick))}</sup>" if tick in (1e4, 1e5) else power_of_ten(tick) for tick in ticks
        ]
        self.axis(name, title, bounds, type="log", tickvals=list(ticks), ticktext=texts, **more)

    def line(
        self,
        x: ArrayLike,
        y: ArrayLike,
        stroke: Stroke,
        name: str,
        hover: str = "",
        axes: int = 1,
        **more: Any,  # noqa: ANN401
    ) -> None:
        """Draw a curve. ``hover`` is a sentence with Plotly's %{x} and %{y}, or empty for none."""
        line = {"color": stroke.colour, "dash": stroke.dash, "width": stroke.width}
        self._add("scatter", axes, x=x, y=y, mode="lines", line=line, name=name, **_hover(hover), **more)

    def band(self, x: ArrayLike, low: ArrayLike, high: ArrayLike, colour: str, axes: int = 1) -> None:
        """Fill the area between two curves."""
        x, low, high = (np.asarray(each, dtype=float) for each in (x, low, high))
        around = {"x": np.concatenate([x, x[::-1]]), "y": np.concatenate([high, low[::-1]])}
        self._add(
            "scatter",
            axes,
            **around,
            mode="lines",
            fill="toself",
            fillcolor=colour,
            line={"width": 0},
            hoverinfo="skip",
        )

    def points(
        self,
        x: ArrayLike,
        y: ArrayLike,
        colour: str,
        name: str,
        hover: str = "",
        axes: int = 1,
        **marker: Any,  # noqa: ANN401
    ) -> None:
        """Draw points. ``marker`` has Plotly's properties, such as size and symbol."""
        self._add(
            "scatter",
            axes,
            x=x,
            y=y,
            mode="markers",
            name=name,
            marker={"color": colour, "size": 8, **marker},
            **_hover(hover),
        )

    def bars(
        self,
        x: ArrayLike,
        y: ArrayLike,
        colour: str,
        name: str,
        hover: str = "",
        axes: int = 1,
        **more: Any,  # noqa: ANN401
    ) -> None:
        """Draw vertical bars."""
        self._add(
            "bar", axes, x=x, y=y, name=name, marker={"color": colour, "line": {"width": 0}}, **_hover(hover), **more
        )

    def surface(self, x: ArrayLike, y: ArrayLike, z: ArrayLike) -> None:
        """Shade a grid of values, with darker places for larger ones. ``z`` has a row for each y."""
        shades = [[0, "rgba(117,125,140,0.05)"], [1, "rgba(117,125,140,0.7)"]]
        rows = [_numbers(row) for row in np.asarray(z, dtype=float)]
        self._add("heatmap", 1, x=x, y=y, z=rows, colorscale=shades, showscale=False, hoverinfo="skip")

    def region(self, start: float, end: float, colour: str, axes: int = 1) -> None:
        """Tint the plot between two values of x."""
        self._shape(
            "rect",
            (start, end, 0, 1),
            (_ref("x", axes), f"{_ref('y', axes)} domain"),
            fillcolor=colour,
            line={"width": 0},
            layer="below",
        )

    def level(self, y: float, stroke: Stroke, axes: int = 1) -> None:
        """Draw a horizontal line across the plot."""
        line = {"color": stroke.colour, "dash": stroke.dash, "width": stroke.width}
        self._shape("line", (0, 1, y, y), (f"{_ref('x', axes)} domain", _ref("y", axes)), line=line)

    def upright(self, x: float, stroke: Stroke, axes: int = 1) -> None:
        """Draw a vertical line across the plot."""
        line = {"color": stroke.colour, "dash": stroke.dash, "width": stroke.width}
        self._shape("line", (x, x, 0, 1), (_ref("x", axes), f"{_ref('y', axes)} domain"), line=line)

    def label(self, x: float, y: float, text: str, colour: str = TEXT, axes: int = 1, **placing: Any) -> None:  # noqa: ANN401
        """Write a text at a place in the axes' own values. ``placing`` has Plotly's properties, such as xanchor."""
        place = {"x": self._place("x", x, axes), "y": self._place("y", y, axes)}
        refs = {"xref": _ref("x", axes), "yref": _ref("y", axes)}
        font = {"color": colour, "size": placing.pop("size", 12)}
        self.layout["annotations"].append(
            {"text": text, "font": font, "showarrow": False, "xanchor": "left", **refs, **place, **placing}
        )

    def end_labels(self, ends: Sequence[tuple[float, str, Stroke]], axes: int = 1, *, right: float = 1.0) -> None:
        """Name curves in the right margin, where they end, so that no name covers another or a curve.

        ``ends`` has the value of y at which each curve ends, its name, and its stroke. ``right`` is where the plot ends
        in shares of the figure. On a phone the names become a row above the figure.
        """
        margin = self.layout["margin"]
        inside = self.height - margin["t"] - margin["b"]
        axis = self.layout[_long(_ref("y", axes))]
        low, high = axis["range"]
        begin, end = axis.get("domain", (0.0, 1.0))
        tall = inside * (end - begin)
        scale = math.log10 if axis.get("type") == "log" else float
        pixels = sorted(
            (tall * (scale(max(y, 1e-300) if scale is math.log10 else y) - low) / (high - low), name, stroke)
            for y, name, stroke in ends
        )
        for place, name, stroke in _spread(pixels, tall):
            self.layout["annotations"].append({
                "text": name, "font": {"color": stroke.colour, "size": 12}, "showarrow": False, "name": "end",
                "xref": "paper", "x": right, "xanchor": "left", "xshift": 6,
                "yref": "paper", "y": begin + place / inside, "yanchor": "middle",
            })  # fmt: skip
        self.legend += [(name, stroke) for _, name, stroke in ends if (name, stroke) not in self.legend]

    def handle(
        self, slider: str, label: str, value: float, x: Sequence[float], y: Sequence[float], axes: int = 1
    ) -> None:
        """Add a dot that can be dragged along a curve to set a slider."""
        self.handles.append(Handle(slider, label, value, tuple(map(float, x)), tuple(map(float, y)), axes))

    def line_handles(
        self,
        slider: str,
        value: float,
        curve: tuple[Sequence[float], Sequence[float]],
        upright: tuple[str, str],
        level: tuple[str, str],
        stops: Sequence[tuple[float, float]],
    ) -> None:
        """Add an upright and a level line that cross on a curve and can be dragged to set a slider.

        ``upright`` and ``level`` each have the line's name for screen readers and the text at its end. ``stops`` are
        the points to which the level line leads, from the left.
        """
        x, y = (tuple(map(float, each)) for each in curve)
        places = tuple((float(at), float(height)) for at, height in stops)
        self.handles.append(Handle(slider, upright[0], value, x, y, line="upright", text=upright[1]))
        self.handles.append(Handle(slider, level[0], value, x, y, line="level", text=level[1], stops=places))

    def to_json(self) -> str:
        """Return the figure as JSON for the browser."""
        legend = [{"name": name, "colour": stroke.colour, "dash": stroke.dash} for name, stroke in self.legend]
        handles = [{**vars(handle)} for handle in self.handles]
        drawn = {"data": self.data, "layout": self.layout, "legend": legend, "handles": handles}
        return json.dumps(drawn, default=_plain, allow_nan=False)

    def _add(self, kind: str, axes: int, **trace: Any) -> None:  # noqa: ANN401
        refs = {"xaxis": _ref("x", axes), "yaxis": _ref("y", axes)} if axes > 1 else {}
        self.data.append(
            {
                "type": kind,
                **refs,
                **{key: _numbers(value) if key in ("x", "y") else value for key, value in trace.items()},
            }
        )

    def _shape(
        self,
        kind: str,
        place: tuple[float, float, float, float],
        refs: tuple[str, str],
        **properties: Any,  # noqa: ANN401
    ) -> None:
        x0, x1, y0, y1 = place
        shape = {"type": kind, "x0": x0, "x1": x1, "y0": y0, "y1": y1, "xref": refs[0], "yref": refs[1]}
        self.layout["shapes"].append(shape | properties)

    def _place(self, letter: str, value: float, axes: int) -> float:
        axis = self.layout[_long(_ref(letter, axes))]
        return math.log10(value) if axis.get("type") == "log" else value


def _spread(labels: Sequence[tuple[float, str, Stroke]], inside: float) -> list[tuple[float, str, Stroke]]:
    """Move labels apart so that each has its own line, within the plot, from the lowest upwards."""
    places = [min(max(place, 0.0), inside) for place, _, _ in labels]
    for low in range(1, len(places)):
        places[low] = max(places[low], places[low - 1] + LABEL_HEIGHT)
    over = (places[-1] if places else 0.0) - inside
    if over > 0:
        places[-1] = inside
        for high in range(len(places) - 2, -1, -1):
            places[high] = min(places[high], places[high + 1] - LABEL_HEIGHT)
    return [(place, name, stroke) for place, (_, name, stroke) in zip(places, labels, strict=True)]


def _ref(letter: str, axes: int) -> str:
    return letter if axes == 1 else f"{letter}{axes}"


def _long(name: str) -> str:
    return f"{name[0]}axis{name[1:]}"


def _hover(sentence: str) -> dict[str, str]:
    return {"hovertemplate": f"{sentence}<extra></extra>"} if sentence else {"hoverinfo": "skip"}


def _numbers(values: ArrayLike) -> list[float | None]:
    return [
        float(f"{each:.{DIGITS}g}") if math.isfinite(each) else None
        for each in np.asarray(values, dtype=float).tolist()
    ]


def _plain(value: object) -> object:
    if isinstance(value, np.ndarray):
        return _numbers(value)
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"A figure can't hold {type(value).__name__}.")
