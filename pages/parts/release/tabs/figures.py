"""The figures of the Release page's tabs: values in, pictures out."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pages.parts.release.figures import hatched
from pages.parts.release.setup import Setup
from pages.parts.values.axes import decades
from pages.parts.values.numbers import two_digits
from pages.parts.values.palette import MET, NON_PRIVATE, PRIVATE, RANDOM, TEXT, UNMET
from pages.parts.values.picture import Picture
from pages.parts.values.text import as_plain, strong, sub, sup
from privbo_core.errors import Array
from privbo_core.release import Bound

EPSILONS = np.geomspace(0.1, 1000, 41)
SELECTION = "dashdot"  # private selection's own line style, in the colour of everything private


@dataclass(frozen=True, eq=False)
class Moved:
    """How far something moved in each of several pairs, in units of the score, and how far a theorem allows it to, if known."""

    name: str
    distances: Array
    allowed: float | None


def pretty(formula: str) -> str:
    """Return a formula in the engine's letters as text with marks: β_{T+1} with an index, e^{−2τ} with an exponent."""
    while (risen := re.sub(r"\^\{([^{}]*)\}", lambda found: sup(found[1]), formula)) != formula:
        formula = risen
    return re.sub(r"_\{([^{}]*)\}|_(max|min|BO|[A-Zt])", lambda found: sub(found[1] or found[2]), formula)


def terms(bounds: dict[str, Bound], unit: float, spread: float, kept: bool = True) -> Picture:
    """Draw every term of every bound as a dot and each sum as a diamond, against the range of f.

    ``kept``: whether the promise that goes with them is sure to be kept; nothing is drawn as met where it is not.
    """
    rows: list[tuple[str, float, bool]] = []
    for name, bound in bounds.items():
        rows.append((f"{strong(name)}: sum", bound.value * unit, True))
        if len(bound.terms) > 1:
            rows += [(pretty(term.formula), term.value * unit, False) for term in bound.terms]
    positive = [value for _, value, _ in rows if value > 0]
    low, high = min(min(positive), spread) / 3, max(max(positive), spread) * 3
    picture = Picture(height=70 + 27 * len(rows), margin={"l": 210, "r": 60, "t": 24, "b": 44})
    hatched(picture, spread, high, -0.5, len(rows) - 0.5)
    picture.upright(spread, UNMET)
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
                    UNMET if total and value >= spread else (MET if kept else PRIVATE) if total else PRIVATE
                    for _, value in chosen
                ],
                "line": {"width": 2},
            },
            name="sum" if total else "term",
            hovertemplate="%{x:.3g}",
        )
    for i, (_, value, _) in enumerate(rows):
        picture.label(math.log10(max(value, low)), len(rows) - 1 - i, two_digits(value), TEXT, xshift=10)
    picture.label(math.log10(spread), 1, "range of the score", UNMET, yref="paper", yanchor="bottom", xanchor="center")
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


def against_epsilon(
    setup: Setup, curve: Array, alternative: Array | None, title: str, *, start: float, ceiling: float | None = None
) -> Picture:
    """Draw an expected loss against ε: this algorithm's, and private selection's as ``alternative``.

    Hatched up to ``start``, where the bound begins to say something. ``ceiling``: what a blind draw loses.
    """
    picture = Picture(margin={"l": 62, "r": 16, "t": 8, "b": 44})
    shown = [curve, *([alternative] if alternative is not None else [])]
    low = math.log10(max(min(float(values.min()) for values in shown), 1e-5)) - 0.6
    high = math.log10(max(max(float(values.max()) for values in shown), ceiling or 0)) + 0.3
    hatched(picture, EPSILONS[0], min(start, EPSILONS[-1]), 10**low, 10**high)
    if ceiling is not None:
        picture.level(ceiling, RANDOM, dash="dot")
        picture.label(3, math.log10(ceiling), "blind draw", RANDOM, xanchor="right", yshift=9)
    picture.line(
        EPSILONS, np.maximum(curve, 1e-9), PRIVATE, name="this algorithm", hovertemplate="%{y:.3g} at ε = %{x:.3g}",
    )  # fmt: skip
    where = math.log10(EPSILONS[5]), math.log10(float(curve[5]))
    picture.label(*where, setup.name, PRIVATE, xshift=6, yshift=10)
    if alternative is not None:
        picture.line(
            EPSILONS, np.maximum(alternative, 1e-9), PRIVATE, dash=SELECTION, width=2, name="private selection",
            hovertemplate="private selection: %{y:.3g} at ε = %{x:.3g}",
        )  # fmt: skip
        middle = len(EPSILONS) // 2
        where = math.log10(EPSILONS[middle]), math.log10(max(float(alternative[middle]), 1e-9))
        picture.label(*where, "– · – private selection", PRIVATE, xshift=6, yshift=11)
    now = setup.plan.epsilon
    picture.upright(now, PRIVATE, dash="dot", width=1.5)
    picture.label(math.log10(now), 0, f"now: ε = {now:.3g}", PRIVATE, yref="paper", yanchor="bottom", xshift=4)
    if start > EPSILONS[0] * 1.5:
        picture.label(-0.95, 0.03, "the bound says nothing", UNMET, yref="paper", yanchor="bottom", yshift=14)
    ticks = decades(EPSILONS[0], EPSILONS[-1])
    picture.axis("xaxis", "ε (log scale): more useful →", type="log", range=[-1, 3], **ticks)
    picture.axis("yaxis", title, type="log", range=[low, high], **decades(10**low, 10**high, 6))
    return picture


def movements(rows: Sequence[Moved]) -> Picture:
    """Draw how far things moved, a dot each, beside what a theorem allows, row by row."""
    picture = Picture(height=90 + 64 * len(rows), margin={"l": 170, "r": 30, "t": 8, "b": 44})
    moves = np.concatenate([row.distances for row in rows])
    positive = moves[moves > 0]
    # The few that hardly move, or do not, are drawn at the left edge.
    low = float(np.quantile(positive, 0.05)) / 3 if len(positive) else 1e-6
    high = 6 * max([*positive, low, *(row.allowed for row in rows if row.allowed)])
    jitter = np.random.default_rng(0).uniform(-0.22, 0.22, max(len(row.distances) for row in rows))
    for i, row in enumerate(rows):
        y, allowed, name = len(rows) - 1 - i, row.allowed, as_plain(row.name).replace("\n", " ")
        picture.add(
            "scatter",
            x=np.maximum(row.distances, low),
            y=y + jitter[: len(row.distances)],
            mode="markers",
            marker={"size": 6, "color": NON_PRIVATE.faded(0.55)},
            name=name,
            hovertemplate="moved by %{x:.3g}",
        )
        if allowed:
            picture.line(
                [allowed] * 2, [y - 0.35, y + 0.35], PRIVATE, width=4, name=f"{name}: allowed",
                hovertemplate="allowed: %{x:.3g}",
            )  # fmt: skip
            text = f"allowed {two_digits(allowed)}"
            picture.label(math.log10(allowed), y + 0.35, text, PRIVATE, xanchor="center", yanchor="bottom")
    names = [row.name for row in reversed(rows)]
    picture.axis(
        "yaxis", range=[-0.6, len(rows) - 0.2], tickvals=list(range(len(rows))), ticktext=names, showgrid=False
    )
    span = [math.log10(low), math.log10(high)]
    picture.axis("xaxis", "moved by, in units of the score (log scale)", type="log", range=span, **decades(low, high))
    return picture
