"""What was decided, as a file that a workbench takes as its order. Nothing in it was computed from the data."""

from dataclasses import asdict, dataclass, fields
from datetime import date
from typing import Any, Literal, get_args

from privbo_core import files
from privbo_core.bo import Search
from privbo_core.data import Frame
from privbo_core.data.frame import WRITTEN, frame_as_json, frame_from_json
from privbo_core.data.make import STARTS
from privbo_core.errors import DataError
from privbo_core.outsourced import noisy_guarantee
from privbo_core.outsourced.noisy import refuse_columns
from privbo_core.outsourced.parties.terms import Outcome
from privbo_core.privacy import Guarantee, Noise, line_of, noise_of, strength

FORMAT, VERSION, OLDEST = "privbo order", 4, 1
PURPOSE = "outsource the search, with noisy inputs"
MAX_BYTES = 400_000
"""Twice what the largest frame needs."""
MOST_TESTS = 1_000_000
LONGEST = {"name": 80, "role": 80, "subject": 120, "notes": 600}
"""How many characters a text may have, so that a decision fits on a page."""
MOST_PEOPLE = 6
PARTS = ("frame", "outcome", "epsilon", "delta", "tests", "people", "day", "subject", "notes", "frame_accepted")
Source = Literal["frame", "data"]
"""By what an ε was chosen: by searches in tables made up in the frame, or after searches on the data."""
HELD = "if the frame was known before anyone looked at the data, which nobody has checked"
"""What the protection rests on, whatever the frame says."""
LOOKED = "and ε was chosen after searches on the data, which is not counted"
"""What it rests on, too, where ε was chosen so."""
WRITER = "sign a decision on the page Decide and download its order anew"


@dataclass(frozen=True)
class Person:
    """Who decided: a name, and the role in which."""

    name: str
    role: str = ""

    def __post_init__(self) -> None:
        for part in ("name", "role"):
            _text(part, f"{part} of who decided", getattr(self, part))
        if not self.name.strip():
            raise DataError("name of who decided is empty; write a name.")


@dataclass(frozen=True)
class Simulated:
    """How the searches were simulated that a decision rests on: whoever has the table finds the same cost with it.

    On a machine that rounds otherwise, the cost agrees within rounding. What people chose, never what was learned from
    the data: learning the length-scales ended after so many ``starts``, this was the ``search``, and no row was asked
    for twice (``once``). Orders of version 3 say whether the outcome counted as its logarithm (``log_outcome``); that
    is proposed by how skewed it is, so later ones do not.
    """

    log_outcome: bool | None = None
    starts: int = STARTS
    search: Search = "ucb/5"
    once: bool = True

    def __post_init__(self) -> None:
        if self.log_outcome is not None:
            files.truth("log_outcome of the order", self.log_outcome)
        files.whole_number("starts of the order", self.starts, 0, STARTS)
        if self.search not in get_args(Search):
            known = ", ".join(map(repr, get_args(Search)))
            raise DataError(f"search of the order is {files.short(self.search)}; it must be one of {known}.")
        files.truth("once of the order", self.once)


@dataclass(frozen=True)
class Decision:
    """A table's inputs may leave in this ``frame`` at (ε, δ), so that somebody else searches for the best ``outcome``.

    δ is 0 for noise of the L2 shape (`pb.privacy.Radial`), which programs that know Gaussian noise alone refuse.
    ``tests``: how many are planned. ``people`` decided it on a ``day`` (as in 2026-03-31). ``subject``: the table, in
    words for others; ``notes`` for others too. ``frame_accepted``: they know that the frame does not say from where
    every column was known. ``epsilon_from``: by what ε was chosen. ``version``: that of the file in which it was
    signed; before the third, none says how searches were ``simulated``, and before the fourth, ε is taken to have been
    chosen after searches on the data. Raises DataError, one sentence, for what cannot be.
    """

    frame: Frame
    outcome: Outcome
    epsilon: float
    delta: float
    tests: int
    people: tuple[Person, ...]
    day: str
    subject: str = ""
    notes: str = ""
    frame_accepted: bool = False
    simulated: Simulated | None = Simulated()
    epsilon_from: Source = "data"
    version: int = VERSION

    def __post_init__(self) -> None:
        if (self.simulated is None) != (self.version < 3):
            raise DataError(
                f"An order says how searches were simulated from version 3 on; this is version {self.version}."
            )
        if self.simulated is not None and (self.simulated.log_outcome is None) != (self.version > 3):
            raise DataError("An order says of version 3 alone whether the outcome counted as its logarithm.")
        if self.epsilon_from not in get_args(Source) or (self.epsilon_from == "frame" and self.version < 4):
            said = files.short(self.epsilon_from)
            raise DataError(f"epsilon_from of the order is {said}; it must be 'data', or from version 4 on 'frame'.")
        for part in ("epsilon", "delta"):
            object.__setattr__(self, part, files.number(f"{part} of the order", getattr(self, part)))
        if not self.epsilon > 0:
            raise DataError(f"epsilon of the order is {self.epsilon:g}; it must be above 0.")
        if not 0 <= self.delta < 1:
            raise DataError(f"delta of the order is {self.delta:g}; it must be 0 (Laplace noise) or between 0 and 1.")
        refuse_columns(self.noise, self.frame.d)
        files.whole_number("tests of the order", self.tests, 1, MOST_TESTS)
        files.truth("frame_accepted of the order", self.frame_accepted)
        for part in ("subject", "notes"):
            _text(part, f"{part} of the order", getattr(self, part))
        _day(self.day)
        object.__setattr__(self, "people", tuple(self.people))
        if not 1 <= len(self.people) <= MOST_PEOPLE:
            raise DataError(f"The order names {len(self.people)} people; it must be one to {MOST_PEOPLE} who decided.")
        if not self.frame.public and not self.frame_accepted:
            unsaid = [*map(repr, self.frame.read_off), *([WRITTEN] if self.frame.guessed else [])]
            raise DataError(
                f"The frame does not say from where {', '.join(unsaid)} was known before "
                "anyone looked at the data: say it on the page Data, or accept that the promise is conditional."
            )

    @property
    def digest(self) -> str:
        """The SHA-256 of all that was decided: two decisions have the same one only if they are the same."""
        return files.digest(files.json_bytes(self._content()))

    @property
    def noise(self) -> Noise:
        """The shape of the noise: the one that needs no δ where that is 0, else Gaussian."""
        return "gaussian" if self.delta else "laplace"

    @property
    def protection(self) -> str:
        """How strongly one record is protected, in words (`pb.privacy.strength`), and what that rests on."""
        line = line_of(noise_of(self.noise, 1.0, self.epsilon, self.delta, self.frame.d))
        looked = f", {LOOKED}" if self.epsilon_from == "data" and self.version > 3 else ""
        return f"{strength(self.guarantee(''), line).word}, {HELD}{looked}"

    def guarantee(self, neighbours: str) -> Guarantee:
        """Return what is promised to others. ``neighbours``: the hidden change in the data's own units."""
        looked = self.epsilon_from == "data"
        return noisy_guarantee(self.epsilon, self.delta, neighbours, self.frame, looked=looked)

    def _content(self) -> dict[str, Any]:
        protection = {"protection": self.protection} if self.version > 1 else {}
        said = {} if self.simulated is None else asdict(self.simulated)
        simulated = {"simulated": {name: value for name, value in said.items() if value is not None}} if said else {}
        chosen = {"epsilon_from": self.epsilon_from} if self.version > 3 else {}
        return {
            "format": FORMAT,
            "version": self.version,
            "purpose": PURPOSE,
            "epsilon": self.epsilon,
            "delta": self.delta,
            **chosen,
            **protection,
            "tests": self.tests,
            **simulated,
            "outcome": self.outcome.as_json(),
            "frame": frame_as_json(self.frame),
            "frame_accepted": self.frame_accepted,
            "people": [asdict(person) for person in self.people],
            "day": self.day,
            "subject": self.subject,
            "notes": self.notes,
        }

    def as_json(self) -> dict[str, Any]:
        """Return it, with its digest, as an object that JSON can hold."""
        return {**self._content(), "digest": self.digest}


def order_bytes(decision: Decision) -> bytes:
    """Return the file of an order; `read_order` returns the same decision."""
    return files.json_bytes(decision.as_json())


def read_order(source: files.Source) -> Decision:
    """Return the decision in a file that `order_bytes` made, of today or of an earlier version; a path or an open file.

    Raises DataError, one sentence that says what to mend, for any other file, and for one that was changed since.
    """
    found = files.read_json(source, "The order", MAX_BYTES, WRITER)
    version = files.format_and_version("The order", found, FORMAT, VERSION, OLDEST)
    later = ("protection",) * (version > 1) + ("simulated",) * (version > 2) + ("epsilon_from",) * (version > 3)
    found = files.keys("The order", found, ("format", "version", "purpose", "digest", *PARTS, *later))
    if found["purpose"] != PURPOSE:
        raise DataError(
            f"The order's purpose is {files.short(found['purpose'])}; this program knows {PURPOSE!r} alone."
        )
    people = [
        Person(**files.keys("An entry of people", each, ("name", "role")))
        for each in files.entries("people of the order", found["people"])
    ]
    parts = {name: found[name] for name in PARTS} | {
        "frame": frame_from_json(found["frame"]),
        "outcome": Outcome.from_json(found["outcome"]),
        "people": tuple(people),
        "simulated": _simulated(found["simulated"], version) if version > 2 else None,
        "epsilon_from": files.text("epsilon_from of the order", found["epsilon_from"]) if version > 3 else "data",
        "version": version,
    }
    decision = Decision(**parts)
    said = decision.as_json()
    if any(found.get(part) != said.get(part) for part in ("digest", "protection")):
        raise DataError(f"The order was changed after it was signed: its digest does not fit; {WRITER}.")
    return decision


def _simulated(found: object, version: int) -> Simulated:
    names = tuple(each.name for each in fields(Simulated) if version < 4 or each.name != "log_outcome")
    return Simulated(**files.keys("simulated of the order", found, names))


def _text(part: str, what: str, value: object) -> None:
    if len(files.text(what, value)) > LONGEST[part]:
        raise DataError(f"{what} is longer than {LONGEST[part]} characters; shorten it.")


def _day(said: object) -> None:
    try:
        date.fromisoformat(files.text("day of the order", said))
    except ValueError as fault:
        if isinstance(fault, DataError):
            raise
        raise DataError(f"day of the order is {files.short(said)}; it must be a date such as 2026-03-31.") from None
