"""What the modeler of a noisy release believes before the first answer, and how it reads Z in that light."""

from dataclasses import dataclass

import numpy as np

from privbo_core.data import Frame, Problem
from privbo_core.errors import Array
from privbo_core.gp import SquaredExponential
from privbo_core.outsourced.noisy import expected_kernel

SHARE_OF_RANGE = 0.25  # A length-scale nobody has guessed: a quarter of the distance from low to high.
SIGNAL, NOISE = 1.0, 1.0
"""Prior variances of f and of an answer's noise for a table, in variances of its outcome: each could be all of it."""


@dataclass(frozen=True, eq=False)
class Belief:
    """A squared exponential prior: ``lengthscales`` (d, in the frame), σ_y² and σ_n² in squared units of the objective.

    None of it was computed from the private inputs.
    """

    lengthscales: Array
    variance: float
    noise_variance: float

    def read(self, z: Array, sigma: float) -> tuple[Array, SquaredExponential, float]:
        """Return points, kernel and nugget for a GP on Z (n×d) that carries N(0, σ²) in each entry.

        Each column is divided by its own length-scale as it appears through the noise, relative to the first's. O(nd).
        """
        wide, variance, nugget = expected_kernel(
            self.lengthscales, np.full(len(self.lengthscales), sigma), self.variance
        )
        return z * (wide[0] / wide), SquaredExponential(float(wide[0]), variance), nugget

    def scaled(self, lengthscale: float, signal: float, noise: float) -> "Belief":
        """Return the belief with so many times the length-scales, the signal's variance and the noise's."""
        return Belief(self.lengthscales * lengthscale, self.variance * signal, self.noise_variance * noise)


def guessed(frame: Frame) -> Array:
    """Return the length-scales that a frame says, d in the frame: a quarter of the range where it has no guess."""
    guesses = [
        SHARE_OF_RANGE * (column.high - column.low) if column.lengthscale is None else column.lengthscale
        for column in frame.columns
    ]
    return np.array(guesses) / frame.hide


def belief(problem: Problem) -> Belief:
    """Return what the modeler knows of the problem besides Z, the noise in it, and the answers that it is given.

    Length-scales: the frame's public guesses, and a quarter of the range where it has none. Variances: those of a
    problem that was made by a formula, which everybody knows; for a table the outcome's own variance for f and as much
    for noise. (Outcomes are not protected, and GP-UCB asks for the same rows whatever their unit.) The fit that
    `make_problem` makes is the curator's and never gets here: it looks at X.
    """
    by_formula = problem.preparation is None and problem.frame.public
    spread = float(problem.objective.var())
    return Belief(
        lengthscales=guessed(problem.frame),
        variance=problem.kernel.variance if by_formula else SIGNAL * spread,
        noise_variance=problem.noise_variance if by_formula else NOISE * spread,
    )
