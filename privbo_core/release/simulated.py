"""Simulated releases: many draws at many values of ε, with common random numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privbo_core.errors import Array, vector, whole
from privbo_core.privacy import simulate
from privbo_core.release.draw import Plan
from privbo_core.release.lipschitz import Lipschitz
from privbo_core.release.selection import Selection


@dataclass(frozen=True, eq=False)
class SimulatedReleases:
    """Simulated releases, as arrays of shape (number of ε, draws), and exact figures of shape (number of ε,).

    ``rows`` holds the chosen candidates, ``choice_loss`` max f − f(λ̃) over *all* candidates, ``expected_choice_loss``
    its exact mean, and ``effective`` the effective number of candidates. All four are None if no setting is released.
    ``values`` holds the noisy scores, and ``value_error`` their differences from max f. The units are those of
    ``objective`` and of the plan, which are the same. This is a simulation, because it needs the true optimum.
    """

    epsilons: Array
    values: Array
    value_error: Array
    rows: NDArray[np.int64] | None
    choice_loss: Array | None
    expected_choice_loss: Array | None
    effective: Array | None


def simulated_releases(
    plan: Plan, epsilons: Sequence[float], *, draws: int, objective: ArrayLike, rng: np.random.Generator
) -> SimulatedReleases:
    """Simulate ``draws`` releases at each ε, all with the same unit noise, so that only ε differs between them.

    ``objective`` is f at all n candidates in the plan's units, free of noise. The cost is O(number of ε · draws · n),
    about 0.02 s for 30 · 200 · 1000. Raises ValueError or DataError on unusable input.
    """
    n = int(np.size(objective)) if isinstance(plan, (Lipschitz, Selection)) else plan.search.n
    truth = vector("objective", objective, n)
    draws = whole("draws", draws)
    unit = simulate.laplace(draws, rng)
    shape = (len(epsilons), draws)
    values, rows = np.empty(shape), np.zeros(shape, dtype=np.int64)
    expected, effective = np.empty(len(epsilons)), np.empty(len(epsilons))
    gumbel = None if plan.choice is None else simulate.gumbel(draws, len(plan.choice.scores), rng)
    for index, epsilon in enumerate(epsilons):
        here = plan.at(epsilon)
        if here.choice is not None and gumbel is not None:
            picked = simulate.select(here.choice, gumbel)
            candidates = here.rows if isinstance(here, Selection) else np.arange(n)
            rows[index] = candidates[picked]
            expected[index] = truth.max() - here.choice.probabilities @ truth[candidates]
            effective[index] = here.choice.effective_candidates
        centre = here.scores[picked] if isinstance(here, Selection) else here.best
        values[index] = centre + here.value.scale * unit
    known = np.asarray(epsilons, dtype=float)
    if gumbel is None:
        return SimulatedReleases(known, values, values - truth.max(), None, None, None, None)
    return SimulatedReleases(known, values, values - truth.max(), rows, truth.max() - truth[rows], expected, effective)
