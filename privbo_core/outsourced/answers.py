"""How outcomes are answered privately: clipped, with noise, each record once; and the same in a simulated search."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from privbo_core.data import Problem
from privbo_core.data.frame import FINEST, SMALLEST
from privbo_core.data.marks import source_named
from privbo_core.errors import Array, DataError
from privbo_core.privacy import Gaussian, Noise, Radial, TradeOff, line_of, noise_of, simulate
from privbo_core.records import checked

MOST_NOISE = 1e6  # More deviations of noise than that leave nothing of an outcome, and could not be squared.


@dataclass(frozen=True)
class Private:
    """How outcomes are answered privately: clipped to [``low``, ``high``], with noise, each record once.

    ``noise`` is "gaussian", or "laplace" with δ = 0. All but ε and δ in the outcome's unit. Of two outcomes that one
    record might have, ``hide`` or less apart, an answer does not tell which, at (ε, δ). ``known_from`` says from where
    low, high, hide and how outcomes are written were known before anyone looked at the outcomes; empty if they were
    read off them.
    """

    low: float
    high: float
    hide: float
    epsilon: float
    delta: float
    known_from: str = ""
    noise: Noise = "gaussian"

    def __post_init__(self) -> None:
        checked("private answers", self)
        if not self.low < self.high:
            raise DataError(
                f"Private answers go from low {self.low:,.10g} to high {self.high:,.10g}; low must be below high."
            )
        if self.high - self.low < SMALLEST:
            raise DataError(
                f"The range of private answers, from {self.low:g} to {self.high:g}, is narrower than {SMALLEST:g}; "
                "count in a smaller unit."
            )
        if not self.hide > FINEST * (self.high - self.low):
            raise DataError(
                f"hide of private answers is {self.hide:g}; it must be above 0, and above a billionth of the range."
            )
        check_epsilon("private answers", self.epsilon, self.delta, self.noise)

    @property
    def public(self) -> bool:
        """Whether it says from where the range was known, in words that may name a source (`source_named`)."""
        return source_named(self.known_from)

    @property
    def sensitivity(self) -> float:
        """By how much one record's answer can move before noise: the hidden change, or the range if that is less."""
        span = self.high - self.low
        if Fraction(span) < Fraction(self.high) - Fraction(self.low):  # it was rounded down
            span = math.nextafter(span, math.inf)
        return min(self.hide, span)

    @cached_property
    def mechanism(self) -> Gaussian | Radial:
        """The noise of each answer, in the outcome's unit: the least of its shape that keeps the promise."""
        return noise_of(self.noise, self.sensitivity, self.epsilon, self.delta, 1)

    @property
    def sigma(self) -> float:
        """The noise standard deviation of each answer, in the outcome's unit."""
        return self.mechanism.sigma

    @property
    def line(self) -> TradeOff:
        """What the best attacker can tell of two outcomes ``hide`` apart."""
        return line_of(self.mechanism)

    def clip(self, outcome: float) -> float:
        """Return the outcome moved into [low, high]."""
        return min(max(outcome, self.low), self.high)


def check_epsilon(what: str, epsilon: float, delta: float, noise: Noise) -> None:
    """Raise DataError unless ε is above 0, and δ is what the noise needs."""
    if not epsilon > 0:
        raise DataError(f"epsilon of {what} is {epsilon:g}; it must be above 0.")
    if noise == "laplace" and delta != 0:
        raise DataError(f"delta of {what} is {delta:g}; with Laplace noise ε holds without one, so it must be 0.")
    if noise == "gaussian" and not 0 < delta < 1:
        raise DataError(f"delta of {what} is {delta:g}; it must lie strictly between 0 and 1.")


class PrivateAnswers:
    """Answers the rows of a simulated search with noise, each row once, in units of the search.

    What a row is answered is its outcome as recorded, clipped, and noise. A table's search is told it in deviations of
    the clipped outcomes, centred: a logarithm is undone, for nobody can take that of noise. A formula's outcomes, which
    have no unit, fill the range, and its search is told them in the ``objective``'s. ``variance``: of the noise, as
    told.
    """

    def __init__(self, private: Private, problem: Problem, objective: Array, rng: np.random.Generator) -> None:
        self._private, self._rng = private, rng
        self._told: dict[int, float] = {}
        made = problem.preparation
        self._better = 1.0 if made is None or made.maximize else -1.0
        if made is None:
            self._scale = (private.high - private.low) / (float(np.ptp(objective)) or 1.0)
            self._centre = private.low - self._scale * float(objective.min())
            self._outcomes = np.clip(self._centre + self._scale * objective, private.low, private.high)
        else:
            self._outcomes = np.clip(made.output(objective), private.low, private.high)
            self._scale, self._centre = float(self._outcomes.std()) or 1.0, self._better * float(self._outcomes.mean())
        self._scale = max(self._scale, private.sigma / MOST_NOISE)
        self.variance = (private.sigma / self._scale) ** 2

    def __call__(self, row: int) -> float:
        """Return what the search is told of a row: the same whenever it asks."""
        if row not in self._told:
            outcome = self._better * (float(self._outcomes[row]) + self._noise())
            self._told[row] = (outcome - self._centre) / self._scale
        return self._told[row]

    def _noise(self) -> float:
        mechanism = self._private.mechanism
        if isinstance(mechanism, Radial):
            return mechanism.scale * float(simulate.laplace(1, self._rng)[0])
        return mechanism.sigma * float(simulate.gaussian(1, self._rng)[0])
