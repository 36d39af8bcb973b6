"""The picture of cost against ε."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pages.parts.system.question import Stroke
from pages.parts.views.picture import (
    MET,
    NON_PRIVATE,
    ONE_TWO_FIVE,
    RANDOM,
    REFUTED,
    TEXT,
    Colour,
    End,
    Picture,
    spread_labels,
)
from privbo_core.errors import Array
from privbo_core.privacy import Status
from privbo_core.tradeoff import Curve, Mark, MonotoneFit, Question, Sweep, front, isotonic, monotone_fit

Point = tuple[float, float]
PIXELS = (840, 290)
"""About how many pixels the axes span."""
LETTER, LINE = 3.6, 7.0
"""Half the width of a letter, half the height of a line, in pixels."""
ASIDE, APART = 6, 13
"""How far from its place on the curve a name begins, and how far above or below its middle lies, in pixels."""
ENOUGH = 12.0
"""With so many pixels around it a name stands as well as with more."""


@dataclass(frozen=True)
class Label:
    """Where a name stands: beside a point of its curve.

    ``side``: 1 to its right and above it, −1 to its left and below.
    """

    x: float
    y: float
    side: int


class Room:
    """The area that axes span, from ``low`` to ``high`` (x, y), and all that is drawn in it."""

    def __init__(self, low: Point, high: Point, drawn: Iterable[Point]) -> None:
        self._scale = np.array([PIXELS[0] / (high[0] - low[0] or 1.0), PIXELS[1] / (high[1] - low[1])])
        self._low, self._high = low * self._scale, high * self._scale
        self._taken = np.array(list(drawn)).reshape(-1, 2) * self._scale

    def place(self, text: str, x: Array, y: Array) -> Label | None:
        """Take the best place beside a curve for its name and return it; None where there is none.

        Y is NaN off the curve.
        """
        half = LETTER * len(text)
        best: tuple[float, Label] | None = None
        for at, height in zip(x.tolist(), y.tolist(), strict=True):
            for side in (1, -1) if np.isfinite(height) else ():
                spot = Label(at, height, side)
                middle = self._middle(spot, half)
                if not self._holds(middle, half):
                    continue
                away = np.maximum(np.abs(self._taken - middle) - (half, LINE), 0)
                room = min(float(np.hypot(*away.T).min(initial=ENOUGH)), ENOUGH)
                if best is None or room > best[0]:
                    best = room, spot
        if best is None:
            return None
        written = self._middle(best[1], half) + np.linspace(-half, half, 9)[:, None] * (1, 0)
        self._taken = np.vstack([self._taken, written])
        return best[1]

    def _middle(self, spot: Label, half: float) -> Array:
        x, y = spot.x * self._scale[0], spot.y * self._scale[1]
        return np.array([x + spot.side * (half + ASIDE), y + spot.side * APART])

    def _holds(self, middle: Array, half: float) -> bool:
        margin = (half, LINE + 1)
        return bool((self._low + margin < middle).all() and (middle + margin < self._high).all())


SYMBOLS = {Status.PROVED: "", Status.CONDITIONAL: "-open", Status.CLAIMED: "-open-dot", Status.REFUTED: "-x-open"}
BARRED = "line-ew-open"
"""The bar through a mark whose ε is conditional, which is hollow besides."""
SIGNS = {Status.PROVED: "●", Status.CONDITIONAL: "⊖", Status.CLAIMED: "⊙", Status.REFUTED: "⊗"}


@dataclass(frozen=True)
class Axes:
    """The axes, from ``low`` to ``high`` in ε, and what is marked on them: the ε asked about, the budget as extra cost.

    ``log``: costs on a logarithmic axis. ``top``: the top of that axis, held while a thumb is. ``strokes``: how the
    mechanisms are drawn, by name.
    """

    epsilon: float
    budget: float
    low: float
    high: float
    epsilon_title: str
    cost_title: str
    log: bool = False
    top: float | None = None
    strokes: Mapping[str, Stroke] = field(default_factory=dict)

    def stroke(self, curve: Curve) -> Stroke:
        stroke = self.strokes.get(curve.name, Stroke())
        return replace(stroke, colour=REFUTED) if curve.status is Status.REFUTED else stroke


def fits(question: Question, sweep: Sweep) -> dict[str, MonotoneFit]:
    """Return the monotone fit of each mechanism's cost, where there are two marks or more.

    It is the solvers' fit, on top of the cost of the search that the mechanism is compared with. While runs are still
    coming in and some marks have more of them than others, it goes through the means as they are drawn.
    """
    found = {}
    for curve in question.curves:
        reference = question.reference(curve).name
        plain = sweep.references.get(reference, np.zeros(0))
        marks = sweep.marks.get(curve.name, ())
        if len(marks) < 2:
            continue
        counts = {mark.runs for mark in marks}
        if len(counts) == 1 and len(plain) >= (runs := counts.pop()):
            fitted = monotone_fit(sweep.extra(curve.name, reference))
            found[curve.name] = MonotoneFit(fitted.epsilons, fitted.costs + float(plain[:runs].mean()))
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


@dataclass(frozen=True)
class _Scale:
    """Where the axes end: ε as log₁₀ with some room beside it (``pad``), costs as heights.

    ``floor``: of a logarithm.
    """

    left: float
    right: float
    pad: float
    low: float
    high: float
    floor: float
    log: bool

    def height(self, cost: float) -> float:
        return math.log10(max(cost, self.floor)) if self.log else cost


def _scale(sweep: Sweep, axes: Axes) -> _Scale:
    left, right = math.log10(axes.low), math.log10(axes.high)
    pad = 0.03 * (right - left) or 0.3
    top = axes.top or top_of(sweep)
    if not axes.log:
        return _Scale(left, right, pad, _bottom(sweep, top), top, 0.0, False)
    floor = _floor(sweep)
    return _Scale(left, right, pad, math.log10(floor), math.log10(top) + 0.4, floor, True)


def trade_off(question: Question, sweep: Sweep, axes: Axes) -> Picture:
    picture = Picture(height=344, margin={"l": 64, "r": 128, "t": 10, "b": 44})
    scale = _scale(sweep, axes)
    ends: list[End] = []
    for name, colour, dash in _references(question):
        costs = sweep.references.get(name)
        if costs is not None and len(costs):
            _reference(picture, costs, name, colour, dash, scale)
            ends.append((scale.height(float(costs.mean())), name, colour))
    _front(picture, question, sweep, scale.floor)
    fitted = fits(question, sweep)
    heights: dict[str, Array] = {}
    over = np.linspace(scale.left, scale.right, 41)
    for curve in question.curves:
        marks = sweep.marks.get(curve.name, ())
        if not marks:
            continue
        stroke = axes.stroke(curve)
        if curve.name in fitted:
            line = fitted[curve.name]
            picture.line(
                line.epsilons,
                np.maximum(line.costs, scale.floor),
                stroke.colour.faded(0.75),
                dash=stroke.dash,
                width=1.8,
                name=f"{curve.name}: monotone fit",
                hoverinfo="skip",
            )
        _marks(picture, curve, marks, stroke, scale.floor)
        known = fitted.get(curve.name) or MonotoneFit(np.array([marks[0].epsilon]), np.array([marks[0].mean]))
        reached = (over >= math.log10(marks[0].epsilon) - 0.01) & (over <= math.log10(marks[-1].epsilon) + 0.01)
        heights[curve.name] = np.where(reached, [scale.height(known.at(10**x)) for x in over], math.nan)
    points = [(math.log10(mark.epsilon), scale.height(mark.mean)) for some in sweep.marks.values() for mark in some]
    points += [(x, y) for y, _, _ in ends for x in over]
    points += [(math.log10(axes.epsilon), y) for y in np.linspace(scale.low, scale.high, 25)]
    _names(picture, axes, question, over, heights, points, scale)
    for y, name, colour in spread_labels(ends, 0.13 * (scale.high - scale.low)):
        picture.label(1, min(y, scale.high), name.replace(", ", ",\n"), colour, xref="paper", xshift=4, align="left")
    _asked(picture, question, sweep, axes, scale)
    picture.axis(
        "xaxis",
        axes.epsilon_title,
        type="log",
        tickvals=ONE_TWO_FIVE,
        range=[scale.left - scale.pad, scale.right + scale.pad],
    )
    picture.axis("yaxis", axes.cost_title, range=[scale.low, scale.high])
    if axes.log:
        picture.axis("yaxis", type="log", dtick=1, exponentformat="power")
    return picture


def _references(question: Question) -> list[tuple[str, Colour, str]]:
    compared = {curve.against for curve in question.curves}
    return [
        (question.plain.name, NON_PRIVATE, "dash"),
        *(
            (other.name, NON_PRIVATE, "longdashdot") if other.name in compared else (other.name, RANDOM, "dot")
            for other in question.others
        ),
    ]


def _reference(picture: Picture, costs: Array, name: str, colour: Colour, dash: str, scale: _Scale) -> None:
    left, right = 10 ** (scale.left - scale.pad), 10 ** (scale.right + scale.pad)
    mean, error = float(costs.mean()), _error(costs)
    low, high = max(mean - error, scale.floor), max(mean + error, scale.floor)
    picture.add(
        "scatter",
        x=[left, right, right, left],
        y=[low, low, high, high],
        fill="toself",
        fillcolor=colour.faded(0.14),
        line={"width": 0},
        mode="lines",
        hoverinfo="skip",
    )
    picture.line(
        [left, right],
        [max(mean, scale.floor)] * 2,
        colour,
        dash=dash,
        width=2,
        name=name,
        hovertemplate=f"{name}: %{{y:.3g}}",
    )


def _marks(picture: Picture, curve: Curve, marks: Sequence[Mark], stroke: Stroke, floor: float) -> None:
    colour = stroke.colour
    picture.add(
        "scatter",
        x=[mark.epsilon for mark in marks],
        y=[max(mark.mean, floor) for mark in marks],
        error_y={"array": [_error(mark.costs) for mark in marks], "color": colour, "thickness": 1.3, "width": 3},
        mode="markers",
        marker={
            "color": colour,
            "size": 12 if curve.status is Status.REFUTED else 10,
            "symbol": stroke.shape + SYMBOLS[curve.status],
            "line": {"width": 1.8, "color": colour},
        },
        name=curve.name,
        hovertemplate=f"{curve.name} ({curve.status.value}): %{{y:.3g}} at ε = %{{x:.3g}}",
    )
    if curve.status is Status.CONDITIONAL:
        picture.add(
            "scatter",
            x=[mark.epsilon for mark in marks],
            y=[max(mark.mean, floor) for mark in marks],
            mode="markers",
            marker={"symbol": BARRED, "size": 10, "line": {"width": 1.8, "color": colour}},
            name=f"{curve.name}: conditional",
            hoverinfo="skip",
        )


def _front(picture: Picture, question: Question, sweep: Sweep, floor: float) -> None:
    """Draw the front as stairs: with no more than this ε, nothing tried costs less."""
    found = front(question.curves, sweep.marks)
    if len(found) < 2:
        return
    picture.add(
        "scatter",
        x=[mark.epsilon for _, mark in found],
        y=[max(mark.mean, floor) for _, mark in found],
        mode="lines",
        line={"shape": "hv", "color": MET.faded(0.4), "width": 6},
        name="front",
        hoverinfo="skip",
    )


def _asked(picture: Picture, question: Question, sweep: Sweep, axes: Axes, scale: _Scale) -> None:
    if axes.low <= axes.epsilon <= axes.high:
        picture.upright(axes.epsilon, TEXT, dash="dot", width=1.5)
        picture.label(
            math.log10(axes.epsilon), 1, f"ε = {axes.epsilon:.3g}", TEXT, yref="paper", xshift=4, yanchor="top"
        )
    plain = sweep.references.get(question.plain.name)
    if plain is None or not len(plain):
        return
    level = float(plain.mean()) + axes.budget
    height = math.log10(level) if axes.log else level
    if scale.low < height < scale.high:
        picture.level(level, MET, dash="dot", width=1.5)
        picture.label(1, height, "allowed", MET, xref="paper", xanchor="right", xshift=-4, yshift=8)


def _names(
    picture: Picture,
    axes: Axes,
    question: Question,
    over: Array,
    heights: Mapping[str, Array],
    drawn: Sequence[Point],
    scale: _Scale,
) -> None:
    """Write each mechanism's name above or below its curve, where it is farthest from everything else that is drawn."""
    lines = [(x, y) for each in heights.values() for x, y in zip(over, each, strict=True) if math.isfinite(y)]
    room = Room((scale.left, scale.low), (scale.right, scale.high), [*drawn, *lines])
    for curve in question.curves:
        text = f"{SIGNS[curve.status]} {curve.name}"
        spot = room.place(text, over, heights[curve.name]) if curve.name in heights else None
        if spot is not None:
            beside: dict[str, Any] = {"xanchor": "left" if spot.side > 0 else "right"}
            beside |= {"xshift": ASIDE * spot.side, "yshift": APART * spot.side}
            picture.label(spot.x, spot.y, text, axes.stroke(curve).colour, **beside)


def _bottom(sweep: Sweep, top: float) -> float:
    """Return the bottom of a linear axis: just below 0, unless all that is drawn lies far above it."""
    lows = [mark.mean - _error(mark.costs) for marks in sweep.marks.values() for mark in marks]
    lows += [float(costs.mean()) - _error(costs) for costs in sweep.references.values() if len(costs)]
    lowest = min(lows, default=0.0)
    return lowest - 0.35 * (top - lowest) if lowest > 0.6 * top else min(lowest, 0.0) - 0.04 * top


def _floor(sweep: Sweep) -> float:
    """Return the bottom of a logarithmic axis: a power of ten below the smallest mark, at most ten below the top."""
    costs = [mark.mean for marks in sweep.marks.values() for mark in marks if mark.mean > 0]
    smallest = min(costs, default=1e-3)
    return float(10.0 ** max(math.floor(math.log10(smallest)), math.floor(math.log10(top_of(sweep))) - 10))


def _error(costs: Array) -> float:
    return float(costs.std(ddof=1) / math.sqrt(len(costs))) if len(costs) > 1 else 0.0
