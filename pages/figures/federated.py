"""The figures of the Federated page."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.ui.figure import (
    CAUTION,
    MUTED,
    NON_PRIVATE,
    PRIVATE,
    RANDOM,
    SECOND_PRIVATE,
    TEXT,
    Figure,
    Stroke,
    faded,
)
from pages.ui.numbers import in_100, power_of_ten, with_error
from pages.ui.text import to_html, verbatim
from privbo_core.bo import Band
from privbo_core.errors import Array
from privbo_core.federated import FederatedProblem, Progress, Settings, region_weights, temperature
from privbo_core.federated.agents import Rows
from privbo_core.federated.run import Round
from privbo_core.federated.simulation import Measure

HEIGHT = 268
LONGEST = 100
"""The most rounds, which the axis of the privacy figure shows whatever T is."""
PAPER_NOISE = "DP-FTS-DE, paper’s noise"
STROKES: dict[str, Stroke] = {
    "TS": Stroke(RANDOM, "dot"),
    "FTS": Stroke(NON_PRIVATE, "longdashdot", 1.5),
    "FTS-DE": Stroke(NON_PRIVATE, "dash"),
    "DP-FTS": Stroke(SECOND_PRIVATE, "dashdot"),
    PAPER_NOISE: Stroke(faded(PRIVATE, 0.6), "solid", 1.5),
    "DP-FTS-DE": Stroke(PRIVATE),
}
PAPER, TIGHT = Stroke(faded(PRIVATE, 0.75), "dash", 2), Stroke(PRIVATE)


def nice_above(value: float) -> float:
    """Return the next round number from a value upwards, as the end of an axis."""
    value = max(value, 1e-9)
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if step * power >= value)


def epsilon_top(paper: Sequence[float], rounds: int, held: float | None) -> float:
    """Return the top of the ε axis. One that is held stays, unless the curve would leave it or vanish in it."""
    now = paper[rounds - 1]
    if held is not None and 0.08 * held <= now <= held:
        return held
    return nice_above(1.25 * now)


def privacy(paper: Sequence[float], tight: Mapping[int, float], rounds: int, top: float) -> Figure:
    """Draw ε over the rounds by the paper's account and by the tight one, with T as a dot that can be dragged.

    ``paper`` has ε after each round, and ``tight`` after some of them, the last of which is the number of ``rounds``.
    """
    figure = Figure(HEIGHT, left=52, right=112)
    x = np.arange(1, len(paper) + 1)
    figure.axis("x", "rounds t", (0, LONGEST))
    figure.axis("y", "privacy loss ε so far", (0, top))
    figure.line(x, paper, Stroke(faded(PRIVATE, 0.25), "dash", 2), "later rounds")
    after = "ε = %{y:.4g} after %{x} rounds"
    figure.line(x[:rounds], paper[:rounds], PAPER, "moments", f"The paper’s account: {after}")
    figure.line([*tight], [*tight.values()], TIGHT, "tight", f"Tight account: {after}")
    figure.points([rounds], [tight[rounds]], PRIVATE, "now", f"Tight account: {after}", size=9)
    figure.end_labels([
        (paper[rounds - 1], f"moments, {number(paper[rounds - 1])}", PAPER),
        (tight[rounds], f"tight, {number(tight[rounds])}", TIGHT),
    ])  # fmt: skip
    figure.handle("T", "Rounds T", float(rounds), x[1:].tolist(), list(paper[1:]))
    return figure


def number(value: float) -> str:
    """Return an ε with three digits, and with commas where it is large."""
    return power_of_ten(float(f"{value:.3g}"))


def regret(progress: Progress, names: Sequence[str], measure: Measure, scale: float, axis: tuple[str, float]) -> Figure:
    """Draw the mean regret of each algorithm over the rounds, with bands of ±1 standard error.

    ``scale`` turns the model's unit into the unit that the ``axis`` names, which comes with its top.
    """
    figure = Figure(HEIGHT, left=56, right=116)
    unit, top = axis
    bands = {name: band for name in names if (band := progress.band(name, measure)) is not None}
    what = "simple regret" if measure == "simple" else "cumulative regret"
    longest = max((len(band.mean) for band in bands.values()), default=2)
    figure.axis("x", "rounds t", (1, max(longest, 2)))
    figure.axis("y", f"{what}, {to_html(unit)}", (0, top))
    ends = []
    for name, band in bands.items():
        stroke, x, mean = STROKES[name], np.arange(1, len(band.mean) + 1), scale * band.mean
        if band.runs > 1:
            error = scale * band.standard_error
            figure.band(x, mean - error, mean + error, faded(stroke.colour.partition("@")[0], 0.12))
        figure.line(x, mean, stroke, name, f"{name}: %{{y:.3g}} after %{{x}} rounds")
        ends.append((float(mean[-1]), "paper’s noise" if name == PAPER_NOISE else name, stroke))
    figure.end_labels(ends)
    return figure


def regret_top(progress: Progress, names: Sequence[str], measure: Measure, scale: float) -> float:
    """Return the top of the regret axis."""
    bands = [band for name in names if (band := progress.band(name, measure)) is not None]
    return nice_above(scale * max((float(band.mean.max()) for band in bands), default=1.0))


def repeated(times: Sequence[int], percents: Sequence[float]) -> Figure:
    """Draw how often the best attacker is right, if the same agents tune together so many times."""
    figure = Figure(220, left=52, right=16)
    figure.axis("x", "runs with the same agents", (0.5, times[-1] + 0.5), tickvals=list(times))
    figure.axis("y", "right guesses in 100", (48, 102))
    figure.level(50, Stroke(RANDOM, "dot", 2))
    hover = "After %{x} runs, the best attacker is right %{text} times in 100"
    text = [in_100(percent / 100) for percent in percents]
    figure.line(times, percents, Stroke(PRIVATE), "best attacker", hover, text=text)
    figure.points(times, percents, PRIVATE, "best attacker")
    figure.label(times[-1], 50, "guessing", RANDOM, xanchor="right", yanchor="bottom")
    return figure


def broadcasts(clipped: Band, signal: Band, noise: Band) -> Figure:
    """Draw the share of clipped vectors, and the length of the signal and the noise, over the rounds."""
    figure = Figure(260, left=52, right=76)
    x = np.arange(1, len(clipped.mean) + 1)
    bounds = (1, max(len(x), 2))
    figure.axis("x", "rounds t", bounds, domain=[0, 0.42])
    figure.axis("y", "% of vectors clipped", (-2, 104))
    figure.axis("x2", "rounds t", bounds, domain=[0.56, 1], anchor="y2")
    top = nice_above(1.05 * max(float(signal.mean.max()), float(noise.mean.max())))
    figure.axis("y2", "length of what is sent", (0, top), anchor="x2")
    figure.line(x, 100 * clipped.mean, Stroke(CAUTION), "clipped", "%{y:.0f}% in round %{x}")
    ends = []
    for name, band, stroke in (("signal", signal, Stroke(NON_PRIVATE, "dash")), ("noise", noise, Stroke(PRIVATE))):
        figure.line(x, band.mean, stroke, name, f"{name}: %{{y:.3g}} in round %{{x}}", axes=2)
        ends.append((float(band.mean[-1]), name, stroke))
    figure.end_labels(ends, axes=2)
    return figure


@dataclass(frozen=True)
class Point:
    """DP-FTS-DE at one value of the setting that varies: ε by both accounts, and its regret with standard error."""

    value: float
    paper: float
    tight: float
    regret: float
    error: float

    @classmethod
    def of(cls, value: float, epsilons: tuple[float, float], regrets: Array) -> "Point":
        """Build it from ε by both accounts, and the regret of each run."""
        error = float(np.std(regrets, ddof=1)) / math.sqrt(len(regrets)) if len(regrets) > 1 else 0.0
        return cls(value, *epsilons, float(np.mean(regrets)), error)

    @property
    def regret_text(self) -> str:
        """The regret with as many decimals as its standard error supports."""
        return with_error(self.regret, self.error)


def sweep(points: Sequence[Point], levels: Mapping[str, float], symbol: str, now: float, axis: str) -> Figure:
    """Draw the regret against ε while z or q varies, or against S, which ε doesn't depend on."""
    figure = Figure(280, left=56, right=92)
    by_epsilon = symbol != "S"
    shown = sorted(
        (p for p in points if not by_epsilon or p.tight > 0), key=lambda p: p.tight if by_epsilon else p.value
    )
    x = [point.tight if by_epsilon else point.value for point in shown]
    low, high = (x[0] / 1.25, x[-1] * 1.25) if x else (1.0, 10.0)
    ticks = [tick for power in range(-3, 5) for tick in (1 * 10.0**power, 3 * 10.0**power) if low <= tick <= high]
    name = "privacy loss ε, by the tight account" if by_epsilon else "clipping threshold S"
    figure.log_axis("x", name, (low, high), ticks or [low, high])
    highest = max([p.regret + p.error for p in shown] + list(levels.values()), default=1.0)
    figure.axis("y", to_html(axis), (0, nice_above(1.05 * highest)))
    y, error = np.array([p.regret for p in shown]), np.array([p.error for p in shown])
    figure.band(x, y - error, y + error, faded(PRIVATE, 0.12))
    hover = "regret %{y:.3g} at ε = %{x:.3g}" if by_epsilon else "regret %{y:.3g} at S = %{x:.3g}"
    figure.line(x, y, Stroke(PRIVATE), "DP-FTS-DE", hover)
    figure.points(x, y, PRIVATE, "DP-FTS-DE", hover, size=7)
    for place, point in zip(x, shown, strict=True):
        if math.isclose(point.value, now, rel_tol=1e-5):
            hollow: dict[str, Any] = {"symbol": "circle-open", "size": 15, "line": {"width": 2.5}}
            figure.points([place], [point.regret], PRIVATE, "present setting", "present setting", **hollow)
    ends = [(float(y[-1]), "DP-FTS-DE", Stroke(PRIVATE))] if shown else []
    for algorithm, level in levels.items():
        figure.line([low, high], [level, level], STROKES[algorithm], algorithm, f"{algorithm}: %{{y:.3g}}")
        ends.append((level, algorithm, STROKES[algorithm]))
    figure.end_labels(ends)
    return figure


def own_shares(settings: Settings, agents: int) -> Array:
    """Return the share of the first sub-region's weight that lies on the agents that started there, for each round."""
    explores = np.arange(agents) % settings.P
    heats = [temperature(t, settings.hold, settings.fade) for t in range(1, settings.iterations + 1)]
    weights = (region_weights(explores, settings.P, settings.a, heat)[0] for heat in heats)
    return np.array([float(each[explores == 0].sum()) for each in weights])


def weights(own: Array) -> Figure:
    """Draw the share of a sub-region's weight that lies on the agents that started there, and on all others."""
    figure = Figure(240, left=52, right=116)
    x = np.arange(1, len(own) + 1)
    figure.axis("x", "rounds t", (1, max(len(own), 2)))
    figure.axis("y", "% of a sub-region’s weight", (-2, 104))
    ends = []
    for name, share, stroke in (
        ("started there", own, Stroke(PRIVATE)),
        ("all others", 1 - own, Stroke(RANDOM, "dot")),
    ):
        figure.line(x, 100 * share, stroke, name, f"{name}: %{{y:.0f}}% in round %{{x}}")
        ends.append((100 * float(share[-1]), name, stroke))
    figure.end_labels(ends)
    return figure


def sub_regions(problem: FederatedProblem, mean: Array, now: Round, *, start: bool) -> Figure:
    """Draw the first two parameters: the mean objective, the sub-regions, and where the agents evaluate.

    With ``start`` these are their initial points, otherwise those of round ``now``.
    """
    figure = Figure(340, left=56, right=16, top=8)
    original = problem.original
    flat = original[:, :2] if original.shape[1] > 1 else np.column_stack([original[:, 0], mean])
    second = verbatim(problem.names[1]) if original.shape[1] > 1 else "mean over the agents"
    figure.axis("x", to_html(verbatim(problem.names[0])), showgrid=False)
    figure.axis("y", to_html(second), showgrid=False)
    _shade(figure, flat, mean)
    _outline(figure, flat, now.regions)
    if start:
        groups = [("starts here", now.initial.ravel(), NON_PRIVATE, "circle")]
    else:
        followed = now.followed
        groups = [
            ("own choice", now.queries[~followed], NON_PRIVATE, "circle"),
            ("follows the server", now.queries[followed], PRIVATE, "diamond"),
        ]
    for name, rows, colour, symbol in groups:
        places, count = np.unique(rows, return_counts=True)
        sizes = np.minimum(6 + 2.5 * np.sqrt(count), 30).tolist()
        figure.points(flat[places, 0], flat[places, 1], colour, name, name, size=sizes, symbol=symbol, opacity=0.85)
        figure.legend.append((name, Stroke(colour)))
    return figure


def _shade(figure: Figure, flat: Array, mean: Array) -> None:
    """Draw the mean objective as the ground: a surface on a grid, and squares of five shades elsewhere.

    Where further parameters put several points at one place, the shade is that of their average.
    """
    places, where = np.unique(flat, axis=0, return_inverse=True)
    level = np.bincount(where.ravel(), weights=mean) / np.bincount(where.ravel())
    x, y = (np.unique(column) for column in places.T)
    if len(x) * len(y) == len(places):
        figure.surface(x, y, level.reshape(len(x), len(y)).T)
        return
    level = (level - level.min()) / max(float(np.ptp(level)), 1e-12)
    for step in range(5):
        rows = (level >= step / 5) & (level <= (step + 1) / 5)
        shade = faded(MUTED, 0.08 + 0.13 * step)
        name = f"mean objective, level {step + 1}"
        figure.points(places[rows, 0], places[rows, 1], shade, name, symbol="square", size=7)


def _outline(figure: Figure, flat: Array, regions: Rows) -> None:
    """Draw the box around each sub-region."""
    steps = [float(np.diff(np.unique(column)).min()) / 2 if len(np.unique(column)) > 1 else 0.0 for column in flat.T]
    for region in np.unique(regions):
        own = flat[regions == region]
        (x0, y0), (x1, y1) = own.min(axis=0) - steps, own.max(axis=0) + steps
        box = [x0, x1, x1, x0, x0], [y0, y0, y1, y1, y0]
        figure.line(*box, Stroke(faded(TEXT, 0.6), "dash", 1.5), f"sub-region {region + 1}")
