"""Trade-off: how much privacy can I afford? Regret against ε for every mechanism of a task, solved both ways."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts import systems
from pages.parts.export.offer import take_away
from pages.parts.export.report import About
from pages.parts.live.desk import Desk
from pages.parts.live.work import Live
from pages.parts.shell.address import choose
from pages.parts.shell.depth import simple
from pages.parts.system.question import Asked, Measure, Unit
from pages.parts.table.diagnostics import warn
from pages.parts.tradeoff.screen import Screen, sent_out, show_details
from pages.parts.tradeoff.setup import cost_of_epsilon, epsilon_for_budget, leave_scale, leave_task, will_leave
from pages.parts.tradeoff.states import Wanted, states, trade_off
from pages.parts.views.drawing import Place, note

MEASURES: dict[str, Measure] = {"Best found": "simple", "Summed up": "cumulative"}


def run() -> None:
    """Show the page; the Simple one is that of the first system that has one."""
    if simple():
        next(system.afford for system in systems.SYSTEMS if system.afford)()
        return
    desk = Desk("What does privacy cost?")
    with desk.first:
        before = st.container(gap=None)
        place = Place("tradeoff")
        measure_place, units_place, stop_place = st.columns([1.5, 1.5, 0.6])
        columns = st.columns(2, gap="medium")
    asked, measure = ask(desk, measure_place)
    if asked is None:
        desk.right.info("There is nothing to tune yet: choose a file on the left, or one of the built-in tasks.")
        return
    unit = pick_unit(asked, units_place)
    scale = f"{asked.task}/{measure}/{unit.text}/{asked.size:.6g}"
    leave_scale(scale, "budget")
    spender, saver = cost_of_epsilon(asked), epsilon_for_budget(asked, unit, scale)
    will_leave([*(slider.key for slider in asked.panel), spender.slider.key, saver.slider.key])
    wanted = Wanted(asked, spender.value, unit.read(saver.value))
    held = any(controls.dragging for controls in (asked.controls, spender.controls, saver.controls))
    live = Live("tradeoff", (asked.task, measure, asked.size), asked=asked.of, held=held)
    screen = Screen(wanted, live, place)
    with before:
        warn(asked.worth)
    with desk.at_once():
        state = screen.begin()
    with desk.below_panel:
        choices = (("Task", asked.task), ("Regret", measure))
        about = About("What does privacy cost?", asked.data, asked.own, asked.remarks, choices)
        take_away(about, lambda: trade_off(asked, wanted.epsilon, wanted.budget))
    screen.ask((spender, saver), columns, state)
    with desk.right:
        asked.show_meaning(wanted.epsilon)
        for remark in asked.remarks:
            note(remark)
        stop_button = stop_place.empty()
        live.offer_stop(stop_button, complete=state.sweep.complete)
        screen.wait(state)
        steps = states(wanted, state, stopped=live.stopped, held=held)
        state = live.follow(steps, screen.draw, ready=lambda step: step.measured) or state
        if state.sweep.complete:
            live.offer_stop(stop_button, complete=True)
        live.rest()
        show_details(asked, state.shown, wanted.budget)


def ask(desk: Desk, measure_place: DeltaGenerator) -> tuple[Asked | None, Measure]:
    """Show the pickers of a task and of its regret, and what is specific to the task; return what is asked."""
    tasks = {system.name: system for system in systems.SYSTEMS if system.question is not None}
    with desk.left:
        task = choose(
            st.segmented_control, "Task", list(tasks), key="tradeoff_task", required=True, label_visibility="collapsed"
        )
    measure: Measure = "simple"
    if tasks[task].measured:
        measure = MEASURES[
            choose(
                measure_place.segmented_control,
                "Regret",
                list(MEASURES),
                default="Best found",
                key="tradeoff_measure",
                required=True,
                label_visibility="collapsed",
            )
        ]
    leave_task(task)
    question = tasks[task].question
    assert question is not None
    with desk.left:
        asked = question(measure)
    if asked is not None:
        desk.hold(asked.key, asked.panel, asked.controls)
    return asked and sent_out(asked), measure


def pick_unit(asked: Asked, place: DeltaGenerator) -> Unit:
    """Show the picker of the unit in which the budget is meant, if there are several."""
    units = {unit.text: unit for unit in asked.units}
    return (
        asked.units[0]
        if len(units) == 1
        else units[
            choose(
                place.segmented_control,
                "Allowed extra regret in",
                list(units),
                key="tradeoff_unit",
                required=True,
                label_visibility="collapsed",
            )
        ]
    )
