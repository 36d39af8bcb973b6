"""Outsourced optimisation as a question of cost: projection and noisy release against a plain search."""

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import replace

import numpy as np

from privbo_core.errors import Array
from privbo_core.outsourced import Setting, Simulation, guarantee, largest_r, noisy_guarantee
from privbo_core.outsourced.comparison import Measure, Mechanism, Policy, measured
from privbo_core.tradeoff.curve import Curve, Question, Reference

LARGEST_R = 100
NAMES: dict[Mechanism, str] = {"private": "projection", "noisy": "noisy release"}
REFERENCES: dict[Policy, str] = {"plain": "non-private", "noiseless": "non-private, same model"}
"""The searches without privacy: that of the owner of the data, and that of the noisy release's modeler at σ = 0."""


def setting_at(simulation: Simulation, setting: Setting, epsilon: float, *, best_r: bool) -> Setting:
    """Return the setting at another ε; ``best_r`` takes the largest r up to 100 with σ_min ≥ ω, or 1 if none has."""
    if not best_r:
        return replace(setting, epsilon=epsilon)
    r = largest_r(simulation.spectrum.sigma_min, epsilon, setting.delta)
    return replace(setting, epsilon=epsilon, r=int(min(max(r, 1), LARGEST_R)))


def outsourced_question(
    simulation: Simulation,
    setting: Setting,
    *,
    measure: Measure = "simple",
    best_r: bool = False,
    mechanisms: Sequence[Mechanism] = ("private", "noisy"),
) -> Question:
    """Return the question for one dataset: regret after T evaluations, in σ_y.

    ``setting``'s own ε plays no part. "simple" regret is the best row's; "cumulative" the sum over all T;
    "rank" is no regret but the best row's rank. The search, and whether it asks for a row twice, are the setting's.
    Each release is compared with the search without privacy that uses the same model (`Simulation.reference`). Where
    these are two, the plain one is the last mechanism's.
    """
    scale = simulation.problem.sigma_y

    def costs(policy: Policy, at: Setting, runs: int) -> Generator[Array, None, None]:
        done: list[float] = []
        with closing(simulation.stream(policy, at, runs)) as traces:
            for trace in traces:
                done.append(float(measured(trace, measure, scale)[-1]))
                yield np.array(done)

    def curve(mechanism: Mechanism) -> Curve:
        promise = noisy_guarantee(setting.epsilon, setting.delta, "", simulation.problem.frame)
        if mechanism == "private":
            promise = guarantee(setting.epsilon, setting.delta, "")

        def at(epsilon: float) -> Setting:
            return setting_at(simulation, setting, epsilon, best_r=best_r and mechanism == "private")

        return Curve(
            NAMES[mechanism],
            promise.status,
            lambda epsilon, runs: costs(mechanism, at(epsilon), runs),
            against=REFERENCES[simulation.reference(mechanism)],
            standing=promise.standing(),
        )

    def reference(policy: Policy) -> Reference:
        name = REFERENCES.get(policy, "random search")
        return Reference(name, lambda runs: costs(policy, setting, runs))

    *others, plain = dict.fromkeys(map(simulation.reference, mechanisms))
    others.append("random")
    return Question(tuple(map(curve, mechanisms)), reference(plain), tuple(map(reference, others)))
