"""Choosing a lesson and a step of it, as the address names them, and the buttons that lead from step to step."""

from collections.abc import Sequence

import streamlit as st

from pages.parts.frame.address import choose
from pages.parts.show.templates import render
from pages.parts.tour.cover import LESSON, STEP
from pages.parts.tour.lesson import Lesson
from pages.parts.tour.shelf import NAMES, lesson_of

_LAST = "tour/last"


def choose_lesson() -> Lesson:
    """Show the lessons and return the one that is chosen."""
    name = choose(st.pills, "Lesson", NAMES, key=LESSON, format_func=lambda each: lesson_of(each).wording.title,
                  required=True, wrap=True, persist_state="session")  # fmt: skip
    return lesson_of(name)


def choose_step(lesson: str, names: Sequence[str]) -> int:
    """Show the steps and return the number of the one that is chosen: in another list the one of the same name, or the first."""
    numbers = [str(number + 1) for number in range(len(names))]
    now: tuple[str, tuple[str, ...]] = (lesson, tuple(names))
    known = st.session_state.get(_LAST, now)
    if known != now:
        last = st.session_state.get(STEP, "1")
        name = (
            known[1][int(last) - 1] if known[0] == lesson and last.isdigit() and 0 < int(last) <= len(known[1]) else ""
        )
        st.session_state[STEP] = str(names.index(name) + 1) if name in names else "1"
    st.session_state[_LAST] = now
    return int(
        choose(
            st.radio,
            "Step",
            numbers,
            key=STEP,
            format_func=lambda k: f"{k} {names[int(k) - 1]}",
            persist_state="session",
        )
    )


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
        chosen = str(min(max(to, 1), last))
        place.button(label, key=f"tour-{name}", on_click=_go, args=(key, chosen), disabled=nowhere, width="stretch")
    count.html(render("step_count.html", number=number, last=last))


def _go(key: str, number: str) -> None:
    st.session_state[key] = number
