"""The picture of cost against ε."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

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
PIXELS = (840, 290)  # About how many pixels the axes span.
LETTER, LINE = 3.6, 7.0  # Half the width of a letter, half the height of a line, in pixels.
ASIDE, APART = 6, 13
"""How far from its place on the curve a name begins, and how far above or below its middle lies, in pixels."""
ENOUGH = 12.0  # With so many pixels around it a name stands as well as with more.


Spot = tuple[float, float, int]
"""Where a name stands: beside a point (x, y) of its curve; 1 to its right and above it, −1 to its left and below."""


class Room:
    """The area that axes span, from ``low`` to ``high`` (x, y), and all that is drawn in it."""

    def __init__(self, low: Point, high: Point, drawn: Iterable[Point]) -> None:
        self._scale = np.array([PIXELS[0] / (high[0] - low[0] or 1.0), PIXELS[1] / (high[1] - low[1])])
        self._low, self._high = low * self._scale, high * self._scale
        self._taken = np.array(list(drawn)).reshape(-1, 2) * self._scale

    def place(self, text: str, x: Array, y: Array) -> Spot | None:
        """Take the best place beside a curve (y is NaN off it) for its name and return it; None where there is none."""
        half, found = LETTER * len(text), None
        best, margin = -1.0, (half, LINE + 1)
        for at, height in zip(x.tolist(), y.tolist(), strict=True):
            for side in (1, -1) if np.isfinite(height) else ():
                middle = np.array([at, height]) * self._scale + (side * (half + ASIDE), side * APART)
                if not ((self._low + margin < middle).all() and (middle + margin < self._high).all()):
                    continue
                away = np.maximum(np.abs(self._taken - middle) - (half, LINE), 0)
                room = min(float(np.hypot(*away.T).min(initial=ENOUGH)), ENOUGH)
                if room > best:
                    best, found, written = room, (at, height, side), middle
        if found:
            self._taken = np.vstack([self._taken, written + np.linspace(-half, half, 9)[:, None] * (1, 0)])
        return found


SYMBOLS = {Status.PROVED: "", Status.UNMET: "-open", Status.CLAIMED: "-open-dot", Status.REFUTED: "-x-open"}
BARRED = "line-ew-open"  # The bar through a mark of whose ε an assumption is not met, which is hollow besides.
SIGNS = {Status.PROVED: "●", Status.UNMET: "⊖", Status.CLAIMED: "⊙", Status.REFUTED: "⊗"}


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
            drawn = np.array([(mark.epsilon, mark.mean, mark.runs) for mark in marks], dtype=float)
            found[curve.name] = isotonic(*drawn.T)
    return found


def _spans(sweep: Sweep) -> list[tuple[float, float]]:
    """Return from where to where each mark, and each reference that there is, goes with its error."""
    drawn = [(mark.mean, _error(mark.costs)) for known in sweep.marks.values() for mark in known]
    drawn += [(float(costs.mean()), _error(costs)) for costs in sweep.references.values() if len(costs)]
    return [(mean - error, mean + error) for mean, error in drawn]


def top_of(sweep: Sweep) -> float:
    """Return the top of the cost axis: all marks with their errors, and the references."""
    return max([*(high for _, high in _spans(sweep)), 1e-9]) * 1.12


@dataclass(frozen=True)
class _Scale:
    """Where the axes end: ε as log₁₀ with some room beside it (``pad``), costs as heights. ``floor``: of the log."""

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
    if axes.log:  # from a power of ten below the smallest mark, at most ten below the top
        smallest = min((m.mean for marks in sweep.marks.values() for m in marks if m.mean > 0), default=1e-3)
        low = max(math.floor(math.log10(smallest)), math.floor(math.log10(top_of(sweep))) - 10)
        return _Scale(left, right, pad, float(low), math.log10(top) + 0.4, 10.0**low, True)
    # From just below 0, unless all that is drawn lies far above it.
    lowest = min((low for low, _ in _spans(sweep)), default=0.0)
    bottom = lowest - 0.35 * (top - lowest) if lowest > 0.6 * top else min(lowest, 0.0) - 0.04 * top
    return _Scale(left, right, pad, bottom, top, 0.0, False)


def trade_off(question: Question, sweep: Sweep, axes: Axes) -> Picture:
    picture = Picture(height=344, margin={"l": 64, "r": 128, "t": 10, "b": 44})
    scale = _scale(sweep, axes)
    ends: list[End] = []
    compared = {curve.against for curve in question.curves}
    for reference in (question.plain, *question.others):
        name, colour, dash = reference.name, NON_PRIVATE, "dash"
        if reference is not question.plain:
            colour, dash = (NON_PRIVATE, "longdashdot") if name in compared else (RANDOM, "dot")
        costs = sweep.references.get(name)
        if costs is not None and len(costs):
            _reference(picture, costs, name, colour, dash, scale)
            ends.append((scale.height(float(costs.mean())), name, colour))
    stairs = front(question.curves, sweep.marks)  # with no more than this ε, nothing tried costs less
    if len(stairs) > 1:
        line = {"shape": "hv", "color": MET.faded(0.4), "width": 6}
        epsilons, means = [mark.epsilon for _, mark in stairs], [max(mark.mean, scale.floor) for _, mark in stairs]
        picture.add("scatter", x=epsilons, y=means, mode="lines", line=line, name="front", hoverinfo="skip")
    fitted = fits(question, sweep)
    heights: dict[str, Array] = {}
    over = np.linspace(scale.left, scale.right, 41)
    for curve in question.curves:
        marks = sweep.marks.get(curve.name, ())
        if not marks:
            continue
        stroke = axes.stroke(curve)
        if fit := fitted.get(curve.name):
            costs, colour = np.maximum(fit.costs, scale.floor), stroke.colour.faded(0.75)
            named = {"name": f"{curve.name}: monotone fit", "hoverinfo": "skip"}
            picture.line(fit.epsilons, costs, colour, dash=stroke.dash, width=1.8, **named)
        _marks(picture, curve, marks, stroke, scale.floor)
        known = fit or MonotoneFit(np.array([marks[0].epsilon]), np.array([marks[0].mean]))
        reached = (over >= math.log10(marks[0].epsilon) - 0.01) & (over <= math.log10(marks[-1].epsilon) + 0.01)
        heights[curve.name] = np.where(reached, [scale.height(known.at(10**x)) for x in over], math.nan)
    points = [(math.log10(mark.epsilon), scale.height(mark.mean)) for some in sweep.marks.values() for mark in some]
    points += [(x, y) for y, _, _ in ends for x in over]
    points += [(math.log10(axes.epsilon), y) for y in np.linspace(scale.low, scale.high, 25)]
    points += [(x, y) for each in heights.values() for x, y in zip(over, each, strict=True) if math.isfinite(y)]
    room = Room((scale.left, scale.low), (scale.right, scale.high), points)
    for curve in question.curves:  # its name above or below it, where it is farthest from all else that is drawn
        text = f"{SIGNS[curve.status]} {curve.name}"
        if curve.name in heights and (spot := room.place(text, over, heights[curve.name])):
            x, y, side = spot
            beside = {"xanchor": "left" if side > 0 else "right", "xshift": ASIDE * side, "yshift": APART * side}
            picture.label(x, y, text, axes.stroke(curve).colour, **beside)
    for y, name, colour in spread_labels(ends, 0.13 * (scale.high - scale.low)):
        picture.label(1, min(y, scale.high), name.replace(", ", ",\n"), colour, xref="paper", xshift=4, align="left")
    _draw_asked(picture, question, sweep, axes, scale)
    across = [scale.left - scale.pad, scale.right + scale.pad]
    picture.axis("xaxis", axes.epsilon_title, type="log", tickvals=ONE_TWO_FIVE, range=across)
    picture.axis("yaxis", axes.cost_title, range=[scale.low, scale.high])
    if axes.log:
        picture.axis("yaxis", type="log", dtick=1, exponentformat="power")
    return picture


def _reference(picture: Picture, costs: Array, name: str, colour: Colour, dash: str, scale: _Scale) -> None:
    left, right = 10 ** (scale.left - scale.pad), 10 ** (scale.right + scale.pad)
    mean, error = float(costs.mean()), _error(costs)
    low, high = max(mean - error, scale.floor), max(mean + error, scale.floor)
    band = {"fill": "toself", "fillcolor": colour.faded(0.14), "line": {"width": 0}, "hoverinfo": "skip"}
    picture.add("scatter", x=[left, right, right, left], y=[low, low, high, high], mode="lines", **band)
    hover, level = f"{name}: %{{y:.3g}}", [max(mean, scale.floor)] * 2
    picture.line([left, right], level, colour, dash=dash, width=2, name=name, hovertemplate=hover)


def _marks(picture: Picture, curve: Curve, marks: Sequence[Mark], stroke: Stroke, floor: float) -> None:
    name, status, colour, symbol = curve.name, curve.status, stroke.colour, stroke.shape + SYMBOLS[curve.status]
    x, y = [mark.epsilon for mark in marks], [max(mark.mean, floor) for mark in marks]
    around = {"width": 1.8, "color": colour}
    marker = {"color": colour, "size": 12 if status is Status.REFUTED else 10, "symbol": symbol, "line": around}
    error = {"array": [_error(mark.costs) for mark in marks], "color": colour, "thickness": 1.3, "width": 3}
    hover = f"{name} ({status.value}): %{{y:.3g}} at ε = %{{x:.3g}}"
    picture.add("scatter", x=x, y=y, error_y=error, mode="markers", marker=marker, name=name, hovertemplate=hover)
    if status is Status.UNMET:
        picture.marks(x, y, f"{name}: not met", symbol=BARRED, size=10, line=around)


def _draw_asked(picture: Picture, question: Question, sweep: Sweep, axes: Axes, scale: _Scale) -> None:
    if axes.low <= axes.epsilon <= axes.high:
        picture.upright(axes.epsilon, TEXT, dash="dot", width=1.5)
        x, text = math.log10(axes.epsilon), f"ε = {axes.epsilon:.3g}"
        picture.label(x, 1, text, TEXT, yref="paper", xshift=4, yanchor="top")
    plain = sweep.references.get(question.plain.name)
    if plain is None or not len(plain):
        return
    level = float(plain.mean()) + axes.budget
    height = math.log10(level) if axes.log else level
    if scale.low < height < scale.high:
        picture.level(level, MET, dash="dot", width=1.5)
        picture.label(1, height, "allowed", MET, xref="paper", xanchor="right", xshift=-4, yshift=8)


def _error(costs: Array) -> float:
    return float(costs.std(ddof=1) / math.sqrt(len(costs))) if len(costs) > 1 else 0.0
