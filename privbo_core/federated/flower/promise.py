"""What a federation between machines promises to an agent that takes part."""

from privbo_core.federated.flower.ledger import spent
from privbo_core.federated.flower.terms import Terms
from privbo_core.federated.promise import ACCOUNTING, JOINT
from privbo_core.privacy import Guarantee, Status

STEADY = "every round takes the same time"
UNSTEADY = "nobody reads from how long a round takes whether somebody was slow"


def guarantee(terms: Terms) -> Guarantee:
    """Return what all rounds of these terms promise together, if the ledger holds no others."""
    each = terms.settings
    epsilon = spent(each.q, [each.z] * each.iterations, terms.delta)
    return promised(epsilon, terms.delta, STEADY if terms.steady else UNSTEADY)


def promised(epsilon: float, delta: float, timing: str = f"{STEADY}, or {UNSTEADY}") -> Guarantee:
    """Return what broadcasts that cost so much promise together."""
    return Guarantee(
        protects="an agent's participation: everything that it sends during the whole run",
        against="whoever sees all vectors that the server broadcasts, the other agents included; not the server",
        neighbours="one agent takes part, with its whole history, or stays away",
        epsilon=epsilon,
        delta=delta,
        assumptions=(
            "the server is trusted, and whom it selects stays its secret",
            timing,
            "the number of agents and the sub-region that each starts in are public, and each agent has one number",
            "federation.toml was not chosen by looking at the agents' data",
            "all runs with the same agents are counted in one ledger",
            "what an agent does with its own queries, and what it chooses to publish, is not covered",
        ),
        status=Status.PROVED,
        source=f"Dai, Low, Jaillet (NeurIPS 2021), Algorithm 1; {ACCOUNTING['pld']}; noise calibrated to {JOINT}",
    )
