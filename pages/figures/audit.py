"""The figures of the Audit page."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.ui.figure import (
    NON_PRIVATE,
    PRIVATE,
    PROVEN,
    RANDOM,
    REFUTED,
    Figure,
    Stroke,
    faded,
)
from pages.ui.numbers import power_of_ten
from privbo_core.audit import LowerBound, Progress
from privbo_core.errors import Array
from privbo_core.privacy import TradeOff

HEIGHT = 272
BINS = 48
MAX_CROSSES = 60
LEFT, RIGHT = (0.0, 0.45), (0.6, 1.0)
"""The halves of a figure with two plots, in shares of its width."""
SHOWN = Stroke(NON_PRIVATE)
ALARMS = np.unique(np.concatenate([np.geomspace(1e-6, 0.1, 60), np.linspace(0.0, 1.0, 101)]))

Levels = Mapping[str, float]
"""Values of ε to compare a bound with, by name. The first is the claim."""


@dataclass(frozen=True)
class Seen:
    """The attacker's statistic: the names of the two datasets, the title of its axis, and the method's colour.

    ``powers`` marks exponents of ten, and ``broken`` a claim that is known not to hold.
    """

    names: tuple[str, str]
    axis: str
    colour: str = PRIVATE
    powers: bool = False
    broken: bool = False


@dataclass(frozen=True, eq=False)
class Records:
    """Original records and those that an attacker recovered, n×2, with the titles of the axes.

    ``known`` are the rows that the attacker knew. ``shown`` are some of the others.
    """

    original: Array
    recovered: Array
    known: NDArray[np.int64]
    shown: NDArray[np.int64]
    names: tuple[str, str]


def limits(progress: Progress, *, powers: bool) -> tuple[float, float]:
    """Return the ends of the axis for the attacker's numbers, without rare ones far out."""
    low, high = np.quantile(np.concatenate([progress.here, progress.there]), [0.001, 0.999])
    room = 0.04 * max(float(high - low), 1e-9) + (0.5 if powers else 0.0)
    return float(low) - room, float(high) + room


def top_of(progress: Progress, levels: Levels) -> float:
    """Return the top of the axis for ε. A claim that these trials can't come near leaves the figure."""
    near = [level for level in levels.values() if level <= 8 * max(progress.epsilon, 1.0)]
    return 1.2 * max([progress.epsilon, *near]) or 1.0


def trials(progress: Progress, seen: Seen, ends: tuple[float, float], levels: Levels, top: float) -> Figure:
    """Draw histograms of the attacker's numbers under both datasets, and on the right the bound on ε."""
    figure = Figure(HEIGHT, left=44, right=96)
    _histograms(figure, progress, seen, ends)
    _bound(figure, progress, levels, top, seen.broken)
    return figure


def records(progress: Progress, found: Records, levels: Levels, top: float) -> Figure:
    """Draw original records as rings and recovered ones as crosses, and on the right the bound on ε."""
    figure = Figure(HEIGHT, left=52, right=96)
    rows = found.shown[:MAX_CROSSES]
    drawn = np.concatenate([rows, found.known])
    span = np.ptp(found.original[drawn], axis=0)
    low, high = found.original[drawn].min(axis=0) - 0.1 * span - 1e-9, found.original[drawn].max(axis=0) + 0.1 * span
    figure.axis("x", found.names[0], (float(low[0]), float(high[0])), domain=LEFT, nticks=6)
    figure.axis("y", found.names[1], (float(low[1]), float(high[1])))
    ring: dict[str, Any] = {"size": 11, "symbol": "circle-open"}
    cross: dict[str, Any] = {"size": 8, "symbol": "x-thin", "line": {"color": REFUTED, "width": 2}}
    x, y = found.original[rows].T
    figure.points(x, y, NON_PRIVATE, "original", "original: %{x:.5g}, %{y:.5g}", **ring)
    x, y = np.clip(found.recovered[rows], low, high).T
    figure.points(x, y, REFUTED, "recovered", "recovered: %{x:.5g}, %{y:.5g}", **cross)
    x, y = found.original[found.known].T
    figure.points(x, y, PRIVATE, "known to the attacker", "known", size=11, symbol="square")
    _bound(figure, progress, levels, top, broken=True)
    return figure


def _histograms(figure: Figure, progress: Progress, seen: Seen, ends: tuple[float, float]) -> None:
    edges = np.linspace(*ends, BINS + 1)
    centres, width = (edges[1:] + edges[:-1]) / 2, float(edges[1] - edges[0])
    tallest = 0.0
    for values, name, colour in zip(
        (progress.here, progress.there), seen.names, (seen.colour, NON_PRIVATE), strict=True
    ):
        counts, _ = np.histogram(np.clip(values, *ends), edges)
        share = 100.0 * counts / len(values)
        tallest = max(tallest, float(share.max()))
        figure.bars(centres, share, faded(colour, 0.45), name, f"{name}: %{{y:.1f}}% near %{{x:.3g}}", width=width)
    figure.layout["barmode"] = "overlay"
    ticks = _power_ticks(ends) if seen.powers else {"nticks": 4}
    figure.axis("x", seen.axis, ends, domain=LEFT, **ticks)
    figure.axis("y", "% of trials", (0, 1.32 * tallest), nticks=4)
    if ends[0] < progress.least.threshold < ends[1]:
        figure.upright(progress.least.threshold, Stroke(NON_PRIVATE, "dash", 1.5))
    first = 0 if np.median(progress.here) <= np.median(progress.there) else 1
    for place, which in ((ends[0], first), (ends[1], 1 - first)):
        side: dict[str, Any] = (
            {"xanchor": "left", "xshift": 2} if place == ends[0] else {"xanchor": "right", "xshift": -2}
        )
        colour = (seen.colour, NON_PRIVATE)[which]
        # On a phone, such names become a row above the figure.
        figure.label(place, 1.3 * tallest, seen.names[which], colour, yanchor="top", name="end", **side)
        figure.legend.append((seen.names[which], Stroke(colour)))


def _power_ticks(ends: tuple[float, float]) -> dict[str, Any]:
    """Return ticks for an axis of exponents of ten. None is at the left end, where the other axis has its zero."""
    low, high = math.ceil(ends[0] + 0.1 * (ends[1] - ends[0])), math.floor(ends[1])
    if high <= low:
        places = np.linspace(*ends, 4)[1:-1].tolist()
        return {"tickvals": places, "ticktext": [power_of_ten(float(f"{10**place:.2g}")) for place in places]}
    exponents = range(low, high + 1, max(1, math.ceil((high - low) / 3)))
    return {"tickvals": list(exponents), "ticktext": [power_of_ten(10.0**each) for each in exponents]}


def _bound(figure: Figure, progress: Progress, levels: Levels, top: float, broken: bool) -> None:
    """Draw the largest bound after each look on the right, with the claim, which may be known to be ``broken``."""
    total, reached = [list(each) for each in zip(*progress.bounds, strict=True)]
    bounds = (total[0] / 1.5, total[-1] * 1.5)
    inside = [tick for tick in (10, 100, 1000, 10_000, 100_000) if bounds[0] <= tick <= bounds[1]]
    figure.log_axis("x2", "trials on each dataset", bounds, inside, domain=RIGHT, anchor="y2")
    figure.axis("y2", "ε", (0, top), anchor="x2", nticks=5)
    claim, ends = next(iter(levels)), [(reached[-1], "shown", SHOWN)]
    for name, value in levels.items():
        if value <= top:
            stroke = Stroke(RANDOM, "dot", 2)
            if name == claim:
                stroke = Stroke(REFUTED if broken or progress.refutes(value) else PROVEN, "dash", 2)
            figure.line(bounds, [value, value], stroke, name, f"{name}: ε = %{{y:.3g}}", axes=2)
            ends.append((value, name, stroke))
    hover = "at least %{y:.2f} after %{x:,} trials"
    figure.line(*_steps(total, reached), SHOWN, "shown", axes=2)
    figure.points(total, reached, NON_PRIVATE, "looks", hover, axes=2, size=5)
    figure.end_labels(ends, axes=2)
    if levels[claim] > top:
        text = f"The claim, {power_of_ten(float(f'{levels[claim]:.3g}'))}, is far above"
        figure.label(bounds[1], top, text, RANDOM, axes=2, xanchor="right", yanchor="top")


def _steps(x: Sequence[float], y: Sequence[float]) -> tuple[list[float], list[float]]:
    """Return a curve that keeps each value until the next one."""
    return np.repeat(x, 2)[1:].tolist(), np.repeat(y, 2)[:-1].tolist()


def errors(curve: TradeOff, progress: Progress, found: LowerBound, broken: bool) -> Figure:
    """Draw the claim as a curve that no test may lie below, and the attack with the limits of its error rates.

    The claim may be known to be ``broken``, whatever these trials show.
    """
    figure = Figure(300, left=52, right=16)
    figure.axis("x", "false alarms: the attacker answers “the neighbour”, and is wrong", (-0.01, 1.01))
    figure.axis("y", "misses", (-0.01, 1.01))
    misses = np.asarray(curve(ALARMS))
    figure.band(ALARMS, np.zeros(len(ALARMS)), misses, faded(REFUTED, 0.08))
    figure.line([0, 1], [1, 0], Stroke(RANDOM, "dot", 1.5), "guessing")
    figure.line(
        ALARMS, misses, Stroke(PRIVATE), "the claim", "with %{x:.3f} false alarms the claim allows %{y:.3f} misses"
    )
    left, right, low, high = found.limits
    fails = broken or high < float(curve([right])[0])
    colour, symbol = (REFUTED, "x") if fails else (PROVEN, "circle")
    figure.line([left, right, right, left, left], [low, low, high, high, low], Stroke(colour, "solid", 1.5), "limits")
    figure.points(
        [found.observed_alarms],
        [found.observed_misses],
        colour,
        "the attack",
        "this attack: %{x:.3f} false alarms, %{y:.3f} misses",
        size=10,
        symbol=symbol,
    )
    least = progress.least
    figure.points(
        [least.alarms],
        [least.misses],
        NON_PRIVATE,
        "fewest errors",
        "the test with the fewest errors: %{x:.3f} false alarms, %{y:.3f} misses",
        size=9,
        symbol="diamond-open",
    )
    figure.label(0.99, 0.97, "tinted: no test can be here if the claim holds", REFUTED, xanchor="right", yanchor="top")
    figure.label(0.62, 0.4, "guessing", RANDOM, yanchor="bottom")
    return figure


@dataclass(frozen=True, eq=False)
class SelfTest:
    """An audit of noise with a known ``truth``, the true ε."""

    name: str
    progress: Progress
    truth: float


def self_tests(tests: Sequence[SelfTest], claim: float) -> Figure:
    """Draw the bounds from audits of known noise, with the true ε of each and the claim."""
    figure = Figure(260, left=52, right=132)
    bounds = (tests[0].progress.bounds[0][0] / 1.5, max(test.progress.trials for test in tests) * 1.5)
    ticks = [tick for tick in (1000, 10_000, 100_000) if bounds[0] <= tick <= bounds[1]]
    figure.log_axis("x", "trials on each dataset", bounds, ticks)
    truths = {f"true: {test.name}": test.truth for test in tests if not math.isclose(test.truth, claim)}
    figure.axis("y", "ε", (0, 1.2 * max(claim, *truths.values(), *(test.progress.epsilon for test in tests))))
    claim_stroke = Stroke(PRIVATE, "dash", 2)
    figure.line(bounds, [claim, claim], claim_stroke, "claim", "claim: ε = %{y:.3g}")
    ends = [(claim, "claim", claim_stroke)]
    for name, truth in truths.items():
        stroke = Stroke(RANDOM, "dot", 2)
        figure.line(bounds, [truth, truth], stroke, name, "true ε = %{y:.3g}")
        ends.append((truth, name, stroke))
    for test in tests:
        total, reached = [list(each) for each in zip(*test.progress.bounds, strict=True)]
        stroke = Stroke(REFUTED if test.progress.refutes(claim) else PROVEN)
        figure.line(*_steps(total, reached), stroke, test.name)
        hover = f"{test.name}: at least %{{y:.2f}} after %{{x:,}} trials"
        figure.points(total, reached, stroke.colour, f"{test.name}, looks", hover, size=5)
        ends.append((reached[-1], test.name, stroke))
    figure.end_labels(ends)
    return figure
