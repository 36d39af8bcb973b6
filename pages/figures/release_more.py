"""The figures in the sections of the Release page. All scores are in the units that the page shows."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.figures.release import DRAWN, TRUE, UNIFORM, Units, candidate_axis, even_powers, formula, line_of
from pages.ui.figure import CAUTION, PRIVATE, PROVEN, RANDOM, REFUTED, SECOND_PRIVATE, TEXT, Figure, Stroke, faded
from pages.ui.numbers import in_100
from pages.ui.text import to_html
from privbo_core.data import TuningTask
from privbo_core.errors import Array
from privbo_core.release import Bound, Coverage, Plan

EPSILONS: Array = np.geomspace(0.1, 1000.0, 41)
EPSILON_TICKS = (0.1, 1, 10, 100)
SELECTION = Stroke(SECOND_PRIVATE, "dashdot")
MEANT_EPSILONS: list[float] = np.geomspace(0.01, 1000.0, 81).tolist()
SYMBOLS = ("circle-open", "diamond-open", "square")
"""The symbols of few, more and all evaluations."""


def accuracy(epsilons: Sequence[float], right: Sequence[float], epsilon: float) -> Figure:
    """Draw how often the best attacker is right against ε, whose dot can be dragged."""
    figure = Figure(220, left=52, right=16)
    figure.log_axis("x", "privacy loss ε of each publication", (epsilons[0], epsilons[-1]), (0.01, 0.1, 1, 10, 100))
    figure.axis("y", "right guesses in 100", (48, 102))
    figure.level(50, UNIFORM)
    figure.line(epsilons, right, DRAWN, "best attacker", "right %{text} times in 100 at ε = %{x:.3g}",
                text=[in_100(each / 100) for each in right])  # fmt: skip
    figure.label(epsilons[-1], 50, "guessing", RANDOM, xanchor="right", yanchor="bottom")
    figure.handle("epsilon", "Privacy loss ε", epsilon, epsilons, right)
    return figure


def ways(names: Sequence[str], losses: Sequence[Sequence[float | None]], uniform: float, units: Units) -> Figure:
    """Draw the loss of each way, with a symbol for each number of evaluations."""
    figure, uniform = _rows_figure(names, 44), uniform * units.factor
    known = [units.factor * loss for row in losses for loss in row if loss]
    low, high = max(min(known) / 2, 1e-7), 2 * max(*known, uniform)
    figure.log_axis("x", with_unit("score lost on average", units), (low, high))
    _name_rows(figure, names, low)
    for number, row in enumerate(losses):
        for loss, symbol in zip(row, SYMBOLS, strict=False):
            if loss is not None:
                x, colour = [max(units.factor * loss, low)], SECOND_PRIVATE if number else PRIVATE
                look: dict[str, Any] = {"size": 11, "symbol": symbol, "line": {"width": 2}}
                figure.points(x, [len(names) - number], colour, names[number], "loses %{x:.3g}", **look)
    figure.upright(uniform, UNIFORM)
    figure.label(uniform, len(names) + 1.0, "uniform draw", RANDOM, **_beside_line(uniform, low, high))
    return figure


def _rows_figure(names: Sequence[str], height: int) -> Figure:
    """Return a figure with a row of so many pixels for each name, from the top down."""
    figure = Figure(76 + height * len(names), left=16, right=24, top=24)
    rows = list(range(len(names), 0, -1))
    figure.axis("y", "", (0.5, len(names) + 1.0), tickvals=rows, showticklabels=False)
    return figure


def _beside_line(x: float, low: float, high: float) -> dict[str, Any]:
    """Place the name of a vertical line at its top, on the side where there is more room."""
    left = math.log10(x / low) > math.log10(high / x)
    return {"yanchor": "top", "xanchor": "right" if left else "left", "xshift": -4 if left else 4}


def _name_rows(figure: Figure, names: Sequence[str], left: float) -> None:
    """Write the name of each row above it, at the left end of the plot."""
    for number, name in enumerate(names):
        figure.label(left, len(names) - number, to_html(name), TEXT, xshift=4, yshift=7, yanchor="bottom")


def costs(plans: Sequence[Plan], cost: Callable[[Plan], float], factor: float) -> Array:
    """Return ``factor`` times the mean cost of some plans at every ε of the figure."""
    return np.array([factor * np.mean([cost(plan.at(epsilon)) for plan in plans]) for epsilon in EPSILONS.tolist()])


def against_epsilon(
    curves: Mapping[str, Array], title: str, epsilon: float, level: float | None, starts: float
) -> Figure:
    """Draw the losses of a mechanism against ε, with a dot that can be dragged, and perhaps those of private selection.

    ``title`` is the HTML name of the axis, and ``level`` is the loss of a uniform draw. Below ``starts`` the theorem on
    the mechanism is vacuous.
    """
    figure = Figure(260, left=64, right=112)
    shown = np.concatenate([*curves.values()])
    low = max(float(shown.min()), 1e-6 * float(shown.max())) / 2
    high = 2 * max(float(shown.max()), level or 0.0)
    figure.log_axis("x", "privacy loss ε of each publication", (EPSILONS[0], EPSILONS[-1]), EPSILON_TICKS)
    figure.log_axis("y", title, (low, high), even_powers((low, high)))
    if starts > EPSILONS[0]:
        figure.region(float(EPSILONS[0]), float(min(starts, EPSILONS[-1])), faded(CAUTION, 0.09))
    ends = []
    for (name, curve), stroke in zip(curves.items(), (DRAWN, SELECTION), strict=False):
        drawn = np.maximum(curve, low)
        figure.line(EPSILONS, drawn, stroke, name, f"{to_html(name)}: %{{y:.3g}} at ε = %{{x:.3g}}")
        ends.append((float(drawn[-1]), name, stroke))
    if level is not None:
        figure.line(EPSILONS[[0, -1]], [level, level], UNIFORM, "uniform draw", "uniform draw: %{y:.3g}")
        ends.append((level, "uniform draw", UNIFORM))
    figure.end_labels(ends)
    first = np.maximum(next(iter(curves.values())), low)
    figure.handle("epsilon", "Privacy loss ε", epsilon, EPSILONS.tolist(), first.tolist())
    return figure


def terms(bounds: Mapping[str, Bound], spread: float, units: Units) -> Figure:
    """Draw every term of every bound as a circle and each sum as a diamond, against the range of all scores.

    Bounds and ``spread`` are in units of the score.
    """
    rows: list[tuple[str, float, bool]] = []
    for name, bound in bounds.items():
        rows.append((f"**{name}**", units.factor * bound.value, True))
        if len(bound.terms) > 1:
            rows += [(formula(term.formula), units.factor * term.value, False) for term in bound.terms]
    known, spread = [value for _, value, _ in rows if value > 0], units.factor * spread
    low, high = min(*known, spread) / 3, 3 * max(*known, spread)
    figure = _rows_figure([name for name, *_ in rows], 36)
    figure.log_axis("x", with_unit("size", units), (low, high))
    _name_rows(figure, [name for name, *_ in rows], low)
    figure.region(spread, high, faded(CAUTION, 0.09))
    figure.upright(spread, Stroke(CAUTION, "dash", 2))
    figure.label(spread, len(rows) + 1.0, "range of all scores", CAUTION, **_beside_line(spread, low, high))
    for number, (name, value, total) in enumerate(rows):
        colour = CAUTION if total and value >= spread else PRIVATE
        look: dict[str, Any] = {"symbol": "diamond" if total else "circle-open", "size": 12 if total else 9}
        figure.points([max(value, low)], [len(rows) - number], colour, name, "%{x:.3g}", **look)
    return figure


@dataclass(frozen=True, eq=False)
class Moved:
    """By how much something moved in each of several pairs, and by how much a theorem lets it move."""

    name: str
    distances: Array
    allowed: float
    refuted: bool


def moved(found: Coverage, scale: float) -> list[Moved]:
    """Return the changes in pairs from the prior, beside the theorems on them. ``scale`` converts into shown units."""
    names = {1: "posterior mean (Theorem 1)", 3: "best observation (Theorem 3)", 5: "protected score (Theorem 5)"}
    rows = []
    for bound, distances in (
        (found.theorem_1, found.mean_moved),
        (found.theorem_3 or found.theorem_5, found.best_moved),
    ):
        assert bound is not None
        refuted = found.share(bound.theorem).verdict == "refuted"
        rows.append(Moved(names[bound.theorem], scale * distances, scale * bound.value, refuted))
    return rows


def movements(rows: Sequence[Moved], units: Units) -> Figure:
    """Draw the changes, one dot for each pair, beside the bound of a theorem."""
    figure = _rows_figure([row.name for row in rows], 64)
    moves = np.concatenate([row.distances for row in rows])
    positive = moves[moves > 0]
    low = float(np.quantile(positive, 0.05)) / 3 if len(positive) else 1e-6
    high = 4 * max([*positive.tolist(), low, *(row.allowed for row in rows)])
    figure.log_axis("x", with_unit("moved by", units), (low, high))
    figure.axis("y", showgrid=False)
    heights = list(range(len(rows), 0, -1))
    jitter = np.random.default_rng(0).uniform(-0.2, 0.2, max(len(row.distances) for row in rows))
    for row, y in zip(rows, heights, strict=True):
        figure.label(low, y + 0.3, to_html(row.name), TEXT, xshift=4, yanchor="bottom")
        colour = REFUTED if row.refuted else PROVEN
        figure.points(np.maximum(row.distances, low), y + jitter[: len(row.distances)], faded(TEXT, 0.45), row.name,
                      "moved by %{x:.3g}", size=5)  # fmt: skip
        figure.line([row.allowed] * 2, [y - 0.3, y + 0.3], Stroke(colour, "solid", 4), f"{row.name}, allowed",
                    "allowed: %{x:.3g}")  # fmt: skip
        figure.label(row.allowed, y + 0.3, f"allowed: {row.allowed:.3g}", colour, xanchor="center", yanchor="bottom")
    return figure


def rehearsed(task: TuningTask, units: Units, rows: NDArray[np.int64] | None, scores: Array | None) -> Figure:
    """Draw simulated publications: the configurations on the curve of true scores, and the published scores.

    ``rows`` are the configurations and ``scores`` the published scores in shown units. Either is None if only the other
    is published.
    """
    figure, line, known = Figure(260, left=60, right=16), line_of(task), units.level(task.scores)
    both = rows is not None and scores is not None
    if rows is not None:
        candidate_axis(figure, line, "x", last=True, anchor="y")
        figure.axis("x", domain=[0.0, 0.46 if both else 1.0])
        figure.axis("y", to_html(units.name))
        figure.line(line.x, known[line.rows], TRUE, "true score", "true score %{y:.4g}")
        hover = "a configuration that might have been published: %{y:.4g}"
        figure.points(line.places[rows], known[rows], faded(PRIVATE, 0.7), "published configurations", hover, size=9)
    if scores is not None:
        figure.axis("x2", to_html(f"published {units.name}"), domain=[0.56 if both else 0.0, 1.0], anchor="y2")
        figure.axis("y2", "publication", (0.0, len(scores) + 1.0), anchor="x2", showticklabels=False)
        numbers = np.arange(1.0, len(scores) + 1.0)
        hover = "a score that might have been published: %{x:.4g}"
        figure.points(scores, numbers, PRIVATE, "published scores", hover, axes=2, size=8)
        figure.upright(float(known.max()), TRUE, axes=2)
    return figure


def with_unit(name: str, units: Units) -> str:
    """Return the name of an axis with the unit of differences between scores."""
    return to_html(f"{name} ({units.unit})" if units.unit else name)
