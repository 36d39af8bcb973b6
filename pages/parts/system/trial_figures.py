"""The two figures of an audit by trials: what the attacker sees, and what it shows about ε."""

import math
from typing import Any

import numpy as np

from pages.parts.views.picture import NON_PRIVATE, PRIVATE, RANDOM, REFUTED, UNMET, Picture
from pages.parts.views.text import minus, scientific, sup
from privbo_core.errors import Array

BELOW_TOOLS: dict[str, Any] = {"yanchor": "top", "yshift": -22}
"""Where a name stands that the tools of a chart, at its top, would cover."""
BINS = 60  # Bars of each histogram.


def clouds(
    here: Array, there: Array, names: tuple[str, str], title: str, threshold: float, powers: bool = False
) -> Picture:
    """Draw what the attacker sees under one dataset and under its neighbour, and where the line between them is drawn.

    The names stand beside the bars where the two are apart, in the outer corners where they overlap. ``powers``: the
    values are powers of ten.
    """
    picture = Picture(height=320, barmode="overlay")
    low, high = np.quantile(np.concatenate([here, there]), [0.001, 0.999])
    room = max(high - low, 1e-9) * 0.04 + (0.3 if powers else 0.0)
    edges = np.linspace(low - room, high + room, BINS + 1)
    centres, width = 0.5 * (edges[1:] + edges[:-1]), edges[1] - edges[0]
    middles, tallest = [float(np.median(values)) for values in (here, there)], 0.0
    far, ordered = abs(middles[0] - middles[1]) > 0.5 * float(edges[-1] - edges[0]), middles[0] <= middles[1]
    for values, colour, pattern, name, middle, first in (
        (here, PRIVATE, "", names[0], middles[0], ordered),
        (there, UNMET, "/", names[1], middles[1], not ordered),
    ):
        counts, _ = np.histogram(np.clip(values, edges[0], edges[-1]), edges)
        share, hover = 100.0 * counts / len(values), f"{name}: %{{y:.1f}} % near %{{x:.3g}}"
        tallest = max(tallest, float(share.max()))
        crossing = {"shape": pattern, "fgcolor": colour, "size": 6}
        marker = {"color": colour.faded(0.55), "line": {"width": 0.5, "color": colour}, "pattern": crossing}
        picture.add("bar", x=centres, y=share, width=width, marker=marker, name=name, hovertemplate=hover)
        placing: dict[str, Any] = {"yref": "paper", "xanchor": "left" if first else "right", **BELOW_TOOLS}
        placing |= {"xshift": 14 if first else -14} if far else {"xref": "paper"}
        picture.label(middle if far else float(not first), 1, name, colour, **placing)
    if edges[0] < threshold < edges[-1]:
        picture.upright(threshold, NON_PRIVATE, dash="dash", width=1.5)
    picture.axis("xaxis", title, range=[edges[0], edges[-1]], **(_powers(edges) if powers else {}))
    picture.axis("yaxis", "% of trials", range=[0, 1.3 * tallest])
    return picture


def _powers(edges: Array) -> dict[str, Any]:
    """Return tick marks for an axis of exponents of ten; between two powers, of what lies there."""
    if math.floor(edges[-1]) - math.ceil(edges[0]) < 1:
        within = np.linspace(edges[0], edges[-1], 6)[1:-1].tolist()
        return {"tickvals": within, "ticktext": [f"{10**value:.3g}" for value in within]}
    exponents = range(math.ceil(edges[0]), math.floor(edges[-1]) + 1, max(1, round((edges[-1] - edges[0]) / 6)))
    return {"tickvals": list(exponents), "ticktext": [f"10{sup(minus(str(value)))}" for value in exponents]}


def bars(claims: tuple[tuple[str, float], ...], shown: float, strongest: float | None) -> Picture:
    """Draw what was shown about ε beside what is claimed. A refuted claim is vermilion and crossed out.

    ``claims``: (name, ε), a line break where the name may be broken. ``strongest``: the most that could be shown.
    """
    picture = Picture(height=320, margin={"l": 142, "r": 30, "t": 24, "b": 44})
    entries = [("this audit shows\nat least", shown, PRIVATE, "")]
    for name, claim in claims:
        refuted = shown > claim
        entries.append((name, claim, REFUTED if refuted else RANDOM, "x" if refuted else ""))
    names = [name.replace("\n", " ") for name, *_ in entries]
    for place, (name, (_, value, colour, pattern)) in enumerate(zip(names, entries, strict=True)):
        crossing = {"shape": pattern, "fgcolor": colour, "size": 10, "solidity": 0.4}
        fill = colour.faded(0.35 if pattern else 0.75)
        marker = {"color": fill, "line": {"width": 1.5, "color": colour}, "pattern": crossing}
        bar = {"orientation": "h", "width": 0.55, "marker": marker, "hovertemplate": "ε = %{x:.3g}"}
        picture.add("bar", y=[name], x=[value], name=name, **bar)
        picture.label(value, place, f"{'✗ ' if pattern else ''}{scientific(value)}", colour, xshift=6)
    largest = max(value for _, value, *_ in entries)
    if strongest is not None and strongest < 4 * largest:
        picture.upright(strongest, NON_PRIVATE, dash="dot", width=1.5)
        above = {"yref": "paper", "yanchor": "bottom", "xanchor": "right" if strongest > 0.5 * largest else "left"}
        picture.label(strongest, 1, "most these trials could show", NON_PRIVATE, **above)
        largest = max(largest, strongest)
    picture.axis("xaxis", "ε", range=[0, 1.2 * max(largest, 1e-6)])
    ticks: dict[str, Any] = {"tickvals": names, "ticktext": [name for name, *_ in entries]}
    picture.axis("yaxis", autorange="reversed", type="category", **ticks)
    return picture
