"""What the app relies on although Streamlit 1.67, or the web server below it, does not document it.

Everything of that kind is here or, where only the browser knows it, in the style sheets and scripts named below;
tests/pages/test_undocumented.py holds each to what it is relied on for, so that an update that changes one says so.

- Style sheets (show/style.css, show/present.css) and the presenter name parts of the page by `data-testid` and by
  `data-stale`: that the page keeps those names is what the browser tests of the presenter and of phones check.
- `st.html` takes drawings out of what it is given, so they are shown as images (show/html/story_picture.html).
- The browser's half of Streamlit writes a changed address with `history.pushState`, an entry for each, and goes to another
  page by the same call with another path; show/theme_watch.js lets only the latter add to the history.
- `st.empty` takes off the page at once what an earlier run had put there; a container leaves it (`spot.Spot`).
- A script that comes to its end takes what it has not drawn again off the page; `Live.rest` waits for that reason.
"""

import streamlit as st
from starlette.formparsers import MultiPartParser

VERSION = "1.67"
"""The version of Streamlit whose behaviour this describes."""
UPLOAD_IN_MEMORY = 2**30
"""Bytes of a file that is being uploaded that stay in memory; the app takes files of 200 MB at most."""


def keep_uploads_in_memory() -> None:
    """Let no upload touch the disk, in whichever page it arrives.

    While a file arrives, Starlette's form parser, which Streamlit's upload route uses, would write what exceeds one
    megabyte to a temporary file. It reads this limit from its class whenever a form comes in.
    """
    MultiPartParser.spool_max_size = UPLOAD_IN_MEMORY


def give_way() -> None:
    """End this run of the script here if a newer setting is waiting.

    Streamlit looks for one whenever session state is read, at no other cost; drawing something would do too, but the
    browser would have to draw it.
    """
    st.session_state.get("give way")
