"""What Decide asks about Release: one of the settings that were tried, by either of the ways that are proved."""

import math
from dataclasses import replace
from functools import partial

import streamlit as st

from pages.parts.live.sliders import Controls
from pages.parts.release.setup import NO_RECORDS, Setup
from pages.parts.release.tasks import HIDDEN, hidden, pick_task, spoken_of
from pages.parts.release.view import compute, digits_of
from pages.parts.shell.address import choose
from pages.parts.system.deciding import Decided
from pages.parts.system.question import Inquiry, Unit
from privbo_core.data import TuningTask
from privbo_core.deployment.made import RELEASE_ACTORS
from privbo_core.privacy import Guarantee
from privbo_core.privacy.tries import PoissonTries
from privbo_core.release import best_of_tries
from privbo_core.tradeoff import Published, ways_question

PUBLISHED: dict[str, Published] = {"Setting": "setting", "Setting and score": "both"}
SELECTION, TRIES = WAYS = "private selection", "best of tries"
DRAWN = {SELECTION: "drawn by private selection", TRIES: "the best of a random number of tries"}
DELTA = 1e-5
"""Of the best of tries; private selection has none."""
LIMIT = 0.1
"""A setting may cost this share of the score's range, where nothing is known of the scores."""


def decision() -> Inquiry | None:
    """Show what is published, and how it is drawn; return what is asked, None while nothing can be promised."""
    task = pick_task()
    what = choose(st.segmented_control, "Published", list(PUBLISHED), key="decide_published", required=True)
    way = choose(
        st.segmented_control,
        "Drawn by",
        WAYS,
        key="decide_way",
        required=True,
        help="Private selection: from the scores of all settings. Best of tries: settings are tried at random, and the "
        "best noisy score is published with its setting; for lists that are too long to be tried.",
    )
    if task is None:
        return None
    if task.records is None:
        st.info(NO_RECORDS)
        return None
    return _asked(task, "both" if way == TRIES else PUBLISHED[what], way)


def _asked(task: TuningTask, published: Published, way: str) -> Inquiry:
    sample, records = spoken_of(task), task.records
    assert records is not None
    question = ways_question(task, published=published, delta=DELTA)
    curve = next(curve for curve in question.curves if curve.name == way)
    pieces, size = 1 if published == "setting" else 2, 100.0 if sample.percent else 1.0
    unit = Unit(
        "percentage points" if sample.percent else f"of {sample.measure}",
        partial(_times, size),
        partial(_times, 1 / size),
    )
    most = 2.0 * task.largest_loss / records * (math.log(task.n) + 1.0) * pieces
    own, covered = hidden(task), f"one of the {records:,} {sample.many} whom the settings were tried on"
    gone = f"publish one of {task.n:,} settings{' and its noisy score' if pieces == 2 else ''}, {DRAWN[way]}"
    return Inquiry(
        task="Release",
        question=replace(question, curves=(curve,)),
        of=(task, published, way),
        panel=[],
        controls=Controls({"runs": 2.0}),
        low=curve.low,
        high=curve.high,
        size=task.largest_loss,
        units=(unit,),
        cost_is="loss of the published setting",
        epsilon_is="ε of all that is published",
        relation="Two validation sets that differ in one record, whatever it holds.",
        data=task.title,
        own=task.identity is None,
        lines=lambda: ([], []),
        show_meaning=lambda epsilon: None,
        promise=lambda epsilon: _promise(task, way, epsilon, pieces),
        decided=Decided(
            story=f"A team is to {gone}; that hides each of the {records:,} {sample.many} who scored them"
            f"{'' if own else ', not those whom the models learned from'}.",
            goes_out=gone,
            guess=f"which of two records a {sample.one} has",
            exactly=lambda cost: _exactly(float(task.scores.max()), cost / size, size),
            costs_of=f"{unit.name}{f' of {sample.measure}' if sample.percent else ''}, against the best of them",
            unit=f"One {sample.one}: {own.whole if own else covered}",
            actors=RELEASE_ACTORS,
            unprotected=(
                "The list of settings, the range of scores and the number of records are public.",
                "Training records are covered too: each lies in one of the parts."
                if own is HIDDEN["parts"]
                else f"The {sample.many} that the models learned from are not covered: hidden are only those scored.",
                "Each further publication about the same records adds its ε.",
            ),
            fixed=(("settings tried", f"{task.n:,}"), ("records scored", f"{records:,}"), ("way", DRAWN[way])),
            bound=(lambda epsilon: size * most / epsilon) if way == SELECTION else None,
            limit=size * LIMIT * task.largest_loss,
        ),
    )


def _exactly(best: float, cost: float, size: float) -> str:
    """Return a cost with as many decimals as the system's own page gives it."""
    return f"{size * cost:.{digits_of(1 + best, 1 + best - cost) if size > 1 else 3}f}"


def _times(factor: float, cost: float) -> float:
    return factor * cost


def _promise(task: TuningTask, way: str, epsilon: float, pieces: int) -> Guarantee:
    """Return what the system's own page promises."""
    view = compute(Setup(task, 0, "icml", {"epsilon": epsilon / pieces, "a": 3.0}))
    if way == SELECTION:
        return view.guarantee(pieces)
    assert task.records is not None
    tries, kept = PoissonTries(float(task.n)), view.guarantee(2)
    plan = best_of_tries(task.scores, records=task.records, epsilon=epsilon, tries=tries, delta=DELTA)
    given = plan.guarantee()
    return replace(
        given, neighbours=kept.neighbours, status=kept.status, assumptions=(*given.assumptions, *task.conditions)
    )
