"""The figures of the Release page's first screen, at either depth: a view in, pictures out."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.parts.release.view import COVERAGE, View
from pages.parts.views.picture import GRID, MET, NON_PRIVATE, PRIVATE, RANDOM, TEXT, UNMET, Colour, Picture, decades
from pages.parts.views.text import minus, sub, two_digits
from privbo_core.data import TuningTask
from privbo_core.errors import Array
from privbo_core.release import Selection


def candidates(view: View) -> Picture:
    """Draw the posterior over the candidates, and below it the release probability of each against a blind draw."""
    task, choice = view.task, view.plan.choice
    if choice is None:
        raise ValueError("Algorithm 3 releases no setting.")
    picture = Picture(margin={"l": 62, "r": 84, "t": 8, "b": 44})
    rows, x, name, log = along_the_axis(task)
    true = task.scores[rows]
    hover = "true score %{y:.3f}"
    picture.line(x, true, NON_PRIVATE, dash="dash", width=2, name="true score", hovertemplate=hover)
    beliefs = () if view.selects else _posterior(picture, view)
    times = choice.probabilities[rows] * task.n
    low, high = 0.01, task.n * 1.6
    picture.line(
        x,
        np.maximum(times, low / 10),
        PRIVATE,
        name="release probability × number of candidates",
        hovertemplate="%{y:.3g} times as likely as in a blind draw",
        yaxis="y2",
    )
    picture.line(x[[0, -1]], [1, 1], RANDOM, dash="dot", width=2, hoverinfo="skip", yaxis="y2")
    ends: dict[str, Any] = {"type": "log", **decades(x[0], x[-1])} if log else {}
    span = [math.log10(x[0]), math.log10(x[-1])] if log else x[[0, -1]].tolist()
    picture.axis("xaxis", f"{name} (log scale)" if log else name, range=span, anchor="y2", **ends)
    best, worst = float(true.max()), float(true.min())
    picture.axis("yaxis", "score", domain=[0.46, 1], range=[worst - 0.2 * view.spread, best + 0.35 * view.spread])
    powers = [10.0**k for k in range(-1, 5) if 10**k <= high]
    ticks = {"tickvals": powers, "ticktext": [f"{power:g}" for power in powers]}
    ends = {"type": "log", "range": [math.log10(low), math.log10(high)], **ticks}
    picture.axis("yaxis2", "× blind draw", domain=[0, 0.38], gridcolor=GRID, zeroline=False, **ends)
    beside: dict[str, Any] = {"xref": "paper", "xshift": 4}
    labels = ((0.87, "– – true", NON_PRIVATE), (0.38, "release\nprobability", PRIVATE))
    for y, text, colour in (*beliefs, *labels):
        picture.label(1, y, text, colour, yref="paper", yanchor="top", align="left", **beside)
    picture.label(1, 0, "blind draw", RANDOM, yref="y2", **beside)
    return picture


def _posterior(picture: Picture, view: View) -> tuple[tuple[float, str, Colour], ...]:
    """Draw what the search knows and where it looked; return the labels for that: height, text, colour."""
    task, search = view.task, view.search
    rows, x, *_ = along_the_axis(task)
    mean, deviation = search.mean[rows], np.sqrt(search.variance[rows])
    upper, lower = task.score(mean + 2 * deviation), task.score(mean - 2 * deviation)
    picture.between(x.tolist(), lower, upper, PRIVATE.faded(0.18))
    picture.line(x, task.score(mean), PRIVATE, name="posterior mean", hovertemplate="posterior mean %{y:.3f}")
    look: dict[str, Any] = {"size": 7, "symbol": "circle-open", "color": TEXT, "line": {"width": 1.5}}
    where, observed = placed(task)[search.rows], task.score(search.observed)
    picture.marks(where, observed, "evaluated", "evaluated: %{y:.3f}", **look)
    return (0.97, "○ evaluated", TEXT), (0.77, "posterior\n± 2 s.d.", PRIVATE)


def sensitivities(view: View, left: float) -> Picture:
    """Draw Algorithm 3's sensitivity against λ_min from ``left`` on."""
    picture = Picture(margin={"l": 62, "r": 20, "t": 8, "b": 44})
    slope, largest, high, m = (view.values[name] for name in ("L", "g", "lambda_max", "m"))
    x = np.geomspace(left, high, 80)
    between, record = slope * (1 / x - 1 / high), np.minimum(largest, slope / x) / m
    low = 10 ** (math.floor(math.log10(record.min())) - 0.3)
    top = 10 ** (math.log10((between + record).max()) + 0.4)
    hatched(picture, left, high, largest, top)
    hover = "%{y:.3g} at λ_min = %{x:.2g}"
    picture.line(x, between + record, PRIVATE, name="sensitivity", hovertemplate=hover)
    hover = "record term %{y:.3g}"
    picture.line(x, record, PRIVATE, dash="dot", width=2, name="record term", hovertemplate=hover)
    picture.level(largest, UNMET)
    now = view.plan.value.sensitivity
    covered, at = now < largest and not view.loose, view.values["lambda_min"]
    colour, symbol, line = MET if covered else UNMET, "circle" if covered else "x", {"color": TEXT, "width": 1.5}
    picture.marks([at], [now], "now", "now: %{y:.3g}", color=colour, symbol=symbol, size=14, line=line)
    begin, end = math.log10(left), math.log10(high)
    span, name = [begin - 0.15, end + 0.15], f"λ{sub('min')} (log scale)"
    picture.axis("xaxis", name, type="log", range=span, **decades(left, high))
    picture.log_axis("yaxis", "sensitivity of the score", low, top, 5)
    middle = (begin + end) / 2
    picture.label(begin, math.log10(largest), "g*: scores cannot differ by more", UNMET, xshift=6, yshift=-10)
    picture.label(middle, math.log10(record[40]), "one record’s part", PRIVATE, yshift=12, xanchor="center")
    picture.label(middle, math.log10(between[40]), "sensitivity (Theorem 7)", PRIVATE, xshift=10, yshift=8)
    return picture


def density_axes(view: View) -> tuple[float, float]:
    """Return the half width and the height of the density figure: they change on rest only, in steps."""
    half, spread, selects = view.half_width, view.spread, isinstance(view.plan, Selection)
    wanted = 1.25 * (half + (2 * view.lost if selects else 0)) / spread
    steps = math.ceil(math.log2(max(wanted, 1e-9)))
    if selects:
        near = np.linspace(view.protected - half, view.protected + half, 41)
        return spread * 2**steps, 1.25 * float(_height(view, near).max())
    return spread * 2 ** max(0, steps), 1.25 / (2 * view.scale)


def density(view: View, axes: tuple[float, float]) -> Picture:
    """Draw the density of the published score, its interval, the protected and the true best score."""
    picture = Picture(margin={"l": 40, "r": 16, "t": 8, "b": 44})
    scores, centre, half, (reach, top) = view.task.scores, view.protected, view.half_width, axes
    best, worst = float(scores.max()), float(scores.min())
    left, right = centre - 1.15 * reach, centre + 1.15 * reach
    hatched(picture, left, worst, 0, top)
    hatched(picture, best, right, 0, top)
    # A point at the peak and more points near it, since the curve has a corner there.
    away = np.geomspace(1e-4 * reach, 1.2 * reach, 90)
    steps = np.concatenate([-away[::-1], [0.0], away])
    inside = centre + np.concatenate([[-half], steps[np.abs(steps) < half], [half]])
    around = np.concatenate([[0.0], _height(view, inside), [0.0]])
    picture.area(np.concatenate([inside[:1], inside, inside[-1:]]), around, PRIVATE.faded(0.22))
    x, name = centre + steps, "density of the published score"
    picture.line(x, _height(view, x), PRIVATE, name=name, hovertemplate="%{x:.3f}")
    picture.upright(best, NON_PRIVATE)
    picture.upright(centre, PRIVATE, dash="dash")
    name, hover = f"{100 * COVERAGE:.0f} % interval", "95 % interval, ends at %{x:.3f}"
    picture.line([centre - half, centre + half], [0.03 * top] * 2, PRIVATE, width=5, name=name, hovertemplate=hover)
    rightwards, leftwards = {"xanchor": "left", "xshift": 5}, {"xanchor": "right", "xshift": -5}
    beside_best, beside_centre = (rightwards, leftwards) if best >= centre else (leftwards, rightwards)
    at_top = {"yref": "paper", "yanchor": "top"}
    picture.label(best, 1, minus(f"true best {best:.3f}"), NON_PRIVATE, **at_top, **beside_best)
    picture.label(centre, 1, minus(f"before noise {centre:.3f}"), PRIVATE, **at_top, **beside_centre)
    picture.label(centre + 0.75 * half, 0.14 * top, f"95 %: ± {two_digits(half)}", PRIVATE, yanchor="bottom")
    halfway = {"xref": "paper", "yref": "paper"}
    if worst - left > 0.3 * (right - left):
        picture.label(0.02, 0.5, "no candidate\nscores this low", UNMET, align="left", **halfway)
    if right - best > 0.3 * (right - left):
        picture.label(0.98, 0.5, "no candidate\nscores this high", UNMET, xanchor="right", align="right", **halfway)
    picture.axis("xaxis", "published validation score", range=[left, right])
    picture.axis("yaxis", "probability density", range=[0, top], showticklabels=False)
    picture.layout["yaxis"]["title"]["standoff"] = 4
    return picture


def _height(view: View, x: Array) -> Array:
    """Return the density of the published score at each x."""
    noise, plan = view.plan.value, view.plan
    if isinstance(plan, Selection):  # the score of the setting that is drawn: a mixture
        return np.asarray(noise.density(np.subtract.outer(x, plan.scores)) @ plan.choice.probabilities)
    return noise.density((x - view.protected) / view.unit) / view.unit


def hatched(picture: Picture, start: float, end: float, low: float, high: float) -> None:
    """Mark a rectangle in which something says nothing."""
    if start < end:
        pattern = {"shape": "/", "fgcolor": UNMET.faded(0.45), "size": 9, "solidity": 0.12}
        x, y = [start, end, end, start], [low, low, high, high]
        picture.area(x, y, UNMET.faded(0.10), fillpattern=pattern)


def along_the_axis(task: TuningTask) -> tuple[NDArray[np.int64], Array, str, bool]:
    """Return the order to draw candidates in, the place of each on the axis, the axis' name, and whether it is log."""
    if len(task.names) == 1:
        rows = np.argsort(task.parameters[:, 0]).astype(np.int64)
        return rows, task.parameters[rows, 0], task.names[0], task.logarithmic[0]
    rows = np.argsort(-task.scores, kind="stable").astype(np.int64)
    return rows, np.arange(1.0, task.n + 1), "candidates, best score first", False


def placed(task: TuningTask) -> Array:
    """Return the place of each candidate on that axis."""
    order, x, *_ = along_the_axis(task)
    places = np.empty(task.n)
    places[order] = x
    return places


def chances(view: View) -> Picture:
    """Draw how likely the published setting is to be in each group, on a scale that stays."""
    picture = Picture(height=330, margin={"l": 64, "r": 16, "t": 8, "b": 50}, bargap=0.12)
    shown, sample = view.groups, view.sample
    places = list(range(1, len(shown) + 1))
    heights = [100 * group.chance for group in shown]
    hover = "%{y:.1f} %: one of %{customdata[0]} settings, about %{customdata[1]}"
    about = {"customdata": [[f"{each.size:,}", sample.score(each.score)] for each in shown], "hovertemplate": hover}
    picture.add("bar", x=places, y=heights, name="chance to be published", marker={"color": PRIVATE}, **about)
    blind, theirs = 100 / len(shown), [100 * group.published for group in shown]
    picture.level(blind, RANDOM, dash="dot")
    picture.add(
        "scatter",
        x=places,
        y=theirs,
        mode="lines+markers",
        name="DP-BO as published",
        line={"color": TEXT, "width": 1.5, "dash": "dash"},
        marker={"symbol": "diamond-open", "size": 8, "color": TEXT, "line": {"width": 1.5}},
        hovertemplate="DP-BO as published: %{y:.1f} %",
    )
    top = max([*theirs[len(theirs) // 2 :], blind])
    named = "◇ DP-BO as published" + (", nearly as blind" if view.nearly_blind else "")
    at_right: dict[str, Any] = {"xref": "paper", "xanchor": "right", "size": 14}
    picture.label(0.99, blind, f"⋯ drawn blindly: {blind:.0f} % a bar", RANDOM, yshift=20, **at_right)
    picture.label(0.99, top, named, TEXT, yshift=40, **at_right)
    first = shown[0]
    best = f"{f'among the best {first.size:,}' if first.size > 1 else 'the best one'}: {heights[0]:.0f} %"
    # Above its bar; beside it, wherever that ends, if there is no room above.
    above = heights[0] < 85
    placing = {"yanchor": "bottom", "xshift": -8} if above else {"yanchor": "top", "xshift": 2}
    picture.label(1 if above else 1.5, min(heights[0], 92), best, PRIVATE, size=15, **placing)
    many = str(first.size) if first.size == shown[-1].size else f"{shown[-1].size} or {first.size}"
    whose = "chance to be published" if first.size == 1 else f"chance of each {many} settings"
    at = sorted({0, *np.linspace(0, len(shown) - 1, 5).round().astype(int).tolist()})
    ticks = {"tickvals": [places[i] for i in at], "ticktext": [sample.score(shown[i].score) for i in at]}
    name = f"settings, best first: {sample.measure}"
    picture.axis("xaxis", name, range=[0.4, len(shown) + 0.6], showgrid=False, **ticks)
    picture.axis("yaxis", f"{whose}, in %", range=[0, 102], tickvals=[0, 25, 50, 75, 100])
    return picture
