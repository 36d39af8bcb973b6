"""The picture of the Simple page of Data: the records as dots, and around one of them what will be hidden, to scale."""

import numpy as np

from pages.parts.values.palette import NOISY, NON_PRIVATE, PAPER
from pages.parts.values.picture import Picture
from pages.parts.values.samples import Sample
from privbo_core.data import Problem
from privbo_core.errors import Array

MOST = 1500
"""Dots that are drawn."""
ROUND = np.linspace(0.0, 2.0 * np.pi, 61)


def two_columns(problem: Problem, told: Sample) -> tuple[int, int]:
    """Return the columns that are drawn, those that are spoken of first; the same one twice if there is but one."""
    spoken = [problem.names.index(each.name) for each in told.columns if each.name in problem.names]
    order = [*spoken, *(column for column in range(problem.d) if column not in spoken)]
    first, second = sorted(order[:2]) if problem.d > 1 else (0, 0)
    return first, second


def in_frame(problem: Problem, column: int) -> Array:
    """Return a column as it will be handed out but for the noise: what lies outside of its frame is moved to the edge."""
    frame = problem.frame.columns[column]
    return np.clip(problem.original[:, column], frame.low, frame.high)


def middle_one(points: Array, hide: Array) -> int:
    """Return the record that is nearest to the middle of all, counted in hidden changes."""
    away = (points - np.median(points, axis=0)) / hide
    return int((away**2).sum(axis=1).argmin())


def hidden_change(problem: Problem, told: Sample, said: tuple[str, ...]) -> Picture:
    """Draw the records and what will be hidden; ``said``: that in words. With one column, the outcome is drawn beside it."""
    picture = Picture(height=380, margin={"l": 64, "r": 16, "t": 12, "b": 48})
    across, up = two_columns(problem, told)
    frame, single = problem.frame.columns, problem.d == 1
    x = in_frame(problem, across)
    y = problem.objective if single else in_frame(problem, up)
    points = np.column_stack([x, y])
    wide = frame[across].hide
    high = 0.0 if single else frame[up].hide
    chosen = middle_one(points, np.array([wide, high or float(np.ptp(y)) or 1.0]))
    drawn = np.random.default_rng(0).choice(problem.n, min(MOST, problem.n), replace=False)
    picture.add(
        "scatter", x=x[drawn], y=y[drawn], mode="markers", name=told.one, hoverinfo="skip",
        marker={"color": NON_PRIVATE.faded(0.28), "size": 5},
    )  # fmt: skip
    left, low = x[chosen], y[chosen]
    picture.add(
        "scatter", x=left + wide * np.cos(ROUND), y=low + high * np.sin(ROUND), mode="lines", fill="toself",
        fillcolor=NOISY.faded(0.25), line={"color": NOISY, "width": 2.5}, hoverinfo="skip", name="hidden",
    )  # fmt: skip
    picture.line([left - wide, left + wide], [low, low], NOISY, hoverinfo="skip")
    picture.line([left, left], [low - high, low + high], NOISY, hoverinfo="skip")
    picture.add("scatter", x=[left], y=[low], mode="markers", hoverinfo="skip",
                marker={"color": NON_PRIVATE, "size": 7, "line": {"color": PAPER, "width": 1.5}})  # fmt: skip
    picture.label(left, low + high, f"hidden of this {told.one}:\n{said[0]}", NOISY, xanchor="center", yanchor="bottom", yshift=6,
                  bgcolor=PAPER, font={"color": NOISY, "size": 15})  # fmt: skip
    picture.axis("xaxis", told.label(problem, across), range=_room(frame[across].low, frame[across].high))
    if single:
        picture.axis("yaxis", f"{problem.output}, not hidden", range=_room(float(y.min()), float(y.max())))
    else:
        picture.axis("yaxis", told.label(problem, up), range=_room(frame[up].low, frame[up].high))
    return picture


def _room(low: float, high: float) -> list[float]:
    """Return an axis from low to high with some room at both ends."""
    room = 0.03 * (high - low) or 1.0
    return [low - room, high + room]
