"""Tuning on real neighbours: remove or replace one validation record, tune again, and measure the differences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.data import TuningTask, without
from privbo_core.errors import Array, DataError, row_indices, vector
from privbo_core.privacy import Choice
from privbo_core.release.search import Search, Tuning
from privbo_core.release.theory import Bound, check_steps, theorem_1, theorem_3, theorem_7


@dataclass(frozen=True, eq=False)
class Movement:
    """The differences between the searches on V and V′, in units of the GP. Those of scores are in units of f_V.

    ``score_moved`` = max_λ |f_V − f_V′| never exceeds ``score_limit`` = largest_loss/m. ``mean_moved`` = max_λ |μ_T −
    μ′_T| is bounded by Theorem 1, and ``best_moved`` = |max v_t − max v′_t| by Theorem 3 (None for exact observations).
    ``best_score_moved`` = |max_t f_V(λ_t) − max_t f_V′(λ_t′)| is bounded by Theorem 7 (None if Algorithm 3 does not
    apply). ``same_path`` is true if both searches asked for the same rows. All of this is for the data holder alone.
    """

    before: Search
    after: Search
    score_moved: float
    score_limit: float
    mean_moved: float
    best_moved: float
    best_score_moved: float
    matching_k1: float
    same_path: bool
    theorem_1: Bound
    theorem_3: Bound | None
    theorem_7: Bound | None

    def choice_loss(self, choice: Choice) -> float:
        """Return max_λ |log Pr[λ̃ = λ | V] − log Pr[λ̃ = λ | V′]|, the ε that ``choice`` spends on this pair."""
        other = type(choice)(self.after.mean, choice.sensitivity, choice.epsilon)
        return float(np.abs(choice.log_probabilities - other.log_probabilities).max())


def compare(task: TuningTask, after: ArrayLike, tuning: Tuning, rng: np.random.Generator) -> Movement:
    """Tune on V and on a neighbour V′ whose scores are ``after`` (see `without`, `with_replacement`).

    Both searches have the same observation noise at each step, so that only the record differs. The theorems also allow
    independent noise. ``matching_k1`` is the k₁ that this pair suggests: its prior spread √(2(1 − k₁)) equals the root
    mean square of (f − f′) over Λ. The cost is that of two searches (`optimise`). Raises ValueError or DataError on
    unusable input, and DataError if the task does not state its m.
    """
    noise = _noise(tuning, rng)
    return _compare(task, vector("after", after, task.n), tuning, noise, _search(task, task.scores, tuning, noise))


def removals(
    task: TuningTask, records: Sequence[int], tuning: Tuning, rng: np.random.Generator
) -> Iterator[tuple[int, Movement]]:
    """Yield each of the ``records`` with the `Movement` that its removal causes, all under the same noise."""
    noise = _noise(tuning, rng)
    before = _search(task, task.scores, tuning, noise)
    for record in row_indices("records", records, task.records or 0):
        yield record, _compare(task, without(task, record), tuning, noise, before)


def _noise(tuning: Tuning, rng: np.random.Generator) -> Array:
    return tuning.sigma * rng.standard_normal(check_steps(tuning.iterations))


def _search(task: TuningTask, scores: Array, tuning: Tuning, noise: Array) -> Search:
    objective, steps = task.frame(scores), iter(noise)
    return tuning.search(task.points, lambda row: float(objective[row] + next(steps)), task.kernel)


def _compare(task: TuningTask, scores: Array, tuning: Tuning, noise: Array, before: Search) -> Movement:
    if task.records is None:
        raise DataError("This task does not state m, the number of records that it was validated on.")
    moved, given = _search(task, scores, tuning, noise), tuning.premises(task.n)
    return Movement(
        before=before,
        after=moved,
        score_moved=float(np.abs(scores - task.scores).max()),
        score_limit=task.largest_loss / task.records,
        mean_moved=float(np.abs(moved.mean - before.mean).max()),
        best_moved=float(abs(moved.observed.max() - before.observed.max())),
        best_score_moved=float(abs(scores[moved.rows].max() - task.scores[before.rows].max())),
        matching_k1=max(0.0, 1.0 - 0.5 * float(np.mean(((scores - task.scores) / task.unit) ** 2))),
        same_path=bool((moved.rows == before.rows).all()),
        theorem_1=theorem_1(given),
        theorem_3=None if tuning.sigma == 0 else theorem_3(given, sigma=tuning.sigma, gamma=before.gamma(tuning.gamma)),
        theorem_7=None if task.loss is None else theorem_7(**vars(task.loss), records=task.records),
    )
