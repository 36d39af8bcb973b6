"""Page configuration, navigation, and the way in that every page takes."""

from contextvars import ContextVar

import streamlit as st

from pages.parts.frame import address, record
from pages.parts.show.chart import STATIC, provide_library
from pages.parts.show.presenter import offer_presenter_view
from privbo_core.bo.parallel import one_thread_each

_inside: ContextVar[bool] = ContextVar("inside", default=False)


def enter() -> None:
    """Configure the page, show the navigation, run the chosen page."""
    provide_library()
    one_thread_each()
    st.set_page_config(page_title="PrivBO", page_icon=str(STATIC / "icon.svg"), layout="wide")
    chosen = st.navigation(
        [
            st.Page("pages/start.py", title="Start", icon=":material/home:", default=True),
            st.Page("pages/tour.py", title="Tour", icon=":material/slideshow:"),
            st.Page("pages/data.py", title="Data", icon=":material/table:"),
            st.Page("pages/outsourced.py", title="Outsourced", icon=":material/hub:"),
            st.Page("pages/release.py", title="Release", icon=":material/campaign:"),
            st.Page("pages/federated.py", title="Federated", icon=":material/groups:"),
            st.Page("pages/tradeoff.py", title="Trade-off", icon=":material/balance:"),
            st.Page("pages/audit.py", title="Audit", icon=":material/fact_check:"),
            st.Page("pages/reproduce.py", title="Reproduce", icon=":material/replay:"),
        ],
        position="top",
    )
    address.arrive(chosen.url_path)
    offer_presenter_view()
    token = _inside.set(True)
    try:
        chosen.run()
    finally:
        _inside.reset(token)


def come_in() -> None:
    """Send a visitor who was led past app.py through the front door. Every page calls this first.

    Because there is a folder called pages, Streamlit runs a page's file directly for the very first visitor after a
    start, if that visitor asks for this page, and only then learns that the app has a navigation of its own.
    """
    if not _inside.get():
        enter()
        st.stop()
    record.begin()
