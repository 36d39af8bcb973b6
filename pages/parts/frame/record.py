"""What one run of a page has put on the screen: figures under their titles, guarantee cards, headline numbers, settings.

Whoever draws leaves a reference here, never a copy, so that keeping the record costs next to nothing while a thumb
moves. A record belongs to one session and one run: `begin` empties the last one and starts anew.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pages.parts.controls.live_sliders import Slider
    from pages.parts.show.look import Audience
    from pages.parts.values.picture import Picture

KEY = "own data/record"  # an upload may be in it: forgotten with all else that a session holds of its own data


class Heading(NamedTuple):
    """A figure's title (HTML), who may see the figure, and the note below the title (HTML)."""

    title: str
    audience: Audience
    note: str


class Figure(NamedTuple):
    """A figure as it was drawn last, or a table of HTML in its place (then ``picture`` is None)."""

    slot: str
    title: str
    audience: Audience
    picture: Picture | None
    alt: str
    note: str = ""
    table: str = ""


class Choice(NamedTuple):
    """A setting: its name, its value as people write it, what it means."""

    name: str
    value: str
    meaning: str


@dataclass
class Record:
    """One run's record. ``figures`` by slot, ``settings`` by name; the last drawn counts."""

    figures: dict[str, Figure] = field(default_factory=dict)
    cards: dict[str, None] = field(default_factory=dict)
    tiles: list[tuple[str, str, str, Audience]] = field(default_factory=list)
    settings: dict[str, Choice] = field(default_factory=dict)
    explanations: dict[str, str] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    headings: dict[str, Heading] = field(default_factory=dict)
    heading: Heading | None = None

    def clear(self) -> None:
        """Forget everything, for all who still hold this record."""
        self.figures, self.cards, self.tiles, self.settings = {}, {}, [], {}
        self.explanations, self.answers = {}, {}
        self.headings, self.heading = {}, None


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


def figures() -> list[Figure]:
    """Return what this run has drawn so far, in the order of the page's slots."""
    return list(current().figures.values())


def cards() -> list[str]:
    """Return the guarantee cards (HTML) that this run has shown so far."""
    return list(current().cards)


def keep_heading(html: str, title: str, audience: Audience, note: str) -> None:
    """Note that the next figure drawn stands under this title."""
    if record := _now.get():
        record.heading = record.headings[html] = Heading(title, audience, note)


def under(html: str) -> None:
    """Note that the next figure drawn stands under a title made earlier, given as its HTML."""
    if record := _now.get():
        record.heading = record.headings.get(html, record.heading)


def keep_figure(slot: str, picture: Picture | None, alt: str, table: str = "") -> None:
    """Keep a reference to what was drawn in a slot."""
    if record := _now.get():
        title, audience, note = record.heading or Heading("", "curator", "")
        record.figures[slot] = Figure(slot, title, audience, picture, alt, note, table)


def keep_card(html: str) -> None:
    """Keep a guarantee card."""
    if record := _now.get():
        record.cards[html] = None


def keep_explanation(heading: str, text: str) -> None:
    """Keep what *Explain this* says, as Markdown."""
    if record := _now.get():
        record.explanations[heading] = text


def keep_answer(question: str, html: str) -> None:
    """Keep the latest answer to a question that the page asks; it rests on simulation."""
    if record := _now.get():
        record.answers[question] = html


def keep_tiles(entries: list[tuple[str, str, str, Audience]]) -> None:
    """Keep the headline numbers."""
    if record := _now.get():
        record.tiles = entries


def keep_settings(sliders: Sequence[Slider], values: dict[str, float]) -> None:
    """Keep the settings of a panel: name, value, meaning."""
    if record := _now.get():
        for slider in sliders:
            record.settings[slider.label] = Choice(slider.label, f"{values[slider.key]:.6g}", slider.help)
