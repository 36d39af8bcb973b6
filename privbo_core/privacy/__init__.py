"""Privacy guarantees as values, noise mechanisms, and the two doors that noise comes through.

``simulate`` is seeded and for pictures; ``release`` is for what leaves the house.
"""

from privbo_core.privacy import release, simulate
from privbo_core.privacy.calibration import gaussian_delta, gaussian_sigma
from privbo_core.privacy.guarantee import Guarantee, Status, compose, worst_case_belief
from privbo_core.privacy.mechanisms import Exponential, Gaussian, Laplace

__all__ = [
    "Exponential",
    "Gaussian",
    "Guarantee",
    "Laplace",
    "Status",
    "compose",
    "gaussian_delta",
    "gaussian_sigma",
    "release",
    "simulate",
    "worst_case_belief",
]
