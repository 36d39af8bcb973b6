"""Do the inputs tell anything of the outcome? The same question of the same table with its outcomes shuffled."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_factor, cho_solve

from privbo_core.bo.parallel import one_thread_each
from privbo_core.errors import Array, matrix, vector, whole

LEVEL = 0.01
"""How often at most outcomes that have nothing to do with the inputs are taken for ones that have."""
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
