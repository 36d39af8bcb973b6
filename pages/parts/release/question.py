"""What Trade-off asks about Release: Algorithms 1 to 3 and private selection, publishing the same thing."""

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from pages.parts.export.offer import arguments
from pages.parts.live.meaning import show_meaning
from pages.parts.live.sliders import read_controls
from pages.parts.release.script import task_lines
from pages.parts.release.setup import FROM, UP_TO, sliders
from pages.parts.release.tasks import pick_task
from pages.parts.release.view import selected
from pages.parts.release.words import SECRET
from pages.parts.shell.address import choose
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
from pages.parts.views.picture import NOISY
from privbo_core.data import TuningTask
from privbo_core.privacy import Guarantee
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
    pick = partial(choose, st.segmented_control, "Published", list(PUBLISHED), key="tradeoff_published", required=True)
    meant = "Setting: the tuned setting alone. Score: its noisy score. Both cost twice the ε of one."
    published = PUBLISHED[pick(default="Setting", help=meant)]
    if task is None:
        return None
    score = published == "score"
    known = sliders()
    asked = [known[key] for key in ("delta", "k1", "sigma", *(("A", "tau") if score else ()))]
    panel = [*asked, steps_slider("T", min(400, task.n), 50), *shared_sliders(FROM, UP_TO, 20, 100)]
    controls = read_controls(panel_key(TASK), panel)
    low, high = range_of(controls)
    values = controls.values
    options: dict[str, Any] = {"published": published, "iterations": controls.whole("T")}
    options |= {name: values[name] for name in ("sigma", "delta", "k1", "A", "tau") if name in values}
    drawn = f"draws here among {options['iterations']} of the {task.n:,} settings, picked at random"
    remarks = [
        "Algorithms 1 and 2 claim their ε over a prior, and Algorithm 2’s score breaks it on a real pair of datasets "
        "(see Audit); private selection is proved for every dataset.",
        "How many records are behind each score is not known, so private selection cannot be set up."
        if task.records is None
        else f"Private selection {drawn}; on Start and Release, among all.",
    ]
    if score and task.loss is None:
        remarks.append("Algorithm 3 needs a regularised model with a Lipschitz loss, which this task is not.")
    return Inquiry(
        task=TASK,
        question=released_question(task, **options),
        of=(task, published, *sorted(values.items())),
        panel=panel,
        controls=controls,
        low=low,
        high=high,
        size=float(np.ptp(task.scores)),
        units=(Unit("in score"),),
        cost_is="error of the published score" if score else "loss of the published setting",
        epsilon_is=SPENT[published],
        relation="Two validation sets that differ in one record, whatever it holds; for Algorithms 1 and 2 moreover "
        "only if their scores have prior correlation k₁ or more.",
        data=task.title,
        own=task.identity is None,
        lines=lambda: (
            ["from privbo_core.tradeoff import measure, released_question, settle, sweep"],
            [*task_lines(st.session_state["task"]), f"question = released_question(task, {arguments(options)})"],
        ),
        show_meaning=lambda epsilon: show_meaning(_best_promise(task, published, epsilon, values["delta"]), SECRET),
        remarks=tuple(remarks),
        log_costs=score,
        strokes=STROKES,
    )


def _best_promise(task: TuningTask, published: Published, epsilon: float, delta: float) -> Guarantee:
    """Return private selection's promise, or where it cannot be set up, Algorithm 1's claim, at ε for all together."""
    if task.records is None:
        pieces = 2 if published == "both" else 1
        return prior_guarantee(epsilon / pieces, delta, pieces, "Algorithm 1, Corollaries 1 and 2")
    pieces = 1 if published == "setting" else 2
    return selected(task, epsilon / pieces, "exponential", list(range(min(2, task.n)))).guarantee(pieces)
