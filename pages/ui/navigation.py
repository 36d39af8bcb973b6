"""Page configuration, navigation between the pages, and every page's needs of the browser."""

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.ui.layout import ENTERED
from pages.ui.own_data import holds_settings, say_what_was_forgotten
from privbo_core.bo.parallel import one_thread_each, prioritise_pages

HERE = Path(__file__).parent
ICON = str(HERE.parents[1] / "static" / "icon.svg")
PAGES = {
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
FORMER = "reproduce"
"""The former address of Papers, which leads there."""
_browser = st.components.v2.component("privbo_ui_browser", js=(HERE / "browser.js").read_text("utf-8"))


def enter() -> None:
    """Configure the page, show the navigation, and run the chosen page."""
    one_thread_each()
    prioritise_pages()
    chosen = st.navigation(navigation(), position="top")
    st.set_page_config(page_title=f"{chosen.title} · PrivBO", page_icon=ICON, layout="wide")
    st.logo(ICON)
    st.session_state[ENTERED] = chosen.url_path or "start"
    # The browser asks before a reload that would lose what nothing brings back.
    _browser(key="window", data={"lost": holds_settings()}, height=1)
    say_what_was_forgotten()
    chosen.run()


def navigation() -> list[StreamlitPage]:
    """Return the nine pages, each one click away in the bar, and a former address."""
    shown = [st.Page(f"pages/{file}.py", title=title, default=file == "start") for file, title in PAGES.items()]
    return [*shown, st.Page(f"pages/{FORMER}.py", title="Papers", visibility="hidden")]
