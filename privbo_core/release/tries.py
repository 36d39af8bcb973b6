"""The best of a random number of tries on a list, with its exact distribution and its guarantee."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from privbo_core.errors import Array, positive, probability, vector, whole
from privbo_core.privacy import Condition, Guarantee, Status
from privbo_core.privacy.tries import PoissonTries, Tries, noise_for_tries
from privbo_core.release.theory import MEANS, NEIGHBOURS, NOT_HIDDEN, PICKED, RECORD, check_candidates, readers

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)
_TAIL_DEVIATIONS = 8.5  # The integral over the noise ends at this many standard deviations.

TRIES_HIDDEN = "the number of tries is not revealed"
TRIES_SOURCE = "Papernot, Steinke (ICLR 2022), Theorems 2 and 6; Koskela, Redberg, Wang (ICML 2024), docs/tries.md"


@dataclass(frozen=True, eq=False)
class BestOfTries:
    """The best of K tries by its noisy score. Each try draws a candidate at random, with repetition.

    The score of each try gets Gaussian noise of `multiplier` sensitivities. This is the least noise that keeps (ε, δ)
    for setting and score together. On average, E[K] candidates are evaluated, however many there are.
    """

    scores: Array
    sensitivity: float
    tries: Tries
    epsilon: float
    delta: float

    @cached_property
    def multiplier(self) -> float:
        """The standard deviation of a try's noise, in sensitivities."""
        return noise_for_tries(self.tries, self.epsilon, self.delta)

    @property
    def sigma(self) -> float:
        """The standard deviation of a try's noise, in units of the scores."""
        return self.multiplier * self.sensitivity

    def at(self, epsilon: float) -> "BestOfTries":
        """Return this plan at another ε."""
        return replace(self, epsilon=epsilon)

    @cached_property
    def probabilities(self) -> Array:
        """The probability that each candidate is published. The rest up to 1 is that of publishing nothing (K = 0).

        A try with noisy score y wins with density E[K F(y)^(K−1)], where F is the distribution function of one try's
        noisy score. O(n (17 + range/σ)).
        """
        tail = _TAIL_DEVIATIONS * self.sigma
        low, high = self.scores.min() - tail, self.scores.max() + tail
        edges = np.linspace(low, high, 1 + int(np.ceil((high - low) / self.sigma)))
        half = 0.5 * (edges[1] - edges[0])
        won = np.zeros(len(self.scores))
        for middle in 0.5 * (edges[1:] + edges[:-1]):
            away = np.subtract.outer(middle + half * _NODES, self.scores) / self.sigma
            wins = half * _WEIGHTS * self.tries.wins(ndtr(away).mean(axis=1))
            won += wins @ np.exp(-0.5 * away**2)
        return np.asarray(won / (len(won) * self.sigma * np.sqrt(2.0 * np.pi)))

    @property
    def expected_loss(self) -> float:
        """The mean of max scores − published score. Publishing nothing counts as a random candidate."""
        lost = self.scores.max() - self.scores
        nothing = max(0.0, 1.0 - float(self.probabilities.sum())) if isinstance(self.tries, PoissonTries) else 0.0
        return float(self.probabilities @ lost + nothing * lost.mean())

    def guarantee(self) -> Guarantee:
        """Return (ε, δ)-differential privacy for the setting and its score together."""
        return Guarantee(
            protects=RECORD,
            against=readers(),
            neighbours=NEIGHBOURS,
            epsilon=self.epsilon,
            delta=self.delta,
            assumptions=NOT_HIDDEN,
            status=Status.PROVED,
            source=TRIES_SOURCE,
            conditions=(
                PICKED,
                MEANS,
                Condition(TRIES_HIDDEN, "The number of tries is not revealed, and only the best try is published."),
            ),
        )


def best_of_tries(
    scores: ArrayLike, *, records: int, epsilon: float, tries: Tries, delta: float = 1e-5, largest_loss: float = 1.0
) -> BestOfTries:
    """Set up the best of ``tries``. ``records`` is m, and ``largest_loss`` the width of one record's contribution."""
    known = vector("scores", scores, max(1, np.size(scores)))
    check_candidates(len(known))
    sensitivity = positive("largest_loss", largest_loss) / whole("records (m)", records)
    return BestOfTries(known, sensitivity, tries, positive("epsilon", epsilon), probability("delta", delta))
