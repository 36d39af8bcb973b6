"""Privacy guarantees as values, noise mechanisms and their two doors, and accounting for repeated use.

``simulate`` is seeded and for pictures; ``release`` is for what leaves the house.
"""

from privbo_core.privacy import release, simulate
from privbo_core.privacy.accounting import (
    Method,
    epsilon,
    epsilon_curve,
    epsilon_rounds,
    epsilon_together,
    noise_for,
    noise_for_rounds,
    rate_for,
    rate_for_rounds,
    steps_for,
)
from privbo_core.privacy.calibration import gaussian_delta, gaussian_epsilon, gaussian_sigma
from privbo_core.privacy.guarantee import Guarantee, Status, compose, least_error, worst_case_belief
from privbo_core.privacy.loss_distribution import LossDistribution, Sampling
from privbo_core.privacy.mechanisms import Choice, Exponential, Gaussian, Laplace, PermuteAndFlip
from privbo_core.privacy.strength import Strength, strength
from privbo_core.privacy.trade_off import TradeOff, trade_off, trade_off_rounds

__all__ = [
    "Choice",
    "Exponential",
    "Gaussian",
    "Guarantee",
    "Laplace",
    "LossDistribution",
    "Method",
    "PermuteAndFlip",
    "Sampling",
    "Status",
    "Strength",
    "TradeOff",
    "compose",
    "epsilon",
    "epsilon_curve",
    "epsilon_rounds",
    "epsilon_together",
    "gaussian_delta",
    "gaussian_epsilon",
    "gaussian_sigma",
    "least_error",
    "noise_for",
    "noise_for_rounds",
    "rate_for",
    "rate_for_rounds",
    "release",
    "simulate",
    "steps_for",
    "strength",
    "trade_off",
    "trade_off_rounds",
    "worst_case_belief",
]
