"""Attack the releases of DP-BO: the score, the setting, and private selection.

The probabilities of a selection are known, so the ε of a pair of neighbours is exact. Scores are sampled.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import ndtr

from privbo_core.audit.lower_bound import Audited
from privbo_core.data import LipschitzLoss, TuningTask, with_replacement, without
from privbo_core.errors import Array, DataError, positive, row_indices, vector, whole
from privbo_core.gp import Kernel
from privbo_core.privacy import Choice, Exponential, simulate
from privbo_core.release import (
    BestOfTries,
    Lipschitz,
    NoiseFree,
    Noisy,
    Search,
    Selection,
    Tuning,
    lipschitz,
    noise_free,
    noisy,
    removals,
    sample_pair,
    two_task_roots,
)

ExactPlan = NoiseFree | Lipschitz
"""A release after a search without dice: only the noise on the score differs from trial to trial."""


def published_score(here: ExactPlan, there: ExactPlan) -> Audited:
    """Return the published score of Algorithm 2 or 3 as a mechanism of dataset 0 (``here``) or 1 (``there``).

    The score is best + Lap(Δ/ε). Its likelihood ratio rises or falls with the value itself, so a threshold on it is the
    best test. It is simulated with a seed, in units of the plan. O(trials).
    """
    plans = here, there

    def publish(which: int, trials: int, rng: np.random.Generator) -> Array:
        plan = plans[which]
        return plan.best + plan.value.scale * simulate.laplace(trials, rng)

    return publish


def tuned_score(task: TuningTask, after: ArrayLike, tuning: Tuning, epsilon: float) -> Audited:
    """Return Algorithm 1's ṽ as a mechanism of dataset 0 (V) or 1 (V′, whose scores f_V′ are ``after``).

    Every trial tunes again with new observation noise, and publishes max v_t + Lap(Δ/ε) in the Gaussian process's
    frame. O(nT²) a trial, about 5 ms for n = 400, T = 25. Raises ValueError for a ``tuning`` without noise.
    """
    objectives = task.objective, task.frame(vector("after", after, task.n))
    if tuning.sigma == 0:
        raise ValueError("sigma is 0. Without observation noise it is Algorithm 2's score, see published_score.")

    def publish(which: int, trials: int, rng: np.random.Generator) -> Array:
        values = np.empty(trials)
        for trial in range(trials):
            found = tuning.search(task.points, objectives[which], task.kernel, rng)
            plan = _noisy(found, tuning, epsilon)
            values[trial] = plan.best + plan.value.scale * simulate.laplace(1, rng)[0]
        return values

    return publish


@dataclass(frozen=True, eq=False)
class ScoreChange:
    """The change of a published score when one ``record`` is removed, or replaced by the reserve's row ``by``.

    ``here`` and ``there`` are the plans on V and on V′, for `published_score`.
    """

    record: int
    by: int | None
    here: ExactPlan
    there: ExactPlan

    @property
    def epsilon(self) -> float:
        """Return |best − best′|/scale, the exact ε of this pair. The noise on both is the same Laplace noise."""
        return abs(self.here.best - self.there.best) / self.here.value.scale


def score_changes(
    task: TuningTask, tuning: Tuning, epsilon: float, *, records: Iterable[int], replacements: Iterable[int] = ()
) -> Iterator[ScoreChange]:
    """Yield the change of Algorithm 2's published score for each record removed and each replacement of it.

    ``tuning`` has ``sigma`` = 0 and holds A and τ. ``replacements`` are rows of ``task.reserve``. The record that
    matters most has the change with the greatest ``epsilon``. These are costs on this dataset, while the paper's
    guarantee is over draws from a prior. To refute that guarantee, use Theorem 5's share in
    `privbo_core.release.coverage`. One search for each change costs O(nT²), about 5 ms for n = 400, T = 50. Raises
    ValueError or DataError.
    """
    reserve = np.empty((0, task.n)) if task.reserve is None else task.reserve
    rows = row_indices("replacements", tuple(replacements), len(reserve))
    here = _exact(task, task.scores, tuning, epsilon)
    for record in records:
        yield ScoreChange(record, None, here, _exact(task, without(task, record), tuning, epsilon))
        for row in rows:
            after = with_replacement(task, record, reserve[row])
            yield ScoreChange(record, row, here, _exact(task, after, tuning, epsilon))


def lipschitz_changes(
    task: TuningTask, tuning: Tuning, epsilon: float, *, records: Iterable[int]
) -> Iterator[ScoreChange]:
    """Yield the change of Algorithm 3's published score for each record removed, after an exact search (``sigma`` 0).

    Raises DataError for a task without `LipschitzLoss` or m.
    """
    here = _lipschitz(task, task.scores, tuning, epsilon)
    for record in records:
        yield ScoreChange(record, None, here, _lipschitz(task, without(task, record), tuning, epsilon))


def ramp_pair(strength: float, records: int, epsilon: float) -> tuple[Lipschitz, Lipschitz]:
    """Return Algorithm 3 on the two validation sets that its score separates best, for `published_score`.

    There is one training point x = 1, y = 1 with hinge loss and one candidate λ = ``strength``, so w = min{1, 1/λ}.
    Validation loss is the ramp min{1, max{0, (1 − yw)/2}}, with L = ½ and g* = 1, equal for all at w = 0. V holds m =
    ``records`` records like the training point, and V′ has one with the other label, which moves f_V by w/m. That is
    the whole sensitivity for λ ≤ ½, where Theorem 7 holds, and twice the printed sensitivity for λ ≥ 1, where it does
    not.
    """
    known = LipschitzLoss(0.5, 1.0, positive("strength (λ)", strength), strength)
    w = min(1.0, 1.0 / strength)
    score = -(1.0 - w) / 2.0
    here = lipschitz([score], loss=known, records=records, epsilon=epsilon)
    return here, lipschitz([score - w / records], loss=known, records=records, epsilon=epsilon)


def _noisy(found: Search, tuning: Tuning, epsilon: float) -> Noisy:
    return noisy(found, epsilon=epsilon, k1=tuning.k1, variant=tuning.variant, gamma=tuning.gamma)


def _exact(task: TuningTask, scores: Array, tuning: Tuning, epsilon: float) -> NoiseFree:
    A, tau = tuning.constants()
    found = tuning.search(task.points, task.frame(scores), task.kernel)
    return noise_free(found, epsilon=epsilon, k1=tuning.k1, A=A, tau=tau, variant=tuning.variant)


def _lipschitz(task: TuningTask, scores: Array, tuning: Tuning, epsilon: float) -> Lipschitz:
    if task.loss is None or task.records is None:
        raise DataError("This task does not say what Algorithm 3 needs: L, g*, the range of λ, and m.")
    found = replace(tuning, sigma=0.0).search(task.points, task.frame(scores), task.kernel)
    return lipschitz(scores[found.rows], loss=task.loss, records=task.records, epsilon=epsilon)


ROUNDING = 1e-12
"""The relative error of computed probabilities. A pair that uses all of ε must not be reported as breaking it."""


@dataclass(frozen=True, eq=False)
class ChoiceLoss:
    """Pr[λ̃ = λ] of every candidate under V and V′ (``here``, ``there``), and the privacy loss of this pair.

    ``epsilon`` = max_λ |log Pr[λ | V] − log Pr[λ | V′]| is the exact ε of the pair at δ = 0. ``delta`` is the least δ
    with which the pair keeps the claimed ε for every *set* of outcomes, in both directions.
    """

    here: Array
    there: Array
    epsilon: float
    delta: float

    @classmethod
    def of(cls, here: Choice, there: Choice, claim: float) -> "ChoiceLoss":
        """Compare two mechanisms over the same candidates exactly. O(|Λ|)."""
        p, p_other = here.probabilities, there.probabilities
        loss = float(np.abs(here.log_probabilities - there.log_probabilities).max())
        return cls(p, p_other, loss, _excess(p, p_other, claim))

    def refutes(self, claim: float, delta: float) -> bool:
        """Return whether this pair alone breaks Pr[λ | V] ≤ e^ε Pr[λ | V′] + δ for some λ, by more than rounding."""
        factor = math.exp(min(claim, 700.0)) * (1.0 + ROUNDING)
        worst = max(np.max(self.here - factor * self.there), np.max(self.there - factor * self.here))
        return bool(worst > delta)


def _excess(here: Array, there: Array, epsilon: float) -> float:
    """Return the least δ with which two sets of probabilities keep ε for every set of outcomes, in both directions."""
    factor = math.exp(min(epsilon, 700.0))
    return float(max(np.maximum(a - factor * b, 0.0).sum() for a, b in ((here, there), (there, here))))


def prior_losses(
    points: ArrayLike,
    *,
    kernel: Kernel,
    k1: float,
    tuning: Tuning,
    epsilon: float,
    pairs: int,
    rng: np.random.Generator,
) -> Iterator[ChoiceLoss]:
    """Yield the exact loss of λ̃ for ``pairs`` pairs (f, f′) drawn from the prior that the theorem assumes.

    Each pair is tuned twice with independent observation noise, as the theorem allows, and the probabilities after the
    two searches are compared. The guarantee may fail for a share δ of the pairs. One pair therefore does not refute it,
    but a `privbo_core.release.Share` of the pairs that keep it, with its limits, can. O(n³) once, then O(nT²) a pair.
    """
    root = two_task_roots(points, kernel)
    for _ in range(pairs):
        found = [tuning.search(points, objective, kernel, rng) for objective in sample_pair(root, k1, rng)]
        plans = [_noisy(each, replace(tuning, k1=k1), epsilon) for each in found]
        yield ChoiceLoss.of(plans[0].choice, plans[1].choice, epsilon)


def task_losses(
    task: TuningTask, records: Sequence[int], tuning: Tuning, epsilon: float, rng: np.random.Generator
) -> Iterator[tuple[int, ChoiceLoss]]:
    """Yield (record, exact loss of λ̃) for a real task tuned with and without each record, under the same noise.

    These are losses on this dataset and with this observation noise. The guarantee is over draws of both, so one large
    loss is a warning and no refutation. O(nT²) a record.
    """
    for record, moved in removals(task, records, tuning, rng):
        plan = _noisy(moved.before, tuning, epsilon)
        other = Exponential(moved.after.mean, plan.choice.sensitivity, epsilon)
        yield record, ChoiceLoss.of(plan.choice, other, epsilon)


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)
_MAX_DEVIATIONS = 10.0  # Scores further out, in standard deviations, are omitted.
_CELL_WIDTH = 0.1  # in standard deviations
_MIN_CHANCE = 1e-9  # Numbers of tries with a smaller probability are omitted.


def selection_loss(here: Selection, there: Selection) -> ChoiceLoss:
    """Return the exact loss of the published setting under V and V′, without trials or confidence. O(n).

    Raises DataError if the two plans do not choose among the same candidates.
    """
    _check(here, there)
    return ChoiceLoss.of(here.choice, there.choice, here.epsilon)


def selected(here: Selection, there: Selection, *, score: bool = True) -> Audited:
    """Return the published setting and score as a mechanism of dataset 0 (``here``) or 1 (``there``), for 2ε.

    Without the ``score`` only the setting is published, for ε. The output is the logarithm of the likelihood ratio of
    (λ̃, ṽ), log p′(λ̃) − log p(λ̃) + (|ṽ − f_V(λ̃)| − |ṽ − f_V′(λ̃)|)/b, with b the scale of the Laplace noise. It is
    the best test. Simulated with a seed, O(trials · n). Raises DataError for plans that differ in more than their
    scores.
    """
    _check(here, there)
    plans, scale = (here, there), here.value.scale
    ratio = there.choice.log_probabilities - here.choice.log_probabilities

    def publish(which: int, trials: int, rng: np.random.Generator) -> Array:
        plan = plans[which]
        rows = simulate.select(plan.choice, simulate.gumbel(trials, len(plan.scores), rng))
        if not score:
            return np.asarray(ratio[rows])
        noise = scale * simulate.laplace(trials, rng)
        value = plan.scores[rows] + noise
        nearer = np.abs(value - here.scores[rows]) - np.abs(value - there.scores[rows])
        return np.asarray(ratio[rows] + nearer / scale)

    return publish


def adversarial_scores(n: int, records: int, largest_loss: float = 1.0) -> tuple[Array, Array]:
    """Return f_V and f_V′ of ``n`` candidates that show which dataset was used as clearly as one record can.

    All records but one lose half of ``largest_loss`` with every candidate. In V, the remaining record loses everything
    with candidate 0 and nothing with the others. In V′ it is the other way round. So candidate 0 moves up by the whole
    sensitivity largest_loss/m, and the others move down by it. The setting alone costs nearly all of ε once n is large.
    Setting and score together are caught most easily with about ten candidates, where candidate 0 is published often
    enough.
    """
    n, m, largest = whole("n", n, least=2), whole("records (m)", records), positive("largest_loss", largest_loss)
    first = np.arange(n) == 0
    others = 0.5 * largest * (m - 1)
    return -(others + largest * first) / m, -(others + largest * ~first) / m


@dataclass(frozen=True, eq=False)
class TriesLoss:
    """The probability of every outcome under V and V′ (``here``, ``there``), and the privacy loss of this pair."""

    here: Array
    there: Array

    def delta(self, epsilon: float) -> float:
        """Return the least δ with which the pair keeps ``epsilon`` for every set of outcomes, in both directions."""
        return _excess(self.here, self.there, epsilon)

    def epsilon(self, delta: float) -> float:
        """Return the least ε that the pair keeps at ``delta``: no mechanism that allows it promises less."""
        if self.delta(0.0) <= delta:
            return 0.0
        high = 1.0
        while self.delta(high) > delta:
            high *= 2.0
        return float(brentq(lambda epsilon: self.delta(epsilon) - delta, 0.0, high, xtol=1e-9))


def tries_loss(here: BestOfTries, there: BestOfTries, *, told: ArrayLike | None = None) -> TriesLoss:
    """Return the exact loss of the best try's setting and noisy score under V and V′, without trials or confidence.

    An outcome is a setting and the cell of its score, a tenth of a standard deviation wide. Cells reveal less than
    scores, so the loss is never overstated. ``told`` holds Pr[K = 1], Pr[K = 2], … of the number of tries if that
    number is published too, or was chosen (then all but one are 0). No proof allows either. Numbers rarer than 1e-9 and
    scores beyond 10 standard deviations are omitted. O(n (20 + range/σ)), times as many numbers as ``told`` has. Raises
    DataError for plans that differ in more than their scores.
    """
    if len(here.scores) != len(there.scores) or here.sigma != there.sigma or here.tries != there.tries:
        raise DataError("The two plans must try the same candidates as often, with the same m, largest loss, ε and δ.")
    every, sigma = np.concatenate([here.scores, there.scores]), here.sigma
    low, high = every.min() - _MAX_DEVIATIONS * sigma, every.max() + _MAX_DEVIATIONS * sigma
    edges = np.linspace(low, high, 1 + int(np.ceil((high - low) / (_CELL_WIDTH * sigma))))
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
            weights = [chance * k * share ** (k - 1) for k, chance in numbers if chance > _MIN_CHANCE]
        found.append(np.stack([np.einsum("cn,cni->ci", weight * _WEIGHTS, density) for weight in weights]).ravel())
    return TriesLoss(*found)


def _check(here: Selection, there: Selection) -> None:
    same = here.rows.shape == there.rows.shape and (here.rows == there.rows).all()
    if not same or here.value != there.value or type(here.choice) is not type(there.choice):
        raise DataError(
            "The two plans must choose among the same candidates, with the same m, largest loss and ε, in the same way."
        )
