"""What outsourced optimisation is set to until somebody sets it otherwise, the same on every page that shows it."""

EPSILON = 3.0
EPSILONS = 0.35, 150.0
"""From where to where ε can be dragged."""
DELTA = 1e-5
R = 10
STEPS = 30
"""Evaluations after the five initial ones."""
RUNS = 40
