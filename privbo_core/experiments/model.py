"""What a paper's table or figure is, as data: arms to run, printed numbers, claims in words."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from privbo_core.errors import Array, whole

Value = float | int | str | bool
Data = Literal["own", "other", "made up"]  # Whose data an experiment runs on, next to the paper's.
Task = Literal["outsourced", "condition", "federated", "accountant", "bounds"]
"""What computes an arm; `privbo_core.experiments.tasks` has one function for each."""
Kind = Literal["table", "curves", "sweep", "privacy"]
"""What an experiment's picture is."""


@dataclass(frozen=True)
class Measured:
    """What one replicate yields."""

    measures: Mapping[str, float]
    curve: Array | None = None


@dataclass(frozen=True)
class Arm:
    """One setting that is run. ``settings`` are the task's, as plain JSON values.

    ``once``: the result has no randomness, so one replicate is all there is.
    """

    name: str
    task: Task
    settings: Mapping[str, Value]
    once: bool = False

    @property
    def digest(self) -> str:
        """Eight characters that change when task or settings do, so that a stored result is never taken for another."""
        content = json.dumps([self.task, dict(self.settings)], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:8]


@dataclass(frozen=True)
class Number:
    """A printed number and what it is compared with: an arm's ``measure``, less that of the arm ``minus`` if named.

    ``exact``: no randomness, so it must agree to the printed digit (this many decimals). ``counted`` is False for a
    comparison at settings that are not the paper's own, which the summary leaves out. ``group`` heads its row.
    """

    label: str
    printed: float
    arm: str
    measure: str = "last"
    minus: str = ""
    exact: int | None = None
    group: str = ""
    counted: bool = True


@dataclass(frozen=True)
class Claim:
    """Something that a paper says in words, made testable.

    ``kind`` "below": the first arm's ``measure`` is below each other arm's, by two standard errors of the paired
    difference. "best": the same, of an arm that is compared with all others, the next best included. "near": the first
    arm's measure exceeds no other's by more than ``level``, by two standard errors. "at least": the measure of each arm
    is at least ``level``, by two standard errors. ``counted`` as in `Number`.
    """

    text: str
    kind: Literal["below", "best", "near", "at least"]
    arms: tuple[str, ...]
    measure: str = "last"
    level: float = 0.0
    counted: bool = True


@dataclass(frozen=True)
class Experiment:
    """One table or figure.

    ``runs``: how many replicates are stored; a replicate is one ``unit`` (one run on the same data, or a function of
    its own with 50 runs on it). ``per_print``: how many replicates one printed number is a mean of. ``piece``: how many
    replicates are computed and kept together. ``stands_in``: which data takes the place of the paper's. ``left_open``:
    what the paper does not say. ``why``: reasons for which numbers may differ. ``no_numbers``: that none are printed.
    ``data``: "own" is the paper's, or drawn as it was; "other" another table, on which nothing counts as agreement or
    disagreement; "made up" is drawn to have what the paper's story needs, and tests that story, not its numbers.
    ``chosen``: what was chosen so that numbers come out, which is said beside every agreement.
    ``kind``: what its picture is: numbers against r, curves over iterations, a measure against the arms' setting
    ``x_key``, or utility against privacy loss. ``curves``: the arms drawn, in order.
    """

    name: str
    title: str
    paper: str
    about: str
    arms: tuple[Arm, ...]
    numbers: tuple[Number, ...] = ()
    claims: tuple[Claim, ...] = ()
    runs: int = 50
    unit: str = "runs"
    per_print: int = 50
    piece: int = 10
    measure: str = "last"
    measure_name: str = "simple regret after the last evaluation, in σ_y"
    x_name: str = ""
    stands_in: str = ""
    left_open: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    no_numbers: str = ""
    data: Data = "own"
    chosen: str = ""
    kind: Kind = "curves"
    x_key: str = ""
    curves: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        names = [arm.name for arm in self.arms]
        if len(set(names)) < len(names):
            raise ValueError(f"{self.name} has two arms of one name.")
        used = [*(n.arm for n in self.numbers), *(n.minus for n in self.numbers if n.minus), *self.curves]
        for name in [*used, *(arm for claim in self.claims for arm in claim.arms)]:
            if name not in names:
                raise ValueError(f"{self.name} speaks of the arm {name!r}, which it does not have.")

    def arm(self, name: str) -> Arm:
        """Return the arm of that name."""
        return next(arm for arm in self.arms if arm.name == name)

    def printed(self, arm: str, measure: str) -> tuple[float, str] | None:
        """Return the number that the paper prints for an arm's measure, and the arm that it is less; None if none."""
        found = (n for n in self.numbers if (n.arm, n.measure) == (arm, measure) and n.exact is None)
        return next(((n.printed, n.minus) for n in found), None)

    def pieces(self, runs: int | None = None, piece: int | None = None) -> tuple["Piece", ...]:
        """Return the pieces that ``runs`` replicates are made of, ``piece`` replicates each (the last may be shorter).

        Replicates first, arms second: all arms grow together, so that a partial result already compares them.
        Raises ValueError unless both are whole numbers of at least 1.
        """
        runs = whole("runs", self.runs if runs is None else runs)
        size = whole("piece", self.piece if piece is None else piece)
        return tuple(
            Piece(self.name, arm, first, 1 if arm.once else min(size, runs - first))
            for first in range(0, runs, size)
            for arm in self.arms
            if not (arm.once and first)
        )


@dataclass(frozen=True)
class Piece:
    """The smallest amount of work worth keeping: one arm, replicates ``first`` … ``first + count − 1``."""

    experiment: str
    arm: Arm
    first: int
    count: int

    @property
    def key(self) -> tuple[str, str, str, int, int]:
        """What a result is stored under."""
        return self.experiment, self.arm.name, self.arm.digest, self.first, self.count


@dataclass(frozen=True)
class Outcome:
    """A finished piece: each measure's value in each replicate, and of a curve the sums of values and of squares.

    Outcomes with the same numbers are equal, wherever they come from.
    """

    experiment: str
    arm: str
    digest: str
    first: int
    measures: Annotated[Mapping[str, tuple[float, ...]], Meta(min_length=1)]
    curve: tuple[float, ...] = ()
    squares: tuple[float, ...] = ()

    @property
    def count(self) -> int:
        """The number of replicates."""
        return len(next(iter(self.measures.values())))

    @property
    def key(self) -> tuple[str, str, str, int, int]:
        """As `Piece.key`."""
        return self.experiment, self.arm, self.digest, self.first, self.count

    def as_json(self) -> str:
        """Return the outcome on one line."""
        fields = {name: value for name, value in vars(self).items() if value != ()}
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_fields(cls, fields: Mapping[str, object]) -> "Outcome":
        """Build an outcome from a parsed line, without what else earlier versions kept there. Raises ValueError."""
        return msgspec.convert(fields, cls)
