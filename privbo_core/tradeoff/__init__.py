"""The cost of privacy for each mechanism.

Read a cost curve to find the cost at an ε, or the smallest ε that keeps the cost within a limit.
"""

from privbo_core.tradeoff.cost_curve import CostCurve, EpsilonRange, curve_of_losses, curve_of_steps
from privbo_core.tradeoff.curve import Curve, Mark, Question, Reference, Sweep, front
from privbo_core.tradeoff.federated import dial_at, federated_question
from privbo_core.tradeoff.outsourced import outsourced_question, setting_at
from privbo_core.tradeoff.release import (
    Published,
    WayLost,
    expected_loss,
    expected_score_error,
    released_question,
    ways_lost,
)
from privbo_core.tradeoff.solve import Answer, MonotoneFit, isotonic, monotone_fit, solve
from privbo_core.tradeoff.sweep import grid, measure, next_epsilon, settle, sweep
from privbo_core.tradeoff.zones import Zone, strength_zones

__all__ = [
    "Answer",
    "CostCurve",
    "Curve",
    "EpsilonRange",
    "Mark",
    "MonotoneFit",
    "Published",
    "Question",
    "Reference",
    "Sweep",
    "WayLost",
    "Zone",
    "curve_of_losses",
    "curve_of_steps",
    "dial_at",
    "expected_loss",
    "expected_score_error",
    "federated_question",
    "front",
    "grid",
    "isotonic",
    "measure",
    "monotone_fit",
    "next_epsilon",
    "outsourced_question",
    "released_question",
    "setting_at",
    "settle",
    "solve",
    "strength_zones",
    "sweep",
    "ways_lost",
]
