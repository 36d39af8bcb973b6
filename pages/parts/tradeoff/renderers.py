"""Trade-off in Expert: the pickers, the figure, the two answers, each with its slider, and what explains them.

What Simple shows belongs to a system (`System.afford`).
"""

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts import systems
from pages.parts.export.offer import About, take_away
from pages.parts.live.desk import Desk
from pages.parts.live.sliders import show_sliders
from pages.parts.live.work import Live, Steps
from pages.parts.shell.address import choose
from pages.parts.system.question import Inquiry, Measure, Unit
from pages.parts.table.diagnostics import warn
from pages.parts.tradeoff.figures import top_of
from pages.parts.tradeoff.states import State, Wanted, trade_off
from pages.parts.tradeoff.view import (
    View,
    compute,
    cost_of_epsilon,
    epsilon_for_budget,
    leave_scale,
    leave_task,
    will_leave,
)
from pages.parts.views.content import explanation
from pages.parts.views.drawing import Place, note, show, show_answer
from pages.parts.views.templates import explain_beside
from pages.parts.views.text import as_markdown, epsilon_text
from pages.parts.views.views import Finding, keep_explanation
from privbo_core.tradeoff import Sweep, front

PAGE, TASK = "What does privacy cost?", "tradeoff_task"
BARE: dict[str, Any] = {"required": True, "label_visibility": "collapsed"}
MEASURES: dict[Measure, str] = {"early": "First rounds", "simple": "Best found", "cumulative": "Summed up"}


class Expert:
    """All mechanisms of a task, and the question asked both ways."""

    def begin(self) -> tuple[Steps[View], Live] | None:
        desk = self._desk = Desk(PAGE)
        with desk.first:
            before = st.container(gap=None)
            self._place = Place("tradeoff")
            measure_place, units_place, stop_place = st.columns([1.5, 1.5, 0.6])
            columns = st.columns(2, gap="medium")
        asked, measure = ask(desk, measure_place)
        if asked is None:
            desk.right.info("There is nothing to tune yet: choose a file on the left, or one of the built-in tasks.")
            return None
        unit = pick_unit(asked, units_place)
        scale = f"{asked.task}/{measure}/{unit.text}/{asked.size:.6g}"
        leave_scale(scale, "budget")
        spender, saver = solvers = cost_of_epsilon(asked), epsilon_for_budget(asked, unit, scale)
        will_leave([*(slider.key for slider in asked.panel), spender.slider.key, saver.slider.key])
        wanted = Wanted(asked, spender.value, unit.read(saver.value))
        held = any(controls.dragging for controls in (asked.controls, spender.controls, saver.controls))
        live = Live("tradeoff", (asked.task, measure, asked.size), asked=asked.of, held=held)
        last = live.before("state") if live.before("of") == asked.of else State()
        view = View(wanted, last.again(same_budget=live.before("budget") == wanted.budget), live.stopped)
        self._seen: tuple[object, ...] = ()
        with before:
            warn(asked.worth)
        with desk.at_once():
            if view.state.sweep.runs:
                self._picture(view, live)
        with desk.below_panel:
            choices = (("Task", asked.task), ("Regret", measure))
            about = About(PAGE, asked.data, asked.own, asked.remarks, choices)
            take_away(about, lambda: trade_off(asked, wanted.epsilon, wanted.budget))
        places = []
        for column in columns:
            with column:
                places.append((st.empty(), st.container(), st.empty()))
        self._saver, (self._costs, self._needs) = saver, [text for _, _, text in places]
        self._answers(view)  # until they are there, the last ones dimmed
        for solver, (head, panel, _) in zip(solvers, places, strict=True):
            show(Finding(solver.heading, "simulation"), head)
            with panel:
                show_sliders(solver.key, [solver.slider], solver.controls)
        with desk.right:
            asked.show_meaning(wanted.epsilon)
            for remark in asked.remarks:
                note(remark)
            self._button = stop_place.empty()
            live.offer_stop(self._button, complete=view.state.sweep.complete)
            if not view.worth_drawing:
                self._place.dim()  # what an earlier question has left there
        return compute(view, held=held), live

    def ready(self, view: View) -> bool:
        return view.state.measured

    def draw(self, view: View, live: Live) -> None:
        if view.worth_drawing:
            self._picture(view, live)
        if view.over:
            live.put_axis(top_of(view.state.sweep))
        self._answers(view)
        live.remember(of=view.inquiry.of, budget=view.wanted.budget, state=view.state)

    def end(self, view: View, live: Live) -> None:
        with self._desk.right:
            if view.state.sweep.complete:
                live.offer_stop(self._button, complete=True)
            live.rest()
            show_details(view.inquiry, view.state.shown, view.wanted.budget)

    def _picture(self, view: View, live: Live) -> None:
        if self._seen != view.seen:
            self._seen = view.seen
            self._place.draw(view.figure(live.axis()))

    def _answers(self, view: View) -> None:
        show_answer(f"What does ε = {view.wanted.epsilon:.3g} cost?", view.cost, self._costs)
        budget = f"{self._saver.slider.label}: {self._saver.value:.3g}"
        show_answer(f"Which ε do I need for {budget}?", view.needed, self._needs)


def ask(desk: Desk, measure_place: DeltaGenerator) -> tuple[Inquiry | None, Measure]:
    """Show the pickers of a task and of its regret, and what is specific to the task; return what is asked."""
    tasks = {system.name: system for system in systems.SYSTEMS if system.question is not None}
    with desk.left:
        task = choose(st.segmented_control, "Task", list(tasks), key=TASK, persist_state="session", **BARE)
    measure: Measure = "simple"
    if measures := {MEASURES[each]: each for each in tasks[task].measures}:
        pick = measure_place.segmented_control
        measure = measures[choose(pick, "Regret", list(measures), key="tradeoff_measure", **BARE)]
    leave_task(task)
    question = tasks[task].question
    assert question is not None
    with desk.left:
        asked = question(measure)
    if asked is not None:
        desk.hold(asked.key, asked.panel, asked.controls)
    return asked, measure


def pick_unit(asked: Inquiry, place: DeltaGenerator) -> Unit:
    units = {unit.text: unit for unit in asked.units}
    if len(units) == 1:
        return asked.units[0]
    return units[choose(place.segmented_control, "Allowed extra regret in", list(units), key="tradeoff_unit", **BARE)]


def apart() -> str:
    (name, who), *others = ((each.name, each.neighbours) for each in systems.SYSTEMS if each.question)
    said = ", ".join([f"{name} protects {who}", *(f"{name} {who}" for name, who in others)])
    return f"**An ε of one task says nothing about another task.** {said}. Compare within one task only."


def show_details(asked: Inquiry, sweep: Sweep, budget: float) -> None:
    on_front = front(asked.question.curves, sweep.marks)
    stairs = ", ".join(f"{epsilon_text(mark.epsilon)} ({name})" for name, mark in on_front) or "no mark yet"
    allowed = f"{budget:.3g} {as_markdown(asked.units[0].text)}"
    explain_beside(
        explanation("tradeoff", "the figure", asked=asked, stairs=stairs),
        explanation("tradeoff", "the two answers", runs=asked.runs, budget=allowed, compared=_compared(asked)),
    )
    with st.expander("Neighbours here, and why tasks are not compared"):
        st.markdown(neighbours := f"{asked.relation}\n\n{apart()}")
    keep_explanation("neighbours here", neighbours)


def _compared(asked: Inquiry) -> str:
    """Return which search without privacy each mechanism is compared with, if there are several."""
    question = asked.question
    if len({question.reference(curve).name for curve in question.curves}) == 1:
        return question.plain.name
    each = "; ".join(f"{curve.name}: {question.reference(curve).name}" for curve in question.curves)
    return f"{each}: the one that uses the same model, for a better or worse model is not a cost of privacy"
