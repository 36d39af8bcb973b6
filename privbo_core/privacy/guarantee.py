"""A privacy guarantee as a value: never a bare ε."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

import numpy as np

from privbo_core.errors import probability
from privbo_core.privacy.trade_off import TradeOff


class Status(Enum):
    """How far a guarantee can be relied on.

    PROVED: it holds for every dataset under its conditions, which nobody checks. UNMET: proven in the same way, but one
    of its conditions is known not to be met. CLAIMED: by a paper. REFUTED: an attack shows more.
    """

    PROVED = "proven"
    UNMET = "not met"
    CLAIMED = "the paper's claim"
    REFUTED = "refuted by the audit"


@dataclass(frozen=True)
class Condition:
    """An assumption of a proof, which nothing here can check: in a few ``words`` after "if", and ``in_full``.

    ``unmet``: it is known not to be met.
    """

    words: str
    in_full: str
    unmet: bool = False


@dataclass(frozen=True)
class Guarantee:
    """What is protected, from whom, between which neighbours, at what (ε, δ), if what holds, and who says so.

    ``assumptions``: what it is about beside its ``conditions``, and what it leaves out.
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

    def standing(self) -> str:
        """Return how far it can be relied on, to be read aloud: never "proven" without the conditions."""
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
        """Those of `in_full` that are known not to be met."""
        return tuple(text for text, each in zip(self.in_full, self.conditions, strict=True) if each.unmet)

    @property
    def exposes(self) -> str:
        """What a δ above `LARGE_DELTA` allows, in a sentence; empty for a smaller one."""
        if not self.delta > LARGE_DELTA:
            return ""
        if self.delta > 0.5:
            return "Its δ allows that everybody is exposed."
        return f"At worst, all is told of {one_in(self.delta)}."


def named(sentences: Iterable[str]) -> tuple[Condition, ...]:
    """Return the condition that some sentences, each of its own, are so; none where there are none."""
    text = " ".join(sentences)
    return (Condition("what is named with it holds", text, unmet=True),) if text else ()


LARGE_DELTA = 1e-3
"""A δ above this is said in words: whoever published one record in a thousand as it is would keep a smaller one."""


def one_in(probability: float) -> str:
    """Return a probability as a share of people that it does not exceed: one in 42; everybody, above a half."""
    people = math.floor(1.0 / probability * (1.0 + 1e-9))  # 1/1e-5 is a little less than 100,000
    return f"one in {people:,}" if people > 1 else "everybody"


def worst_case_belief(prior: float, epsilon: float) -> float:
    """Return the belief p·e^ε/(p·e^ε + 1 − p) that an attacker who held p can at most reach (δ aside).

    Written as 1/(1 + (1 − p)/p · e^−ε), which does not overflow.
    """
    probability("prior", prior)
    _finite_loss(epsilon)
    return float(1.0 / (1.0 + (1.0 - prior) / prior * np.exp(-epsilon)))


def least_error(prior: float, epsilon: float, delta: float) -> float:
    """Return how often the best attacker who held ``prior`` must still guess wrong: (1 − δ)·min(p, 1 − p, 1/(1 + e^ε)).

    Any test between two neighbours has false-alarm rate α and miss rate β with α + e^ε β ≥ 1 − δ and e^ε α + β ≥ 1 − δ.
    The attacker's error (1 − p)α + pβ is linear in both, so it is least at a corner of that region.
    """
    probability("prior", prior)
    _finite_loss(epsilon)
    if not 0 <= delta <= 1:
        raise ValueError(f"delta must lie between 0 and 1, not {delta}.")
    return float((1 - delta) * min(prior, 1 - prior, 1 / (1 + np.exp(min(epsilon, 700.0)))))


def _finite_loss(epsilon: float) -> None:
    # 0 is an ε too: of what δ covers altogether.
    if not (np.isfinite(epsilon) and epsilon >= 0):
        raise ValueError(f"epsilon is {epsilon!r}; it must be a finite number of at least 0.")


def compose(guarantees: Iterable[Guarantee]) -> tuple[float, float]:
    """Return the (Σε, Σδ) that several releases about the same people keep together (basic composition)."""
    spent = [(guarantee.epsilon, guarantee.delta) for guarantee in guarantees]
    return sum(epsilon for epsilon, _ in spent), min(1.0, sum(delta for _, delta in spent))


WORDS = ("none", "hardly any", "weak", "moderate", "strong", "very strong")
"""The word of each level, from 0 to 5."""
ERRORS = (0.10, 0.25, 0.40, 0.45)
"""The least error at which levels 2, 3, 4 and 5 begin; an attacker who only guesses errs 0.5."""
BELIEFS = (0.98, 0.90, 0.76, 0.63)
"""The largest belief that levels 2, 3, 4 and 5 allow, of an attacker who began at 0.5."""
AT_LARGE_DELTA = 3  # The highest level that a δ above `LARGE_DELTA` allows.
PRIOR = 0.5


@dataclass(frozen=True)
class Strength:
    """``level`` from 0 (none) to 5 (very strong) and its ``word``, with the two figures that it is the worse of.

    ``least_error``: how often the best attacker, who held 50 %, must still be wrong. ``belief``: what such an attacker
    can at most come to believe, δ aside. ``by_delta``: both figures would say more, but δ is large.
    """

    level: int
    word: str
    least_error: float
    belief: float
    by_delta: bool = False

    @property
    def by_belief(self) -> bool:
        """Whether it is the belief that makes it so weak: the error alone would say more."""
        return not self.by_delta and self.level < _by_error(self.least_error)


NONE = Strength(0, WORDS[0], 0.0, 1.0)


def strength(guarantee: Guarantee, line: TradeOff | None = None, *, becomes: float | None = None) -> Strength:
    """Return how strongly a guarantee protects, if it holds: the worse of what the least error and the belief say.

    ``line``: its trade-off function where that is known, which says more than (ε, δ) does; `TradeOff.of` otherwise.
    ``becomes``: the ε that a UNMET guarantee can become if its condition fails (`outsourced.true_epsilon`). It
    then counts in place of ε, and a line that is the promised ε's does not. Other guarantees have no such condition.
    Nothing is left of one that is refuted, that has ε = ∞ or δ ≥ 1. For the rest the level never rises with ε, and with
    a δ above `LARGE_DELTA` it is moderate at most: as many may be told of as are in a group of some hundreds.
    """
    epsilon, delta = guarantee.epsilon, guarantee.delta
    if becomes is not None and guarantee.status is Status.UNMET and becomes > epsilon:
        epsilon = becomes
        if line is not None and line.epsilon(max(delta, 1e-15)) < epsilon * (1.0 - 1e-6):
            line = None
    if guarantee.status is Status.REFUTED or not math.isfinite(epsilon) or delta >= 1.0:
        return NONE
    error = least_error(PRIOR, epsilon, delta) if line is None else line.least_error(PRIOR)
    belief = worst_case_belief(PRIOR, epsilon)
    level = min(_by_error(error), 1 + sum(belief <= most for most in BELIEFS))
    most = AT_LARGE_DELTA if delta > LARGE_DELTA else len(WORDS) - 1
    return Strength(min(level, most), WORDS[min(level, most)], error, belief, level > most)


def _by_error(error: float) -> int:
    return 1 + sum(error >= least for least in ERRORS)
