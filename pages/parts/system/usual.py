"""What outsourced optimisation is set to until somebody sets it otherwise, the same on every page that shows it."""

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


def initial(rows: int) -> int:
    """Return how many initial ones a table of so many rows has: one row at least is left to choose."""
    return min(INITIAL, rows - 1)


def tests(rows: int, wanted: int = STEPS) -> int:
    """Return how many of the ``wanted`` evaluations a table of so many rows has room for."""
    return min(wanted, rows - initial(rows))
