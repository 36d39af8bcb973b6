"""Regret against ε as values: a mechanism to be swept, the marks found so far, and the front of those that count."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from privbo_core.errors import Array, positive
from privbo_core.privacy import Status

Costs = Callable[[float, int], Iterator[Array]]
"""ε and a number of runs to the costs of runs 0, 1, … as far as they have got, again and again until all are there.

Run k has the same dice at every ε and in every mechanism of a question. Closing the iterator ends the computation.
"""


@dataclass(frozen=True)
class Curve:
    """A mechanism whose ε can be set anywhere in [``low``, ``high``], and how far its guarantee can be relied on.

    ``against``: the name of the question's reference that its extra cost is counted over; empty for the plain one.
    ``standing``: how far the guarantee can be relied on, with what has to be so (`Guarantee.standing`).
    """

    name: str
    status: Status
    costs: Costs
    low: float = 1e-6
    high: float = 1e6
    against: str = ""
    standing: str = ""

    def __post_init__(self) -> None:
        positive("low", self.low)
        positive("high", self.high)
        if self.low > self.high:
            raise ValueError(f"low is {self.low!r}, above high, {self.high!r}; the range of ε must not be empty.")

    @property
    def counts(self) -> bool:
        """Whether its ε is anybody's protection whatever the data: only if the guarantee is proved."""
        return self.status is Status.PROVED


@dataclass(frozen=True)
class Reference:
    """A way to search that has no ε: without privacy, at random, or alone."""

    name: str
    costs: Callable[[int], Iterator[Array]]


@dataclass(frozen=True)
class Question:
    """The mechanisms that do the same job, and the search without privacy (``plain``) that they are compared with.

    ``others``: what else is drawn. A mechanism that is compared with one of these says so (`Curve.against`).
    """

    curves: tuple[Curve, ...]
    plain: Reference
    others: tuple[Reference, ...] = ()

    def reference(self, curve: Curve) -> Reference:
        """Return the search without privacy that a mechanism's extra cost is counted over."""
        return next((other for other in self.others if other.name == curve.against), self.plain)


@dataclass(frozen=True, eq=False)
class Mark:
    """One ε and the cost of each run there, run 0 first."""

    epsilon: float
    costs: Array

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return len(self.costs)

    @property
    def mean(self) -> float:
        """Return the mean cost."""
        return float(self.costs.mean())

    @property
    def standard_error(self) -> float:
        """Return s/√runs, NaN for a single run."""
        return standard_error(self.costs)

    def above(self, plain: Array) -> "Mark":
        """Return the extra cost over ``plain``, run by run, over the runs that both have."""
        shared = min(len(self.costs), len(plain))
        return Mark(self.epsilon, self.costs[:shared] - plain[:shared])


@dataclass(frozen=True, eq=False)
class Sweep:
    """How far a sweep has got: costs of the references, by name, and marks in order of ε, by mechanism.

    ``outlined``: all of the coarse grid has its first runs. ``complete``: nothing more will come.
    """

    references: Mapping[str, Array] = field(default_factory=dict)
    marks: Mapping[str, tuple[Mark, ...]] = field(default_factory=dict)
    outlined: bool = False
    complete: bool = False

    @property
    def runs(self) -> int:
        """The fewest runs that a mark has; 0 while there is none."""
        return min((mark.runs for marks in self.marks.values() for mark in marks), default=0)

    @property
    def total(self) -> int:
        """How many runs there are in all, over all marks and references."""
        marks = sum(mark.runs for known in self.marks.values() for mark in known)
        return marks + sum(len(costs) for costs in self.references.values())

    def extra(self, name: str, plain: str) -> tuple[Mark, ...]:
        """Return a mechanism's marks as the extra cost over a reference, where there is one run of both at least."""
        known = self.references.get(plain)
        if known is None or not len(known):
            return ()
        return tuple(mark.above(known) for mark in self.marks.get(name, ()))


def standard_error(values: Array) -> float:
    """Return s/√n with n − 1 degrees of freedom, NaN for fewer than two values."""
    return float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.nan


def front(curves: Sequence[Curve], marks: Mapping[str, Sequence[Mark]]) -> list[tuple[str, Mark]]:
    """Return the marks that no other beats in ε and in mean cost at once, in order of ε, with their mechanisms' names.

    Marks of a mechanism whose guarantee is claimed or refuted, or has an assumption that is not met, neither appear nor
    beat anything.
    """
    counted = [(curve.name, mark) for curve in curves if curve.counts for mark in marks.get(curve.name, ())]
    found: list[tuple[str, Mark]] = []
    for name, mark in sorted(counted, key=lambda pair: (pair[1].epsilon, pair[1].mean)):
        if not found or mark.mean < found[-1][1].mean:
            found.append((name, mark))
    return found
