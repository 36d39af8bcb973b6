"""What one run of a page has put on the screen: figures under their findings, guarantee cards, headline numbers, settings.

Whoever draws leaves a reference here, never a copy, so that keeping the record costs next to nothing while a thumb
moves. A record belongs to one session and one run: `begin` empties the last one and starts anew.
"""

from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple

import streamlit as st

from pages.parts.values.views import Answer, Card, Figure, Tile

KEY = "own data/record"  # an upload may be in it: forgotten with all else that a session holds of its own data


class Choice(NamedTuple):
    """A setting: its name, its value as people write it, what it means."""

    name: str
    value: str
    meaning: str


@dataclass
class Record:
    """One run's record. ``figures`` by slot, ``settings`` by name; the last drawn counts. Explanations are Markdown."""

    figures: dict[str, Figure] = field(default_factory=dict)
    cards: dict[Card, None] = field(default_factory=dict)
    tiles: tuple[Tile, ...] = ()
    settings: dict[str, Choice] = field(default_factory=dict)
    explanations: dict[str, str] = field(default_factory=dict)
    answers: dict[str, Answer] = field(default_factory=dict)

    def clear(self) -> None:
        """Forget everything, for all who still hold this record."""
        self.figures, self.cards, self.tiles, self.settings = {}, {}, (), {}
        self.explanations, self.answers = {}, {}


_now: ContextVar[Record | None] = ContextVar("record", default=None)


def begin() -> None:
    """Start this run's record; the last run's is emptied."""
    forget()
    record = Record()
    st.session_state[KEY] = record
    _now.set(record)


def forget() -> None:
    """Empty this session's record."""
    last = st.session_state.get(KEY)
    if isinstance(last, Record):
        last.clear()


def current() -> Record:
    """Return this run's record, an empty one outside of any."""
    return _now.get() or Record()


def keep_figure(figure: Figure) -> None:
    """Keep a reference to what was drawn in a slot."""
    if record := _now.get():
        record.figures[figure.slot] = figure


def keep_card(card: Card) -> None:
    """Keep a guarantee card."""
    if record := _now.get():
        record.cards[card] = None


def keep_explanation(heading: str, text: str) -> None:
    """Keep what *Explain this* says, as Markdown."""
    if record := _now.get():
        record.explanations[heading] = text


def keep_answer(question: str, answer: Answer) -> None:
    """Keep the latest answer to a question that the page asks; it rests on simulation."""
    if record := _now.get():
        record.answers[question] = answer


def keep_tiles(tiles: Sequence[Tile]) -> None:
    """Keep the headline numbers."""
    if record := _now.get():
        record.tiles = tuple(tiles)


def keep_settings(settings: Iterable[Choice]) -> None:
    """Keep the settings of a panel."""
    if record := _now.get():
        for setting in settings:
            record.settings[setting.name] = setting
