"""What the Outsourced page draws first: the condition or the noise, and what the searches find at either depth."""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from pages.parts.outsourced.promise import hidden
from pages.parts.outsourced.setup import Case, known_to, one_sigma, span
from pages.parts.outsourced.view import View
from pages.parts.views.picture import (
    NOISY,
    NON_PRIVATE,
    PRIVATE,
    RANDOM,
    SAMPLES,
    TEXT,
    UNMET,
    Colour,
    End,
    Picture,
    spread_labels,
)
from pages.parts.views.text import SIGMA_MIN, sub
from pages.parts.views.views import Figure, Finding
from privbo_core.data import Frame
from privbo_core.errors import Array
from privbo_core.outsourced import Mechanism, Policy, Setting, largest_r, omega, smallest_epsilon
from privbo_core.privacy import gaussian_sigma

STYLES: dict[Policy, tuple[str, Colour, str]] = {
    "private": ("private", PRIVATE, "solid"),
    "noisy": ("noisy release", NOISY, "dashdot"),
    "plain": ("non-private", NON_PRIVATE, "dash"),
    "noiseless": ("non-private, same model", NON_PRIVATE, "longdashdot"),
    "random": ("random search", RANDOM, "dot"),
    "local": ("each hides its own", UNMET, "dashdot"),
    "neighbour": ("no model", RANDOM, "dot"),
}
"""What a curve is called, its colour, its line."""
RANKS_MARGIN = {"l": 64, "r": 150, "t": 28, "b": 44}
"""Around a picture of ranks: above it stands which way is better, where no curve goes."""
EARLY = 4  # After so many tests the curves are still apart, if they ever are.
EPSILONS = [math.exp(x) for x in np.linspace(-1, 5, 41)]
RS = [float(r) for r in sorted({round(math.exp(x)) for x in np.linspace(0, math.log(100), 40)})]
TICKS = (0.5, 1, 2, 5, 10, 20, 50, 100)


def condition(sigma_min: float, setting: Setting) -> Picture:
    """Draw ω against ε and against r, with σ_min, the region where σ_min ≥ ω, and the present setting."""
    picture = Picture()
    # One range for every setting, so that the curve moves and the axis does not.
    low, high = min(0.7, math.log10(sigma_min) - 0.5), max(5.0, math.log10(sigma_min) + 0.5)
    threshold = omega(setting.epsilon, setting.delta, setting.r)
    smallest = smallest_epsilon(sigma_min, setting.delta, setting.r)
    largest = largest_r(sigma_min, setting.epsilon, setting.delta)
    over_epsilon = [threshold * setting.epsilon / epsilon for epsilon in EPSILONS]
    over_r = [omega(setting.epsilon, setting.delta, int(r)) for r in RS]
    # Not the colour of a condition that is met: the promise that rests on it is refuted.
    met, unmet = (PRIVATE, ""), (UNMET, "/")
    now_colour, symbol = (PRIVATE, "circle") if sigma_min >= threshold else (UNMET, "x")
    edge = {"color": TEXT, "width": 1.5}
    for number, x, curve, now, turn, halves in (
        ("", EPSILONS, over_epsilon, setting.epsilon, smallest, (unmet, met)),
        ("2", RS, over_r, float(setting.r), float(largest), (met, unmet)),
    ):
        axes: dict[str, Any] = {"xaxis": f"x{number}", "yaxis": f"y{number}"}
        middle = min(max(turn, x[0]), x[-1])
        for start, end, (colour, pattern) in zip((x[0], middle), (middle, x[-1]), halves, strict=True):
            if end > start:
                around = [start, end, end, start], [10**low, 10**low, 10**high, 10**high]
                hatched = {"shape": pattern, "fgcolor": colour.faded(0.45), "size": 9, "solidity": 0.12}
                picture.area(*around, colour.faded(0.10), fillpattern=hatched, **axes)
        picture.line(x, curve, PRIVATE, name="ω", hovertemplate="ω = %{y:.4g} at %{x:.3g}", **axes)
        level = axes | {"dash": "dash", "width": 2, "name": "σ_min", "hovertemplate": "σ_min = %{y:.4g}"}
        picture.line([x[0], x[-1]], [sigma_min] * 2, NON_PRIVATE, **level)
        drawn = {"color": now_colour, "size": 14, "symbol": symbol, "line": edge}
        picture.marks([now], [threshold], "now", "now: ω = %{y:.4g}", **drawn, **axes)
    span = [math.log10(EPSILONS[0]), math.log10(EPSILONS[-1])]
    picture.axis("xaxis", "ε, more useful →", domain=[0, 0.48], type="log", range=span, tickvals=TICKS)
    picture.axis(
        "xaxis2", "projection dimension r", domain=[0.52, 1], type="log", range=[0, 2], tickvals=TICKS, anchor="y2"
    )
    log: dict[str, Any] = {"type": "log", "range": [low, high], "dtick": 1, "exponentformat": "power"}
    picture.axis("yaxis", f"ω and {SIGMA_MIN}", **log)
    picture.axis("yaxis2", anchor="x2", showticklabels=False, **log)
    picture.label(span[1], math.log10(sigma_min), SIGMA_MIN, NON_PRIVATE, xanchor="right", yshift=9)
    picture.label(span[0], math.log10(over_epsilon[0]), "ω(ε)", PRIVATE, xshift=6, yshift=12)
    picture.label(2, math.log10(over_r[-1]), "ω(r)", PRIVATE, xref="x2", yref="y2", xanchor="right", yshift=12)
    if EPSILONS[0] < smallest < EPSILONS[-1]:
        # To the right of its border, unless it would run into what stands at the other axis.
        aside = {"xanchor": "left", "xshift": 4} if smallest < 20 else {"xanchor": "right", "xshift": -4}
        picture.label(math.log10(smallest), low, f"ε* = {smallest:.3g}", PRIVATE, **aside, yanchor="bottom")
    if 1 <= largest < 100:
        beside = {"xanchor": "left", "xshift": 4} if largest < 20 else {"xanchor": "right", "xshift": -4}
        beside |= {"xref": "x2", "yref": "y2", "yanchor": "bottom"}
        picture.label(math.log10(largest), low, f"largest r = {largest}", PRIVATE, **beside)
    return picture


@lru_cache(maxsize=256)
def _unit_noise(delta: float) -> list[float]:
    return [gaussian_sigma(epsilon, delta, 1.0) for epsilon in EPSILONS]


def noise(frame: Frame, lengthscales: Array, setting: Setting) -> Picture:
    """Draw the noisy release's σ against ε, with the shortest and the longest length-scale, all in hidden changes."""
    picture = Picture()
    now = setting.noise(frame)
    # σ is proportional to the sensitivity, which is the same at every ε.
    sensitivity = now / gaussian_sigma(setting.epsilon, setting.delta, 1.0)
    curve = [sensitivity * each for each in _unit_noise(setting.delta)]
    shortest, longest = float(lengthscales.min()), float(lengthscales.max())
    alike = longest < 1.01 * shortest
    # One range for every setting, so that the curve moves and the axis does not.
    low, high = math.log10(shortest) - 2.2, math.log10(longest) + 1.8
    span = [math.log10(EPSILONS[0]), math.log10(EPSILONS[-1])]
    picture.line(EPSILONS, curve, NOISY, name="σ", hovertemplate="σ = %{y:.3g} at ε = %{x:.3g}")
    ends = [(shortest, "length-scale ℓ", 9)] if alike else [(shortest, "shortest ℓ", -9), (longest, "longest ℓ", 9)]
    for value, text, shift in ends:
        picture.level(value, NON_PRIVATE)
        picture.label(span[1], math.log10(value), text, NON_PRIVATE, xanchor="right", yshift=shift)
    edge = {"color": TEXT, "width": 1.5}
    picture.marks([setting.epsilon], [now], "now", "now: σ = %{y:.4g}", color=NOISY, size=14, line=edge)
    picture.axis("xaxis", "ε (log scale): more useful →", type="log", range=span, tickvals=TICKS)
    picture.axis("yaxis", "noise σ (hidden changes)", type="log", range=[low, high], dtick=1, exponentformat="power")
    return picture


def what_follows_the_thumb(case: Case) -> Figure:
    """Return the figure of σ_min against ω, or of the noise against the length-scale."""
    setting, simulation, problem = case.setting, case.simulation, case.problem
    if case.leading == "noisy":
        lengths, sigma = simulation.prior(setting).lengthscales, setting.noise(problem.frame)
        if sigma < lengths.min():
            small = "less than f varies over"
        elif sigma < lengths.max():
            small = "less than f varies over in some columns, more in others"
        else:
            small = "more than f varies over, so little is left to see"
        title = f"Noise moves each record by σ = {sigma:.3g}: {small} (ℓ = {span(lengths)})"
        alt = f"The noise σ against ε, beside the length-scale. σ is now {sigma:.3g}."
        note = f"In hidden changes of the frame: 1 is {hidden(problem)}."
        return Figure("noise", Finding(title, known_to(problem), note), noise(problem.frame, lengths, setting), alt)
    sigma_min, threshold = simulation.spectrum.sigma_min, omega(setting.epsilon, setting.delta, setting.r)
    if sigma_min >= threshold:
        title = f"Distances survive: {SIGMA_MIN} = {sigma_min:,.0f} ≥ ω = {threshold:,.0f}"
    else:
        times = f"up to {math.sqrt(1 + threshold**2 / sigma_min**2):.3g}-fold, projecting blurs them further"
        title = f"Amplifying stretches distances {times}: {SIGMA_MIN} = {sigma_min:,.0f} < ω = {threshold:,.0f}"
    alt = f"ω against ε and against r. σ_min is {sigma_min:,.0f}, ω is now {threshold:,.0f}."
    return Figure("condition", Finding(title, "curator"), condition(sigma_min, setting), alt)


def regret(view: View, before: Mapping[Mechanism, Array] | None = None, top: float | None = None) -> Picture:
    """Draw what is found over the tests, regrets or ranks: releases, searches without privacy, random.

    The curves of an earlier setting (``before``) stay, dimmed. ``top`` fixes the axis while a thumb is held.
    """
    ranks = view.measure == "rank"
    picture = Picture(margin={"l": 56, "r": 110, "t": 28 if ranks else 8, "b": 44})
    x = [float(t) for t in range(1, view.searches.random[0].iterations + 1)]
    for mechanism, old in (before or {}).items():
        picture.line(x[: len(old)], old[: len(x)], STYLES[mechanism][1].faded(0.35), hoverinfo="skip")
    top, ends = top or view.top, list[End]()
    height = math.log10(top) if ranks else top
    for policy in view.policies:
        name, colour, dash = STYLES[policy]
        if policy == "private" and len(view.searches.mechanisms) == 2:
            name = "projection"
        if ranks:
            typical = view.searches.typical_ranks(policy)
            picture.between(x, np.asarray(typical.low), np.asarray(typical.high), colour.faded(0.13))
            hover = f"{name}: %{{y:,.0f}} after %{{x}}"
            picture.line(x, typical.median, colour, dash=dash, name=name, hovertemplate=hover)
        else:
            picture.band(x, view.searches.band(policy, view.measure), colour, dash, name)
        end = float(view.curve(policy)[-1])
        ends.append((math.log10(end) if ranks else end, name, colour))
    for y, name, colour in spread_labels(ends, height * 0.085):
        picture.label(1, min(y, height), name.replace(", ", ",\n"), colour, xref="paper", xshift=4, align="left")
    picture.axis("xaxis", "tests t after the initial ones", range=[1, max(x[-1], 2)])
    if ranks:
        rank_axis(picture, "row", top, -0.12)
    else:
        kind = f"simple regret S{sub('t')}" if view.measure == "simple" else f"cumulative regret R{sub('t')}"
        picture.axis("yaxis", f"{kind} ({one_sigma(view.case.problem)})", range=[-0.02 * height, height])
    return picture


def rank_axis(picture: Picture, one: str, n: float, low: float) -> None:
    """Set an upright axis of ranks among ``n`` rows, each called ``one``, on a scale of powers of ten."""
    picture.label(0, 1, "↓ better", TEXT, size=15, xref="paper", yref="paper", yanchor="bottom")
    powers = range(math.floor(math.log10(n)) + 1)
    ticks = {"tickvals": [10**k for k in powers], "ticktext": [f"{10**k:,}" for k in powers]}
    picture.axis("yaxis", f"rank of the {one} found (1: best)", type="log", range=[low, math.log10(n)], **ticks)


def ranks(view: View, *, private: bool = True) -> Picture:
    """Draw, as Simple does, the typical rank of the best record found: private, without privacy, by chance.

    Without ``private``, what the private search finds is left out.
    """
    now, sample, way = view.searches, view.sample, view.case.leading
    picture = Picture(height=340, margin=RANKS_MARGIN)
    chance: tuple[Policy, str, Colour, str] = ("random", "by chance", RANDOM, "dot")
    plain: tuple[Policy, str, Colour, str] = (now.reference(way), "without privacy", NON_PRIVATE, "dash")
    named, colour = "projected" if view.refuted else "with privacy", STYLES[way][1]
    curves, ends = [chance, plain], list[End]()
    if private:
        with_it, without = view.ranks(way)
        same = with_it == without  # both curves end in one point
        curves[1:] = [
            (plain[0], f"{named.removesuffix(' privacy')} and\nwithout privacy" if same else plain[1], *plain[2:]),
            (way, "" if same else named, colour, "solid"),
        ]
    for policy, name, colour, dash in curves:
        curve = np.asarray(now.typical_ranks(policy).median)
        tests, hover = [float(t) for t in range(1, len(curve) + 1)], f"{name}: %{{y:,.0f}} after %{{x}} tests"
        picture.line(tests, curve, colour, dash=dash, width=3.5, name=name, hovertemplate=hover)
        if name:
            ends.append((math.log10(curve[-1]), f"{SAMPLES[dash]} {name}", colour))
        elif len(curve) > EARLY:  # this one is named where they are still apart
            picture.label(EARLY + 1, math.log10(curve[EARLY]), named, colour, size=15, yshift=14)
    top = math.log10(view.case.problem.n)
    for y, name, colour in spread_labels(ends, 0.09 * top):
        # On a phone it stands inside the figure: chance falls to its end, and leaves room below.
        near = any(0 < y - other < 0.2 * top for other, *_ in ends)
        inside = "" if colour is not RANDOM else "above" if near else "below"
        picture.label(1, y, name, colour, size=15, xref="paper", xshift=6, align="left", name=inside)
    picture.axis("xaxis", f"{sample.tests} made", range=[1, view.case.setting.iterations])
    rank_axis(picture, sample.one, view.case.problem.n, -0.1)
    return picture
