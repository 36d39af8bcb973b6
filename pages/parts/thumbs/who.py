"""Which browser this is: it comes back as who it was after a reload, without an account."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

KEY, KEPT = "browser", "browser/secret"
_component = st.components.v2.component(
    "privbo_browser", js=(Path(__file__).parent / "who.js").read_text(encoding="utf-8")
)
SECRET = re.compile(r"[0-9a-f]{32}")


def meet() -> str:
    """Return this browser's secret; an empty text in the very first run, before the browser has told it."""
    _component(key=KEY, data={"known": bool(known())}, default={"secret": None}, on_secret_change=_told, height=1)
    return known()


def known() -> str:
    """Return this browser's secret if it has told it."""
    return str(st.session_state.get(KEPT, ""))


def _told() -> None:
    state: Any = st.session_state.get(KEY)
    said = state.get("secret") if isinstance(state, Mapping) else None
    if isinstance(said, str) and SECRET.fullmatch(said):
        st.session_state.setdefault(KEPT, said)
