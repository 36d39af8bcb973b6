"""Privacy guarantees as values, and the scale of strength."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum

import numpy as np
from scipy.special import ndtri

from privbo_core.errors import probability
from privbo_core.privacy.trade_off import LARGEST_EPSILON, TradeOff


class Status(Enum):
    """The standing of a guarantee.

    A PROVED guarantee holds for every dataset under its conditions, which PrivBO cannot check. An UNMET one is proven
    in the same way, but one of its conditions is known not to be met. A CLAIMED one is a paper's claim. A REFUTED one
    is contradicted by an attack.
    """

    PROVED = "proven"
    UNMET = "not met"
    CLAIMED = "the paper's claim"
    REFUTED = "refuted by the audit"


@dataclass(frozen=True)
class Condition:
    """An assumption of a proof, which PrivBO cannot check.

    ``words`` follow "if" in a sentence, and ``in_full`` is a sentence. ``unmet`` marks a condition that is known not to
    be met.
    """

    words: str
    in_full: str
    unmet: bool = False


@dataclass(frozen=True)
class Guarantee:
    """A differential privacy guarantee with everything that it depends on.

    It protects ``protects`` ``against`` an observer, between ``neighbours``, at (ε, δ), under its ``conditions``, with
    ``source`` as the proof or the claim. ``assumptions`` state the scope, and what the guarantee leaves out. ``curve``
    is the exact trade-off function where it is known, which says more than (ε, δ).
    """

    protects: str
    against: str
    neighbours: str
    epsilon: float
    delta: float
    assumptions: tuple[str, ...]
    status: Status
    source: str
    conditions: tuple[Condition, ...] = ()
    curve: TradeOff | None = field(default=None, compare=False, repr=False)

    @property
    def mu(self) -> float | None:
        """The least μ of Gaussian differential privacy that follows, or None where (ε, δ) implies no finite one.

        The trade-off function of (ε, 0) has a single corner, at α = 1/(1 + e^ε) on the diagonal. The convex curve
        G_μ lies below it if it passes through that corner, which gives μ = 2Φ⁻¹(e^ε/(1 + e^ε)).
        """
        if self.curve is not None:
            return self.curve.mu
        if self.delta > 0:
            return None
        return float(-2.0 * ndtri(1.0 / (1.0 + np.exp(min(self.epsilon, LARGEST_EPSILON)))))

    @property
    def attack_accuracy(self) -> float:
        """How often the best attacker is right about a secret that was equally likely to be either way, from 0.5 to 1.

        It is 1 where nothing is protected: after a refutation, at ε = ∞ and at δ ≥ 1.
        """
        if self.status is Status.REFUTED or not math.isfinite(self.epsilon) or self.delta >= 1.0:
            return 1.0
        if self.curve is not None:
            return 1.0 - self.curve.least_error(0.5)
        return 1.0 - least_error(0.5, self.epsilon, self.delta)

    def standing(self) -> str:
        """Return the status in words. A proof is never named without its conditions."""
        if not self.conditions or self.status in (Status.CLAIMED, Status.REFUTED):
            return self.status.value
        *others, last = (each.words for each in self.conditions)
        listed = f"{', '.join(others)} and {last}" if others else last
        if self.status is Status.PROVED:
            return f"proven, if {listed}"
        unmet = " and ".join(each.words for each in self.conditions if each.unmet)
        return f"not met: {unmet} (proven, if {listed})"

    @property
    def in_full(self) -> tuple[str, ...]:
        """Each condition in full, with its number where there are several."""
        found = [f"{each.in_full.removesuffix('.')}." for each in self.conditions]
        return tuple(f"({number}) {text}" if len(found) > 1 else text for number, text in enumerate(found, 1))

    @property
    def unmet(self) -> tuple[str, ...]:
        """The conditions in full that are known not to be met."""
        return tuple(text for text, each in zip(self.in_full, self.conditions, strict=True) if each.unmet)

    @property
    def exposes(self) -> str:
        """A sentence on what a δ above `LARGE_DELTA` allows, or an empty string for a smaller δ."""
        if not self.delta > LARGE_DELTA:
            return ""
        if self.delta > 0.5:
            return "Its δ allows everyone to be fully exposed."
        return f"At worst, its δ allows the equivalent of fully exposing {one_in(self.delta)} participants."


def further_condition(sentences: Iterable[str]) -> tuple[Condition, ...]:
    """Return one unmet condition that consists of these sentences, or no condition if there are none."""
    text = " ".join(sentences)
    return (Condition("the further conditions hold", text, unmet=True),) if text else ()


LARGE_DELTA = 1e-3
"""The δ above which a guarantee comes with a warning. Publishing one record in a thousand in full keeps this δ."""


def one_in(probability: float) -> str:
    """Return the smallest share of people that a probability doesn't exceed, such as "one in 42"."""
    people = math.floor(1.0 / probability * (1.0 + 1e-9))  # 1/1e-5 is a little less than 100,000
    return f"one in {people:,}" if people > 1 else "everybody"


def worst_case_belief(prior: float, epsilon: float) -> float:
    """Return the largest belief p·e^ε/(p·e^ε + 1 − p) that an attacker with prior p can reach at δ = 0.

    It is written as 1/(1 + (1 − p)/p · e^−ε), which does not overflow.
    """
    probability("prior", prior)
    _finite_loss(epsilon)
    return float(1.0 / (1.0 + (1.0 - prior) / prior * np.exp(-epsilon)))


def least_error(prior: float, epsilon: float, delta: float) -> float:
    """Return the least error (1 − δ)·min(p, 1 − p, 1/(1 + e^ε)) of an attacker with prior p.

    Any test between two neighbours has false-alarm rate α and miss rate β with α + e^ε β ≥ 1 − δ and e^ε α + β ≥ 1 − δ.
    The attacker's error (1 − p)α + pβ is linear in both, so it is least at a corner of that region.
    """
    probability("prior", prior)
    _finite_loss(epsilon)
    if not 0 <= delta <= 1:
        raise ValueError(f"delta is {delta!r}. It must lie between 0 and 1.")
    return float((1 - delta) * min(prior, 1 - prior, 1 / (1 + np.exp(min(epsilon, 700.0)))))


def _finite_loss(epsilon: float) -> None:
    # ε = 0 is allowed, because δ alone may be the cost.
    if not (np.isfinite(epsilon) and epsilon >= 0):
        raise ValueError(f"epsilon is {epsilon!r}. It must be a finite number of at least 0.")


def compose(guarantees: Iterable[Guarantee]) -> tuple[float, float]:
    """Return (Σε, Σδ), which several releases about the same people keep together by basic composition."""
    spent = [(guarantee.epsilon, guarantee.delta) for guarantee in guarantees]
    return sum(epsilon for epsilon, _ in spent), min(1.0, sum(delta for _, delta in spent))


SCALE: tuple[tuple[int, str], ...] = (
    (100, "none"),
    (99, "very weak"),
    (90, "weak"),
    (75, "moderate"),
    (60, "strong"),
    (52, "very strong"),
)
"""The scale of strength by level, from 0 to 5: the largest attack accuracy in whole per cent, and the word for it."""
WORDS = tuple(word for _, word in SCALE)
LEVEL_AT_LARGE_DELTA = 3
"""The highest level that a guarantee with a δ above `LARGE_DELTA` reaches."""


@dataclass(frozen=True)
class Strength:
    """The strength of a protection, read off the accuracy of the best attacker.

    ``level`` runs from 0 (none) to 5 (very strong) and has the ``word`` of `SCALE`. ``accuracy`` is how often the best
    attacker is right about a secret that was equally likely to be either way. ``limited_by_delta`` is true where the
    accuracy alone would give a higher level, but δ is too large for it.
    """

    level: int
    word: str
    accuracy: float
    limited_by_delta: bool = False

    @property
    def percent(self) -> int:
        """The accuracy in whole per cent, as it is shown. The word follows from this number."""
        return _whole_percent(self.accuracy)


def strength_at(accuracy: float, highest_level: int = len(SCALE) - 1) -> Strength:
    """Return the strength at an attack accuracy between 0.5 and 1, capped at a level."""
    if not 0.5 - 1e-12 <= accuracy <= 1.0:
        raise ValueError(f"accuracy is {accuracy!r}. It must lie between 0.5, which is guessing, and 1.")
    percent = _whole_percent(accuracy)
    reached = max(level for level, (most, _) in enumerate(SCALE) if percent <= most)
    level = min(reached, highest_level)
    return Strength(level, WORDS[level], accuracy, limited_by_delta=level < reached)


def strength(guarantee: Guarantee, *, becomes: float | None = None) -> Strength:
    """Return how strongly a guarantee protects, provided that it holds.

    The word follows from the attack accuracy alone, except that a δ above `LARGE_DELTA` allows at most "moderate".
    Nothing is left of a guarantee that is refuted, or that has ε = ∞ or δ ≥ 1. ``becomes`` is the ε that a guarantee
    with an unmet condition can become (`outsourced.true_epsilon`). It then replaces ε.
    """
    counted = guarantee
    if becomes is not None and guarantee.status is Status.UNMET and becomes > guarantee.epsilon:
        counted = replace(guarantee, epsilon=becomes, curve=None)
    highest = LEVEL_AT_LARGE_DELTA if guarantee.delta > LARGE_DELTA else len(SCALE) - 1
    return strength_at(counted.attack_accuracy, highest)


def _whole_percent(accuracy: float) -> int:
    return round(100.0 * accuracy)
