"""Which browser this is, without an account; and the rooms of this process."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from privbo_core.classroom import House, Room
from privbo_core.classroom.house import LETTERS
from privbo_core.classroom.limits import place

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


HOUSE = House(first=os.environ.get("PRIVBO_ROOM_LETTERS", LETTERS))
"""Where several processes serve together, each is told which letters the codes of its rooms begin with."""


def here() -> str:
    """Return by what the address is counted that this visitor comes from; this machine's own is one like others."""
    return place(str(st.context.ip_address or ""))


def my_room() -> Room | None:
    """Return the room that whoever sits at this browser has open as its teacher."""
    secret = known()
    return HOUSE.of_teacher(secret) if secret else None
