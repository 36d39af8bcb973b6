"""The eight steps of the tour: each one figure and one sentence, made of what is computed there and then."""

from pages.parts.tour.lesson import Step
from pages.parts.tour.lessons.outsourced import questions
from pages.parts.tour.lessons.outsourced.releases import TRIALS, distances_survive, told_apart, who_sees_what
from pages.parts.tour.lessons.outsourced.search import promise_kept, search_beats_chance, what_it_costs
from pages.parts.tour.lessons.outsourced.sliders import (
    DIMENSION,
    DISTANCE,
    EPSILON,
    LOSS,
    RUNS,
    enough_epsilon,
    evaluations,
    marked_epsilon,
)
from pages.parts.tour.lessons.outsourced.sweeps import what_would_you_choose, which_r

STEPS = (
    Step("Who sees what", lambda simulation: [DIMENSION], who_sees_what, questions.who_sees_what),
    Step(
        "Search against chance",
        lambda simulation: [evaluations(simulation), RUNS],
        search_beats_chance,
        questions.search_or_chance,
    ),
    Step(
        "Distances",
        lambda simulation: [marked_epsilon(simulation, enough_epsilon(simulation)), DIMENSION],
        distances_survive,
        questions.distances,
    ),
    Step(
        "Drag ε: what it costs",
        lambda simulation: [marked_epsilon(simulation), evaluations(simulation), RUNS],
        what_it_costs,
        questions.does_it_cost,
    ),
    Step(
        "r, too small or too large", lambda simulation: [marked_epsilon(simulation), RUNS], which_r, questions.which_r
    ),
    Step("Is the promise kept?", lambda simulation: [EPSILON, DIMENSION, TRIALS], told_apart, questions.can_it_be_told),
    Step(
        "A promise with noise", lambda simulation: [EPSILON, DISTANCE, RUNS], promise_kept, questions.which_costs_more
    ),
    Step("What would you choose?", lambda simulation: [LOSS, RUNS], what_would_you_choose, questions.which_epsilon),
)
"""In their order."""
