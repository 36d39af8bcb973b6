"""The Release page: a team publishes a tuned setting and its score (DP-BO, and private selection instead of it)."""

import streamlit as st

from pages.parts.export.offer import About, take_away
from pages.parts.live.desk import Desk, Sheet, plain
from pages.parts.live.meaning import show_meaning
from pages.parts.live.work import Live
from pages.parts.release import figures, words
from pages.parts.release.details import show_details
from pages.parts.release.promise import show_promise
from pages.parts.release.script import release_script
from pages.parts.release.setup import (
    NO_RECORDS,
    Algorithm,
    Setup,
    left_in_expert,
    missing,
    pick_algorithm,
    sliders,
    with_notches,
    within_range,
)
from pages.parts.release.tasks import pick_task
from pages.parts.release.theatre import Theatre
from pages.parts.release.view import QUESTION, View, compute
from pages.parts.shell.depth import simple
from pages.parts.system.system import link_to_audit
from pages.parts.views.drawing import show
from pages.parts.views.views import Figure, Finding

PANEL = "release"  # The panel of sliders, which both depths share.
SLOT = "chances"
TAKEN = ("epsilon", "k1", "A", "tau")  # The settings that Audit has sliders for.
AUDITED: dict[Algorithm, tuple[str, str]] = {
    0: ("selection", "setting"),
    1: ("score", "noisy"),
    2: ("score", "exact"),
    3: ("score", "ramp"),
    4: ("selection", "exponential"),
}
"""What Audit attacks, and how, where this algorithm publishes."""


def run() -> None:
    """Read what is set, compute the view of it, and draw that: one slider and one sentence, or all there is."""
    (_show_simply if simple() else _show_all)()


def _show_simply() -> None:
    """Draw what private selection, which is proved, costs."""
    sheet = Sheet(SLOT)
    with sheet.picker:
        task = pick_task()
    if task is None or task.records is None:
        sheet.open(QUESTION, "There is nothing to tune yet: choose a file, or one of the built-in tasks.")
        if task is not None:
            sheet.rest.info(NO_RECORDS)
        return
    controls = sheet.read(PANEL, [plain(slider) for slider in sliders(task, 0)], ["epsilon"])
    view = compute(Setup(task, 0, "icml", controls.values))
    live = Live("release simple", task.title, held=controls.dragging)
    sheet.open(QUESTION, f"{view.story}{left_in_expert()}")
    sheet.say(view.brief)
    sheet.place.draw(Figure(SLOT, Finding(view.answer, "curator"), figures.chances(view), view.alt))
    sheet.close_panel()
    with sheet.rest:
        _take_away(view)
        show_meaning(view.guarantee(1), words.SECRET)
        link_to_audit("selection", epsilon=controls["epsilon"])
    live.rest()


def _show_all() -> None:
    """Draw what to publish first, whatever is chosen; then what is chosen."""
    desk = Desk(words.TITLE)
    with desk.left:
        task = pick_task()
        algorithm, variant = pick_algorithm()
    problem = missing(task, algorithm)
    if problem or task is None:
        desk.right.info(problem)
        return
    panel = sliders(task, algorithm)
    controls = desk.read(PANEL, panel)
    view = compute(within_range(Setup(task, algorithm, variant, controls.values), controls, panel))
    live = Live("release", (view.task.title, algorithm), held=controls.dragging)
    theorem = 2 if 2 in view.bounds else view.score_bound.theorem
    with desk.at_once(with_notches(panel, view.starts_at(theorem))):
        if answer := words.lead(view):
            with st.container(key="lead"):
                show(answer)
        show(words.headline(view))
        theatre = Theatre(view, panel[1].min, live)
    with desk.below_panel:
        remarks, warnings = words.cautions(view)
        for remark in remarks:
            st.info(remark)
        for warning in warnings:
            st.warning(warning)
        _take_away(view, ("Algorithm", view.name if view.selects else str(algorithm)), ("Paper", variant))
    with desk.right:
        theatre.offer()
        show_promise(view)
        given: dict[str, float] = {name: controls[name] for name in TAKEN if name in controls.values}
        mechanism, attack = AUDITED[algorithm]
        link_to_audit(mechanism, attack, **given)
    live.rest()
    theatre.play()
    theatre.explain()
    show_details(view)


def _take_away(view: View, *choices: tuple[str, str]) -> None:
    task = view.task
    prior = f"Centre, unit and length-scales of the score were learned from {task.prior_from}."
    about = About(words.TITLE, task.title, task.identity is None, (prior,), choices)
    take_away(about, lambda: release_script(st.session_state["task"], view))
