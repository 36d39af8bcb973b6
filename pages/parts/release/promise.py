"""What is promised of a release, by what is published of it."""

import streamlit as st

from pages.parts.live.meaning import show_meaning
from pages.parts.release import words
from pages.parts.release.view import View
from pages.parts.shell.address import choose
from pages.parts.views.card import guarantee_card
from pages.parts.views.drawing import note, show

BOTH, SETTING, SCORE = "setting and score", "setting", "score"


def show_promise(view: View) -> None:
    """Show what is promised where one or both of setting and score are published, and how to read it."""
    if view.selects:
        parts = choose(st.segmented_control, "Publish", [SETTING, BOTH], key="publish_selected", required=True)
    elif view.algorithm == 3:
        parts = SCORE
    else:
        parts = choose(st.segmented_control, "Publish", [BOTH, SETTING, SCORE], key="publish", required=True)
    given, hides = view.guarantee(2 if parts == BOTH else 1), words.hides(view)
    show(words.reading(view))
    each = f" Each piece costs {view.epsilon:.3g}." if parts == BOTH else ""
    note(f"{words.promise(given, hides)}{each}")
    with st.expander("The guarantee in full"):
        show(guarantee_card(given, hides=hides))
    show_meaning(given, words.SECRET)
