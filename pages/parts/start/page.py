"""The Start page: what each system is for, and how to read a page."""

import streamlit as st

from pages.parts import systems
from pages.parts.shell.depth import simple
from pages.parts.start.simple import picture, show_cards, show_papers
from pages.parts.system.system import Story
from pages.parts.table.upload import offer_door
from pages.parts.views.templates import apply_style, render


def run() -> None:
    """Show the story of each system."""
    apply_style()
    if simple():
        show_cards()
        return
    st.html(render("start.html"))
    with st.container(key="start-own", horizontal=True):
        offer_door()
        show_papers()
    for each in systems.SYSTEMS:
        _tell(each.story)
    st.html(render("how_to_read.html"))


def _tell(story: Story) -> None:
    left, right = st.columns([1.1, 1], gap="large", vertical_alignment="center")
    left.html(picture(story.picture))
    with right:
        st.html(render("story.html", story=story))
        for link in story.links:
            st.page_link(link.page, label=link.label, icon=link.icon, query_params=dict(link.query) or None)
