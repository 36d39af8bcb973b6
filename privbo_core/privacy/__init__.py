"""Privacy guarantees as values, and accounting for mechanisms that are used many times."""

from privbo_core.privacy.accounting import Method, Sampling, epsilon, epsilon_curve, noise_for, rate_for, steps_for
from privbo_core.privacy.guarantee import Guarantee, Status, worst_case_belief

__all__ = [
    "Guarantee",
    "Method",
    "Sampling",
    "Status",
    "epsilon",
    "epsilon_curve",
    "noise_for",
    "rate_for",
    "steps_for",
    "worst_case_belief",
]
