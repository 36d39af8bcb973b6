"""Studies of outsourced search on a sample or an own table: regret with and without privacy, and audits."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np
from threadpoolctl import threadpool_limits

from privbo_core.bo import Search
from privbo_core.data import Problem, clean, finish, fitting, load_table, read_frame, sample
from privbo_core.data.samples import SAMPLES, SEARCHES
from privbo_core.errors import DataError
from privbo_core.experiments.model import Arm, Experiment, Value
from privbo_core.experiments.studies.keys import Keys
from privbo_core.experiments.studies.tasks import setting_of
from privbo_core.gp import Fit
from privbo_core.outsourced import Policy, Simulation

MECHANISMS: Mapping[str, Policy] = {
    "projection": "private",
    "noisy inputs": "noisy",
    "each record alone": "local",
    "none": "plain",
    "random": "random",
}
"""Who searches, in the words of a study's file. "none": without privacy. "random": by chance."""
PRIVATE = ("projection", "noisy inputs", "each record alone")
SAME_MODEL = "none, same model"
MEASURES = {
    "best found": ("last", "simple regret after the last evaluation, in σ_y"),
    "summed up": ("cumulative", "regret summed over all evaluations, in σ_y"),
    "rank": ("rank", "rank of the best row found"),
}
DIGITS = 4
"""Significant digits of a table's fitted length-scales and variances: more would differ from one machine to another."""
MOST_ROWS = 200_000


@dataclass(frozen=True)
class Comparing:
    """What such a study's file says: its sections [problem], [search] and [privacy], the seed and its folder."""

    sections: tuple[Keys, Keys, Keys]
    seed: int
    folder: Path
    paper: str

    def problem(self) -> tuple[Problem, str, Problem | None]:
        """Return the problem, what stands for it in a key, and the problem again if it has to be carried along."""
        keys = self.sections[0]
        if keys.has("sample"):
            name = keys.choice("sample", list(SAMPLES))
            return sample(name), name, None
        found = _from_table(keys, self.folder)
        return found, f"table {content(found)}", found


def searched_arms(comparing: Comparing, *, curves: bool) -> Experiment:
    """Return the study of what each mechanism finds, at each ε."""
    _, search, privacy = comparing.sections
    problem, data, carried = comparing.problem()
    measure, measure_name = MEASURES[search.choice("measure", list(MEASURES), "best found")]
    shared = _shared(comparing, data, problem) | {"curve": curves}
    mechanisms = privacy.names("mechanisms", list(MECHANISMS), ["none", "noisy inputs", "random"])
    epsilons = privacy.numbers("epsilon") if any(each in PRIVATE for each in mechanisms) else [1.0]
    setting_of(shared | {"epsilon": epsilons[0]})  # says what is wrong with any of them
    if int(shared["iterations"]) > problem.n:
        raise DataError(f"'iterations' in [search] is {shared['iterations']}; the table has {problem.n} rows.")
    arms = [_arm("none", "plain", shared)]
    simulation = Simulation(problem, seed=comparing.seed)
    same = simulation.reference("noisy") == "noiseless" and {"noisy inputs", "each record alone"} & set(mechanisms)
    if same:
        arms.append(_arm(SAME_MODEL, "noiseless", shared))
    if "random" in mechanisms:
        arms.append(_arm("random", "random", shared))
    against = {}
    for mechanism in (each for each in mechanisms if each in PRIVATE):
        for epsilon in epsilons:
            name = f"{mechanism}, ε = {epsilon:g}"
            arms.append(_arm(name, MECHANISMS[mechanism], shared | {"epsilon": epsilon}))
            against[name] = SAME_MODEL if same and mechanism != "projection" else "none"
    return _experiment(comparing, problem, arms, carried, measure=measure, measure_name=measure_name, against=against,
                       curves=tuple(arm.name for arm in arms) if curves else ())  # fmt: skip


def audited_arms(comparing: Comparing) -> Experiment:
    """Return the study of what trials show about the ε of each mechanism, at each ε that it claims."""
    privacy = comparing.sections[2]
    problem, data, carried = comparing.problem()
    shared = _shared(comparing, data, problem)
    mechanisms = privacy.names("mechanisms", PRIVATE[:2], PRIVATE[:2])
    arms = []
    for epsilon in privacy.numbers("epsilon"):
        setting_of(shared | {"epsilon": epsilon})
        for mechanism in mechanisms:
            settings = {key: shared[key] for key in ("data", "delta", "r", "seed")} | {"epsilon": epsilon}
            arms.append(Arm(f"{mechanism}, ε = {epsilon:g}", "trial", settings | {"policy": MECHANISMS[mechanism]}))
    return _experiment(comparing, problem, arms, carried, measure="here", measure_name="ε that the trials show")


def content(problem: Problem) -> str:
    """Return sixteen characters that change whenever anything about a problem does that a search could notice."""
    frame, kernel = problem.frame, problem.kernel
    known = repr((problem.names, problem.maximize, kernel, problem.noise_variance, frame.public))
    digest = hashlib.sha256(known.encode())
    for array in (problem.points, problem.objective, problem.original, frame.bounds, frame.hide):
        digest.update(np.ascontiguousarray(array, dtype=float).tobytes())
    return digest.hexdigest()[:16]


def _shared(comparing: Comparing, data: str, problem: Problem) -> dict[str, Value]:
    _, search, privacy = comparing.sections
    return {
        "data": data,
        "seed": comparing.seed,
        "delta": privacy.number("delta", 1e-5, high=0.5),
        "r": privacy.whole("r", 10, high=1000),
        "distance": privacy.number("protected_distance", 1.0),
        "iterations": search.whole("iterations", min(50, problem.n), high=2000),
        "initial": search.whole("initial", 5, low=0, high=1000),
        "search": search.choice("rule", get_args(Search), SEARCHES.get(data, "ucb")),
        "once": search.flag("once", False),
        "epsilon": 1.0,
    }


def _arm(name: str, policy: Policy, settings: Mapping[str, Value]) -> Arm:
    return Arm(name, "search", dict(settings) | {"policy": policy})


def _experiment(
    comparing: Comparing, problem: Problem, arms: list[Arm], carried: Problem | None, **more: object
) -> Experiment:
    # An own table's title is its columns: what leaves with the results is no more than that.
    frame = "public frame" if problem.frame.public else "frame read off the data"
    return Experiment(
        name="study",
        title="study",
        paper=comparing.paper,
        about=f"{problem.title}, {problem.n:,} rows, {problem.d} inputs, {frame}.",
        arms=tuple(arms),
        x_name="evaluations",
        x_key="epsilon",
        problem=carried,
        **more,  # type: ignore[arg-type]
    )


def _from_table(keys: Keys, folder: Path) -> Problem:
    path = folder / keys.text("table")
    table = load_table(path)
    if len(table) > MOST_ROWS:
        raise DataError(f"'table' in [problem] has {len(table):,} rows; a study takes up to {MOST_ROWS:,}.")
    inputs, outcome = keys.names("inputs"), keys.text("outcome")
    maximize = keys.choice("direction", ("maximise", "minimise"), "maximise") == "maximise"
    cleaned = clean(table, inputs, outcome, maximize=maximize, log_output=keys.flag("log", False))
    frame = read_frame(folder / keys.text("frame")).chosen(cleaned.names) if keys.has("frame") else None
    with threadpool_limits(1, user_api="blas"):
        *_, last = fitting(cleaned)
    return finish(cleaned, _rounded(last.best), frame=frame)


def _rounded(fit: Fit) -> Fit:
    def short(value: float) -> float:
        return float(f"{value:.{DIGITS}g}")

    kernel = type(fit.kernel)(short(fit.kernel.lengthscale), short(fit.kernel.variance))
    return Fit(kernel, short(fit.noise_variance), np.array([short(each) for each in fit.lengthscales.tolist()]))
