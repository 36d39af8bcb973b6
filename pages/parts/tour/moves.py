"""The buttons that lead from step to step."""

import streamlit as st

from pages.parts.show.templates import render


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
