"""Maximum information gain γ_T on a finite domain."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privbo_core.bo.policies import check_iterations
from privbo_core.errors import Array
from privbo_core.gp import Kernel, Posterior


@dataclass(frozen=True, eq=False)
class InformationGain:
    """γ_t for t = 1 … T, in nats: ``greedy`` ≤ γ_t ≤ ``upper`` = greedy/(1 − 1/e). ``rows``: the greedy choices."""

    greedy: Array
    upper: Array
    rows: NDArray[np.int64]


def information_gain(points: ArrayLike, kernel: Kernel, noise_variance: float, iterations: int) -> InformationGain:
    """Return greedy values of and upper bounds on γ_t = max_{|A| = t} ½ log det(I + σ_n⁻² K_A).

    Greedy takes the row of largest posterior variance each time and gains ½ log(1 + σ²/σ_n²). The gain is monotone and
    submodular in A, so greedy is within 1 − 1/e of the maximum (Srinivas et al. 2010, eq. 10). O(nT²).
    """
    posterior = Posterior(points, kernel, noise_variance)
    check_iterations(iterations, posterior.n)
    rows = np.empty(iterations, dtype=np.int64)
    gains = np.empty(iterations)
    for t in range(iterations):
        rows[t] = posterior.variance.argmax()
        gains[t] = 0.5 * np.log1p(posterior.variance[rows[t]] / noise_variance)
        posterior.observe(int(rows[t]), 0.0)
    greedy = np.cumsum(gains)
    return InformationGain(greedy, greedy / (1.0 - np.exp(-1.0)), rows)
