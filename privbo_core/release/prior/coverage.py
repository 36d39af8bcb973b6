"""Do the sensitivity bounds hold where they claim to? Pairs (f, f′) drawn from the assumed two-task prior."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.errors import Array, whole
from privbo_core.gp import Kernel
from privbo_core.release.bounds import Bound
from privbo_core.release.noise_free import protected
from privbo_core.release.prior.pairs import sample_pair, two_task_roots
from privbo_core.release.prior.share import Look, Share
from privbo_core.release.search import Search, Tuning, optimise
from privbo_core.release.theory import theorem_1, theorem_3, theorem_5


@dataclass(frozen=True, eq=False)
class Coverage:
    """How far things moved in each pair so far, beside Theorem 1 and, of Theorems 3 and 5, the one that applies.

    One entry per pair. ``mean_moved``: max_λ |μ′_T(λ) − μ_T(λ)|. ``best_moved``: how far the number that is published
    with noise moved; with noisy observations |max v′_t − max v_t| (Theorem 3), with exact ones |f′(λ′_T) − f(λ_T)|
    [ICML] or |max_{t≥2} f′(λ′_t) − max_{t≥2} f(λ_t)| [workshop] (Theorem 5). ``planned``: how many pairs there will be.
    """

    mean_moved: Array
    best_moved: Array
    theorem_1: Bound
    theorem_3: Bound | None
    theorem_5: Bound | None
    planned: int

    @property
    def pairs(self) -> int:
        """The number of pairs drawn so far."""
        return len(self.mean_moved)

    def share(self, theorem: int, confidence: float = 0.95) -> Share:
        """Return the share of pairs in which the theorem's bound held, with its limits; at least 1 − δ is promised.

        The limits of all `Coverage` values of one `coverage` hold together with probability ``confidence``: one may
        look after every pair (`Look`), and the last look loses hardly anything by it.
        Raises ValueError for a theorem that is not measured here.
        """
        moved, bound = self._of(theorem)
        held = int((moved <= bound.value).sum())
        return Share(held, self.pairs, bound.probability, Look(self.pairs, self.planned).confidence(confidence))

    def slack(self, theorem: int) -> float:
        """Return the bound divided by the (1 − δ)-quantile of what it bounds: 1 is tight, 30 is 30 times too large."""
        moved, bound = self._of(theorem)
        return bound.value / float(np.quantile(moved, bound.probability))

    def _of(self, theorem: int) -> tuple[Array, Bound]:
        measured = {1: (self.mean_moved, self.theorem_1)}
        if self.theorem_3 is not None:
            measured[3] = (self.best_moved, self.theorem_3)
        if self.theorem_5 is not None:
            measured[5] = (self.best_moved, self.theorem_5)
        if theorem not in measured:
            known = " and ".join(map(str, measured))
            raise ValueError(f"theorem is {theorem!r}; with these observations coverage is measured for {known}.")
        return measured[theorem]


def coverage(
    points: ArrayLike, tuning: Tuning, *, kernel: Kernel, pairs: int, rng: np.random.Generator
) -> Iterator[Coverage]:
    """Yield, after each of ``pairs`` pairs, how far things moved between V and V′ in all pairs so far.

    Each pair has its own functions and its own observation noise, and the search runs on both: Algorithm 1's, or
    Algorithm 2's where ``tuning.sigma`` is 0, whose A and τ ``tuning`` must then hold. O(nT²) per search: about 5 ms a
    pair for n = 400, T = 50, after O(n³) once. Raises ValueError, at once, if A or τ is missing.
    """
    exact = tuning.constants() if tuning.sigma == 0 else None
    return _coverage(points, tuning, exact, kernel, whole("pairs", pairs), rng)


def _coverage(
    points: ArrayLike,
    tuning: Tuning,
    exact: tuple[float, float] | None,
    kernel: Kernel,
    pairs: int,
    rng: np.random.Generator,
) -> Iterator[Coverage]:
    root = two_task_roots(points, kernel)
    mean_moved, best_moved = np.empty(pairs), np.empty(pairs)
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
        here, there = (_published(run, tuning) for run in runs)
        mean_moved[done] = np.abs(runs[0].mean - runs[1].mean).max()
        best_moved[done] = abs(here - there)
        given, found = tuning.premises(runs[0].n), runs[0]
        third = None if exact else theorem_3(given, sigma=tuning.sigma, gamma=found.gamma(tuning.gamma))
        fifth = theorem_5(given, d=found.dimension, A=exact[0], tau=exact[1]) if exact else None
        so_far = mean_moved[: done + 1].copy(), best_moved[: done + 1].copy()
        yield Coverage(*so_far, theorem_1(given), third, fifth, pairs)


def _published(found: Search, tuning: Tuning) -> float:
    """Return the number that noise is added to."""
    return protected(found, tuning.variant) if tuning.sigma == 0 else float(found.observed.max())
