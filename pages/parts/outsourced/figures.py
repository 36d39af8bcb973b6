"""The figures of the Outsourced page: values in, pictures out."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from pages.parts.values.axes import at_least_three
from pages.parts.values.palette import NOISY, NON_PRIVATE, PRIVATE, TEXT, UNMET
from pages.parts.values.picture import Picture
from pages.parts.values.text import SIGMA_MIN
from privbo_core.bo import Band
from privbo_core.data import Frame, Problem
from privbo_core.errors import Array
from privbo_core.outsourced import Distortion, Setting, largest_r, omega, smallest_epsilon
from privbo_core.outsourced.simulation import Mechanism
from privbo_core.privacy import Noise, noise_of

EPSILONS = [math.exp(x) for x in np.linspace(-1, 5, 41)]
RS = sorted({round(math.exp(x)) for x in np.linspace(0, math.log(100), 40)})
NAMED = 20
"""Where the noise of the other shape is named."""
TICKS = (0.5, 1, 2, 5, 10, 20, 50, 100)


@dataclass(frozen=True)
class Side:
    """One half of the condition figure: ω along ``x``, where it is ``now``, where the condition turns.

    ``number``: of its axes, as Plotly counts them.
    """

    number: str
    x: list[float]
    curve: list[float]
    now: float
    turn: float
    feasible_right: bool


@dataclass(frozen=True)
class Swept:
    """Final regret along one setting, as far as it has been computed, beside the search without privacy.

    ``now``: the present setting; ``turn``: where the condition turns, and whether it is met to the right of that.
    """

    x: list[float]
    results: dict[float, Band]
    plain: float
    now: float
    turn: float
    feasible_right: bool


def condition(sigma_min: float, setting: Setting) -> Picture:
    """Draw ω against ε and against r, with σ_min, the region where σ_min ≥ ω, and the present setting."""
    picture = Picture()
    # One range for every setting, so that the curve moves and the axis does not.
    low, high = min(0.7, math.log10(sigma_min) - 0.5), max(5.0, math.log10(sigma_min) + 0.5)
    threshold = omega(setting.epsilon, setting.delta, setting.r)
    smallest = smallest_epsilon(sigma_min, setting.delta, setting.r)
    largest = largest_r(sigma_min, setting.epsilon, setting.delta)
    over_epsilon = [threshold * setting.epsilon / epsilon for epsilon in EPSILONS]
    over_r = [omega(setting.epsilon, setting.delta, r) for r in RS]
    sides = (
        Side("", EPSILONS, over_epsilon, setting.epsilon, smallest, feasible_right=True),
        Side("2", [float(r) for r in RS], over_r, float(setting.r), float(largest), feasible_right=False),
    )
    for side in sides:
        _condition_side(picture, side, sigma_min, threshold, (low, high))
    span = [math.log10(EPSILONS[0]), math.log10(EPSILONS[-1])]
    picture.axis("xaxis", "ε, more useful →", domain=[0, 0.48], type="log", range=span, tickvals=TICKS)
    picture.axis(
        "xaxis2",
        "projection dimension r",
        domain=[0.52, 1],
        type="log",
        range=[0, 2],
        tickvals=TICKS,
        anchor="y2",
    )
    log: dict[str, Any] = {"type": "log", "range": [low, high], "dtick": 1, "exponentformat": "power"}
    picture.axis("yaxis", f"ω and {SIGMA_MIN}", **log)
    picture.axis("yaxis2", anchor="x2", showticklabels=False, **log)
    picture.label(span[1], math.log10(sigma_min), SIGMA_MIN, NON_PRIVATE, xanchor="right", yshift=9)
    picture.label(span[0], math.log10(over_epsilon[0]), "ω(ε)", PRIVATE, xshift=6, yshift=12)
    picture.label(2, math.log10(over_r[-1]), "ω(r)", PRIVATE, xref="x2", yref="y2", xanchor="right", yshift=12)
    if EPSILONS[0] < smallest < EPSILONS[-1]:
        picture.label(math.log10(smallest), low, f"ε* = {smallest:.3g}", PRIVATE, xshift=4, yanchor="bottom")
    if 1 <= largest < 100:
        near_edge = largest < 20
        picture.label(
            math.log10(largest), low, f"largest r = {largest}", PRIVATE, xref="x2", yref="y2", yanchor="bottom",
            xanchor="left" if near_edge else "right", xshift=4 if near_edge else -4,
        )  # fmt: skip
    return picture


@lru_cache(maxsize=256)
def _unit_noise(shape: Noise, delta: float, d: int) -> list[float]:
    return [noise_of(shape, 1.0, epsilon, delta, d).sigma for epsilon in EPSILONS]


def noise(frame: Frame, lengthscales: Array, setting: Setting) -> Picture:
    """Draw the noisy release's σ against ε, with the shortest and the longest length-scale, all in hidden changes.

    Beside it, thinner, that of noise of the other shape, at the same ε.
    """
    picture = Picture()
    now = setting.noise(frame)
    # σ is proportional to the sensitivity, which is the same at every ε.
    sensitivity = now / noise_of(setting.shape, 1.0, setting.epsilon, setting.noisy_delta, frame.d).sigma
    curves = {
        shape: [sensitivity * each for each in _unit_noise(shape, delta, frame.d)]
        for shape, delta in (("gaussian", setting.delta), ("laplace", 0.0))
    }
    curve = curves.pop(setting.shape)
    ((other, beside),) = curves.items()
    shortest, longest = float(lengthscales.min()), float(lengthscales.max())
    alike = longest < 1.01 * shortest
    # One range for every setting, so that the curve moves and the axis does not.
    low, high = math.log10(shortest) - 2.2, math.log10(longest) + 1.8
    span = [math.log10(EPSILONS[0]), math.log10(EPSILONS[-1])]
    name = f"{other.capitalize()} noise"
    picture.line(EPSILONS, beside, NOISY.faded(0.7), dash="dot", width=1.5, name=name,
                 hovertemplate=f"{name}: σ = %{{y:.3g}} at ε = %{{x:.3g}}")  # fmt: skip
    above = beside[0] > curve[0]
    place = {"xanchor": "left", "yshift": 9} if above else {"xanchor": "right", "yshift": -9}
    picture.label(math.log10(EPSILONS[NAMED]), math.log10(beside[NAMED]), name, NOISY, **place)
    picture.line(EPSILONS, curve, NOISY, name="σ", hovertemplate="σ = %{y:.3g} at ε = %{x:.3g}")
    ends = [(shortest, "length-scale ℓ", 9)] if alike else [(shortest, "shortest ℓ", -9), (longest, "longest ℓ", 9)]
    for value, text, shift in ends:
        picture.level(value, NON_PRIVATE)
        picture.label(span[1], math.log10(value), text, NON_PRIVATE, xanchor="right", yshift=shift)
    picture.add(
        "scatter",
        x=[setting.epsilon],
        y=[now],
        mode="markers",
        marker={"color": NOISY, "size": 14, "line": {"color": TEXT, "width": 1.5}},
        name="now",
        hovertemplate="now: σ = %{y:.4g}",
    )
    picture.axis("xaxis", "ε (log scale): more useful →", type="log", range=span, tickvals=TICKS)
    picture.axis("yaxis", "noise σ (hidden changes)", type="log", range=[low, high], dtick=1, exponentformat="power")
    return picture


def _condition_side(
    picture: Picture, side: Side, sigma_min: float, threshold: float, powers: tuple[float, float]
) -> None:
    axes: dict[str, Any] = {"xaxis": f"x{side.number}", "yaxis": f"y{side.number}"}
    left, right = side.x[0], side.x[-1]
    low, high = (10**power for power in powers)
    middle = min(max(side.turn, left), right)
    # Not the colour of a condition that is met: the promise that rests on it is refuted.
    met, unmet = (PRIVATE, ""), (UNMET, "/")
    for start, end, (colour, pattern) in (
        (left, middle, unmet if side.feasible_right else met),
        (middle, right, met if side.feasible_right else unmet),
    ):
        if end > start:
            picture.add(
                "scatter",
                x=[start, end, end, start],
                y=[low, low, high, high],
                fill="toself",
                fillcolor=colour.faded(0.10),
                fillpattern={"shape": pattern, "fgcolor": colour.faded(0.45), "size": 9, "solidity": 0.12},
                line={"width": 0},
                mode="lines",
                hoverinfo="skip",
                **axes,
            )
    picture.line(side.x, side.curve, PRIVATE, name="ω", hovertemplate="ω = %{y:.4g} at %{x:.3g}", **axes)
    picture.line(
        [left, right], [sigma_min] * 2, NON_PRIVATE, dash="dash", width=2, name="σ_min",
        hovertemplate="σ_min = %{y:.4g}", **axes,
    )  # fmt: skip
    is_met = sigma_min >= threshold
    picture.add(
        "scatter",
        x=[side.now],
        y=[threshold],
        mode="markers",
        marker={
            "color": PRIVATE if is_met else UNMET,
            "size": 14,
            "symbol": "circle" if is_met else "x",
            "line": {"color": TEXT, "width": 1.5},
        },
        name="now",
        hovertemplate="now: ω = %{y:.4g}",
        **axes,
    )


def distances(measured: Distortion, low: float, high: float, promise: bool) -> Picture:
    """Draw how many times the release stretched squared distances, beside the bounds of Theorem 2."""
    picture = Picture()
    logs = np.log10(np.maximum(measured.ratios, 1e-4))
    edges = np.linspace(logs[0], logs[-1] + 1e-9, 60)
    counts, _ = np.histogram(logs, edges)
    picture.add(
        "bar",
        x=10 ** ((edges[1:] + edges[:-1]) / 2),
        y=100 * counts / measured.pairs,
        width=np.diff(10**edges),
        marker={"color": PRIVATE.faded(0.6), "line": {"width": 0}},
        name="share of pairs (%)",
        hovertemplate="%{y:.1f} % of pairs near × %{x:.2f}",
    )
    # All that is drawn lies in the picture: the bars, 1 and what is promised.
    marks = [0.0, *(math.log10(bound) for bound in (low, high) if promise and bound > 0)]
    start, end = min(float(edges[0]), *marks) - 0.01, max(float(edges[-1]), *marks) + 0.01
    picture.axis(
        "xaxis",
        "squared distance after / before the release",
        type="log",
        range=[start, end],
        **at_least_three(10**start, 10**end),
    )
    picture.axis("yaxis", "% of pairs")
    picture.upright(1, NON_PRIVATE, dash="dash")
    picture.label(0, 1, "kept", NON_PRIVATE, yref="paper", xshift=4, yanchor="top")
    if promise:
        for bound in (low, high):
            picture.upright(bound, TEXT)
            picture.label(math.log10(bound), 0.9, "Theorem 2", TEXT, yref="paper", xshift=4, yanchor="top")
    return picture


def sweep(swept: Swept, title: str, unit: str) -> Picture:
    """Draw final regret against one setting, as far as it has been computed, with the region where σ_min ≥ ω."""
    picture = Picture()
    x, results = swept.x, swept.results
    done = [value for value in x if value in results]
    left, right = math.log10(x[0]), math.log10(x[-1])
    turning = min(max(math.log10(max(swept.turn, 1e-9)), left), right)
    start, end = (turning, right) if swept.feasible_right else (left, turning)
    if end > start:
        picture.region(10**start, 10**end, PRIVATE.faded(0.1))
        picture.label((start + end) / 2, 1, f"{SIGMA_MIN} ≥ ω", PRIVATE, yref="paper", xanchor="center", yanchor="top")
    picture.add(
        "scatter",
        x=done,
        y=[float(results[value].mean[-1]) for value in done],
        error_y={
            "array": [float(results[value].standard_error[-1]) for value in done],
            "color": PRIVATE,
            "thickness": 1.5,
        },
        mode="lines+markers",
        line={"color": PRIVATE, "width": 2},
        marker={"size": 8},
        name="private",
        hovertemplate="%{y:.3f} at %{x:.3g}",
    )
    picture.level(swept.plain, NON_PRIVATE)
    picture.label(left, swept.plain, "non-private", NON_PRIVATE, yshift=9)
    picture.upright(swept.now, PRIVATE, dash="dot", width=1.5)
    picture.axis("xaxis", title, type="log", range=[left - 0.03, right + 0.03], tickvals=TICKS)
    picture.axis("yaxis", f"final simple regret ({unit})", rangemode="tozero")
    return picture


def flat(problem: Problem) -> tuple[Array, tuple[str, str]]:
    """Return two coordinates to draw the curator's points by, and their names."""
    if problem.d == 1:
        return np.column_stack([problem.original[:, 0], problem.objective]), (label(problem, 0), problem.output)
    if problem.d == 2:
        return problem.original, (label(problem, 0), label(problem, 1))
    return principal(problem.points), ("first principal direction", "second principal direction")


def principal(points: Array) -> Array:
    """Return the coordinates of centred points in their two directions of largest spread; rounding is no spread."""
    centred = points - points.mean(axis=0)
    if points.shape[1] == 1:
        return np.column_stack([centred[:, 0], np.zeros(len(centred))])
    _, vectors = np.linalg.eigh(centred.T @ centred)
    result: Array = centred @ vectors[:, :-3:-1]
    result[:, np.ptp(result, axis=0) < 1e-9 * np.ptp(result)] = 0.0
    return result


def flat_release(problem: Problem, z: Array, mechanism: Mechanism) -> tuple[Array, tuple[str, str]]:
    """Return two coordinates to draw the released points by, and their names.

    A noisy release of two columns is drawn in their original units; of others the two widest directions.
    """
    if mechanism == "noisy" and problem.d == 2:
        return problem.frame.to_original(z), (f"{label(problem, 0)}, with noise", f"{label(problem, 1)}, with noise")
    return principal(z), ("first direction of Z", "second direction of Z")


def label(problem: Problem, column: int) -> str:
    """Return a column's name with its unit."""
    unit, name = problem.units[column], problem.names[column]
    return f"{name} ({unit})" if unit else name
