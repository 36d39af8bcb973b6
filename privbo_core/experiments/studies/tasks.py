"""What computes a study's pieces: a task is prepared once for a piece, then asked for each replicate."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, get_args

import numpy as np

from privbo_core.audit import column_space_attack, frame_attack, move_one
from privbo_core.audit.lower_bound import Audited
from privbo_core.data import Problem, sample, tuning_task
from privbo_core.experiments.model import Measured, Value
from privbo_core.outsourced import Policy, Setting, Simulation, curate
from privbo_core.tradeoff import Curve, released_question

Settings = Mapping[str, Value]
Replicate = Callable[[int], Measured]


def problem_of(settings: Settings, problem: Problem | None) -> Problem:
    """Return the problem of a study: the own table's that the piece carries, or a sample."""
    return sample(str(settings["data"])) if problem is None else problem


def setting_of(settings: Settings) -> Setting:
    rule: Any = settings["search"]  # one of the words of a literal, which the setting checks
    return Setting(
        float(settings["epsilon"]),
        float(settings["delta"]),
        int(settings["r"]),
        int(settings["iterations"]),
        initial=int(settings["initial"]),
        protected_distance=float(settings["distance"]),
        search=rule,
        once=bool(settings["once"]),
    )


def search(settings: Settings, problem: Problem | None) -> Replicate:
    """Runs of one policy: simple and summed regret in σ_y and the rank at the end; the curve if asked."""
    simulation = Simulation(problem_of(settings, problem), seed=int(settings["seed"]))
    setting, policy = setting_of(settings), next(each for each in get_args(Policy) if each == settings["policy"])
    sigma_y = simulation.problem.sigma_y

    def replicate(run: int) -> Measured:
        trace = simulation.run(policy, setting, run)
        simple = trace.simple_regret / sigma_y
        measures = {"last": simple[-1], "cumulative": trace.cumulative_regret[-1] / sigma_y, "rank": trace.rank[-1]}
        return Measured({name: float(value) for name, value in measures.items()}, simple if settings["curve"] else None)

    return replicate


def release(settings: Settings, problem: Problem | None) -> Replicate:
    """What one mechanism's published setting or score loses, in the score's units: the exact mean over its own draw."""
    question = _released(tuple(sorted((name, value) for name, value in settings.items() if name in RELEASED)))
    every = (*question.curves, question.plain, *question.others)
    mechanism: Any = next(each for each in every if each.name == settings["mechanism"])
    at = (float(settings["epsilon"]),) if isinstance(mechanism, Curve) else ()
    return lambda run: Measured({"last": mechanism.alone(*at, run)})


RELEASED = ("data", "published", "iterations", "sigma", "delta", "k1", "seed")
"""The settings that a question of releases depends on."""


@cache
def _released(settings: tuple[tuple[str, Value], ...]) -> Any:  # noqa: ANN401 - a question, whose parts are asked for
    known: dict[str, Any] = dict(settings)
    task = tuning_task(str(known.pop("data")))
    return released_question(task, **known)


def trial(settings: Settings, problem: Problem | None) -> Replicate:
    """One trial of the best known attack on each of two neighbouring datasets: ``here`` and ``there``.

    For the projection, the residual of the column-space test; for noisy inputs, the likelihood ratio.
    """
    attack, here, there = _attack(settings, problem_of(settings, problem))
    seed = int(settings["seed"])

    def replicate(run: int) -> Measured:
        dice = [np.random.default_rng([seed, run, which]) for which in (0, 1)]
        one, other = (float(attack(data, 1, rng)[0]) for data, rng in zip((here, there), dice, strict=True))
        return Measured({"here": one, "there": other})

    return replicate


def _attack(settings: Settings, problem: Problem) -> tuple[Audited, Any, Any]:
    epsilon, delta, r = float(settings["epsilon"]), float(settings["delta"]), int(settings["r"])
    if settings["policy"] == "private":
        neighbour, _, _ = move_one(problem.points, np.random.default_rng([int(settings["seed"])]))
        attack = column_space_attack(lambda points, rng: curate(points, epsilon, delta, r, rng), problem.points)
        return attack, problem.points, neighbour
    return frame_attack(problem.original, problem.frame, epsilon, delta, follows=not problem.frame.public)


STUDY_TASKS: Mapping[str, Callable[[Settings, Problem | None], Replicate]] = {
    "search": search,
    "release": release,
    "trial": trial,
}
"""The tasks of studies, by name."""
