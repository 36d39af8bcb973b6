"""The door for whoever comes with a table of their own: it leads to Data, where the place for the file is seen at once."""

import streamlit as st

_KEY, _ASKED = "bring", "table"


def offer_door(**query: str) -> None:
    """Show the door; ``query``: what else its address says."""
    st.page_link(
        "pages/data.py", label="I have a table of my own", icon=":material/upload_file:", query_params={**query, _KEY: _ASKED}
    )  # fmt: skip


def coming_with_a_table() -> bool:
    """Return whether somebody came through it."""
    return st.query_params.get(_KEY) == _ASKED
