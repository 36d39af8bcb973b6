"""What was decided, as a file that a workbench takes as its order. Nothing in it was computed from the data."""

import math
from dataclasses import asdict, dataclass, fields, replace
from datetime import date
from typing import Annotated, Any, Literal

from msgspec import Meta

from privbo_core import files
from privbo_core.bo import Search
from privbo_core.data import Frame
from privbo_core.data.frame import WRITTEN, frame_as_json, frame_from_json
from privbo_core.data.make import STARTS
from privbo_core.errors import DataError
from privbo_core.outsourced import noisy_guarantee
from privbo_core.outsourced.answers import Private
from privbo_core.outsourced.noisy import refuse_columns
from privbo_core.outsourced.parties.ledger import Answered, Cost, Ledger
from privbo_core.outsourced.parties.terms import Outcome, answers_guarantee
from privbo_core.privacy import Guarantee, Noise, TradeOff, line_of, noise_of, strength
from privbo_core.records import Finite, Text, checked, decoded

FORMAT, VERSION = "privbo order", 8
PURPOSE = "outsource the search, with noisy inputs"
MAX_BYTES = 400_000  # Twice what the largest frame needs.
MOST_TESTS = 1_000_000
LONGEST = {"name": 80, "role": 80, "subject": 120, "notes": 600}
"""How many characters a text may have, so that a decision fits on a page."""
MOST_PEOPLE = 6
Source = Literal["frame", "data"]
"""By what an ε was chosen: by searches in tables made up in the frame, or after searches on the data."""
WRITER = "sign a decision on the page Decide and download its order anew"


@dataclass(frozen=True)
class Person:
    """Who decided: a name, and the role in which."""

    name: str
    role: str = ""

    def __post_init__(self) -> None:
        checked("who decided", self)
        check_lengths("who decided", self)
        if not self.name.strip():
            raise DataError("name of who decided is empty; write a name.")


@dataclass(frozen=True)
class Simulated:
    """How the searches were simulated that a decision rests on: whoever has the table finds the same cost with it.

    On a machine that rounds otherwise, the cost agrees within rounding. What people chose, never what was learned from
    the data: learning the length-scales ended after so many ``starts``, this was the ``search``, and no row was asked
    for twice (``once``).
    """

    starts: Annotated[int, Meta(ge=0, le=STARTS)] = STARTS
    search: Search = "ucb/5"
    once: bool = True

    def __post_init__(self) -> None:
        checked("the order", self)


@dataclass(frozen=True)
class Decision:
    """A table's inputs may leave in this ``frame`` at (ε, δ), so that somebody else searches for the best ``outcome``.

    δ is 0 for noise of the L2 shape (`pb.privacy.Radial`), which programs that know Gaussian noise alone refuse.
    ``tests``: how many are planned, after ``first`` random ones. ``private``: how their outcomes are answered, None for
    exactly.
    ``people`` decided it on a ``day`` (as in 2026-03-31). ``subject``: the table, in words for others; ``notes`` for
    others too. ``conditional_accepted``: they know that nothing says from where each column of the frame, or the range
    of private answers, was known.
    ``simulated``: how the searches were that it rests on. ``epsilon_from``: by what ε was chosen. Raises DataError, one
    sentence, for what cannot be.
    """

    frame: Frame
    outcome: Outcome
    epsilon: float
    delta: float
    tests: Annotated[int, Meta(ge=1, le=MOST_TESTS)]
    people: tuple[Person, ...]
    day: str
    subject: str = ""
    notes: str = ""
    conditional_accepted: bool = False
    simulated: Simulated = Simulated()
    epsilon_from: Source = "data"
    private: Private | None = None
    first: Annotated[int, Meta(ge=0, le=MOST_TESTS)] = 0

    def __post_init__(self) -> None:
        checked("the order", self)
        if not self.epsilon > 0:
            raise DataError(f"epsilon of the order is {self.epsilon:g}; it must be above 0.")
        if not 0 <= self.delta < 1:
            raise DataError(f"delta of the order is {self.delta:g}; it must be 0 (Laplace noise) or between 0 and 1.")
        refuse_columns(self.noise, self.frame.d)
        check_lengths("the order", self)
        check_day("the order", self.day)
        object.__setattr__(self, "people", tuple(self.people))
        if not 1 <= len(self.people) <= MOST_PEOPLE:
            raise DataError(f"The order names {len(self.people)} people; it must be one to {MOST_PEOPLE} who decided.")
        if self.epsilon_from == "frame" and not said_to_be_known(self.frame, self.private):
            raise DataError(
                "The order says that ε was chosen without the data, by a frame and a range of answers of which nothing "
                "says from where they were known: they may have been read off the data, and ε with them."
            )
        if self.conditional_accepted:
            return
        if not self.frame.public:
            unsaid = [*map(repr, self.frame.read_off), *([WRITTEN] if self.frame.guessed else [])]
            raise DataError(
                f"The frame does not say from where {', '.join(unsaid)} was known before "
                "anyone looked at the data: say it on the page Data, or accept that the promise is conditional."
            )
        if self.private and not self.private.public:
            raise DataError(
                "Nothing says from where the range of private answers was known before anyone looked at the outcomes: "
                "say it under “range known from”, or accept that the promise is conditional."
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
        """How strongly one record is protected, in words (`pb.privacy.strength`), and how far that holds."""
        kept = self.guarantee("")
        word = strength(*together(kept, self.frame, self.noise, self.private)[:2]).word
        if self.private is None:
            return f"{word}. {kept.stands}"
        answers = answers_guarantee(self.private, self.outcome).stands
        return f"{word}. Inputs and an answer: ε = {self.cost.both:.3g}. {kept.stands} Of the answers: {answers}"

    def guarantee(self, neighbours: str) -> Guarantee:
        """Return what is promised to others. ``neighbours``: the hidden change in the data's own units."""
        looked = self.epsilon_from == "data"
        return noisy_guarantee(self.epsilon, self.delta, neighbours, self.frame, looked=looked)

    @property
    def cost(self) -> Cost:
        """What a release and an answer cost one record."""
        return cost_of(self.frame, (self.epsilon, self.delta), self.noise, self.private)

    def _content(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "purpose": PURPOSE,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "epsilon_from": self.epsilon_from,
            "protection": self.protection,
            "first": self.first,
            "tests": self.tests,
            "simulated": asdict(self.simulated),
            "outcome": self.outcome.as_json(),
            "private": self.private and asdict(self.private),
            "frame": frame_as_json(self.frame),
            "conditional_accepted": self.conditional_accepted,
            "people": [asdict(person) for person in self.people],
            "day": self.day,
            "subject": self.subject,
            "notes": self.notes,
        }

    def as_json(self) -> dict[str, Any]:
        """Return it, with its digest, as an object that JSON can hold."""
        return {**self._content(), "digest": self.digest}


def said_to_be_known(frame: Frame, private: Private | None) -> bool:
    """Return whether frame, and range of private answers, are said to have been known before anyone saw the data."""
    return frame.public and (private is None or private.public)


def cost_of(frame: Frame, promise: tuple[float, float], noise: Noise, private: Private | None) -> Cost:
    """Return what one release at this (ε, δ) and one answer cost a record, as a ledger will count it."""
    answer = Answered(0, 1, 1, "", 0.0, exact=private is None)
    return Ledger(private=private, answers=(answer,)).after_release(*promise, frame, noise=noise)


def together(
    kept: Guarantee, frame: Frame, noise: Noise, private: Private | None, becomes: float | None = None
) -> tuple[Guarantee, TradeOff, float | None]:
    """Return what a release that is promised this and a private answer promise together, and their trade-off function.

    ``becomes``: what the release's ε can become (`pb.privacy.strength`); returned is what both can.
    Exact answers go out in full: what is promised then is of the inputs alone.
    """
    if private:
        cost = cost_of(frame, (kept.epsilon, kept.delta), noise, private)
        if becomes is not None and math.isfinite(becomes):
            becomes = cost_of(frame, (becomes, kept.delta), noise, private).both
        kept = replace(kept, epsilon=cost.both, delta=cost.delta)
        if (noise, private.noise) != ("gaussian", "gaussian"):
            return kept, TradeOff.of(kept.epsilon, kept.delta), becomes
    return kept, line_of(noise_of(noise, 1.0, kept.epsilon, kept.delta, frame.d)), becomes


def order_bytes(decision: Decision) -> bytes:
    """Return the file of an order; `read_order` returns the same decision."""
    return files.json_bytes(decision.as_json())


@dataclass(frozen=True)
class _Record:
    format: str
    version: int
    purpose: str
    epsilon: Finite
    delta: Finite
    epsilon_from: Source
    protection: str
    first: int
    tests: int
    simulated: Simulated
    outcome: Outcome
    private: Private | None
    frame: dict[str, Any]
    conditional_accepted: bool
    people: tuple[Person, ...]
    day: Text
    subject: Text
    notes: Text
    digest: str


def read_order(source: files.Source) -> Decision:
    """Return the decision in a file that `order_bytes` made; DataError for any other, or a changed one."""
    found = files.read_json(source, "The order", MAX_BYTES, WRITER)
    files.format_and_version("The order", found, FORMAT, VERSION)
    said = decoded("The order", found, _Record)
    if said.purpose != PURPOSE:
        raise DataError(f"The order's purpose is {files.short(said.purpose)}; this program knows {PURPOSE!r} alone.")
    parts = {part.name: getattr(said, part.name) for part in fields(Decision)}
    decision = Decision(**parts | {"frame": frame_from_json(said.frame)})
    if (said.digest, said.protection) != (decision.digest, decision.protection):
        raise DataError(f"The order was changed after it was signed: its digest does not fit; {WRITER}.")
    return decision


def check_lengths(what: str, record: object) -> None:
    """Raise DataError for a text of a record that is longer than a page has room for."""
    for part, most in LONGEST.items():
        if len(getattr(record, part, "")) > most:
            raise DataError(f"{part} of {what} is longer than {most} characters; shorten it.")


def check_day(what: str, said: str) -> None:
    """Raise DataError for a day that is none."""
    try:
        date.fromisoformat(said)
    except ValueError:
        raise DataError(f"day of {what} is {files.short(said)}; it must be a date such as 2026-03-31.") from None
