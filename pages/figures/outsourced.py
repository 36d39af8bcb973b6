"""The figures of the Outsourced page."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from pages.ui.figure import (
    CAUTION,
    NON_PRIVATE,
    PRIVATE,
    RANDOM,
    REFUTED,
    SECOND_PRIVATE,
    TEXT,
    Figure,
    Stroke,
    faded,
)
from pages.ui.numbers import in_100
from pages.ui.text import SIGMA_MIN, SIGMA_Y, to_html
from privbo_core.errors import Array
from privbo_core.outsourced import Distortion, Setting, largest_r, omega, smallest_epsilon
from privbo_core.outsourced.comparison import Comparison, Measure, Policy
from privbo_core.privacy import gaussian_sigma

HEIGHT = 280
EPSILONS = np.geomspace(0.1, 200.0, 61)
DIMENSIONS = sorted({round(r) for r in np.geomspace(1, 100, 60)})
EPSILON_TICKS = (0.1, 1, 10, 100)
STROKES: dict[Policy, Stroke] = {
    "private": Stroke(PRIVATE),
    "noisy": Stroke(SECOND_PRIVATE, "dashdot"),
    "plain": Stroke(NON_PRIVATE, "dash"),
    "noiseless": Stroke(NON_PRIVATE, "dash"),
    "random": Stroke(RANDOM, "dot"),
}
NAMES: dict[Policy, str] = {
    "private": "projection",
    "noisy": "noisy release",
    "plain": "non-private",
    "noiseless": "non-private",
    "random": "random search",
}


def condition(sigma_min: float, setting: Setting) -> Figure:
    """Draw ω against ε and against r beside σ_min, with the present setting as dots that can be dragged."""
    figure = Figure(HEIGHT, left=60, right=56)
    threshold = omega(setting.epsilon, setting.delta, setting.r)
    # The axis is the same at every setting, so that the curves move and the axis doesn't.
    low, high = min(5.0, sigma_min / 3), max(3e5, sigma_min * 3)
    over_epsilon = threshold * setting.epsilon / EPSILONS
    over_r = [omega(setting.epsilon, setting.delta, r) for r in DIMENSIONS]
    smallest = smallest_epsilon(sigma_min, setting.delta, setting.r)
    largest = largest_r(sigma_min, setting.epsilon, setting.delta)

    bounds = float(EPSILONS[0]), float(EPSILONS[-1])
    figure.log_axis("x", "privacy loss ε", bounds, EPSILON_TICKS, domain=[0, 0.42])
    figure.log_axis("x2", "projection dimension r", (1, 100), (1, 10, 100), domain=[0.58, 1], anchor="y2")
    figure.log_axis("y", f"ω and {to_html(SIGMA_MIN)}", (low, high))
    figure.log_axis("y2", "", (low, high), anchor="x2", showticklabels=False)
    _tint(figure, bounds, smallest, met_from_right=True, axes=1)
    _tint(figure, (1.0, 100.0), float(largest), met_from_right=False, axes=2)
    figure.line(EPSILONS, over_epsilon, Stroke(PRIVATE), "ω(ε)", "ω = %{y:,.4g} at ε = %{x:.3g}")
    figure.line(DIMENSIONS, over_r, Stroke(PRIVATE), "ω(r)", "ω = %{y:,.4g} at r = %{x}", axes=2)
    for axes, x in ((1, bounds), (2, (1.0, 100.0))):
        figure.line(x, [sigma_min, sigma_min], Stroke(NON_PRIVATE, "dash", 2), "σ_min", "σ_min = %{y:,.4g}", axes=axes)
    sigma = (sigma_min, to_html(SIGMA_MIN), Stroke(NON_PRIVATE, "dash"))
    figure.end_labels([(float(over_epsilon[-1]), "ω(ε)", Stroke(PRIVATE)), sigma], right=0.42)
    figure.end_labels([(over_r[-1], "ω(r)", Stroke(PRIVATE)), sigma], axes=2)
    if bounds[0] < smallest < bounds[1]:
        figure.label(smallest, low, f"ε* = {smallest:.3g}", TEXT, **_beside(smallest < 3))
    if 1 <= largest < 100:
        figure.label(largest, low, f"largest r = {largest}", TEXT, axes=2, **_beside(largest < 10))
    figure.handle("epsilon", "Privacy loss ε", setting.epsilon, EPSILONS.tolist(), over_epsilon.tolist())
    figure.handle("r", "Projection dimension r", float(setting.r), DIMENSIONS, over_r, axes=2)
    return figure


def _tint(figure: Figure, bounds: tuple[float, float], turn: float, *, met_from_right: bool, axes: int) -> None:
    """Tint where σ_min ≥ ω holds in the colour of the release, and where it doesn't in the colour of caution."""
    middle = min(max(turn, bounds[0]), bounds[1])
    met, unmet = faded(PRIVATE, 0.09), faded(CAUTION, 0.09)
    sides = (unmet, met) if met_from_right else (met, unmet)
    for start, end, colour in ((bounds[0], middle, sides[0]), (middle, bounds[1], sides[1])):
        if end > start:
            figure.region(start, end, colour, axes)


def _beside(right: bool) -> dict[str, Any]:
    """Place a label at the foot of the plot, to the right of a border or to its left."""
    side = {"xanchor": "left", "xshift": 4} if right else {"xanchor": "right", "xshift": -4}
    return {**side, "yanchor": "bottom"}


@lru_cache(maxsize=64)
def _unit_noise(delta: float) -> tuple[float, ...]:
    return tuple(gaussian_sigma(float(epsilon), delta, 1.0) for epsilon in EPSILONS)


def noise(sigma: float, setting: Setting, lengthscales: Array) -> Figure:
    """Draw the noise of the release against ε, beside the shortest and the longest length-scale.

    All three are in protected differences. ``sigma`` is the noise at the present setting.
    """
    figure = Figure(HEIGHT, left=52, right=132)
    shortest, longest = float(lengthscales.min()), float(lengthscales.max())
    alike = longest < 1.01 * shortest
    bounds = float(EPSILONS[0]), float(EPSILONS[-1])
    figure.log_axis("x", "privacy loss ε", bounds, EPSILON_TICKS)
    figure.log_axis("y", "protected differences", (shortest / 300, longest * 100))
    # The noise is proportional to the sensitivity, which is the same at every ε.
    scale = sigma / gaussian_sigma(setting.epsilon, setting.delta, 1.0)
    curve = scale * np.array(_unit_noise(setting.delta))
    stroke, dashed = Stroke(SECOND_PRIVATE), Stroke(NON_PRIVATE, "dash", 2)
    figure.line(EPSILONS, curve, stroke, "noise σ", "σ = %{y:.3g} at ε = %{x:.3g}")
    ends = [(float(curve[-1]), "noise σ", stroke)]
    lengths = (
        {"length-scale": longest} if alike else {"longest length-scale": longest, "shortest length-scale": shortest}
    )
    for name, length in lengths.items():
        figure.line(bounds, [length] * 2, dashed, name, f"{name}: %{{y:.3g}}")
        ends.append((length, name, dashed))
    figure.end_labels(ends)
    figure.handle("epsilon", "Privacy loss ε", setting.epsilon, EPSILONS.tolist(), curve.tolist())
    return figure


def regret(
    comparison: Comparison,
    policies: Sequence[Policy],
    measure: Measure,
    top: float,
    other: Comparison | None = None,
    single: int | None = None,
) -> Figure:
    """Draw the mean regret of each search over its evaluations, with bands of ±1 standard error.

    ``other`` has the searches by another rule, which are drawn thin. ``single`` is the number of one run to be drawn on
    its own.
    """
    figure = Figure(HEIGHT, left=52, right=108)
    bands = {policy: comparison.band(policy, measure) for policy in policies}
    # The two releases have references of their own, if the analyst of the noisy release has a model of its own.
    names = {**NAMES, "noiseless": "same, fixed model"} if {"plain", "noiseless"} <= set(policies) else NAMES
    iterations = len(next(iter(bands.values())).mean)
    x = np.arange(1, iterations + 1)
    what = "simple regret" if measure == "simple" else "cumulative regret"
    figure.axis("x", "evaluations t after the initial points", (1, iterations))
    figure.axis("y", f"{what}, {to_html(SIGMA_Y)}", (0, top))
    ends = []
    for policy, band in bands.items():
        stroke, name = STROKES[policy], names[policy]
        if single is None and band.runs > 1:
            figure.band(x, band.mean - band.standard_error, band.mean + band.standard_error, faded(stroke.colour, 0.15))
        elif single is not None:
            curve = comparison.curves(policy, measure)[single]
            figure.line(x, curve, Stroke(stroke.colour, stroke.dash, 1.5), f"{name}, run {single + 1}")
        shade = stroke if single is None else Stroke(faded(stroke.colour, 0.3), stroke.dash, stroke.width)
        figure.line(x, band.mean, shade, name, f"{name}: %{{y:.3f}} after %{{x}} evaluations")
        ends.append((float(band.mean[-1]), name, stroke))
    for policy in policies:
        if other is not None and policy != "random":
            stroke, curve = STROKES[policy], other.band(policy, measure).mean
            figure.line(x, curve, Stroke(faded(stroke.colour, 0.6), stroke.dash, 1), f"{names[policy]}, other rule")
    figure.end_labels(ends)
    return figure


def regret_top(comparison: Comparison, policies: Sequence[Policy], measure: Measure) -> float:
    """Return the top of the regret axis. The steep start of simple regret may leave the figure."""
    ends = []
    for policy in policies:
        mean = comparison.band(policy, measure).mean
        ends.append(mean[-1] if measure == "cumulative" else mean[min(1, len(mean) - 1)])
    value = 1.05 * max(1e-3, float(max(ends)))
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if step * power >= value)


def distances(measured: Distortion, bounds: tuple[float, float] | None) -> Figure:
    """Draw by how much the projection stretches squared distances, beside the bounds of Theorem 2 if it gives any."""
    figure = Figure(240, left=52, right=16)
    logs = np.log10(np.maximum(measured.ratios, 1e-4))
    edges = np.linspace(logs[0], logs[-1] + 1e-9, 50)
    shares, _ = np.histogram(logs, edges)
    centres, widths = 10 ** ((edges[1:] + edges[:-1]) / 2), np.diff(10**edges)
    marks = [1.0, *(bound for bound in bounds or () if bound > 0)]
    low, high = min(10 ** float(edges[0]), *marks) / 1.1, max(10 ** float(edges[-1]), *marks) * 1.1
    ticks = [tick for tick in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000) if low <= tick <= high]
    figure.log_axis("x", "squared distance after the release ÷ before", (low, high), ticks)
    figure.axis("y", "% of pairs")
    hover = "%{y:.1f}% of pairs are stretched about %{x:.2f} times"
    figure.bars(centres, 100 * shares / measured.pairs, faded(PRIVATE, 0.6), "share of pairs in %", hover, width=widths)
    figure.upright(1.0, Stroke(NON_PRIVATE, "dash", 2))
    for bound in bounds or ():
        if bound > 0:
            figure.upright(bound, Stroke(REFUTED, "dot", 2))
    return figure


def accuracy(mu: float) -> Figure:
    """Draw how often the best attacker is right about differences of other sizes, through the same noise."""
    figure = Figure(220, left=52, right=16)
    times = np.geomspace(0.1, 100.0, 81)
    figure.log_axis("x", "size of the difference, × the protected difference", (0.1, 100.0), (0.1, 1, 10, 100))
    figure.axis("y", "right guesses in 100", (48, 102))
    figure.level(50, Stroke(RANDOM, "dot", 2))
    right = ndtr(0.5 * mu * times)
    hover, text = "%{x:.3g} times the protected difference: right %{text} times in 100", [*map(in_100, right.tolist())]
    figure.line(times, 100 * right, Stroke(SECOND_PRIVATE), "best attacker", hover, text=text)
    figure.points([1.0], [100 * float(ndtr(0.5 * mu))], SECOND_PRIVATE, "protected difference", size=10)
    figure.label(0.1, 50, "guessing", RANDOM, xshift=4, yanchor="bottom")
    return figure


def maps(
    original: Array, released: Array, rows: Sequence[int], names: tuple[str, str], shown: NDArray[np.int64]
) -> Figure:
    """Draw the first two inputs as the data holder has them, and the first two columns that the analyst receives.

    ``rows`` are the rows evaluated so far, the last one being the newest. ``shown`` are the rows that are drawn.
    """
    figure = Figure(300, left=52, right=16)
    figure.axis("x", names[0], domain=[0, 0.46])
    figure.axis("y", names[1])
    figure.axis("x2", "column 1", domain=[0.54, 1], anchor="y2")
    figure.axis("y2", "column 2", anchor="x2")
    for axes, points in ((1, original), (2, released)):
        figure.points(points[shown, 0], points[shown, 1], faded(RANDOM, 0.35), "rows", axes=axes, size=3)
        asked = points[list(rows)]
        colour = NON_PRIVATE if axes == 1 else PRIVATE
        figure.points(asked[:, 0], asked[:, 1], colour, "evaluated rows", axes=axes, size=7)
        figure.points(asked[-1:, 0], asked[-1:, 1], REFUTED, "newest row", axes=axes, size=11, symbol="circle-open-dot")
    return figure


def sweep(values: Sequence[float], means: Array, errors: Array, plain: float, name: str, now: float) -> Figure:
    """Draw the regret at the end against r or ε, beside that of the search without privacy."""
    figure = Figure(240, left=52, right=96)
    figure.log_axis(
        "x", name, (values[0], values[-1]), [tick for tick in (0.1, 1, 10, 100) if values[0] <= tick <= values[-1]]
    )
    figure.axis(
        "y",
        f"simple regret at the end, {to_html(SIGMA_Y)}",
        (0, 1.15 * max(float((means + errors).max()), plain, 1e-3)),
    )
    x = np.array(values[: len(means)])
    figure.band(x, means - errors, means + errors, faded(PRIVATE, 0.15))
    figure.line(x, means, Stroke(PRIVATE), "projection", "%{y:.3f} at %{x:.3g}")
    figure.line([values[0], values[-1]], [plain, plain], STROKES["plain"], "non-private", "non-private: %{y:.3f}")
    figure.upright(now, Stroke(faded(TEXT, 0.3), "dot", 1.5))
    figure.end_labels([(float(means[-1]), "projection", Stroke(PRIVATE)), (plain, "non-private", STROKES["plain"])])
    return figure
