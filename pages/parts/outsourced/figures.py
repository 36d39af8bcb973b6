"""The figures of the Outsourced page: values in, pictures out."""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from pages.parts.show.look import Palette, faded, plain
from pages.parts.values.picture import Picture
from privbo_core.bo import Band
from privbo_core.data import Problem
from privbo_core.errors import Array
from privbo_core.outsourced import Comparison, Distortion, Setting, largest_r, noise_deviation, omega, smallest_epsilon
from privbo_core.outsourced.simulation import BOUNDS, Measure, Mechanism, Policy

EPSILONS = [math.exp(x) for x in np.linspace(-1, 5, 41)]
RS = sorted({round(math.exp(x)) for x in np.linspace(0, math.log(100), 40)})
DASHES = {"private": "solid", "noisy": "dashdot", "plain": "dash", "random": "dot"}
NAMES = {"private": "private", "noisy": "noisy release", "plain": "non-private", "random": "random search"}
ROUND = (0.5, 1, 2, 5, 10, 20, 50, 100)


def condition(sigma_min: float, setting: Setting, colours: Palette) -> Picture:
    """Draw ω against ε and against r, with σ_min, the region where σ_min ≥ ω, and the present setting."""
    picture = Picture(colours)
    # One range for every setting, so that the curve moves and the axis does not.
    low, high = min(0.7, math.log10(sigma_min) - 0.5), max(5.0, math.log10(sigma_min) + 0.5)
    threshold = omega(setting.epsilon, setting.delta, setting.r)
    smallest = smallest_epsilon(sigma_min, setting.delta, setting.r)
    largest = largest_r(sigma_min, setting.epsilon, setting.delta)
    over_epsilon = [threshold * setting.epsilon / epsilon for epsilon in EPSILONS]
    over_r = [omega(setting.epsilon, setting.delta, r) for r in RS]
    _condition_panel(
        picture, "", EPSILONS, over_epsilon, setting.epsilon, smallest, True, sigma_min, threshold, low, high, colours
    )
    _condition_panel(
        picture,
        "2",
        [float(r) for r in RS],
        over_r,
        float(setting.r),
        float(largest),
        False,
        sigma_min,
        threshold,
        low,
        high,
        colours,
    )
    span = [math.log10(EPSILONS[0]), math.log10(EPSILONS[-1])]
    picture.axis("xaxis", "ε, more useful →", domain=[0, 0.48], type="log", range=span, tickvals=ROUND)
    picture.axis(
        "xaxis2",
        "projection dimension r",
        domain=[0.52, 1],
        type="log",
        range=[0, 2],
        tickvals=ROUND,
        anchor="y2",
    )
    log: dict[str, Any] = {"type": "log", "range": [low, high], "dtick": 1, "exponentformat": "power"}
    picture.axis("yaxis", "ω and σ<sub>min</sub>", **log)
    picture.axis("yaxis2", anchor="x2", showticklabels=False, **log)
    picture.label(span[1], math.log10(sigma_min), "σ<sub>min</sub>", colours.plain, xanchor="right", yshift=9)
    picture.label(span[0], math.log10(over_epsilon[0]), "ω(ε)", colours.private, xshift=6, yshift=12)
    picture.label(2, math.log10(over_r[-1]), "ω(r)", colours.private, xref="x2", yref="y2", xanchor="right", yshift=12)
    if EPSILONS[0] < smallest < EPSILONS[-1]:
        picture.label(math.log10(smallest), low, f"ε* = {smallest:.3g}", colours.met, xshift=4, yanchor="bottom")
    if 1 <= largest < 100:
        near_edge = largest < 20
        picture.label(
            math.log10(largest), low, f"largest r = {largest}", colours.met, xref="x2", yref="y2", yanchor="bottom",
            xanchor="left" if near_edge else "right", xshift=4 if near_edge else -4,
        )  # fmt: skip
    return picture


@lru_cache(maxsize=256)
def _noise_curve(delta: float, distance: float, d: int) -> list[float]:
    return [noise_deviation(e, delta, bounds=BOUNDS, protected_distance=distance, d=d) for e in EPSILONS]


def noise(d: int, lengthscale: float, setting: Setting, colours: Palette) -> Picture:
    """Draw the noisy release's σ against ε, with the length-scale that it has to be compared with."""
    picture = Picture(colours)
    curve, now = _noise_curve(setting.delta, setting.protected_distance, d), setting.noise(d)
    # One range for every setting, so that the curve moves and the axis does not.
    low, high = math.log10(lengthscale) - 2.2, math.log10(lengthscale) + 1.8
    span = [math.log10(EPSILONS[0]), math.log10(EPSILONS[-1])]
    picture.line(EPSILONS, curve, colours.noisy, name="σ", hovertemplate="σ = %{y:.3g} at ε = %{x:.3g}<extra></extra>")
    picture.level(lengthscale, colours.plain)
    picture.label(span[1], math.log10(lengthscale), "length-scale ℓ", colours.plain, xanchor="right", yshift=9)
    picture.add(
        "scatter",
        x=[setting.epsilon],
        y=[now],
        mode="markers",
        marker={"color": colours.noisy, "size": 14, "line": {"color": colours.text, "width": 1.5}},
        name="now",
        hovertemplate="now: σ = %{y:.4g}<extra></extra>",
    )
    picture.axis("xaxis", "ε (log scale): more useful →", type="log", range=span, tickvals=ROUND)
    picture.axis("yaxis", "noise σ", type="log", range=[low, high], dtick=1, exponentformat="power")
    return picture


def _condition_panel(
    picture: Picture, number: str, x: list[float], curve: list[float], now: float, turn: float, feasible_right: bool,
    sigma_min: float, threshold: float, low: float, high: float, colours: Palette,
) -> None:  # fmt: skip
    axes: dict[str, Any] = {"xaxis": f"x{number}", "yaxis": f"y{number}"}
    left, right = x[0], x[-1]
    middle = min(max(turn, left), right)
    met, unmet = (colours.met, ""), (colours.unmet, "/")
    for start, end, (colour, pattern) in (
        (left, middle, unmet if feasible_right else met),
        (middle, right, met if feasible_right else unmet),
    ):
        if end > start:
            picture.add(
                "scatter",
                x=[start, end, end, start],
                y=[10**low, 10**low, 10**high, 10**high],
                fill="toself",
                fillcolor=faded(colour, 0.10),
                fillpattern={"shape": pattern, "fgcolor": faded(colour, 0.45), "size": 9, "solidity": 0.12},
                line={"width": 0},
                mode="lines",
                hoverinfo="skip",
                **axes,
            )
    picture.line(x, curve, colours.private, name="ω", hovertemplate="ω = %{y:.4g} at %{x:.3g}<extra></extra>", **axes)
    picture.line(
        [left, right], [sigma_min] * 2, colours.plain, dash="dash", width=2, name="σ_min",
        hovertemplate="σ_min = %{y:.4g}<extra></extra>", **axes,
    )  # fmt: skip
    is_met = sigma_min >= threshold
    picture.add(
        "scatter",
        x=[now],
        y=[threshold],
        mode="markers",
        marker={
            "color": colours.met if is_met else colours.unmet,
            "size": 14,
            "symbol": "circle" if is_met else "x",
            "line": {"color": colours.text, "width": 1.5},
        },
        name="now",
        hovertemplate="now: ω = %{y:.4g}<extra></extra>",
        **axes,
    )


def regret(
    now: Comparison,
    before: Mapping[Mechanism, Band] | None,
    measure: Measure,
    top: float | None,
    unit: str,
    colours: Palette,
) -> Picture:
    """Draw regret over the iterations: the releases shown, plain and random; superseded curves stay, dimmed.

    ``top`` fixes the axis while a thumb is held.
    """
    picture = Picture(colours, margin={"l": 56, "r": 96, "t": 8, "b": 44})
    x = [float(t) for t in range(1, now.plain[0].iterations + 1)]
    shade = {"private": colours.private, "noisy": colours.noisy}
    for mechanism, old in (before or {}).items():
        picture.line(x[: len(old.mean)], old.mean[: len(x)], faded(shade[mechanism], 0.35), hoverinfo="skip")
    ends: list[tuple[float, str, str]] = []
    curves: tuple[tuple[Policy, str], ...] = (
        ("random", colours.random),
        ("plain", colours.plain),
        *((mechanism, shade[mechanism]) for mechanism in now.mechanisms),
    )
    for policy, colour in curves:
        curve = now.band(policy, measure)
        picture.band(x, curve, colour, DASHES[policy], NAMES[policy])
        name = "projection" if policy == "private" and len(now.mechanisms) == 2 else NAMES[policy]
        ends.append((float(curve.mean[-1]), name, colour))
    top = top or regret_top(now, measure)
    for y, name, colour in spread_labels(ends, top * 0.085):
        picture.label(1, min(y, top), name, colour, xref="paper", xshift=4)
    kind = "simple regret S<sub>t</sub>" if measure == "simple" else "cumulative regret R<sub>t</sub>"
    picture.axis("xaxis", "evaluations t after the initial ones", range=[1, max(x[-1], 2)])
    picture.axis("yaxis", f"{kind} ({unit})", range=[-0.02 * top, top])
    return picture


def regret_top(now: Comparison, measure: Measure) -> float:
    """Return the top of the regret axis: the early drop may leave the picture, the comparison at the end must not."""
    policies: tuple[Policy, ...] = (*now.mechanisms, "plain", "random")
    curves = [now.band(policy, measure).mean for policy in policies]
    if measure == "cumulative":
        return max(1.05 * max(float(curve[-1]) for curve in curves), 1e-3)
    late = max(float(curve[min(len(curve) - 1, 2)]) for curve in curves)
    return max(1.05 * late, 1e-3)


def spread_labels(ends: list[tuple[float, str, str]], gap: float) -> list[tuple[float, str, str]]:
    """Move labels at the ends of curves apart until each has ``gap`` to the next."""
    placed: list[tuple[float, str, str]] = []
    for y, name, colour in sorted(ends):
        placed.append((max(y, placed[-1][0] + gap) if placed else y, name, colour))
    return placed


def distances(measured: Distortion, low: float, high: float, promise: bool, colours: Palette) -> Picture:
    """Draw how many times the release stretched squared distances, beside the bounds of Theorem 2."""
    picture = Picture(colours)
    logs = np.log10(np.maximum(measured.ratios, 1e-4))
    edges = np.linspace(logs[0], logs[-1] + 1e-9, 60)
    counts, _ = np.histogram(logs, edges)
    picture.add(
        "bar",
        x=10 ** ((edges[1:] + edges[:-1]) / 2),
        y=100 * counts / measured.pairs,
        width=np.diff(10**edges),
        marker={"color": faded(colours.private, 0.6), "line": {"width": 0}},
        name="share of pairs (%)",
        hovertemplate="%{y:.1f} % of pairs near × %{x:.2f}<extra></extra>",
    )
    picture.axis(
        "xaxis",
        "squared distance after / before the release",
        type="log",
        tickvals=(0.01, 0.02, 0.05, 0.1, 0.2, *ROUND, 200, 500, 1000, 2000, 5000, 10_000, 100_000),
    )
    picture.axis("yaxis", "% of pairs")
    picture.upright(1, colours.plain, dash="dash")
    picture.label(0, 1, "kept", colours.plain, yref="paper", xshift=4, yanchor="top")
    if promise:
        for bound in (low, high):
            picture.upright(bound, colours.met)
            picture.label(math.log10(bound), 0.9, "Theorem 2", colours.met, yref="paper", xshift=4, yanchor="top")
    return picture


def sweep(
    x: list[float], results: dict[float, Band], plain: float, now: float, turn: float, feasible_right: bool,
    title: str, unit: str, colours: Palette,
) -> Picture:  # fmt: skip
    """Draw final regret against one setting, as far as it has been computed, with the region where σ_min ≥ ω."""
    picture = Picture(colours)
    done = [value for value in x if value in results]
    left, right = math.log10(x[0]), math.log10(x[-1])
    turning = min(max(math.log10(max(turn, 1e-9)), left), right)
    start, end = (turning, right) if feasible_right else (left, turning)
    if end > start:
        picture.region(10**start, 10**end, faded(colours.met, 0.12))
        picture.label(
            (start + end) / 2, 1, "σ<sub>min</sub> ≥ ω", colours.met, yref="paper", xanchor="center", yanchor="top"
        )
    picture.add(
        "scatter",
        x=done,
        y=[float(results[value].mean[-1]) for value in done],
        error_y={
            "array": [float(results[value].standard_error[-1]) for value in done],
            "color": colours.private,
            "thickness": 1.5,
        },
        mode="lines+markers",
        line={"color": colours.private, "width": 2},
        marker={"size": 8},
        name="private",
        hovertemplate="%{y:.3f} at %{x:.3g}<extra></extra>",
    )
    picture.level(plain, colours.plain)
    picture.label(left, plain, "non-private", colours.plain, yshift=9)
    picture.upright(now, colours.private, dash="dot", width=1.5)
    picture.axis("xaxis", title, type="log", range=[left - 0.03, right + 0.03], tickvals=ROUND)
    picture.axis("yaxis", f"final simple regret ({unit})", rangemode="tozero")
    return picture


def flat(problem: Problem) -> tuple[Array, tuple[str, str]]:
    """Return two coordinates to draw the curator's points by, and their names."""
    if problem.d == 1:
        return np.column_stack([problem.original[:, 0], problem.objective]), (label(problem, 0), plain(problem.output))
    if problem.d == 2:
        return problem.original, (label(problem, 0), label(problem, 1))
    return principal(problem.points), ("first principal direction", "second principal direction")


def principal(points: Array) -> Array:
    """Return the coordinates of centred points in their two directions of largest spread."""
    centred = points - points.mean(axis=0)
    if points.shape[1] == 1:
        return np.column_stack([centred[:, 0], np.zeros(len(centred))])
    _, vectors = np.linalg.eigh(centred.T @ centred)
    result: Array = centred @ vectors[:, :-3:-1]
    return result


def label(problem: Problem, column: int) -> str:
    """Return a column's name with its unit."""
    unit, name = plain(problem.units[column]), plain(problem.names[column])
    return f"{name} ({unit})" if unit else name
