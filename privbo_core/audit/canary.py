"""Canary agents for DP-FTS-DE: one agent with the vector that is easiest to notice, present or absent."""

import numpy as np

from privbo_core.audit.lower_bound import Audited
from privbo_core.errors import Array, positive, whole


def canary(q: float, z: float, steps: int = 1) -> Audited:
    """Return what ``steps`` rounds of the server tell about a canary agent, as a mechanism of True (present) or False.

    The canary sends, in every round, a vector of full length S/√P in one direction, and has the largest weight φ_max in
    every sub-region, so that its share of the joint vector is as long as clipping allows: φ_max S/q, the sensitivity.
    An attacker who knows everybody else's vectors and selection subtracts them and looks along the canary's direction.
    In units of φ_max S/q each round shows N(b, z²), b = 1 with probability q if the canary takes part, else 0; other
    directions are noise that is independent of it. The output is the logarithm of the likelihood ratio of all rounds,
    Σ_t log(1 − q + q exp((s_t − ½)/z²)). O(trials · steps).
    Raises ValueError for q outside (0, 1], z ≤ 0 or steps that are not a whole number ≥ 1.
    """
    if not 0 < q <= 1:
        raise ValueError(f"q is {q!r}; it must lie above 0 and be at most 1.")
    z, steps = positive("z", z), whole("steps", steps)

    def watch(present: bool, trials: int, rng: np.random.Generator) -> Array:
        total = np.zeros(trials)
        for _ in range(steps):
            seen = z * rng.standard_normal(trials)
            # Drawn either way, so that both runs meet the same dice.
            selected = rng.random(trials) < q
            if present:
                seen += selected
            total += np.logaddexp(np.log1p(-q), np.log(q) + (seen - 0.5) / z**2) if q < 1 else (seen - 0.5) / z**2
        return total

    return watch
