"""Regret along r and along ε on the Outsourced page: the same dice everywhere, the present setting among them."""

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from pages.parts.live.sliders import read_controls
from pages.parts.outsourced.figures import TICKS
from pages.parts.outsourced.promise import neighbours, noisy_neighbours, noisy_promise, show_meaning_of
from pages.parts.outsourced.script import question_lines
from pages.parts.outsourced.setup import DIMENSION, DISTANCE, pick_functions, pick_searching, repeats
from pages.parts.shell.address import choose
from pages.parts.system import system
from pages.parts.system.question import (
    Inquiry,
    Measure,
    Stroke,
    Unit,
    panel_key,
    range_of,
    shared_sliders,
    steps_slider,
)
from pages.parts.table.diagnostics import judged
from pages.parts.table.own_table import own_recipe, pick_problem
from pages.parts.views.content import prose
from pages.parts.views.picture import NOISY, NON_PRIVATE, PRIVATE, Picture
from pages.parts.views.text import SIGMA_MIN, SIGMA_Y, as_markdown
from privbo_core.bo import Band
from privbo_core.data import Preparation, Problem
from privbo_core.outsourced import Setting
from privbo_core.tradeoff import outsourced_question


@dataclass(frozen=True)
class Swept:
    """Final regret along one setting, as far as it has been computed, beside the search without privacy.

    ``title``: the setting's, at the axis; ``unit``: the regret's; ``now``: the present setting; ``turn``: where the
    condition turns, and whether it is met to the right of that.
    """

    title: str
    x: list[float]
    results: dict[float, Band]
    plain: float
    now: float
    turn: float
    feasible_right: bool
    unit: str = SIGMA_Y


def sweep(swept: Swept) -> Picture:
    """Draw final regret against one setting, as far as it has been computed, with the region where σ_min ≥ ω."""
    picture = Picture()
    x, results = swept.x, swept.results
    done = [value for value in x if value in results]
    left, right = math.log10(x[0]), math.log10(x[-1])
    turning = min(max(math.log10(max(swept.turn, 1e-9)), left), right)
    start, end = (turning, right) if swept.feasible_right else (left, turning)
    if end > start:
        picture.region(10**start, 10**end, PRIVATE.faded(0.1))
        picture.label((start + end) / 2, 1, f"{SIGMA_MIN} ≥ ω", PRIVATE, yref="paper", xanchor="center", yanchor="top")
    means = [float(results[value].mean[-1]) for value in done]
    errors = {"array": [float(results[value].standard_error[-1]) for value in done]}
    hover = "%{y:.3f} at %{x:.3g}"
    picture.points(done, means, PRIVATE, 2, errors, marker={"size": 8}, name="private", hovertemplate=hover)
    picture.level(swept.plain, NON_PRIVATE)
    picture.label(left, swept.plain, "non-private", NON_PRIVATE, yshift=9)
    picture.upright(swept.now, PRIVATE, dash="dot", width=1.5)
    picture.axis("xaxis", swept.title, type="log", range=[left - 0.03, right + 0.03], tickvals=TICKS)
    picture.axis("yaxis", f"final simple regret ({swept.unit})", rangemode="tozero")
    return picture


TASK = "Outsourced"
AS_SET, LARGEST = "r as set", "Largest feasible r"


def question(measure: Measure) -> Inquiry:
    assert measure != "early", "there are no rounds"
    simulation = pick_functions(pick_problem())
    problem = simulation.problem
    look: dict[str, Any] = {"required": True, "label_visibility": "collapsed"}
    offered = AS_SET, LARGEST
    best_r = choose(st.segmented_control, "Projection dimension", offered, key="tradeoff_r", **look) == LARGEST
    panel = [
        system.ASKED_DELTA,
        *([] if best_r else [DIMENSION]),
        DISTANCE,
        steps_slider("T", system.tests(problem.n, 200), system.STEPS),
        *shared_sliders(*system.EPSILONS, system.RUNS, 100),
    ]
    controls = read_controls(panel_key(TASK), panel)
    low, high = range_of(controls)
    T, distance, r = controls.whole("T"), controls["distance"], int(controls.values.get("r", system.R))
    setting = Setting(high, controls["delta"], 1 if best_r else r, T, initial=system.initial(problem.n))
    setting = pick_searching(problem).of(replace(setting, protected_distance=distance))

    def meaning(epsilon: float) -> None:
        at = replace(setting, epsilon=epsilon)
        show_meaning_of(noisy_promise(simulation, at), at, problem, "noisy")

    return Inquiry(
        task=TASK,
        question=outsourced_question(simulation, setting, measure=measure, best_r=best_r),
        of=(simulation, measure, best_r, setting, controls.whole("runs"), low, high),
        panel=panel,
        controls=controls,
        low=low,
        high=high,
        size=1.0,
        summed=T if measure == "cumulative" else None,
        units=(Unit(SIGMA_Y, float, float), *_original(problem.preparation, problem.sigma_y, measure)),
        cost_is=f"{'simple regret after' if measure == 'simple' else 'regret summed over'} {T} evaluations",
        epsilon_is="ε of the one release that the search runs on",
        relation=_relation(problem, distance),
        data=problem.title,
        own=problem.identity is None,
        lines=lambda: question_lines(simulation, own_recipe(), setting, measure, best_r),
        repeats=repeats(simulation),
        worth=partial(judged, simulation),
        show_meaning=meaning,
        strokes={"noisy release": Stroke("dashdot", colour=NOISY)},
        remarks=(
            prose("outsourced", "the projection on Trade-off"),
            *([] if problem.frame.public else [prose("outsourced", "a release whose frame was read off")]),
        ),
    )


def _relation(problem: Problem, distance: float) -> str:
    alike = np.allclose(distance * problem.frame.hide, problem.unit_distance)
    noisy = "the same." if alike else as_markdown(noisy_neighbours(problem, distance))
    differ = "" if alike else " These differ, so the two ε are not the same promise."
    return f"**Projection:** {as_markdown(neighbours(problem))} **Noisy release:** {noisy}{differ}"


def _original(preparation: Preparation | None, sigma_y: float, measure: Measure) -> tuple[Unit, ...]:
    """Return the output's own unit, if it has one that regrets can be said in: a sum of logarithms has none."""
    if preparation is None or (preparation.log_output and measure == "cumulative"):
        return ()
    scale, name = preparation.output_scale, preparation.output_unit

    def write(cost: float) -> float:
        return float(preparation.output_difference(cost * sigma_y))

    def read(amount: float) -> float:
        difference = math.log(max(amount, 1.0)) if preparation.log_output else amount
        return difference / (scale * sigma_y)

    return (Unit(name or "output units", write, read, preparation.log_output),)
