"""How much of an outcome its inputs explain: the model's error on rows that it has not seen."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_factor, cho_solve
from threadpoolctl import threadpool_limits

from privbo_core.errors import Array, matrix, positive, vector, whole
from privbo_core.gp.kernels import Kernel, covariance


@dataclass(frozen=True)
class Explained:
    """Out-of-sample R² with its standard error, and the same for a shuffled outcome, of which nothing is explained.

    1: all of the outcome follows from the inputs; 0: the mean does as well; below 0: the mean does better.
    ``rows``: how many were used.
    """

    share: float
    standard_error: float
    shuffled: float
    shuffled_error: float
    rows: int

    @property
    def clear(self) -> bool:
        """Whether the inputs explain something of the outcome: R² is above 0 by more than two standard errors."""
        return self.share > 2.0 * self.standard_error


def explained_share(
    points: ArrayLike,
    y: ArrayLike,
    *,
    kernel: Kernel,
    noise_variance: float,
    folds: int = 5,
    most: int = 1000,
    rng: np.random.Generator,
) -> Explained:
    """Return the R² of y (length n) predicted from the n×d points by a GP with this kernel and noise, k-fold.

    R² = 1 − Σ(y − ŷ)²/Σ(y − ȳ)², where ŷ and the mean ȳ come from the other folds. ``most`` rows are drawn if there are
    more. The standard error is that of a quotient of means over rows (delta method); it leaves out that folds share
    rows. O(k·rows³). Raises ValueError or DataError on unusable input.
    """
    x = matrix("points", points, least_rows=whole("folds", folds, least=2))
    outcome = vector("y", y, len(x))
    chosen = rng.permutation(len(x))[: whole("most", most, least=folds)]
    x, outcome = x[chosen], outcome[chosen]
    both = np.column_stack([outcome, rng.permutation(outcome)])
    k = covariance(kernel, x, x)
    k[np.diag_indices(len(x))] += positive("noise_variance", noise_variance)
    # On matrices this small BLAS threads wait for one another (see `fitting`).
    threadpool_limits(limits=1, user_api="blas")
    left, spread = np.empty_like(both), np.empty_like(both)
    for fold in range(folds):
        out = np.arange(len(x)) % folds == fold
        mean = both[~out].mean(axis=0)
        weights = cho_solve(cho_factor(k[np.ix_(~out, ~out)], lower=True), both[~out] - mean)
        spread[out] = both[out] - mean
        left[out] = spread[out] - k[np.ix_(out, ~out)] @ weights
    share, error = _share(left**2, spread**2)
    return Explained(float(share[0]), float(error[0]), float(share[1]), float(error[1]), len(x))


def _share(left: Array, whole_of_it: Array) -> tuple[Array, Array]:
    """Return 1 − mean(left)/mean(whole) of each column and its standard error; 0 ± 0 where there is nothing."""
    total = np.maximum(whole_of_it.mean(axis=0), 1e-300)
    lost = left.mean(axis=0) / total
    error = (left - lost * whole_of_it).std(axis=0, ddof=1) / total / np.sqrt(len(left))
    nothing = whole_of_it.max(axis=0) == 0
    return np.where(nothing, 0.0, 1.0 - lost), np.where(nothing, 0.0, error)
