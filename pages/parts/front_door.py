"""Page configuration, navigation, and the way in that every page takes."""

from contextvars import ContextVar

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.parts import systems
from pages.parts.shell import address
from pages.parts.shell.depth import offer_depth, offer_presenter_view, place_of_page, watch_browser
from pages.parts.shell.session import say_what_was_forgotten
from pages.parts.shell.undocumented import page_asked_for
from pages.parts.views import views
from pages.parts.views.drawing import STATIC
from privbo_core.bo.parallel import one_thread_each, prioritise_pages

REBUILT = ("outsourced",)
"""Pages in the new form, which have one depth."""
_inside: ContextVar[bool] = ContextVar("inside", default=False)


def enter() -> None:
    """Configure the page, show the navigation, run the chosen page."""
    st.session_state["entered"] = True
    one_thread_each()
    prioritise_pages()
    st.set_page_config(page_title="PrivBO", page_icon=str(STATIC / "icon.svg"), layout="wide")
    groups = navigation()
    # Its name stands beside that of its group.
    here = page_asked_for([page for group in groups.values() for page in group])
    chosen = st.navigation(
        {f"{name} **· {here.title}**" if name and here in group else name: group for name, group in groups.items()},
        position="top",
    )
    address.arrive(chosen.url_path)
    if chosen.url_path not in REBUILT:
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


def navigation() -> dict[str, list[StreamlitPage]]:
    """Return the pages in groups, by their names: the bar shows each as a menu, after what is in none.

    Start is in none, so that it is one click away from everywhere.
    """
    return {
        "": [st.Page("pages/start.py", title="Start", icon=":material/home:", default=True)],
        "Explore": [
            st.Page("pages/data.py", title="Data", icon=":material/table:"),
            *(st.Page(system.page, title=system.name, icon=system.icon) for system in systems.SYSTEMS),
            st.Page("pages/tradeoff.py", title="Trade-off", icon=":material/balance:"),
            st.Page("pages/audit.py", title="Audit", icon=":material/fact_check:"),
        ],
        "Teach": [
            st.Page("pages/tour.py", title="Tour", icon=":material/slideshow:"),
        ],
        "Papers": [st.Page("pages/reproduce.py", title="Reproduce", icon=":material/replay:")],
    }


def come_in() -> None:
    """Send a visitor who was led past app.py through the front door. Every page calls this first.

    Because there is a folder called pages, Streamlit runs a page's file directly for the very first visitor after a
    start, if that visitor asks for this page, and only then learns that the app has a navigation of its own.
    """
    if not _inside.get():
        enter()
        st.stop()
    views.begin()
