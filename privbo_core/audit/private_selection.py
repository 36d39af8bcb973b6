"""Private selection and the best of tries: what a pair of tables tells, exactly; setting and score also sampled."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import ndtr

from privbo_core.audit.lower_bound import Audited
from privbo_core.audit.selection import ChoiceLoss
from privbo_core.errors import Array, DataError, positive, whole
from privbo_core.privacy import simulate
from privbo_core.release import BestOfTries, Selection

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)
_REACH = 10.0  # standard deviations
_NARROW = 0.1  # of a standard deviation: the width of a cell
_RARE = 1e-9


def selection_loss(here: Selection, there: Selection) -> ChoiceLoss:
    """Return what the published setting tells about V or V′ at most, exactly: no trials, no confidence. O(n).

    Raises DataError if the two plans do not choose among the same candidates.
    """
    _check(here, there)
    return ChoiceLoss.of(here.choice, there.choice, here.epsilon)


def selected(here: Selection, there: Selection) -> Audited:
    """Return the published setting and score as a mechanism of dataset 0 (``here``) or 1 (``there``), for 2ε.

    The output is the logarithm of the likelihood ratio of what is published, (λ̃, ṽ):
    log p′(λ̃) − log p(λ̃) + (|ṽ − f_V(λ̃)| − |ṽ − f_V′(λ̃)|)/b, with b the Laplace noise's scale: the best test there
    is. Simulated, with a seed. O(trials · n). Raises DataError for plans that differ in more than their scores.
    """
    _check(here, there)
    plans, scale = (here, there), here.value.scale
    ratio = there.choice.log_probabilities - here.choice.log_probabilities

    def publish(which: int, trials: int, rng: np.random.Generator) -> Array:
        plan = plans[which]
        rows = simulate.select(plan.choice, simulate.gumbel(trials, len(plan.scores), rng))
        noise = scale * simulate.laplace(trials, rng)
        value = plan.scores[rows] + noise
        nearer = np.abs(value - here.scores[rows]) - np.abs(value - there.scores[rows])
        return np.asarray(ratio[rows] + nearer / scale)

    return publish


def adversarial_scores(n: int, records: int, largest_loss: float = 1.0) -> tuple[Array, Array]:
    """Return f_V and f_V′ of ``n`` candidates whose setting is told apart as well as one record can.

    All records but one lose half of ``largest_loss`` with every candidate. That one loses everything with candidate 0
    and nothing with the others in V, and the other way round in V′, so candidate 0 moves up by the whole sensitivity
    largest_loss/m and the others down by it. The setting alone costs nearly all of ε once n is large; setting and
    score together are caught most easily with about ten candidates, where candidate 0 is not too rarely published.
    """
    n, m, largest = whole("n", n, least=2), whole("records (m)", records), positive("largest_loss", largest_loss)
    first = np.arange(n) == 0
    others = 0.5 * largest * (m - 1)
    return -(others + largest * first) / m, -(others + largest * ~first) / m


@dataclass(frozen=True, eq=False)
class TriesLoss:
    """The probability of every outcome under V and V′ (``here``, ``there``), and what a reader can conclude at most."""

    here: Array
    there: Array

    def delta(self, epsilon: float) -> float:
        """Return the least δ with which the pair keeps ``epsilon`` for every set of outcomes, in both directions."""
        factor = math.exp(min(epsilon, 700.0))
        return float(max(np.maximum(a - factor * b, 0.0).sum() for a, b in self._both))

    def epsilon(self, delta: float) -> float:
        """Return the least ε that the pair keeps at ``delta``: no mechanism that allows it promises less."""
        if self.delta(0.0) <= delta:
            return 0.0
        high = 1.0
        while self.delta(high) > delta:
            high *= 2.0
        return float(brentq(lambda epsilon: self.delta(epsilon) - delta, 0.0, high, xtol=1e-9))

    @property
    def _both(self) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        return (self.here, self.there), (self.there, self.here)


def tries_loss(here: BestOfTries, there: BestOfTries, *, told: ArrayLike | None = None) -> TriesLoss:
    """Return what the best try's setting and noisy score tell about V or V′, exactly: no trials, no confidence.

    An outcome is a setting and a cell, a tenth of a standard deviation wide, in which its score lies: cells tell less
    than scores, so what is found is never too much. ``told``: Pr[K = 1], Pr[K = 2], … of the number of tries if it is
    published too, or was chosen (all but one are 0); no proof allows that. Numbers rarer than 1e-9 are left out, and
    what is beyond 10 standard deviations. O(n (20 + range/σ)), times as many numbers as are told. Raises DataError for
    plans that differ in more than their scores.
    """
    if len(here.scores) != len(there.scores) or here.sigma != there.sigma or here.tries != there.tries:
        raise DataError("The two plans must try the same candidates as often, with the same m, largest loss, ε and δ.")
    every, sigma = np.concatenate([here.scores, there.scores]), here.sigma
    low, high = every.min() - _REACH * sigma, every.max() + _REACH * sigma
    edges = np.linspace(low, high, 1 + int(np.ceil((high - low) / (_NARROW * sigma))))
    half = 0.5 * (edges[1] - edges[0])
    heights = (0.5 * (edges[1:] + edges[:-1]))[:, None] + half * _NODES
    found = []
    for scores in (here.scores, there.scores):
        away = (heights[..., None] - scores) / sigma
        share = ndtr(away).mean(axis=2)
        density = np.exp(-0.5 * away**2) * half / (len(scores) * sigma * np.sqrt(2.0 * np.pi))
        if told is None:
            weights = [here.tries.wins(share)]
        else:
            numbers = enumerate(np.asarray(told, dtype=float), start=1)
            weights = [chance * k * share ** (k - 1) for k, chance in numbers if chance > _RARE]
        found.append(np.stack([np.einsum("cn,cni->ci", weight * _WEIGHTS, density) for weight in weights]).ravel())
    return TriesLoss(*found)


def _check(here: Selection, there: Selection) -> None:
    same = here.rows.shape == there.rows.shape and (here.rows == there.rows).all()
    if not same or here.value != there.value or type(here.choice) is not type(there.choice):
        raise DataError(
            "The two plans must choose among the same candidates, with the same m, largest loss and ε, in the same way."
        )
