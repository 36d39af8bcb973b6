"""Start at its Simple depth."""

from pathlib import Path

import streamlit as st
from markupsafe import Markup

from pages.parts import systems
from pages.parts.start.blur import show_blur
from pages.parts.system.system import Story
from pages.parts.table.upload import offer_door
from pages.parts.views.drawing import Slot
from pages.parts.views.palette import palette
from pages.parts.views.templates import image, render


def picture(drawing: str | Path) -> Markup:
    """Return the image of a drawing, given by its template, in the theme's colours.

    ``alt`` is set in there.
    """
    return render("story_picture.html", drawing=str(drawing), source=image(drawing), colours=palette())


def show_cards() -> None:
    """Show a card for each system that has a story in short, the door for a table of one's own."""
    show_blur()
    stories = [system.story for system in systems.SYSTEMS if system.story.shown]
    spots = []
    with st.container(key="start-cards"):
        *places, own = st.columns(len(stories) + 1, gap="small", border=True)
        for place, story in zip(places, stories, strict=True):
            with place:
                spots.append(_show(story))
        with own:
            st.html(picture("start_table.html"))
            st.html(render("start_card.html", heading="A table of your own", protected=""))
            offer_door(view="simple")
    with st.container(key="start-tour", horizontal=True):
        st.page_link(
            "pages/tour.py", label="Take the tour", icon=":material/slideshow:", query_params={"view": "simple"}
        )
        show_papers()
    for (number, cost), story in zip(spots, stories, strict=True):
        said = said_last().setdefault(story.heading, {})
        if story.line is not None:
            if "number" not in said:
                said["number"] = f"{100 * (1 - story.line().least_error(0.5)):.0f}"
            number.html(render("start_number.html", number=said["number"]))
        if found := story.cost():
            said["cost"] = f"{found}."
            cost.html(render("start_cost.html", cost=said["cost"]))
        else:  # its page finds out
            cost.clear()


def show_papers() -> None:
    """Offer each paper's picture, with all its sliders."""
    for system in systems.SYSTEMS:
        if system.paper:
            query = {**system.story.links[0].query, "view": "expert"}
            st.page_link(system.page, label=system.paper, icon=system.icon, query_params=query)


def _show(story: Story) -> tuple[Slot, Slot]:
    """Show one card: what is done, who is protected from whom, one number, what it costs, and the way on.

    The places of number and cost are returned: what takes a moment to compute keeps nobody from reading the rest.
    """
    assert story.shown is not None
    said = said_last().get(story.heading, {})
    st.html(picture(story.drawing))
    st.html(render("start_card.html", heading=story.heading, protected=story.protected))
    number, cost = Slot(), Slot()
    if story.line is not None:
        number.html(render("start_number.html", number=said.get("number", "…")))
    if "cost" in said:
        cost.html(render("start_cost.html", cost=said["cost"]))
    link = story.shown
    st.page_link(link.page, label=link.label, icon=link.icon, query_params=dict(link.query) or None)
    return number, cost


@st.cache_resource
def said_last() -> dict[str, dict[str, str]]:
    """Return what was said last on each card: how many of 100 guesses of the best attacker are right, and the cost."""
    return {}
