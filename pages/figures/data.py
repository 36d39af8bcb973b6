"""The figure of the Data page: how a column is distributed, and its protected difference to scale."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from pages.ui.cards import axis_name
from pages.ui.figure import MUTED, NON_PRIVATE, SECOND_PRIVATE, Figure, Stroke, faded
from pages.ui.text import to_html, verbatim
from privbo_core.errors import Array

HEIGHT = 204
MAX_BINS = 40
MAX_LEVELS = 12
FIRST_DAY = date(1970, 1, 1)
ROOM = 0.03
"""The room beside the range, as a share of it."""


@dataclass(frozen=True, eq=False)
class Shown:
    """A column of numbers and its settings, in its own unit. Dates are days since 1970.

    ``pair`` are two values that the release can't tell apart, with their names, or None for an outcome.
    """

    name: str
    unit: str
    values: Array
    low: float
    high: float
    pair: tuple[float, float] | None = None
    pair_names: tuple[str, str] = ("", "")
    log: bool = False
    dates: bool = False


def column(shown: Shown) -> Figure:
    """Draw how a column is distributed, its limits, and two values that are one protected difference apart."""
    figure = Figure(HEIGHT, left=52, right=16, top=28 if shown.pair else 12)
    edges, counts = _histogram(shown)
    middles = np.sqrt(edges[1:] * edges[:-1]) if shown.log else (edges[1:] + edges[:-1]) / 2
    top = max(float(counts.max()), 1.0)
    ends = _bounds(shown)
    if shown.log:
        figure.log_axis("x", axis_name(shown.name, shown.unit), ends, _log_ticks(*ends), showgrid=False)
    elif shown.dates:
        figure.axis("x", axis_name(shown.name, ""), ends, showgrid=False, **_date_ticks(*ends))
    else:
        figure.axis("x", axis_name(shown.name, shown.unit), ends, showgrid=False, nticks=7, tickformat=",~r")
    figure.axis("y", "rows", (0.0, 1.08 * top), nticks=4, tickformat=",d")
    width = np.diff(edges).tolist()
    figure.bars(middles, counts, faded(NON_PRIVATE, 0.28), "rows", "%{y:,} rows near %{x:.4g}", width=width)
    for end in (shown.low, shown.high):
        if shown.pair is not None:
            figure.upright(end, Stroke(MUTED, "dot", 1.5))
    if shown.pair is not None:
        _draw_pair(figure, shown, top)
    return figure


def _draw_pair(figure: Figure, shown: Shown, top: float) -> None:
    """Draw the protected difference to scale, between two values that can't be told apart."""
    assert shown.pair is not None
    one, two = sorted(shown.pair)
    names = shown.pair_names if shown.pair[0] <= shown.pair[1] else shown.pair_names[::-1]
    figure.region(one, two, faded(SECOND_PRIVATE, 0.22))
    for end in (one, two):
        figure.upright(end, Stroke(SECOND_PRIVATE, width=2))
    low, high = _bounds(shown)
    place = _share(one, low, high, shown.log)
    anchor = "left" if place < 0.2 else "right" if place > 0.8 else "center"
    x = math.sqrt(one * two) if shown.log else (one + two) / 2
    text = f"one protected difference: {to_html(verbatim(names[0]))} or {to_html(verbatim(names[1]))}"
    figure.label(x, 1.08 * top, text, SECOND_PRIVATE, xanchor=anchor, yanchor="bottom", yshift=4)


def _share(value: float, low: float, high: float, log: bool) -> float:
    if log:
        value, low, high = math.log(value), math.log(low), math.log(high)
    return (value - low) / (high - low)


def _histogram(shown: Shown) -> tuple[Array, Array]:
    values = shown.values[np.isfinite(shown.values)]
    values = np.clip(values, shown.low, shown.high) if shown.pair is not None else values
    spaced = np.geomspace(shown.low, shown.high, MAX_BINS + 1) if shown.log else None
    edges = _edges(values, shown.low, shown.high) if spaced is None else spaced
    return edges, np.histogram(np.clip(values, edges[0], edges[-1]), edges)[0].astype(float)


def _edges(values: Array, low: float, high: float) -> Array:
    """Return the edges of the bins. With whole numbers, each bin has equally many of them."""
    whole = bool(len(values)) and bool((values == np.round(values)).all())
    span = round(high - low) + 1 if high - low < 1e9 else MAX_BINS + 1
    if whole and span >= 2:
        width = math.ceil(span / MAX_BINS)
        return np.asarray(math.floor(low) - 0.5 + width * np.arange(math.ceil(span / width) + 1), dtype=float)
    return np.linspace(low, high, MAX_BINS + 1)


def _bounds(shown: Shown) -> tuple[float, float]:
    if shown.log:
        room = (shown.high / shown.low) ** ROOM
        return shown.low / room, shown.high * room
    room = max(ROOM * (shown.high - shown.low), 0.5 if shown.high - shown.low < 20 and _whole(shown) else 0.0)
    return shown.low - room, shown.high + room


def _whole(shown: Shown) -> bool:
    finite = shown.values[np.isfinite(shown.values)]
    return bool((finite == np.round(finite)).all())


def _log_ticks(low: float, high: float) -> list[float]:
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    factors = (1.0,) if len(powers) > 5 else (1.0, 3.0) if len(powers) > 3 else (1.0, 2.0, 5.0)
    ticks = [factor * 10.0**power for power in powers for factor in factors]
    return [tick for tick in ticks if low <= tick <= high]


def _date_ticks(low: float, high: float) -> dict[str, list[object]]:
    places = np.linspace(low, high, 6)[1:-1]
    return {"tickvals": [float(place) for place in places], "ticktext": [_day(place) for place in places]}


def _day(days: float) -> str:
    try:
        return (FIRST_DAY + timedelta(days=round(days))).isoformat()
    except OverflowError:
        return f"{days:.0f}"


def categories(name: str, counts: Sequence[tuple[str, int]]) -> Figure:
    """Draw how often each value of a category occurs."""
    figure = Figure(HEIGHT, left=52, right=16, top=12, bottom=60)
    shown = list(counts[:MAX_LEVELS])
    others = sum(number for _, number in counts[MAX_LEVELS:])
    names = [to_html(verbatim(level if len(level) <= 14 else f"{level[:13]}…")) for level, _ in shown]
    heights = [float(number) for _, number in shown]
    if others:
        names, heights = [*names, "all others"], [*heights, float(others)]
    places = np.arange(len(names), dtype=float)
    figure.axis(
        "x", axis_name(name, ""), (-0.6, len(names) - 0.4), showgrid=False, tickvals=places.tolist(), ticktext=names
    )
    figure.axis("y", "rows", (0.0, 1.08 * max(heights, default=1.0)), nticks=4, tickformat=",d")
    figure.bars(places, heights, faded(SECOND_PRIVATE, 0.4), "rows", "%{y:,} rows", width=0.7)
    return figure
