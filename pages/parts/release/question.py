"""What Trade-off asks about Release: Algorithms 1 to 3 and private selection, publishing the same thing."""

import operator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from pages.parts.export.offer import arguments
from pages.parts.live.meaning import show_meaning
from pages.parts.live.sliders import Controls, read_controls
from pages.parts.release.script import task_lines
from pages.parts.release.setup import ALGORITHMS, FROM, NO_RECORDS, UP_TO, sliders
from pages.parts.release.tasks import DELTA, HIDDEN, hidden, pick_task, pick_whose, spoken_of
from pages.parts.release.view import digits_of, permute_and_flip, selected
from pages.parts.release.words import SECRET
from pages.parts.shell.address import choose
from pages.parts.system.question import (
    Decided,
    Inquiry,
    Measure,
    Stroke,
    Unit,
    panel_key,
    range_of,
    shared_sliders,
    steps_slider,
)
from pages.parts.views.content import prose
from pages.parts.views.picture import NOISY
from privbo_core.data import TuningTask
from privbo_core.deployment.made import RELEASE_ACTORS
from privbo_core.privacy import Guarantee, largest_expected_loss
from privbo_core.privacy.guarantee import named
from privbo_core.privacy.tries import PoissonTries
from privbo_core.release import best_of_tries
from privbo_core.release.noisy import prior_guarantee
from privbo_core.tradeoff import Published, released_question, ways_question
from privbo_core.tuning import Listed, tries_guarantee

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
    known = {slider.key: slider for algorithm in ALGORITHMS.values() for slider in sliders(task, algorithm)}
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


DECIDABLE: dict[str, Published] = {"Setting": "setting", "Setting and score": "both"}
SELECTION, TRIES = WAYS = "private selection", "best of tries"
DRAWN = {SELECTION: "drawn by private selection", TRIES: "the best of a random number of tries"}
NO_FOLDS = "No ε is known for tries scored in folds, where a record trains other folds’ models: score in parts."
LIMIT = 0.1  # A setting may cost this share of the score's range, where nothing is known of the scores.


def decision() -> Inquiry | None:
    """Show what is published, and how it is drawn; return what is asked, None while nothing can be promised."""
    task = pick_task()
    task = task and pick_whose(task)
    what = choose(st.segmented_control, "Published", list(DECIDABLE), key="decide_published", required=True)
    meant = prose("release", "drawn by")
    way = choose(st.segmented_control, "Drawn by", WAYS, key="decide_way", required=True, help=meant)
    if task is None:
        return None
    in_folds = way == TRIES and hidden(task) is HIDDEN["folds"]
    if missing := NO_RECORDS if task.records is None else NO_FOLDS if in_folds else "":
        st.info(missing)
        return None
    return _inquiry(task, "both" if way == TRIES else DECIDABLE[what], way)


def _inquiry(task: TuningTask, published: Published, way: str) -> Inquiry:
    sample, records = spoken_of(task), task.records
    assert records is not None
    question = ways_question(task, published=published, delta=DELTA)
    curve = next(curve for curve in question.curves if curve.name == way)
    pieces, size = 1 if published == "setting" else 2, 100.0 if sample.percent else 1.0
    named = "percentage points" if sample.percent else f"of {sample.measure}"
    unit = Unit(named, partial(operator.mul, size), partial(operator.mul, 1 / size))
    apart = f"{size * task.largest_loss:g}{' percentage points' if sample.percent else ''}"
    most = largest_expected_loss(task.n, 2.0 * task.largest_loss / records * pieces)  # at ε = 1
    best, own = 1 + float(task.scores.max()), hidden(task)
    covered = f"one of the {records:,} {sample.many} whom the settings were tried on"
    left = "not what they did in training" if own is HIDDEN["folds"] else "not those the models learned from"
    scorers = f"each of the {records:,} {sample.many} scored on, {left}"
    if parts := own is HIDDEN["parts"]:
        scorers = (
            f"each {sample.one}’s record, in training and scoring. Each setting learns and is scored in {records} "
            "parts that share no record"
        )
    gone = f"publish one of {task.n:,} settings{' and its noisy score' if pieces == 2 else ''}, {DRAWN[way]}"
    return Inquiry(
        task="Release",
        question=replace(question, curves=(curve,)),
        of=(task, published, way),
        controls=Controls({"runs": 2.0}),
        low=FROM,
        high=UP_TO,
        size=task.largest_loss,
        units=(unit,),
        cost_is=f"loss of the published setting{', of models that learned from one part alone' if parts else ''}",
        epsilon_is="ε of all that is published",
        relation="Two sets of records that differ in one, whatever it holds.",
        data=task.title,
        own=task.identity is None,
        promise=lambda epsilon: _promise(task, way, epsilon, pieces),
        decided=Decided(
            story=f"A team is to {gone}, to hide {scorers}.",
            goes_out=gone,
            guess=f"which of two records a {sample.one} has",
            of=" of whole records",
            # With as many decimals as the system's own page gives it.
            exactly=lambda cost: f"{cost:.{digits_of(best, best - cost / size) if size > 1 else 3}f}",
            costs_of=f"{unit.name}{f' of {sample.measure}' if sample.percent else ''}, against the best setting",
            unit=f"One {sample.one}: {own.whole if own else covered}",
            actors=RELEASE_ACTORS,
            unprotected=(
                "The list of settings, the range of scores and the number of records"
                f"{' and of the parts that they are split into' if parts else ''} are public.",
                "A model that is trained with the published setting is not covered."
                if parts
                else f"The {sample.many} that the models learned from are not covered: hidden are those scored on.",
                "Each further publication about the same records adds its ε; who stands behind two is hidden less.",
            ),
            fixed=(
                ("settings tried", f"{task.n:,}"),
                ("parts" if parts else "records scored", f"{records:,}"),
                ("score", f"{sample.measure}: a mean of numbers within bounds {apart} apart"),
                ("way", DRAWN[way]),
            ),
            bound=(lambda epsilon: size * min(most / epsilon, task.largest_loss)) if way == SELECTION else None,
            limit=size * LIMIT * task.largest_loss,
        ),
    )


def _promise(task: TuningTask, way: str, epsilon: float, pieces: int) -> Guarantee:
    view = permute_and_flip(task, epsilon / pieces)
    if way == SELECTION:
        return view.guarantee(pieces)
    if isinstance(task, Listed) and task.results is not None:
        return tries_guarantee(task.results, epsilon, DELTA)
    assert task.records is not None
    tries, kept = PoissonTries(float(task.n)), view.guarantee(2)
    plan = best_of_tries(task.scores, records=task.records, epsilon=epsilon, tries=tries, delta=DELTA)
    given = plan.guarantee()
    conditions = (*given.conditions, *named(task.conditions))
    return replace(given, neighbours=kept.neighbours, status=kept.status, conditions=conditions)
