"""Federated Thompson sampling between machines, on Flower: each agent keeps its data, the server keeps the ledger.

``python -m privbo_core.federated.flower app FOLDER`` writes a Flower app; docs/federated.md has the rest. Only
`privbo_core.federated.flower.apps` needs Flower.
"""

from privbo_core.federated.flower.ledger import Count, Run, guarantee, read_ledger, spent
from privbo_core.federated.flower.terms import Terms, read_terms

__all__ = ["Count", "Run", "Terms", "guarantee", "read_ledger", "read_terms", "spent"]
