"""What a class searches when it plays the modeler: a few records, the map of them that is released, its standards."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from privbo_core.bo import Trace, rule, rule_queries, search
from privbo_core.data import SEARCHES, Problem, sample
from privbo_core.errors import Array, positive, whole
from privbo_core.gp import Kernel
from privbo_core.outsourced import Mechanism, belief, curate, noisy_release, publish_noisy

COLUMNS = {
    "hospital": ("age", "log_creatinine"),
    "loans": ("interest_rate", "amount"),
    "homes": ("longitude", "latitude"),
}
"""The samples that a class can search, and the two of their inputs that its map is made of."""
RECORDS = 100  # So many fit on a phone, each under a thumb.
INITIAL = 3  # Rows that everybody knows before the first test, and the machine too.
MAPS = 100  # Maps that the machine’s standard is the mean over.
DELTA = 1e-5
MOST_TESTS = 20


@dataclass(frozen=True, eq=False)
class Ground:
    """Some records of a sample. ``problem`` has them alone; ``outcome`` in the unit in which people speak of it.

    ``initial``: the records whose outcomes everybody knows; all of the worse half, so that there is something to find.
    """

    source: str
    problem: Problem
    outcome: Array
    unit: str
    initial: tuple[int, ...]

    @classmethod
    def draw(cls, source: str, rng: np.random.Generator | None = None) -> "Ground":
        """Draw records of a sample, others each time. Raises ValueError, listing the names, for an unknown sample."""
        if source not in COLUMNS:
            raise ValueError(f"source is {source!r}; it is one of {', '.join(map(repr, COLUMNS))}.")
        dice, everybody = rng or np.random.default_rng(), sample(source)
        problem = _some(everybody, COLUMNS[source], dice.choice(everybody.n, RECORDS, replace=False))
        assert problem.preparation is not None  # all of COLUMNS come from tables
        outcome, unit = problem.preparation.output(problem.objective), problem.preparation.output_unit
        worse = np.argsort(problem.objective)[: RECORDS // 2]
        return cls(source, problem, outcome, unit, tuple(map(int, dice.choice(worse, INITIAL, replace=False))))

    @cached_property
    def values(self) -> Array:
        """The outcomes with the sign that makes the largest the best."""
        return self.outcome if self.problem.maximize else -self.outcome

    @cached_property
    def regrets(self) -> Array:
        """How far each record is from the best, in the outcome’s unit."""
        return np.asarray(self.values.max() - self.values)

    @cached_property
    def shares(self) -> Array:
        """For each record which share of the others is worse: 0 for the worst, 1 for the best."""
        return np.array([np.count_nonzero(self.values < value) for value in self.values]) / (len(self.values) - 1)

    def chance(self, tests: int) -> Array:
        """Return the regret to expect after each test of somebody who taps blindly, and no row twice.

        Exact: of the m open rows, put in order, the i-th is the best of t with probability C(m − i, t − 1) / C(m, t).
        """
        start = self.regrets[list(self.initial)].min()
        rest = np.minimum(np.sort(np.delete(self.regrets, list(self.initial))), start)
        m = len(rest)
        return np.array([
            math.fsum(math.comb(m - i, t - 1) / math.comb(m, t) * regret for i, regret in enumerate(rest, start=1))
            for t in range(1, tests + 1)
        ])  # fmt: skip

    def machine(self, released: "Map", tests: int) -> Trace:
        """Return what the product’s own search does on a map, in the numbers of its rows and the outcome’s unit."""
        points, kernel, nugget, noise_variance = released.model
        queries = rule_queries(
            points,
            kernel=kernel,
            noise_variance=noise_variance,
            iterations=tests,
            initial_rows=released.initial,
            rule=rule(SEARCHES[self.source], delta_ucb=0.05, once=True, rng=np.random.default_rng()),
            nugget=nugget,
        )
        rows, _ = search(queries, lambda row: float(self.problem.objective[released.order[row]]))
        values = self.values[released.order]
        return Trace.of(rows, [float(values[row]) for row in rows], values, len(released.initial))


def _some(problem: Problem, names: Sequence[str], rows: NDArray[np.int64]) -> Problem:
    """Return the problem of these rows with these inputs only, as what was learned of the whole sample places them."""
    at, before = np.array([problem.names.index(name) for name in names]), problem.preparation
    return replace(
        problem,
        points=problem.points[np.ix_(rows, at)],
        objective=problem.objective[rows],
        original=problem.original[np.ix_(rows, at)],
        names=tuple(names),
        units=tuple(problem.units[column] for column in at),
        unit_distance=problem.unit_distance[at],
        known_frame=problem.frame.chosen(names),
        identity=None,
        preparation=before
        and replace(before, rows=before.rows[rows], means=before.means[at], lengthscales=before.lengthscales[at]),
    )


@dataclass(frozen=True, eq=False)
class Map:
    """A map of the ground: ``Z`` as it was released, a row for each of the records in ``order``.

    ``sigma``: the noise in each number of a noisy release; 0 for the paper’s projection. ``turned``: which of the eight
    ways of laying a map on a table it is shown in, so that nobody goes back to a place that they remember.
    """

    ground: Ground
    mechanism: Mechanism
    epsilon: float
    Z: Array
    order: NDArray[np.int64]
    sigma: float = 0.0
    turned: int = 0

    @cached_property
    def initial(self) -> tuple[int, ...]:
        """The numbers that the first rows have on this map."""
        places = {int(record): row for row, record in enumerate(self.order)}
        return tuple(places[record] for record in self.ground.initial)

    @cached_property
    def shown(self) -> Array:
        """The released map as it is laid on the table: n×2, nothing but Z is in it."""
        return np.column_stack([sign * self.Z[:, column] for column, sign in self.laid])

    @property
    def laid(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Which column of Z goes to the right and which upwards, each with 1, or with −1 if it falls that way."""
        across, up = (1, 0) if self.turned & 1 else (0, 1)
        return (across, -1 if self.turned & 2 else 1), (up, -1 if self.turned & 4 else 1)

    @property
    def model(self) -> tuple[Array, Kernel, float, float]:
        """What the machine searches with: points, kernel, nugget and the variance of an answer’s noise."""
        problem = self.ground.problem
        if self.mechanism == "private":
            return self.Z, problem.kernel, 0.0, problem.noise_variance
        prior = belief(problem)
        return *prior.read(self.Z, self.sigma), prior.noise_variance


@dataclass(frozen=True, eq=False)
class Leg:
    """A map to play on, and what the class is compared with, in the outcome’s unit after each of the tests.

    ``machine``: the search on `MAPS` maps like this one, a row each; ``here``: on this one; ``chance``: of blind taps.
    """

    map: Map
    machine: Array
    here: Trace
    chance: Array

    @property
    def ground(self) -> Ground:
        return self.map.ground

    @property
    def tests(self) -> int:
        return len(self.chance)


def make_leg(ground: Ground, mechanism: Mechanism, epsilon: float, tests: int) -> Leg:
    """Release a map of the ground, and let the machine search it and `MAPS` simulated ones like it. 0.2 s.

    The noise of a class’s own map comes from the operating system, by the door that real releases go through (which
    takes a second to open the first time). The paper's projection has no noise to draw.
    """
    if mechanism == "private":
        return simulated_leg(ground, mechanism, epsilon, tests)
    problem, frame = ground.problem, ground.problem.frame
    positive("epsilon", epsilon)
    release = publish_noisy(frame.place(problem.original), epsilon, DELTA, bounds=frame.bounds)
    order = np.array(random.SystemRandom().sample(range(problem.n), problem.n))
    return _searched(ground, mechanism, epsilon, tests, (release.Z, release.sigma, order))


def simulated_leg(
    ground: Ground, mechanism: Mechanism, epsilon: float, tests: int, rng: np.random.Generator | None = None
) -> Leg:
    """Return a leg as `make_leg` does, on a simulated map: the same with the same dice."""
    dice = np.random.default_rng() if rng is None else rng
    order = dice.permutation(ground.problem.n)
    shown = _simulated(ground.problem, mechanism, positive("epsilon", epsilon), dice)
    return _searched(ground, mechanism, epsilon, tests, (*shown, order), dice)


def _searched(
    ground: Ground, mechanism: Mechanism, epsilon: float, tests: int, shown: tuple[Array, float, NDArray[np.int64]],
    rng: np.random.Generator | None = None,
) -> Leg:  # fmt: skip
    """Let the machine search a map and others like it; ``shown``: the released points, their noise, and their order."""
    if whole("tests", tests) > MOST_TESTS:
        raise ValueError(f"tests is {tests}; it must be at most {MOST_TESTS}.")
    dice = np.random.default_rng() if rng is None else rng
    z, sigma, order = shown
    released = Map(ground, mechanism, float(epsilon), z[order], order, sigma, int(dice.integers(8)))
    others = []
    for _ in range(MAPS):
        z, _ = _simulated(ground.problem, mechanism, epsilon, dice)
        others.append(ground.machine(replace(released, Z=z[order]), tests).simple_regret)
    return Leg(released, np.array(others), ground.machine(released, tests), ground.chance(tests))


def _simulated(problem: Problem, mechanism: Mechanism, epsilon: float, rng: np.random.Generator) -> tuple[Array, float]:
    if mechanism == "private":
        return curate(problem.points, epsilon, DELTA, 2, rng).Z, 0.0
    frame = problem.frame
    release = noisy_release(frame.place(problem.original), epsilon, DELTA, bounds=frame.bounds, rng=rng)
    return release.Z, release.sigma
