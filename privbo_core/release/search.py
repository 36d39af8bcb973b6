"""The optimisation before a release: GP-UCB on the data holder's own data, and its result."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privbo_core.bo import UpperBound, information_gain, rule_queries, search
from privbo_core.errors import Array, matrix, positive, probability, vector
from privbo_core.gp import Kernel, Posterior
from privbo_core.release.theory import Premises, Variant, check_sigma, check_steps

JITTER = 1e-8  # The noise variance of exact observations, so that the posterior exists if a row is observed twice.

GammaKind = Literal["upper", "greedy"]
"""The value used for γ_T. "upper" is greedy/(1 − 1/e), which is never too small. "greedy" is never too large."""


@dataclass(frozen=True)
class Tuning:
    """The parameters of Algorithm 1, or of Algorithm 2 with ``sigma`` = 0 (exact observations).

    ``A`` and ``tau`` are the unknown constants on which Algorithm 2's score depends, or None if they are not needed.
    """

    k1: float
    sigma: float
    iterations: int
    delta: float
    variant: Variant = "icml"
    gamma: GammaKind = "upper"
    A: float | None = None
    tau: float | None = None

    def constants(self) -> tuple[float, float]:
        """Return (A, τ). Raises ValueError if one of them is missing."""
        if self.A is None or self.tau is None:
            name, value = ("A", self.A) if self.A is None else ("tau", self.tau)
            raise ValueError(f"{name} is {value!r}. Algorithm 2's score needs the constants A and τ, both above 0.")
        return positive("A", self.A), positive("tau", self.tau)

    def search(
        self,
        points: ArrayLike,
        objective: ArrayLike | Callable[[int], float],
        kernel: Kernel,
        rng: np.random.Generator | None = None,
    ) -> "Search":
        """Return the search of these candidates (see `optimise`)."""
        sigma, iterations = self.sigma, self.iterations
        return optimise(points, objective, kernel=kernel, sigma=sigma, iterations=iterations, delta=self.delta, rng=rng)

    def premises(self, n: int) -> Premises:
        """Return the premises of the theorems for n candidates."""
        return Premises(n, self.iterations, self.delta, self.k1, self.variant)


@dataclass(frozen=True, eq=False)
class Search:
    """One finished run of Algorithm 1's lines 3–8 (σ > 0) or Algorithm 2's line 2 (σ = 0) on n candidates.

    ``rows`` and ``observed`` are λ_t and v_t for t = 1 … T. ``mean`` and ``variance`` are μ_T and σ_T² at every
    candidate. ``gamma_greedy`` ≤ γ_T ≤ ``gamma_upper`` in nats, and both are infinite for σ = 0. All of this is for the
    data holder alone.
    """

    rows: NDArray[np.int64]
    observed: Array
    mean: Array
    variance: Array
    sigma: float
    delta: float
    dimension: int
    gamma_greedy: float
    gamma_upper: float

    @property
    def n(self) -> int:
        """The number of candidates, |Λ|."""
        return len(self.mean)

    @property
    def iterations(self) -> int:
        """The number of steps, T."""
        return len(self.rows)

    def gamma(self, kind: GammaKind) -> float:
        """Return γ_T's greedy value or upper bound. Raises ValueError for anything but "upper" and "greedy"."""
        if kind not in ("upper", "greedy"):
            raise ValueError(f"gamma is {kind!r}. It must be 'upper' or 'greedy'.")
        return self.gamma_upper if kind == "upper" else self.gamma_greedy


def optimise(
    points: ArrayLike,
    objective: ArrayLike | Callable[[int], float],
    *,
    kernel: Kernel,
    sigma: float,
    iterations: int,
    delta: float,
    rng: np.random.Generator | None = None,
) -> Search:
    """Run GP-UCB for T = ``iterations`` steps with β_t = 2 log(|Λ|t²π²/3δ), starting from the prior.

    ``objective`` is f at each of the n candidates, to be maximised, in units in which its prior variance is 1. Each
    observation adds N(0, σ²) from ``rng``. ``objective`` may also be a function from a row to v_t, which is called T
    times. With ``sigma`` = 0, observations are exact. The search is then GP-UCB without noise, and *not* the branch and
    bound of de Freitas et al. (2012) that Algorithm 2 asks for. That method refines a lattice, and the regret theorem
    is about that method. The cost is O(nT²), about 5 ms for n = 1000, T = 50. Raises ValueError for T < 2 or T > n, δ
    outside (0, 1), σ out of range or k₂(λ, λ) ≠ 1, and DataError for unusable data.
    """
    x = matrix("points", points, least_rows=2)
    steps, delta = check_steps(iterations), probability("delta", delta)
    if sigma != 0:
        check_sigma(sigma)
    if kernel.variance != 1.0:
        raise ValueError(
            f"kernel.variance is {kernel.variance!r}. The algorithms assume k₂(λ, λ) = 1. Divide the objective by "
            "its standard deviation and use variance 1."
        )
    answer = objective if callable(objective) else _noisy(vector("objective", objective, len(x)), sigma, steps, rng)
    noise_variance = sigma**2 or JITTER
    asked, observed = search(
        rule_queries(
            x, kernel=kernel, noise_variance=noise_variance, iterations=steps, initial_rows=[], rule=UpperBound(delta)
        ),
        answer,
    )
    posterior = Posterior(x, kernel, noise_variance, capacity=steps)
    for row, value in zip(asked, observed, strict=True):
        posterior.observe(row, value)
    gain = information_gain(x, kernel, noise_variance, steps) if sigma > 0 else None
    return Search(
        rows=np.asarray(asked, dtype=np.int64),
        observed=np.asarray(observed, dtype=float),
        mean=posterior.mean,
        variance=posterior.variance,
        sigma=float(sigma),
        delta=delta,
        dimension=x.shape[1],
        gamma_greedy=float(gain.greedy[-1]) if gain else math.inf,
        gamma_upper=float(gain.upper[-1]) if gain else math.inf,
    )


def _noisy(values: Array, sigma: float, steps: int, rng: np.random.Generator | None) -> Callable[[int], float]:
    if sigma == 0:
        return lambda row: float(values[row])
    if rng is None:
        raise ValueError("rng is None. Noisy observations of a known objective need a generator to draw from.")
    # All noise is drawn at once, so that two searches with equal generators have the same noise at each step,
    # whichever rows they ask for.
    noise = iter(sigma * rng.standard_normal(steps))
    return lambda row: float(values[row] + next(noise))
