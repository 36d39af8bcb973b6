"""The figures of the Release page: values in, pictures out."""

import math
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.parts.release.setup import COVERAGE, Setup, amount
from pages.parts.show.look import Palette, faded
from pages.parts.values.picture import Picture
from privbo_core.data import TuningTask
from privbo_core.errors import Array
from privbo_core.release import Bound

TICKS = (0.001, 0.01, 0.1, 1, 10, 100, 1000)
EPSILONS = np.geomspace(0.1, 1000, 41)
SCORE = "validation score"
SELECTION = "dashdot"  # private selection's own line style, in the colour of everything private


def pretty(formula: str) -> str:
    """Return a formula in the engine's letters as HTML: β_{T+1} with a subscript, e^{−2τ} with an exponent."""
    while (risen := re.sub(r"\^\{([^{}]*)\}", r"<sup>\1</sup>", formula)) != formula:
        formula = risen
    return re.sub(r"_\{([^{}]*)\}|_(max|min|BO|[A-Zt])", lambda found: f"<sub>{found[1] or found[2]}</sub>", formula)


def decades(low: float, high: float, most: int = 8) -> dict[str, Any]:
    """Return tick marks at powers of ten from ``low`` to ``high``, ``most`` of them at most, written as people write them."""
    powers = range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)
    kept = [k for k in powers if k % math.ceil(len(powers) / most or 1) == 0]
    text = [f"{10.0**k:g}" if -3 <= k <= 3 else f"10<sup>{str(k).replace('-', '−')}</sup>" for k in kept]
    return {"tickvals": [10.0**k for k in kept], "ticktext": text}


def hatched(picture: Picture, start: float, end: float, low: float, high: float, colours: Palette, **axes: str) -> None:
    """Mark a rectangle in which something says nothing."""
    if end > start:
        picture.add(
            "scatter",
            x=[start, end, end, start],
            y=[low, low, high, high],
            fill="toself",
            fillcolor=faded(colours.unmet, 0.10),
            fillpattern={"shape": "/", "fgcolor": faded(colours.unmet, 0.45), "size": 9, "solidity": 0.12},
            line={"width": 0},
            mode="lines",
            hoverinfo="skip",
            **axes,
        )


def order(task: TuningTask) -> tuple[NDArray[np.int64], Array, str, bool]:
    """Return the order to draw candidates in, the place of each on the axis, the axis' name, and whether it is log."""
    if len(task.names) == 1:
        rows = np.argsort(task.parameters[:, 0]).astype(np.int64)
        return rows, task.parameters[rows, 0], task.names[0], task.logarithmic[0]
    rows = np.argsort(-task.scores, kind="stable").astype(np.int64)
    return rows, np.arange(1.0, task.n + 1), "candidates, best score first", False


def candidates(setup: Setup, colours: Palette) -> Picture:
    """Draw the posterior over the candidates, and below it the release probability of each against a blind draw."""
    task, search, choice = setup.task, setup.search, setup.plan.choice
    if choice is None:
        raise ValueError("Algorithm 3 releases no setting.")
    picture = Picture(colours, margin={"l": 62, "r": 84, "t": 8, "b": 44})
    rows, x, name, log = order(task)
    mean, deviation = search.mean[rows], np.sqrt(search.variance[rows])
    upper, lower = task.score(mean + 2 * deviation), task.score(mean - 2 * deviation)
    places, true = x.tolist(), task.scores[rows]
    picture.add(
        "scatter",
        x=[*places, *reversed(places)],
        y=np.concatenate([upper, lower[::-1]]),
        fill="toself",
        fillcolor=faded(colours.private, 0.18),
        line={"width": 0},
        hoverinfo="skip",
        mode="lines",
    )
    picture.line(
        x, true, colours.plain, dash="dash", width=2, name="true score",
        hovertemplate="true score %{y:.3f}<extra></extra>",
    )  # fmt: skip
    picture.line(
        x, task.score(mean), colours.private, name="posterior mean",
        hovertemplate="posterior mean %{y:.3f}<extra></extra>",
    )  # fmt: skip
    place = np.empty(task.n)
    place[rows] = x
    picture.add(
        "scatter",
        x=place[search.rows],
        y=task.score(search.observed),
        mode="markers",
        marker={"size": 7, "symbol": "circle-open", "color": colours.text, "line": {"width": 1.5}},
        name="evaluated",
        hovertemplate="evaluated: %{y:.3f}<extra></extra>",
    )
    times = choice.probabilities[rows] * task.n
    low, high = 0.01, task.n * 1.6
    picture.line(
        x, np.maximum(times, low / 10), colours.private, name="release probability × number of candidates",
        hovertemplate="%{y:.3g} times as likely as in a blind draw<extra></extra>", yaxis="y2",
    )  # fmt: skip
    picture.line(x[[0, -1]], [1, 1], colours.random, dash="dot", width=2, hoverinfo="skip", yaxis="y2")
    ends: dict[str, Any] = {"type": "log", **decades(places[0], places[-1])} if log else {}
    span = [math.log10(places[0]), math.log10(places[-1])] if log else [places[0], places[-1]]
    picture.axis("xaxis", f"{name} (log scale)" if log else name, range=span, anchor="y2", **ends)
    best, worst = float(true.max()), float(true.min())
    picture.axis("yaxis", "score", domain=[0.46, 1], range=[worst - 0.2 * setup.spread, best + 0.35 * setup.spread])
    powers = [10.0**k for k in range(-1, 5) if 10**k <= high]
    picture.axis(
        "yaxis2", "× blind draw", domain=[0, 0.38], type="log", range=[math.log10(low), math.log10(high)],
        tickvals=powers, ticktext=[f"{power:g}" for power in powers], gridcolor=colours.grid, zeroline=False,
    )  # fmt: skip
    picture.label(1, 0.97, "○ evaluated", colours.text, xref="paper", yref="paper", xshift=4, yanchor="top")
    picture.label(1, 0.87, "– – true", colours.plain, xref="paper", yref="paper", xshift=4, yanchor="top")
    picture.label(
        1,
        0.77,
        "posterior<br>± 2 s.d.",
        colours.private,
        xref="paper",
        yref="paper",
        xshift=4,
        yanchor="top",
        align="left",
    )
    picture.label(1, 0, "blind draw", colours.random, xref="paper", yref="y2", xshift=4)
    picture.label(
        1,
        0.38,
        "release<br>probability",
        colours.private,
        xref="paper",
        yref="paper",
        xshift=4,
        yanchor="top",
        align="left",
    )
    return picture


def sensitivities(setup: Setup, values: dict[str, float], left: float, colours: Palette) -> Picture:
    """Draw Algorithm 3's sensitivity against λ_min from ``left`` on, with the region where it exceeds any possible difference, g*."""
    picture = Picture(colours, margin={"l": 62, "r": 20, "t": 8, "b": 44})
    slope, largest, high, m = values["L"], values["g"], values["lambda_max"], values["m"]
    x = np.geomspace(left, high, 80)
    between, record = slope * (1 / x - 1 / high), np.minimum(largest, slope / x) / m
    low = 10 ** (math.floor(math.log10(record.min())) - 0.3)
    top = 10 ** (math.log10((between + record).max()) + 0.4)
    hatched(picture, left, high, largest, top, colours)
    picture.line(
        x,
        between + record,
        colours.private,
        name="sensitivity",
        hovertemplate="%{y:.3g} at λ_min = %{x:.2g}<extra></extra>",
    )
    picture.line(
        x,
        record,
        colours.private,
        dash="dot",
        width=2,
        name="record term",
        hovertemplate="record term %{y:.3g}<extra></extra>",
    )
    picture.level(largest, colours.unmet)
    now = setup.plan.value.sensitivity
    covered = now < largest
    picture.add(
        "scatter",
        x=[values["lambda_min"]],
        y=[now],
        mode="markers",
        marker={
            "color": colours.met if covered else colours.unmet,
            "size": 14,
            "symbol": "circle" if covered else "x",
            "line": {"color": colours.text, "width": 1.5},
        },
        name="now",
        hovertemplate="now: %{y:.3g}<extra></extra>",
    )
    picture.axis(
        "xaxis",
        "λ<sub>min</sub> (log scale)",
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
        math.log10(left), math.log10(largest), "g*: scores cannot differ by more", colours.unmet, xshift=6, yshift=-10
    )
    picture.label(middle, math.log10(record[40]), "one record’s part", colours.private, yshift=12, xanchor="center")
    picture.label(middle, math.log10(between[40]), "sensitivity (Theorem 7)", colours.private, xshift=10, yshift=8)
    return picture


def density_axes(setup: Setup) -> tuple[float, float]:
    """Return the half width and the height of the density figure: they change on rest only, in steps."""
    wanted = 1.25 * setup.half_width / setup.spread
    return setup.spread * 2 ** max(0.0, math.ceil(math.log2(max(wanted, 1e-9)))), 1.25 / (2 * setup.scale)


def density(setup: Setup, axes: tuple[float, float], colours: Palette) -> Picture:
    """Draw the density of the published score, its interval, the protected and the true best score."""
    picture = Picture(colours, margin={"l": 40, "r": 16, "t": 8, "b": 44})
    scores, centre, half, (reach, top) = setup.task.scores, setup.protected, setup.half_width, axes
    best, worst = float(scores.max()), float(scores.min())
    left, right = centre - 1.15 * reach, centre + 1.15 * reach
    hatched(picture, left, worst, 0, top, colours)
    hatched(picture, best, right, 0, top, colours)
    unit, scale = setup.plan.value, setup.unit

    def height(x: Array) -> Array:
        return unit.density((x - centre) / scale) / scale

    # A point at the peak and more points near it, since the curve has a corner there.
    steps = np.concatenate(
        [-np.geomspace(1.2 * reach, 1e-4 * reach, 90), [0.0], np.geomspace(1e-4 * reach, 1.2 * reach, 90)]
    )
    inside = np.concatenate([[-half], steps[np.abs(steps) < half], [half]])
    picture.add(
        "scatter",
        x=np.concatenate([[centre - half], centre + inside, [centre + half]]),
        y=np.concatenate([[0.0], height(centre + inside), [0.0]]),
        fill="toself",
        fillcolor=faded(colours.private, 0.22),
        line={"width": 0},
        mode="lines",
        hoverinfo="skip",
    )
    picture.line(
        centre + steps, height(centre + steps), colours.private, name="density of the published score",
        hovertemplate="%{x:.3f}<extra></extra>",
    )  # fmt: skip
    picture.upright(best, colours.plain)
    picture.upright(centre, colours.private, dash="dash")
    picture.line(
        [centre - half, centre + half], [0.03 * top] * 2, colours.private, width=5, name=f"{100 * COVERAGE:.0f} % interval",
        hovertemplate="95 % interval, ends at %{x:.3f}<extra></extra>",
    )  # fmt: skip
    right_of = {"xanchor": "left", "xshift": 5}
    left_of = {"xanchor": "right", "xshift": -5}
    above = best >= centre
    picture.label(
        best,
        1,
        f"true best {best:.2f}".replace("-", "−"),
        colours.plain,
        yref="paper",
        yanchor="top",
        **(right_of if above else left_of),
    )
    picture.label(
        centre,
        1,
        f"before noise {centre:.2f}".replace("-", "−"),
        colours.private,
        yref="paper",
        yanchor="top",
        **(left_of if above else right_of),
    )
    picture.label(centre + 0.75 * half, 0.14 * top, f"95 %: ± {amount(half)}", colours.private, yanchor="bottom")
    outside = worst - left > 0.3 * (right - left)
    if outside:
        picture.label(
            0.02, 0.5, "no candidate<br>scores this low", colours.unmet, xref="paper", yref="paper", align="left"
        )
    if right - best > 0.3 * (right - left):
        picture.label(
            0.98,
            0.5,
            "no candidate<br>scores this high",
            colours.unmet,
            xref="paper",
            yref="paper",
            xanchor="right",
            align="right",
        )
    picture.axis("xaxis", f"published {SCORE}", range=[left, right])
    picture.axis("yaxis", "probability density", range=[0, top], showticklabels=False)
    picture.layout["yaxis"]["title"]["standoff"] = 4
    return picture


def terms(bounds: list[Bound], unit: float, spread: float, colours: Palette) -> Picture:
    """Draw every term of every bound as a dot and each sum as a diamond, against the range of f."""
    rows: list[tuple[str, float, bool]] = []
    for bound in bounds:
        rows.append((f"<b>Theorem {bound.theorem}</b>: sum", bound.value * unit, True))
        if len(bound.terms) > 1:
            rows += [(pretty(term.formula), term.value * unit, False) for term in bound.terms]
    positive = [value for _, value, _ in rows if value > 0]
    low, high = min(min(positive), spread) / 3, max(max(positive), spread) * 3
    picture = Picture(colours, height=70 + 27 * len(rows), margin={"l": 210, "r": 60, "t": 24, "b": 44})
    hatched(picture, spread, high, -0.5, len(rows) - 0.5, colours)
    picture.upright(spread, colours.unmet)
    for total in (False, True):
        chosen = [(i, value) for i, (_, value, is_sum) in enumerate(rows) if is_sum == total]
        picture.add(
            "scatter",
            x=[max(value, low) for _, value in chosen],
            y=[len(rows) - 1 - i for i, _ in chosen],
            mode="markers",
            marker={
                "size": 12 if total else 9,
                "symbol": "diamond" if total else "circle-open",
                "color": [
                    colours.unmet if total and value >= spread else colours.met if total else colours.private
                    for _, value in chosen
                ],
                "line": {"width": 2},
            },
            name="sum" if total else "term",
            hovertemplate="%{x:.3g}<extra></extra>",
        )
    for i, (_, value, _) in enumerate(rows):
        picture.label(math.log10(max(value, low)), len(rows) - 1 - i, amount(value), colours.text, xshift=10)
    picture.label(
        math.log10(spread), 1, "range of the score", colours.unmet, yref="paper", yanchor="bottom", xanchor="center"
    )
    picture.axis(
        "yaxis",
        range=[-0.5, len(rows) - 0.5],
        tickvals=list(range(len(rows))),
        ticktext=[name for name, _, _ in reversed(rows)],
    )
    picture.axis(
        "xaxis",
        "size in units of the score (log scale)",
        type="log",
        range=[math.log10(low), math.log10(high)],
        **decades(low, high),
    )
    return picture


def losses(
    setup: Setup,
    curve: Array,
    alternative: Array | None,
    title: str,
    start: float,
    ceiling: float | None,
    colours: Palette,
) -> Picture:
    """Draw an expected loss against ε: this algorithm, private selection, a blind draw; hatched where its bound is vacuous."""
    picture = Picture(colours, margin={"l": 62, "r": 16, "t": 8, "b": 44})
    shown = [curve, *([alternative] if alternative is not None else [])]
    low = math.log10(max(min(float(values.min()) for values in shown), 1e-5)) - 0.6
    high = math.log10(max(max(float(values.max()) for values in shown), ceiling or 0)) + 0.3
    hatched(picture, EPSILONS[0], min(start, EPSILONS[-1]), 10**low, 10**high, colours)
    if ceiling is not None:
        picture.level(ceiling, colours.random, dash="dot")
        picture.label(3, math.log10(ceiling), "blind draw", colours.random, xanchor="right", yshift=9)
    picture.line(
        EPSILONS,
        np.maximum(curve, 1e-9),
        colours.private,
        name="this algorithm",
        hovertemplate="%{y:.3g} at ε = %{x:.3g}<extra></extra>",
    )
    picture.label(
        math.log10(EPSILONS[5]),
        math.log10(float(curve[5])),
        f"Algorithm {setup.algorithm}",
        colours.private,
        xshift=6,
        yshift=10,
    )
    if alternative is not None:
        picture.line(
            EPSILONS, np.maximum(alternative, 1e-9), colours.private, dash=SELECTION, width=2, name="private selection",
            hovertemplate="private selection: %{y:.3g} at ε = %{x:.3g}<extra></extra>",
        )  # fmt: skip
        middle = len(EPSILONS) // 2
        picture.label(
            math.log10(EPSILONS[middle]),
            math.log10(max(float(alternative[middle]), 1e-9)),
            "– · – private selection",
            colours.private,
            xshift=6,
            yshift=11,
        )
    picture.upright(setup.plan.epsilon, colours.private, dash="dot", width=1.5)
    picture.label(
        math.log10(setup.plan.epsilon),
        0,
        f"now: ε = {setup.plan.epsilon:.3g}",
        colours.private,
        yref="paper",
        yanchor="bottom",
        xshift=4,
    )
    if start > EPSILONS[0] * 1.5:
        picture.label(-0.95, 0.03, "the bound says nothing", colours.unmet, yref="paper", yanchor="bottom", yshift=14)
    picture.axis(
        "xaxis",
        "ε (log scale): more useful →",
        type="log",
        range=[-1, 3],
        tickvals=TICKS,
        ticktext=[f"{tick:g}" for tick in TICKS],
    )
    picture.axis("yaxis", title, type="log", range=[low, high], **decades(10**low, 10**high, 6))
    return picture


def movements(rows: list[tuple[str, Array, float | None]], colours: Palette) -> Picture:
    """Draw how far things moved, a dot each, beside what a theorem allows: (name, moved, allowed) per row."""
    picture = Picture(colours, height=90 + 64 * len(rows), margin={"l": 170, "r": 30, "t": 8, "b": 44})
    moves = np.concatenate([moved for _, moved, _ in rows])
    positive = moves[moves > 0]
    # The few that hardly move, or do not, are drawn at the left edge.
    low = float(np.quantile(positive, 0.05)) / 3 if len(positive) else 1e-6
    high = 6 * max([*positive, low, *(allowed for _, _, allowed in rows if allowed)])
    jitter = np.random.default_rng(0).uniform(-0.22, 0.22, max(len(moved) for _, moved, _ in rows))
    for i, (name, moved, allowed) in enumerate(rows):
        y = len(rows) - 1 - i
        picture.add(
            "scatter",
            x=np.maximum(moved, low),
            y=y + jitter[: len(moved)],
            mode="markers",
            marker={"size": 6, "color": faded(colours.plain, 0.55)},
            name=name,
            hovertemplate="moved by %{x:.3g}<extra></extra>",
        )
        if allowed:
            picture.line(
                [allowed] * 2,
                [y - 0.35, y + 0.35],
                colours.private,
                width=4,
                name=f"{name}: allowed",
                hovertemplate="allowed: %{x:.3g}<extra></extra>",
            )
            picture.label(
                math.log10(allowed),
                y + 0.35,
                f"allowed {amount(allowed)}",
                colours.private,
                xanchor="center",
                yanchor="bottom",
            )
    picture.axis(
        "yaxis",
        range=[-0.6, len(rows) - 0.2],
        tickvals=list(range(len(rows))),
        ticktext=[name for name, _, _ in reversed(rows)],
        showgrid=False,
    )
    picture.axis(
        "xaxis",
        "moved by, in units of the score (log scale)",
        type="log",
        range=[math.log10(low), math.log10(high)],
        **decades(low, high),
    )
    return picture
