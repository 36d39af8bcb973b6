"""The two figures of the Release page's first screen: values in, pictures out."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.parts.release.setup import COVERAGE, Setup, Values
from pages.parts.values.axes import decades
from pages.parts.values.numbers import two_digits
from pages.parts.values.palette import GRID, MET, NON_PRIVATE, PRIVATE, RANDOM, TEXT, UNMET, Colour
from pages.parts.values.picture import Picture
from pages.parts.values.text import minus, sub
from privbo_core.data import TuningTask
from privbo_core.errors import Array
from privbo_core.release import Selection


def candidates(setup: Setup) -> Picture:
    """Draw the posterior over the candidates, and below it the release probability of each against a blind draw."""
    task, choice = setup.task, setup.plan.choice
    if choice is None:
        raise ValueError("Algorithm 3 releases no setting.")
    picture = Picture(margin={"l": 62, "r": 84, "t": 8, "b": 44})
    rows, x, name, log = along_the_axis(task)
    true = task.scores[rows]
    picture.line(
        x, true, NON_PRIVATE, dash="dash", width=2, name="true score",
        hovertemplate="true score %{y:.3f}",
    )  # fmt: skip
    beliefs = () if setup.selects else _posterior(picture, setup)
    times = choice.probabilities[rows] * task.n
    low, high = 0.01, task.n * 1.6
    picture.line(
        x, np.maximum(times, low / 10), PRIVATE, name="release probability × number of candidates",
        hovertemplate="%{y:.3g} times as likely as in a blind draw", yaxis="y2",
    )  # fmt: skip
    picture.line(x[[0, -1]], [1, 1], RANDOM, dash="dot", width=2, hoverinfo="skip", yaxis="y2")
    ends: dict[str, Any] = {"type": "log", **decades(x[0], x[-1])} if log else {}
    places = x.tolist()
    span = [math.log10(places[0]), math.log10(places[-1])] if log else [places[0], places[-1]]
    picture.axis("xaxis", f"{name} (log scale)" if log else name, range=span, anchor="y2", **ends)
    best, worst = float(true.max()), float(true.min())
    picture.axis("yaxis", "score", domain=[0.46, 1], range=[worst - 0.2 * setup.spread, best + 0.35 * setup.spread])
    powers = [10.0**k for k in range(-1, 5) if 10**k <= high]
    picture.axis(
        "yaxis2", "× blind draw", domain=[0, 0.38], type="log", range=[math.log10(low), math.log10(high)],
        tickvals=powers, ticktext=[f"{power:g}" for power in powers], gridcolor=GRID, zeroline=False,
    )  # fmt: skip
    beside: dict[str, Any] = {"xref": "paper", "xshift": 4}
    labels = ((0.87, "– – true", NON_PRIVATE), (0.38, "release\nprobability", PRIVATE))
    for y, text, colour in (*beliefs, *labels):
        picture.label(1, y, text, colour, yref="paper", yanchor="top", align="left", **beside)
    picture.label(1, 0, "blind draw", RANDOM, yref="y2", **beside)
    return picture


def _posterior(picture: Picture, setup: Setup) -> tuple[tuple[float, str, Colour], ...]:
    """Draw what the search knows and where it looked; return the labels for that: height, text, colour."""
    task, search = setup.task, setup.search
    rows, x, *_ = along_the_axis(task)
    mean, deviation = search.mean[rows], np.sqrt(search.variance[rows])
    upper, lower = task.score(mean + 2 * deviation), task.score(mean - 2 * deviation)
    places = x.tolist()
    picture.add(
        "scatter",
        x=[*places, *reversed(places)],
        y=np.concatenate([upper, lower[::-1]]),
        fill="toself",
        fillcolor=PRIVATE.faded(0.18),
        line={"width": 0},
        hoverinfo="skip",
        mode="lines",
    )
    picture.line(
        x, task.score(mean), PRIVATE, name="posterior mean",
        hovertemplate="posterior mean %{y:.3f}",
    )  # fmt: skip
    place = np.empty(task.n)
    place[rows] = x
    picture.add(
        "scatter",
        x=place[search.rows],
        y=task.score(search.observed),
        mode="markers",
        marker={"size": 7, "symbol": "circle-open", "color": TEXT, "line": {"width": 1.5}},
        name="evaluated",
        hovertemplate="evaluated: %{y:.3f}",
    )
    return (0.97, "○ evaluated", TEXT), (0.77, "posterior\n± 2 s.d.", PRIVATE)


def sensitivities(setup: Setup, values: Values, left: float) -> Picture:
    """Draw Algorithm 3's sensitivity against λ_min from ``left`` on, with the region where it exceeds any possible difference, g*."""
    picture = Picture(margin={"l": 62, "r": 20, "t": 8, "b": 44})
    slope, largest, high, m = values["L"], values["g"], values["lambda_max"], values["m"]
    x = np.geomspace(left, high, 80)
    between, record = slope * (1 / x - 1 / high), np.minimum(largest, slope / x) / m
    low = 10 ** (math.floor(math.log10(record.min())) - 0.3)
    top = 10 ** (math.log10((between + record).max()) + 0.4)
    hatched(picture, left, high, largest, top)
    picture.line(
        x, between + record, PRIVATE, name="sensitivity", hovertemplate="%{y:.3g} at λ_min = %{x:.2g}",
    )  # fmt: skip
    picture.line(
        x, record, PRIVATE, dash="dot", width=2, name="record term", hovertemplate="record term %{y:.3g}",
    )  # fmt: skip
    picture.level(largest, UNMET)
    now = setup.plan.value.sensitivity
    covered = now < largest and not setup.loose
    picture.add(
        "scatter",
        x=[values["lambda_min"]],
        y=[now],
        mode="markers",
        marker={
            "color": MET if covered else UNMET,
            "size": 14,
            "symbol": "circle" if covered else "x",
            "line": {"color": TEXT, "width": 1.5},
        },
        name="now",
        hovertemplate="now: %{y:.3g}",
    )
    picture.axis(
        "xaxis",
        f"λ{sub('min')} (log scale)",
        type="log",
        range=[math.log10(left) - 0.15, math.log10(high) + 0.15],
        **decades(left, high),
    )
    picture.axis(
        "yaxis",
        "sensitivity of the score",
        type="log",
        range=[math.log10(low), math.log10(top)],
        **decades(low, top, 5),
    )
    middle = (math.log10(left) + math.log10(high)) / 2
    picture.label(
        math.log10(left), math.log10(largest), "g*: scores cannot differ by more", UNMET, xshift=6, yshift=-10
    )
    picture.label(middle, math.log10(record[40]), "one record’s part", PRIVATE, yshift=12, xanchor="center")
    picture.label(middle, math.log10(between[40]), "sensitivity (Theorem 7)", PRIVATE, xshift=10, yshift=8)
    return picture


def density_axes(setup: Setup) -> tuple[float, float]:
    """Return the half width and the height of the density figure: they change on rest only, in steps."""
    if isinstance(setup.plan, Selection):
        wanted = 1.25 * (setup.half_width + 2 * (setup.loss_of_choice() or 0.0)) / setup.spread
        near = np.linspace(setup.protected - setup.half_width, setup.protected + setup.half_width, 41)
        return setup.spread * 2 ** math.ceil(math.log2(max(wanted, 1e-9))), 1.25 * float(_height(setup, near).max())
    wanted = 1.25 * setup.half_width / setup.spread
    return setup.spread * 2 ** max(0.0, math.ceil(math.log2(max(wanted, 1e-9)))), 1.25 / (2 * setup.scale)


def density(setup: Setup, axes: tuple[float, float]) -> Picture:
    """Draw the density of the published score, its interval, the protected and the true best score."""
    picture = Picture(margin={"l": 40, "r": 16, "t": 8, "b": 44})
    scores, centre, half, (reach, top) = setup.task.scores, setup.protected, setup.half_width, axes
    best, worst = float(scores.max()), float(scores.min())
    left, right = centre - 1.15 * reach, centre + 1.15 * reach
    hatched(picture, left, worst, 0, top)
    hatched(picture, best, right, 0, top)
    # A point at the peak and more points near it, since the curve has a corner there.
    steps = np.concatenate(
        [-np.geomspace(1.2 * reach, 1e-4 * reach, 90), [0.0], np.geomspace(1e-4 * reach, 1.2 * reach, 90)]
    )
    inside = np.concatenate([[-half], steps[np.abs(steps) < half], [half]])
    picture.add(
        "scatter",
        x=np.concatenate([[centre - half], centre + inside, [centre + half]]),
        y=np.concatenate([[0.0], _height(setup, centre + inside), [0.0]]),
        fill="toself",
        fillcolor=PRIVATE.faded(0.22),
        line={"width": 0},
        mode="lines",
        hoverinfo="skip",
    )
    picture.line(
        centre + steps, _height(setup, centre + steps), PRIVATE, name="density of the published score",
        hovertemplate="%{x:.3f}",
    )  # fmt: skip
    picture.upright(best, NON_PRIVATE)
    picture.upright(centre, PRIVATE, dash="dash")
    picture.line(
        [centre - half, centre + half], [0.03 * top] * 2, PRIVATE, width=5, name=f"{100 * COVERAGE:.0f} % interval",
        hovertemplate="95 % interval, ends at %{x:.3f}",
    )  # fmt: skip
    rightwards, leftwards = {"xanchor": "left", "xshift": 5}, {"xanchor": "right", "xshift": -5}
    beside_best, beside_centre = (rightwards, leftwards) if best >= centre else (leftwards, rightwards)
    at_top = {"yref": "paper", "yanchor": "top"}
    picture.label(best, 1, minus(f"true best {best:.2f}"), NON_PRIVATE, **at_top, **beside_best)
    picture.label(centre, 1, minus(f"before noise {centre:.2f}"), PRIVATE, **at_top, **beside_centre)
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


def _height(setup: Setup, x: Array) -> Array:
    """Return the density of the published score at each x."""
    noise, plan = setup.plan.value, setup.plan
    if isinstance(plan, Selection):  # the score of the setting that is drawn: a mixture
        return np.asarray(noise.density(np.subtract.outer(x, plan.scores)) @ plan.choice.probabilities)
    return noise.density((x - setup.protected) / setup.unit) / setup.unit


def hatched(picture: Picture, start: float, end: float, low: float, high: float, **axes: str) -> None:
    """Mark a rectangle in which something says nothing."""
    if end > start:
        picture.add(
            "scatter",
            x=[start, end, end, start],
            y=[low, low, high, high],
            fill="toself",
            fillcolor=UNMET.faded(0.10),
            fillpattern={"shape": "/", "fgcolor": UNMET.faded(0.45), "size": 9, "solidity": 0.12},
            line={"width": 0},
            mode="lines",
            hoverinfo="skip",
            **axes,
        )


def along_the_axis(task: TuningTask) -> tuple[NDArray[np.int64], Array, str, bool]:
    """Return the order to draw candidates in, the place of each on the axis, the axis' name, and whether it is log."""
    if len(task.names) == 1:
        rows = np.argsort(task.parameters[:, 0]).astype(np.int64)
        return rows, task.parameters[rows, 0], task.names[0], task.logarithmic[0]
    rows = np.argsort(-task.scores, kind="stable").astype(np.int64)
    return rows, np.arange(1.0, task.n + 1), "candidates, best score first", False
