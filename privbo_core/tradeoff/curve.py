"""Mechanisms to compare over ε, the costs that are known so far, and the front of the best ones."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from privbo_core.errors import Array, positive
from privbo_core.privacy import Status

Costs = Callable[[float, int], Iterator[Array]]
"""A function from ε and a number of runs to an iterator over the costs of these runs.

Each array has the costs of the runs 0, 1, … that are complete so far, and the last one has all of them. Run k uses the
same random numbers at every ε and in every mechanism of a question. Closing the iterator ends the computation.
"""


@dataclass(frozen=True)
class Curve:
    """A mechanism whose ε can be set to any value from ``low`` to ``high``, with the status of its guarantee.

    ``against`` is the name of the reference that its costs are compared with. If it is empty, that is the question's
    ``plain`` reference. ``standing`` describes how far the guarantee can be relied on, with its conditions
    (`Guarantee.standing`).
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
            raise ValueError(f"low is {self.low!r}, above high, {self.high!r}, but the range of ε must not be empty.")

    @property
    def counts(self) -> bool:
        """Whether the guarantee is proven. Only then does ε protect the records whatever the data are."""
        return self.status is Status.PROVED


@dataclass(frozen=True)
class Reference:
    """A search that has no ε: without privacy, at random, or without sharing."""

    name: str
    costs: Callable[[int], Iterator[Array]]


@dataclass(frozen=True)
class Question:
    """Mechanisms for the same task, and the search without privacy (``plain``) that they are compared with.

    ``others`` are further references. `Curve.against` names one of them if a mechanism is compared with it instead.
    """

    curves: tuple[Curve, ...]
    plain: Reference
    others: tuple[Reference, ...] = ()

    def reference(self, curve: Curve) -> Reference:
        """Return the reference that a mechanism is compared with."""
        return next((other for other in self.others if other.name == curve.against), self.plain)


@dataclass(frozen=True, eq=False)
class Mark:
    """One ε and the cost of each run at it, in order of the runs."""

    epsilon: float
    costs: Array

    @property
    def runs(self) -> int:
        """The number of runs."""
        return len(self.costs)

    @property
    def mean(self) -> float:
        """The mean cost."""
        return float(self.costs.mean())

    @property
    def standard_error(self) -> float:
        """The standard error s/√runs of the mean cost, NaN for a single run."""
        return standard_error(self.costs)

    def above(self, plain: Array) -> "Mark":
        """Return the extra cost over ``plain`` in each of the runs that both have."""
        shared = min(len(self.costs), len(plain))
        return Mark(self.epsilon, self.costs[:shared] - plain[:shared])


@dataclass(frozen=True, eq=False)
class Sweep:
    """The state of a sweep.

    ``references`` has the costs of each reference by name. ``marks`` has the marks of each mechanism by name, in order
    of ε. ``outlined`` is true once every ε of the coarse grid has its first runs. ``complete`` is true at the end.
    """

    references: Mapping[str, Array] = field(default_factory=dict)
    marks: Mapping[str, tuple[Mark, ...]] = field(default_factory=dict)
    outlined: bool = False
    complete: bool = False

    @property
    def runs(self) -> int:
        """The smallest number of runs of a mark, or 0 if there is no mark."""
        return min((mark.runs for marks in self.marks.values() for mark in marks), default=0)

    @property
    def total(self) -> int:
        """The number of runs of all marks and references together."""
        marks = sum(mark.runs for known in self.marks.values() for mark in known)
        return marks + sum(len(costs) for costs in self.references.values())

    def extra(self, name: str, plain: str) -> tuple[Mark, ...]:
        """Return a mechanism's marks as extra costs over the reference ``plain``, or none before its first run."""
        known = self.references.get(plain)
        if known is None or not len(known):
            return ()
        return tuple(mark.above(known) for mark in self.marks.get(name, ()))


def standard_error(values: Array) -> float:
    """Return s/√n with n − 1 degrees of freedom, NaN for fewer than two values."""
    return float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.nan


def front(curves: Sequence[Curve], marks: Mapping[str, Sequence[Mark]]) -> list[tuple[str, Mark]]:
    """Return the Pareto front of ε and mean cost, as pairs of a mechanism's name and a mark, in order of ε.

    No other mark has a smaller or equal ε and a smaller or equal mean cost. Only mechanisms with a proven guarantee
    (`Curve.counts`) are considered. A guarantee that is claimed or refuted, or has an assumption that is not met, is
    left out.
    """
    candidates = [(curve.name, mark) for curve in curves if curve.counts for mark in marks.get(curve.name, ())]
    pareto: list[tuple[str, Mark]] = []
    for name, mark in sorted(candidates, key=lambda pair: (pair[1].epsilon, pair[1].mean)):
        if not pareto or mark.mean < pareto[-1][1].mean:
            pareto.append((name, mark))
    return pareto
