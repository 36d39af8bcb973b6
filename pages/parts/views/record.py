"""What one run of a page has put on the screen.

Figures under their findings, guarantee cards, headline numbers, settings.

Whoever draws leaves a reference here, never a copy, so that keeping the record costs next to nothing while a thumb
moves. A record belongs to one session and one run: `begin` empties the last one and starts anew.
"""

from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple

import streamlit as st

from pages.parts.views.views import Answer, Brief, Card, Figure, Tile

KEY = "own data/record"  # an upload may be in it: forgotten with all else that a session holds of its own data


class Choice(NamedTuple):
    """A setting: its name, its value as people write it, what it means."""

    name: str
    value: str
    meaning: str


@dataclass
class Record:
    """One run's record. ``figures`` by slot, ``settings`` by name; the last drawn counts. Explanations are Markdown.

    ``data``: their title; ``own``: they are somebody's own. ``secrets``: choices that no address holds, by their keys.
    """

    figures: dict[str, Figure] = field(default_factory=dict)
    cards: dict[Card, None] = field(default_factory=dict)
    tiles: tuple[Tile, ...] = ()
    settings: dict[str, Choice] = field(default_factory=dict)
    explanations: dict[str, str] = field(default_factory=dict)
    answers: dict[str, Answer] = field(default_factory=dict)
    brief: Brief | None = None
    data: str = ""
    own: bool = False
    secrets: dict[str, str] = field(default_factory=dict)

    def clear(self) -> None:
        """Forget everything, for all who still hold this record."""
        self.figures, self.cards, self.tiles, self.settings = {}, {}, (), {}
        self.explanations, self.answers, self.brief = {}, {}, None
        self.data, self.own, self.secrets = "", False, {}


_now: ContextVar[Record | None] = ContextVar("record", default=None)


def begin() -> None:
    """Start this run's record; the last run's is emptied."""
    forget()
    record = Record()
    st.session_state[KEY] = record
    _now.set(record)


def forget() -> None:
    """Empty this session's record."""
    last().clear()


def current() -> Record:
    """Return this run's record, an empty one outside of any."""
    return _now.get() or Record()


def last() -> Record:
    """Return what this session's last run has put on the screen: before a run begins, that is what is seen."""
    kept = st.session_state.get(KEY)
    return kept if isinstance(kept, Record) else Record()


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


def keep_brief(brief: Brief) -> None:
    """Keep the page in five seconds."""
    if record := _now.get():
        record.brief = brief


def keep_subject(data: str, own: bool) -> None:
    """Keep what the page is about: the data's title, and whether they are somebody's own."""
    if record := _now.get():
        record.data, record.own = data, record.own or own


def keep_secret(key: str, choice: str) -> None:
    """Keep a choice that no address holds, since it is of somebody's own data."""
    if record := _now.get():
        record.own = True
        record.secrets[key] = choice


def keep_settings(settings: Iterable[Choice]) -> None:
    """Keep the settings of a panel."""
    if record := _now.get():
        for setting in settings:
            record.settings[setting.name] = setting
