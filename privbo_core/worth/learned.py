"""Which inputs tell something of the outcome: what the model's foresight loses if one of them is shuffled."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from privbo_core.bo.parallel import one_thread_each
from privbo_core.data import Problem
from privbo_core.errors import Array
from privbo_core.gp.kernels import covariance

FOLDS = 5
MOST = 1000
TIMES = 3
"""How often an input is shuffled."""
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
    def matter(self) -> tuple[Input, ...]:
        """The inputs that matter, the one that tells most first."""
        return tuple(sorted((each for each in self.inputs if each.matters), key=lambda each: -each.drop))


def learned(problem: Problem, *, meanwhile: Callable[[], None] = lambda: None) -> Learned:
    """Return how much of the outcome the problem's own model tells of rows in other folds, and by which inputs.

    R² = 1 − Σ(y − ŷ)²/Σ(y − ȳ)², where ŷ and the mean ȳ come from the other folds: `pb.data.explained`, on the same
    rows. Its kernel and noise were fitted once, to the same rows, so that it is a little too high; whether it is more
    than luck is what `shuffled` says. The standard errors are those of quotients of means over rows (delta method).
    O(k·rows²(rows + d)). ``meanwhile`` is called now and then; what it raises ends the computation.
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
