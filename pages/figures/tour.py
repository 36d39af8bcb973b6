"""The figures of the Tour, in the plain shapes that a class reads at once: bars, curves and dots."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pages.ui.figure import (
    MUTED,
    NON_PRIVATE,
    PRIVATE,
    PROVEN,
    RANDOM,
    SECOND_PRIVATE,
    TEXT,
    Figure,
    Stroke,
    faded,
)
from pages.ui.numbers import in_100
from pages.ui.text import to_html
from privbo_core.bo import Band
from privbo_core.errors import Array

HEIGHT = 320
TOGETHER, ALONE, NOISY = Stroke(NON_PRIVATE, "dash"), Stroke(RANDOM, "dot"), Stroke(PRIVATE)


def covered() -> Figure:
    """Draw the figure of a question that isn't answered yet."""
    figure = Figure(160)
    for name in ("x", "y"):
        figure.axis(name, "", (0, 1), visible=False)
    figure.label(0.5, 0.6, "?", MUTED, xanchor="center", size=64)
    figure.label(0.5, 0.08, "The figure comes with the answer.", MUTED, xanchor="center", size=14)
    return figure


def bars(lengths: Mapping[str, float], axis: str, texts: Sequence[str], colours: Sequence[str]) -> Figure:
    """Draw a horizontal bar for each name, with its number at its end."""
    figure = Figure(HEIGHT, left=24 + round(6.6 * max(map(len, lengths))), right=24)
    longest = max(1e-9, *lengths.values())
    figure.axis("x", axis, (0, 1.25 * longest))
    places = list(range(len(lengths)))
    figure.axis(
        "y", "", (len(lengths) - 0.4, -0.6), tickvals=places, ticktext=list(map(to_html, lengths)), showgrid=False
    )
    look: dict[str, Any] = {"orientation": "h", "width": 0.6}
    for place, length, text, colour in zip(places, lengths.values(), texts, colours, strict=True):
        figure.bars([length], [place], colour, text, **look)
        figure.label(length, place, text, colour, xshift=6, size=14)
    return figure


def right_guesses(
    x: ArrayLike, rights: ArrayLike, now: tuple[float, float], axis: str, ticks: Sequence[float]
) -> Figure:
    """Draw how often the best attacker is right, on a logarithmic axis, with the present setting as a dot."""
    figure, x = Figure(HEIGHT, left=52, right=76), np.asarray(x, dtype=float)
    figure.log_axis("x", axis, (float(x.min()), float(x.max())), ticks)
    figure.axis("y", "times in 100 that the attacker is right", (45, 102))
    text = [in_100(float(right) / 100) for right in np.asarray(rights)]
    figure.line(x, rights, NOISY, "best attacker", "right %{text} times in 100 at %{x:.3g}", text=text)
    figure.level(50, ALONE)
    figure.points([now[0]], [now[1]], PRIVATE, "now", f"right {in_100(now[1] / 100)} times in 100", size=12)
    figure.end_labels([(float(np.asarray(rights)[-1]), "best attacker", NOISY), (50, "guessing", ALONE)])
    return figure


def regret(bands: Mapping[str, tuple[Band, Stroke]], axis: str, unit: str) -> Figure:
    """Draw how far each search is from the best, with bands of one standard error."""
    names = list(bands)
    figure = Figure(HEIGHT, left=56, right=24 + round(6.4 * max(map(len, names))))
    highest = max(float(band.mean[min(1, len(band.mean) - 1)]) for band, _ in bands.values())
    length = max(len(band.mean) for band, _ in bands.values())
    figure.axis("x", axis, (1, max(length, 2)))
    figure.axis("y", f"distance from the best, {to_html(unit)}", (0, 1.05 * max(highest, 1e-9)))
    ends = []
    for name, (band, stroke) in bands.items():
        x, error = np.arange(1, len(band.mean) + 1), np.nan_to_num(band.standard_error)
        figure.band(x, band.mean - error, band.mean + error, faded(stroke.colour, 0.15))
        figure.line(x, band.mean, stroke, name, f"{name}: %{{y:.3f}} after %{{x}}")
        ends.append((float(band.mean[-1]), name, stroke))
    figure.end_labels(ends)
    return figure


def reconstructed(true: Array, found: Array) -> Figure:
    """Draw ages as the attacker reconstructs them against the true ones."""
    figure = Figure(HEIGHT, left=56)
    low, high = float(true.min()) - 3, float(true.max()) + 3
    figure.axis("x", "true age (years)", (low, high))
    figure.axis("y", "reconstructed age (years)", (low, high))
    figure.line([low, high], [low, high], Stroke(NON_PRIVATE, "dash", 1.5), "equal")
    figure.points(true, found, faded(PRIVATE, 0.5), "patients", "%{x:.0f} years, reconstructed as %{y:.0f}", size=5)
    return figure


def steps_over(x: Sequence[float], y: Sequence[float], limit: float, axis: str, name: str, most: float) -> Figure:
    """Draw a cost at a few privacy budgets, with the most that is accepted. A cost of ``most`` stands for more."""
    figure = Figure(HEIGHT, left=56, right=84)
    figure.log_axis("x", "privacy budget ε", (0.8 * x[0], 1.25 * x[-1]), x)
    figure.axis("y", axis, (-0.05 * most, 1.15 * max(most, limit)))
    hover = f"%{{y:.0f}} {name} at ε = %{{x:.3g}}"
    figure.line(x, y, Stroke(faded(SECOND_PRIVATE, 0.5), width=1.5), "line")
    figure.points(x, y, SECOND_PRIVATE, name, hover, size=10)
    accepted = Stroke(PROVEN, "dash", 2)
    figure.level(limit, accepted)
    figure.end_labels([(limit, "accepted", accepted)])
    return figure


def losses(
    x: Sequence[float], curves: Mapping[str, tuple[Sequence[float], Stroke]], limit: float, blind: float
) -> Figure:
    """Draw the losses of ways to choose against ε, beside the loss that is accepted and that of a blind choice."""
    figure = Figure(HEIGHT, left=56, right=110)
    figure.log_axis("x", "privacy budget ε", (x[0], x[-1]), (0.1, 1, 10, 100, 1000))
    figure.axis("y", "points lost on average", (0, 1.15 * max(blind, limit)))
    accepted, random = Stroke(PROVEN, "dash", 2), ALONE
    figure.level(limit, accepted)
    figure.level(blind, random)
    ends = [(limit, "accepted", accepted), (blind, "random choice", random)]
    for name, (values, stroke) in curves.items():
        figure.line(x, values, stroke, name, f"{name}: %{{y:.2f}} points at ε = %{{x:.3g}}")
        ends.append((values[-1], name, stroke))
    figure.end_labels(ends)
    return figure


def dots(x: Sequence[float], means: Sequence[float], errors: Sequence[float], axes: tuple[str, str]) -> Figure:
    """Draw means with their standard errors on a logarithmic axis."""
    figure = Figure(HEIGHT, left=56)
    figure.log_axis("x", axes[0], (0.8 * x[0], 1.25 * x[-1]), x)
    figure.axis("y", axes[1], (0, 1.15 * max(np.add(means, errors))))
    bar = {"type": "data", "array": np.asarray(errors), "color": PRIVATE, "thickness": 1.5}
    figure.line(x, means, NOISY, "mean", "%{y:.2f} at %{x}", error_y=bar)
    figure.points(x, means, PRIVATE, "means", size=9)
    return figure


def density(centre: float, scale: float, half: float, axis: str) -> Figure:
    """Draw where a score with Laplace noise falls, and the middle part that holds 19 in 20."""
    figure = Figure(HEIGHT, left=24)
    low, high = centre - 1.8 * half, centre + 1.8 * half
    x = np.linspace(low, high, 301)
    figure.axis("x", axis, (low, high))
    figure.axis("y", "", (0, 1.15), showticklabels=False)
    figure.region(centre - half, centre + half, faded(PRIVATE, 0.12))
    figure.line(x, np.exp(-np.abs(x - centre) / scale), NOISY, "published score")
    figure.upright(centre, TOGETHER)
    figure.label(centre, 1.12, "the true score", TEXT, xshift=6, yanchor="top")
    figure.label(centre - half, 0.04, "19 in 20", PRIVATE, xshift=6, yanchor="bottom")
    return figure


def sent(plain: Array, noisy: Array) -> Figure:
    """Draw the numbers that a server sends, with noise and without."""
    figure, places = Figure(HEIGHT, left=52, right=110), np.arange(1, len(plain) + 1)
    figure.axis("x", "number in the list", (0, len(plain) + 1))
    high = 1.1 * float(max(np.abs(plain).max(), np.abs(noisy).max()))
    figure.axis("y", "its value", (-high, high))
    figure.bars(places, noisy, faded(PRIVATE, 0.6), "as it is sent", "sent: %{y:.2f}", width=0.7)
    figure.bars(places, plain, faded(NON_PRIVATE, 0.7), "without noise", "without noise: %{y:.2f}", width=0.3)
    figure.layout["barmode"] = "overlay"
    figure.end_labels([(0.5 * high, "as it is sent", NOISY), (-0.5 * high, "without noise", Stroke(NON_PRIVATE))])
    return figure


def curve(
    x: ArrayLike, y: ArrayLike, now: tuple[float, float], axes: tuple[str, str], ticks: Sequence[float]
) -> Figure:
    """Draw one curve over a logarithmic axis, with the present setting as a dot."""
    figure, x, y = Figure(HEIGHT, left=60), np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    figure.log_axis("x", axes[0], (float(x[0]), float(x[-1])), ticks)
    figure.axis("y", axes[1], (0, 1.1 * float(max(y.max(), now[1]))))
    figure.line(x, y, NOISY, "curve", "%{y:.3g} at %{x:.3g}")
    figure.points([now[0]], [now[1]], PRIVATE, "now", "%{y:.3g}", size=12)
    return figure


def loudness(x: Sequence[float], ratios: Sequence[float], now: tuple[float, float]) -> Figure:
    """Draw the noise as a multiple of the agents' knowledge, against the number of agents."""
    figure = Figure(HEIGHT, left=60, right=110)
    low, high = min(0.5, *ratios, now[1]) / 1.3, max(2.0, *ratios, now[1]) * 1.3
    figure.log_axis("x", "schools", (0.8 * x[0], 1.25 * x[-1]), x)
    figure.log_axis("y", "noise ÷ knowledge", (low, high), [t for t in (0.1, 0.3, 1, 3, 10, 30, 100) if low < t < high])
    figure.line(x, ratios, NOISY, "noise", "%{y:.2g} times as large with %{x} schools")
    figure.points([now[0]], [now[1]], PRIVATE, "now", "%{y:.2g} times as large", size=12)
    figure.level(1.0, ALONE)
    figure.end_labels([(ratios[-1], "noise", NOISY), (1.0, "equal", ALONE)])
    return figure
