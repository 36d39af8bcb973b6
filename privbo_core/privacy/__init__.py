"""Privacy guarantees as values."""

from privbo_core.privacy.guarantee import Guarantee, Status, worst_case_belief

__all__ = ["Guarantee", "Status", "worst_case_belief"]
