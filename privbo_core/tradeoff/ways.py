"""Ways to publish a tuned setting side by side: at the same ε, and after the same number of evaluations."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from privbo_core.data import TuningTask
from privbo_core.errors import whole
from privbo_core.privacy import Guarantee
from privbo_core.privacy.tries import PoissonTries, Tries, TruncatedNegativeBinomial
from privbo_core.release import BestOfTries, Selection, Way, best_of_tries, noisy, optimise, random_rows, selection

LONGEST_SEARCH = 200
"""Evaluations after which Algorithm 1's search is not followed: it takes the square of them."""
SETS = 100


@dataclass(frozen=True)
class WayLost:
    """What one way loses in expectation, in units of the score f_V, for each number of evaluations.

    A loss is None where the way is not set up.
    ``score``: whether a noisy score of the setting comes with it, for the same ε in all.
    """

    name: str
    score: bool
    guarantee: Guarantee
    losses: tuple[float | None, ...]


def ways_lost(
    task: TuningTask, epsilon: float, evaluations: Sequence[int], *, delta: float = 1e-5, seed: int = 0
) -> tuple[WayLost, ...]:
    """Compare Algorithm 1 of DP-BO, private selection in both ways, and the best of a random number of tries at one ε.

    Private selection is offered so many random candidates, `SETS` times; of tries there are so many in expectation,
    with ``delta``. Each number is the exact mean over the way's own draw. Raises ValueError if m is not known.
    """
    if task.records is None:
        raise ValueError(
            "records is None; private selection and tries need m, the number of records behind each score."
        )
    counts = tuple(min(whole("evaluations", count, least=2), task.n) for count in evaluations)
    chosen = partial(_selected, task, counts, seed)
    found = [_published(task, epsilon, counts, seed)]
    found += [chosen(way, epsilon, score=False) for way in ("exponential", "permute-and-flip")]
    found.append(chosen("permute-and-flip", epsilon, score=True))
    tries: tuple[tuple[str, type[Tries]], ...] = (("η = 1", TruncatedNegativeBinomial), ("Poisson", PoissonTries))
    for name, kind in tries:
        plans = [_tried(task, kind, count, epsilon, delta) for count in counts]
        losses = tuple(plan.expected_loss for plan in plans)
        found.append(WayLost(f"best of tries, {name}", True, plans[0].guarantee(), losses))
    return tuple(found)


def _published(task: TuningTask, epsilon: float, counts: Sequence[int], seed: int) -> WayLost:
    losses: list[float | None] = []
    for count in counts:
        search = optimise(
            task.points,
            task.objective,
            kernel=task.kernel,
            sigma=0.1,
            iterations=min(count, LONGEST_SEARCH),
            delta=1e-3,
            rng=np.random.default_rng(seed),
        )
        plan = noisy(search, epsilon=epsilon, k1=0.99)
        lost = float(plan.choice.probabilities @ (task.scores.max() - task.scores))
        losses.append(lost if count <= LONGEST_SEARCH else None)
    return WayLost("Algorithm 1 of DP-BO", False, plan.guarantee(1), tuple(losses))


def _selected(task: TuningTask, counts: Sequence[int], seed: int, way: Way, epsilon: float, *, score: bool) -> WayLost:
    pieces = 2 if score else 1
    losses: list[float | None] = []
    for count in counts:
        plans = [
            _offered(task, count, [seed, run], way, epsilon / pieces) for run in range(1 if count == task.n else SETS)
        ]
        losses.append(float(np.mean([task.scores.max() - plan.choice.probabilities @ plan.scores for plan in plans])))
    names: dict[Way, str] = {"exponential": "exponential mechanism", "permute-and-flip": "permute-and-flip"}
    return WayLost(names[way], score, plans[0].guarantee(pieces), tuple(losses))


def _offered(task: TuningTask, count: int, seed: Sequence[int], way: Way, epsilon: float) -> Selection:
    assert task.records is not None
    rows = random_rows(task.n, count, np.random.default_rng(seed)).tolist()
    return selection(
        task.scores, records=task.records, epsilon=epsilon, rows=rows, largest_loss=task.largest_loss, way=way
    )


def _tried(task: TuningTask, kind: type[Tries], count: int, epsilon: float, delta: float) -> BestOfTries:
    assert task.records is not None
    tries = PoissonTries(float(count)) if kind is PoissonTries else TruncatedNegativeBinomial.of_mean(1.0, count)
    return best_of_tries(
        task.scores, records=task.records, epsilon=epsilon, tries=tries, delta=delta, largest_loss=task.largest_loss
    )
