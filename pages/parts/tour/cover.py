"""Whether the picture of a step is still covered: it is until somebody has answered, or asked to see it.

A link that names a step or a setting comes uncovered, as links always did; one into presenter view is uncovered on every
step. ``seen`` in the address says otherwise: 0 covers, 1 uncovers. It is written there with every step that is shown.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import streamlit as st

from pages.parts.frame import address

SEEN = "seen"
_KEY = "tour/covers"
STEP, LESSON = "step", "lesson"


@dataclass
class Guesses:
    """What this session has answered, by step; empty: it asked to see without. ``open``: nothing is covered on this visit."""

    said: dict[str, str] = field(default_factory=dict)
    visit: int = 0
    open: bool = False


@dataclass(frozen=True)
class Cover:
    """The cover of one step, by its name in the session."""

    step: str

    @property
    def guess(self) -> str | None:
        """Return the key of what was answered; empty if nothing was, None if the picture is still covered."""
        kept = guesses()
        return kept.said.get(self.step, "" if kept.open else None)

    def answer(self, key: str) -> None:
        """Take an answer, and uncover the picture."""
        guesses().said[self.step] = key


def guesses() -> Guesses:
    """Return what this session has answered."""
    kept: Guesses = st.session_state.setdefault(_KEY, Guesses())
    return kept


def arriving() -> frozenset[str]:
    """Return what the address names as somebody comes to the page; nothing later in a visit. Call it before it is written.

    A lesson that is a number is a step: the Simple tour named its steps so before there were lessons.
    """
    asked = st.query_params.get(LESSON, "")
    if len(asked) == 1 and asked in "123456789":
        del st.query_params[LESSON]
        st.query_params[STEP] = asked
    return frozenset(st.query_params) if guesses().visit != address.visit() else frozenset()


def cover_of(step: str, named: frozenset[str], settings: Iterable[str]) -> Cover:
    """Return the cover of a step; ``named``: what the address named on arrival, ``settings``: the keys of its sliders."""
    kept, cover = guesses(), Cover(step)
    if kept.visit != address.visit():
        kept.visit = address.visit()
        kept.open = "present" in named and SEEN not in named
        asked = st.query_params.get(SEEN)
        if asked == "0":
            kept.said.pop(step, None)
        elif asked == "1" or (SEEN not in named and named & {STEP, *settings}):
            kept.said.setdefault(step, "")
    st.session_state[SEEN] = "0" if cover.guess is None else "1"
    address.choose(address.unseen, "seen", ("0", "1"), key=SEEN)
    return cover
