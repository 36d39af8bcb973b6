"""The lesson about choosing ε, as the tour knows it."""

from dataclasses import replace

from pages.parts.controls.live_sliders import Slider
from pages.parts.tour.lesson import NOW, Lesson, Step
from pages.parts.tour.lessons.epsilon import cost, meaning, questions
from pages.parts.tour.lessons.federated.schools import RUNS
from pages.parts.tour.lessons.release.lesson import LOSS

EPSILON = Slider("epsilon", "ε", 0.1, 10, 1, "more private", "more useful", "Of one release.", step=0.01, log=True)
TIMES = Slider("times", "releases about the same people", 2, meaning.TIMES, 10, "few", "many", "Each with the same ε again.",
               step=0.02, log=True, whole=True)  # fmt: skip
GUESSES = Slider("guesses", "right guesses accepted, of 100", 51, 99, 70, "more private", "more useful",
                 "How often the best attacker may be right about one patient.", whole=True)  # fmt: skip


STEPS = (
    Step("What ε means", lambda about: [EPSILON], meaning.guesses, questions.guesses),
    Step("How sure somebody becomes", lambda about: [EPSILON], meaning.hunch, questions.hunch),
    Step(
        "Is proved enough?",
        lambda about: [replace(EPSILON, value=8.0)],
        meaning.protective,
        questions.protective,
    ),
    Step("It adds up", lambda about: [TIMES, EPSILON], meaning.adding_up, questions.adding_up),
    Step("The hospital’s cost", lambda about: [EPSILON], cost.hospital, cost.ask_hospital),
    Step("The team’s cost", lambda about: [LOSS], cost.team, cost.ask_team),
    Step("The schools’ cost", lambda about: [replace(RUNS, value=10)], cost.schools, questions.schools),
    Step("A decision", lambda about: [GUESSES, LOSS], cost.decision, questions.decision),
)
"""In their order."""

CHOOSING = Lesson(
    name="epsilon",
    title="How to choose ε",
    promise="What it means, and what it costs",
    steps=STEPS,
    pick=lambda: ("all", None),
    note=lambda about: "Data: the hospital, the tumour table and the schools of the other lessons. " + NOW,
)
