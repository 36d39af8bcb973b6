"""The Simple tour: its steps on the left, one sentence and one figure on the right, and below it the one slider."""

from dataclasses import replace

import streamlit as st

from pages.parts.lessons.asking import Stage
from pages.parts.lessons.choosing import STEP, choose_step, cover_of, leave_other_steps, show_moves
from pages.parts.lessons.lesson import Seen, wording_of
from pages.parts.lessons.steps.outsourced import EPSILON, Station
from pages.parts.lessons.steps.simple import STEPS, values
from pages.parts.live.desk import Desk, plain
from pages.parts.live.work import Live, follow
from pages.parts.outsourced.setup import pick_searching
from pages.parts.outsourced.view import View as Searched
from pages.parts.outsourced.view import compute
from pages.parts.shell.address import choose
from pages.parts.system import usual
from pages.parts.table.own_table import public_simulation
from pages.parts.views.drawing import Spot
from pages.parts.views.templates import render
from pages.parts.views.views import View

DATA = ("hospital", "homes")


def run(desk: Desk, named: frozenset[str]) -> None:
    """Show the step that is chosen; ``named``: what the address named on arrival."""
    wording = wording_of("simple")
    with desk.left:
        data = choose(
            st.segmented_control,
            "Data",
            DATA,
            key="told_with",
            format_func=str.capitalize,
            required=True,
            persist_state="session",
        )
        number = choose_step("outsourced", wording.names)
    step, slider = STEPS[number - 1], plain(EPSILON)
    leave_other_steps("tour/simple", [slider.key])
    cover = cover_of(f"plain/{wording.names[number - 1]}", named, [slider.key])
    simulation = public_simulation(data)
    controls = desk.read("tour/simple", [slider])
    controls.values.update(T=min(usual.STEPS, simulation.problem.n), runs=usual.RUNS)
    searching = pick_searching(simulation.problem, shown=False)
    searched = Searched(Station(simulation, controls, searching).case("noisy"))
    question = wording.question(number - 1, values(searched))
    if cover.guess is None:
        with desk.first:
            stage = Stage(cover, question, plain=True)
            stage.ask()
        with desk.right:
            show_moves(STEP, number, len(STEPS))
        stage.wait()
        return
    live = Live(f"tour/simple/{number}", (data, number), held=controls.dragging)
    views = step.run(searched)

    def draw(view: View) -> None:
        (figure,) = view.figures
        stage.draw(figure, render("brief.html", brief=replace(searched.brief, answer=figure.finding.title)))

    with desk.at_once():
        stage = Stage(cover, question, plain=True)
        stage.take()
        first = next(views)
        draw(first)
    with desk.right:
        stage.show_room()
        facts = Spot()
        facts.html(render("facts.html", brief=step.facts(searched)))
        show_moves(STEP, number, len(STEPS))
    shown = live.follow(views, draw) or first
    stage.judge(shown.right if isinstance(shown, Seen) else "")
    last = follow(compute(searched), lambda view: None)
    facts.html(render("facts.html", brief=step.facts(last or searched)))
