"""Traces of searches, their regret, and the largest possible information gain."""

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from privbo_core.bo.acquisition import Rule, UpperBound, check_iterations
from privbo_core.errors import Array
from privbo_core.gp import Kernel, Posterior


@dataclass(frozen=True, eq=False)
class Trace:
    """The record of one run, with ``initial`` evaluations to start and T iterations after them.

    ``rows`` and ``observed`` have all initial + T evaluations in order. The other arrays have length T.
    ``simple_regret[t−1]`` is f(x*) minus the best noise-free value of all evaluations up to iteration t.
    ``cumulative_regret[t−1]`` is Σ_{s≤t} f(x*) − f(x_s), without the initial evaluations. ``rank[t−1]`` is 1 plus the
    number of rows that are strictly better than the best row up to iteration t, so 1 is the best row of all.

    Regrets are in units of the objective. If the objective is unknown, they are NaN and the ranks are 0. With noisy
    outcomes the best evaluated row may be unknown. Simple regret and rank are then those of the row that was expected
    to be best, if it was given to `Trace.of`.
    """

    rows: NDArray[np.int64]
    observed: Array
    initial: int
    simple_regret: Array
    cumulative_regret: Array
    rank: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        rows: Sequence[int],
        observed: Sequence[float],
        values: Array | None,
        initial: int,
        taken: Sequence[int] | None = None,
    ) -> "Trace":
        """Build a trace from the evaluated rows and their outcomes.

        ``values`` are the noise-free values of all rows, or None if they are unknown. ``taken`` has the row that is
        expected to be best after each evaluation (`taken_for_best`). Without it, the best evaluated row counts.
        """
        evaluated = np.asarray(rows, dtype=np.int64)
        regret = np.full(len(evaluated), np.nan) if values is None else values.max() - values[evaluated]
        simple = np.minimum.accumulate(regret)[initial:]
        if taken is not None and values is not None:
            simple = (values.max() - values[np.asarray(taken, dtype=np.int64)])[initial:]
        return cls(
            rows=evaluated,
            observed=np.asarray(observed, dtype=float),
            initial=initial,
            simple_regret=simple,
            cumulative_regret=np.cumsum(regret[initial:]),
            rank=_ranks(simple, values),
        )

    @property
    def iterations(self) -> int:
        """The number T of evaluations after the initial ones."""
        return len(self.rows) - self.initial

    def head(self, iterations: int) -> "Trace":
        """Return the trace of the same run, stopped after ``iterations``."""
        evaluations = self.initial + iterations
        return replace(
            self,
            rows=self.rows[:evaluations],
            observed=self.observed[:evaluations],
            simple_regret=self.simple_regret[:iterations],
            cumulative_regret=self.cumulative_regret[:iterations],
            rank=self.rank[:iterations],
        )


def _ranks(simple: Array, values: Array | None) -> NDArray[np.int64]:
    """Return 1 plus the number of rows with a smaller regret, for each simple regret. O(n) for each distinct one."""
    if values is None:
        return np.zeros(len(simple), dtype=np.int64)
    regrets = values.max() - values
    levels, places = np.unique(simple, return_inverse=True)
    counts = np.array([1 + np.count_nonzero(regrets < level) for level in levels], dtype=np.int64)
    return counts[places]


def taken_for_best(
    points: ArrayLike,
    rows: Sequence[int],
    observed: Sequence[float],
    *,
    kernel: Kernel,
    noise_variance: float,
    nugget: float = 0.0,
) -> list[int]:
    """Return, after each evaluation, the evaluated row with the largest posterior mean. O(t³) for t evaluations.

    The row with the largest noisy outcome is a worse choice, because its outcome is usually largest by luck. The
    keyword arguments are those of `rule_queries`.
    """
    distinct = list(dict.fromkeys(rows))
    places = {row: place for place, row in enumerate(distinct)}
    posterior = Posterior(np.asarray(points)[distinct], kernel, noise_variance, capacity=len(rows), nugget=nugget)
    taken: list[int] = []
    evaluated = 0
    for row, y in zip(rows, observed, strict=True):
        posterior.observe(places[row], y)
        evaluated = max(evaluated, places[row] + 1)
        taken.append(distinct[int(posterior.mean[:evaluated].argmax())])
    return taken


@dataclass(frozen=True, eq=False)
class Band:
    """The mean and its standard error over ``runs``, as arrays over iterations. With one run the error is NaN."""

    mean: Array
    standard_error: Array
    runs: int


def band(curves: Sequence[Array]) -> Band:
    """Return the mean of curves of one length and its standard error s/√runs, with runs − 1 degrees of freedom."""
    stacked = np.asarray(curves)
    runs = len(stacked)
    with np.errstate(invalid="ignore", divide="ignore"):
        error = stacked.std(axis=0, ddof=1) / np.sqrt(runs) if runs > 1 else np.full(stacked.shape[1], np.nan)
    return Band(stacked.mean(axis=0), error, runs)


CONFIDENCE = 0.95
"""The confidence level of every interval that is computed from several runs."""


@dataclass(frozen=True)
class Difference:
    """The mean of run-by-run differences with its standard error and 95% interval, which are NaN for a single run.

    The interval is Student's, corrected for skewness (Hall 1992), because costs are often zero and sometimes large and
    Student's interval lies too low for them. With at least 20 runs, it contains the true mean in 92 to 98 of 100
    samples of the simulated shapes. It contains the mean less often if nearly all costs are zero. If four costs in five
    are zero, it does so in 93 of 100 samples with 20 runs, and in 77 of 100 with 8 runs. If nine costs in ten are zero,
    it does so in 87 of 100 samples with 20 runs.
    """

    mean: float
    standard_error: float
    low: float
    high: float
    runs: int

    @classmethod
    def of(cls, differences: Sequence[float] | Array) -> "Difference":
        """Return the mean and interval of ``differences``, one for each run."""
        values = np.asarray(differences, dtype=float)
        runs, mean = len(values), float(values.mean())
        if runs < 2:
            return cls(mean, float("nan"), float("nan"), float("nan"), runs)
        error = float(values.std(ddof=1) / np.sqrt(runs))
        quantile = float(stdtrit(runs - 1, 0.5 + 0.5 * CONFIDENCE))
        low = mean - error * _unskewed(quantile, values)
        high = mean - error * _unskewed(-quantile, values)
        return cls(mean, error, low, high, runs)

    @property
    def clear(self) -> bool:
        """Whether the interval excludes 0."""
        return self.low > 0.0 or self.high < 0.0

    def times(self, scale: float) -> "Difference":
        """Return the difference multiplied by ``scale``, for a change of units."""
        return Difference(
            scale * self.mean, scale * self.standard_error, scale * self.low, scale * self.high, self.runs
        )


def _unskewed(quantile: float, values: Array) -> float:
    """Return the T at which the cubic T + γT²/3√n + γ²T³/27n + γ/6√n equals Student's quantile.

    γ is the skewness of the ``values``. This cubic of the studentised mean has almost no skewness, and it is monotone
    (Hall 1992).
    """
    deviation = float(values.std())
    # Dividing first avoids the cube of the deviation, which could overflow.
    skewness = float((((values - values.mean()) / deviation) ** 3).mean()) if deviation > 0 else 0.0
    share = skewness / math.sqrt(len(values))
    if abs(share) < 1e-6:
        return quantile
    return 3.0 / share * (float(np.cbrt(1.0 + share * (quantile - share / 6.0))) - 1.0)


def resampled_interval(values: NDArray[np.int64]) -> tuple[int, int]:
    """Return the interval of the middle 95% of the ``values``, which are one count for each resample of the runs."""
    tail = 0.5 * (1.0 - CONFIDENCE)
    low, high = np.quantile(values, [tail, 1.0 - tail], method="inverted_cdf")
    return int(low), int(high)


@dataclass(frozen=True, eq=False)
class Belief:
    """The posterior for all n rows after t iterations, with the acquisition that follows from it.

    ``mean`` and ``deviation`` are those of the posterior. ``upper`` is the rule's acquisition in iteration t + 1, so
    ``upper.argmax()`` is the next row to evaluate. For GP-UCB it is ``mean`` + ``root_beta`` · ``deviation``. For other
    rules ``root_beta`` is NaN, and ``upper`` is log EI or a draw of f. With ``once`` it is −∞ for evaluated rows. The
    next step overwrites the arrays, so copy any values that are needed later.
    """

    t: int
    mean: Array
    deviation: Array
    root_beta: float
    upper: Array


def replay(
    points: ArrayLike,
    trace: Trace,
    *,
    kernel: Kernel,
    noise_variance: float,
    delta_ucb: float = 0.05,
    nugget: float = 0.0,
    rule: Rule | None = None,
) -> Generator[Belief, None, None]:
    """Yield T + 1 beliefs, after the initial evaluations of a ``trace`` and after each of its T iterations.

    The other arguments are those of `rule_queries`. Without a ``rule``, it is GP-UCB with ``delta_ucb``. The rule of
    Thompson sampling needs a generator in the same state as at the beginning of the run. Step t costs O(n(t + d)), all
    steps cost O(nT²), and memory is 8nT bytes. Raises ValueError or DataError like `Posterior`.
    """
    used = UpperBound(delta_ucb) if rule is None else rule
    posterior = Posterior(points, kernel, noise_variance, capacity=max(1, len(trace.rows)), nugget=nugget)
    for row, y in zip(trace.rows[: trace.initial], trace.observed[: trace.initial], strict=True):
        posterior.observe(int(row), float(y))
    acquisition = used.begin(points, posterior, trace.iterations + 1)
    deviation = np.empty(posterior.n)
    for t in range(trace.iterations + 1):
        root_beta = float(np.sqrt(used.weight(t + 1, posterior.n))) if isinstance(used, UpperBound) else float("nan")
        upper = acquisition(t + 1)
        if used.once:
            upper[posterior.rows] = -np.inf
        np.sqrt(posterior.variance, out=deviation)
        yield Belief(t, posterior.mean, deviation, root_beta, upper)
        if t < trace.iterations:
            number = trace.initial + t
            posterior.observe(int(trace.rows[number]), float(trace.observed[number]))


@dataclass(frozen=True, eq=False)
class InformationGain:
    """Bounds on γ_t for t = 1 … T, in nats: ``greedy`` ≤ γ_t ≤ ``upper`` = greedy/(1 − 1/e).

    ``rows`` are the greedy choices.
    """

    greedy: Array
    upper: Array
    rows: NDArray[np.int64]


def information_gain(points: ArrayLike, kernel: Kernel, noise_variance: float, iterations: int) -> InformationGain:
    """Return greedy values of γ_t = max_{|A| = t} ½ log det(I + σ_n⁻² K_A), and upper bounds on it.

    The greedy choice is always the row with the largest posterior variance σ², which gains ½ log(1 + σ²/σ_n²). The gain
    is monotone and submodular in A, so the greedy value is at least 1 − 1/e of the maximum (Srinivas et al. 2010, eq.
    10). O(nT²).
    """
    posterior = Posterior(points, kernel, noise_variance)
    check_iterations(iterations, posterior.n)
    rows = np.empty(iterations, dtype=np.int64)
    gains = np.empty(iterations)
    for t in range(iterations):
        rows[t] = posterior.variance.argmax()
        gains[t] = 0.5 * np.log1p(posterior.variance[rows[t]] / noise_variance)
        posterior.observe(int(rows[t]), 0.0)
    greedy = np.cumsum(gains)
    return InformationGain(greedy, greedy / (1.0 - np.exp(-1.0)), rows)
