"""What a page shows, as values: headline numbers, figures under their findings, tables, guarantee cards.

A page computes them; `drawing` draws them and `record` keeps them for the report. All text is plain text with
marks (`values.text`), never markup.
"""

import re
from collections.abc import Generator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, get_args

import streamlit as st

from pages.parts.views.content import facts
from pages.parts.views.picture import Picture
from privbo_core.privacy import Status

LUCK_STAMP = "luck: the table carries no answer"
"""What goes with every lead and cost that is drawn of a table in which there is nothing to find."""
REFUTED_STAMP = "✗ promise refuted"
"""What goes with everything that comes of a release whose promise is refuted, wherever it is shown."""
UNMET_STAMP = "an assumption is not met"  # What goes with what such a promise would mean.
Audience = Literal["curator", "share", "unmet", "simulation", "refuted", "inside", "known", "told"]
AUDIENCES: dict[Audience, tuple[str, str]] = {
    name: tuple(facts("audiences.toml")[name].values()) for name in get_args(Audience)
}
"""Who may see a number or figure: in a few words, and what that means."""
PROMISED: frozenset[Audience] = frozenset({"share", "unmet"})
"""What leaves whoever holds the data under a promise, be it one of whose assumptions one is not met."""


@dataclass(frozen=True)
class Finding:
    """A figure's title, which states what the figure shows; who may see the figure; a note below the title.

    ``stamp``: what must be known of the figure wherever it goes, such as that a promise is refuted. It is drawn in it.
    """

    title: str
    audience: Audience
    note: str = ""
    stamp: str = ""


@dataclass(frozen=True)
class Tile:
    """A headline number: its name, its value as text, a remark; ``stamp`` as in `Finding`."""

    name: str
    value: str
    remark: str
    audience: Audience
    stamp: str = ""


@dataclass(frozen=True)
class Fact:
    """One of the things to take away: what it is about, the answer in a few words, a sentence more.

    ``level``: how strong, of five, where it is about strength. ``tone``: the colour of the answer, if it has one.
    ``right``: how many of 100 guesses of the best attacker are right, if that is shown; ``guess``: what they guess.
    ``rarely``: how sure a rare release can make somebody, where it is that which decides on the word for the strength.
    """

    about: str
    text: str
    remark: str = ""
    level: int | None = None
    tone: Literal["", "met", "unmet", "refuted", "old"] = ""
    right: int | None = None
    guess: str = ""
    rarely: str = ""

    @property
    def split(self) -> tuple[str, str]:
        """The remark's first sentence, which is read at once, and what can be opened: what it hangs on, the rest."""
        first, *rest = SENTENCE.split(self.remark, maxsplit=1)
        said, hangs, condition = first.partition(", if ")
        return (f"{said}, if …", " ".join([f"If {condition}", *rest])) if hangs else (first, "".join(rest))


HIDDEN = "What is not hidden", "What is hardly hidden", "What is weakly hidden"
"""What is said to be hidden where the strength is this."""
SENTENCE = re.compile(r"(?<=\.)(?<!Fig\.) (?=[A-Z0-9σ])")


@dataclass(frozen=True)
class Brief:
    """A page in five seconds: the answer to its question, and the facts to take away.

    ``promise``: in two lines, what holds and what it leaves out. ``audience`` as in `Finding`.
    """

    answer: str
    facts: tuple[Fact, ...]
    promise: tuple[str, ...] = ()
    audience: Audience = "simulation"

    def __post_init__(self) -> None:
        """Call nothing hidden that the strength beside it hardly protects."""
        level = next((fact.level for fact in self.facts if fact.level is not None), len(HIDDEN))
        if level < len(HIDDEN):
            facts = (
                replace(fact, about=HIDDEN[level]) if fact.about == "What is hidden" and not fact.tone else fact
                for fact in self.facts
            )
            object.__setattr__(self, "facts", tuple(facts))


@dataclass(frozen=True)
class Cell:
    """A cell of a table; ``head``: it names its row or column; ``wide`` and ``tall``: over how many it stretches."""

    text: str
    head: bool = False
    wide: int = 1
    tall: int = 1


@dataclass(frozen=True)
class Row:
    """A row of a table; ``role``: what the row is shaded as (agree, near, unclear, apart, group), if anything."""

    cells: tuple[Cell, ...]
    role: str = ""


@dataclass(frozen=True)
class Table:
    """A table; ``kind``: how it is set; ``label``: what it is, for those who cannot see it."""

    head: tuple[Row, ...]
    body: tuple[Row, ...]
    kind: Literal["plain", "grid", "compare", "claims"] = "plain"
    label: str = ""


def table(head: Sequence[str], rows: Sequence[Sequence[str]], kind: Literal["plain", "grid"] = "plain") -> Table:
    body = tuple(Row(tuple(Cell(text) for text in row)) for row in rows)
    return Table((Row(tuple(Cell(text, head=True) for text in head)),), body, kind)


@dataclass(frozen=True, eq=False)
class Figure:
    """A figure in its slot, under its finding: a picture, or a table in its place.

    ``alt`` says what a picture shows.
    """

    slot: str
    finding: Finding
    picture: Picture | None = None
    alt: str = ""
    table: Table | None = None

    def __post_init__(self) -> None:
        if self.picture is not None and self.finding.stamp:
            self.picture.stamp(self.finding.stamp)
            if LUCK_STAMP in self.finding.stamp:
                self.picture.grey()


FIRST = ("Hides", "Strength", "Against", "Level", "As it is", "Condition")
"""The rows of a guarantee that are read first."""


@dataclass(frozen=True)
class Card:
    """A guarantee as it is shown: its status (None: nothing is promised), its heading, and what it says row by row.

    ``of_data``: the rows that may have been computed from the data; ``strong``: what is promised protects well.
    """

    status: Status | None
    heading: str
    rows: tuple[tuple[str, str], ...]
    text: str = ""
    of_data: tuple[str, ...] = ()
    strong: bool = False

    def split(self) -> tuple["Card", "Card"]:
        first = tuple(row for row in self.rows if row[0] in FIRST)
        return replace(self, rows=first), replace(self, rows=tuple(row for row in self.rows if row not in first))

    def shared(self) -> "Card":
        return replace(self, rows=tuple(row for row in self.rows if row[0] not in self.of_data))


@dataclass(frozen=True)
class Box:
    """A heading with a list of sentences in a frame."""

    heading: str
    items: tuple[str, ...]


@dataclass(frozen=True)
class Line:
    """One line of an answer: what it is about, a sign and a name for that, and what is said."""

    key: str
    name: str
    text: str
    refuted: bool = False


@dataclass(frozen=True)
class Answer:
    """The answer to a question that a page asks, line by line, with a note."""

    lines: tuple[Line, ...]
    note: str = ""


@dataclass(frozen=True, eq=False)
class View:
    """What a computation has shown so far: headline numbers and figures."""

    tiles: tuple[Tile, ...] = ()
    figures: tuple[Figure, ...] = ()


Views = Generator[View, None, None]  # Views of one thing, better and better ones.


KEY = "own data/record"  # an upload may be in it: forgotten with all else that a session holds of its own data


class Choice(NamedTuple):
    """A setting: its name, its value as people write it, what it means."""

    name: str
    value: str
    meaning: str


@dataclass
class Record:
    """One run's record. ``figures`` by slot, ``settings`` by name; the last drawn counts. Explanations are Markdown.

    ``secrets``: choices that no address holds, by their keys.
    """

    figures: dict[str, Figure] = field(default_factory=dict)
    cards: dict[Card, None] = field(default_factory=dict)
    tiles: tuple[Tile, ...] = ()
    settings: dict[str, Choice] = field(default_factory=dict)
    explanations: dict[str, str] = field(default_factory=dict)
    answers: dict[str, Answer] = field(default_factory=dict)
    brief: Brief | None = None
    secrets: dict[str, str] = field(default_factory=dict)

    def clear(self) -> None:
        """Forget everything, for all who still hold this record."""
        vars(self).update(vars(Record()))


_now: ContextVar[Record | None] = ContextVar("record", default=None)


def begin() -> None:
    """Begin a record of this run; that of an earlier one, which may still be ending, is left alone."""
    st.session_state[KEY] = record = Record()
    _now.set(record)


def forget() -> None:
    """Empty the last record, wherever it is still held: what it shows may be of a table that is to be forgotten."""
    last().clear()


def current() -> Record:
    """Return this run's record, one that nobody keeps outside of any."""
    return _now.get() or Record()


def last() -> Record:
    """Return what this session's last run has put on the screen: before a run begins, that is what is seen."""
    kept = st.session_state.get(KEY)
    return kept if isinstance(kept, Record) else Record()


def keep_figure(figure: Figure) -> None:
    current().figures[figure.slot] = figure


def keep_explanation(heading: str, text: str) -> None:
    current().explanations[heading] = text
