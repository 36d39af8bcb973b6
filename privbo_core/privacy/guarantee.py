"""A privacy guarantee as a value: never a bare ε."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

import numpy as np

from privbo_core.errors import probability


class Status(Enum):
    """How far a guarantee can be relied on.

    PROVED: it holds for every dataset. CONDITIONAL: it is proved if something was so before anyone looked at the data,
    which nothing here can check; its assumptions say what. CLAIMED: by a paper. REFUTED: an attack shows more.
    """

    PROVED = "proved"
    CONDITIONAL = "conditional"
    CLAIMED = "the paper's claim"
    REFUTED = "refuted by the audit"


@dataclass(frozen=True)
class Guarantee:
    """What is protected, from whom, between which neighbours, at what (ε, δ), if what holds, and who says so."""

    protects: str
    against: str
    neighbours: str
    epsilon: float
    delta: float
    assumptions: tuple[str, ...]
    status: Status
    source: str

    @property
    def exposes(self) -> str:
        """What a δ above `LARGE_DELTA` allows, in a sentence; empty for a smaller one."""
        if not self.delta > LARGE_DELTA:
            return ""
        return f"With so large a δ it allows that {one_in(self.delta)} is exposed altogether."


LARGE_DELTA = 1e-3
"""A δ above this is said in words: whoever published one record in a thousand as it is would keep a smaller one."""


def one_in(probability: float) -> str:
    """Return a probability as a share of people that it does not exceed: one in 42; everybody, above a half."""
    people = math.floor(1.0 / probability)
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
