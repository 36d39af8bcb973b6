"""What Trade-off asks about Outsourced: the paper's projection and the noisy release, at the same ε."""

import math
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from pages.parts.live.sliders import Slider, read_controls
from pages.parts.outsourced.promise import neighbours, noisy_neighbours, noisy_promise, show_meaning_of
from pages.parts.outsourced.script import question_lines
from pages.parts.outsourced.setup import DIMENSION, DISTANCE, pick_functions, pick_searching, repeats
from pages.parts.outsourced.shape import pick_shape
from pages.parts.shell.address import choose
from pages.parts.system import usual
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
from pages.parts.views.palette import NOISY
from pages.parts.views.text import SIGMA_Y, as_markdown
from privbo_core.data import Preparation, Problem
from privbo_core.experiments.cluster.question import outsourced_recipe
from privbo_core.outsourced import Setting
from privbo_core.tradeoff import outsourced_question

TASK = "Outsourced"
CONDITIONAL = (
    "The noisy release is drawn hollow with a bar: its frame was read off the data, so its ε is conditional and never "
    "on the front. Data is the place to say what was known of each column."
)
WITHOUT = (
    "With Laplace noise the noisy release’s ε holds without a δ. The same ε is then another attacker, in few columns a "
    "stronger one: Outsourced compares both."
)
AS_SET, LARGEST = "r as set", "Largest feasible r"


def question(measure: Measure) -> Inquiry:
    """Show the pickers, read the sliders, and return what is asked."""
    simulation = pick_functions(pick_problem())
    problem = simulation.problem
    r_choice = choose(
        st.segmented_control,
        "Projection dimension",
        (AS_SET, LARGEST),
        key="tradeoff_r",
        required=True,
        label_visibility="collapsed",
    )
    best_r = r_choice == LARGEST
    shape = pick_shape(problem.frame)
    panel = _panel(problem, best_r)
    controls = read_controls(panel_key(TASK), panel)
    low, high = range_of(controls)
    T, distance, r = controls.whole("T"), controls["distance"], int(controls.values.get("r", usual.R))
    searching = pick_searching(problem)
    setting = searching.of(
        Setting(
            high,
            controls["delta"],
            1 if best_r else r,
            T,
            initial=usual.initial(problem.n),
            protected_distance=distance,
            shape=shape,
        )
    )

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
        cost_is=f"simple regret after {T} evaluations"
        if measure == "simple"
        else f"regret summed over {T} evaluations",
        epsilon_is="ε of the one release that the search runs on",
        relation=_relation(problem, distance),
        data=problem.title,
        own=problem.identity is None,
        lines=lambda: question_lines(simulation, own_recipe(), setting, measure, best_r),
        repeats=repeats(simulation),
        worth=partial(judged, simulation),
        recipe=outsourced_recipe(simulation, setting, measure=measure, best_r=best_r),
        show_meaning=meaning,
        strokes={"noisy release": Stroke("dashdot", colour=NOISY)},
        remarks=(
            "The paper’s projection is drawn hollow and crossed: its ε is refuted (see Audit), so it protects nobody "
            "and is never on the front.",
            *([] if problem.frame.public else [CONDITIONAL]),
            *([WITHOUT] if shape == "laplace" else []),
        ),
    )


def _panel(problem: Problem, best_r: bool) -> list[Slider]:
    return [
        usual.ASKED_DELTA,
        *([] if best_r else [DIMENSION]),
        DISTANCE,
        steps_slider("T", usual.tests(problem.n, 200), usual.STEPS),
        *shared_sliders(*usual.EPSILONS, usual.RUNS, 100),
    ]


def _relation(problem: Problem, distance: float) -> str:
    """Return, as Markdown, who neighbours are for either mechanism."""
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
