"""A and B: the settings of a page that are kept as A, in its address, while somebody moves on to B."""

from collections.abc import Iterable
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from pages.parts.values.text import unmarked

KEY = "a"
LONGEST, MOST = 1000, 40


def pin(names: Iterable[str]) -> None:
    """Keep the present settings of these names as A."""
    now = st.query_params.to_dict()
    st.query_params[KEY] = urlencode({name: now[name] for name in names if name in now})


def unpin() -> None:
    """Let A go."""
    st.query_params.pop(KEY, None)


def pinned() -> dict[str, str] | None:
    """Return A's settings as an address has them; None if nothing is pinned. They may be anything."""
    said = st.query_params.get(KEY)
    if not said:
        return None
    return dict(parse_qsl(unmarked(said[:LONGEST]), max_num_fields=None)[:MOST]) or None


def offer_pin(names: Iterable[str]) -> None:
    """Show the button that keeps the present settings as A; when there is an A, the one that lets it go."""
    if pinned():
        st.button("Let A go", key="unpin", on_click=unpin, icon=":material/keep_off:", type="tertiary")
    else:
        st.button("Pin as A", key="pin", on_click=pin, args=(list(names),), icon=":material/keep:", type="tertiary",
                  help="Keep this view as A, then change something: both are shown, and how much they differ")  # fmt: skip
