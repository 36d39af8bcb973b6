"""What the Outsourced page draws first: the condition or the noise, and what the searches find at either depth."""

import math
from collections.abc import Mapping

import numpy as np

from pages.parts.outsourced.setup import one_sigma
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
from pages.parts.views.text import sub
from privbo_core.errors import Array
from privbo_core.outsourced import Mechanism, Policy

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
TICKS = (0.5, 1, 2, 5, 10, 20, 50, 100)


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
