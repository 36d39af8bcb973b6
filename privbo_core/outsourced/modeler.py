"""The analyst's side of a noisy release: which row to evaluate next, given the release and the outcomes so far."""

import math
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from privbo_core.bo import UpperBound
from privbo_core.data import Frame
from privbo_core.errors import DataError
from privbo_core.gp import Posterior, SquaredExponential
from privbo_core.outsourced.learned import learn
from privbo_core.outsourced.noisy import NoisyRelease, expected_kernel

EXACT = 1e-9  # The variance of exact outcomes as the posterior's arithmetic needs it, in variances of the outcomes.
TIE = 1e-9
"""Rows whose bounds differ by less, in deviations of the outcomes, are alike: the first is asked for, everywhere."""


class Best(NamedTuple):
    """The best row so far, from 0, and its outcome."""

    row: int
    outcome: float


class Modeler:
    """Search a noisy release for its best row, in memory, with nothing but the release and the outcomes told.

    Rows are chosen by GP-UCB with the published β, and none is asked for after its outcome was told. The model is a
    squared exponential as it appears through the noise in the inputs (`expected_kernel`); its length-scales, amplitude
    and noise are learned from the outcomes. Memory: 8 bytes for each row and outcome.

    Args:
        release: What `publish` returned: ``Z`` (n×d) in the units of the columns' protected differences.
        columns: The column settings that it was published with.
        maximize: Whether larger outcomes are better.

    Raises:
        DataError: If the release and the columns don't belong together.

    """

    def __init__(self, release: NoisyRelease, columns: Frame, *, maximize: bool = True) -> None:
        if release.r != columns.d:
            raise DataError(f"The release has {release.r} columns and the settings describe {columns.d}.")
        self._release, self._columns = release, columns
        self._sign = 1.0 if maximize else -1.0
        self._outcomes: dict[int, float] = {}

    @property
    def outcomes(self) -> dict[int, float]:
        """The outcome of each row that was told, in the order told."""
        return dict(self._outcomes)

    @property
    def best(self) -> Best | None:
        """The row with the best outcome, the one told first among equals; None before the first outcome."""
        if not self._outcomes:
            return None
        row = max(self._outcomes, key=lambda each: self._sign * self._outcomes[each])
        return Best(row, self._outcomes[row])

    def ask(self) -> int:
        """Return the row to evaluate next, from 0; the same one until something is told. O(nt²).

        Raises DataError if the outcome of every row was told.
        """
        n, done = len(self._release.Z), list(self._outcomes)
        if len(done) == n:
            raise DataError("The outcome of every row was told; there is none left to evaluate.")
        posterior = self._posterior()
        upper = posterior.mean + math.sqrt(UpperBound().weight(len(done) + 1, n)) * np.sqrt(posterior.variance)
        upper[done] = -np.inf
        return int(np.flatnonzero(upper >= upper.max() - TIE)[0])

    def tell(self, row: int, outcome: float) -> None:
        """Take in the outcome of a row, asked for or not; a later one replaces it.

        Raises DataError for a row that the release doesn't have, and for an outcome that is not finite.
        """
        n = len(self._release.Z)
        if isinstance(row, bool) or not isinstance(row, int | np.integer) or not 0 <= row < n:
            raise DataError(f"Row {row!r} is not in the release; its rows are 0 to {n - 1:,}.")
        if not math.isfinite(outcome):
            raise DataError(f"The outcome of row {row} is {outcome!r}; it must be a finite number.")
        self._outcomes[int(row)] = float(outcome)

    def _posterior(self) -> Posterior:
        """Return the posterior of all rows, in deviations of the outcomes, larger being better."""
        # The same digits on any machine, however many threads it has.
        threadpool_limits(limits=1, user_api="blas")
        z, sigma = self._release.Z, self._release.sigma
        rows, outcomes = list(self._outcomes), self._sign * np.array(list(self._outcomes.values()), dtype=float)
        learned = learn(z[rows], outcomes, sigma=sigma, frame=self._columns)
        noise = np.full(self._columns.d, sigma)
        wide, variance, nugget = expected_kernel(learned.lengthscales, noise, learned.variance)
        posterior = Posterior(
            z * (wide[0] / wide),
            SquaredExponential(float(wide[0]), variance),
            EXACT,
            capacity=len(rows) + 1,
            nugget=nugget + learned.noise_variance,
        )
        posterior.observe_all(rows, (outcomes - learned.centre) / learned.scale - learned.mean)
        return posterior
