"""A share that was counted, with its limits; and how often one may look without erring more often than stated."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from scipy.special import betainccinv, betaincinv

from privbo_core.errors import probability, whole

LAST = 0.8
"""The part of the error that the last look gets: it has all trials, and should lose as little as possible."""


@dataclass(frozen=True)
class Look:
    """Look ``number`` (1, 2, …) of the ``of`` looks that will be taken at one growing set of trials.

    A limit that errs in a share α of cases errs more often if it is judged again and again, and the first time counts.
    So each look gets a part of α, and the parts add up to 1: the last `LAST`, those before it equal parts of the rest.
    The chance that *any* look errs is then at most α, however the looks depend on each other (Bonferroni), so a claim
    that one look refuted stays refuted. ``of`` must be settled before the first look; stopping earlier does no harm.
    Raises ValueError unless both are whole numbers and 1 ≤ ``number`` ≤ ``of``.
    """

    number: int = 1
    of: int = 1

    def __post_init__(self) -> None:
        whole("of (all looks)", self.of)
        if whole("number (of this look)", self.number) > self.of:
            raise ValueError(f"number (of this look) is {self.number!r}; there are {self.of} looks.")

    @property
    def part(self) -> float:
        """The part of the error that this look may spend."""
        if self.of == 1:
            return 1.0
        return LAST if self.number == self.of else (1.0 - LAST) / (self.of - 1)

    def confidence(self, jointly: float = 0.95) -> float:
        """Return the confidence of this look alone, 1 − part·(1 − ``jointly``), that keeps all at ``jointly``."""
        return 1.0 - self.part * (1.0 - probability("jointly", jointly))

    @classmethod
    def all(cls, of: int) -> tuple["Look", ...]:
        """Return the looks 1, 2, …, ``of``."""
        return tuple(cls(number, of) for number in range(1, whole("of (all looks)", of) + 1))


@dataclass(frozen=True)
class Share:
    """An event that was promised in a share ``promised`` of cases, seen in ``held`` of ``cases`` independent ones.

    ``low`` and ``high`` are Clopper and Pearson's limits: the true share lies beyond either with probability
    (1 − ``confidence``)/2 at most.
    """

    held: int
    cases: int
    promised: float
    confidence: float = 0.95

    def __post_init__(self) -> None:
        whole("cases", self.cases)
        if whole("held", self.held, least=0) > self.cases:
            raise ValueError(f"held is {self.held!r}; there were {self.cases} cases.")
        probability("confidence", self.confidence)

    @property
    def value(self) -> float:
        """The share seen."""
        return self.held / self.cases

    @cached_property
    def low(self) -> float:
        """The lower limit of the true share."""
        error = 0.5 * (1.0 - self.confidence)
        return float(betaincinv(self.held, self.cases - self.held + 1, error)) if self.held else 0.0

    @cached_property
    def high(self) -> float:
        """The upper limit of the true share."""
        error = 0.5 * (1.0 - self.confidence)
        return float(betainccinv(self.held + 1, self.cases - self.held, error)) if self.held < self.cases else 1.0

    @property
    def verdict(self) -> Literal["refuted", "not refuted"]:
        """Whether even the upper limit lies below the promised share: then it is refuted. Never "proved"."""
        return "refuted" if self.high < self.promised else "not refuted"
