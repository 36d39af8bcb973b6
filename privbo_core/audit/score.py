"""DP-BO's published score: attacks on real neighbours and on constructed ones, for Algorithms 1, 2 and 3."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.audit.lower_bound import Audited
from privbo_core.data import LipschitzLoss, TuningTask, with_replacement, without
from privbo_core.errors import Array, DataError, positive, row_indices, vector
from privbo_core.privacy import simulate
from privbo_core.release import Lipschitz, NoiseFree, Noisy, Tuning, lipschitz, noise_free, noisy, optimise

ExactPlan = NoiseFree | Lipschitz
"""A release after a search without dice: only the noise on the score differs from trial to trial."""


def published_score(here: ExactPlan, there: ExactPlan) -> Audited:
    """Return the published score of Algorithm 2 or 3 as a mechanism of dataset 0 (``here``) or 1 (``there``).

    best + Lap(Δ/ε): the likelihood ratio rises or falls with the value itself, so a threshold on it is the best test.
    Simulated, with a seed; f̃ is in units of the plan. O(trials).
    """
    plans = here, there

    def publish(which: int, trials: int, rng: np.random.Generator) -> Array:
        plan = plans[which]
        return plan.best + plan.value.scale * simulate.laplace(trials, rng)

    return publish


def tuned_score(task: TuningTask, after: ArrayLike, tuning: Tuning, epsilon: float) -> Audited:
    """Return Algorithm 1's ṽ as a mechanism of dataset 0 (V) or 1 (V′, whose scores f_V′ are ``after``).

    Every trial tunes anew, with observation noise of its own, and publishes max v_t + Lap(Δ/ε), in the Gaussian
    process's frame. O(nT²) a trial: about 5 ms for n = 400, T = 25. Raises ValueError for a ``tuning`` without noise.
    """
    objectives = task.objective, task.frame(vector("after", after, task.n))
    if tuning.sigma == 0:
        raise ValueError("sigma is 0; without observation noise it is Algorithm 2's score, see published_score.")

    def publish(which: int, trials: int, rng: np.random.Generator) -> Array:
        values = np.empty(trials)
        for trial in range(trials):
            plan = _tuned(task, objectives[which], tuning, epsilon, rng)
            values[trial] = plan.best + plan.value.scale * simulate.laplace(1, rng)[0]
        return values

    return publish


@dataclass(frozen=True, eq=False)
class ScoreChange:
    """What one validation ``record`` does to a published score: removed, or replaced by the reserve's row ``by``.

    ``here`` and ``there``: the plans on V and on V′, for `published_score`.
    """

    record: int
    by: int | None
    here: ExactPlan
    there: ExactPlan

    @property
    def epsilon(self) -> float:
        """|best − best′|/scale: the ε that this pair really costs, exactly; noise on both is the same Laplace."""
        return abs(self.here.best - self.there.best) / self.here.value.scale


def score_changes(
    task: TuningTask, tuning: Tuning, epsilon: float, *, records: Iterable[int], replacements: Iterable[int] = ()
) -> Iterator[ScoreChange]:
    """Yield what removing each record does to Algorithm 2's published score, and each replacement of it.

    ``tuning`` has ``sigma`` = 0 and holds A and τ; ``replacements`` are rows of ``task.reserve``. For the record that
    matters most, take the change of the greatest ``epsilon``. It tells what the release costs on this dataset; the
    paper's promise is made over draws from a prior, and what refutes that is Theorem 5's share in
    `privbo_core.release.coverage`. One search for each change: O(nT²), about 5 ms for n = 400, T = 50. Raises
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
    """Yield what removing each record does to Algorithm 3's published score after an exact search (``sigma`` 0).

    Raises DataError for a task without `LipschitzLoss` or m.
    """
    here = _lipschitz(task, task.scores, tuning, epsilon)
    for record in records:
        yield ScoreChange(record, None, here, _lipschitz(task, without(task, record), tuning, epsilon))


def ramp_pair(strength: float, records: int, epsilon: float) -> tuple[Lipschitz, Lipschitz]:
    """Return Algorithm 3 on the two validation sets that its score tells apart best, for `published_score`.

    One training point x = 1, y = 1 with hinge loss and the one candidate λ = ``strength``: w = min{1, 1/λ}. Validation
    loss is the ramp min{1, max{0, (1 − yw)/2}}: L = ½, g* = 1, equal for all at w = 0. V holds m = ``records`` records
    like the training point, V′ one with the other label, which moves f_V by w/m. That is the whole sensitivity for
    λ ≤ ½, where Theorem 7 holds, and twice what the paper prints for λ ≥ 1, where it does not.
    """
    known = LipschitzLoss(0.5, 1.0, positive("strength (λ)", strength), strength)
    w = min(1.0, 1.0 / strength)
    score = -(1.0 - w) / 2.0
    here = lipschitz([score], loss=known, records=records, epsilon=epsilon)
    return here, lipschitz([score - w / records], loss=known, records=records, epsilon=epsilon)


def _tuned(task: TuningTask, objective: Array, tuning: Tuning, epsilon: float, rng: np.random.Generator) -> Noisy:
    found = optimise(
        task.points,
        objective,
        kernel=task.kernel,
        sigma=tuning.sigma,
        iterations=tuning.iterations,
        delta=tuning.delta,
        rng=rng,
    )
    return noisy(found, epsilon=epsilon, k1=tuning.k1, variant=tuning.variant, gamma=tuning.gamma)


def _exact(task: TuningTask, scores: Array, tuning: Tuning, epsilon: float) -> NoiseFree:
    A, tau = tuning.constants()
    found = optimise(
        task.points,
        task.frame(scores),
        kernel=task.kernel,
        sigma=tuning.sigma,
        iterations=tuning.iterations,
        delta=tuning.delta,
    )
    return noise_free(found, epsilon=epsilon, k1=tuning.k1, A=A, tau=tau, variant=tuning.variant)


def _lipschitz(task: TuningTask, scores: Array, tuning: Tuning, epsilon: float) -> Lipschitz:
    if task.loss is None or task.records is None:
        raise DataError("This task does not say what Algorithm 3 needs: L, g*, the range of λ, and m.")
    found = optimise(
        task.points,
        task.frame(scores),
        kernel=task.kernel,
        sigma=0.0,
        iterations=tuning.iterations,
        delta=tuning.delta,
    )
    return lipschitz(scores[found.rows], loss=task.loss, records=task.records, epsilon=epsilon)
