"""Real releases, each drawn once with entropy from the operating system."""

from dataclasses import dataclass

from privbo_core.privacy import Guarantee, release
from privbo_core.release.lipschitz import Lipschitz
from privbo_core.release.noise_free import NoiseFree
from privbo_core.release.noisy import Noisy
from privbo_core.release.selection import Selection

Plan = Noisy | NoiseFree | Lipschitz | Selection
"""A release that is set up but not drawn."""


@dataclass(frozen=True)
class Drawn:
    """A real release: the ``row`` of the candidate λ̃ and the noisy ``value``. What is not released is None.

    ``value`` is in units of the Gaussian process for Algorithm 1, and otherwise in units of f_V. ``guarantee`` is the
    cost of this draw. The costs of several draws about the same records add up (`privbo_core.privacy.compose`).
    """

    row: int | None
    value: float | None
    guarantee: Guarantee


def draw(plan: Plan, *, choice: bool = True, value: bool = True) -> Drawn:
    """Release λ̃ (``choice``), the noisy score (``value``), or both, for real. The first call takes a second or two.

    Two calls give two independent results and cost twice as much. Private selection releases the score of the setting
    that it chose, so it never releases a score alone. Algorithm 2's score is refused, because its noise depends on the
    unknown constants A and τ. The draw of its setting does not depend on them. Raises ValueError if nothing is asked
    for, or something that the plan does not have or that is refused.
    """
    if isinstance(plan, Lipschitz):
        if not value:
            raise ValueError("value is False. Algorithm 3 releases the score and nothing else.")
        return Drawn(None, release.laplace(plan.best, plan.value), plan.guarantee())
    if not (choice or value):
        raise ValueError("choice and value are both False. Ask for at least one of them.")
    if isinstance(plan, Selection):
        if not choice:
            raise ValueError("choice is False. Private selection's score belongs to its setting, so release both.")
        chosen = release.select(plan.choice)
        noisy_score = release.laplace(float(plan.scores[chosen]), plan.value) if value else None
        return Drawn(int(plan.rows[chosen]), noisy_score, plan.guarantee(1 + value))
    if isinstance(plan, NoiseFree) and value:
        raise ValueError(
            "value is True. Algorithm 2's score is not drawn for real, because its noise rests on constants A and τ "
            "that nobody knows, and an attack on a real neighbour breaks its ε. Use value=False for the setting alone, "
            "or private selection for both."
        )
    return Drawn(
        release.select(plan.choice) if choice else None,
        release.laplace(plan.best, plan.value) if value else None,
        plan.guarantee(choice + value),
    )
