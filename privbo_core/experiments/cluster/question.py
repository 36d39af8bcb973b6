"""A question of Trade-off whose runs are shared out over a cluster: what makes it travels, and costs come back."""

import pickle
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import takewhile
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from privbo_core import federated
from privbo_core.data import Problem, TuningTask, sample, tuning_task
from privbo_core.data.samples import SAMPLES
from privbo_core.errors import Array
from privbo_core.experiments.cluster.executor import OtherEngineError
from privbo_core.experiments.runner import TICK
from privbo_core.outsourced import Setting, Simulation
from privbo_core.tradeoff import Question, federated_question, outsourced_question, released_question
from privbo_core.tradeoff.curve import Curve, Reference

Costs = dict[tuple[str, float, int], float]
"""What has come back: the cost of a run, by the mechanism's name, ε (0 for what has none) and the run's number."""
Agents = federated.FederatedProblem | str | tuple[int, float, float]
"""Whose objectives: an own table's; "schools" or "grades"; or how many agents, their length-scale and heterogeneity."""


@dataclass(frozen=True)
class Recipe:
    """What makes a question on any machine: a function of the engine, and plain values.

    ``own``: somebody's own data are among them.
    """

    make: Callable[..., Question]
    arguments: tuple[Any, ...]
    options: tuple[tuple[str, Any], ...] = ()
    own: bool = False

    def question(self) -> Question:
        return self.make(*self.arguments, **dict(self.options))

    def packed(self) -> bytes:
        """Return the recipe as it travels: the same bytes for the same question."""
        return pickle.dumps(self)


def outsourced_recipe(simulation: Simulation, setting: Setting, **options: object) -> Recipe:
    """Return what makes `outsourced_question`: of a sample, its name; of anything else, the rows themselves."""
    problem = simulation.problem
    kind, _, rest = (problem.identity or "").partition("/")
    name = rest if kind == "sample" else kind
    known = name in SAMPLES and sample(name).identity == problem.identity
    which = (name if known else problem, simulation.seed, simulation.functions)
    # The setting's own ε plays no part, and must not tell two questions apart.
    return Recipe(
        _outsourced, (*which, replace(setting, epsilon=1.0)), tuple(options.items()), own=problem.identity is None
    )


def released_recipe(task: TuningTask, **options: object) -> Recipe:
    kind, _, name = (task.identity or "").partition("/")
    which = name if kind == "tuning" else task
    return Recipe(_released, (which,), tuple(options.items()), own=task.identity is None)


def federated_recipe(agents: Agents, settings: federated.Settings, count: int, **options: object) -> Recipe:
    """Return what makes `federated_question` for the first ``count`` of the agents."""
    own = isinstance(agents, federated.FederatedProblem)
    return Recipe(_federated, (agents, settings, count), tuple(options.items()), own=own)


def _outsourced(which: Problem | str, seed: int, functions: bool, setting: Setting, **options: Any) -> Question:  # noqa: ANN401
    problem = sample(which) if isinstance(which, str) else which
    return outsourced_question(Simulation(problem, seed, functions=functions), setting, **options)


def _released(which: TuningTask | str, **options: Any) -> Question:  # noqa: ANN401 - the question's own
    return released_question(tuning_task(which) if isinstance(which, str) else which, **options)


def _federated(which: Agents, settings: federated.Settings, count: int, **options: Any) -> Question:  # noqa: ANN401
    return federated_question(federated.Simulation(partial(_drawn, which)), settings, count, **options)


def _drawn(which: Agents, run: int) -> federated.FederatedProblem:
    if isinstance(which, federated.FederatedProblem):
        return which
    if isinstance(which, str):
        return federated.schools() if which == "schools" else federated.grades()
    agents, lengthscale, heterogeneity = which
    return federated.synthetic(agents=agents, lengthscale=lengthscale, heterogeneity=heterogeneity, seed=run)


def shared_out(
    question: Question, packed: bytes, executor: Executor, known: Costs, lost: Callable[[BaseException], None]
) -> Question:
    """Return the same question, with its runs computed by an executor and kept in ``known``.

    ``packed``: what makes it (`Recipe.packed`). Its costs are the same to the bit where workers round as this
    machine does. If the executor is lost, ``lost`` is told once, and the costs of that call and of all later ones are
    computed here.
    """
    gone: list[BaseException] = []

    def costs(name: str, epsilon: float, runs: int, here: Callable[[], Iterator[Array]]) -> Iterator[Array]:
        if not gone:
            try:
                yield from _costs(packed, (name, epsilon), runs, executor, known)
                return
            except (BrokenExecutor, OtherEngineError) as problem:
                gone.append(problem)
                lost(problem)
        yield from here()

    def curve(here: Curve) -> Curve:
        return replace(here, costs=lambda at, runs: costs(here.name, at, runs, lambda: here.costs(at, runs)))

    def reference(here: Reference) -> Reference:
        return replace(here, costs=lambda runs: costs(here.name, 0.0, runs, lambda: here.costs(runs)))

    return Question(
        tuple(map(curve, question.curves)), reference(question.plain), tuple(map(reference, question.others))
    )


def _costs(
    packed: bytes, which: tuple[str, float], runs: int, executor: Executor, known: Costs
) -> Generator[Array, None, None]:
    """Yield the costs of the first runs, as far as there are all of them; closing it cancels what has not begun."""
    pending: dict[Future[float], int] = {}
    try:
        for run in range(runs):
            if (*which, run) not in known:
                pending[executor.submit(cost_of, packed, *which, run)] = run
        while pending:
            finished, _ = wait(pending, timeout=TICK, return_when=FIRST_COMPLETED)
            for future in finished:
                known[(*which, pending.pop(future))] = future.result()
            yield _first(known, which, runs)
        yield _first(known, which, runs)
    finally:
        for future in pending:
            future.cancel()


def _first(known: Costs, which: tuple[str, float], runs: int) -> Array:
    there = takewhile(known.__contains__, ((*which, run) for run in range(runs)))
    return np.array([known[key] for key in there])


def cost_of(packed: bytes, name: str, epsilon: float, run: int) -> float:
    """Return the cost of one run of a mechanism at an ε, or of a reference. What a worker is asked for."""
    threadpool_limits(limits=1, user_api="blas")
    question = _made(packed)
    every: tuple[Curve | Reference, ...] = (*question.curves, question.plain, *question.others)
    for each in every:
        if each.name == name and each.alone is not None:
            return each.alone(epsilon, run) if isinstance(each, Curve) else each.alone(run)
    raise ValueError(f"name is {name!r}; the question has no such mechanism.")


@lru_cache(maxsize=2)
def _made(packed: bytes) -> Question:
    recipe: Recipe = pickle.loads(packed)
    return recipe.question()
