"""Page configuration, navigation, and the way in that every page takes."""

from contextvars import ContextVar

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.parts import systems
from pages.parts.frame import address, record
from pages.parts.frame.depth import offer_depth
from pages.parts.frame.undocumented import keep_uploads_in_memory
from pages.parts.scenes import travel
from pages.parts.scenes.offer import offer_scenes
from pages.parts.scenes.playlist import look_again
from pages.parts.show.chart import STATIC, provide_library
from pages.parts.show.presenter import offer_presenter_view
from pages.parts.show.theme_watch import watch_theme
from privbo_core.bo.parallel import one_thread_each

PHONE = "join"
"""The page for a pupil's phone: nothing of what surrounds the others is drawn there."""
_inside: ContextVar[bool] = ContextVar("inside", default=False)


def enter() -> None:
    """Configure the page, show the navigation, run the chosen page."""
    provide_library()
    keep_uploads_in_memory()
    one_thread_each()
    st.set_page_config(page_title="PrivBO", page_icon=str(STATIC / "icon.svg"), layout="wide")
    pages = {page.url_path: page for page in navigation()}
    chosen = st.navigation(list(pages.values()), position="top")
    if chosen.url_path == PHONE:
        _run(chosen)
        return
    travel.follow(pages)
    address.arrive(chosen.url_path)
    offer_depth()
    offer_presenter_view()
    offer_scenes({path: page.title for path, page in pages.items()})
    travel.stage()
    travel.say()
    watch_theme()
    _run(chosen)
    look_again()


def _run(chosen: StreamlitPage) -> None:
    token = _inside.set(True)
    try:
        chosen.run()
    finally:
        _inside.reset(token)


def navigation() -> list[StreamlitPage]:
    """Return the pages: what comes before the systems, each system's own, and what is about all of them."""
    return [
        st.Page("pages/start.py", title="Start", icon=":material/home:", default=True),
        st.Page("pages/tour.py", title="Tour", icon=":material/slideshow:"),
        st.Page("pages/data.py", title="Data", icon=":material/table:"),
        *(st.Page(system.page, title=system.name, icon=system.icon) for system in systems.SYSTEMS),
        st.Page("pages/tradeoff.py", title="Trade-off", icon=":material/balance:"),
        st.Page("pages/audit.py", title="Audit", icon=":material/fact_check:"),
        st.Page("pages/workbench.py", title="Workbench", icon=":material/handyman:"),
        st.Page("pages/class.py", title="Class", icon=":material/school:"),
        st.Page("pages/join.py", title="Join a class", icon=":material/smartphone:", visibility="hidden"),
        st.Page("pages/reproduce.py", title="Reproduce", icon=":material/replay:"),
    ]


def come_in() -> None:
    """Send a visitor who was led past app.py through the front door. Every page calls this first.

    Because there is a folder called pages, Streamlit runs a page's file directly for the very first visitor after a
    start, if that visitor asks for this page, and only then learns that the app has a navigation of its own.
    """
    if not _inside.get():
        enter()
        st.stop()
    record.begin()
