"""The Simple tour: its steps on the left, one sentence and one figure on the right, and below it the one slider."""

from dataclasses import replace

import streamlit as st

from pages.parts.bring.problems import public_simulation
from pages.parts.frame.address import choose
from pages.parts.frame.live import Live, follow
from pages.parts.frame.spot import Spot
from pages.parts.frame.undocumented import give_way
from pages.parts.outsourced.plain.told import told
from pages.parts.outsourced.plain.words import Words
from pages.parts.outsourced.searching import pick_searching
from pages.parts.outsourced.sliders import Case
from pages.parts.show.desk import Desk
from pages.parts.show.sheet import plain
from pages.parts.show.show import Place
from pages.parts.show.templates import render
from pages.parts.system import usual
from pages.parts.tour.moves import show_moves
from pages.parts.tour.plain.steps import STEPS
from pages.parts.tour.releases import TRIALS
from pages.parts.tour.sliders import EPSILON
from pages.parts.tour.station import SLOT, Station
from pages.parts.values.views import View

DATA = ("hospital", "homes")
NUMBERS = [str(number + 1) for number in range(len(STEPS))]
KEY = "lesson"


def run() -> None:
    """Show the step that is chosen."""
    desk = Desk("What does privacy cost? Six steps")
    with desk.left:
        data = choose(st.segmented_control, "Data", DATA, key="told_with", format_func=str.capitalize, required=True,
                      persist_state="session")  # fmt: skip
        number = int(choose(st.radio, "Step", NUMBERS, key=KEY, persist_state="session",
                            format_func=lambda k: f"{k} {STEPS[int(k) - 1].name}"))  # fmt: skip
    simulation = public_simulation(data)
    controls = desk.read("tour/simple", [plain(EPSILON)])
    controls.values.update(trials=TRIALS.value, T=min(usual.STEPS, simulation.problem.n), runs=usual.RUNS)
    station = Station(simulation, controls, pick_searching(simulation.problem, shown=False), pause=give_way)
    words = Words(Case(simulation, station.setting(), ("noisy",), usual.RUNS), told(simulation.problem))
    live = Live(f"tour/simple/{number}", (data, number), held=controls.dragging)
    step = STEPS[number - 1]
    views = step.run(station, words)

    def draw(view: View) -> None:
        (figure,) = view.figures
        answer.html(render("brief.html", brief=replace(words.brief(None), answer=figure.finding.title)))
        place.draw(figure)

    with desk.at_once():
        answer = Spot()
        place = Place(SLOT, titled=False)
        draw(next(views))
    with desk.right:
        facts = Spot()
        facts.html(render("facts.html", brief=step.facts(station, words, None)))
        show_moves(KEY, number, len(STEPS))
    live.follow(views, draw)
    last = follow(simulation.compare(station.setting(), usual.RUNS, ("noisy",), give_way), lambda comparison: None)
    facts.html(render("facts.html", brief=step.facts(station, words, last)))
