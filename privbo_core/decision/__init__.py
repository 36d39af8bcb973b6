"""From simulated searches to a decision: candidates of ε, what each costs, a recommendation, and an order to act on."""

from privbo_core.decision.costs import Weighed, Weighing, best_found, lost, weigh, weigh_question
from privbo_core.decision.order import Decision, Person, Simulated, order_bytes, read_order
from privbo_core.decision.resolution import Resolution, read_resolution, resolution_bytes
from privbo_core.decision.rule import EPSILONS, LEAST, MOST, Recommendation, read_candidates, recommend
from privbo_core.decision.standin import MOST_LOST, in_shares, stand_in

__all__ = ["EPSILONS", "LEAST", "MOST", "MOST_LOST"]
__all__ += ["Decision", "Person", "Recommendation", "Resolution", "Simulated", "Weighed", "Weighing"]
__all__ += ["best_found", "in_shares", "lost", "order_bytes", "read_candidates", "read_order", "read_resolution"]
__all__ += ["recommend", "resolution_bytes", "stand_in", "weigh", "weigh_question"]
