"""The Simple page of Start: one card for each system, which leads to that system's own story."""

import streamlit as st

from pages.parts import systems
from pages.parts.bring.door import offer_door
from pages.parts.frame.spot import Spot
from pages.parts.show.templates import render
from pages.parts.start.picture import picture
from pages.parts.system.system import Story

NOT_YET = "its page finds out"
"""What is said of a cost that is not known yet."""


def show_cards() -> None:
    """Show a card for each system that has a story in short, the door for a table of one's own, and the way to the tour."""
    st.html(render("start_simple.html"))
    stories = [system.story for system in systems.SYSTEMS if system.story.shown]
    costs = []
    with st.container(key="start-cards"):
        for place, story in zip(st.columns(len(stories), gap="medium", border=True), stories, strict=True):
            with place:
                costs.append(_show(story))
    with st.container(key="start-tour", horizontal=True):
        offer_door(view="simple")
        st.page_link(
            "pages/tour.py", label="Take the tour", icon=":material/slideshow:", query_params={"view": "simple"}
        )
    for cost, story in zip(costs, stories, strict=True):
        _tell(cost, f"{story.cost() or NOT_YET}.")


def _show(story: Story) -> Spot:
    """Show one card: question, who is protected from whom, one number, what it costs, and the way on.

    The place of the cost is returned: a number that takes a moment keeps nobody from reading the rest.
    """
    assert story.shown is not None
    st.html(picture(story.drawing))
    st.html(render("start_card.html", story=story, number=_right(story.heading, story)))
    cost = Spot()
    _tell(cost, "…")
    link = story.shown
    st.page_link(link.page, label=link.label, icon=link.icon, query_params=dict(link.query) or None)
    return cost


def _tell(place: Spot, cost: str) -> None:
    place.html(render("start_cost.html", cost=cost))


@st.cache_data(show_spinner=False)
def _right(heading: str, _story: Story) -> str:
    """Return how many of 100 guesses of the best attacker are right; computed once for all."""
    return "" if _story.line is None else f"{100 * (1 - _story.line().least_error(0.5)):.0f}"
