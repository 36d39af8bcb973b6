"""What one Gaussian, mechanisms of pure ε and Laplace answers cost together, by the distribution of their loss."""

import math
from collections.abc import Iterable

from privbo_core.privacy.calibration import gaussian_epsilon
from privbo_core.privacy.loss_distribution import LossDistribution, accountants, one_use

STEP = 1e-4
"""The grid on which losses are added up, as a share of the loss that adding ε allows, and at most of 1."""


def together(delta: float, *, mu: float = 0.0, pure: Iterable[float] = (), laplace: Iterable[float] = ()) -> float:
    """Return an ε ≥ 0 with which all of these, used on one record in any order, are (ε, ``delta``)-private.

    ``mu``: Δ/σ of the Gaussian noise, several as the root of their sum of squares. ``pure``: the ε of mechanisms of
    which nothing else is known; the worst is randomised response, e^ε to 1. ``laplace``: Δ/b of Laplace noise on one
    number. With a Gaussian ``delta`` must be above 0; without one it may be 0. Never more than the sum. Exact for the
    Gaussian alone, else at most about `STEP` above. Tens of milliseconds.
    """
    pure, laplace = (tuple(each for each in amounts if each) for amounts in (pure, laplace))
    plain = math.fsum((*pure, *laplace))
    if mu == 0 and (not delta or len(pure) + len(laplace) < 2 or not plain):
        return plain
    if math.isinf(mu) or math.isinf(plain):
        return math.inf
    gaussian = gaussian_epsilon(delta, 1.0, mu) if mu else 0.0
    if not plain:
        return gaussian
    return min(gaussian + plain, _together(delta, mu, pure, laplace, gaussian + plain))


def _together(delta: float, mu: float, pure: tuple[float, ...], laplace: tuple[float, ...], most: float) -> float:
    accounting = accountants()
    of = accounting.pld.privacy_loss_distribution
    step = STEP * min(1.0, most)
    parts: list[LossDistribution] = [one_use(1.0, 1.0 / mu, step, "poisson")] if mu else []
    # Grouped: equal ones are composed with themselves in one step.
    for amount in sorted(set(pure)):
        said = accounting.pld.common.DifferentialPrivacyParameters(amount, 0.0)
        worst = of.from_privacy_parameters(said, value_discretization_interval=step)
        parts.append(worst.self_compose(pure.count(amount)))
    for amount in sorted(set(laplace)):
        noise = of.from_laplace_mechanism(1.0 / amount, value_discretization_interval=step)
        parts.append(noise.self_compose(laplace.count(amount)))
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.compose(part)
    return float(whole.get_epsilon_for_delta(delta))
