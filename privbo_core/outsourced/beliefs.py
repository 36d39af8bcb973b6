"""The prior of the analyst who searches a noisy release, which does not depend on the private inputs."""

from dataclasses import dataclass

import numpy as np

from privbo_core.data import Frame, Problem
from privbo_core.errors import Array
from privbo_core.gp import SquaredExponential
from privbo_core.outsourced.noisy import expected_kernel

DEFAULT_LENGTHSCALE = 0.25  # The length-scale of a column without one, as a share of its range.
SIGNAL_VARIANCE, NOISE_VARIANCE = 1.0, 1.0
"""The prior variances of f and of an answer's noise for a table, as multiples of the variance of its outcome."""


@dataclass(frozen=True, eq=False)
class Belief:
    """A squared exponential prior that was not computed from the private inputs.

    The d ``lengthscales`` are in units of the protected differences. The signal ``variance`` σ_y² and the
    ``noise_variance`` σ_n² are in squared units of the objective.
    """

    lengthscales: Array
    variance: float
    noise_variance: float

    def read(self, z: Array, sigma: float) -> tuple[Array, SquaredExponential, float]:
        """Return the points, the kernel and the nugget of a GP on Z (n×d) with noise N(0, σ²) in each entry.

        `expected_kernel` gives each column a length-scale. The columns are scaled so that all length-scales become
        equal to the first. The cost is O(nd).
        """
        wide, variance, nugget = expected_kernel(
            self.lengthscales, np.full(len(self.lengthscales), sigma), self.variance
        )
        return z * (wide[0] / wide), SquaredExponential(float(wide[0]), variance), nugget

    def scaled(self, lengthscale: float, signal: float, noise: float) -> "Belief":
        """Return the belief with its length-scales, signal variance and noise variance multiplied by these factors."""
        return Belief(self.lengthscales * lengthscale, self.variance * signal, self.noise_variance * noise)


def public_lengthscales(frame: Frame) -> Array:
    """Return the d length-scales of the column settings, in units of the protected differences.

    A column without a length-scale gets a quarter of its range.
    """
    lengthscales = [
        DEFAULT_LENGTHSCALE * (column.high - column.low) if column.lengthscale is None else column.lengthscale
        for column in frame.columns
    ]
    return np.array(lengthscales) / frame.hide


def belief(problem: Problem) -> Belief:
    """Return the analyst's prior, which is all that the analyst knows besides Z, its noise and the answers.

    The length-scales are those of the column settings (`public_lengthscales`). If a public formula generated the
    problem, the variances are those of the formula. For a table, the variance of f and the variance of the noise both
    equal that of the outcome. This reveals nothing protected, because outcomes are not protected. The unit of the
    outcomes does not change the rows that GP-UCB asks for. The fit by `make_problem` is not used here, because it
    depends on X, which only the data holder has.
    """
    by_formula = problem.preparation is None and problem.frame.public
    spread = float(problem.objective.var())
    return Belief(
        lengthscales=public_lengthscales(problem.frame),
        variance=problem.kernel.variance if by_formula else SIGNAL_VARIANCE * spread,
        noise_variance=problem.noise_variance if by_formula else NOISE_VARIANCE * spread,
    )
