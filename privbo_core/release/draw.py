"""A real release, drawn once through the operating system's entropy."""

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
    """What may be published: ``row`` of the candidate λ̃ and the noisy ``value``, None where not released.

    ``value`` is in the plan's units: the Gaussian process's frame for Algorithm 1, f_V's own otherwise.
    ``guarantee`` is what this draw costs; the costs of several draws about the same records add up
    (`privbo_core.privacy.compose`).
    """

    row: int | None
    value: float | None
    guarantee: Guarantee


def draw(plan: Plan, *, choice: bool = True, value: bool = True) -> Drawn:
    """Release λ̃ (``choice``), the noisy score (``value``), or both, for real. The first call takes a second or two.

    Two calls give two independent results and cost twice. Private selection's score is that of the setting it chose,
    so it comes with the setting or not at all. Algorithm 2's score is refused: its noise rests on constants A and τ
    that nobody knows; its setting, whose noise does not, can be drawn.
    Raises ValueError if nothing is asked for, what a plan does not have, or what is refused.
    """
    if isinstance(plan, Lipschitz):
        if not value:
            raise ValueError("value is False; Algorithm 3 releases the score and nothing else.")
        return Drawn(None, release.laplace(plan.best, plan.value), plan.guarantee())
    if not (choice or value):
        raise ValueError("choice and value are both False; ask for at least one of them.")
    if isinstance(plan, Selection):
        if not choice:
            raise ValueError("choice is False; private selection's score belongs to the setting, release that too.")
        chosen = release.select(plan.choice)
        noisy_score = release.laplace(float(plan.scores[chosen]), plan.value) if value else None
        return Drawn(int(plan.rows[chosen]), noisy_score, plan.guarantee(1 + value))
    if isinstance(plan, NoiseFree) and value:
        raise ValueError(
            "value is True; Algorithm 2's score is not drawn for real, because its noise rests on constants A and τ "
            "that nobody knows and an attack on a real neighbour breaks its ε. Use value=False for the setting alone, "
            "or private selection for both."
        )
    return Drawn(
        release.select(plan.choice) if choice else None,
        release.laplace(plan.best, plan.value) if value else None,
        plan.guarantee(choice + value),
    )
