"""The picture on Start that moves while one drags: records as they are handed out at an ε, and what stays hidden."""

import numpy as np
import streamlit as st

from pages.parts.live.desk import plain
from pages.parts.live.sliders import of_epsilon, read_controls, show_sliders
from pages.parts.system import usual
from pages.parts.views.drawing import Chart
from pages.parts.views.palette import NOISY, NON_PRIVATE, PAPER
from pages.parts.views.picture import Picture
from pages.parts.views.templates import render
from privbo_core.data import sample
from privbo_core.outsourced import noise_deviation

SAMPLE, SHOWN = "hospital", 400
ROUND = np.linspace(0.0, 2.0 * np.pi, 61)
SLIDERS = (plain(of_epsilon(*usual.EPSILONS, 1.0, "How much may leak.")),)
ALT = "A sample’s records as they are handed out, with noise; around one of them, where it may have been."


def show_blur() -> None:
    """Draw it, and beside it, below what stands there, the slider that moves it."""
    left, right = st.columns([1, 1.3], gap="medium")
    with left:
        st.html(render("start_simple.html"))
        controls = read_controls("blur", SLIDERS)
    with right:
        Chart("blur").draw(blurred(controls["epsilon"]), ALT)
    with left:
        show_sliders("blur", SLIDERS, controls)


def blurred(epsilon: float) -> Picture:
    """Draw some of the sample's records with the noise that this ε needs; of one, where it is and may appear to be.

    The noise is the same at each ε but for its size, so that every point moves on a line while one drags.
    """
    problem, rng = sample(SAMPLE), np.random.default_rng(7)
    frame = problem.frame
    sigma = noise_deviation(epsilon, usual.DELTA, bounds=frame.bounds, protected_distance=1.0, d=frame.d)
    rows = rng.choice(problem.n, SHOWN, replace=False)
    true = problem.original[rows][:, :2]
    seen = true + sigma * frame.hide[:2] * rng.standard_normal(true.shape)
    middle = int((((true - np.median(true, axis=0)) / frame.hide[:2]) ** 2).sum(axis=1).argmin())
    picture = Picture(height=190, margin={"l": 16, "r": 16, "t": 6, "b": 30})
    picture.add(
        "scatter",
        x=seen[:, 0],
        y=seen[:, 1],
        mode="markers",
        hoverinfo="skip",
        marker={"color": NOISY.faded(0.35), "size": 5},
    )
    (x, y), (wide, high) = true[middle], 2 * sigma * frame.hide[:2]
    picture.add(
        "scatter",
        x=x + wide * np.cos(ROUND),
        y=y + high * np.sin(ROUND),
        mode="lines",
        fill="toself",
        fillcolor=NOISY.faded(0.15),
        line={"color": NOISY, "width": 2.5},
        hoverinfo="skip",
    )
    picture.add(
        "scatter",
        x=[x],
        y=[y],
        mode="markers",
        hoverinfo="skip",
        marker={"color": NON_PRIVATE, "size": 9, "line": {"color": PAPER, "width": 1.5}},
    )
    picture.axis("xaxis", "age", range=[30, 120], showticklabels=False)
    picture.axis("yaxis", "kidney value", range=[-1.5, 2.2], showticklabels=False)
    return picture
