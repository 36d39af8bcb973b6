"""What both parties know of the outcomes: what they are called, and how they are answered."""

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from privbo_core import files
from privbo_core.data.frame import FINEST
from privbo_core.errors import DataError
from privbo_core.privacy import Guarantee, Status, gaussian_sigma


@dataclass(frozen=True)
class Outcome:
    """What is measured: its name and unit, and whether larger is better."""

    name: str
    unit: str = ""
    larger_is_better: bool = True

    def __post_init__(self) -> None:
        if not files.text("name of the outcome", self.name).strip():
            raise DataError("name of the outcome is empty; write what is measured.")
        files.text("unit of the outcome", self.unit)
        files.truth("larger_is_better of the outcome", self.larger_is_better)

    def __str__(self) -> str:
        """Return the name, and the unit if there is one: ``glucose (mg/dL)``."""
        return f"{self.name} ({self.unit})" if self.unit else self.name

    def as_json(self) -> dict[str, Any]:
        """Return it as an object that JSON can hold."""
        return asdict(self)

    @classmethod
    def from_json(cls, found: object) -> "Outcome":
        """Return what `as_json` made such an object of; raise DataError for any other."""
        return cls(**files.keys("The outcome", found, ("name", "unit", "larger_is_better")))


@dataclass(frozen=True)
class Private:
    """How outcomes are answered privately: clipped to [``low``, ``high``], with Gaussian noise, each record once.

    All but ε and δ in the outcome's unit. Of two outcomes that one record might have, ``hide`` or less apart, an answer
    does not tell which, at (ε, δ). ``known_from`` says from where low, high and hide were known before anyone looked at
    the outcomes; empty if they were read off them.
    """

    low: float
    high: float
    hide: float
    epsilon: float
    delta: float
    known_from: str = ""

    def __post_init__(self) -> None:
        for part in ("low", "high", "hide", "epsilon", "delta"):
            object.__setattr__(self, part, files.number(f"{part} of private answers", getattr(self, part)))
        files.text("known_from of private answers", self.known_from)
        if not self.low < self.high:
            raise DataError(f"low of private answers is {self.low:g} and high {self.high:g}; low must be below high.")
        if not self.hide > FINEST * (self.high - self.low):
            raise DataError(
                f"hide of private answers is {self.hide:g}; it must be above 0, and above a billionth of the range."
            )
        if not self.epsilon > 0:
            raise DataError(f"epsilon of private answers is {self.epsilon:g}; it must be above 0.")
        if not 0 < self.delta < 1:
            raise DataError(f"delta of private answers is {self.delta:g}; it must lie strictly between 0 and 1.")

    @property
    def sensitivity(self) -> float:
        """By how much one record's answer can move before noise: the hidden change, or the range if that is less."""
        return min(self.hide, self.high - self.low)

    @cached_property
    def sigma(self) -> float:
        """The noise standard deviation of each answer, in the outcome's unit."""
        return gaussian_sigma(self.epsilon, self.delta, self.sensitivity)

    def clip(self, outcome: float) -> float:
        """Return the outcome moved into [low, high]."""
        return min(max(outcome, self.low), self.high)

    def as_json(self) -> dict[str, Any]:
        """Return it as an object that JSON can hold."""
        return asdict(self)

    @classmethod
    def from_json(cls, found: object) -> "Private":
        """Return what `as_json` made such an object of; raise DataError for any other."""
        parts = ("low", "high", "hide", "epsilon", "delta", "known_from")
        return cls(**files.keys("The terms of private answers", found, parts))


def answers_guarantee(private: Private, outcome: Outcome) -> Guarantee:
    """Return what private answers promise: proved if the range was known before, conditional on that otherwise."""
    unit = f" {outcome.unit}" if outcome.unit else ""
    said = bool(private.known_from.strip())
    condition = (
        f"Range and hidden change were known before anyone looked at the outcomes: {private.known_from.strip()}"
        if said
        else "It holds if range and hidden change were known before anyone looked at the outcomes. Nothing says so: "
        "if they were read off the outcomes, other people's answers can tell of the one who was farthest out."
    )
    return Guarantee(
        protects="the outcome of each record, the measurement of one person",
        against="the modeler and everybody else who receives the answers",
        neighbours=f"one record's {outcome.name} differs by {private.hide:g}{unit} or less",
        epsilon=private.epsilon,
        delta=private.delta,
        assumptions=(
            condition,
            "Each record is answered once; asked again, its answer is repeated. So ε does not grow with the tests.",
            "That a row was asked for, and that its record has an outcome, is not protected.",
            "No other record's outcome depends on this one.",
        ),
        status=Status.PROVED if said else Status.CONDITIONAL,
        source="Balle, Wang (ICML 2018), Theorem 8, once for each record: answers on different records compose in "
        "parallel",
    )
