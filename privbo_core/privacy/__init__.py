"""Represent privacy guarantees and noise mechanisms as values, draw noise, and account for repeated use.

``simulate`` draws with a seed, for simulations. ``release`` draws from the operating system, for real releases.

Compute the noise for one release, and the ε of many uses by two accountants:

>>> import privbo_core as pb
>>> print(round(pb.privacy.gaussian_sigma(epsilon=1.0, delta=1e-5, sensitivity=1.0), 2))
3.73
>>> for method in ("moments", "pld"):
...     print(method, round(pb.privacy.epsilon(q=0.1, z=2.0, steps=40, delta=1e-5, method=method), 2))
moments 2.01
pld 1.48
>>> print(round(pb.privacy.noise_for(epsilon=1.0, q=0.1, steps=40, delta=1e-5, method="pld"), 2))
2.68
"""

from privbo_core.privacy import release, simulate
from privbo_core.privacy.accounting import (
    Method,
    composed_epsilon,
    composed_epsilons,
    epsilon,
    epsilon_curve,
    epsilon_rounds,
    noise_for,
    noise_for_rounds,
    rate_for,
    rate_for_rounds,
    steps_for,
)
from privbo_core.privacy.calibration import gaussian_delta, gaussian_epsilon, gaussian_sigma, group_epsilon
from privbo_core.privacy.guarantee import (
    Condition,
    Guarantee,
    Status,
    Strength,
    compose,
    least_error,
    one_in,
    strength,
    strength_at,
    worst_case_belief,
)
from privbo_core.privacy.loss_distribution import LossDistribution, Sampling
from privbo_core.privacy.mechanisms import (
    Choice,
    Exponential,
    Gaussian,
    Laplace,
    PermuteAndFlip,
    largest_expected_loss,
)
from privbo_core.privacy.registry import Registered, Registry, UnitKind, registry
from privbo_core.privacy.renyi import renyi_epsilon
from privbo_core.privacy.trade_off import TradeOff, trade_off, trade_off_rounds

__all__ = ["Choice", "Condition", "Exponential", "Gaussian", "Guarantee", "Laplace", "LossDistribution", "Method"]
__all__ += ["PermuteAndFlip", "Registered", "Registry", "Sampling", "Status", "Strength", "TradeOff", "UnitKind"]
__all__ += ["compose", "composed_epsilon", "composed_epsilons", "epsilon", "epsilon_curve", "epsilon_rounds"]
__all__ += ["gaussian_delta", "gaussian_epsilon", "gaussian_sigma", "group_epsilon", "largest_expected_loss"]
__all__ += ["least_error", "noise_for", "noise_for_rounds", "one_in", "rate_for"]
__all__ += ["rate_for_rounds", "registry", "release", "renyi_epsilon", "simulate", "steps_for", "strength"]
__all__ += ["strength_at", "trade_off", "trade_off_rounds", "worst_case_belief"]
