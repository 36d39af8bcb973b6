"""What both parties know: how inputs were released, what the outcomes are called, and how they are answered."""

import math
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any

import pandas as pd
from msgspec import Meta

from privbo_core import files
from privbo_core.data import Frame, Marks
from privbo_core.data.frame import frame_as_json, frame_from_json
from privbo_core.data.marks import PLAIN, SHARES
from privbo_core.errors import DataError
from privbo_core.outsourced.answers import Private, check_epsilon
from privbo_core.outsourced.noisy import noisy_guarantee, reach, refuse_columns
from privbo_core.privacy import Condition, Gaussian, Guarantee, Noise, Radial, Status, TradeOff, line_of, noise_of
from privbo_core.records import Finite, Line, Text, UpToInfinity, checked

MOST_RELEASES = 1_000_000  # More releases than anybody makes of one table.


@dataclass(frozen=True, eq=False)
class ReleaseTerms:
    """What a release of noisy inputs promises, and which one it is.

    (ε, δ) for records that differ by ``protected_distance`` hidden changes of the ``frame`` or less; ∞ for the whole
    record. δ is 0 with ``noise`` "laplace", of the L2 shape, and above 0 with "gaussian". ``release`` counts the
    releases of one table from 1; ``made`` is the time in UTC, as ISO 8601 has it. ``looked``: ε was chosen after
    searches on these records, so that the promise is conditional on that, too.
    """

    frame: Frame
    epsilon: float
    delta: float
    protected_distance: UpToInfinity
    release: Annotated[int, Meta(ge=1, le=MOST_RELEASES)]
    made: str
    noise: Noise = field(default="gaussian", kw_only=True)
    looked: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        checked("the release", self)
        check_epsilon("the release", self.epsilon, self.delta, self.noise)
        refuse_columns(self.noise, self.frame.d)
        if not self.protected_distance > 0:
            raise DataError(
                f"protected_distance of the release is {self.protected_distance:g}; it must be above 0 (∞: the record)."
            )
        files.check_time("made", self.made)

    @cached_property
    def mechanism(self) -> Gaussian | Radial:
        """The noise, in hidden changes: the least of its shape that keeps the promise."""
        return noise_of(self.noise, self.reach(self.protected_distance), self.epsilon, self.delta, self.frame.d)

    def reach(self, distance: float) -> float:
        """Return how far apart records can lie once placed that are ``distance`` hidden changes apart or less."""
        return reach(self.frame.bounds, distance)

    @property
    def sigma(self) -> float:
        """The noise standard deviation in each column, in hidden changes."""
        return self.mechanism.sigma

    @property
    def line(self) -> TradeOff:
        """What the best attacker can tell of two records as far apart as is protected."""
        return line_of(self.mechanism)

    @property
    def neighbours(self) -> str:
        """Between which tables the promise holds, in the columns' own units."""
        if self.protected_distance == math.inf:
            return "two tables with the same complete records but one, which may be any other complete one"
        alone = ", or ".join(
            f"{self.protected_distance * column.hide:.4g}{f' {column.unit}' if column.unit else ''} of {column.name}"
            for column in self.frame.columns
        )
        several = "; if several change, by changes that, divided by these, have a root sum of squares of 1 or less"
        return f"two tables that differ in one record by at most {alone}{several if self.frame.d > 1 else ''}"

    @property
    def guarantee(self) -> Guarantee:
        """What is promised, and how far that can be relied on."""
        return noisy_guarantee(self.epsilon, self.delta, self.neighbours, self.frame, looked=self.looked)

    def terms_as_json(self) -> dict[str, Any]:
        """Return these terms as an object that JSON can hold."""
        whole = self.protected_distance == math.inf
        return {
            "release": self.release,
            "made": self.made,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "noise": self.noise,
            "sigma": self.sigma,
            "protected_distance": None if whole else self.protected_distance,
            "looked": self.looked,
            "frame": frame_as_json(self.frame),
        }


@dataclass(frozen=True)
class TermsRecord:
    """`ReleaseTerms` as they stand in a file."""

    release: int
    made: Text
    epsilon: Finite
    delta: Finite
    noise: Noise
    sigma: Finite
    protected_distance: UpToInfinity | None
    looked: bool
    frame: dict[str, Any]

    def terms(self) -> dict[str, Any]:
        """Return the fields of the terms; raise DataError if they do not fit together."""
        distance = math.inf if self.protected_distance is None else self.protected_distance
        parts = {name: getattr(self, name) for name in ("epsilon", "delta", "noise", "looked", "release", "made")}
        parts |= {"frame": frame_from_json(self.frame), "protected_distance": distance}
        fitting = ReleaseTerms(**parts).sigma
        if not math.isclose(self.sigma, fitting, rel_tol=1e-6):
            raise DataError(
                f"sigma of the release is {self.sigma:g} where its ε, δ and frame ask for {fitting:g}; one of them was "
                "changed, so ask for the file again."
            )
        return parts


@dataclass(frozen=True)
class Outcome:
    """What is measured. ``marks``: how its numbers are written in the holder's table, None for plainly."""

    name: Line
    unit: Line = ""
    larger_is_better: bool = True
    marks: Marks | None = None

    def __post_init__(self) -> None:
        checked("the outcome", self)
        if not self.name.strip():
            raise DataError("name of the outcome is empty; write what is measured.")

    def __str__(self) -> str:
        """Return the name, and the unit if there is one: ``glucose (mg/dL)``."""
        return f"{self.name} ({self.unit})" if self.unit else self.name

    def as_json(self) -> dict[str, Any]:
        """Return it as an object that JSON can hold: without marks where there are none."""
        return {part: value for part, value in asdict(self).items() if value is not None}


def written_alike(outcome: Outcome, frame: Frame, table: pd.DataFrame | None = None) -> Outcome:
    """Return the outcome, written as is proposed for its own column of a ``table`` that `load_table` read.

    Where nothing is, it is written as the columns of the table's frame are, which is as public as they are.
    """
    alike = replace(frame.common, unit="" if outcome.unit in SHARES else outcome.unit)
    marks = alike if table is None else table.attrs.get("marks", {}).get(outcome.name, alike)
    return replace(outcome, marks=None if marks == PLAIN else marks)


SOURCES: dict[Noise, str] = {
    "gaussian": "Balle, Wang (ICML 2018), Theorem 8",
    "laplace": "Dwork, McSherry, Nissim, Smith (TCC 2006), Laplace noise",
}


def answers_guarantee(private: Private, outcome: Outcome) -> Guarantee:
    """Return what private answers promise: proved if the range was known before, conditional on that otherwise."""
    unit = f" {outcome.unit}" if outcome.unit else ""
    said = private.public
    condition = (
        "Range, hidden change and how outcomes are written were known before anyone looked at the outcomes, which "
        f"nobody has checked: {private.known_from.strip()}"
        if said
        else "It holds if range, hidden change and how outcomes are written were known before anyone looked at the "
        "outcomes. Nothing says so: if they were read off the outcomes, other people's answers can tell of the one who "
        "was farthest out."
    )
    return Guarantee(
        protects="the outcome of each record, the measurement of one person",
        against="the modeler and everybody else who receives the answers",
        neighbours=f"one record's {outcome.name} differs by {private.hide:,.10g}{unit} or less",
        epsilon=private.epsilon,
        delta=private.delta,
        assumptions=(
            "A record is known by all that the table says of it but the outcome. Of records that nothing else tells "
            "apart one alone is answered; who stands in the table twice, told apart, is answered twice.",
            "That a row was asked for, and whether it could be answered, is not protected.",
            "No other record's outcome depends on this one.",
        ),
        status=Status.PROVED if said else Status.CONDITIONAL,
        source=f"{SOURCES[private.noise]}, once for each record: answers on different records compose in parallel",
        conditions=(
            Condition("the outcome’s range was known beforehand", condition, unmet=not said),
            Condition(
                "the ledger is kept",
                "Each record is answered once; asked again, its answer is repeated. So ε does not grow with the tests. "
                "It takes the ledger for that: one that is lost, or an older copy of it, does not know what was "
                "answered.",
            ),
        ),
    )
