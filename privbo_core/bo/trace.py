"""What a search did, what it lost by it, and how much it could have learned at most."""

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from privbo_core.bo.rules import Rule, UpperBound, check_iterations
from privbo_core.errors import Array
from privbo_core.gp import Kernel, Posterior


@dataclass(frozen=True, eq=False)
class Trace:
    """One run. The first ``initial`` evaluations are the starting rows; T iterations follow.

    ``rows`` and ``observed`` hold all initial + T evaluations in order. ``simple_regret[t−1]`` = f(x*) − the best
    noise-free value among everything evaluated up to iteration t; ``cumulative_regret[t−1]`` = Σ_{s≤t} f(x*) − f(x_s)
    over the iterations alone. Both have length T, in units of the objective, NaN where the objective is unknown.
    ``rank[t−1]``: 1 + how many of the n rows are strictly better than the best one evaluated up to iteration t; 1 is
    the best row of all. 0 where the objective is unknown. Where nobody can tell the best one from its answer, simple
    regret and rank are those of the row that is taken for it.
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
        """Build a trace from what was asked and answered; ``values`` are the noise-free objective, or None.

        ``taken``: which row is taken for the best one after each evaluation (`taken_for_best`); None: that is known.
        """
        asked = np.asarray(rows, dtype=np.int64)
        regret = np.full(len(asked), np.nan) if values is None else values.max() - values[asked]
        simple = np.minimum.accumulate(regret)[initial:]
        if taken is not None and values is not None:
            simple = (values.max() - values[np.asarray(taken, dtype=np.int64)])[initial:]
        return cls(
            rows=asked,
            observed=np.asarray(observed, dtype=float),
            initial=initial,
            simple_regret=simple,
            cumulative_regret=np.cumsum(regret[initial:]),
            rank=_ranks(simple, values),
        )

    @property
    def iterations(self) -> int:
        """T: the number of evaluations after the initial ones."""
        return len(self.rows) - self.initial

    def head(self, iterations: int) -> "Trace":
        """Return the trace of the same run stopped after that many iterations."""
        every = slice(self.initial + iterations)
        kept = {name: getattr(self, name)[:iterations] for name in ("simple_regret", "cumulative_regret", "rank")}
        return replace(self, rows=self.rows[every], observed=self.observed[every], **kept)


def _ranks(simple: Array, values: Array | None) -> NDArray[np.int64]:
    """Return 1 + how many rows lose less than each of these regrets: O(n) for each that is another."""
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
    """Return after each evaluation the row of those evaluated that is expected to be best. O(t³) for t evaluations.

    Of noisy answers the largest is mostly the luckiest. Arguments as for `rule_queries`.
    """
    places = {row: place for place, row in enumerate(dict.fromkeys(rows))}
    told, taken = list(places), list[int]()
    posterior = Posterior(np.asarray(points)[told], kernel, noise_variance, capacity=len(rows), nugget=nugget)
    seen = 0
    for row, y in zip(rows, observed, strict=True):
        posterior.observe(places[row], y)
        seen = max(seen, places[row] + 1)
        taken.append(told[int(posterior.mean[:seen].argmax())])
    return taken


@dataclass(frozen=True, eq=False)
class Band:
    """Mean and standard error over ``runs`` runs, each an array over iterations. With one run the error is NaN."""

    mean: Array
    standard_error: Array
    runs: int


def band(curves: Sequence[Array]) -> Band:
    """Return mean and standard error (s/√runs, s with runs − 1 degrees of freedom) of curves of one length."""
    stacked = np.asarray(curves)
    runs = len(stacked)
    with np.errstate(invalid="ignore", divide="ignore"):
        error = stacked.std(axis=0, ddof=1) / np.sqrt(runs) if runs > 1 else np.full(stacked.shape[1], np.nan)
    return Band(stacked.mean(axis=0), error, runs)


CONFIDENCE = 0.95
"""Of every interval of what several runs have in common."""


@dataclass(frozen=True)
class Difference:
    """A mean of run-by-run differences, its standard error and 95 % interval. NaN where one run is all.

    The interval is Student's, corrected for skewness (Hall 1992), because costs are often zero and sometimes large and
    Student's interval lies too low for them. From 20 runs on it contains the mean in 92 to 98 of 100 samples of the
    shapes that were simulated. It contains it less often where nearly all costs are zero: in 93 of 100 with 20 runs and
    77 of 100 with 8 where four costs in five are zero, and in 87 of 100 with 20 runs where nine in ten are.
    """

    mean: float
    standard_error: float
    low: float
    high: float
    runs: int

    @classmethod
    def of(cls, differences: Sequence[float] | Array) -> "Difference":
        """Return it for one difference a run."""
        values = np.asarray(differences, dtype=float)
        runs, mean = len(values), float(values.mean())
        if runs < 2:
            return cls(mean, float("nan"), float("nan"), float("nan"), runs)
        error = float(values.std(ddof=1) / np.sqrt(runs))
        quantile = float(stdtrit(runs - 1, 0.5 + 0.5 * CONFIDENCE))
        low, high = (mean - error * _unskewed(each, values) for each in (quantile, -quantile))
        return cls(mean, error, low, high, runs)

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low > 0.0 or self.high < 0.0

    def times(self, scale: float) -> "Difference":
        """Return the same in other units, of which one unit is ``scale``."""
        mean, error, low, high = (scale * each for each in (self.mean, self.standard_error, self.low, self.high))
        return Difference(mean, error, low, high, self.runs)


def _unskewed(quantile: float, values: Array) -> float:
    """Return the T whose cubic T + γT²/3√n + γ²T³/27n + γ/6√n is at Student's quantile; γ: the values' skewness.

    That cubic of the studentised mean is nearly free of skewness, and always rises (Hall 1992).
    """
    deviation = float(values.std())
    # In units of the deviation, whose cube could leave the range of numbers.
    skewness = float((((values - values.mean()) / deviation) ** 3).mean()) if deviation > 0 else 0.0
    share = skewness / math.sqrt(len(values))
    if abs(share) < 1e-6:
        return quantile
    return 3.0 / share * (float(np.cbrt(1.0 + share * (quantile - share / 6.0))) - 1.0)


def resampled_interval(values: NDArray[np.int64]) -> tuple[int, int]:
    """Return between which of these counts, one for each time that the runs were resampled, 95 of 100 of them lie."""
    tail = 0.5 * (1.0 - CONFIDENCE)
    low, high = np.quantile(values, [tail, 1.0 - tail], method="inverted_cdf")
    return int(low), int(high)


@dataclass(frozen=True, eq=False)
class Belief:
    """The model's belief about all n rows after t iterations, and what it leads to.

    ``upper`` is the rule's acquisition in iteration t + 1, so ``upper.argmax()`` is the row asked for next. GP-UCB's is
    ``mean`` + ``root_beta`` · ``deviation``; for other rules ``root_beta`` is NaN, and ``upper`` is log EI or a draw of
    f. With ``once`` it is −∞ for rows asked for before. The arrays are overwritten by the next step: copy what must be
    kept.
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
    """Yield the belief after the initial evaluations and after each of the trace's T iterations: T + 1 of them.

    Arguments as for `rule_queries`; without a ``rule``, GP-UCB with ``delta_ucb``. Thompson sampling's must have the
    generator that the run had, at its beginning. Step t costs O(n(t + d)), all of them O(nT²); memory 8nT bytes.
    Raises what `Posterior` raises.
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
            row = trace.initial + t
            posterior.observe(int(trace.rows[row]), float(trace.observed[row]))


@dataclass(frozen=True, eq=False)
class InformationGain:
    """γ_t for t = 1 … T, in nats: ``greedy`` ≤ γ_t ≤ ``upper`` = greedy/(1 − 1/e). ``rows``: the greedy choices."""

    greedy: Array
    upper: Array
    rows: NDArray[np.int64]


def information_gain(points: ArrayLike, kernel: Kernel, noise_variance: float, iterations: int) -> InformationGain:
    """Return greedy values of and upper bounds on γ_t = max_{|A| = t} ½ log det(I + σ_n⁻² K_A).

    Greedy takes the row of largest posterior variance each time and gains ½ log(1 + σ²/σ_n²). The gain is monotone and
    submodular in A, so greedy is within 1 − 1/e of the maximum (Srinivas et al. 2010, eq. 10). O(nT²).
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
