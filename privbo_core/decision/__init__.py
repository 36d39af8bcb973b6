"""From simulated searches to a decision: candidates of ε, what each costs, a recommendation, and an order to act on."""

from privbo_core.decision.costs import Weighed, Weighing, best_found, lost, weigh, weigh_question
from privbo_core.decision.order import Decision, Person, Simulated, order_bytes, read_order
from privbo_core.decision.resolution import Resolution, read_resolution, resolution_bytes
from privbo_core.decision.rule import EPSILONS, LEAST, MOST, Recommendation, proposed_limit, read_candidates, recommend
from privbo_core.decision.standin import recommend_by_frame, stand_in

__all__ = [
    "EPSILONS",
    "LEAST",
    "MOST",
    "Decision",
    "Person",
    "Recommendation",
    "Resolution",
    "Simulated",
    "Weighed",
    "Weighing",
    "best_found",
    "lost",
    "order_bytes",
    "proposed_limit",
    "read_candidates",
    "read_order",
    "read_resolution",
    "recommend",
    "recommend_by_frame",
    "resolution_bytes",
    "stand_in",
    "weigh",
    "weigh_question",
]
