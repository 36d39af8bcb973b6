"""The figures that only the tour has."""

from collections.abc import Sequence

import numpy as np

from pages.parts.outsourced.figures import flat, principal
from pages.parts.values.axes import ONE_TWO_FIVE
from pages.parts.values.palette import MET, NOISY, NON_PRIVATE, RANDOM
from pages.parts.values.picture import Picture
from pages.parts.values.text import SIGMA_Y
from privbo_core.data import Problem
from privbo_core.errors import Array
from privbo_core.tradeoff import Mark

MOST_POINTS = 1500


def two_sides(problem: Problem, z: Array) -> tuple[Picture, int]:
    """Draw records coloured by outcome beside their release without outcomes; return also how many are drawn."""
    keep = np.random.default_rng(0).permutation(problem.n)[:MOST_POINTS]
    picture = Picture()
    (places, names), released = flat(problem), principal(z)
    picture.add(
        "scatter", x=places[keep, 0], y=places[keep, 1], mode="markers", name="curator", hoverinfo="skip",
        marker={"size": 6, "color": problem.objective[keep], "colorscale": "Cividis", "opacity": 0.85},
    )  # fmt: skip
    picture.add(
        "scatter", x=released[keep, 0], y=released[keep, 1], mode="markers", name="modeler", hoverinfo="skip",
        xaxis="x2", yaxis="y2", marker={"size": 6, "color": RANDOM.faded(0.6)},
    )  # fmt: skip
    picture.axis("xaxis", names[0], domain=[0, 0.46])
    picture.axis("yaxis", names[1])
    picture.axis("xaxis2", "first direction of Z", domain=[0.56, 1], anchor="y2")
    picture.axis("yaxis2", "second direction of Z", anchor="x2")
    return picture, len(keep)


def costs(marks: Sequence[Mark], loss: float) -> Picture:
    """Draw extra regret against ε, with the acceptable loss and the region below it."""
    picture = Picture()
    done = [mark.epsilon for mark in marks]
    errors = [mark.standard_error for mark in marks]
    means = [mark.mean for mark in marks]
    left, right = np.log10(done[0]) - 0.05, np.log10(done[-1]) + 0.05
    picture.add(
        "scatter", x=[10**left, 10**right, 10**right, 10**left], y=[loss, loss, -10, -10], fill="toself", mode="lines",
        fillcolor=MET.faded(0.12), line={"width": 0}, hoverinfo="skip",
    )  # fmt: skip
    picture.level(loss, MET)
    picture.label(right, loss, "acceptable", MET, xanchor="right", yshift=9)
    picture.level(0, NON_PRIVATE, dash="dot", width=1.5)
    picture.label(right, 0, "non-private", NON_PRIVATE, xanchor="right", yshift=-9)
    picture.add(
        "scatter", x=done, y=means, mode="lines+markers", name="noisy release", line={"color": NOISY, "width": 2.5},
        marker={"size": 9}, hovertemplate="%{y:.3f} at ε = %{x:g}",
        error_y={"array": errors, "color": NOISY, "thickness": 1.5},
    )  # fmt: skip
    top = 1.15 * max([loss, 0.1, *(mean + error for mean, error in zip(means, errors, strict=True))])
    picture.axis("xaxis", "ε (log scale): more useful →", type="log", range=[left, right], tickvals=ONE_TWO_FIVE)
    picture.axis("yaxis", f"extra regret ({SIGMA_Y})", range=[-0.12 * top, top])
    return picture
