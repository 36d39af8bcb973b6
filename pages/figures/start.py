"""The figure of the Start page: some patients as the company sees them."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.ui.figure import MUTED, NON_PRIVATE, PAPER, SECOND_PRIVATE, TEXT, Figure, Stroke, faded
from privbo_core.data import Problem
from privbo_core.errors import Array

HEIGHT = 272
SHOWN = 400
COVERAGE = 0.95
AGES, AGE_TICKS = (10.0, 125.0), (20, 40, 60, 80, 100, 120)
KIDNEY, KIDNEY_TICKS = (0.1, 12.0), (0.1, 0.3, 1, 3, 10)
AROUND = np.linspace(0.0, 2.0 * math.pi, 73)
LEADER_ANGLE = 0.9
"""Where on the ellipse its label points, in radians from the right."""


@dataclass(frozen=True, eq=False)
class Patients:
    """Ages and kidney values of some patients as the company sees them, and one patient's true values.

    The company sees this patient within ``age_reach`` years of the true ``age``, and within a factor of
    ``exp(kidney_reach)`` of the true ``kidney`` value, in `COVERAGE` of all noisy tables. Both lie on an ellipse.
    """

    ages: Array
    kidneys: Array
    age: float
    kidney: float
    age_reach: float
    kidney_reach: float

    @property
    def inside(self) -> NDArray[np.bool_]:
        """Which patients lie within the axes of the figure."""
        in_age = (self.ages >= AGES[0]) & (self.ages <= AGES[1])
        return np.asarray(in_age & (self.kidneys >= KIDNEY[0]) & (self.kidneys <= KIDNEY[1]))


@lru_cache(maxsize=4)
def _drawn(problem: Problem) -> tuple[Array, Array, int]:
    """Return the first two inputs of some rows, their noise for σ = 1, and the number of the row in their middle.

    The noise has a fixed seed, so that each patient moves on a straight line when only σ changes.
    """
    rng = np.random.default_rng(7)
    rows = rng.choice(problem.n, SHOWN, replace=False)
    frame = problem.frame
    true = np.clip(problem.original[rows], *frame_bounds(problem))[:, :2]
    noise = frame.hide[:2] * rng.standard_normal(true.shape)
    middle = int((((true - np.median(true, axis=0)) / frame.hide[:2]) ** 2).sum(axis=1).argmin())
    return true, noise, middle


def frame_bounds(problem: Problem) -> tuple[Array, Array]:
    """Return the lowest and the highest value of each column, to which a noisy release clips."""
    columns = problem.frame.columns
    return np.array([column.low for column in columns]), np.array([column.high for column in columns])


def blur(problem: Problem, sigma: float) -> Patients:
    """Return some of the hospital's patients with the noise σ of a noisy release, in protected differences."""
    true, noise, middle = _drawn(problem)
    seen = true + sigma * noise
    radius = sigma * math.sqrt(-2.0 * math.log(1.0 - COVERAGE))
    reach = radius * problem.frame.hide[:2]
    with np.errstate(over="ignore"):  # a value that is too large for a float lies outside the figure
        kidneys = np.exp(seen[:, 1])
    age, kidney = float(true[middle, 0]), math.exp(true[middle, 1])
    return Patients(seen[:, 0], kidneys, age, kidney, float(reach[0]), float(reach[1]))


def patients(seen: Patients) -> Figure:
    """Draw the patients as the company sees them, one patient as the hospital does, and where that one may appear."""
    figure = Figure(HEIGHT, left=48, right=16, top=24)
    plain: dict[str, Any] = {"showgrid": False, "showline": True, "tickvals": AGE_TICKS}
    figure.axis("x", "age (years)", AGES, **plain)
    figure.log_axis("y", "creatinine (mg/dL)", KIDNEY, KIDNEY_TICKS, showgrid=False, showline=True)
    inside, noisy, exact = seen.inside, Stroke(SECOND_PRIVATE, width=2), Stroke(NON_PRIVATE)
    x = seen.age + seen.age_reach * np.cos(AROUND)
    # Far beyond the axes the exact place doesn't matter, and a float can't hold it.
    y = seen.kidney * np.exp(np.clip(seen.kidney_reach * np.sin(AROUND), -50.0, 50.0))
    half = len(AROUND) // 2 + 1
    figure.band(x[:half], y[::-1][:half], y[:half], faded(SECOND_PRIVATE, 0.12))
    hover = "seen as %{x:.0f} years old, with %{y:.2g} mg/dL of creatinine"
    figure.points(seen.ages[inside], seen.kidneys[inside], faded(SECOND_PRIVATE, 0.4), "patients", hover, size=5)
    figure.line(x, y, noisy, "where one patient may appear")
    marker: dict[str, Any] = {"size": 11, "line": {"color": PAPER, "width": 1.5}}
    name = f"one patient, aged {seen.age:.0f}"
    figure.points([seen.age], [seen.kidney], NON_PRIVATE, name, f"{name}: the true values", **marker)

    edge_x = min(seen.age + seen.age_reach * math.cos(LEADER_ANGLE), AGES[1] * 0.9)
    edge_y = min(seen.kidney * math.exp(min(seen.kidney_reach * math.sin(LEADER_ANGLE), 50.0)), KIDNEY[1] * 0.6)
    label = f"seen here {100 * COVERAGE:.0f} times in 100"
    _point_out(figure, name, (seen.age, seen.kidney * 1.12), seen.age, TEXT)
    _point_out(figure, label, (edge_x, edge_y), AGES[1] - 24, SECOND_PRIVATE)
    figure.legend += [(name, exact), (label, noisy)]
    return figure


def _point_out(figure: Figure, text: str, tip: tuple[float, float], x: float, colour: str) -> None:
    """Write a label above the plot at ``x``, with a thin line down to ``tip``. On a phone it joins the row of names."""
    top = figure.layout["yaxis"]["range"][1]
    line: dict[str, Any] = {"showarrow": True, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": faded(MUTED, 0.7)}
    figure.label(*tip, "", name="end", axref="x", ayref="y", ax=x, ay=top, **line)
    figure.label(x, KIDNEY[1], text, colour, name="end", xanchor="center", yanchor="bottom", yshift=2)
