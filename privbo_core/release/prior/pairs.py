"""Pairs of functions (f, f′) from the two-task Gaussian process of Assumption 1."""

import numpy as np
from numpy.typing import ArrayLike
from threadpoolctl import threadpool_limits

from privbo_core.errors import Array, matrix
from privbo_core.gp import Kernel
from privbo_core.gp.kernels import covariance
from privbo_core.release.theory import check_k1


def two_task_roots(points: ArrayLike, kernel: Kernel) -> Array:
    """Return an n×n root R of K₂ (RRᵀ = K₂ up to 1e-10), for `sample_pair`. O(n³): 10 ms for n = 400."""
    k = covariance(kernel, matrix("points", points, least_rows=2), np.asarray(points, dtype=float))
    k[np.diag_indices(len(k))] += 1e-10 * kernel.variance
    # So nearly singular that the number of threads shows in the sixth digit.
    with threadpool_limits(1, user_api="blas"):
        return np.asarray(np.linalg.cholesky(k), dtype=float)


def sample_pair(root: Array, k1: float, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return (f, f′) from GP(0, k₁ ⊗ k₂): equal priors, correlation k₁ between f(λ) and f′(λ). O(n²)."""
    k1 = check_k1(k1)
    own, other = (root @ rng.standard_normal((len(root), 2))).T
    return own, k1 * own + np.sqrt(1.0 - k1**2) * other
