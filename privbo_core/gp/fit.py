"""Fit hyperparameters by maximum likelihood: one length-scale per input, the signal variance and the noise variance."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits

from privbo_core.errors import Array, DataError, matrix, positive, vector, whole
from privbo_core.gp.kernels import Kernel, SquaredExponential, covariance, squared_distances


class Fit(NamedTuple):
    """The hyperparameters of a fit.

    ``kernel`` has ℓ = 1. It applies to points of which each column is divided by its entry of ``lengthscales``.
    """

    kernel: Kernel
    noise_variance: float
    lengthscales: Array


@dataclass(frozen=True)
class FitStep:
    """The best fit after ``done`` of the ``restarts``, with its log marginal likelihood on ``subset`` rows."""

    best: Fit
    log_likelihood: float
    done: int
    restarts: int
    subset: int


def fit(
    points: ArrayLike,
    y: ArrayLike,
    *,
    family: type[Kernel] = SquaredExponential,
    restarts: int = 4,
    subset: int = 400,
    longest: float = 100.0,
    rng: np.random.Generator | None = None,
) -> Fit:
    """Return the (kernel, noise_variance, lengthscales) that maximise the marginal likelihood of centred ``y``.

    ``points`` is n×d and ``y`` has length n, both in any units. Length-scales are in the units of their columns, and
    variances in squared units of y. The returned kernel has ℓ = 1 and applies to ``points / lengthscales``. No
    length-scale exceeds ``longest`` standard deviations of its column. A column that would need a longer one hardly
    affects the output. If n is above ``subset``, a random subset of that size is used, because a restart costs
    O(subset³) for each step of L-BFGS. Raises DataError on constant columns, constant y, or values that are not finite.
    """
    *_, last = fitting(points, y, family=family, restarts=restarts, subset=subset, longest=longest, rng=rng)
    return last.best


def fitting(
    points: ArrayLike,
    y: ArrayLike,
    *,
    family: type[Kernel] = SquaredExponential,
    restarts: int = 4,
    subset: int = 400,
    longest: float = 100.0,
    rng: np.random.Generator | None = None,
) -> Iterator[FitStep]:
    """Yield the best fit so far after each restart, so that a caller can show progress and stop.

    The arguments are those of `fit`.
    """
    x = matrix("points", points, least_rows=2)
    outputs = vector("y", y, len(x))
    restarts, subset = whole("restarts", restarts), whole("subset", subset, least=2)
    longest = positive("longest", longest)
    rng = rng or np.random.default_rng(0)
    if len(x) > subset:
        chosen = np.sort(rng.choice(len(x), subset, replace=False))
        x, outputs = x[chosen], outputs[chosen]
    spread = x.std(axis=0)
    # Round-off leaves a constant column with a spread of about eps·|mean|, never much more.
    constant = np.flatnonzero(spread <= 1e-12 * np.abs(x).max(axis=0))
    if len(constant):
        raise DataError(
            f"points: column {constant[0]} is constant, so its length-scale cannot be learned. Leave that column out."
        )
    scale = outputs.std()
    if scale <= 1e-12 * np.abs(outputs).max():
        raise DataError("y is constant, so there is nothing to learn or to optimise.")
    negative_log_likelihood = _NegativeLogLikelihood(x / spread, (outputs - outputs.mean()) / scale, family)
    d = x.shape[1]
    # On matrices this small, BLAS threads wait for one another. On two busy cores a fit then takes 30 times as long.
    threadpool_limits(limits=1, user_api="blas")
    best: FitStep | None = None
    for start in range(restarts):
        guess = np.zeros(d + 2)
        guess[-1] = np.log(0.1)
        if start:
            guess[:d] = rng.uniform(np.log(0.1), np.log(5.0), d)
            guess[d + 1] = rng.uniform(np.log(1e-4), np.log(0.5))
        bounds = [(np.log(0.01), np.log(longest))] * d + [(np.log(1e-2), np.log(1e2)), (np.log(1e-6), np.log(2.0))]
        optimum = minimize(
            negative_log_likelihood, guess, jac=True, bounds=bounds, method="L-BFGS-B", options={"maxiter": 100}
        )
        if best is None or -optimum.fun > best.log_likelihood:
            result = Fit(
                kernel=family(1.0, float(np.exp(optimum.x[d]) * scale**2)),
                noise_variance=float(np.exp(optimum.x[d + 1]) * scale**2),
                lengthscales=np.exp(optimum.x[:d]) * spread,
            )
            best = FitStep(result, float(-optimum.fun), start + 1, restarts, len(x))
        best = replace(best, done=start + 1)
        yield best


class _NegativeLogLikelihood:
    """Compute −log p(y) and its gradient in θ = (log ℓ_1 … log ℓ_d, log σ_y², log σ_n²), for standardised data."""

    def __init__(self, points: Array, y: Array, family: type[Kernel]) -> None:
        self.points, self.y, self.family = points, y, family

    def __call__(self, theta: Array) -> tuple[float, Array]:
        n, d = self.points.shape
        scaled = self.points / np.exp(theta[:d])
        signal, noise = np.exp(theta[d]), np.exp(theta[d + 1])
        kernel = self.family(1.0, float(signal))
        k = covariance(kernel, scaled, scaled)
        try:
            factor = cho_factor(k + noise * np.eye(n), lower=True)
        except np.linalg.LinAlgError:
            return 1e25, np.zeros_like(theta)
        alpha = cho_solve(factor, self.y)
        value = 0.5 * self.y @ alpha + np.log(np.diag(factor[0])).sum() + 0.5 * n * np.log(2 * np.pi)
        # ∂(−log p)/∂θ = ½ tr((K⁻¹ − ααᵀ) ∂K/∂θ), and ∂ρ²/∂log ℓ_j = −2 (x_ij − x_i'j)²/ℓ_j².
        weight = cho_solve(factor, np.eye(n)) - np.outer(alpha, alpha)
        slope = weight * kernel.slope(squared_distances(scaled, scaled))
        row_sums = slope.sum(axis=1)
        gradient = np.empty_like(theta)
        for j in range(d):
            x = scaled[:, j]
            # Σ_ab slope_ab (x_a − x_b)² without forming the matrix of differences.
            gradient[j] = -(2.0 * row_sums @ x**2 - 2.0 * x @ (slope @ x))
        gradient[d] = 0.5 * (weight * k).sum()
        gradient[d + 1] = 0.5 * noise * np.trace(weight)
        return float(value), gradient
