"""Which lesson and step is shown, and whether its picture is still covered.

A link that names a step or a setting comes uncovered, as links always did; one into presenter view is uncovered on
every step. ``seen`` in the address says otherwise: 0 covers, 1 uncovers. It is written there with every step that is
shown.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import streamlit as st

from pages.parts import systems
from pages.parts.lessons.meaning import CHOOSING
from pages.parts.shell import address
from pages.parts.shell.address import choose
from pages.parts.system.lesson import Lesson
from pages.parts.views.templates import render

SEEN, STEP, LESSON = "seen", "step", "lesson"
_KEY, _LAST = "tour/covers", "tour/last"


@dataclass(frozen=True)
class Guesses:
    """What this session has answered, by step; empty: it asked to see without.

    ``open``: nothing is covered on this visit.
    """

    answers: Mapping[str, str] = field(default_factory=dict)
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
        return kept.answers.get(self.step, "" if kept.open else None)

    def answer(self, key: str) -> None:
        kept = guesses()
        st.session_state[_KEY] = replace(kept, answers={**kept.answers, self.step: key})


def guesses() -> Guesses:
    kept: Guesses = st.session_state.get(_KEY, Guesses())
    return kept


def arriving() -> frozenset[str]:
    """Return what the address, not yet written, names as somebody comes to the page; nothing later in a visit.

    A lesson that is a number is a step: the Simple tour named its steps so before there were lessons.
    """
    asked = st.query_params.get(LESSON, "")
    if len(asked) == 1 and asked in "123456789":
        del st.query_params[LESSON]
        st.query_params[STEP] = asked
    return frozenset(st.query_params) if guesses().visit != address.visit() else frozenset()


def cover_of(step: str, named: frozenset[str], settings: Iterable[str]) -> Cover:
    """Return a step's cover; ``named``: what the address named on arrival, ``settings``: the keys of its sliders."""
    kept, cover = guesses(), Cover(step)
    if kept.visit != address.visit():
        answers = dict(kept.answers)
        asked = st.query_params.get(SEEN)
        if asked == "0":
            answers.pop(step, None)
        elif asked == "1" or (SEEN not in named and named & {STEP, *settings}):
            answers.setdefault(step, "")
        uncovered = "present" in named and SEEN not in named
        st.session_state[_KEY] = Guesses(answers, address.visit(), uncovered)
    st.session_state[SEEN] = "0" if cover.guess is None else "1"
    address.choose(address.unseen, "seen", ("0", "1"), key=SEEN)
    return cover


def lessons() -> dict[str, Lesson]:
    """Return the lessons by name, in their order: those of the systems, and that about choosing ε."""
    known = (*(system.lesson for system in systems.SYSTEMS if system.lesson), CHOOSING)
    return {lesson.name: lesson for lesson in known}


def choose_lesson() -> Lesson:
    known = lessons()
    titles = {name: lesson.wording.title for name, lesson in known.items()}
    return known[choose(st.pills, "Lesson", titles, key=LESSON, required=True, wrap=True, persist_state="session")]


def choose_step(lesson: str, names: Sequence[str]) -> int:
    """Return the number of the step that is chosen; in another list the one of the same name, or the first."""
    written = {str(number): f"{number} {name}" for number, name in enumerate(names, start=1)}
    now: tuple[str, tuple[str, ...]] = (lesson, tuple(names))
    known = st.session_state.get(_LAST, now)
    if known != now:
        places = {str(number): name for number, name in enumerate(known[1], start=1)} if known[0] == lesson else {}
        name = places.get(st.session_state.get(STEP, "1"))
        st.session_state[STEP] = str(names.index(name) + 1) if name in names else "1"
    st.session_state[_LAST] = now
    return int(choose(st.radio, "Step", written, key=STEP, persist_state="session"))


def leave_other_steps(which: str, keys: Sequence[str]) -> None:
    """Take the settings of another step out of the address; each has its own."""
    last, settings = st.session_state.get("tour/which", (which, ()))
    if last != which:
        for key in settings:
            st.query_params.pop(key, None)
    st.session_state["tour/which"] = which, tuple(keys)


def show_moves(key: str, number: int, last: int) -> None:
    """Show the buttons that lead to other steps, and which one this is; ``key``: where the step is chosen."""
    first, previous, count, following, end = st.columns([1, 1, 1.2, 1, 1], vertical_alignment="center")
    for place, name, label, to, nowhere in (
        (first, "first", "⏮ First", 1, number == 1),
        (previous, "previous", "← Previous", number - 1, number == 1),
        (following, "next", "Next →", number + 1, number == last),
        (end, "last", "Last ⏭", last, number == last),
    ):
        go = partial(st.session_state.__setitem__, key, str(min(max(to, 1), last)))
        place.button(label, key=f"tour-{name}", on_click=go, disabled=nowhere, width="stretch")
    count.html(render("step_count.html", number=number, last=last))
