"""The figure of the Trade-off page: values in, a picture out."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pages.parts.outsourced.figures import spread_labels
from pages.parts.show.look import Palette, faded
from pages.parts.values.picture import Picture
from privbo_core.errors import Array
from privbo_core.privacy import Status
from privbo_core.tradeoff import Curve, Fit, Mark, Question, Sweep, fit, front, isotonic

SYMBOLS = {Status.PROVED: "", Status.CLAIMED: "-open-dot", Status.REFUTED: "-x-open"}
SHAPES = {"by rate q": "square", "Algorithm 2": "diamond", "Algorithm 3": "square"}  # of curves in the same colour
SIGNS = {Status.PROVED: "●", Status.CLAIMED: "⊙", Status.REFUTED: "⊗"}
DASHES = {
    "projection": "solid", "noisy release": "dashdot",
    "Algorithm 1": "solid", "Algorithm 2": "dash", "Algorithm 3": "dot", "private selection": "dashdot",
    "by noise z": "solid", "by rate q": "dash",
}  # fmt: skip
AREA = (840, 290)  # about how many pixels the axes span, to keep names off the marks
ROUND = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True)
class View:
    """What is drawn beside the marks: the ε asked about, the budget as extra cost, and the axes' titles.

    ``log``: costs on a logarithmic axis. ``top``: the top of the axis, held while a thumb is.
    """

    epsilon: float
    budget: float
    low: float
    high: float
    epsilon_title: str
    cost_title: str
    log: bool = False
    top: float | None = None


def colour_of(curve: Curve, colours: Palette) -> str:
    """Return a mechanism's colour: refuted vermilion, noisy purple, other private ones blue."""
    if curve.status is Status.REFUTED:
        return colours.refuted
    return colours.noisy if curve.name in ("noisy release", "private selection") else colours.private


def fits(question: Question, sweep: Sweep) -> dict[str, Fit]:
    """Return the monotone fit of each mechanism's cost, where there are two marks or more.

    It is the solvers' fit, on top of the plain search's cost. While runs are still coming in and some marks have more
    of them than others, it goes through the means as they are drawn.
    """
    plain = sweep.references.get(question.plain.name, np.zeros(0))
    found = {}
    for curve in question.curves:
        marks = sweep.marks.get(curve.name, ())
        if len(marks) < 2:
            continue
        counts = {mark.runs for mark in marks}
        if len(counts) == 1 and len(plain) >= (runs := counts.pop()):
            fitted = fit(sweep.extra(curve.name, question.plain.name))
            found[curve.name] = Fit(fitted.epsilons, fitted.costs + float(plain[:runs].mean()))
        else:
            means = np.array([mark.mean for mark in marks])
            found[curve.name] = isotonic(
                np.array([mark.epsilon for mark in marks]), means, np.array([float(mark.runs) for mark in marks])
            )
    return found


def top_of(sweep: Sweep) -> float:
    """Return the top of the cost axis: all marks with their errors, and the references."""
    marks = [mark for known in sweep.marks.values() for mark in known]
    heights = [mark.mean + _error(mark.costs) for mark in marks]
    heights += [float(costs.mean()) + _error(costs) for costs in sweep.references.values() if len(costs)]
    return max([*heights, 1e-9]) * 1.12


def trade_off(question: Question, sweep: Sweep, view: View, colours: Palette) -> Picture:
    """Draw cost against ε: marks by status, the monotone fits, the front, the references, the ε and budget asked about."""
    picture = Picture(colours, height=344, margin={"l": 64, "r": 128, "t": 10, "b": 44})
    left, right = math.log10(view.low), math.log10(view.high)
    pad = 0.03 * (right - left) or 0.3
    top = view.top or top_of(sweep)
    floor = _floor(sweep) if view.log else 0.0
    ends: list[tuple[float, str, str]] = []
    for reference, colour, dash in _references(question, colours):
        costs = sweep.references.get(reference)
        if costs is not None and len(costs):
            _reference(picture, costs, 10 ** (left - pad), 10 ** (right + pad), reference, colour, dash, floor)
            ends.append((_height(float(costs.mean()), view.log, floor), reference, colour))
    _front(picture, question, sweep, colours, floor)
    fitted = fits(question, sweep)
    heights: dict[str, Array] = {}
    over = np.linspace(left, right, 41)
    for curve in question.curves:
        marks = sweep.marks.get(curve.name, ())
        if not marks:
            continue
        colour, dash = colour_of(curve, colours), DASHES.get(curve.name, "solid")
        if curve.name in fitted:
            line = fitted[curve.name]
            picture.line(line.epsilons, np.maximum(line.costs, floor), faded(colour, 0.75), dash=dash, width=1.8,
                         name=f"{curve.name}: monotone fit", hoverinfo="skip")  # fmt: skip
        _marks(picture, curve, marks, colour, floor)
        known = fitted.get(curve.name) or Fit(np.array([marks[0].epsilon]), np.array([marks[0].mean]))
        reached = (over >= math.log10(marks[0].epsilon) - 0.01) & (over <= math.log10(marks[-1].epsilon) + 0.01)
        heights[curve.name] = np.where(reached, [_height(known.at(10**x), view.log, floor) for x in over], math.nan)
    low, high = (math.log10(floor), math.log10(top) + 0.4) if view.log else (_bottom(sweep, top), top)
    _names(picture, question, sweep, over, heights, [y for y, _, _ in ends], view, low, high, colours)
    for y, name, colour in spread_labels(ends, 0.13 * (high - low)):
        picture.label(1, min(y, high), name.replace(", ", ",<br>"), colour, xref="paper", xshift=4, align="left")
    _asked(picture, question, sweep, view, colours, low, high)
    picture.axis("xaxis", view.epsilon_title, type="log", range=[left - pad, right + pad], tickvals=ROUND)
    if view.log:
        picture.axis("yaxis", view.cost_title, type="log", range=[low, high], dtick=1, exponentformat="power")
    else:
        picture.axis("yaxis", view.cost_title, range=[low, high])
    return picture


def _references(question: Question, colours: Palette) -> list[tuple[str, str, str]]:
    return [
        (question.plain.name, colours.plain, "dash"),
        *((other.name, colours.random, "dot") for other in question.others),
    ]


def _reference(
    picture: Picture, costs: Array, left: float, right: float, name: str, colour: str, dash: str, floor: float
) -> None:
    mean, error = float(costs.mean()), _error(costs)
    low, high = max(mean - error, floor), max(mean + error, floor)
    picture.add(
        "scatter", x=[left, right, right, left], y=[low, low, high, high], fill="toself", fillcolor=faded(colour, 0.14),
        line={"width": 0}, mode="lines", hoverinfo="skip",
    )  # fmt: skip
    picture.line([left, right], [max(mean, floor)] * 2, colour, dash=dash, width=2, name=name,
                 hovertemplate=f"{name}: %{{y:.3g}}<extra></extra>")  # fmt: skip


def _marks(picture: Picture, curve: Curve, marks: Sequence[Mark], colour: str, floor: float) -> None:
    picture.add(
        "scatter",
        x=[mark.epsilon for mark in marks],
        y=[max(mark.mean, floor) for mark in marks],
        error_y={"array": [_error(mark.costs) for mark in marks], "color": colour, "thickness": 1.3, "width": 3},
        mode="markers",
        marker={
            "color": colour,
            "size": 12 if curve.status is Status.REFUTED else 10,
            "symbol": SHAPES.get(curve.name, "circle") + SYMBOLS[curve.status],
            "line": {"width": 1.8, "color": colour},
        },
        name=curve.name,
        hovertemplate=f"{curve.name} ({curve.status.value}): %{{y:.3g}} at ε = %{{x:.3g}}<extra></extra>",
    )


def _front(picture: Picture, question: Question, sweep: Sweep, colours: Palette, floor: float) -> None:
    """Draw the front as stairs: with no more than this ε, nothing tried costs less."""
    found = front(question.curves, sweep.marks)
    if len(found) < 2:
        return
    picture.add(
        "scatter",
        x=[mark.epsilon for _, mark in found],
        y=[max(mark.mean, floor) for _, mark in found],
        mode="lines",
        line={"shape": "hv", "color": faded(colours.met, 0.4), "width": 6},
        name="front",
        hoverinfo="skip",
    )


def _asked(
    picture: Picture, question: Question, sweep: Sweep, view: View, colours: Palette, low: float, high: float
) -> None:
    if view.low <= view.epsilon <= view.high:
        picture.upright(view.epsilon, colours.text, dash="dot", width=1.5)
        picture.label(
            math.log10(view.epsilon), 1, f"ε = {view.epsilon:.3g}", colours.text, yref="paper", xshift=4, yanchor="top"
        )
    plain = sweep.references.get(question.plain.name)
    if plain is None or not len(plain):
        return
    level = float(plain.mean()) + view.budget
    height = math.log10(level) if view.log else level
    if low < height < high:
        picture.level(level, colours.met, dash="dot", width=1.5)
        picture.label(1, height, "allowed", colours.met, xref="paper", xanchor="right", xshift=-4, yshift=8)


def _names(
    picture: Picture, question: Question, sweep: Sweep, over: Array, heights: Mapping[str, Array], levels: Sequence[float],
    view: View, low: float, high: float, colours: Palette,
) -> None:  # fmt: skip
    """Write each mechanism's name above or below its curve, where it is farthest from everything else that is drawn."""
    wide, tall = AREA[0] / (over[-1] - over[0] or 1.0), AREA[1] / (high - low)
    floor = 10**low if view.log else -math.inf
    marks = [
        (math.log10(mark.epsilon), _height(mark.mean, view.log, floor))
        for known in sweep.marks.values()
        for mark in known
    ]
    lines = [(x, y) for each in heights.values() for x, y in zip(over, each, strict=True) if math.isfinite(y)]
    lines += [(x, y) for y in levels for x in over]
    lines += [(math.log10(view.epsilon), y) for y in np.linspace(low, high, 25)]
    taken = np.array([*marks, *lines]) * (wide, tall)
    for curve in question.curves:
        if curve.name not in heights:
            continue
        text = f"{SIGNS[curve.status]} {curve.name}"
        half = 3.6 * len(text)
        best: tuple[float, int, int] | None = None
        for i, (x, y) in enumerate(zip(over * wide, heights[curve.name] * tall, strict=True)):
            for side in (1, -1) if math.isfinite(y) else ():
                middle = np.array([x + side * (half + 6), y + side * 13])
                inside = over[0] * wide < middle[0] - half and middle[0] + half < over[-1] * wide
                if not (inside and low * tall + 8 < middle[1] < high * tall - 8):
                    continue
                away = np.maximum(np.abs(taken - middle) - (half, 7), 0)
                room = min(float(np.hypot(*away.T).min()), 12.0)
                if best is None or room > best[0]:
                    best = room, i, side
        if best is None:
            continue
        _, i, side = best
        x, y = float(over[i]), float(heights[curve.name][i])
        picture.label(
            x,
            y,
            text,
            colour_of(curve, colours),
            xanchor="left" if side > 0 else "right",
            xshift=6 * side,
            yshift=13 * side,
        )
        middle = np.array([x * wide + side * (half + 6), y * tall + side * 13])
        own = middle + np.linspace(-half, half, 9)[:, None] * (1, 0)
        taken = np.vstack([taken, own])


def _bottom(sweep: Sweep, top: float) -> float:
    """Return the bottom of a linear axis: just below 0, unless all that is drawn lies far above it."""
    lows = [mark.mean - _error(mark.costs) for marks in sweep.marks.values() for mark in marks]
    lows += [float(costs.mean()) - _error(costs) for costs in sweep.references.values() if len(costs)]
    lowest = min(lows, default=0.0)
    return lowest - 0.35 * (top - lowest) if lowest > 0.6 * top else min(lowest, 0.0) - 0.04 * top


def _height(cost: float, log: bool, floor: float) -> float:
    return math.log10(max(cost, floor)) if log else cost


def _floor(sweep: Sweep) -> float:
    """Return the bottom of a logarithmic axis: a power of ten below the smallest mark, at most ten below the top."""
    costs = [mark.mean for marks in sweep.marks.values() for mark in marks if mark.mean > 0]
    smallest = min(costs, default=1e-3)
    return float(10.0 ** max(math.floor(math.log10(smallest)), math.floor(math.log10(top_of(sweep))) - 10))


def _error(costs: Array) -> float:
    return float(costs.std(ddof=1) / math.sqrt(len(costs))) if len(costs) > 1 else 0.0


def marks_with(sweep: Sweep, settled: Mapping[str, Sequence[Mark]]) -> Sweep:
    """Return the sweep with the marks that a solver added, in order of ε; where both have one, that with more runs."""
    merged = {}
    for name, known in sweep.marks.items():
        by_epsilon = {mark.epsilon: mark for mark in settled.get(name, ())}
        for mark in known:
            if mark.epsilon not in by_epsilon or mark.runs >= by_epsilon[mark.epsilon].runs:
                by_epsilon[mark.epsilon] = mark
        merged[name] = tuple(by_epsilon[epsilon] for epsilon in sorted(by_epsilon))
    return Sweep(sweep.references, merged, sweep.outlined, sweep.complete)
