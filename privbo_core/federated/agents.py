"""The agents' part (Algorithm 2): what each knows, what it sends, what it asks for. One object for any number of them.

A simulation holds all N agents in one `Agents`, so that they are computed at once, their Gaussian-process posteriors
(`Beliefs`) too. An agent on a machine of its own is the same object with one agent in it.
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
BLOCK = 64  # Agents whose posteriors are worked on together, so that what is read twice is still in the cache.
LARGE = 2000  # On domains of more points, products of two rows of features are computed where they are needed.
DENSE = 20  # So many times as fast as with a sparse matrix is a product of two that are not.
MANY = 8  # From so many blocks on, all cores share them. No number depends on how they are shared.


class Beliefs:
    """N posteriors over weights w ~ N(0, I) of functions f(x) = A[x]·w, A the n×r ``features``.

    With A a root of the kernel matrix this is the exact posterior on the finite domain; with A = φ it is that of the
    random features. After t observations (A_t their features, C = A_tA_tᵀ + λI, λ = ``noise_variance``) a draw is

        w = w₀ + A_tᵀ C⁻¹ (y − A_t w₀ − e),    w₀ ~ N(0, I), e ~ N(0, λI)

    (Matheron's rule), whose mean is Σ⁻¹A_tᵀy and covariance λΣ⁻¹ with Σ = A_tᵀA_t + λI. Only t×t systems are solved:
    the inverse Cholesky factor of each C grows by a row per observation, at the next draw. That costs O(N t²), and a
    draw O(N(t² + tr)); memory is 8(N T² + n²) bytes for a ``capacity`` of T observations, without n² on large domains.
    ``products``: `products_of` the features, if they are known already.
    """

    def __init__(
        self, features: Array, noise_variance: float, agents: int, capacity: int, products: Array | None = None
    ) -> None:
        self.features = features
        self.noise_variance = positive("noise_variance", noise_variance)
        self.t = 0
        shape = (whole("agents", agents), whole("capacity", capacity))
        self._factored = 0  # so many observations are in the inverse factors; the others wait for the next draw
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
        """Take all observations into the inverse factors."""

        def extend(some: slice) -> None:
            for waiting in range(self._factored, self.t):
                self._extend(some, waiting)

        in_blocks(len(self._y), extend)
        self._factored = self.t

    def draw(self, rng: np.random.Generator, deviation: float = 1.0) -> Array:
        """Return one draw of w for each agent (N×r), its distance from the mean scaled by ``deviation``."""
        prior = rng.standard_normal((len(self._y), self.features.shape[1]))
        return self.drawn(prior, rng.standard_normal((len(self._y), self.t)), deviation)

    def drawn(self, prior: Array, noise: Array, deviation: float = 1.0) -> Array:
        """Return the `draw` of these standard normals, N×r and N×t."""
        return self.given(deviation * prior, deviation * np.sqrt(self.noise_variance) * noise)

    def given(self, prior: Array, noise: Array) -> Array:
        """Return w for each agent from its w₀ (N×r) and e (N×t); both zero give the posterior means."""
        self._catch_up()
        drawn = np.empty_like(prior)

        def draw(some: slice) -> None:
            seen = self.features[self._rows[some, : self.t]]
            surprise = self._y[some, : self.t] - _apply(seen, prior[some]) - noise[some]
            drawn[some] = prior[some] + _apply_transposed(seen, self._solve(some, surprise))

        in_blocks(len(prior), draw)
        return drawn

    def highest(self, some: Rows, prior: Array, noise: Array, deviation: float) -> Rows:
        """Return the row at which the function with the `drawn` weights is highest, for ``some`` of the agents."""
        self._catch_up()
        best, t, features, (n, r) = np.empty_like(some), self.t, self.features, self.features.shape
        gram = None if r * (n / DENSE + t) < t * n else self._gram  # whichever is fewer operations

        def look(block: slice) -> None:
            agents = some[block]
            rows, values = self._rows[agents, :t], deviation * prior[agents] @ features.T
            slips = deviation * np.sqrt(self.noise_variance) * noise[agents]
            solved = self._solve(agents, self._y[agents, :t] - np.take_along_axis(values, rows, axis=1) - slips)
            places = np.arange(len(agents) + 1) * t
            weights = csr_array((solved.ravel(), rows.ravel(), places), shape=values.shape)
            values += np.asarray((weights @ features) @ features.T if gram is None else weights @ gram)
            best[block] = values.argmax(axis=1)

        in_blocks(len(some), look)
        return best

    def _solve(self, some: slice | Rows, surprise: Array) -> Array:
        """Return C⁻¹ times a surprise, for some of the agents."""
        inverse = self._inverse[some, : self.t, : self.t]
        return _apply_transposed(inverse, _apply(inverse, surprise))


def products_of(features: Array) -> Array | None:
    """Return the products of all pairs of rows, AAᵀ; None on a `LARGE` domain, where there is no room for them."""
    return np.asarray(features @ features.T) if len(features) <= LARGE else None


def in_blocks(agents: int, work: Callable[[slice], None]) -> None:
    """Do the work for all agents, a block after the other; on all cores if there are many blocks."""
    blocks = [slice(start, start + BLOCK) for start in range(0, agents, BLOCK)]
    if len(blocks) < MANY:
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
    """One random stream for each purpose, so that runs with different settings share their dice."""

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
class Dice:
    """The random numbers of the agents ``numbers`` among ``everybody``: theirs of what is drawn for all at once."""

    streams: Streams
    everybody: int
    numbers: Rows

    @classmethod
    def alone(cls, number: int) -> "Dice":
        """Return the dice of one agent on a machine of its own, seeded by the operating system."""
        return cls(Streams.of(np.random.default_rng()), 1, np.array([number]))

    def uniform(self, stream: str, *shape: int) -> Array:
        """Return uniform numbers of the given shape for each agent."""
        return self._theirs(getattr(self.streams, stream).random((self.everybody, *shape)))

    def normal(self, stream: str, *shape: int) -> Array:
        """Return standard normal numbers of the given shape for each agent."""
        return self._theirs(getattr(self.streams, stream).standard_normal((self.everybody, *shape)))

    def _theirs(self, drawn: Array) -> Array:
        return drawn if len(self.numbers) == self.everybody else drawn[self.numbers]


@dataclass(frozen=True, eq=False)
class Shared:
    """What all agents and the server know: nothing in it comes from anybody's values.

    ``basis``: a root of the kernel matrix of the n rows, ``products``: `products_of` it; ``phi``: the n×M random
    features; ``regions``: the sub-region of each row; ``deviations``: β_t for t = 1, …, T. ``explores`` is the
    sub-region of each of the N agents.
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
        """The sub-region that each of the N agents explores."""
        return np.arange(self.agents) % self.settings.P

    def promised(self, vectors: Array) -> Array:
        """Return what the server's vectors (P×M) say of each of the n rows: φ(x)·ω^{(i)}, i the region of x."""
        return np.asarray(np.einsum("nm,nm->n", self.phi, vectors[self.regions]))


class Agents:
    """The agents of some ``dice``, each with its own beliefs; ``more`` is how many observations they may still make."""

    def __init__(self, shared: Shared, dice: Dice, more: int) -> None:
        self.shared, self.dice = shared, dice
        count, ridge = len(dice.numbers), shared.settings.regularisation
        self._own = Beliefs(shared.basis, ridge, count, more, shared.products)
        self._sent = None if shared.settings.alone else Beliefs(shared.phi, ridge, count, more)

    def begin(self) -> Rows:
        """Return each agent's initial rows, drawn uniformly from its sub-region: agents×N_init."""
        shared = self.shared
        explores, regions = shared.explores[self.dice.numbers], shared.regions
        if shared.settings.start == "anywhere":
            # All agents begin in one region that holds all rows.
            explores, regions = 0 * explores, 0 * regions
        keys = self.dice.uniform("initial", len(regions))
        return starting_rows(keys, explores, regions, shared.settings.initial)

    def observe(self, rows: Rows, outcomes: Array) -> None:
        """Add an outcome to what each agent knows, and to what its vector is drawn from."""
        self._own.observe(rows, outcomes)
        if self._sent is not None:
            self._sent.observe(rows, outcomes)

    def vectors(self) -> Array:
        """Return ω_n for each agent, drawn from its posterior of the random features; not clipped yet."""
        assert self._sent is not None, "agents that work alone send nothing"
        return self._sent.drawn(*self._normals("vectors", self._sent))

    def asks(self, t: int, vectors: Array | None) -> tuple[Rows, NDArray[np.bool_]]:
        """Return the row that each agent asks for at iteration ``t``, and whether the server's ``vectors`` chose it."""
        shared = self.shared
        coins = self.dice.uniform("coins")
        # Everybody's dice are thrown whether they are used or not, so that they are the same in every variant.
        normals = self._normals("own", self._own)
        follow = np.asarray(coins < shared.settings.follows(t))
        if vectors is None:
            follow[:] = False
        rows = np.empty(len(follow), dtype=np.int64)
        if vectors is not None:
            rows[follow] = shared.promised(vectors).argmax()
        rows[~follow] = self._own.highest(np.flatnonzero(~follow), *normals, float(shared.deviations[t - 1]))
        return rows, follow

    def _normals(self, stream: str, beliefs: Beliefs) -> tuple[Array, Array]:
        return self.dice.normal(stream, beliefs.features.shape[1]), self.dice.normal(stream, beliefs.t)


def initial_rows(explores: Rows, regions: Rows, count: int, rng: np.random.Generator) -> Rows:
    """Return N×``count`` rows: for each agent, distinct ones drawn uniformly from its own sub-region."""
    return starting_rows(rng.random((len(explores), len(regions))), explores, regions, count)


def starting_rows(keys: Array, explores: Rows, regions: Rows, count: int) -> Rows:
    """Return `initial_rows` by one uniform number for each agent and row (N×n), which are used up."""
    keys[regions[None, :] != explores[:, None]] += 1.0
    # The smallest keys belong to the region, which holds at least ``count`` points.
    return np.argpartition(keys, count - 1, axis=1)[:, :count].astype(np.int64)
