"""Studies of federated search: agents who search together, with the server's noise set by ε."""

from typing import get_args

from privbo_core import federated
from privbo_core.errors import DataError
from privbo_core.experiments.model import Arm, Experiment, Value
from privbo_core.experiments.papers import EXPERIMENTS
from privbo_core.experiments.studies.keys import Keys
from privbo_core.privacy import Method, noise_for_rounds

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


def federated_arms(sections: tuple[Keys, Keys, Keys], paper: str, *, curves: bool) -> Experiment:
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
        paper=paper,
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
