"""`python -m tests.benchmarks.choosing`: what each way to publish a tuned setting loses.

That is max f_V − f_V(published), in units of the score.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from tqdm import tqdm

from privbo_core.data import TASKS, TuningTask, tuning_task
from privbo_core.errors import Array
from privbo_core.privacy import Exponential, PermuteAndFlip
from privbo_core.privacy.tries import PoissonTries, Tries, TruncatedNegativeBinomial, noise_for_tries
from privbo_core.release import noisy, optimise
from tests.benchmarks import training
from tests.benchmarks.keeping import keep_results, mean_and_error, parser
from tests.benchmarks.ways import DELTA, EPSILONS, GEOMETRIC, LOGARITHMIC, POISSON

EVALUATIONS = (10, 50, 400)
ALGORITHM_1 = "Algorithm 1 of DP-BO"
EXPONENTIAL, FLIP = "exponential mechanism", "permute-and-flip"
PURE = "best of tries, η = 0, pure ε"
BLIND = "blind draw"
Way = Callable[[int], float]
Choice = type[Exponential] | type[PermuteAndFlip]


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
    return Lost(name, way, epsilon, delta, evaluations, runs, *mean_and_error([loss(run) for run in range(runs)]))


def _searched(task: TuningTask, iterations: int, run: int) -> Callable[[float], Array]:
    rng = np.random.default_rng([0, run])
    how = {"kernel": task.kernel, "sigma": 0.1, "iterations": iterations, "delta": 1e-3}
    plan = noisy(optimise(task.points, task.objective, **how, rng=rng), epsilon=1.0, k1=0.99)
    return lambda epsilon: plan.at(epsilon).choice.probabilities


def _published(task: TuningTask, searched: dict[int, Callable[[float], Array]], epsilon: float) -> Way:
    return lambda run: float(task.scores.max() - searched[run](epsilon) @ task.scores)


def _chosen(task: TuningTask, kind: Choice, evaluations: int, sensitivity: float, epsilon: float) -> Way:
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
    heads = " | ".join(f"ε = {epsilon:g}" for epsilon in EPSILONS)
    lines = [f"| way | evaluations | {heads} |", "|---|---|---|---|---|"]
    here = [each for each in results if each.task == task]
    for way, evaluations in dict.fromkeys((each.way, each.evaluations) for each in here if each.way != BLIND):
        same = [each for each in here if (each.way, each.evaluations) == (way, evaluations)]
        cells = [f"{each.mean:.4f} ± {each.standard_error:.4f}" for each in same]
        lines.append(f"| {way} | {evaluations} | {' | '.join(cells)} |")
    blind = next(each for each in here if each.way == BLIND)
    return "\n".join([*lines, f"| {BLIND} | – | {' | '.join([f'{blind.mean:.4f}'] * len(EPSILONS))} |"]) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    read = parser("choosing", __doc__)
    read.add_argument("--runs", type=int, default=200, metavar="N", help="runs of each way (200)")
    options = read.parse_args(arguments)
    if options.runs < 2:
        sys.stderr.write(f"runs is {options.runs}; a standard error needs at least 2.\n")
        return 2
    results: list[Lost] = []
    for name in TASKS:
        results += tqdm(lost(name, tuning_task(name), options.runs), desc=name, disable=None, leave=False)
        sys.stdout.write(f"{name}\n\n{table(results, name)}\n")
    found = list(tqdm(training.reached(options.runs), desc="private training", disable=None, leave=False))
    sys.stdout.write(f"private training\n\n{training.table(found)}")
    kept = {"results": list(map(asdict, results)), "trained": list(map(asdict, found))}
    keep_results(options, f"choosing --runs {options.runs}", **kept)
    return 0


if __name__ == "__main__":
    sys.exit(main())
