"""The cost of privacy for each mechanism.

Read a cost curve to find the cost at an ε, or the smallest ε that keeps the cost within a limit.
"""

from privbo_core.tradeoff.candidates import Weighed, Weighing, best_found, lost, weigh, weigh_question
from privbo_core.tradeoff.cost_curve import CostCurve, EpsilonRange, curve_of_losses, curve_of_steps
from privbo_core.tradeoff.curve import Curve, Mark, Question, Reference, Sweep, front
from privbo_core.tradeoff.federated import dial_at, federated_question
from privbo_core.tradeoff.outsourced import outsourced_question, setting_at
from privbo_core.tradeoff.recommendation import (
    DEFAULT_LEVEL,
    EPSILONS,
    MAX_CANDIDATES,
    Recommendation,
    read_candidates,
    recommend,
)
from privbo_core.tradeoff.release import (
    Published,
    WayLost,
    expected_loss,
    expected_score_error,
    released_question,
    ways_lost,
    ways_question,
)
from privbo_core.tradeoff.solve import Answer, MonotoneFit, isotonic, monotone_fit, solve
from privbo_core.tradeoff.sweep import grid, measure, next_epsilon, settle, sweep

__all__ = [
    "DEFAULT_LEVEL",
    "EPSILONS",
    "MAX_CANDIDATES",
    "Answer",
    "CostCurve",
    "Curve",
    "EpsilonRange",
    "Mark",
    "MonotoneFit",
    "Published",
    "Question",
    "Recommendation",
    "Reference",
    "Sweep",
    "WayLost",
    "Weighed",
    "Weighing",
    "best_found",
    "curve_of_losses",
    "curve_of_steps",
    "dial_at",
    "expected_loss",
    "expected_score_error",
    "federated_question",
    "front",
    "grid",
    "isotonic",
    "lost",
    "measure",
    "monotone_fit",
    "next_epsilon",
    "outsourced_question",
    "read_candidates",
    "recommend",
    "released_question",
    "setting_at",
    "settle",
    "solve",
    "sweep",
    "ways_lost",
    "ways_question",
    "weigh",
    "weigh_question",
]
