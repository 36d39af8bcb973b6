"""Checks of a table before any search, whose results help to interpret the cost of privacy.

`judge` answers three questions. Do the inputs explain any of the outcome (`shuffled`, a permutation test)? How much do
they explain, and which of them matter (`learned`, an out-of-sample R²)? Is a search without privacy better than random
search on these rows (`searched`)? Where it is not, the search gains nothing that privacy could cost.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
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

__all__ = ["Added", "Diagnosis", "Input", "Learned", "Searched", "Shuffled", "Verdict"]
__all__ += ["added", "judge", "learned", "rows_needed", "searched", "shuffled"]

SIGNIFICANCE_LEVEL = 0.01
SHUFFLES = 199
LENGTHSCALES = (0.15, 0.4, 1.0, 3.0)
"""The length-scales of the kernels on all inputs, in units of √d standard deviations.

The additive kernels have all but the first of them, in units of one standard deviation.
"""
NOISE_VARIANCES = (0.1, 1.0, 10.0)
"""The noise variances of the models, in units of the signal variance."""


@dataclass(frozen=True)
class Shuffled:
    """The result of a permutation test of whether the inputs explain the outcome.

    ``share`` is the largest leave-one-out R² of a few fixed models on the table, and ``usual`` is its median over
    ``shuffles`` tables with shuffled outcomes. In ``as_good`` of these, R² is at least ``share``. ``rows`` is the
    number of rows used. The largest R² of several models is a little too high, with and without shuffling. `Learned`
    has a better estimate of R².
    """

    share: float
    usual: float
    as_good: int
    shuffles: int
    rows: int

    @property
    def p(self) -> float:
        """The p-value for outcomes that are independent of the inputs, which is exact for any distribution of them."""
        return (1 + self.as_good) / (1 + self.shuffles)

    @property
    def clear(self) -> bool:
        """Whether the inputs significantly explain the outcome. This is true for at most 1 in 100 tables of noise."""
        return self.p <= SIGNIFICANCE_LEVEL


def shuffled(
    points: ArrayLike,
    y: ArrayLike,
    *,
    shuffles: int = SHUFFLES,
    max_rows: int = 400,
    rng: np.random.Generator,
    meanwhile: Callable[[], None] = lambda: None,
) -> Shuffled:
    """Test whether ``points`` (n×d, in any units) explain ``y`` (length n) better than they explain shuffled outcomes.

    This is a permutation test. Its statistic is the largest leave-one-out R² of a fixed family of Gaussian processes,
    none of which was fitted to y. The best of them is chosen again for each of the ``shuffles``, so the p-value is
    exact for any distribution of y. If there are more than ``max_rows`` rows, that many are drawn. The leave-one-out
    residuals y_i − ŷ_i = (K⁻¹y)_i / (K⁻¹)_ii need no further models. The cost is O(models · rows² (rows + shuffles)).

    ``meanwhile`` is called now and then, and may raise to stop the computation. Raises ValueError or DataError on
    unusable input.
    """
    one_thread_each()
    x = matrix("points", points, least_rows=3)
    outcome = vector("y", y, len(x))
    rows = rng.permutation(len(x))[: whole("max_rows", max_rows, least=3)]
    n = len(rows)
    x, outcome = standardised(x[rows]), standardised(outcome[rows, None])[:, 0]
    orders = rng.permuted(np.tile(np.arange(n), (whole("shuffles", shuffles), 1)), axis=1)
    # The first column has the outcomes themselves, and the others have shuffled ones.
    outcomes = np.column_stack([outcome, outcome[orders].T])
    # The residual sum of squares of a model without inputs, which predicts the mean of the other rows.
    total = (outcomes**2).sum(axis=0) * (n / (n - 1)) ** 2
    share = np.full(outcomes.shape[1], -np.inf)
    for kernel in _kernels(x):
        for noise_variance in NOISE_VARIANCES:
            meanwhile()
            # Adding 1 to the kernel, whose variance is 1, gives the unknown mean the same prior variance.
            inverse = cho_solve(cho_factor(kernel + 1.0 + noise_variance * np.eye(n), lower=True), np.eye(n))
            residuals = inverse @ outcomes / np.diag(inverse)[:, None]
            share = np.maximum(share, 1.0 - (residuals**2).sum(axis=0) / np.maximum(total, 1e-300))
    # The tolerance is for shuffles that only exchange equal outcomes. They count as good, whatever the rounding.
    as_good = int((share[1:] >= share[0] - 1e-9).sum())
    return Shuffled(float(share[0]), float(np.median(share[1:])), as_good, shuffles, n)


def standardised(columns: Array) -> Array:
    """Return each column with mean 0 and standard deviation 1. A constant column becomes 0."""
    centred = columns - columns.mean(axis=0)
    spread = centred.std(axis=0)
    flat = spread <= 1e-12 * np.abs(columns).max(axis=0, initial=0.0)
    return np.asarray(np.where(flat, 0.0, centred / np.where(flat, 1.0, spread)))


def _kernels(x: Array) -> Iterator[Array]:
    """Yield the covariances of the family: squared exponential in all inputs, additive, and linear."""
    d = x.shape[1]
    by_input = (x.T[:, :, None] - x.T[:, None, :]) ** 2
    together = by_input.sum(axis=0) / d
    for lengthscale in LENGTHSCALES:
        yield np.exp(-0.5 * together / lengthscale**2)
    if d > 1:
        for lengthscale in LENGTHSCALES[1:]:
            yield np.exp(-0.5 * by_input / lengthscale**2).mean(axis=0)
    yield x @ x.T / d


FOLDS = 5
MAX_LEARNED_ROWS = 1000
SHUFFLES_PER_INPUT = 3
MIN_STANDARD_ERRORS = 3.0
"""An input matters if its drop of R² is larger than this many standard errors.

With ten inputs that are noise, at least one appears to matter in about 1 of 75 tables.
"""


@dataclass(frozen=True)
class Input:
    """The drop of R² if one input is shuffled among the predicted rows, with its standard error over the rows."""

    name: str
    drop: float
    standard_error: float

    @property
    def matters(self) -> bool:
        """Whether the model predicts significantly worse without this input."""
        return self.drop > MIN_STANDARD_ERRORS * self.standard_error


@dataclass(frozen=True)
class Learned:
    """The out-of-sample R² of the problem's own model, and the contribution of each input.

    ``share`` is R², with its ``standard_error`` over the rows. It is 1 if the inputs determine the outcome, 0 if the
    mean predicts the outcome as well as the model, and negative if the mean predicts it better. ``inputs`` are in the
    problem's order, and ``rows`` is the number of rows used. Inputs that contain the same information share its
    contribution.
    """

    share: float
    standard_error: float
    inputs: tuple[Input, ...]
    rows: int

    @property
    def relevant(self) -> tuple[Input, ...]:
        """The inputs that matter, in falling order of their contribution."""
        relevant = (each for each in self.inputs if each.matters)
        return tuple(sorted(relevant, key=lambda each: -each.drop))


def learned(problem: Problem, *, meanwhile: Callable[[], None] = lambda: None) -> Learned:
    """Return the cross-validated R² of the problem's own model, and the contribution of each input.

    R² = 1 − Σ(y − ŷ)²/Σ(y − ȳ)², where the prediction ŷ and the mean ȳ come from the other folds. The kernel and the
    noise variance were fitted once, to the same rows, so R² is a little too high. `shuffled` tests whether it is
    significant. The standard errors are those of quotients of means over rows (delta method). With k folds, the cost is
    O(k · rows² (rows + d)). ``meanwhile`` is called now and then, and may raise to stop the computation.
    """
    one_thread_each()
    rng = np.random.default_rng(0)
    rows = rng.permutation(problem.n)[:MAX_LEARNED_ROWS]
    x, y = problem.points[rows], problem.objective[rows]
    n, d = x.shape
    # Squared errors of the model and of the mean, and the model's additional squared error if an input is shuffled.
    error, error_of_mean, added_error = np.empty(n), np.empty(n), np.empty((d, n))
    for fold in range(FOLDS):
        meanwhile()
        test = np.arange(n) % FOLDS == fold
        train, mean = x[~test], float(y[~test].mean())
        k = covariance(problem.kernel, train, train)
        k[np.diag_indices(len(train))] += problem.noise_variance
        weights = cho_solve(cho_factor(k, lower=True), y[~test] - mean)
        error_of_mean[test] = (y[test] - mean) ** 2
        error[test] = (y[test] - mean - covariance(problem.kernel, x[test], train) @ weights) ** 2
        for column in range(d):
            meanwhile()
            mixed = np.tile(x[test], (SHUFFLES_PER_INPUT, 1))
            mixed[:, column] = rng.permuted(mixed[:, column].reshape(SHUFFLES_PER_INPUT, -1), axis=1).ravel()
            predicted = mean + (covariance(problem.kernel, mixed, train) @ weights).reshape(SHUFFLES_PER_INPUT, -1)
            added_error[column, test] = ((y[test] - predicted) ** 2).mean(axis=0) - error[test]
    unexplained, standard_error = _quotient(error, error_of_mean)
    drops = (_quotient(each, error_of_mean) for each in added_error)
    inputs = tuple(Input(name, *drop) for name, drop in zip(problem.names, drops, strict=True))
    return Learned(1.0 - unexplained, standard_error, inputs, n)


def _quotient(numerator: Array, denominator: Array) -> tuple[float, float]:
    """Return the quotient of the two means, and its standard error."""
    mean = max(float(denominator.mean()), 1e-300)
    quotient = float(numerator.mean()) / mean
    deviation = float((numerator - quotient * denominator).std(ddof=1))
    return quotient, deviation / mean / float(np.sqrt(len(numerator)))


@dataclass(frozen=True)
class Added:
    """The share of the outcome that a further column explains, beyond the inputs, with its standard error over rows."""

    name: str
    share: float
    standard_error: float
    rows: int

    @property
    def clear(self) -> bool:
        """Whether the column significantly adds to what the inputs explain."""
        return self.share > MIN_STANDARD_ERRORS * self.standard_error


def added(
    points: ArrayLike,
    y: ArrayLike,
    columns: Mapping[str, Array],
    *,
    max_rows: int = MAX_LEARNED_ROWS,
    rng: np.random.Generator,
    meanwhile: Callable[[], None] = lambda: None,
) -> Iterator[Added]:
    """Yield what each of the ``columns`` adds to the share of ``y`` that ``points`` explain.

    Each column has n numbers, or n×k for an encoded category. Rows where it is not finite are left out, and at most
    ``max_rows`` are drawn. The share is the leave-one-out R² of the best model of a fixed family (see `shuffled`) with
    the column and without it, on the same rows. It can be below 0. The cost is O(models · rows³) for each column.
    """
    one_thread_each()
    x = matrix("points", points, least_rows=3)
    outcome = vector("y", y, len(x))
    order = rng.permutation(len(x))
    for name, column in columns.items():
        block = np.asarray(column, dtype=float).reshape(len(x), -1)
        rows = order[np.isfinite(block[order]).all(axis=1)][:max_rows]
        if len(rows) < MIN_ROWS:
            continue
        known, more = standardised(x[rows]), standardised(block[rows])
        target = standardised(outcome[rows, None])[:, 0]
        if not target.any() or not more.any():
            continue
        without = _squared_errors(known, target, meanwhile)
        difference = without - _squared_errors(np.column_stack([known, more]), target, meanwhile)
        total = float(np.mean(target**2)) * (len(rows) / (len(rows) - 1)) ** 2
        standard_error = float(difference.std(ddof=1)) / np.sqrt(len(rows)) / total
        yield Added(name, float(difference.mean()) / total, float(standard_error), len(rows))


def _squared_errors(x: Array, y: Array, meanwhile: Callable[[], None]) -> Array:
    """Return the squared leave-one-out errors of the best model of the family."""
    best = np.full(len(y), np.inf)
    for kernel in _kernels(x):
        for noise_variance in NOISE_VARIANCES:
            meanwhile()
            inverse = np.linalg.inv(kernel + 1.0 + noise_variance * np.eye(len(y)))
            errors = (inverse @ y / np.diag(inverse)) ** 2
            best = errors if errors.sum() < best.sum() else best
    return best


INITIAL = 5
RUNS = 40


@dataclass(frozen=True)
class Searched:
    """The result of a search without privacy after ``tests`` evaluations, compared with random search.

    ``lead`` is the regret of random search minus that of the search, in units of σ_y and paired by run. Above 0, the
    search is ahead. ``rank`` and ``chance`` are the median ranks of the best row that the search and random search
    find, where 1 is the best of the ``rows``.
    """

    lead: Difference
    rank: float
    chance: float
    tests: int
    rows: int

    @property
    def clear(self) -> bool:
        """Whether the search is significantly ahead of random search on these rows.

        The lead can still be luck with this table.
        """
        return self.lead.clear and self.lead.mean > 0


def searched(
    problem: Problem,
    *,
    tests: int,
    search: Search = "ucb/5",
    simulation: Simulation | None = None,
    meanwhile: Callable[[], None] = lambda: None,
) -> Searched:
    """Compare 40 runs of the plain search with random search, after five initial rows and ``tests`` evaluations.

    ``simulation`` is a simulation of this problem that computes the runs and keeps them. Of a large table, it searches
    some rows. The cost is O(runs · rows · tests²). ``meanwhile`` is called now and then, and may raise to stop the
    computation.
    """
    simulation = simulation or Simulation(problem)
    # A search without privacy does not depend on ε, δ and r. Each row is evaluated once, as when the rows are people.
    initial = min(INITIAL, simulation.searched.n)
    setting = Setting(1.0, 1e-5, 1, tests, initial=initial, search=search, once=True)
    *_, comparison = simulation.compare(setting, RUNS, (), meanwhile)
    rank, chance = (float(comparison.typical_rank(policy).median) for policy in ("plain", "random"))
    return Searched(comparison.lead("plain"), rank, chance, tests, simulation.searched.n)


Verdict = Literal["carries", "weak", "nothing", "too few"]
MIN_ROWS = 30
"""The least number of rows for a verdict.

With 30 rows, three inputs that explain half of the outcome differ significantly from noise in 6 of 10 tables. With 60
rows, they do in 9 of 10.
"""
MIN_ROWS_PER_INPUT = 10
"""From Loeppky, Sacks and Welch (2009), "Choosing the sample size of a computer experiment"."""
MIN_ROWS_PER_TEST = 4
"""A search is judged with at most one test for every four rows, because testing most of the rows needs no search."""


@dataclass(frozen=True)
class Diagnosis:
    """The verdict on a table. It is computed from the data, so only the data holder may see it.

    The verdict is "too few" if there are fewer ``rows`` than ``needed``. Nothing else is computed then. It is "nothing"
    if the inputs do not significantly explain the outcome. No search can rely on such inputs, and a lead over random
    search is luck with this table. It is "weak" if the inputs explain the outcome, but the search is not significantly
    ahead of random search. It is "carries" if the search is ahead, too.

    Guarantees hold whatever the verdict is.
    """

    verdict: Verdict
    rows: int
    needed: int
    shuffled: Shuffled | None = None
    learned: Learned | None = None
    searched: Searched | None = None

    @property
    def something_to_lose(self) -> bool:
        """Whether a search gains anything on this table that privacy could cost."""
        return self.verdict == "carries"


def rows_needed(inputs: int) -> int:
    """Return the number of rows that a table needs for a verdict, which is 10 for each input and at least 30."""
    return max(MIN_ROWS, MIN_ROWS_PER_INPUT * inputs)


def judge(
    problem: Problem,
    *,
    tests: int = 30,
    search: Search = "ucb/5",
    simulation: Simulation | None = None,
    meanwhile: Callable[[], None] = lambda: None,
) -> Diagnosis:
    """Return the verdict on a table, with the results of `shuffled`, `learned` and `searched`.

    ``search`` is the rule of the search without privacy, which makes at most ``tests`` evaluations and at most one for
    every four rows. ``simulation`` is passed on to `searched`. The same table always gets the same verdict, which takes
    a second or two. ``meanwhile`` is called now and then, and may raise to stop the computation.
    """
    needed = rows_needed(problem.d)
    if problem.n < needed:
        return Diagnosis("too few", problem.n, needed)
    permuted = shuffled(problem.points, problem.objective, rng=np.random.default_rng(0), meanwhile=meanwhile)
    explained = learned(problem, meanwhile=meanwhile)
    tests = max(1, min(tests, problem.n // MIN_ROWS_PER_TEST))
    found = searched(problem, tests=tests, search=search, simulation=simulation, meanwhile=meanwhile)
    verdict: Verdict
    if not permuted.clear:
        verdict = "nothing"
    elif found.clear:
        verdict = "carries"
    else:
        verdict = "weak"
    return Diagnosis(verdict, problem.n, needed, permuted, explained, found)
