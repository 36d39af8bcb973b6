"""The analyst's search of a noisy release, which decides which row to evaluate next."""

import math
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from privbo_core.bo import UpperBound
from privbo_core.data import Frame
from privbo_core.errors import DataError
from privbo_core.gp import Posterior, SquaredExponential
from privbo_core.outsourced.hyperparameters import learn
from privbo_core.outsourced.noisy import NoisyRelease, expected_kernel

JITTER = 1e-9  # The noise variance of the posterior, for stability. The nugget contains the real noise variance.
TIE_TOLERANCE = 1e-9
"""Upper bounds that are closer than this count as equal, in standard deviations of the outcomes. The first row wins.

Otherwise rounding would decide between them, and the choice would depend on the machine.
"""


class Best(NamedTuple):
    """The best row so far, counted from 0, and its outcome."""

    row: int
    outcome: float


class Modeler:
    """Search a noisy release for its best row, using only the release, the column settings and the outcomes.

    GP-UCB with the published β chooses the rows. A row with a known outcome is never chosen again. The model's kernel
    is a squared exponential seen through the noise in the inputs (`expected_kernel`). Its length-scales and variances
    are learned from the outcomes. A search of n rows with t outcomes takes 8nt bytes of memory.

    Args:
        release: The result of `publish`, with ``Z`` (n×d) in the units of the columns' protected differences.
        columns: The column settings with which the release was published.
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
        """The known outcomes by row, in the order in which they were given to `tell`."""
        return dict(self._outcomes)

    @property
    def best(self) -> Best | None:
        """The row with the best outcome, or None before the first outcome. Of equal outcomes, the earliest counts."""
        if not self._outcomes:
            return None
        row = max(self._outcomes, key=lambda each: self._sign * self._outcomes[each])
        return Best(row, self._outcomes[row])

    def ask(self) -> int:
        """Return the row to evaluate next, counted from 0. It stays the same until the next outcome.

        With t outcomes the cost is O(nt²). Raises DataError if the outcomes of all rows are known.
        """
        n, done = len(self._release.Z), list(self._outcomes)
        if len(done) == n:
            raise DataError("The outcomes of all rows are known, so there is none left to evaluate.")
        posterior = self._posterior()
        upper = posterior.mean + math.sqrt(UpperBound().weight(len(done) + 1, n)) * np.sqrt(posterior.variance)
        upper[done] = -np.inf
        return int(np.flatnonzero(upper >= upper.max() - TIE_TOLERANCE)[0])

    def tell(self, row: int, outcome: float) -> None:
        """Add the outcome of any row, or replace the known one.

        Raises DataError for a row that the release doesn't have, and for an outcome that is not finite.
        """
        n = len(self._release.Z)
        if isinstance(row, bool) or not isinstance(row, int | np.integer) or not 0 <= row < n:
            raise DataError(f"Row {row!r} is not in the release. Its rows are 0 to {n - 1:,}.")
        if not math.isfinite(outcome):
            raise DataError(f"The outcome of row {row} is {outcome!r}. It must be a finite number.")
        self._outcomes[int(row)] = float(outcome)

    def _posterior(self) -> Posterior:
        """Return the posterior of all rows for standardised outcomes, where larger is better."""
        # With one thread, the digits don't depend on the number of cores.
        threadpool_limits(limits=1, user_api="blas")
        z, sigma = self._release.Z, self._release.sigma
        rows, outcomes = list(self._outcomes), self._sign * np.array(list(self._outcomes.values()), dtype=float)
        learned = learn(z[rows], outcomes, sigma=sigma, frame=self._columns)
        noise = np.full(self._columns.d, sigma)
        wide, variance, nugget = expected_kernel(learned.lengthscales, noise, learned.variance)
        posterior = Posterior(
            z * (wide[0] / wide),
            SquaredExponential(float(wide[0]), variance),
            JITTER,
            capacity=len(rows) + 1,
            nugget=nugget + learned.noise_variance,
        )
        posterior.observe_all(rows, (outcomes - learned.centre) / learned.scale - learned.mean)
        return posterior
