"""Figures of Trade-off: the cost of privacy against ε with two lines to pull, and all mechanisms in regret."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.ui.figure import (
    CAUTION,
    MUTED,
    NON_PRIVATE,
    PRIVATE,
    PROVEN,
    RANDOM,
    REFUTED,
    SECOND_PRIVATE,
    Figure,
    Stroke,
    faded,
)
from pages.ui.text import to_html
from privbo_core.errors import Array
from privbo_core.privacy import Status
from privbo_core.tradeoff import CostCurve, Question, Sweep, Zone

HEIGHT = 288
PLOT_TOP, STRIP = 0.87, (0.9, 1.0)
"""Where the plot ends and where the strip of strength words lies, as shares of the figure."""
ZONE_COLOURS = (
    faded(REFUTED, 0.3),
    faded(REFUTED, 0.2),
    faded(REFUTED, 0.12),
    faded(CAUTION, 0.12),
    faded(PROVEN, 0.1),
    faded(PROVEN, 0.2),
)
"""The colour of each level of strength, from none to very strong."""
LETTER = 6.6
"""The width of a letter of a zone's word in pixels, about."""
USUAL_WIDTH = 680
"""The width of the plot in pixels on a laptop, about, from which follows whether a word fits into its zone."""
COLOURS = {
    "noisy release": SECOND_PRIVATE,
    "Algorithm 1": SECOND_PRIVATE,
    "Algorithm 2": CAUTION,
    "by rate q": SECOND_PRIVATE,
}
"""The colours of mechanisms that aren't drawn in that of a first private method."""
SHAPES = ("circle", "square", "diamond", "triangle-up")


@dataclass(frozen=True)
class Drawn:
    """The values in the main figure.

    ``cost`` is the cost at ``epsilon``, and None while it is unknown. ``label`` states it at the level line. ``costs``
    is the range of the axis of cost, and ``title`` its name. ``zones`` are empty where no word fits the guarantee.
    """

    curve: CostCurve | None
    zones: tuple[Zone, ...]
    epsilon: float
    cost: float | None
    label: str
    bounds: tuple[float, float]
    costs: tuple[float, float]
    title: str
    reference: str


def cost_range(curve: CostCurve) -> tuple[float, float]:
    """Return the range of the axis of cost, with room for a label on each side of 0."""
    known = [0.0, *curve.costs, *curve.measured, *curve.low[curve.reached], *curve.high[curve.reached]]
    low, high = min(known), max(known)
    room = 0.1 * (high - low) or 1.0
    return low - room, high + room


def drawn_costs(curve: CostCurve) -> Array:
    """Return the fitted costs. Where the search doesn't get there, they are the largest that it is known to exceed."""
    return np.where(curve.reached, curve.costs, np.minimum(curve.costs, curve.measured - 1))


def trade_off(drawn: Drawn) -> Figure:
    """Draw the cost of privacy against ε with its 95% interval, below the words for the strength of protection."""
    figure = Figure(HEIGHT, left=52, right=176, bottom=40)
    figure.log_axis("x", "privacy budget ε", drawn.bounds, ticks_of(drawn.bounds), showgrid=False)
    figure.axis("y", drawn.title, drawn.costs, domain=[0, PLOT_TOP], nticks=6)
    _strip(figure, drawn)
    figure.line(drawn.bounds, [0, 0], Stroke(NON_PRIVATE, "dash", 2), drawn.reference, f"{drawn.reference}: no cost")
    above = drawn.curve is not None and max(drawn.curve.costs[: len(drawn.curve.costs) // 3 + 1]) <= 0
    figure.label(
        drawn.bounds[0], 0, drawn.reference, NON_PRIVATE,
        xshift=4, yanchor="bottom" if above else "top", yshift=1 if above else -1,
    )  # fmt: skip
    if drawn.curve is not None:
        _curve(figure, drawn.curve, drawn.title)
        _handles(figure, drawn, drawn.curve)
    return figure


def ticks_of(bounds: tuple[float, float]) -> list[float]:
    """Return 1, 2 and 5 in each decade, and 1 alone where there are more than three decades."""
    first, last = (round(math.log10(end)) for end in bounds)
    values = (1, 2, 5) if last - first <= 3 else (1,)
    ticks = [float(f"{value * 10.0**power:.3g}") for power in range(first, last + 1) for value in values]
    return [tick for tick in ticks if bounds[0] <= tick <= bounds[1]]


def _strip(figure: Figure, drawn: Drawn) -> None:
    """Draw the words for the strength as zones above the plot. A word that is too long for its zone is left out."""
    low, high = (math.log10(end) for end in drawn.bounds)
    for zone in drawn.zones:
        start, end = max(zone.low, drawn.bounds[0]), min(zone.high, drawn.bounds[1])
        if start >= end:
            continue
        place = {"x0": start, "x1": end, "xref": "x", "y0": STRIP[0], "y1": STRIP[1], "yref": "paper"}
        colour = ZONE_COLOURS[zone.level]
        figure.layout["shapes"].append({"type": "rect", **place, "fillcolor": colour, "line": {"width": 0}})
        here = zone.low <= drawn.epsilon <= zone.high
        room = USUAL_WIDTH * (math.log10(end) - math.log10(start)) / (high - low)
        if here or LETTER * len(zone.word) < room:
            figure.layout["annotations"].append({
                "text": zone.word, "font": {"size": 12, "color": MUTED}, "showarrow": False,
                "name": "zone-now" if here else "zone", "xref": "x", "x": 0.5 * (math.log10(start) + math.log10(end)),
                "xanchor": "center", "yref": "paper", "y": sum(STRIP) / 2, "yanchor": "middle",
            })  # fmt: skip


def _curve(figure: Figure, curve: CostCurve, title: str) -> None:
    """Draw the fit, its interval where the search gets there, and the measured costs."""
    x, there = curve.epsilons, curve.reached
    if (curve.low < curve.high).any():
        figure.band(x[there], curve.low[there], curve.high[there], faded(PRIVATE, 0.14))
    first = int(np.argmax(there)) if there.any() else len(x)
    if first > 0:
        figure.line(x[: first + 1], drawn_costs(curve)[: first + 1], Stroke(PRIVATE, "dot", 2), "not found in time")
    figure.line(x[first:], curve.costs[first:], Stroke(PRIVATE), title)
    hover = f"{title}: %{{y:.3g}} at ε = %{{x:.3g}}"
    figure.points(x[there], curve.measured[there], PRIVATE, title, hover, size=6)
    more = f"{title}: more than %{{y:.3g}} at ε = %{{x:.3g}}"
    open_up: dict[str, Any] = {"size": 8, "symbol": "triangle-up-open"}
    figure.points(x[~there], curve.measured[~there] - 1, PRIVATE, "more than this", more, **open_up)


def _handles(figure: Figure, drawn: Drawn, curve: CostCurve) -> None:
    """Add the two lines, which cross at the cost of ε."""
    if not drawn.bounds[0] <= drawn.epsilon <= drawn.bounds[1]:
        return
    height = drawn.cost if drawn.cost is not None else curve.at(drawn.epsilon)
    points = dict(zip(curve.epsilons.tolist(), drawn_costs(curve).tolist(), strict=True))
    points |= {end: curve.at(end) for end in drawn.bounds if end not in points} | {drawn.epsilon: height}
    x = sorted(points)
    figure.line_handles(
        "epsilon", drawn.epsilon, (x, [points[each] for each in x]),
        ("Privacy budget ε", f"ε = {drawn.epsilon:.3g}"), (drawn.title, drawn.label), curve.offers,
    )  # fmt: skip


def mechanisms(question: Question, sweep: Sweep, bounds: tuple[float, float], unit: str) -> Figure:
    """Draw the mean cost of each mechanism at some ε with ±1 standard error. What isn't proven is drawn hollow."""
    figure = Figure(HEIGHT, left=60, right=150)
    figure.log_axis("x", "privacy loss ε", bounds)
    drawn = [(mark.mean, mark.standard_error) for marks in sweep.marks.values() for mark in marks]
    tops = [mean + (error if math.isfinite(error) else 0.0) for mean, error in drawn]
    tops += [float(costs.mean()) for costs in sweep.references.values() if len(costs)]
    top = 1.1 * max([*tops, 1e-6])
    figure.axis(
        "y", to_html(unit), (min(0.0, *(mean - error for mean, error in drawn if math.isfinite(error)), 0.0), top)
    )
    ends: list[tuple[float, str, Stroke]] = []
    for name, costs in sweep.references.items():
        if len(costs):
            random = name in ("random search", "blind draw")
            stroke = Stroke(RANDOM, "dot", 2) if random else Stroke(NON_PRIVATE, "dash", 2)
            level = float(costs.mean())
            figure.line(bounds, [level, level], stroke, name, f"{name}: %{{y:.3g}}")
            ends.append((level, name, stroke))
    for number, curve in enumerate(question.curves):
        marks = sweep.marks.get(curve.name, ())
        if marks:
            ends.append(_mechanism(figure, number, curve.name, curve.status, marks_of(marks)))
    figure.end_labels(ends)
    return figure


def marks_of(marks: Sequence[object]) -> tuple[Array, Array, Array]:
    """Return ε, mean and standard error of each mark."""
    known = [(mark.epsilon, mark.mean, mark.standard_error) for mark in marks]  # type: ignore[attr-defined]
    epsilons, means, errors = np.array(known, dtype=float).T
    return epsilons, means, np.nan_to_num(errors)


def _mechanism(
    figure: Figure, number: int, name: str, status: Status, marks: tuple[Array, Array, Array]
) -> tuple[float, str, Stroke]:
    """Draw one mechanism, and return where its name belongs."""
    epsilons, means, errors = marks
    colour = REFUTED if status is Status.REFUTED else COLOURS.get(name, PRIVATE)
    proven = status is Status.PROVED
    shape = SHAPES[number % len(SHAPES)] + ("" if proven else "-open")
    stroke = Stroke(colour, "solid" if proven else "dot", 2)
    figure.band(epsilons, means - errors, means + errors, faded(colour, 0.12))
    figure.line(epsilons, means, Stroke(faded(colour, 0.7), stroke.dash, 1.5), name)
    hover = f"{name} ({status.value}): %{{y:.3g}} at ε = %{{x:.3g}}"
    figure.points(epsilons, means, colour, name, hover, size=9, symbol=shape, line={"width": 2, "color": colour})
    return float(means[-1]), name, stroke


STANDINGS: Mapping[Status, str] = {
    Status.PROVED: "proven",
    Status.UNMET: "an assumption is not met",
    Status.CLAIMED: "claimed by the paper",
    Status.REFUTED: "refuted",
}
