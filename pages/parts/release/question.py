"""What Trade-off asks about Release: Algorithms 1 to 3 and private selection, publishing the same thing."""

from typing import Any

import numpy as np
import streamlit as st

from pages.parts.export.script import arguments
from pages.parts.live.meaning import show_meaning
from pages.parts.live.sliders import Slider, read_controls
from pages.parts.release.script import task_lines
from pages.parts.release.setup import ALGORITHMS, FROM, UP_TO, sliders
from pages.parts.release.tasks import pick_task
from pages.parts.shell.address import choose
from pages.parts.system.question import (
    Inquiry,
    Lines,
    Measure,
    Stroke,
    Unit,
    panel_key,
    range_of,
    shared_sliders,
    steps_slider,
)
from pages.parts.views.palette import NOISY
from privbo_core.data import TuningTask
from privbo_core.experiments.cluster.question import released_recipe
from privbo_core.privacy import Guarantee
from privbo_core.release import selection
from privbo_core.release.noisy import prior_guarantee
from privbo_core.tradeoff import Published, released_question

TASK = "Release"
PUBLISHED: dict[str, Published] = {"Setting": "setting", "Score": "score", "Both": "both"}
STROKES = {
    "Algorithm 2": Stroke("dash", "diamond"),
    "Algorithm 3": Stroke("dot", "square"),
    "private selection": Stroke("dashdot", colour=NOISY),
}
SPENT: dict[Published, str] = {
    "setting": "ε of the setting’s release, the only one",
    "score": "ε of the score; private selection’s comes with its setting, and its ε is that of both",
    "both": "ε of setting and score together, half of it for each",
}


def question(measure: Measure) -> Inquiry | None:
    """Show the pickers, read the sliders, and return what is asked; None while there is no task."""
    task = pick_task()
    published = PUBLISHED[
        choose(
            st.segmented_control,
            "Published",
            list(PUBLISHED),
            default="Setting",
            key="tradeoff_published",
            required=True,
            help="Setting: the tuned setting alone. Score: its noisy score. Both cost twice the ε of one.",
        )
    ]
    if task is None:
        return None
    score = published == "score"
    panel = _panel(task, score)
    controls = read_controls(panel_key(TASK), panel)
    low, high = range_of(controls)
    values = controls.values
    options: dict[str, Any] = {name: values[name] for name in ("sigma", "delta", "k1", "A", "tau") if name in values}
    iterations = controls.whole("T")
    return Inquiry(
        task=TASK,
        question=released_question(task, published=published, iterations=iterations, **options),
        of=(task, published, *sorted(values.items())),
        panel=panel,
        controls=controls,
        low=low,
        high=high,
        size=float(np.ptp(task.scores)),
        units=(Unit("in score", float, float),),
        cost_is="error of the published score" if score else "loss of the published setting",
        epsilon_is=SPENT[published],
        relation=(
            "Two validation sets that differ in one record, whatever it holds; for Algorithms 1 and 2 moreover only if "
            "their scores have prior correlation k₁ or more."
        ),
        data=task.title,
        own=task.identity is None,
        lines=lambda: question_lines(
            st.session_state["task"], {"published": published, "iterations": iterations, **options}
        ),
        show_meaning=lambda epsilon: show_meaning(
            _best_promise(task, published, epsilon, values["delta"]), "that a record is the real one"
        ),
        remarks=_remarks(task, score),
        log_costs=score,
        strokes=STROKES,
        recipe=released_recipe(task, published=published, iterations=iterations, **options),
    )


def question_lines(name: str, options: dict[str, object]) -> Lines:
    """Return what makes the question in a script."""
    lines = [*task_lines(name), f"question = released_question(task, {arguments(options)})"]
    return ["from privbo_core.tradeoff import measure, released_question, settle, sweep"], lines


def _panel(task: TuningTask, score: bool) -> list[Slider]:
    known = {slider.key: slider for algorithm in ALGORITHMS.values() for slider in sliders(task, algorithm)}
    return [
        *(known[key] for key in ("delta", "k1", "sigma", *(("A", "tau") if score else ()))),
        steps_slider("T", min(200, task.n), 50),
        *shared_sliders(FROM, UP_TO, 20, 100),
    ]


def _remarks(task: TuningTask, score: bool) -> tuple[str, ...]:
    remarks = [
        "Algorithms 1 and 2 keep the paper’s claim, over a prior; private selection is proved for every dataset."
    ]
    if task.records is None:
        remarks.append("How many records are behind each score is not known, so private selection cannot be set up.")
    if score and task.loss is None:
        remarks.append("Algorithm 3 needs a regularised model with a Lipschitz loss, which this task is not.")
    return tuple(remarks)


def _best_promise(task: TuningTask, published: Published, epsilon: float, delta: float) -> Guarantee:
    """Return private selection's promise, or where it cannot be set up, Algorithm 1's claim, at ε for all together."""
    if task.records is None:
        pieces = 2 if published == "both" else 1
        return prior_guarantee(epsilon / pieces, delta, pieces, "Algorithm 1, Corollaries 1 and 2")
    pieces = 1 if published == "setting" else 2
    rows = list(range(min(2, task.n)))
    plan = selection(
        task.scores, records=task.records, epsilon=epsilon / pieces, rows=rows, largest_loss=task.largest_loss
    )
    return plan.guarantee(pieces)
