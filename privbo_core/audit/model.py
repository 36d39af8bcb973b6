"""What a model that is read off the agents' values tells about one of them, before any vector is sent."""

import numpy as np

from privbo_core.audit.lower_bound import Audited
from privbo_core.errors import Array
from privbo_core.federated import FederatedProblem

WRITTEN = 1e-9
"""The last digit of the unit that is written; what lies beyond it is left to the dice."""


def units(problem: FederatedProblem) -> tuple[float, Array]:
    """Return the unit read off all agents' values, and the one read off all but agent n, for each n.

    The unit is the standard deviation of all agents' centred values. It is part of the model that every agent is given,
    as exactly as numbers are written; no noise of the server's covers it. O(nN).
    """
    squares = (problem.objectives**2).sum(axis=1)
    count = problem.objectives.shape[1]
    others = (squares.sum() - squares) / (count * (len(squares) - 1))
    return float(problem.unit * np.sqrt(squares.mean() / count)), np.asarray(problem.unit * np.sqrt(others))


def model_attack(problem: FederatedProblem) -> Audited:
    """Return the unit that agents are given, as a mechanism of True (one agent takes part) or False (it does not).

    The agent is the one whose absence moves the unit most. With a model that was known before, nothing moves.
    """
    whole, without = units(problem)
    least = whole if not problem.read_off else float(without[np.abs(without - whole).argmax()])

    def given(present: bool, trials: int, rng: np.random.Generator) -> Array:
        return (whole if present else least) + WRITTEN * rng.uniform(-0.5, 0.5, trials)

    return given
