"""A visitor's own data in a session: the places for their files, and how all of it is forgotten."""

from collections.abc import Sequence

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.ui import demo
from pages.ui.internals import remove_uploads
from pages.ui.sliders import OWN_DATA

FORGOTTEN = "Cleared: your table, and all that was computed from it. Files that you downloaded are yours to delete."
_SAID, _TIMES = "said of forgetting", "times forgotten"


def holds_settings() -> bool:
    """Return whether the visitor has changed column settings of their own table, which a reload would lose."""
    table = st.session_state.get(f"{OWN_DATA}table")
    return getattr(table, "settings", None) != getattr(table, "proposed", None)


def drop(begin: str) -> None:
    """Remove what this session keeps under names that begin so, also where a newer widget has taken the name over."""
    for key in [str(name) for name in st.session_state]:
        if key.startswith(begin):
            st.session_state.pop(key, None)


def forget() -> None:
    """Remove all that this session holds of the visitor's own data. To be used in a callback."""
    drop(OWN_DATA)
    remove_uploads()
    st.session_state[_SAID] = FORGOTTEN
    st.session_state[_TIMES] = st.session_state.get(_TIMES, 0) + 1


def say_what_was_forgotten() -> None:
    """Show at the top, and wherever the page is scrolled to, that the visitor's data were forgotten just now."""
    if said := st.session_state.pop(_SAID, ""):
        st.info(said, icon=":material/delete:")
        st.toast(f"{said.partition('. ')[0]}.", icon=":material/delete:", duration="long")


def what_stays() -> str:
    """Return a sentence on the data that outlive forgetting, and for how long."""
    return (
        "Clearing removes the table, its file and everything that was computed from it from the session of this tab. "
        "What the controls offered, such as names of columns, stays until Streamlit ends the session, which is "
        f"{st.get_option('server.disconnectedSessionTTL')} seconds after the tab is closed, or later."
    )


def own_file(label: str, kinds: Sequence[str], key: str, help: str = "") -> UploadedFile | None:
    """Show the place for a file of the visitor's, and return the file, or None. A demonstration has no such place.

    After forgetting it is another place, because the browser would go on showing the file's name in the old one.
    """
    if demo.is_demo():
        return None
    times = st.session_state.get(_TIMES, 0)
    found: UploadedFile | None = st.file_uploader(
        label, type=list(kinds), key=f"{OWN_DATA}{key} {times}", help=help or None
    )
    return found
