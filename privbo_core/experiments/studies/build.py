"""From a study's file to an experiment: what is compared on what, at which ε, in how many runs."""

import re
from dataclasses import replace
from pathlib import Path
from typing import get_args

from privbo_core import federated
from privbo_core.data import tuning_task
from privbo_core.data.tuning import TASKS
from privbo_core.errors import DataError
from privbo_core.experiments.model import Arm, Experiment, Kind, Value
from privbo_core.experiments.papers import EXPERIMENTS
from privbo_core.experiments.studies.keys import Keys, read_toml
from privbo_core.experiments.studies.outsourced import Comparing, audited_arms, searched_arms
from privbo_core.privacy import Method, noise_for_rounds
from privbo_core.tradeoff import Published, released_question

KINDS: dict[str, Kind] = {"regret": "curves", "trade-off": "trade-off", "audit": "audit"}
"""The kinds of studies, and what their pictures are."""
PAPER = "A study of your own"
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


def _compared(kind: str, sections: tuple[Keys, Keys, Keys], seed: int, folder: Path) -> Experiment:
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
    comparing = Comparing(sections, seed, folder, PAPER)
    return audited_arms(comparing) if kind == "audit" else searched_arms(comparing, curves=kind == "regret")


AGENTS = {
    "schools": EXPERIMENTS["federated-fig-8"].arm("DP-FTS-DE").settings,
    "synthetic": EXPERIMENTS["federated-fig-2a"].arm("DP-FTS-DE, P = 2").settings,
}
"""The papers' own settings, from which a study's file departs."""
MOST = {"schools": 98, "synthetic": 200}
PRIVATE = ("DP-FTS-DE", "DP-FTS")
REFERENCES = {"DP-FTS-DE": "FTS-DE", "DP-FTS": "FTS"}
ALONE = "TS"
WORDS = {"last": "simple regret after the last round, mean over agents"}


def federated_arms(sections: tuple[Keys, Keys, Keys], *, curves: bool) -> Experiment:
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
    method: Method = next(
        each for each in get_args(Method) if each == privacy.choice("accountant", get_args(Method), "pld")
    )
    mechanisms = privacy.names("mechanisms", [*PRIVATE, *REFERENCES.values(), ALONE], ["DP-FTS-DE", "FTS-DE", ALONE])
    epsilons = privacy.numbers("epsilon") if set(mechanisms) & set(PRIVATE) else []
    against = {}
    named = dict.fromkeys(
        [*(REFERENCES[each] for each in mechanisms if each in REFERENCES), *mechanisms]
    )  # references first
    arms = [Arm(each, "federated", shared | {"algorithm": each}) for each in named if each not in PRIVATE]
    for each in (each for each in named if each in PRIVATE):
        for epsilon in epsilons:
            z = _noise(epsilon, float(shared["q"]), (rounds, agents), method)
            label = f"{each}, ε = {epsilon:g}"
            arms.append(Arm(label, "federated", shared | {"algorithm": each, "z": z, "epsilon": epsilon}))
            against[label] = REFERENCES[each]
    return Experiment(
        name="study",
        title="study",
        paper=PAPER,
        about=f"{agents} agents ({which}), {rounds} rounds; δ = N^−1.1 = {federated.delta_for(agents):.3g}; ε counted "
        f"by {method}.",
        arms=tuple(arms),
        measure_name=WORDS["last"],
        x_name="rounds",
        x_key="epsilon",
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


def released_arms(sections: tuple[Keys, Keys, Keys], seed: int) -> Experiment:
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
    options = {key: value for key, value in shared.items() if key != "data"}
    question = released_question(task, **options)  # type: ignore[arg-type] # says what is wrong with any of them
    known = {curve.name for curve in question.curves} | {reference.name for reference in question.others}
    arms = [Arm(PLAIN, "release", shared | {"mechanism": PLAIN})]
    against = {}
    mechanisms = privacy.names("mechanisms", MECHANISMS, ["Algorithm 1", "private selection"])
    for each in mechanisms:
        if each not in known:
            raise DataError(f"'mechanisms' in [privacy] names {each!r}, which cannot publish the {published} here.")
    for epsilon in privacy.numbers("epsilon"):
        for each in mechanisms:
            if each == "blind draw":
                continue
            label = f"{each}, ε = {epsilon:g}"
            arms.append(Arm(label, "release", shared | {"mechanism": each, "epsilon": epsilon}))
            against[label] = PLAIN
    if "blind draw" in mechanisms:
        arms.append(Arm("blind draw", "release", shared | {"mechanism": "blind draw"}))
    return Experiment(
        name="study",
        title="study",
        paper=PAPER,
        about=f"{task.title}: {task.n:,} settings.",
        arms=tuple(arms),
        measure_name=f"what the published {'setting' if published == 'both' else published} loses, in the score",
        x_key="epsilon",
        against=against,
    )
