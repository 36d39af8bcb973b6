"""The Simple page of Start: one card for each system, which leads to that system's own story."""

import streamlit as st

from pages.parts import systems
from pages.parts.show.templates import render
from pages.parts.start.picture import picture
from pages.parts.system.system import Story


def show_cards() -> None:
    """Show a card for each system that has a story in short, and the way to the tour."""
    st.html(render("start_simple.html"))
    stories = [system.story for system in systems.SYSTEMS if system.story.shown]
    with st.container(key="start-cards"):
        for place, story in zip(st.columns(len(stories), gap="medium", border=True), stories, strict=True):
            with place:
                _show(story)
    with st.container(key="start-tour"):
        st.page_link(
            "pages/tour.py", label="Take the tour", icon=":material/slideshow:", query_params={"view": "simple"}
        )


def _show(story: Story) -> None:
    """Show one card: question, who is protected from whom, one number, and the way on."""
    assert story.shown is not None
    st.html(picture(story.drawing))
    st.html(render("start_card.html", story=story, number=_right(story.heading, story)))
    link = story.shown
    st.page_link(link.page, label=link.label, icon=link.icon, query_params=dict(link.query) or None)


@st.cache_data(show_spinner=False)
def _right(heading: str, _story: Story) -> str:
    """Return how many of 100 guesses of the best attacker are right; computed once for all."""
    return "" if _story.line is None else f"{100 * (1 - _story.line().least_error(0.5)):.0f}"
