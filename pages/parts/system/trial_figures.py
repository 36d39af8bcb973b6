"""The figure of an audit by trials: what the attacker sees."""

import math
from typing import Any

import numpy as np

from pages.parts.views.picture import NON_PRIVATE, PRIVATE, UNMET, Picture
from pages.parts.views.text import minus, sup
from privbo_core.errors import Array

BELOW_TOOLS: dict[str, Any] = {"yanchor": "top", "yshift": -22}
"""Where a name stands that the tools of a chart, at its top, would cover."""
BINS = 60  # Bars of each histogram.
SEED = 4


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
