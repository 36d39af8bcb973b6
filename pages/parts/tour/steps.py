"""The eight steps of the tour: each one figure and one sentence, made of what is computed there and then."""

from pages.parts.tour.releases import TRIALS, distances_survive, told_apart, who_sees_what
from pages.parts.tour.search import promise_kept, search_beats_chance, what_it_costs
from pages.parts.tour.sliders import (
    DIMENSION,
    DISTANCE,
    EPSILON,
    LOSS,
    RUNS,
    enough_epsilon,
    evaluations,
    marked_epsilon,
)
from pages.parts.tour.station import Step
from pages.parts.tour.sweeps import what_would_you_choose, which_r

STEPS = (
    Step("Who sees what", lambda simulation: [DIMENSION], who_sees_what),
    Step("Search against chance", lambda simulation: [evaluations(simulation), RUNS], search_beats_chance),
    Step(
        "Distances",
        lambda simulation: [marked_epsilon(simulation, enough_epsilon(simulation)), DIMENSION],
        distances_survive,
    ),
    Step(
        "Drag ε: what it costs",
        lambda simulation: [marked_epsilon(simulation), evaluations(simulation), RUNS],
        what_it_costs,
    ),
    Step("r, too small or too large", lambda simulation: [marked_epsilon(simulation), RUNS], which_r),
    Step("The promise refuted", lambda simulation: [EPSILON, DIMENSION, TRIALS], told_apart),
    Step("A promise kept", lambda simulation: [EPSILON, DISTANCE, RUNS], promise_kept),
    Step("What would you choose?", lambda simulation: [LOSS, RUNS], what_would_you_choose),
)
"""In their order."""
