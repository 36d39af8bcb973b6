"""What each way to publish a tuned setting loses: max f_V − f_V(published), in units of the score."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from privbo_core.data import TuningTask
from privbo_core.errors import Array
from privbo_core.privacy import Exponential, PermuteAndFlip
from privbo_core.privacy.tries import PoissonTries, Tries, TruncatedNegativeBinomial, noise_for_tries
from privbo_core.release import noisy, optimise

EPSILONS = (0.3, 1.0, 3.0)
EVALUATIONS = (10, 50, 400)
DELTA = 1e-5
ALGORITHM_1 = "Algorithm 1 of DP-BO"
EXPONENTIAL, FLIP = "exponential mechanism", "permute-and-flip"
GEOMETRIC, LOGARITHMIC, POISSON = "best of tries, η = 1", "best of tries, η = 0", "best of tries, Poisson"
PURE = "best of tries, η = 0, pure ε"
BLIND = "blind draw"
Way = Callable[[int], float]


@dataclass(frozen=True)
class Lost:
    """What one way loses at one ε with so many ``evaluations`` (tries: in expectation), over runs that differ in dice.

    ``delta`` is 0 where the promise is pure. Of the tries the score is published too, at the same ε; of the others the
    setting alone.
    """

    task: str
    way: str
    epsilon: float
    delta: float
    evaluations: int
    runs: int
    mean: float
    standard_error: float


def lost(name: str, task: TuningTask, runs: int) -> Iterator[Lost]:
    """Yield what each way loses on a task, as it is computed."""
    assert task.records is not None
    sensitivity = task.largest_loss / task.records
    for evaluations in EVALUATIONS:
        searched = {} if evaluations > 50 else {run: _searched(task, evaluations, run) for run in range(runs)}
        for epsilon in EPSILONS:
            if searched:
                yield _summary(name, ALGORITHM_1, epsilon, 1e-3, evaluations, runs, _published(task, searched, epsilon))
            for way, kind in ((EXPONENTIAL, Exponential), (FLIP, PermuteAndFlip)):
                chosen = _chosen(task, kind, evaluations, sensitivity, epsilon)
                yield _summary(name, way, epsilon, 0.0, evaluations, runs, chosen)
            for way, tries in _tries(evaluations).items():
                noise = sensitivity * noise_for_tries(tries, epsilon, DELTA)
                yield _summary(name, way, epsilon, DELTA, evaluations, runs, _best(task, tries, noise, laplace=False))
            pure = TruncatedNegativeBinomial.of_mean(0.0, evaluations)
            scale = sensitivity * pure.pure(1.0) / epsilon
            yield _summary(name, PURE, epsilon, 0.0, evaluations, runs, _best(task, pure, scale, laplace=True))
    yield Lost(name, BLIND, 0.0, 0.0, 1, runs, float(task.scores.max() - task.scores.mean()), 0.0)


def _tries(mean: int) -> dict[str, Tries]:
    return {
        GEOMETRIC: TruncatedNegativeBinomial.of_mean(1.0, mean),
        LOGARITHMIC: TruncatedNegativeBinomial.of_mean(0.0, mean),
        POISSON: PoissonTries(float(mean)),
    }


def _summary(name: str, way: str, epsilon: float, delta: float, evaluations: int, runs: int, loss: Way) -> Lost:
    losses = np.array([loss(run) for run in range(runs)])
    error = float(losses.std(ddof=1) / math.sqrt(runs))
    return Lost(name, way, epsilon, delta, evaluations, runs, float(losses.mean()), error)


def _searched(task: TuningTask, iterations: int, run: int) -> Callable[[float], Array]:
    rng = np.random.default_rng([0, run])
    search = optimise(
        task.points, task.objective, kernel=task.kernel, sigma=0.1, iterations=iterations, delta=1e-3, rng=rng
    )
    plan = noisy(search, epsilon=1.0, k1=0.99)
    return lambda epsilon: plan.at(epsilon).choice.probabilities


def _published(task: TuningTask, searched: dict[int, Callable[[float], Array]], epsilon: float) -> Way:
    return lambda run: float(task.scores.max() - searched[run](epsilon) @ task.scores)


def _chosen(
    task: TuningTask,
    kind: type[Exponential] | type[PermuteAndFlip],
    evaluations: int,
    sensitivity: float,
    epsilon: float,
) -> Way:
    def loss(run: int) -> float:
        rows = np.random.default_rng([1, run]).choice(task.n, evaluations, replace=False)
        choice = kind(task.scores[rows], sensitivity, epsilon)
        return float(task.scores.max() - choice.probabilities @ task.scores[rows])

    return loss


def _best(task: TuningTask, tries: Tries, scale: float, *, laplace: bool) -> Way:
    def loss(run: int) -> float:
        rng = np.random.default_rng([2, run])
        (count,) = tries.draw(1, rng)
        if not count:  # nothing is published, and one draws blindly
            return float(task.scores.max() - task.scores.mean())
        rows = rng.integers(task.n, size=count)
        noise = rng.laplace(size=count) if laplace else rng.standard_normal(count)
        return float(task.scores.max() - task.scores[rows[np.argmax(task.scores[rows] + scale * noise)]])

    return loss


def table(results: list[Lost], task: str) -> str:
    """Return one task's results as Markdown: a line for each way and number of evaluations, a column for each ε."""
    lines = [
        f"| way | evaluations | {' | '.join(f'ε = {epsilon:g}' for epsilon in EPSILONS)} |",
        "|---|---|---|---|---|",
    ]
    here = [each for each in results if each.task == task]
    for way, evaluations in dict.fromkeys((each.way, each.evaluations) for each in here if each.way != BLIND):
        cells = [
            f"{each.mean:.4f} ± {each.standard_error:.4f}"
            for each in here
            if (each.way, each.evaluations) == (way, evaluations)
        ]
        lines.append(f"| {way} | {evaluations} | {' | '.join(cells)} |")
    blind = next(each for each in here if each.way == BLIND)
    return "\n".join([*lines, f"| {BLIND} | – | {' | '.join([f'{blind.mean:.4f}'] * len(EPSILONS))} |"]) + "\n"
