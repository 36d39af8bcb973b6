"""A theorem's bound as a value: its terms by name, what it bounds, and when it says nothing."""

import math
from dataclasses import dataclass
from typing import Literal

Variant = Literal["icml", "workshop"]
"""Which of the two papers: Kusner et al. (ICML 2015), or the same authors' earlier workshop paper."""


def check_variant(variant: str) -> Variant:
    """Return ``variant`` if it is "icml" or "workshop"; raise ValueError otherwise."""
    if variant == "icml":
        return "icml"
    if variant == "workshop":
        return "workshop"
    raise ValueError(f"variant is {variant!r}; it must be 'icml' or 'workshop'.")


@dataclass(frozen=True)
class Term:
    """One summand: ``formula`` in the paper's letters; ``falls`` if it is proportional to 1/ε."""

    name: str
    formula: str
    value: float
    falls: bool = False


@dataclass(frozen=True)
class Bound:
    """``quantity`` ≤ the sum of ``terms``, with probability at least ``probability``.

    ``epsilon`` is the ε that the terms were computed at, None for a sensitivity, which has none. All values are in the
    units of the objective that the algorithm saw.
    """

    theorem: int
    quantity: str
    terms: tuple[Term, ...]
    probability: float
    epsilon: float | None = None

    @property
    def value(self) -> float:
        """The sum of the terms."""
        return math.fsum(term.value for term in self.terms)

    def term(self, name: str) -> float:
        """Return the value of the term of that name. Raises KeyError if there is none."""
        return {term.name: term.value for term in self.terms}[name]

    def vacuous(self, spread: float) -> bool:
        """Return whether the bound says nothing about a quantity that cannot exceed ``spread`` anyway."""
        return self.value >= spread or self.probability <= 0

    def smallest_epsilon(self, spread: float) -> float:
        """Return the ε from which on (excluded) the bound is below ``spread``; infinity if no ε brings it there.

        A sensitivity does not depend on ε: 0 if it is below ``spread`` already, infinity otherwise.
        """
        fixed = math.fsum(term.value for term in self.terms if not term.falls)
        falling = math.fsum(term.value for term in self.terms if term.falls)
        if self.probability <= 0 or fixed >= spread:
            return math.inf
        return float(falling * self.epsilon / (spread - fixed)) if self.epsilon is not None else 0.0
