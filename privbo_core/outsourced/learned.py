"""What a modeler learns from outcomes about the function behind noisy inputs, and what it expects of each row then."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_solve, cholesky
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits

from privbo_core.data import Frame
from privbo_core.errors import Array
from privbo_core.outsourced.beliefs import public_lengthscales

MOST = 200
"""Outcomes that are learned from at most, the latest ones: a step costs O(MOST³)."""
GUESSED, UNGUESSED = 0.5, 0.75
"""Prior deviations of a length-scale's logarithm: around the frame's guess, and around a quarter of the range."""
AMPLITUDE = (1.0, 0.5)  # Prior of σ_y² in variances of what was told: its median, and the deviation of its logarithm.
NOISE = (1.0, 1.0)  # The same of σ_n², what the inputs do not explain of an answer even if they are known exactly.
LONGEST = 4.0  # No parameter goes further from its median than this many prior deviations.


@dataclass(frozen=True, eq=False)
class Learned:
    """A squared exponential of the exact inputs: ``lengthscales`` (d, in the frame), σ_y², σ_n² and the ``mean`` of f.

    An outcome is ``centre`` + ``scale`` · y, and the other numbers are those of y, so that no unit is too large or too
    small. ``noise_variance``: what differs between outcomes of equal inputs. ``learned_from``: how many outcomes.
    ``scaled``: whether anything is known of how far outcomes differ; otherwise ``scale`` is no more than arithmetic.
    """

    lengthscales: Array
    variance: float
    noise_variance: float
    mean: float
    centre: float
    scale: float
    learned_from: int
    scaled: bool


def learn(
    z: Array,
    outcomes: Array,
    *,
    sigma: float,
    frame: Frame,
) -> Learned:
    """Return the most probable parameters after the ``outcomes`` (length t) at the noisy inputs ``z`` (t×d).

    Maximum a posteriori. With e ~ N(0, ``sigma``²) in each input, outcomes at two different rows covary by E k(x + e,
    x′ + e′) (`expected_kernel`), an outcome with itself by σ_y² + σ_n². Length-scales are log-normal, around the
    ``frame``'s public guesses and around a quarter of the range where it has none (`GUESSED`, `UNGUESSED`). In
    variances of the outcomes, log σ_y² and log σ_n² are normal (`AMPLITUDE`, `NOISE`), and the mean of f is N(0, 1)
    about theirs. Analytic gradient, L-BFGS from the prior's median: the same input gives the same output. About 10 ms
    for t = 50, d = 6. Rows at one place, equal outcomes and none at all are no obstacle.
    """
    z, outcomes = z[-MOST:], outcomes[-MOST:]
    centre, scale, scaled = _standard(outcomes)
    density = _Density(z, (outcomes - centre) / scale, sigma, frame)
    theta = density.median
    if len(outcomes) > 1:
        # On matrices this small BLAS threads wait for one another (see `fitting`).
        threadpool_limits(limits=1, user_api="blas")
        reach = LONGEST * density.deviations
        bounds = list(zip(theta - reach, theta + reach, strict=True))
        found = minimize(density, theta, jac=True, bounds=bounds, method="L-BFGS-B", options={"maxiter": 60})
        theta = found.x if np.isfinite(found.fun) else theta
    d = z.shape[1]
    return Learned(
        lengthscales=np.exp(theta[:d]),
        variance=float(np.exp(theta[d])),
        noise_variance=float(np.exp(theta[d + 1])),
        mean=density.mean(theta),
        centre=centre,
        scale=scale,
        learned_from=len(outcomes),
        scaled=scaled,
    )


def _standard(outcomes: Array) -> tuple[float, float, bool]:
    """Return mean and deviation of the outcomes, and True; where they do not differ, the best guess at hand instead."""
    if not len(outcomes):
        return 0.0, 1.0, False
    centre, largest = float(outcomes.mean()), float(np.abs(outcomes).max())
    spread = float((outcomes / (largest or 1.0)).std()) * largest
    if spread > max(1e-12 * largest, 1e-100):
        return centre, spread, True
    return centre, (largest if largest > 1e-100 else 1.0), False


class _Density:
    """−log p(θ | y) and its gradient in θ = (log ℓ_1 … log ℓ_d, log σ_y², log σ_n²), up to a constant."""

    def __init__(self, z: Array, y: Array, sigma: float, frame: Frame) -> None:
        self.y, self.noise = y, sigma
        # Squared differences along each column, d×t×t.
        self.squared = (z.T[:, :, None] - z.T[:, None, :]) ** 2
        self.median = np.append(np.log(public_lengthscales(frame)), np.log([AMPLITUDE[0], NOISE[0]]))
        deviations = [UNGUESSED if column.lengthscale is None else GUESSED for column in frame.columns]
        self.deviations = np.array([*deviations, AMPLITUDE[1], NOISE[1]])

    def __call__(self, theta: Array) -> tuple[float, Array]:
        d, t = len(self.squared), len(self.y)
        k, wide = self._covariance(theta)
        away = (theta - self.median) / self.deviations
        try:
            lower = cholesky(k, lower=True, check_finite=False)
        except LinAlgError:
            return 1e25, np.zeros_like(theta)
        mean = self._mean(lower)
        alpha = cho_solve((lower, True), self.y - mean, check_finite=False)
        value = 0.5 * (self.y - mean) @ alpha + np.log(np.diag(lower)).sum() + 0.5 * mean**2 + 0.5 * away @ away
        # ½ tr((K⁻¹ − ααᵀ) ∂K/∂θ): the mean is the best one for each θ, so it adds nothing.
        weight = cho_solve((lower, True), np.eye(t), check_finite=False) - np.outer(alpha, alpha)
        signal, rest = np.exp(theta[d]), np.exp(theta[d + 1])
        between = weight * k
        np.fill_diagonal(between, 0.0)
        total, squares = between.sum(), np.exp(2.0 * theta[:d])
        gradient = away / self.deviations
        # Between rows k = σ_y² Π ℓ_j/w_j · exp(−½ Σ Δ_j²/w_j²) with w_j² = ℓ_j² + 2σ²; on the diagonal no ℓ_j.
        gradient[:d] += 0.5 * (2.0 * self.noise**2 / wide) * total
        gradient[:d] += 0.5 * np.tensordot(self.squared, between, axes=2) * squares / wide**2
        gradient[d] += 0.5 * (total + signal * np.trace(weight))
        gradient[d + 1] += 0.5 * rest * np.trace(weight)
        return float(value), gradient

    def mean(self, theta: Array) -> float:
        """Return the most probable mean of f for these parameters; 0 without answers."""
        if not len(self.y):
            return 0.0
        return self._mean(cholesky(self._covariance(theta)[0], lower=True))

    def _mean(self, lower: Array) -> float:
        ones = cho_solve((lower, True), np.ones(len(self.y)), check_finite=False)
        return float(ones @ self.y / (ones.sum() + 1.0))

    def _covariance(self, theta: Array) -> tuple[Array, Array]:
        """Return the t×t covariance of the answers, and w² = ℓ² + 2σ² of each column."""
        d = len(self.squared)
        squares = np.exp(2.0 * theta[:d])
        wide, signal = squares + 2.0 * self.noise**2, np.exp(theta[d])
        k = signal * np.sqrt(np.prod(squares / wide)) * np.exp(-0.5 * np.tensordot(1.0 / wide, self.squared, axes=1))
        np.fill_diagonal(k, signal + np.exp(theta[d + 1]))
        return k, wide
