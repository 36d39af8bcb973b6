"""The figures of the Federated page: values in, pictures out."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pages.parts.outsourced.figures import spread_labels
from pages.parts.show.look import Palette, faded
from pages.parts.values.picture import Picture
from privbo_core.bo import Band
from privbo_core.errors import Array
from privbo_core.federated import FederatedProblem, Progress
from privbo_core.federated.beliefs import Rows
from privbo_core.federated.simulation import Measure

MARGIN = {"l": 56, "r": 92, "t": 8, "b": 44}
MEANINGS = {"pld": "loss<br>distributions", "rdp": "Rényi", "moments": "moments"}
DASHES = {"TS": "solid", "FTS": "dash", "FTS-DE": "longdashdot", "DP-FTS": "dot", "DP-FTS-DE": "solid"}
SAMPLES = {"solid": "━", "dash": "╍", "longdashdot": "━·", "dot": "┈"}
ORDER = ("TS", "FTS", "FTS-DE", "DP-FTS", "DP-FTS-DE")
ROUND = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def colour_of(name: str, colours: Palette) -> str:
    """Return the colour of an algorithm: private ones blue, sharing without privacy near-black, alone grey."""
    if name == "TS":
        return colours.random
    return colours.private if name.startswith("DP") else colours.plain


def nice(value: float) -> float:
    """Return the next of 1, 2, 5, 10, 20, … that is not below ``value``."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= value * (1 - 1e-9))


def privacy_top(moments: Sequence[float], steps: int, held: float | None) -> float:
    """Return the top of the ε axis. One that is held stays, unless the curve would leave it or vanish in it."""
    now = moments[steps - 1]
    if not math.isfinite(now):
        return held or 10.0
    needed = nice(1.25 * now)
    if held is None or now > held or now < 0.08 * held:
        return needed
    return held


def privacy(
    moments: Sequence[float], steps: int, tighter: Mapping[str, Sequence[float]], fresh: bool, top: float,
    colours: Palette,
) -> Picture:  # fmt: skip
    """Draw ε over the rounds: by moments for all rounds of the axis, and by the tighter accountants up to T.

    Unless ``fresh``, the tighter ones are those of an earlier setting, and are dimmed.
    """
    picture = Picture(colours, margin=MARGIN)
    picture.axis("xaxis", "rounds t", range=[0, len(moments)])
    picture.axis("yaxis", "privacy loss ε so far", range=[0, top])
    if not math.isfinite(moments[0]):
        picture.label(
            len(moments) / 2, top / 2, "ε = ∞ from the first round on: nothing hides an agent", colours.text,
            xanchor="center", font={"size": 15, "color": colours.text},
        )  # fmt: skip
        return picture
    x = [float(t) for t in range(1, len(moments) + 1)]
    picture.line(x, np.asarray(moments), faded(colours.private, 0.3), width=2, hoverinfo="skip")
    picture.line(
        x[:steps], np.asarray(moments[:steps]), colours.private, name="moments",
        hovertemplate="moments: ε = %{y:.3g} after %{x} rounds<extra></extra>",
    )  # fmt: skip
    ends: list[tuple[float, str, str]] = []
    # Above the marker and to its left, where neither the curve nor what it may become passes, if there is room.
    beside = {"xanchor": "right", "yshift": 14} if steps > 18 else {"yshift": 22}
    picture.label(steps, moments[steps - 1], MEANINGS["moments"], colours.private, **beside)
    for name, dash in (("rdp", "dash"), ("pld", "dot")):
        curve = tighter.get(name)
        if curve is None:
            continue
        shade = colours.met if fresh else faded(colours.met, 0.3)
        picture.line(
            x[: len(curve)], np.asarray(curve), shade, dash=dash, name=name,
            hovertemplate=f"{MEANINGS[name].replace('<br>', ' ')}: ε = %{{y:.3g}} after %{{x}} rounds<extra></extra>",
        )  # fmt: skip
        if fresh:
            ends.append((curve[-1], MEANINGS[name], colours.met))
    for y, text, colour in spread_labels(ends, top * 0.085):
        if 0 <= y <= top:
            picture.label(steps, y, text, colour, xshift=8, align="left")
    picture.add(
        "scatter", x=[steps], y=[moments[steps - 1]], mode="markers",
        marker={"color": colours.private, "size": 11, "line": {"color": colours.text, "width": 1.5}},
        hovertemplate="now: ε = %{y:.3g} after %{x} rounds<extra></extra>", name="now",
    )  # fmt: skip
    return picture


def regret(
    now: Progress, before: Array | None, measure: Measure, iterations: int, top: float | None, scale: float, unit: str,
    colours: Palette,
) -> Picture:  # fmt: skip
    """Draw regret over the rounds for the five algorithms, as far as they have got.

    ``before``: the superseded private curve, dimmed. ``top`` fixes the axis.
    """
    picture = Picture(colours, margin=MARGIN)
    if before is not None:
        x = [float(t) for t in range(1, len(before) + 1)]
        picture.line(x, before, faded(colours.private, 0.35), hoverinfo="skip")
    ends: list[tuple[float, str, str]] = []
    for name in ORDER:
        curve = now.band(name, measure)
        if curve is None:
            continue
        curve = Band(curve.mean * scale, curve.standard_error * scale, curve.runs)
        x = [float(t) for t in range(1, len(curve.mean) + 1)]
        colour = colour_of(name, colours)
        picture.band(x, curve, colour, DASHES[name], name)
        alone = " (alone)" if name == "TS" else ""
        ends.append((float(curve.mean[-1]), f"{SAMPLES[DASHES[name]]} {name}{alone}", colour))
    top = top or regret_top(now, measure, scale)
    for y, name, colour in spread_labels(ends, top * 0.085):
        picture.label(1, min(y, top), name, colour, xref="paper", xshift=4)
    kind = "simple regret" if measure == "simple" else "cumulative regret"
    picture.axis("xaxis", "rounds t", range=[1, max(iterations, 2)])
    picture.axis("yaxis", f"{kind}, mean over agents ({unit})", range=[-0.02 * top, top])
    return picture


def regret_top(now: Progress, measure: Measure, scale: float) -> float:
    """Return the top of the regret axis: the highest of all curves."""
    curves = [band for name in now.finished if (band := now.band(name, measure)) is not None]
    return max(1.08 * scale * max((float(band.mean.max()) for band in curves), default=1.0), 1e-6)


def over_rounds(curves: Sequence[tuple[str, Band, str, str]], title: str, colours: Palette, percent: bool) -> Picture:
    """Draw quantities of the server's over the rounds: (name, band, colour, dash) each."""
    picture = Picture(colours, margin=MARGIN)
    factor = 100.0 if percent else 1.0
    ends, highest = [], 0.0
    for name, band, colour, dash in curves:
        scaled = Band(band.mean * factor, band.standard_error * factor, band.runs)
        picture.band([float(t) for t in range(1, len(band.mean) + 1)], scaled, colour, dash, name)
        ends.append((float(scaled.mean[-1]), f"{SAMPLES[dash]} {name}", colour))
        highest = max(highest, float(scaled.mean.max()))
    top = 104.0 if percent else max(1.1 * highest, 1e-9)
    for y, name, colour in spread_labels(ends, top * 0.085):
        picture.label(1, min(y, top), name, colour, xref="paper", xshift=4)
    picture.axis("xaxis", "rounds t", range=[1, max(len(curves[0][1].mean), 2)])
    picture.axis("yaxis", title, range=[-0.02 * top, top])
    return picture


def weights(inside: Array, colours: Palette) -> Picture:
    """Draw, for each sub-region (rows of ``inside``), what share of its vector its own explorers and all others make up."""
    picture = Picture(colours, margin=MARGIN | {"r": 130})
    T = inside.shape[1]
    x = [float(t) for t in range(1, T + 1)]
    for number, row in enumerate(100 * inside, start=1):
        picture.line(x, row, colours.private, name=f"region {number}, own explorers",
                     hovertemplate=f"region {number}: %{{y:.0f}} % from its own explorers<extra></extra>")  # fmt: skip
        picture.line(x, 100 - row, colours.random, dash="dash", name=f"region {number}, all others",
                     hovertemplate=f"region {number}: %{{y:.0f}} % from all others<extra></extra>")  # fmt: skip
    last = float(100 * inside[0, -1])
    ends = [(last, "━ own explorers", colours.private), (100 - last, "╍ all others", colours.random)]
    for y, text, colour in spread_labels(ends, 9):
        picture.label(1, y, text, colour, xref="paper", xshift=4)
    picture.axis("xaxis", "rounds t", range=[1, max(T, 2)])
    picture.axis("yaxis", "% of a sub-region’s weight", range=[-3, 104])
    return picture


def region_map(
    problem: FederatedProblem, mean: Array, regions: Rows, groups: Sequence[tuple[str, Rows, str, str]],
    colours: Palette,
) -> Picture:  # fmt: skip
    """Draw the first two parameters: the agents' mean objective, the sub-regions, and who asked where.

    ``groups``: (name, rows, colour, symbol) each; a point that several agents ask for is drawn larger.
    """
    picture = Picture(colours, height=440)
    flat = problem.original[:, :2] if problem.original.shape[1] > 1 else np.column_stack([problem.original[:, 0], mean])
    levels = [np.unique(flat[:, j]) for j in (0, 1)]
    shading = {
        "colorscale": "Cividis",
        "colorbar": {"title": {"text": "mean over agents", "side": "right"}, "thickness": 10, "outlinewidth": 0},
    }
    if problem.original.shape[1] == 2 and len(flat) == len(levels[0]) * len(levels[1]):
        table = np.empty((len(levels[1]), len(levels[0])))
        table[np.searchsorted(levels[1], flat[:, 1]), np.searchsorted(levels[0], flat[:, 0])] = mean
        picture.add(
            "heatmap", x=levels[0], y=levels[1], z=[row.tolist() for row in table], opacity=0.8, hoverinfo="skip", **shading
        )  # fmt: skip
    else:
        marker = {"size": 5, "symbol": "square", "color": mean, "opacity": 0.75} | shading
        picture.add("scatter", x=flat[:, 0], y=flat[:, 1], mode="markers", hoverinfo="skip", marker=marker)
    steps = [_step(flat[:, j]) / 2 for j in (0, 1)]
    for region in np.unique(regions):
        own = flat[regions == region]
        (x0, y0), (x1, y1) = own.min(axis=0) - steps, own.max(axis=0) + steps
        edge: dict[str, Any] = {"line": {"color": colours.refuted, "width": 2, "dash": "dash"}, "layer": "above"}
        picture.layout["shapes"].append(
            {"type": "rect", "x0": x0, "x1": x1, "y0": y0, "y1": y1, "xref": "x", "yref": "y"} | edge
        )
    for name, rows, colour, symbol in groups:
        places, count = np.unique(rows, return_counts=True)
        if len(places):
            picture.add(
                "scatter", x=flat[places, 0], y=flat[places, 1], mode="markers", name=name, customdata=count,
                marker={
                    "size": np.minimum(6 + 2.5 * np.sqrt(count), 34), "color": faded(colour, 0.9), "symbol": symbol,
                    "line": {"color": colours.paper, "width": 1.2},
                },
                hovertemplate=f"{name}: %{{customdata}} agents<extra></extra>",
            )  # fmt: skip
    picture.axis("xaxis", problem.names[0])
    picture.axis("yaxis", problem.names[1] if problem.original.shape[1] > 1 else "mean over agents")
    return picture


def _step(values: Array) -> float:
    levels = np.unique(values)
    return float(np.diff(levels).min()) if 1 < len(levels) <= 500 else 0.0


def trade_off(
    points: Sequence[tuple[float, float, float, float]], now: tuple[float, float] | None, symbol: str,
    levels: Mapping[str, float], unit: str, first: int, colours: Palette,
) -> Picture:  # fmt: skip
    """Draw regret against ε for a sweep: (value, ε, regret, its standard error) each; ``now`` is the present setting."""
    picture = Picture(colours, height=340, margin=MARGIN)
    points = sorted(points, key=lambda point: point[1])
    spans = [math.log10(point[1]) for point in points] or [0.0, 1.0]
    low, high = min(spans) - 0.12, max(spans) + 0.12
    picture.add(
        "scatter", x=[p[1] for p in points], y=[p[2] for p in points], mode="lines+markers+text",
        text=[f"{symbol} = {p[0]:.3g}" for p in points], textposition="top right",
        textfont={"size": 11, "color": colours.text},
        error_y={"array": [p[3] for p in points], "color": colours.private, "thickness": 1.5},
        line={"color": colours.private, "width": 2}, marker={"size": 8}, name="DP-FTS-DE",
        hovertemplate="ε = %{x:.3g}: %{y:.3f}<extra></extra>",
    )  # fmt: skip
    if now is not None:
        picture.add(
            "scatter", x=[now[0]], y=[now[1]], mode="markers", name="now", hovertemplate="now<extra></extra>",
            marker={"size": 17, "color": "rgba(0,0,0,0)", "line": {"color": colours.refuted, "width": 3}},
        )  # fmt: skip
        picture.upright(now[0], colours.refuted, dash="dot", width=1.5)
        picture.label(math.log10(now[0]), 0, "now", colours.refuted, yref="paper", xshift=4, yanchor="bottom")
    highest = max([p[2] + p[3] for p in points] + list(levels.values()), default=1.0)
    ends = []
    for name, level in levels.items():
        picture.level(level, colour_of(name, colours), dash=DASHES[name])
        ends.append((level, f"{SAMPLES[DASHES[name]]} {name}", colour_of(name, colours)))
    for y, name, colour in spread_labels(ends, highest * 0.09):
        picture.label(1, y, name, colour, xref="paper", xshift=4)
    picture.axis("xaxis", "ε by moments (log scale): more useful →", type="log", range=[low, high], tickvals=ROUND)
    picture.axis("yaxis", f"regret, mean of rounds 1–{first} ({unit})", range=[0, 1.15 * highest])
    return picture
