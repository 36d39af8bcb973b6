"""What a session keeps of its visitor, and how it forgets what is theirs."""

import streamlit as st

from pages.parts.frame import record

OWN = "own data/"
"""What a session holds of somebody's own data, or of what was computed from them, is kept under names that begin so."""


def forget() -> None:
    """Remove all that this session holds of somebody's own data: tables, choices of columns, results, what was drawn."""
    record.forget()
    for key in [str(name) for name in st.session_state]:
        if key.startswith(OWN):
            del st.session_state[key]
