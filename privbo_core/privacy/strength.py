"""How strongly a promise protects, in one word: proved is not the same as protective."""

import math
from dataclasses import dataclass

from privbo_core.privacy.guarantee import Guarantee, Status, least_error, worst_case_belief
from privbo_core.privacy.trade_off import TradeOff

WORDS = ("none", "hardly any", "weak", "moderate", "strong", "very strong")
"""The word of each level, from 0 to 5."""
ERRORS = (0.10, 0.25, 0.40, 0.45)
"""The least error at which levels 2, 3, 4 and 5 begin; an attacker who only guesses errs 0.5."""
BELIEFS = (0.98, 0.90, 0.76, 0.63)
"""The largest belief that levels 2, 3, 4 and 5 allow, of an attacker who began at 0.5."""
PRIOR = 0.5


@dataclass(frozen=True)
class Strength:
    """``level`` from 0 (none) to 5 (very strong) and its ``word``, with the two figures that it is the worse of.

    ``least_error``: how often the best attacker, who held 50 %, must still be wrong. ``belief``: what such an attacker
    can at most come to believe, δ aside.
    """

    level: int
    word: str
    least_error: float
    belief: float

    @property
    def by_belief(self) -> bool:
        """Whether it is the belief that makes it so weak: the error alone would say more."""
        return self.level < _by_error(self.least_error)


NONE = Strength(0, WORDS[0], 0.0, 1.0)


def strength(guarantee: Guarantee, line: TradeOff | None = None, *, becomes: float | None = None) -> Strength:
    """Return how strongly a guarantee protects, if it holds: the worse of what the least error and the belief say.

    ``line``: its trade-off function where that is known, which says more than (ε, δ) does; `TradeOff.of` otherwise.
    ``becomes``: the ε that a CONDITIONAL guarantee can become if its condition fails (`outsourced.true_epsilon`). It
    then counts in place of ε, and a line that is the promised ε's does not. Other guarantees have no such condition.
    Nothing is left of one that is refuted, that has ε = ∞ or δ ≥ 1. For the rest the level never rises with ε.
    """
    epsilon, delta = guarantee.epsilon, guarantee.delta
    if becomes is not None and guarantee.status is Status.CONDITIONAL and becomes > epsilon:
        epsilon = becomes
        if line is not None and line.epsilon(max(delta, 1e-15)) < epsilon * (1.0 - 1e-6):
            line = None
    if guarantee.status is Status.REFUTED or not math.isfinite(epsilon) or delta >= 1.0:
        return NONE
    error = least_error(PRIOR, epsilon, delta) if line is None else line.least_error(PRIOR)
    belief = worst_case_belief(PRIOR, epsilon)
    level = min(_by_error(error), 1 + sum(belief <= most for most in BELIEFS))
    return Strength(level, WORDS[level], error, belief)


def _by_error(error: float) -> int:
    return 1 + sum(error >= least for least in ERRORS)
