"""Whether a table can carry an answer, before anybody looks at a curve.

`judge` asks three questions of it: do the inputs tell anything of the outcome (`shuffled`: a permutation test), how
much, and which of them (`learned`: out-of-sample R²), and is a search without privacy better than chance on these rows
(`searched`): what it cannot win, privacy cannot cost.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_factor, cho_solve

from privbo_core.bo import Search
from privbo_core.bo.parallel import one_thread_each
from privbo_core.data import Problem
from privbo_core.errors import Array, matrix, vector, whole
from privbo_core.gp.kernels import covariance
from privbo_core.outsourced import Difference, Setting, Simulation

__all__ = ["Diagnosis", "Input", "Learned", "Searched", "Shuffled", "Verdict"]
__all__ += ["judge", "learned", "rows_needed", "searched", "shuffled"]

LEVEL = 0.01  # How often at most outcomes that have nothing to do with the inputs are taken for ones that have.
SHUFFLES = 199
SCALES = (0.15, 0.4, 1.0, 3.0)
"""Length-scales of the kernels on all inputs, in √d standard deviations, and of the additive ones, in one."""
NOISES = (0.1, 1.0, 10.0)
"""Noise variances, in signal variances: from trusting each row to trusting only many rows together."""


@dataclass(frozen=True)
class Shuffled:
    """How many of ``shuffles`` tables with shuffled outcomes are explained ``as_good`` as the table itself, or better.

    ``share`` is what the best of a few fixed models explains of the table (R², each row left out in turn), ``usual``
    what it typically is with the outcomes shuffled; ``rows``: how many were used. The best of several is a little high,
    in both alike: as an estimate of R² take `Learned`.
    """

    share: float
    usual: float
    as_good: int
    shuffles: int
    rows: int

    @property
    def p(self) -> float:
        """How likely so high a share is if the outcome has nothing to do with the inputs: exact, for any outcome."""
        return (1 + self.as_good) / (1 + self.shuffles)

    @property
    def clear(self) -> bool:
        """Whether the inputs tell something of the outcome. A table of noise is said to in at most 1 of 100."""
        return self.p <= LEVEL


def shuffled(
    points: ArrayLike,
    y: ArrayLike,
    *,
    shuffles: int = SHUFFLES,
    most: int = 400,
    rng: np.random.Generator,
    meanwhile: Callable[[], None] = lambda: None,
) -> Shuffled:
    """Compare what n×d points in any units explain of y (length n) with what they do of ``shuffles`` shuffled ones.

    A permutation test. Its statistic is the best R² of a fixed family of Gaussian processes, nothing of which was
    learned from y: the choice of the best is made anew for each shuffle, so that the rank among the shuffles is exact
    whatever the distribution of y. ``most`` rows are drawn if there are more. Leaving a row out costs nothing extra:
    y_i − ŷ_i = (K⁻¹y)_i / (K⁻¹)_ii. O(models · rows² (rows + shuffles)). ``meanwhile`` is called now and then; what it
    raises ends the computation. Raises ValueError or DataError on unusable input.
    """
    one_thread_each()
    x = matrix("points", points, least_rows=3)
    outcome = vector("y", y, len(x))
    chosen = rng.permutation(len(x))[: whole("most", most, least=3)]
    x, outcome = standardised(x[chosen]), standardised(outcome[chosen, None])[:, 0]
    orders = rng.permuted(np.tile(np.arange(len(x)), (whole("shuffles", shuffles), 1)), axis=1)
    all_of_them = np.column_stack([outcome, outcome[orders].T])
    # Without inputs: the mean of the other rows.
    spread = (all_of_them**2).sum(axis=0) * (len(x) / (len(x) - 1)) ** 2
    best = np.full(all_of_them.shape[1], -np.inf)
    for kernel in _kernels(x):
        for noise in NOISES:
            meanwhile()
            # 1 for a mean that is not known, beside the kernel's own variance of 1.
            inverse = cho_solve(cho_factor(kernel + 1.0 + noise * np.eye(len(x)), lower=True), np.eye(len(x)))
            left = inverse @ all_of_them / np.diag(inverse)[:, None]
            best = np.maximum(best, 1.0 - (left**2).sum(axis=0) / np.maximum(spread, 1e-300))
    # Outcomes that are the same in another order give the same share but for round-off: they count as as good.
    as_good = int((best[1:] >= best[0] - 1e-9).sum())
    return Shuffled(float(best[0]), float(np.median(best[1:])), as_good, shuffles, len(x))


def standardised(columns: Array) -> Array:
    """Return each column with mean 0 and standard deviation 1; one that is constant becomes 0."""
    centred = columns - columns.mean(axis=0)
    spread = centred.std(axis=0)
    flat = spread <= 1e-12 * np.abs(columns).max(axis=0, initial=0.0)
    return np.asarray(np.where(flat, 0.0, centred / np.where(flat, 1.0, spread)))


def _kernels(x: Array) -> Iterator[Array]:
    """Yield the covariances of the family: smooth in all inputs together, smooth in each by itself, and linear."""
    d = x.shape[1]
    each = (x.T[:, :, None] - x.T[:, None, :]) ** 2
    together = each.sum(axis=0) / d
    for scale in SCALES:
        yield np.exp(-0.5 * together / scale**2)
    if d > 1:
        for scale in SCALES[1:]:
            yield np.exp(-0.5 * each / scale**2).mean(axis=0)
    yield x @ x.T / d


FOLDS = 5
MOST = 1000
TIMES = 3  # How often an input is shuffled.
SURE = 3.0
"""Standard errors from which on an input is said to matter: of ten that are noise, one is in some 1 of 75 tables."""


@dataclass(frozen=True)
class Input:
    """What is lost of R² if this input is shuffled among the rows foretold, with its standard error over the rows."""

    name: str
    drop: float
    standard_error: float

    @property
    def matters(self) -> bool:
        """Whether the model foretells worse without it, for certain."""
        return self.drop > SURE * self.standard_error


@dataclass(frozen=True)
class Learned:
    """R² on rows that were not seen, with its standard error over the rows, and what each input contributes to it.

    1: all of the outcome follows from the inputs; 0: the mean does as well; below 0: the mean does better.
    ``inputs`` are in the problem's order; ``rows``: how many were used. Inputs that say the same share what they tell.
    """

    share: float
    standard_error: float
    inputs: tuple[Input, ...]
    rows: int

    @property
    def relevant(self) -> tuple[Input, ...]:
        """The inputs that matter, the one that tells most first."""
        return tuple(sorted((each for each in self.inputs if each.matters), key=lambda each: -each.drop))


def learned(problem: Problem, *, meanwhile: Callable[[], None] = lambda: None) -> Learned:
    """Return how much of the outcome the problem's own model tells of rows in other folds, and by which inputs.

    R² = 1 − Σ(y − ŷ)²/Σ(y − ȳ)², where ŷ and the mean ȳ come from the other folds. Its kernel and noise were fitted
    once, to the same rows, so that it is a little too high; whether it is more than luck is what `shuffled` says.
    The standard errors are those of quotients of means over rows (delta method). O(k·rows²(rows + d)).
    ``meanwhile`` is called now and then; what it raises ends the computation.
    """
    one_thread_each()
    rng = np.random.default_rng(0)
    chosen = rng.permutation(problem.n)[:MOST]
    x, y = problem.points[chosen], problem.objective[chosen]
    n, d = x.shape
    left, spread, worse = np.empty(n), np.empty(n), np.empty((d, n))
    for fold in range(FOLDS):
        meanwhile()
        out = np.arange(n) % FOLDS == fold
        known, mean = x[~out], float(y[~out].mean())
        k = covariance(problem.kernel, known, known)
        k[np.diag_indices(len(known))] += problem.noise_variance
        weights = cho_solve(cho_factor(k, lower=True), y[~out] - mean)
        spread[out] = (y[out] - mean) ** 2
        left[out] = (y[out] - mean - covariance(problem.kernel, x[out], known) @ weights) ** 2
        for column in range(d):
            meanwhile()
            mixed = np.tile(x[out], (TIMES, 1))
            mixed[:, column] = rng.permuted(mixed[:, column].reshape(TIMES, -1), axis=1).ravel()
            told = mean + (covariance(problem.kernel, mixed, known) @ weights).reshape(TIMES, -1)
            worse[column, out] = ((y[out] - told) ** 2).mean(axis=0) - left[out]
    lost, error = _quotient(left, spread)
    drops = (_quotient(each, spread) for each in worse)
    inputs = tuple(Input(name, *drop) for name, drop in zip(problem.names, drops, strict=True))
    return Learned(1.0 - lost, error, inputs, n)


def _quotient(part: Array, whole_of_it: Array) -> tuple[float, float]:
    """Return mean(part)/mean(whole) and its standard error."""
    total = max(float(whole_of_it.mean()), 1e-300)
    share = float(part.mean()) / total
    return share, float((part - share * whole_of_it).std(ddof=1)) / total / float(np.sqrt(len(part)))


INITIAL = 5
RUNS = 40
MOST_SEARCHED = 10_000


@dataclass(frozen=True)
class Searched:
    """What a search without privacy finds in so many ``tests``, beside as many rows drawn by chance.

    ``lead``: by how much chance ends with more regret, in σ_y, run by run; above 0 the search is ahead. ``rank`` and
    ``chance``: the typical (median) rank of the best row found, 1 being the best of the ``rows``.
    """

    lead: Difference
    rank: float
    chance: float
    tests: int
    rows: int

    @property
    def clear(self) -> bool:
        """Whether the search is ahead of chance for certain, on these rows: luck with one table is not ruled out."""
        return self.lead.clear and self.lead.mean > 0


def searched(
    problem: Problem,
    *,
    tests: int,
    search: Search = "ucb/5",
    simulation: Simulation | None = None,
    meanwhile: Callable[[], None] = lambda: None,
) -> Searched:
    """Return how the plain search does against chance after ``tests`` tests (and five initial ones): 40 runs of each.

    ``simulation``: one of this problem, whose runs are used and remembered; without one, those of a new one, on at most
    `MOST_SEARCHED` rows, always the same. O(runs · rows · tests²). ``meanwhile`` is called now and then; what it raises
    ends it.
    """
    if simulation is None:
        if problem.n > MOST_SEARCHED:
            rows = np.sort(np.random.default_rng(0).choice(problem.n, MOST_SEARCHED, replace=False))
            points, objective, original = problem.points[rows], problem.objective[rows], problem.original[rows]
            problem = replace(problem, points=points, objective=objective, original=original)
        simulation = Simulation(problem)
    # Neither ε nor δ nor r matters to a search without privacy. No row twice, as one does who tests people.
    initial = min(INITIAL, simulation.problem.n)
    setting = Setting(1.0, 1e-5, 1, tests, initial=initial, search=search, once=True)
    *_, found = simulation.compare(setting, RUNS, (), meanwhile)
    ranks = [float(found.typical_rank(policy).median) for policy in ("plain", "random")]
    return Searched(found.lead("plain"), ranks[0], ranks[1], tests, simulation.problem.n)


Verdict = Literal["carries", "weak", "nothing", "too few"]
LEAST_ROWS = 30
"""With so many, three inputs that explain half of an outcome are told from noise in 6 of 10 tables; with 60, in 9."""
ROWS_PER_INPUT = 10
"""Loeppky, Sacks and Welch (2009), "Choosing the sample size of a computer experiment": ten rows for each input."""
SHARE_TESTED = 4
"""A search is judged by how it does with a test for every so many rows at most: who tests all rows needs no search."""


@dataclass(frozen=True)
class Diagnosis:
    """What can be said of a table before any curve. It is computed from the data: for their holder's eyes alone.

    "too few": ``rows`` are fewer than ``needed``, and nothing else is computed. "nothing": the inputs tell nothing of
    the outcome, so that no search can rely on them, and where one looks ahead of chance it is luck with this table.
    "weak": they tell something, and yet the search is not clearly ahead of chance. "carries": both.
    It says nothing of what a release protects: guarantees hold whatever the verdict.
    """

    verdict: Verdict
    rows: int
    needed: int
    shuffled: Shuffled | None = None
    learned: Learned | None = None
    searched: Searched | None = None

    @property
    def least(self) -> int:
        """How many rows are needed however few the inputs are."""
        return LEAST_ROWS

    @property
    def something_to_lose(self) -> bool:
        """Whether a search wins anything here that privacy could cost."""
        return self.verdict == "carries"


def rows_needed(inputs: int) -> int:
    """Return how many rows a table with so many inputs needs for a verdict: 10 for each, and 30 at least."""
    return max(LEAST_ROWS, ROWS_PER_INPUT * inputs)


def judge(
    problem: Problem,
    *,
    tests: int = 30,
    search: Search = "ucb/5",
    simulation: Simulation | None = None,
    meanwhile: Callable[[], None] = lambda: None,
) -> Diagnosis:
    """Return whether a table can carry an answer: always the same one for the same table, within a second or two.

    Are there enough rows; do the inputs explain the outcome more than they do shuffled ones (`shuffled`); how much,
    and which do (`learned`); is a ``search`` without privacy ahead of chance after so many ``tests``, or one for every
    four rows (`searched`; ``simulation`` as there). ``meanwhile`` is called now and then; what it raises ends it.
    """
    needed = rows_needed(problem.d)
    if problem.n < needed:
        return Diagnosis("too few", problem.n, needed)
    told = shuffled(problem.points, problem.objective, rng=np.random.default_rng(0), meanwhile=meanwhile)
    known = learned(problem, meanwhile=meanwhile)
    tests = max(1, min(tests, problem.n // SHARE_TESTED))
    found = searched(problem, tests=tests, search=search, simulation=simulation, meanwhile=meanwhile)
    verdict: Verdict = "nothing" if not told.clear else "carries" if found.clear else "weak"
    return Diagnosis(verdict, problem.n, needed, told, known, found)
