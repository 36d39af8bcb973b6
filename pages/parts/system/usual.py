"""What outsourced optimisation is set to until somebody sets it otherwise, the same on every page that shows it."""

from pages.parts.live.sliders import Slider, of_delta

EPSILON = 3.0
EPSILONS = 0.35, 150.0
"""From where to where ε can be dragged."""
DELTA = 1e-5
R = 10
STEPS = 30
"""Evaluations after the five initial ones."""
RUNS = 40
INITIAL = 5
"""The first evaluations, of rows drawn at random."""

ASKED_DELTA = of_delta(
    1e-12, 0.1, DELTA, "The probability with which the promise may fail altogether. Should be well below 1/n."
)
ASKED_TESTS = Slider(
    "T", "tests planned", 10, 200, STEPS, "fewer", "more", "As many outcomes as you mean to answer.", whole=True
)


def initial(rows: int) -> int:
    """Return how many initial ones a table of so many rows has: one row at least is left to choose."""
    return min(INITIAL, rows - 1)


def tests(rows: int, wanted: int = STEPS) -> int:
    """Return how many of the ``wanted`` evaluations a table of so many rows has room for."""
    return min(wanted, rows - initial(rows))
