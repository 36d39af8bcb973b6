"""The figures of the Audit page: values in, pictures out."""

import math

import numpy as np

from pages.parts.show.look import Palette, faded
from pages.parts.values.picture import Picture
from privbo_core.errors import Array

BINS = 60


def clouds(
    here: Array,
    there: Array,
    names: tuple[str, str],
    title: str,
    threshold: float | None,
    colours: Palette,
    powers: bool = False,
) -> Picture:
    """Draw what the attacker sees under one dataset and under its neighbour, and where the line between them is drawn.

    ``powers``: the values are powers of ten.
    """
    picture = Picture(colours, height=320, barmode="overlay")
    both = np.concatenate([here, there])
    low, high = np.quantile(both, [0.001, 0.999])
    room = max(high - low, 1e-9) * 0.04 + (0.3 if powers else 0.0)
    edges = np.linspace(low - room, high + room, BINS + 1)
    tallest = 0.0
    looks = ((here, colours.private, "", names[0]), (there, colours.unmet, "/", names[1]))
    for values, colour, pattern, name in looks:
        counts, _ = np.histogram(np.clip(values, edges[0], edges[-1]), edges)
        share = 100.0 * counts / len(values)
        tallest = max(tallest, float(share.max()))
        picture.add(
            "bar",
            x=0.5 * (edges[1:] + edges[:-1]),
            y=share,
            width=edges[1] - edges[0],
            marker={
                "color": faded(colour, 0.55),
                "line": {"width": 0.5, "color": colour},
                "pattern": {"shape": pattern, "fgcolor": colour, "size": 6},
            },
            name=name,
            hovertemplate=f"{name}: %{{y:.1f}} % near %{{x:.3g}}<extra></extra>",
        )
    middles = [float(np.median(values)) for values, *_ in looks]
    order = middles[0] <= middles[1]
    far = abs(middles[0] - middles[1]) > 0.5 * (edges[-1] - edges[0])
    for (_, colour, _, name), middle, first in zip(looks, middles, (order, not order), strict=True):
        # Beside the bar where the two stand apart, in the outer corners where they overlap.
        x, place = middle, {"xanchor": "left" if first else "right", "xshift": 14 if first else -14}
        if not far:
            x, place = float(not first), {"xref": "paper", "xanchor": "left" if first else "right"}
        picture.label(x, 1, name, colour, yref="paper", yanchor="top", **place)
    if threshold is not None and edges[0] < threshold < edges[-1]:
        picture.upright(threshold, colours.plain, dash="dash", width=1.5)
    ticks = {}
    if powers:
        decades = range(math.ceil(edges[0]), math.floor(edges[-1]) + 1, max(1, round((edges[-1] - edges[0]) / 6)))
        ticks = {"tickvals": list(decades), "ticktext": [f"10<sup>{value}</sup>" for value in decades]}
    picture.axis("xaxis", title, range=[edges[0], edges[-1]], **ticks)
    picture.axis("yaxis", "% of trials", range=[0, 1.18 * tallest])
    return picture


def bars(claims: list[tuple[str, float]], shown: float, strongest: float | None, colours: Palette) -> Picture:
    """Draw what was shown about ε beside what is claimed. A refuted claim is vermilion and crossed out."""
    picture = Picture(colours, height=320, margin={"l": 142, "r": 30, "t": 24, "b": 44})
    entries = [("this audit shows<br>at least", shown, colours.private, "")]
    for name, claim in claims:
        refuted = shown > claim
        entries.append((name, claim, colours.refuted if refuted else colours.random, "x" if refuted else ""))
    for place, (name, value, colour, pattern) in enumerate(entries):
        picture.add(
            "bar",
            orientation="h",
            y=[name],
            x=[value],
            width=0.55,
            marker={
                "color": faded(colour, 0.35 if pattern else 0.75),
                "line": {"width": 1.5, "color": colour},
                "pattern": {"shape": pattern, "fgcolor": colour, "size": 10, "solidity": 0.4},
            },
            name=name.replace("<br>", " "),
            hovertemplate="ε = %{x:.3g}<extra></extra>",
        )
        mark = "✗ " if pattern else ""
        picture.label(value, place, f"{mark}{value:.3g}", colour, xshift=6)
    largest = max(value for _, value, *_ in entries)
    if strongest is not None and strongest < 4 * largest:
        picture.upright(strongest, colours.plain, dash="dot", width=1.5)
        picture.label(strongest, 1, "most these trials could show", colours.plain, yref="paper", yanchor="bottom",
                      xanchor="right" if strongest > 0.5 * largest else "left")  # fmt: skip
        largest = max(largest, strongest)
    picture.axis("xaxis", "ε", range=[0, 1.2 * max(largest, 1e-6)])
    picture.axis("yaxis", autorange="reversed", type="category")
    return picture


def rebuilt(original: Array, recovered: Array, known: Array, axes: tuple[str, str], colours: Palette) -> Picture:
    """Draw original records as rings and rebuilt ones as crosses, in the plane; those that were known as squares."""
    picture = Picture(colours, height=320)
    span = np.ptp(np.vstack([original, known]), axis=0)
    low, high = original.min(axis=0) - 0.3 * span, original.max(axis=0) + 0.3 * span
    for points, symbol, colour, size, name in (
        (original, "circle-open", colours.plain, 11, "original record"),
        (np.clip(recovered, low, high), "x-thin", colours.refuted, 8, "rebuilt record"),
        (known, "square", colours.private, 11, "known to the attacker"),
    ):
        picture.add(
            "scatter",
            x=points[:, 0],
            y=points[:, 1],
            mode="markers",
            marker={"symbol": symbol, "size": size, "color": colour, "line": {"color": colour, "width": 2}},
            name=name,
            hovertemplate=f"{name}: %{{x:.5g}}, %{{y:.5g}}<extra></extra>",
        )
    picture.axis("xaxis", axes[0], range=[float(low[0]), float(high[0])])
    picture.axis("yaxis", axes[1], range=[float(low[1]), float(high[1])])
    return picture


def probabilities(here: Array, there: Array, colours: Palette) -> Picture:
    """Draw Pr[λ̃ = λ] of every candidate under V and under V′, candidates in order of the first."""
    picture = Picture(colours, height=320, margin={"l": 64, "r": 16, "t": 24, "b": 44})
    order = np.argsort(-here)
    x = np.arange(1, len(order) + 1)
    picture.line(x, 100 * there[order], colours.unmet, dash="solid", width=2, name="with the neighbour V′",
                 hovertemplate="V′: %{y:.4f} %<extra></extra>")  # fmt: skip
    picture.line(x, 100 * here[order], colours.private, dash="dash", width=2, name="with V",
                 hovertemplate="V: %{y:.4f} %<extra></extra>")  # fmt: skip
    top = 100 * float(max(here.max(), there.max()))
    picture.axis("xaxis", "candidates λ, the likeliest under V first", range=[1, len(order)])
    picture.axis("yaxis", "probability of being published (%)", range=[0, 1.15 * top])
    picture.label(1, 1, "– – with V", colours.private, xref="paper", xanchor="right", yref="paper", yanchor="top")
    picture.label(1, 1, "— with its neighbour V′", colours.unmet, xref="paper", xanchor="right", yref="paper",
                  yanchor="top", yshift=-18)  # fmt: skip
    return picture
