"""The cost of privacy in the release of a tuned setting.

The mechanisms are Algorithms 1 to 3 of DP-BO, private selection, and the best of a random number of tries. `ways_lost`
compares ways to publish a setting at the same ε and after the same number of evaluations.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Literal, TypedDict, Unpack

import numpy as np

from privbo_core.data import TuningTask
from privbo_core.errors import Array, whole
from privbo_core.privacy import Guarantee
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
"""What the team publishes. With "both", the cost is that of the setting."""


class Assumed(TypedDict, total=False):
    """The assumptions of Algorithms 1 and 2: k₁, the constants A and τ for exact observations, and the paper."""

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
    """Return the question for one task, with the loss of the published setting or score in units of the score f_V.

    ε is the total for everything that is published, as the guarantees compose it. A setting and its score together cost
    twice the ε of each. The score of private selection is published with its setting, so it costs twice its ε too. δ is
    that of each release of Algorithms 1 and 2.

    The cost of a run is an *exact* mean over the random draw of the release. For a setting it is the mean of max f_V −
    f_V(λ̃), and for a score that of |published − max f_V|. Runs of Algorithm 1 differ in the observation noise of the
    search, and runs of private selection in the candidates. Algorithms 2 and 3 are the same in every run.

    ``assumed`` may have ``k1`` (0.99), ``A`` (1), ``tau`` (0.1) and ``variant`` ("icml"), as in `noisy` and
    `noise_free`. Mechanisms that do not apply to the task, or do not publish this, are left out. Each run costs O(nT²)
    once.
    """
    known: Assumed = {"k1": 0.99, "A": 1.0, "tau": 0.1, "variant": "icml", **assumed}
    rows = min(iterations, task.n)
    search = _searcher(task, rows, delta, seed)
    plans = _plans(task, search, sigma, rows, seed, known)
    if published != "score":
        plans.pop("Algorithm 3", None)
    curves = tuple(_curve(task, published, name, plan) for name, plan in plans.items())
    best = float(task.scores.max())

    def plain_cost(run: int) -> float:
        return best - float(task.scores[int(search(sigma, run).mean.argmax())])

    blind = _constant_reference("blind draw", best - float(task.scores.mean()))
    plain = Reference("non-private", partial(_costs_so_far, plain_cost))
    return Question(curves, plain, () if published == "score" else (blind,))


PlanOf = Callable[[int], Plan]
"""A function from the number of a run to its plan at ε = 1."""


def _searcher(task: TuningTask, rows: int, delta: float, seed: int) -> Callable[[float, int], Search]:
    """Return a function from the observation noise and the number of a run to its search, which is computed once."""

    @cache
    def search(noise: float, run: int) -> Search:
        rng = np.random.default_rng([seed, run])
        return optimise(
            task.points, task.objective, kernel=task.kernel, sigma=noise, iterations=rows, delta=delta, rng=rng
        )

    return search


def _plans(
    task: TuningTask, search: Callable[[float, int], Search], sigma: float, rows: int, seed: int, known: Assumed
) -> dict[str, PlanOf]:
    """Return how each mechanism that applies to the task makes its plan."""

    def algorithm_1(run: int) -> Plan:
        return noisy(search(sigma, run), epsilon=1.0, k1=known["k1"], variant=known["variant"])

    def algorithm_2(run: int) -> Plan:
        return noise_free(search(0.0, 0), epsilon=1.0, **known)

    def algorithm_3(run: int) -> Plan:
        assert task.loss is not None
        assert task.records is not None
        return lipschitz(task.scores[search(0.0, 0).rows], loss=task.loss, records=task.records, epsilon=1.0)

    @cache
    def private_selection(run: int) -> Plan:
        return _offered(task, max(2, rows), [seed, run], "permute-and-flip", 1.0)

    plans: dict[str, PlanOf] = {"Algorithm 1": algorithm_1, "Algorithm 2": algorithm_2}
    if task.loss is not None and task.records is not None:
        plans["Algorithm 3"] = algorithm_3
    if task.records is not None:
        plans["private selection"] = private_selection
    return plans


def _curve(task: TuningTask, published: Published, name: str, plan: PlanOf) -> Curve:
    """Return the costs of a mechanism over the total ε of everything that is published."""
    example = plan(0)
    pieces = 2 if published == "both" or (published == "score" and isinstance(example, Selection)) else 1
    stated = example.guarantee() if isinstance(example, Lipschitz) else example.guarantee(pieces)
    # Each piece of the example has ε = 1, so the total is how many times ε is spent.
    times_spent = stated.epsilon

    def cost(epsilon: float, run: int) -> float:
        plan_at = plan(run).at(epsilon / times_spent)
        return expected_score_error(task, plan_at) if published == "score" else expected_loss(task, plan_at)

    def costs(epsilon: float, runs: int) -> Iterator[Array]:
        return _costs_so_far(partial(cost, epsilon), runs)

    return Curve(name, stated.status, costs, standing=stated.standing())


def _costs_so_far(cost: Callable[[int], float], runs: int) -> Iterator[Array]:
    """Yield the costs of all runs so far, after each run."""
    known: list[float] = []
    for run in range(runs):
        known.append(cost(run))
        yield np.array(known)


def _constant_reference(name: str, loss: float) -> Reference:
    """Return a reference with the same loss in every run."""
    return Reference(name, lambda runs: iter([np.full(runs, loss)]))


def expected_loss(task: TuningTask, plan: Plan) -> float:
    """Return max f_V − E f_V(λ̃), the score lost by the published configuration λ̃.

    It is an exact mean over the mechanism's own draw, in units of the score f_V.
    """
    if plan.choice is None:
        raise ValueError("This plan publishes no configuration, so there is no score that it loses.")
    offered = plan.scores if isinstance(plan, Selection) else task.scores
    return float(task.scores.max()) - float(plan.choice.probabilities @ offered)


def expected_score_error(task: TuningTask, plan: Plan) -> float:
    """Return E|published score − max f_V|, in units of the score f_V.

    It is an exact mean over the draw of the plan. For a centre that is off by d, with Laplace noise of scale b, it is
    |d| + b·exp(−|d|/b).
    """
    best = float(task.scores.max())
    if isinstance(plan, Selection):
        centres, weights, scale = plan.scores - best, plan.choice.probabilities, plan.value.scale
    elif isinstance(plan, Lipschitz):
        centres, weights, scale = np.array([plan.best - best]), np.ones(1), plan.value.scale
    else:
        centres, weights = np.array([float(task.score(plan.best)) - best]), np.ones(1)
        scale = plan.value.scale * task.unit
    if not math.isfinite(scale):
        return math.inf
    off = np.abs(centres)
    return float(weights @ (off + scale * np.exp(-off / scale)))


MAX_SEARCH_EVALUATIONS = 200
"""The longest search of Algorithm 1 in `ways_lost`, because its time grows with the square of the evaluations."""
SEARCHES = 20
"""The number of searches over which `ways_lost` averages the loss of Algorithm 1."""
CANDIDATE_SETS = 100
"""The number of random sets of candidates over which `ways_lost` averages the loss of private selection."""


@dataclass(frozen=True)
class WayLost:
    """The expected loss of one way to publish a setting, in units of the score f_V, by number of evaluations.

    ``losses`` has a number for each number of evaluations, or None where the way was not computed. ``score`` is true if
    a noisy score is published with the setting, within the same total ε.
    """

    name: str
    score: bool
    guarantee: Guarantee
    losses: tuple[float | None, ...]


def ways_lost(
    task: TuningTask, epsilon: float, evaluations: Sequence[int], *, delta: float = 1e-5, seed: int = 0
) -> tuple[WayLost, ...]:
    """Compare the expected losses of Algorithm 1 of DP-BO, private selection and the best of random tries at one ε.

    Private selection is by the exponential mechanism or by permute-and-flip. For each number of evaluations it has that
    many random candidates, and its loss is averaged over `CANDIDATE_SETS` such sets. The expected number of tries is
    the number of evaluations, and their guarantee holds at ``delta``. Each loss is an exact mean over the random draw
    of the way, and that of Algorithm 1 is averaged over `SEARCHES` searches. Raises ValueError if the number of records
    m is unknown.
    """
    if task.records is None:
        raise ValueError(
            "records is None, but private selection and tries need m, the number of records behind each score."
        )
    counts = tuple(min(whole("evaluations", count, least=2), task.n) for count in evaluations)
    selected = partial(_selected, task, counts, seed)
    ways = [_published(task, epsilon, counts, seed)]
    ways += [selected(way, epsilon, score=False) for way in ("exponential", "permute-and-flip")]
    ways.append(selected("permute-and-flip", epsilon, score=True))
    tries: tuple[tuple[str, type[Tries]], ...] = (("η = 1", TruncatedNegativeBinomial), ("Poisson", PoissonTries))
    for name, kind in tries:
        plans = [_tried(task, kind, count, epsilon, delta) for count in counts]
        losses = tuple(plan.expected_loss for plan in plans)
        ways.append(WayLost(f"best of tries, {name}", True, plans[0].guarantee(), losses))
    return tuple(ways)


def _published(task: TuningTask, epsilon: float, counts: Sequence[int], seed: int) -> WayLost:
    """Return the losses of Algorithm 1, averaged over searches, and None for searches that are too long."""
    losses: list[float | None] = []
    for count in counts:
        long = count > MAX_SEARCH_EVALUATIONS
        found = []
        for run in range(1 if long else SEARCHES):
            search = optimise(
                task.points,
                task.objective,
                kernel=task.kernel,
                sigma=0.1,
                iterations=min(count, MAX_SEARCH_EVALUATIONS),
                delta=1e-3,
                rng=np.random.default_rng([seed, run]),
            )
            plan = noisy(search, epsilon=epsilon, k1=0.99)
            found.append(float(plan.choice.probabilities @ (task.scores.max() - task.scores)))
        losses.append(None if long else float(np.mean(found)))
    return WayLost("Algorithm 1 of DP-BO", False, plan.guarantee(1), tuple(losses))


def _selected(task: TuningTask, counts: Sequence[int], seed: int, way: Way, epsilon: float, *, score: bool) -> WayLost:
    """Return the losses of private selection, averaged over random sets of candidates."""
    pieces = 2 if score else 1
    losses: list[float | None] = []
    for count in counts:
        # There is only one set of all settings.
        sets = 1 if count == task.n else CANDIDATE_SETS
        plans = [_offered(task, count, [seed, run], way, epsilon / pieces) for run in range(sets)]
        losses.append(float(np.mean([task.scores.max() - plan.choice.probabilities @ plan.scores for plan in plans])))
    names: dict[Way, str] = {"exponential": "exponential mechanism", "permute-and-flip": "permute-and-flip"}
    return WayLost(names[way], score, plans[0].guarantee(pieces), tuple(losses))


def _offered(task: TuningTask, count: int, seed: Sequence[int], way: Way, epsilon: float) -> Selection:
    """Return private selection among ``count`` random candidates."""
    assert task.records is not None
    rows = random_rows(task.n, count, np.random.default_rng(seed)).tolist()
    return selection(
        task.scores, records=task.records, epsilon=epsilon, rows=rows, largest_loss=task.largest_loss, way=way
    )


def _tried(task: TuningTask, kind: type[Tries], count: int, epsilon: float, delta: float) -> BestOfTries:
    """Return the best of a random number of tries with mean ``count``."""
    assert task.records is not None
    tries = PoissonTries(float(count)) if kind is PoissonTries else TruncatedNegativeBinomial.of_mean(1.0, count)
    return best_of_tries(
        task.scores, records=task.records, epsilon=epsilon, tries=tries, delta=delta, largest_loss=task.largest_loss
    )
