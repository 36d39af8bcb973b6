"""The agents' part (Algorithm 2): their posteriors, the vectors that they send, and the rows that they query.

A simulation holds all N agents in one `Agents`, so that they are computed at once, including their Gaussian-process
posteriors (`Beliefs`). An agent on a machine of its own is the same object with one agent in it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from privbo_core.bo.parallel import cores, run_tasks
from privbo_core.errors import Array, positive, whole
from privbo_core.federated.settings import Settings

Rows = NDArray[np.int64]
BLOCK_SIZE = 64  # Agents whose posteriors are computed together, so that data read twice is still in the cache.
MAX_PRECOMPUTED_ROWS = 2000  # On larger domains, products of two rows of features are computed when they are needed.
DENSE_SPEEDUP = 20  # A dense matrix product takes this fraction of the time of a sparse one.
MIN_PARALLEL_BLOCKS = 8  # With this many blocks or more, all cores share them. No result depends on how.


class Beliefs:
    """Hold N posteriors over weights w ~ N(0, I) of functions f(x) = A[x]·w, where A is the n×r matrix ``features``.

    If A is a root of the kernel matrix, this is the exact posterior on the finite domain. If A = φ, it is the posterior
    of the random features. Let A_t be the features of t observations, λ = ``noise_variance`` and C = A_tA_tᵀ + λI. By
    Matheron's rule a draw is

        w = w₀ + A_tᵀ C⁻¹ (y − A_t w₀ − e),    w₀ ~ N(0, I), e ~ N(0, λI)

    with mean Σ⁻¹A_tᵀy and covariance λΣ⁻¹, where Σ = A_tᵀA_t + λI. Only t×t systems are solved, because the inverse
    Cholesky factor of each C grows by a row per observation, at the next draw. That costs O(N t²), and a draw costs
    O(N(t² + tr)). Memory is 8(N T² + n²) bytes for a ``capacity`` of T observations, without n² on large domains.
    ``products`` are the `products_of` the features, if they are known already.
    """

    def __init__(
        self, features: Array, noise_variance: float, agents: int, capacity: int, products: Array | None = None
    ) -> None:
        self.features = features
        self.noise_variance = positive("noise_variance", noise_variance)
        self.t = 0
        shape = (whole("agents", agents), whole("capacity", capacity))
        self._factored = 0  # The number of observations in the inverse factors. The others wait for the next draw.
        self._gram = products_of(features) if products is None else products
        self._rows: Rows = np.empty(shape, dtype=np.int64)
        self._inverse: Array = np.zeros((*shape, shape[1]))
        self._y: Array = np.empty(shape)

    def observe(self, rows: Rows, y: Array) -> None:
        """Add one observation to each agent's history: ``rows`` and ``y`` have length N."""
        self._rows[:, self.t] = rows
        self._y[:, self.t] = y
        self.t += 1

    def _extend(self, some: slice, t: int) -> None:
        """Add row t, that of observation t + 1, to the inverse factors of a block of agents."""
        inverse, rows = self._inverse[some], self._rows[some, : t + 1]
        products = self._products(rows)
        whitened = _apply(inverse[:, :t, :t], products[:, :t])
        # In exact arithmetic the remaining variance is at least λ.
        remaining = products[:, t] + self.noise_variance - (whitened**2).sum(axis=1)
        scale = 1.0 / np.sqrt(np.maximum(remaining, self.noise_variance))
        inverse[:, t, :t] = _apply_transposed(inverse[:, :t, :t], whitened) * -scale[:, None]
        inverse[:, t, t] = scale

    def _products(self, rows: Rows) -> Array:
        """Return the products of each agent's rows of features with its last one's."""
        if self._gram is not None:
            return np.asarray(self._gram[rows, rows[:, -1:]])
        return np.take_along_axis(self.features[rows[:, -1]] @ self.features.T, rows, axis=1)

    def _catch_up(self) -> None:
        """Add the observations that still wait to the inverse factors."""

        def extend(some: slice) -> None:
            for waiting in range(self._factored, self.t):
                self._extend(some, waiting)

        in_blocks(len(self._y), extend)
        self._factored = self.t

    def draw(self, rng: np.random.Generator, deviation: float = 1.0) -> Array:
        """Return one draw of w for each agent (N×r), with its distance from the mean scaled by ``deviation``."""
        prior = rng.standard_normal((len(self._y), self.features.shape[1]))
        return self.drawn(prior, rng.standard_normal((len(self._y), self.t)), deviation)

    def drawn(self, prior: Array, noise: Array, deviation: float = 1.0) -> Array:
        """Return the `draw` that these standard normal numbers give (N×r and N×t)."""
        return self.given(deviation * prior, deviation * np.sqrt(self.noise_variance) * noise)

    def given(self, prior: Array, noise: Array) -> Array:
        """Return w for each agent from its w₀ (N×r) and e (N×t). If both are zero, w is the posterior mean."""
        self._catch_up()
        drawn = np.empty_like(prior)

        def draw(some: slice) -> None:
            seen = self.features[self._rows[some, : self.t]]
            residuals = self._y[some, : self.t] - _apply(seen, prior[some]) - noise[some]
            drawn[some] = prior[some] + _apply_transposed(seen, self._solve(some, residuals))

        in_blocks(len(prior), draw)
        return drawn

    def highest(self, some: Rows, prior: Array, noise: Array, deviation: float) -> Rows:
        """Return the row at which the function with the `drawn` weights is highest, for ``some`` of the agents."""
        self._catch_up()
        best, t, features, (n, r) = np.empty_like(some), self.t, self.features, self.features.shape
        # The computation with fewer operations is chosen.
        gram = None if r * (n / DENSE_SPEEDUP + t) < t * n else self._gram

        def search(block: slice) -> None:
            agents = some[block]
            rows, values = self._rows[agents, :t], deviation * prior[agents] @ features.T
            errors = deviation * np.sqrt(self.noise_variance) * noise[agents]
            solved = self._solve(agents, self._y[agents, :t] - np.take_along_axis(values, rows, axis=1) - errors)
            places = np.arange(len(agents) + 1) * t
            weights = csr_array((solved.ravel(), rows.ravel(), places), shape=values.shape)
            values += np.asarray((weights @ features) @ features.T if gram is None else weights @ gram)
            best[block] = values.argmax(axis=1)

        in_blocks(len(some), search)
        return best

    def _solve(self, some: slice | Rows, residuals: Array) -> Array:
        """Return C⁻¹ times the residuals of some of the agents."""
        inverse = self._inverse[some, : self.t, : self.t]
        return _apply_transposed(inverse, _apply(inverse, residuals))


def products_of(features: Array) -> Array | None:
    """Return the products of all pairs of rows, AAᵀ, or None on a domain of more than `MAX_PRECOMPUTED_ROWS` rows."""
    return np.asarray(features @ features.T) if len(features) <= MAX_PRECOMPUTED_ROWS else None


def in_blocks(agents: int, work: Callable[[slice], None]) -> None:
    """Do the work for all agents in blocks, which all cores share if there are many."""
    blocks = [slice(start, start + BLOCK_SIZE) for start in range(0, agents, BLOCK_SIZE)]
    if len(blocks) < MIN_PARALLEL_BLOCKS:
        _each(work, blocks)
        return
    share = -(-len(blocks) // cores())
    run_tasks([partial(_each, work, blocks[start : start + share]) for start in range(0, len(blocks), share)])


def _each(work: Callable[[slice], None], blocks: list[slice]) -> None:
    for block in blocks:
        work(block)


def _apply(matrices: Array, vectors: Array) -> Array:
    return np.asarray(np.matmul(matrices, vectors[:, :, None])[:, :, 0])


def _apply_transposed(matrices: Array, vectors: Array) -> Array:
    return np.asarray(np.matmul(vectors[:, None, :], matrices)[:, 0, :])


@dataclass(frozen=True, eq=False)
class Streams:
    """Hold one random stream for each purpose, so that runs with different settings use common random numbers."""

    features: np.random.Generator
    initial: np.random.Generator
    noise: np.random.Generator
    coins: np.random.Generator
    own: np.random.Generator
    vectors: np.random.Generator
    selection: np.random.Generator
    server: np.random.Generator

    @classmethod
    def of(cls, rng: np.random.Generator) -> "Streams":
        """Spawn the streams from one generator."""
        return cls(*rng.spawn(8))


@dataclass(frozen=True, eq=False)
class RandomNumbers:
    """Draw random numbers for the agents ``numbers``, as a part of the draws for all agents, 0 to ``total`` − 1."""

    streams: Streams
    total: int
    numbers: Rows

    @classmethod
    def alone(cls, number: int) -> "RandomNumbers":
        """Return the random numbers of one agent on a machine of its own, seeded by the operating system."""
        return cls(Streams.of(np.random.default_rng()), 1, np.array([number]))

    def uniform(self, stream: str, *shape: int) -> Array:
        """Return uniform numbers of the given shape for each agent."""
        return self._theirs(getattr(self.streams, stream).random((self.total, *shape)))

    def normal(self, stream: str, *shape: int) -> Array:
        """Return standard normal numbers of the given shape for each agent."""
        return self._theirs(getattr(self.streams, stream).standard_normal((self.total, *shape)))

    def _theirs(self, drawn: Array) -> Array:
        return drawn if len(self.numbers) == self.total else drawn[self.numbers]


@dataclass(frozen=True, eq=False)
class Shared:
    """Hold the public facts that all agents and the server share. No agent's values enter them.

    ``basis`` is a root of the kernel matrix of the n rows, and ``products`` are the `products_of` it. ``phi`` holds the
    n×M random features, ``regions`` the sub-region of each row, and ``deviations`` β_t for t = 1, …, T.
    """

    settings: Settings
    agents: int
    basis: Array
    products: Array | None
    phi: Array
    regions: Rows
    deviations: Array

    @property
    def explores(self) -> Rows:
        """Return the sub-region that each of the N agents explores."""
        return np.arange(self.agents) % self.settings.P

    def predicted(self, vectors: Array) -> Array:
        """Return the value φ(x)·ω^{(i)} that the server's vectors (P×M) predict at each row x of a region i."""
        return np.asarray(np.einsum("nm,nm->n", self.phi, vectors[self.regions]))


class Agents:
    """Run the agents that ``random`` belongs to. Each has its own beliefs and room for ``capacity`` observations."""

    def __init__(self, shared: Shared, random: RandomNumbers, capacity: int) -> None:
        self.shared, self.random = shared, random
        count, ridge = len(random.numbers), shared.settings.regularisation
        self._own = Beliefs(shared.basis, ridge, count, capacity, shared.products)
        self._sent = None if shared.settings.alone else Beliefs(shared.phi, ridge, count, capacity)

    def begin(self) -> Rows:
        """Return each agent's initial rows, drawn uniformly from its sub-region: agents×N_init."""
        shared = self.shared
        explores, regions = shared.explores[self.random.numbers], shared.regions
        if shared.settings.start == "anywhere":
            # All agents start in one region that holds all rows.
            explores, regions = 0 * explores, 0 * regions
        keys = self.random.uniform("initial", len(regions))
        return starting_rows(keys, explores, regions, shared.settings.initial)

    def observe(self, rows: Rows, outcomes: Array) -> None:
        """Add an outcome to each agent's own posterior, and to the posterior that its vector is drawn from."""
        self._own.observe(rows, outcomes)
        if self._sent is not None:
            self._sent.observe(rows, outcomes)

    def vectors(self) -> Array:
        """Return ω_n for each agent, drawn from its posterior of the random features and not clipped yet."""
        assert self._sent is not None, "agents that work alone send nothing"
        return self._sent.drawn(*self._normals("vectors", self._sent))

    def asks(self, t: int, vectors: Array | None) -> tuple[Rows, NDArray[np.bool_]]:
        """Return the row that each agent queries at iteration ``t``, and whether the server's ``vectors`` chose it."""
        shared = self.shared
        coins = self.random.uniform("coins")
        # All random numbers are drawn whether they are used or not, so that they are the same in every variant.
        normals = self._normals("own", self._own)
        follow = np.asarray(coins < shared.settings.follows(t))
        if vectors is None:
            follow[:] = False
        rows = np.empty(len(follow), dtype=np.int64)
        if vectors is not None:
            rows[follow] = shared.predicted(vectors).argmax()
        rows[~follow] = self._own.highest(np.flatnonzero(~follow), *normals, float(shared.deviations[t - 1]))
        return rows, follow

    def _normals(self, stream: str, beliefs: Beliefs) -> tuple[Array, Array]:
        return self.random.normal(stream, beliefs.features.shape[1]), self.random.normal(stream, beliefs.t)


def starting_rows(keys: Array, explores: Rows, regions: Rows, count: int) -> Rows:
    """Return N×``count`` rows: distinct ones for each agent, drawn uniformly from its own sub-region.

    ``keys`` has one uniform number for each agent and row (N×n), and is overwritten.
    """
    keys[regions[None, :] != explores[:, None]] += 1.0
    # The smallest keys belong to the region, which holds at least ``count`` points.
    return np.argpartition(keys, count - 1, axis=1)[:, :count].astype(np.int64)
