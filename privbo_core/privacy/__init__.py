"""Privacy guarantees as values, noise mechanisms and their two doors, and accounting for repeated use.

``simulate`` is seeded and for pictures; ``release`` is for what leaves the house.
"""

from privbo_core.privacy import release, simulate
from privbo_core.privacy.accounting import Method, Sampling, epsilon, epsilon_curve, noise_for, rate_for, steps_for
from privbo_core.privacy.calibration import gaussian_delta, gaussian_epsilon, gaussian_sigma
from privbo_core.privacy.guarantee import Guarantee, Status, compose, least_error, worst_case_belief
from privbo_core.privacy.mechanisms import Exponential, Gaussian, Laplace

__all__ = [
    "Exponential",
    "Gaussian",
    "Guarantee",
    "Laplace",
    "Method",
    "Sampling",
    "Status",
    "compose",
    "epsilon",
    "epsilon_curve",
    "gaussian_delta",
    "gaussian_epsilon",
    "gaussian_sigma",
    "least_error",
    "noise_for",
    "rate_for",
    "release",
    "simulate",
    "steps_for",
    "worst_case_belief",
]
