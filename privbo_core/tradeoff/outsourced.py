"""The cost of privacy in outsourced optimisation, by random projection and by noisy release."""

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import replace

import numpy as np

from privbo_core.errors import Array
from privbo_core.outsourced import Setting, Simulation, guarantee, largest_r, noisy_guarantee
from privbo_core.outsourced.comparison import Measure, Mechanism, Policy, measured
from privbo_core.tradeoff.curve import Curve, Question, Reference

MAX_R = 100
NAMES: dict[Mechanism, str] = {"private": "projection", "noisy": "noisy release"}
REFERENCES: dict[Policy, str] = {"plain": "non-private", "noiseless": "non-private, same model"}
"""The searches without privacy: that of the data holder, and that of the noisy release's modeler at σ = 0."""


def setting_at(simulation: Simulation, setting: Setting, epsilon: float, *, best_r: bool) -> Setting:
    """Return the setting at another ε.

    With ``best_r`` it has the largest r up to `MAX_R` with σ_min ≥ ω, or r = 1 if there is none.
    """
    if not best_r:
        return replace(setting, epsilon=epsilon)
    r = largest_r(simulation.spectrum.sigma_min, epsilon, setting.delta)
    return replace(setting, epsilon=epsilon, r=int(min(max(r, 1), MAX_R)))


def outsourced_question(
    simulation: Simulation,
    setting: Setting,
    *,
    measure: Measure = "simple",
    best_r: bool = False,
    mechanisms: Sequence[Mechanism] = ("private", "noisy"),
) -> Question:
    """Return the question for one dataset, with costs after T evaluations.

    The measure is the simple or the cumulative regret, in units of σ_y, or the rank of the best row. ``setting``
    determines everything except ε, which its curves vary. Each release is compared with the search without privacy that
    uses the same model (`Simulation.reference`). If the mechanisms have different references, ``Question.plain`` is
    that of the last mechanism.
    """
    scale = simulation.problem.sigma_y

    def costs(policy: Policy, at: Setting, runs: int) -> Generator[Array, None, None]:
        known: list[float] = []
        with closing(simulation.stream(policy, at, runs)) as traces:
            for trace in traces:
                known.append(float(measured(trace, measure, scale)[-1]))
                yield np.array(known)

    def curve(mechanism: Mechanism) -> Curve:
        if mechanism == "private":
            stated = guarantee(setting.epsilon, setting.delta, "")
        else:
            stated = noisy_guarantee(setting.epsilon, setting.delta, "", simulation.problem.frame)

        def at(epsilon: float) -> Setting:
            return setting_at(simulation, setting, epsilon, best_r=best_r and mechanism == "private")

        return Curve(
            NAMES[mechanism],
            stated.status,
            lambda epsilon, runs: costs(mechanism, at(epsilon), runs),
            against=REFERENCES[simulation.reference(mechanism)],
            standing=stated.standing(),
        )

    def reference(policy: Policy) -> Reference:
        name = REFERENCES.get(policy, "random search")
        return Reference(name, lambda runs: costs(policy, setting, runs))

    *others, plain = dict.fromkeys(map(simulation.reference, mechanisms))
    others.append("random")
    return Question(tuple(map(curve, mechanisms)), reference(plain), tuple(map(reference, others)))
