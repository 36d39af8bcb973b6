"""The papers' tables and figures as plain values, and the results of computing them."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from privbo_core.errors import Array, whole

Value = float | int | str | bool
Data = Literal["own", "other", "made up"]
"""The data of an experiment: the paper's own (or drawn as the paper's was), another table, or a drawn stand-in."""
Task = Literal["outsourced", "condition", "federated", "accountant", "bounds"]
"""The name of the function in `privbo_core.experiments.tasks` that computes an arm."""
Kind = Literal["table", "curves", "sweep", "privacy"]
"""The shape of an experiment's figure."""


@dataclass(frozen=True)
class Measured:
    """The measures of one replicate, and its curve over the iterations if the settings ask for one."""

    measures: Mapping[str, float]
    curve: Array | None = None


@dataclass(frozen=True)
class Arm:
    """One setting to run.

    ``settings`` are plain JSON values that the task understands. ``once`` marks a result without randomness, which
    needs a single replicate.
    """

    name: str
    task: Task
    settings: Mapping[str, Value]
    once: bool = False

    @property
    def digest(self) -> str:
        """Return eight characters that change with the task or its settings, so that stale results are not reused."""
        content = json.dumps([self.task, dict(self.settings)], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:8]


@dataclass(frozen=True)
class Number:
    """A printed number, compared with an arm's ``measure``, from which the arm ``minus`` is subtracted if named.

    ``exact`` is the number of printed decimals of a result without randomness, which must agree to the last of them.
    ``counted`` is False for a comparison at settings other than the paper's, which summaries leave out. ``group`` is
    the heading of the number's row.
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
    """A statement of a paper that can be tested.

    Each ``kind`` requires a margin of two standard errors of the paired difference:

    - "below": the first arm's ``measure`` is below that of each other arm.
    - "best": the same, where the others are all of the alternatives.
    - "near": the first arm's measure exceeds that of no other arm by more than ``level``.
    - "at least": the measure of each arm is at least ``level``.

    ``counted`` is False for what the paper's text does not state of this table, figure or theorem.
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

    Size: ``runs`` replicates are stored, and each is one ``unit``, such as one run, or one function with 50 runs on it.
    ``per_print`` replicates are averaged in each printed number. ``piece`` replicates are computed and stored together.

    Reading the result: ``stands_in`` describes the data that replace the paper's, and ``data`` classifies them.
    ``left_open`` lists what the paper does not specify, ``why`` lists reasons for differences, ``chosen`` names a
    choice that was made to match the printed numbers, and ``no_numbers`` explains why a paper prints none.

    Figure: ``kind`` is its shape, ``curves`` are the arms to draw in order, and a sweep varies the setting ``x_key``.
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
        names = {arm.name for arm in self.arms}
        if len(names) < len(self.arms):
            raise ValueError(f"{self.name} has two arms with the same name.")
        used = {number.arm for number in self.numbers}
        used |= {number.minus for number in self.numbers if number.minus}
        used |= {arm for claim in self.claims for arm in claim.arms}
        used |= set(self.curves)
        if missing := sorted(used - names):
            raise ValueError(f"{self.name} refers to the arm {missing[0]!r}, which it does not have.")

    def arm(self, name: str) -> Arm:
        """Return the arm with that name."""
        return next(arm for arm in self.arms if arm.name == name)

    def printed(self, arm: str, measure: str) -> tuple[float, str] | None:
        """Return the number printed for an arm's measure and the arm it is relative to, or None if there is none."""
        for number in self.numbers:
            if (number.arm, number.measure) == (arm, measure) and number.exact is None:
                return number.printed, number.minus
        return None

    def pieces(self, runs: int | None = None, piece: int | None = None) -> tuple["Piece", ...]:
        """Split ``runs`` replicates of each arm into pieces of ``piece`` replicates, of which the last may be shorter.

        The pieces of all arms alternate, so that a partial result already compares them. Raises ValueError unless both
        numbers are whole and at least 1.
        """
        runs = whole("runs", self.runs if runs is None else runs)
        size = whole("piece", self.piece if piece is None else piece)
        pieces = []
        for first in range(0, runs, size):
            for arm in self.arms:
                if not arm.once:
                    pieces.append(Piece(self.name, arm, first, min(size, runs - first)))
                elif first == 0:
                    pieces.append(Piece(self.name, arm, 0, 1))
        return tuple(pieces)


Key = tuple[str, str, str, int, int]
"""The identity of a piece: experiment, arm, digest of the settings, first replicate, number of replicates."""


@dataclass(frozen=True)
class Piece:
    """The unit of work: the replicates ``first`` to ``first + count − 1`` of one arm."""

    experiment: str
    arm: Arm
    first: int
    count: int

    @property
    def key(self) -> Key:
        """Return the key under which the result is stored."""
        return self.experiment, self.arm.name, self.arm.digest, self.first, self.count


@dataclass(frozen=True)
class Outcome:
    """The result of a piece: the values of each measure by replicate, and the sums of the curves and their squares."""

    experiment: str
    arm: str
    digest: str
    first: int
    measures: Mapping[str, tuple[float, ...]]
    curve: tuple[float, ...] = ()
    squares: tuple[float, ...] = ()

    @property
    def count(self) -> int:
        """Return the number of replicates."""
        return len(next(iter(self.measures.values())))

    @property
    def key(self) -> Key:
        """Return the key of the piece that was computed."""
        return self.experiment, self.arm, self.digest, self.first, self.count

    def as_json(self) -> str:
        """Return the outcome as one line of JSON."""
        fields = {name: value for name, value in vars(self).items() if value != ()}
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> "Outcome":
        """Build an outcome from a parsed line and ignore unknown fields. Raises ValueError if the line is malformed."""
        first, measures = fields.get("first"), fields.get("measures")
        if type(first) is not int or not isinstance(measures, dict) or not measures:
            raise ValueError("An outcome needs the number of its first replicate and at least one measure.")
        return cls(
            experiment=_text(fields.get("experiment")),
            arm=_text(fields.get("arm")),
            digest=_text(fields.get("digest")),
            first=first,
            measures={name: _floats(values) for name, values in measures.items()},
            curve=_floats(fields.get("curve", [])),
            squares=_floats(fields.get("squares", [])),
        )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("An outcome needs the names of an experiment and an arm, and a digest.")
    return value


def _floats(values: object) -> tuple[float, ...]:
    if not isinstance(values, list) or not all(type(value) in (int, float) for value in values):
        raise ValueError("The values of an outcome must be a list of numbers.")
    return tuple(float(value) for value in values)
