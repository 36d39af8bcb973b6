"""Functions and pairs drawn from the prior that DP-BO assumes, and how often its sensitivity bounds hold for them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainccinv, betaincinv
from threadpoolctl import threadpool_limits

from privbo_core.data import TuningTask
from privbo_core.errors import Array, matrix, probability, whole
from privbo_core.gp import Kernel, SquaredExponential, root
from privbo_core.gp.kernels import covariance
from privbo_core.release.noise_free import protected
from privbo_core.release.search import Tuning
from privbo_core.release.theory import Bound, check_k1, theorem_1, theorem_3, theorem_5

LAST_PART = 0.8
"""The part of the error that the last look may spend. It has all trials, so it should lose as little as possible."""


@dataclass(frozen=True)
class Look:
    """Look ``number`` (1, 2, …) of the ``of`` looks that will be taken at one growing set of trials.

    A limit that errs with probability α errs more often if it is judged repeatedly, because one error is enough.
    So each look may spend a part of α. The last look gets `LAST_PART`, and those before it share the rest equally. The
    probability that *any* look errs is then at most α, however the looks depend on each other (Bonferroni). A claim
    that one look refuted therefore stays refuted. ``of`` must be fixed before the first look, but stopping earlier does
    no harm. Raises ValueError unless both are whole numbers and 1 ≤ ``number`` ≤ ``of``.
    """

    number: int = 1
    of: int = 1

    def __post_init__(self) -> None:
        whole("of (all looks)", self.of)
        if whole("number (of this look)", self.number) > self.of:
            raise ValueError(f"number (of this look) is {self.number!r}. There are {self.of} looks in all.")

    @property
    def part(self) -> float:
        """The part of the error that this look may spend."""
        if self.of == 1:
            return 1.0
        return LAST_PART if self.number == self.of else (1.0 - LAST_PART) / (self.of - 1)

    def confidence(self, jointly: float = 0.95) -> float:
        """Return the confidence 1 − part·(1 − ``jointly``) of this look, with which all looks have ``jointly``."""
        return 1.0 - self.part * (1.0 - probability("jointly", jointly))

    @classmethod
    def all(cls, of: int) -> tuple["Look", ...]:
        """Return the looks 1, 2, …, ``of``."""
        return tuple(cls(number, of) for number in range(1, whole("of (all looks)", of) + 1))


@dataclass(frozen=True)
class Share:
    """The share of independent cases in which an event occurred, which is claimed to be at least ``promised``.

    The event occurred in ``held`` of ``cases``. ``low`` and ``high`` are Clopper and Pearson's limits. The true share
    lies beyond each of them with probability (1 − ``confidence``)/2 at most.
    """

    held: int
    cases: int
    promised: float
    confidence: float = 0.95

    def __post_init__(self) -> None:
        whole("cases", self.cases)
        if whole("held", self.held, least=0) > self.cases:
            raise ValueError(f"held is {self.held!r}. There were {self.cases} cases.")
        probability("confidence", self.confidence)

    @property
    def value(self) -> float:
        """The observed share."""
        return self.held / self.cases

    @cached_property
    def low(self) -> float:
        """The lower limit of the true share."""
        error = 0.5 * (1.0 - self.confidence)
        return float(betaincinv(self.held, self.cases - self.held + 1, error)) if self.held else 0.0

    @cached_property
    def high(self) -> float:
        """The upper limit of the true share."""
        error = 0.5 * (1.0 - self.confidence)
        return float(betainccinv(self.held + 1, self.cases - self.held, error)) if self.held < self.cases else 1.0

    @property
    def verdict(self) -> Literal["refuted", "not refuted"]:
        """The claim is refuted if even the upper limit lies below the claimed share. It is never proven this way."""
        return "refuted" if self.high < self.promised else "not refuted"


PRIOR_LENGTHSCALE = 0.1
"""The length-scale of the functions of `prior_task`, whose candidates fill the unit interval."""


@lru_cache(maxsize=4)
def _prior_root(candidates: int) -> tuple[Array, SquaredExponential, Array]:
    points, kernel = np.linspace(0.0, 1.0, candidates)[:, None], SquaredExponential(PRIOR_LENGTHSCALE)
    return points, kernel, root(points, kernel)


@lru_cache(maxsize=8)
def prior_task(candidates: int = 200, replicate: int = 0) -> TuningTask:
    """Return a tuning task whose score is a function drawn from the prior that Theorems 1 to 6 assume.

    The candidates lie on a line, and scores are in prior standard deviations. The experiments on DP-BO's bounds search
    these functions, one for each ``replicate``. There are no validation records behind the scores, so ``records`` is
    None. O(n³) for n candidates. Raises ValueError for fewer than 2 candidates.
    """
    points, kernel, basis = _prior_root(whole("candidates", candidates, least=2))
    (rng,) = np.random.default_rng([11, replicate]).spawn(1)
    return TuningTask(
        title="Function drawn from the prior",
        names=("λ",),
        parameters=points,
        logarithmic=(False,),
        points=points,
        kernel=kernel,
        scores=basis @ rng.standard_normal(basis.shape[1]),
        centre=0.0,
        unit=1.0,
        prior_from="the prior itself, which is known here",
        identity="tuning/prior",
    )


def two_task_roots(points: ArrayLike, kernel: Kernel) -> Array:
    """Return an n×n root R of K₂ (RRᵀ = K₂ up to 1e-10), for `sample_pair`. O(n³), or 10 ms for n = 400."""
    k = covariance(kernel, matrix("points", points, least_rows=2), np.asarray(points, dtype=float))
    k[np.diag_indices(len(k))] += 1e-10 * kernel.variance
    # K₂ is so nearly singular that the number of threads changes the sixth digit.
    with threadpool_limits(1, user_api="blas"):
        return np.asarray(np.linalg.cholesky(k), dtype=float)


def sample_pair(root: Array, k1: float, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return (f, f′) from GP(0, k₁ ⊗ k₂), with equal priors and correlation k₁ between f(λ) and f′(λ). O(n²)."""
    k1 = check_k1(k1)
    own, other = (root @ rng.standard_normal((len(root), 2))).T
    return own, k1 * own + np.sqrt(1.0 - k1**2) * other


@dataclass(frozen=True, eq=False)
class Coverage:
    """The movements in all pairs so far, with the bounds of Theorem 1 and of Theorem 3 or 5, whichever applies.

    The arrays have one entry for each pair. ``mean_moved`` is max_λ |μ′_T(λ) − μ_T(λ)|. ``best_moved`` is the movement
    of the number that is published with noise. With noisy observations it is |max v′_t − max v_t| (Theorem 3). With
    exact ones it is |f′(λ′_T) − f(λ_T)| [ICML] or |max_{t≥2} f′(λ′_t) − max_{t≥2} f(λ_t)| [workshop] (Theorem 5).
    ``planned`` is the number of pairs that there will be in the end.
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
        """Return the share of pairs in which the theorem's bound held, with its limits. The theorem claims 1 − δ.

        The limits of all values that one call of `coverage` yields hold together with probability ``confidence``. You
        may therefore look at them after every pair (`Look`), which hardly widens the last limits. Raises ValueError for
        a theorem that is not measured here.
        """
        moved, bound = self._of(theorem)
        held = int((moved <= bound.value).sum())
        return Share(held, self.pairs, bound.probability, Look(self.pairs, self.planned).confidence(confidence))

    def beside(self, tuning: Tuning, task: TuningTask) -> "Coverage":
        """Return the same pairs beside the bound of Theorem 5 at other constants A and τ, on which no search depends.

        ``tuning`` must otherwise be that of the pairs, and ``task`` has their candidates.
        """
        A, tau = tuning.constants()
        bound = theorem_5(tuning.premises(task.n), d=task.points.shape[1], A=A, tau=tau)
        return replace(self, theorem_5=bound)

    def slack(self, theorem: int) -> float:
        """Return the bound divided by the (1 − δ)-quantile of the bounded quantity, which is 1 for a tight bound."""
        moved, bound = self._of(theorem)
        return bound.value / float(np.quantile(moved, bound.probability))

    def _of(self, theorem: int) -> tuple[Array, Bound]:
        bound = {1: self.theorem_1, 3: self.theorem_3, 5: self.theorem_5}.get(theorem)
        if bound is None:
            known = "1 and 3" if self.theorem_5 is None else "1 and 5"
            raise ValueError(f"theorem is {theorem!r}. With these observations, coverage is measured for {known}.")
        return self.mean_moved if theorem == 1 else self.best_moved, bound


def coverage(
    points: ArrayLike, tuning: Tuning, *, kernel: Kernel, pairs: int, rng: np.random.Generator
) -> Iterator[Coverage]:
    """Yield the movements between V and V′ in all pairs so far, after each of ``pairs`` pairs.

    Each pair has its own functions and its own observation noise, and both functions are searched. The search is that
    of Algorithm 1, or of Algorithm 2 if ``tuning.sigma`` is 0. ``tuning`` must then contain A and τ. A search costs
    O(nT²), so that a pair takes about 5 ms for n = 400, T = 50, after O(n³) once. Raises ValueError at once if A or τ
    is missing.
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
        runs = [tuning.search(points, f, kernel, rng) for f in sample_pair(root, tuning.k1, rng)]
        # The number that noise is added to.
        here, there = (protected(run, tuning.variant) if exact else float(run.observed.max()) for run in runs)
        mean_moved[done] = np.abs(runs[0].mean - runs[1].mean).max()
        best_moved[done] = abs(here - there)
        given, found = tuning.premises(runs[0].n), runs[0]
        third = None if exact else theorem_3(given, sigma=tuning.sigma, gamma=found.gamma(tuning.gamma))
        fifth = theorem_5(given, d=found.dimension, A=exact[0], tau=exact[1]) if exact else None
        so_far = mean_moved[: done + 1].copy(), best_moved[: done + 1].copy()
        yield Coverage(*so_far, theorem_1(given), third, fifth, pairs)
