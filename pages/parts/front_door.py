"""Page configuration, navigation, and the way in that every page takes."""

from contextvars import ContextVar

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.parts.shell import address
from pages.parts.shell.depth import offer_depth, offer_presenter_view, place_of_page, watch_browser
from pages.parts.views import views
from pages.parts.views.drawing import STATIC
from pages.ui.address import arrive
from pages.ui.own_data import say_what_was_forgotten
from privbo_core.bo.parallel import one_thread_each, prioritise_pages

REBUILT = ("", "data", "outsourced", "release", "federated", "tradeoff", "audit", "tour", "papers", "reproduce")
"""Pages in the new form, which have one depth. Start is the page without a path."""
FORMER = "reproduce"
"""The former address of Papers, which leads there."""
_inside: ContextVar[bool] = ContextVar("inside", default=False)


def enter() -> None:
    """Configure the page, show the navigation, run the chosen page."""
    one_thread_each()
    prioritise_pages()
    icon = str(STATIC / "icon.svg")
    chosen = st.navigation(navigation(), position="top")
    st.set_page_config(page_title=f"{chosen.title} · PrivBO", page_icon=icon, layout="wide")
    st.logo(icon)
    st.session_state["entered"] = chosen.url_path or "start"
    address.arrive(chosen.url_path)
    if chosen.url_path in REBUILT:
        watch_browser()
        say_what_was_forgotten()
        _run(chosen)
        return
    arrive(chosen.url_path)  # the others do this themselves
    offer_depth()
    offer_presenter_view()
    watch_browser()
    say_what_was_forgotten()
    with place_of_page():
        _run(chosen)


def _run(chosen: StreamlitPage) -> None:
    token = _inside.set(True)
    try:
        chosen.run()
    finally:
        _inside.reset(token)


def navigation() -> list[StreamlitPage]:
    """Return the nine pages, each one click away in the bar, and a former address."""
    pages = {
        "start": "Start",
        "data": "Data",
        "outsourced": "Outsourced",
        "release": "Release",
        "federated": "Federated",
        "tradeoff": "Trade-off",
        "audit": "Audit",
        "tour": "Tour",
        "papers": "Papers",
    }
    shown = [st.Page(f"pages/{file}.py", title=title, default=file == "start") for file, title in pages.items()]
    return [*shown, st.Page(f"pages/{FORMER}.py", title="Papers", visibility="hidden")]


def come_in() -> None:
    """Send a visitor who was led past app.py through the front door. Every page calls this first.

    Because there is a folder called pages, Streamlit runs a page's file directly for the very first visitor after a
    start, if that visitor asks for this page, and only then learns that the app has a navigation of its own.
    """
    if not _inside.get():
        enter()
        st.stop()
    views.begin()
