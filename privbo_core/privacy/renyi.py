"""Compute ε by Rényi differential privacy, for comparison with figures that were published in that way."""

import logging
import math

from privbo_core.errors import probability, whole
from privbo_core.privacy.accounting import NO_NOISE, check_use
from privbo_core.privacy.loss_distribution import Sampling

POPULATION = 10**9
"""The size of the population for "fixed" sampling. Only the ratio of sample and population matters."""


def renyi_epsilon(q: float, z: float, steps: int, delta: float, sampling: Sampling = "poisson") -> float:
    """Return the ε of T = ``steps`` uses of a subsampled Gaussian by dp-accounting's Rényi accountant.

    It is an upper bound on the same mechanism as `privbo_core.privacy.epsilon`. Method "pld" of that function is never
    larger. For "fixed" sampling it holds for any mechanism with the same Rényi divergence (Wang, Balle,
    Kasiviswanathan, AISTATS 2019). Neighbours then differ by one person replaced, so a sum may move by twice the norm.
    """
    check_use(q, z, sampling)
    whole("steps", steps)
    probability("delta", delta)
    if z < NO_NOISE:
        return math.inf
    # The import takes a second, so it waits for the first use.
    import dp_accounting
    from absl import logging as absl_logging
    from dp_accounting.rdp import RdpAccountant

    def unrelated(record: logging.LogRecord) -> bool:
        # For orders close to 1 a series may not converge. The accountant then omits the order and logs a warning.
        return record.module != "rdp_privacy_accountant"

    logger = absl_logging.get_absl_logger()
    logger.addFilter(unrelated)
    try:
        if sampling == "poisson":
            accountant = RdpAccountant()
            use = dp_accounting.PoissonSampledDpEvent(q, dp_accounting.GaussianDpEvent(z))
        else:
            accountant = RdpAccountant(neighboring_relation=dp_accounting.NeighboringRelation.REPLACE_ONE)
            sample = max(1, round(q * POPULATION))
            half = dp_accounting.GaussianDpEvent(z / 2.0)
            use = dp_accounting.SampledWithoutReplacementDpEvent(POPULATION, sample, half)
        return float(accountant.compose(use, steps).get_epsilon(delta))
    finally:
        logger.removeFilter(unrelated)
