"""What privacy costs: regret against ε for every mechanism of a task, and the two ways to solve for either."""

from privbo_core.tradeoff.costs import Weighed, Weighing, best_found, lost, weigh, weigh_question
from privbo_core.tradeoff.curve import Curve, Mark, Question, Reference, Sweep, front
from privbo_core.tradeoff.federated import dial_at, federated_question
from privbo_core.tradeoff.outsourced import outsourced_question, setting_at
from privbo_core.tradeoff.release import Published, WayLost, released_question, ways_lost, ways_question
from privbo_core.tradeoff.rule import EPSILONS, LEAST, MOST, Recommendation, read_candidates, recommend
from privbo_core.tradeoff.solve import Answer, MonotoneFit, isotonic, monotone_fit, solve
from privbo_core.tradeoff.sweep import grid, measure, next_epsilon, settle, sweep

__all__ = ["Answer", "Curve", "Mark", "MonotoneFit", "Published", "Question", "Reference", "Sweep", "WayLost"]
__all__ += ["dial_at", "federated_question", "front", "grid", "isotonic", "measure", "monotone_fit", "next_epsilon"]
__all__ += ["outsourced_question", "released_question", "setting_at", "settle", "solve", "sweep", "ways_lost"]
__all__ += ["ways_question"]
__all__ += [
    "EPSILONS",
    "LEAST",
    "MOST",
    "Recommendation",
    "Weighed",
    "Weighing",
    "best_found",
    "lost",
    "read_candidates",
]
__all__ += ["recommend", "weigh", "weigh_question"]
