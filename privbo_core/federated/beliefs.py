"""The Gaussian-process posteriors of many agents at once, each with its own history of the same length."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from privbo_core.bo.parallel import abreast, cores
from privbo_core.errors import Array, positive, whole

Rows = NDArray[np.int64]
BLOCK = 64
"""Agents whose posteriors are worked on together, so that what is read twice is still in the cache."""
MANY = 8
"""From so many blocks on, all cores share them. No number depends on how they are shared."""


class Beliefs:
    """N posteriors over weights w ~ N(0, I) of functions f(x) = A[x]·w, A the n×r ``features``.

    With A a root of the kernel matrix this is the exact posterior on the finite domain; with A = φ it is that of the
    random features. After t observations (A_t their features, C = A_tA_tᵀ + λI, λ = ``noise_variance``) a draw is

        w = w₀ + A_tᵀ C⁻¹ (y − A_t w₀ − e),    w₀ ~ N(0, I), e ~ N(0, λI)

    (Matheron's rule), whose mean is Σ⁻¹A_tᵀy and covariance λΣ⁻¹ with Σ = A_tᵀA_t + λI. Only t×t systems are solved:
    the inverse Cholesky factor of each C grows by a row per observation, at the next draw. Both cost O(N(t² + tr))
    for each observation; memory is 8N(T² + Tr) bytes for a ``capacity`` of T observations.
    """

    def __init__(self, features: Array, noise_variance: float, agents: int, capacity: int) -> None:
        self.features = features
        self.noise_variance = positive("noise_variance", noise_variance)
        self.t = 0
        shape = (whole("agents", agents), whole("capacity", capacity))
        self._factored = 0  # so many observations are in the inverse factors; the others wait for the next draw
        self._seen: Array = np.empty((*shape, features.shape[1]))
        self._inverse: Array = np.zeros((*shape, shape[1]))
        self._y: Array = np.empty(shape)

    def observe(self, rows: Rows, y: Array) -> None:
        """Add one observation to each agent's history: ``rows`` and ``y`` have length N."""
        self._seen[:, self.t] = self.features[rows]
        self._y[:, self.t] = y
        self.t += 1

    def _extend(self, some: slice, t: int) -> None:
        """Add row t, that of observation t + 1, to the inverse factors of a block of agents."""
        inverse, new = self._inverse[some], self._seen[some, t]
        whitened = _apply(inverse[:, :t, :t], _apply(self._seen[some, :t], new))
        # In exact arithmetic the remaining variance is at least λ.
        remaining = (new**2).sum(axis=1) + self.noise_variance - (whitened**2).sum(axis=1)
        scale = 1.0 / np.sqrt(np.maximum(remaining, self.noise_variance))
        inverse[:, t, :t] = _apply_transposed(inverse[:, :t, :t], whitened) * -scale[:, None]
        inverse[:, t, t] = scale

    def draw(self, rng: np.random.Generator, deviation: float = 1.0) -> Array:
        """Return one draw of w for each agent (N×r), its distance from the mean scaled by ``deviation``."""
        prior = rng.standard_normal((len(self._y), self.features.shape[1]))
        return self.drawn(prior, rng.standard_normal((len(self._y), self.t)), deviation)

    def drawn(self, prior: Array, noise: Array, deviation: float = 1.0) -> Array:
        """Return the `draw` of these standard normals, N×r and N×t."""
        return self.given(deviation * prior, deviation * np.sqrt(self.noise_variance) * noise)

    def given(self, prior: Array, noise: Array) -> Array:
        """Return w for each agent from its w₀ (N×r) and e (N×t); both zero give the posterior means."""
        t = self.t
        drawn = np.empty_like(prior)

        def draw(some: slice) -> None:
            for waiting in range(self._factored, t):  # here, where what is read for it is read anyway
                self._extend(some, waiting)
            seen, inverse = self._seen[some, :t], self._inverse[some, :t, :t]
            surprise = self._y[some, :t] - _apply(seen, prior[some]) - noise[some]
            correction = _apply_transposed(seen, _apply_transposed(inverse, _apply(inverse, surprise)))
            drawn[some] = prior[some] + correction

        in_blocks(len(prior), draw)
        self._factored = t
        return drawn


def in_blocks(agents: int, work: Callable[[slice], None]) -> None:
    """Do the work for all agents, a block after the other; on all cores if there are many blocks."""
    blocks = [slice(start, start + BLOCK) for start in range(0, agents, BLOCK)]
    if len(blocks) < MANY:
        _each(work, blocks)
        return
    share = -(-len(blocks) // cores())
    abreast([partial(_each, work, blocks[start : start + share]) for start in range(0, len(blocks), share)])


def _each(work: Callable[[slice], None], blocks: list[slice]) -> None:
    for block in blocks:
        work(block)


def _apply(matrices: Array, vectors: Array) -> Array:
    return np.asarray(np.matmul(matrices, vectors[:, :, None])[:, :, 0])


def _apply_transposed(matrices: Array, vectors: Array) -> Array:
    return np.asarray(np.matmul(vectors[:, None, :], matrices)[:, 0, :])
