"""Do the sensitivity bounds hold where they claim to? Pairs (f, f′) drawn from the assumed two-task prior."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from threadpoolctl import threadpool_limits

from privbo_core.errors import Array, matrix, whole
from privbo_core.gp import Kernel
from privbo_core.gp.kernels import covariance
from privbo_core.release.bounds import Bound
from privbo_core.release.search import Tuning, optimise
from privbo_core.release.theory import check_k1, theorem_1, theorem_3


def two_task_roots(points: ArrayLike, kernel: Kernel) -> Array:
    """Return an n×n root R of K₂ (RRᵀ = K₂ up to 1e-10), for `sample_pair`. O(n³): 10 ms for n = 400."""
    k = covariance(kernel, matrix("points", points, least_rows=2), np.asarray(points, dtype=float))
    k[np.diag_indices(len(k))] += 1e-10 * kernel.variance
    with threadpool_limits(
        1, user_api="blas"
    ):  # so nearly singular that the number of threads shows in the sixth digit
        return np.asarray(np.linalg.cholesky(k), dtype=float)


def sample_pair(root: Array, k1: float, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return (f, f′) from GP(0, k₁ ⊗ k₂): equal priors, correlation k₁ between f(λ) and f′(λ). O(n²)."""
    k1 = check_k1(k1)
    own, other = (root @ rng.standard_normal((len(root), 2))).T
    return own, k1 * own + np.sqrt(1.0 - k1**2) * other


@dataclass(frozen=True, eq=False)
class Coverage:
    """How far things moved in each pair so far, beside Theorems 1 and 3.

    ``mean_moved``: max_λ |μ′_T(λ) − μ_T(λ)|; ``best_moved``: |max v′_t − max v_t|; one entry per pair.
    """

    mean_moved: Array
    best_moved: Array
    theorem_1: Bound
    theorem_3: Bound

    @property
    def pairs(self) -> int:
        """The number of pairs drawn so far."""
        return len(self.mean_moved)

    def share(self, theorem: int) -> float:
        """Return the share of pairs in which Theorem 1's or 3's bound held; at least 1 − δ is promised."""
        moved, bound = self._of(theorem)
        return float((moved <= bound.value).mean())

    def slack(self, theorem: int) -> float:
        """Return the bound divided by the (1 − δ)-quantile of what it bounds: 1 is tight, 30 is 30 times too large."""
        moved, bound = self._of(theorem)
        return bound.value / float(np.quantile(moved, bound.probability))

    def _of(self, theorem: int) -> tuple[Array, Bound]:
        if theorem not in (1, 3):
            raise ValueError(f"theorem is {theorem!r}; coverage is measured for 1 and 3.")
        return (self.mean_moved, self.theorem_1) if theorem == 1 else (self.best_moved, self.theorem_3)


def coverage(
    points: ArrayLike, tuning: Tuning, *, kernel: Kernel, pairs: int, rng: np.random.Generator
) -> Iterator[Coverage]:
    """Yield, after each of ``pairs`` pairs, how far μ_T and max v_t moved between V and V′ in all pairs so far.

    Each pair has its own functions and its own observation noise, and Algorithm 1's search runs on both. O(nT²) per
    search: about 5 ms a pair for n = 400, T = 50, after O(n³) once.
    """
    root = two_task_roots(points, kernel)
    mean_moved, best_moved = np.empty(whole("pairs", pairs)), np.empty(pairs)
    for done in range(pairs):
        runs = [
            optimise(
                points,
                f,
                kernel=kernel,
                sigma=tuning.sigma,
                iterations=tuning.iterations,
                delta=tuning.delta,
                rng=rng,
            )
            for f in sample_pair(root, tuning.k1, rng)
        ]
        mean_moved[done] = np.abs(runs[0].mean - runs[1].mean).max()
        best_moved[done] = abs(runs[0].observed.max() - runs[1].observed.max())
        given = tuning.premises(runs[0].n)
        yield Coverage(
            mean_moved[: done + 1].copy(),
            best_moved[: done + 1].copy(),
            theorem_1(given),
            theorem_3(given, sigma=tuning.sigma, gamma=runs[0].gamma(tuning.gamma)),
        )
