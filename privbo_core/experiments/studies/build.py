"""From a study's file to an experiment: what is compared on what, at which ε, in how many runs."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
from threadpoolctl import threadpool_limits

from privbo_core import federated
from privbo_core.bo import Search
from privbo_core.data import Problem, clean, finish, fitting, load_table, read_frame, sample, tuning_task
from privbo_core.data.samples import SAMPLES, SEARCHES
from privbo_core.data.tuning import TASKS
from privbo_core.errors import DataError
from privbo_core.experiments.model import Arm, Experiment, Kind, Value
from privbo_core.experiments.papers import EXPERIMENTS
from privbo_core.experiments.studies.keys import Keys, read_toml
from privbo_core.experiments.studies.tasks import setting_of
from privbo_core.gp import Fit
from privbo_core.outsourced import Policy, Simulation
from privbo_core.privacy import Method, noise_for_rounds
from privbo_core.tradeoff import Published, released_question

SEARCH_MECHANISMS: Mapping[str, Policy] = {
    "projection": "private",
    "noisy inputs": "noisy",
    "each record alone": "local",
    "none": "plain",
    "random": "random",
}
"""Who searches, in the words of a study's file. "none": without privacy. "random": by chance."""
SEARCH_PRIVATE = ("projection", "noisy inputs", "each record alone")
SAME_MODEL = "none, same model"
MEASURES = {
    "best found": ("last", "simple regret after the last evaluation, in σ_y"),
    "summed up": ("cumulative", "regret summed over all evaluations, in σ_y"),
    "rank": ("rank", "rank of the best row found"),
}
DIGITS = 4
"""Significant digits of a table's fitted length-scales and variances: more would differ from one machine to another."""
MOST_ROWS = 200_000
Sections = tuple[Keys, Keys, Keys]
"""[problem], [search] and [privacy] of a study's file."""


def searched_arms(sections: Sections, seed: int, folder: Path, *, curves: bool) -> Experiment:
    """Return the study of what each mechanism finds, at each ε."""
    keys, search, privacy = sections
    problem, data, carried = _problem(keys, folder)
    measure, measure_name = MEASURES[search.choice("measure", list(MEASURES), "best found")]
    shared = _shared(sections, seed, data, problem) | {"curve": curves}
    mechanisms = privacy.names("mechanisms", list(SEARCH_MECHANISMS), ["none", "noisy inputs", "random"])
    epsilons = privacy.numbers("epsilon") if any(each in SEARCH_PRIVATE for each in mechanisms) else [1.0]
    setting_of(shared | {"epsilon": epsilons[0]})  # says what is wrong with any of them
    if int(shared["iterations"]) > problem.n:
        raise DataError(f"'iterations' in [search] is {shared['iterations']}; the table has {problem.n} rows.")
    arms = [_arm("none", "plain", shared)]
    simulation = Simulation(problem, seed=seed)
    same = simulation.reference("noisy") == "noiseless" and {"noisy inputs", "each record alone"} & set(mechanisms)
    if same:
        arms.append(_arm(SAME_MODEL, "noiseless", shared))
    if "random" in mechanisms:
        arms.append(_arm("random", "random", shared))
    against = {}
    for mechanism in (each for each in mechanisms if each in SEARCH_PRIVATE):
        for epsilon in epsilons:
            name = f"{mechanism}, ε = {epsilon:g}"
            arms.append(_arm(name, SEARCH_MECHANISMS[mechanism], shared | {"epsilon": epsilon}))
            against[name] = SAME_MODEL if same and mechanism != "projection" else "none"
    return _of_rows(problem, arms, carried, measure=measure, measure_name=measure_name, against=against,
                    curves=tuple(arm.name for arm in arms) if curves else ())  # fmt: skip


def audited_arms(sections: Sections, seed: int, folder: Path) -> Experiment:
    """Return the study of what trials show about the ε of each mechanism, at each ε that it claims."""
    keys, _, privacy = sections
    problem, data, carried = _problem(keys, folder)
    shared = _shared(sections, seed, data, problem)
    mechanisms = privacy.names("mechanisms", SEARCH_PRIVATE[:2], SEARCH_PRIVATE[:2])
    kept = {key: shared[key] for key in ("data", "delta", "r", "seed")}
    arms = []
    for epsilon in privacy.numbers("epsilon"):
        setting_of(shared | {"epsilon": epsilon})
        for mechanism in mechanisms:
            settings = kept | {"epsilon": epsilon, "policy": SEARCH_MECHANISMS[mechanism]}
            arms.append(Arm(f"{mechanism}, ε = {epsilon:g}", "trial", settings))
    return _of_rows(problem, arms, carried, measure="here", measure_name="ε that the trials show")


def content(problem: Problem) -> str:
    """Return sixteen characters that change whenever anything about a problem does that a search could notice."""
    frame, kernel = problem.frame, problem.kernel
    known = repr((problem.names, problem.maximize, kernel, problem.noise_variance, frame.public))
    digest = hashlib.sha256(known.encode())
    for array in (problem.points, problem.objective, problem.original, frame.bounds, frame.hide):
        digest.update(np.ascontiguousarray(array, dtype=float).tobytes())
    return digest.hexdigest()[:16]


def _problem(keys: Keys, folder: Path) -> tuple[Problem, str, Problem | None]:
    """Return the problem, what stands for it in a key, and the problem again if it has to be carried along."""
    if keys.has("sample"):
        name = keys.choice("sample", list(SAMPLES))
        return sample(name), name, None
    found = _from_table(keys, folder)
    return found, f"table {content(found)}", found


def _shared(sections: Sections, seed: int, data: str, problem: Problem) -> dict[str, Value]:
    _, search, privacy = sections
    return {
        "data": data,
        "seed": seed,
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


def _of_rows(problem: Problem, arms: list[Arm], carried: Problem | None, **more: Any) -> Experiment:  # noqa: ANN401
    # An own table's title is its columns: what leaves with the results is no more than that.
    frame = "public frame" if problem.frame.public else "frame read off the data"
    about = f"{problem.title}, {problem.n:,} rows, {problem.d} inputs, {frame}."
    return _study(about, arms, x_name="evaluations", problem=carried, **more)


def _study(about: str, arms: list[Arm], **more: Any) -> Experiment:  # noqa: ANN401 - the fields of an experiment
    """Return a study whose name, title and runs `read_study` will say."""
    return Experiment("study", "study", "A study of your own", about, tuple(arms), x_key="epsilon", **more)


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


KINDS: dict[str, Kind] = {"regret": "curves", "trade-off": "trade-off", "audit": "audit"}
"""The kinds of studies, and what their pictures are."""
MOST_ARMS = 200
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


def read_study(path: str | Path) -> Experiment:
    """Return the experiment that a study's file describes; docs/studies.md says what can stand in it.

    A table is read, and its length-scales are learned, here and once; paths in the file start at its own folder.
    Raises DataError, one sentence that names the key, for anything that is not such a study.
    """
    keys, path = read_toml(path), Path(path)
    name = keys.text("name", re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-") or "study")
    if not NAME.fullmatch(name):
        raise DataError(f"'name' is {name!r}; it may hold small letters, digits and hyphens, at most 40.")
    if name in EXPERIMENTS or name == "all":
        raise DataError(f"'name' is {name!r}, which is the name of a paper's experiment; choose another.")
    kind = keys.choice("kind", list(KINDS))
    title = keys.text("title", name)
    audit = kind == "audit"
    runs = keys.whole("runs", 1000 if audit else 30, low=10 if audit else 2, high=20_000 if audit else 2000)
    seed = keys.whole("seed", 1, low=0, high=10**9)
    problem, search, privacy = (keys.section(part) for part in ("problem", "search", "privacy"))
    keys.done()
    made = _compared(kind, (problem, search, privacy), seed, path.parent)
    for part in (problem, search, privacy):
        part.done()
    if len(made.arms) > MOST_ARMS:
        raise DataError(
            f"The study compares {len(made.arms)} settings; at most {MOST_ARMS} can be. Give fewer ε or mechanisms."
        )
    return replace(
        made, name=name, title=title, runs=runs, kind=KINDS[kind], piece=500 if audit else 5,
        unit="trials on each dataset" if audit else made.unit,
    )  # fmt: skip


def _compared(kind: str, sections: Sections, seed: int, folder: Path) -> Experiment:
    problem = sections[0]
    given = [key for key in ("sample", "table", "tuning", "agents") if problem.has(key)]
    if len(given) != 1:
        raise DataError(
            "[problem] must have exactly one of 'sample', 'table', 'tuning' and 'agents': it says what is studied."
        )
    if given[0] in ("tuning", "agents"):
        if kind == "audit":
            raise DataError(f"'kind' is 'audit', which needs a 'sample' or a 'table' in [problem], not {given[0]!r}.")
        if given[0] == "tuning":
            if kind == "regret":
                raise DataError("'kind' is 'regret', but a release has no curve; write \"trade-off\" for 'tuning'.")
            return released_arms(sections, seed)
        return federated_arms(sections, curves=kind == "regret")
    if kind == "audit":
        return audited_arms(sections, seed, folder)
    return searched_arms(sections, seed, folder, curves=kind == "regret")


AGENTS = {
    "schools": EXPERIMENTS["federated-fig-8"].arm("DP-FTS-DE").settings,
    "synthetic": EXPERIMENTS["federated-fig-2a"].arm("DP-FTS-DE, P = 2").settings,
}
"""The papers' own settings, from which a study's file departs."""
MOST = {"schools": 98, "synthetic": 200}
PRIVATE = ("DP-FTS-DE", "DP-FTS")
REFERENCES = {"DP-FTS-DE": "FTS-DE", "DP-FTS": "FTS"}
ALONE = "TS"


def federated_arms(sections: Sections, *, curves: bool) -> Experiment:
    """Return the study of what agents find together, at each ε."""
    problem, search, privacy = sections
    which = problem.choice("agents", list(AGENTS))
    start = dict(AGENTS[which])
    agents = problem.whole("number", int(start["agents"]), low=2, high=MOST[which])
    rounds = search.whole("iterations", int(start["iterations"]), high=1000)
    shared: dict[str, Value] = start | {
        "agents": agents,
        "iterations": rounds,
        "curve": curves,
        "q": privacy.number("q", float(start["q"]), high=1.0),
        "S": privacy.number("S", float(start["S"])),
        "P": privacy.whole("P", int(start["P"]), high=64),
    }
    method: Method = privacy.choice("accountant", get_args(Method), "pld")
    mechanisms = privacy.names("mechanisms", [*PRIVATE, *REFERENCES.values(), ALONE], ["DP-FTS-DE", "FTS-DE", ALONE])
    epsilons = privacy.numbers("epsilon") if set(mechanisms) & set(PRIVATE) else []
    against = {}
    references = [REFERENCES[each] for each in mechanisms if each in REFERENCES]
    named = dict.fromkeys([*references, *mechanisms])
    arms = [Arm(each, "federated", shared | {"algorithm": each}) for each in named if each not in PRIVATE]
    for each in (each for each in named if each in PRIVATE):
        for epsilon in epsilons:
            z = _noise(epsilon, float(shared["q"]), (rounds, agents), method)
            label = f"{each}, ε = {epsilon:g}"
            arms.append(Arm(label, "federated", shared | {"algorithm": each, "z": z, "epsilon": epsilon}))
            against[label] = REFERENCES[each]
    delta = f"δ = N^−1.1 = {federated.delta_for(agents):.3g}"
    return _study(
        f"{agents} agents ({which}), {rounds} rounds; {delta}; ε counted by {method}.",
        arms,
        measure_name="simple regret after the last round, mean over agents",
        x_name="rounds",
        against=against,
        curves=tuple(arm.name for arm in arms) if curves else (),
    )


def _noise(epsilon: float, q: float, size: tuple[int, int], method: Method) -> float:
    """Return the noise multiplier at which the rounds cost ε, to five digits and never less than needed."""
    rounds, agents = size
    try:
        z = noise_for_rounds(epsilon, q, [1.0] * rounds, federated.delta_for(agents), method)
    except ValueError as problem:
        raise DataError(f"'epsilon' in [privacy] is {epsilon:g}, which no noise reaches here: {problem}") from None
    return float(f"{z * (1 + 5e-5):.5g}")


MECHANISMS = ("Algorithm 1", "Algorithm 2", "Algorithm 3", "private selection", "blind draw")
PLAIN = "non-private"


def released_arms(sections: Sections, seed: int) -> Experiment:
    """Return the study of what each mechanism's published setting or score loses."""
    problem, search, privacy = sections
    name = problem.choice("tuning", TASKS)
    published = privacy.choice("published", get_args(Published), "setting")
    shared: dict[str, Value] = {
        "data": name,
        "published": published,
        "seed": seed,
        "iterations": search.whole("iterations", 50, low=2, high=400),
        "sigma": search.number("sigma", 0.1),
        "delta": privacy.number("delta", 1e-3, high=0.5),
        "k1": privacy.number("k1", 0.99, high=1.0),
    }
    task = tuning_task(name)
    options: dict[str, Any] = {key: value for key, value in shared.items() if key != "data"}
    question = released_question(task, **options)  # says what is wrong with any of them
    known = {curve.name for curve in question.curves} | {reference.name for reference in question.others}
    arms = [Arm(PLAIN, "release", shared | {"mechanism": PLAIN})]
    against = {}
    mechanisms = privacy.names("mechanisms", MECHANISMS, ["Algorithm 1", "private selection"])
    for each in mechanisms:
        if each not in known:
            raise DataError(f"'mechanisms' in [privacy] names {each!r}, which cannot publish the {published} here.")
    for epsilon in privacy.numbers("epsilon"):
        for each in (each for each in mechanisms if each != "blind draw"):
            label = f"{each}, ε = {epsilon:g}"
            arms.append(Arm(label, "release", shared | {"mechanism": each, "epsilon": epsilon}))
            against[label] = PLAIN
    if "blind draw" in mechanisms:
        arms.append(Arm("blind draw", "release", shared | {"mechanism": "blind draw"}))
    lost = f"what the published {'setting' if published == 'both' else published} loses, in the score"
    return _study(f"{task.title}: {task.n:,} settings.", arms, measure_name=lost, against=against)
