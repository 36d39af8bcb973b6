"""Represent mechanisms as values, with the distribution of their outputs: two add noise, and two choose a candidate.

A mechanism does not fix the source of its randomness. `privbo_core.privacy.simulate` draws from it with a seed, for
simulations. `privbo_core.privacy.release` draws once from the operating system, for real releases.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import lambertw

from privbo_core.errors import Array, DataError, positive, probability, whole
from privbo_core.privacy.calibration import gaussian_sigma

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(24)
_NODES, _WEIGHTS = 0.5 * (_NODES + 1.0), 0.5 * _WEIGHTS  # on the unit interval
MAX_NODES = 2**14
"""The largest number of values of the integrand of `PermuteAndFlip` that are in memory together."""


@dataclass(frozen=True)
class Laplace:
    """value + Lap(Δ/ε), which is ε-differentially private for a number of sensitivity Δ = ``sensitivity``.

    ``sensitivity`` is in units of the number. Raises ValueError unless both are finite and above 0.
    """

    sensitivity: float
    epsilon: float

    def __post_init__(self) -> None:
        positive("sensitivity", self.sensitivity)
        positive("epsilon", self.epsilon)
        positive("scale (sensitivity/epsilon)", self.scale)

    @property
    def scale(self) -> float:
        """Return the b = Δ/ε of Lap(b), in units of the number. It is the mean absolute value of the noise."""
        return self.sensitivity / self.epsilon

    def density(self, noise: ArrayLike) -> Array:
        """Return exp(−|x|/b)/2b at each entry x of ``noise``."""
        return np.asarray(np.exp(-np.abs(np.asarray(noise, dtype=float)) / self.scale) / (2.0 * self.scale))

    def half_width(self, coverage: float) -> float:
        """Return the h with Pr[|noise| ≤ h] = ``coverage``: h = b log(1/(1 − coverage))."""
        return -self.scale * math.log1p(-probability("coverage", coverage))


@dataclass(frozen=True, eq=False)
class Choice:
    """The base class of mechanisms that choose one of n candidates at random, where better scores are more likely.

    ``scores`` holds one finite number per candidate, and larger is better. ``sensitivity`` Δ is in their units, and no
    score may move by more than Δ from one dataset to its neighbour. Raises DataError or ValueError on unusable input.
    """

    scores: Array
    sensitivity: float
    epsilon: float

    def __post_init__(self) -> None:
        if np.ndim(self.scores) != 1 or len(self.scores) < 2:
            raise DataError(
                f"scores has shape {np.shape(self.scores)}. It must have one number for each of at least 2 candidates."
            )
        bad = np.flatnonzero(~np.isfinite(self.scores))
        if len(bad):
            raise DataError(f"scores holds {self.scores[bad[0]]} in row {bad[0]}. Every score must be a finite number.")
        positive("sensitivity", self.sensitivity)
        positive("epsilon", self.epsilon)
        positive("scale (2·sensitivity/epsilon)", self.scale)

    @property
    def scale(self) -> float:
        """Return 2Δ/ε, in units of the scores. The draw is a noisy maximum with noise of this scale."""
        return 2.0 * self.sensitivity / self.epsilon

    @cached_property
    def logits(self) -> Array:
        """Return (score − best score)/scale, at most 0. It is finite however huge the scores or small the scale."""
        # The difference is taken first, because dividing a huge score by a tiny scale would overflow.
        with np.errstate(over="ignore"):
            logits = (self.scores - self.scores.max()) / self.scale
        return np.asarray(np.maximum(logits, -np.finfo(float).max))

    @cached_property
    def log_probabilities(self) -> Array:
        """Return the log-probability of each candidate, normalised."""
        raise NotImplementedError

    @cached_property
    def probabilities(self) -> Array:
        """Return the probability of each candidate. Their sum is 1."""
        weights = np.exp(self.log_probabilities)
        return np.asarray(weights / weights.sum())

    @property
    def entropy(self) -> float:
        """Return −Σ p log p, in nats: log n for a uniform draw, 0 for a certain one."""
        p = self.probabilities
        return max(0.0, -float(p @ np.where(p > 0, self.log_probabilities, 0.0)))

    @property
    def effective_candidates(self) -> float:
        """Return exp(entropy), the number of equally likely candidates with the same entropy, from 1 to n."""
        return math.exp(self.entropy)

    @property
    def expected_loss(self) -> float:
        """Return the mean of max scores − score of the draw, in units of the scores."""
        return float(self.probabilities @ (self.scores.max() - self.scores))


class Exponential(Choice):
    """The exponential mechanism, which chooses row i with Pr ∝ exp(ε scores_i / 2Δ).

    It is ε-differentially private if no score moves by more than Δ. It is the noisy maximum with Gumbel noise (McSherry
    and Talwar 2007).
    """

    @cached_property
    def log_probabilities(self) -> Array:
        """Return the log-probability of each candidate, normalised."""
        return np.asarray(self.logits - math.log(np.exp(self.logits).sum()))


class PermuteAndFlip(Choice):
    """Candidates in random order, each with a coin of Pr[heads] = exp(ε (scores_i − best)/2Δ). The first heads wins.

    It is ε-differentially private if no score moves by more than Δ, and never worse in expectation than `Exponential`
    (McKenna and Sheldon 2020). It is the noisy maximum with one-sided exponential noise.
    """

    @cached_property
    def log_probabilities(self) -> Array:
        """Return the log-probability of each candidate: log s_i ∫₀¹ Π_{j≠i} (1 − s_j u) du with s = exp(logits).

        A candidate wins at noisy score v if no other lies above. The integral's variable is u = exp(−(v − best)/scale).
        Panels that double in width follow the product, which falls as exp(−u Σ s). O(n log n).
        """
        weights = np.exp(self.logits)
        total = float(weights.sum())
        edges = np.concatenate([[0.0], np.geomspace(min(0.5 / total, 0.25), 1.0, 2 + math.ceil(math.log2(total)))])
        nodes = (edges[:-1, None] + np.multiply.outer(np.diff(edges), _NODES)).ravel()
        widths = np.multiply.outer(np.diff(edges), _WEIGHTS).ravel()
        integrals, step = np.zeros(len(weights)), max(1, MAX_NODES // len(weights))
        for start in range(0, len(nodes), step):
            left = 1.0 - np.multiply.outer(nodes[start : start + step], weights)
            others = widths[start : start + step] * np.exp(np.log(left).sum(axis=1))
            integrals += np.divide(others[:, None], left, out=left).sum(axis=0)
        return np.asarray(np.maximum(self.logits + np.log(integrals), -np.finfo(float).max))


def largest_expected_loss(candidates: int, scale: float) -> float:
    """Return the largest expected loss of `Exponential` over all scores. `PermuteAndFlip` loses no more.

    ``scale`` is 2Δ/ε, in units of the scores. With losses x_i·scale and weights e^{−x_i}, the mean loss is largest
    where all but the best lie one above that mean. It is then W((n − 1)/e)·scale with Lambert's W, which is at most
    ln(n)·scale. Raises ValueError if there is no candidate or no positive scale.
    """
    return positive("scale", scale) * float(lambertw((whole("candidates", candidates) - 1) / math.e).real)


@dataclass(frozen=True)
class Gaussian:
    """vector + N(0, σ²I): (ε, δ)-differentially private for a vector of Euclidean sensitivity Δ.

    σ is the smallest that gives this guarantee (`gaussian_sigma`). Raises ValueError on unusable parameters.
    """

    sensitivity: float
    epsilon: float
    delta: float

    def __post_init__(self) -> None:
        positive("sigma", self.sigma)

    @cached_property
    def sigma(self) -> float:
        """Return the standard deviation of the noise, in units of the vector."""
        return gaussian_sigma(self.epsilon, self.delta, self.sensitivity)
