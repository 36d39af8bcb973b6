"""The private release of a tuned setting as a question of cost: Algorithms 1 to 3, private selection, random tries.

And ways to publish one side by side: at the same ε, and after the same number of evaluations.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Literal, TypedDict, Unpack

import numpy as np

from privbo_core.data import TuningTask
from privbo_core.errors import Array, whole
from privbo_core.privacy import Guarantee, Status
from privbo_core.privacy.tries import PoissonTries, Tries, TruncatedNegativeBinomial
from privbo_core.release import (
    BestOfTries,
    Lipschitz,
    Plan,
    Search,
    Selection,
    Variant,
    Way,
    best_of_tries,
    lipschitz,
    noise_free,
    noisy,
    optimise,
    random_rows,
    selection,
)
from privbo_core.tradeoff.curve import Curve, Question, Reference

Published = Literal["setting", "score", "both"]
"""What leaves the team. With "both", the cost is the setting's."""


class Assumed(TypedDict, total=False):
    """What Algorithms 1 and 2 take for granted: k₁, the constants A and τ of exact observations, whose paper."""

    k1: float
    A: float
    tau: float
    variant: Variant


def released_question(
    task: TuningTask,
    *,
    published: Published = "setting",
    iterations: int = 50,
    sigma: float = 0.1,
    delta: float = 1e-3,
    seed: int = 0,
    **assumed: Unpack[Assumed],
) -> Question:
    """Return the question for one task: what the published setting or score loses, in units of the score f_V.

    ε is what all that is published costs together, as the guarantees compose it: a setting and its score cost twice the
    ε of each, and private selection's score comes with its setting, so it counts twice too. δ is that of each release
    of Algorithms 1 and 2. The cost of a run is the *exact* mean over the release's own draw: of max f_V − f_V(λ̃) for a
    setting, of |published − max f_V| for a score. From run to run the search's observation noise changes (Algorithm 1)
    or the candidates that selection is offered; Algorithms 2 and 3 have no dice. ``assumed``: ``k1`` (0.99), ``A`` (1),
    ``tau`` (0.1) and ``variant`` ("icml"), as in `noisy` and `noise_free`. Mechanisms that do not apply to the task, or
    do not publish this, are left out. O(nT²) a run, once.
    """
    known: Assumed = {"k1": 0.99, "A": 1.0, "tau": 0.1, "variant": "icml", **assumed}
    best = float(task.scores.max())
    rows = min(iterations, task.n)

    @cache
    def searched(noise: float, run: int) -> Search:
        rng = np.random.default_rng([seed, run])
        return optimise(
            task.points, task.objective, kernel=task.kernel, sigma=noise, iterations=rows, delta=delta, rng=rng
        )

    def first(run: int) -> Plan:
        return noisy(searched(sigma, run), epsilon=1.0, k1=known["k1"], variant=known["variant"])

    def second(run: int) -> Plan:
        return noise_free(searched(0.0, 0), epsilon=1.0, **known)

    def third(run: int) -> Plan:
        assert task.loss is not None
        assert task.records is not None
        return lipschitz(task.scores[searched(0.0, 0).rows], loss=task.loss, records=task.records, epsilon=1.0)

    @cache
    def fourth(run: int) -> Plan:
        return _offered(task, max(2, rows), [seed, run], "permute-and-flip", 1.0)

    def curve(name: str, plan: Callable[[int], Plan]) -> Curve:
        example = plan(0)
        pieces = 2 if published == "both" or (published == "score" and isinstance(example, Selection)) else 1
        promise = example.guarantee() if isinstance(example, Lipschitz) else example.guarantee(pieces)
        each = promise.epsilon  # at ε = 1 for each piece, so this is how many times ε is spent

        def alone(epsilon: float, run: int) -> float:
            here = plan(run).at(epsilon / each)
            return _score_cost(task, here, best) if published == "score" else expected_loss(task, here)

        def costs(epsilon: float, runs: int) -> Iterator[Array]:
            return _one_by_one(partial(alone, epsilon), runs)

        return Curve(name, promise.status, costs, standing=promise.standing())

    def plainly(run: int) -> float:
        return best - float(task.scores[int(searched(sigma, run).mean.argmax())])

    curves = [curve("Algorithm 1", first), curve("Algorithm 2", second)]
    if published == "score" and task.loss is not None and task.records is not None:
        curves.append(curve("Algorithm 3", third))
    if task.records is not None:
        curves.append(curve("private selection", fourth))
    blind = _level("blind draw", best - float(task.scores.mean()))
    plain = Reference("non-private", partial(_one_by_one, plainly))
    return Question(tuple(curves), plain, () if published == "score" else (blind,))


def _one_by_one(alone: Callable[[int], float], runs: int) -> Iterator[Array]:
    """Yield the costs of the runs so far, a run after the other."""
    done: list[float] = []
    for run in range(runs):
        done.append(alone(run))
        yield np.array(done)


def _level(name: str, loss: float) -> Reference:
    """Return what loses the same in every run."""
    return Reference(name, lambda runs: iter([np.full(runs, loss)]))


def expected_loss(task: TuningTask, plan: Plan) -> float:
    """Return max f_V − E f_V(λ̃), the score lost by the published configuration λ̃.

    It is an exact mean over the mechanism's own draw, in units of the score f_V.
    """
    if plan.choice is None:
        raise ValueError("This plan publishes no configuration, so there is no score that it loses.")
    offered = plan.scores if isinstance(plan, Selection) else task.scores
    return float(task.scores.max()) - float(plan.choice.probabilities @ offered)


def _score_cost(task: TuningTask, plan: Plan, best: float) -> float:
    """Return E|published − max f_V|: |d| + b·exp(−|d|/b) for a centre d off with Laplace noise of scale b."""
    if isinstance(plan, Selection):
        centres, weights, scale = plan.scores - best, plan.choice.probabilities, plan.value.scale
    elif isinstance(plan, Lipschitz):
        centres, weights, scale = np.array([plan.best - best]), np.ones(1), plan.value.scale
    else:
        centres, weights = np.array([float(task.score(plan.best)) - best]), np.ones(1)
        scale = plan.value.scale * task.unit
    away = np.abs(centres)
    return float(weights @ (away + (scale * np.exp(-away / scale) if math.isfinite(scale) else math.inf)))


def ways_question(
    task: TuningTask, *, published: Published = "setting", delta: float = 1e-5, seed: int = 0
) -> Question:
    """Return the question for a team that has scored its whole list of settings and publishes one of them.

    By permute-and-flip among all of them, or as the best of a random number of tries, as many as settings on average
    (at ``delta``); ε is that of all that is published. The cost, in units of the score f_V, is what `ways_lost` says of
    the same ways: an exact mean over the way's own draw, the same in each run, compared with the best setting of all.
    Raises ValueError if m is not known.
    """
    if task.records is None:
        raise ValueError("records is None; both ways need m, the number of records behind each score.")
    pieces = 1 if published == "setting" else 2

    def selected(epsilon: float, runs: int) -> Iterator[Array]:
        plan = _offered(task, task.n, [seed, 0], "permute-and-flip", epsilon / pieces)
        yield np.full(runs, float(task.scores.max() - plan.choice.probabilities @ plan.scores))

    def tried(epsilon: float, runs: int) -> Iterator[Array]:
        yield np.full(runs, _tried(task, PoissonTries, task.n, epsilon, delta).expected_loss)

    ways = Curve("private selection", Status.PROVED, selected), Curve("best of tries", Status.PROVED, tried)
    blind = _level("blind draw", float(task.scores.max() - task.scores.mean()))
    return Question(ways, _level("the best setting", 0.0), (blind,))


LONGEST_SEARCH = 200  # Evaluations after which Algorithm 1's search is not followed: it takes the square of them.
SETS = 100


@dataclass(frozen=True)
class WayLost:
    """What one way loses in expectation, in units of the score f_V, for each number of evaluations.

    A loss is None where the way is not set up. ``score``: whether a noisy score of the setting comes with it, for the
    same ε in all.
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
        followed, rng = min(count, LONGEST_SEARCH), np.random.default_rng(seed)
        search = optimise(
            task.points, task.objective, kernel=task.kernel, sigma=0.1, iterations=followed, delta=1e-3, rng=rng
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
