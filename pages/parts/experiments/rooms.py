"""The rooms of this process. They are in its memory only."""

import os

import streamlit as st

from pages.parts.thumbs import who
from privbo_core.classroom import House, Room
from privbo_core.classroom.house import LETTERS
from privbo_core.classroom.limits import place

HOUSE = House(first=os.environ.get("PRIVBO_ROOM_LETTERS", LETTERS))
"""Where several processes serve together, each is told which letters the codes of its rooms begin with."""


def here() -> str:
    """Return by what the address is counted that this visitor comes from; this machine's own is one like others."""
    return place(str(st.context.ip_address or ""))


def my_room() -> Room | None:
    """Return the room that whoever sits at this browser has open as its teacher."""
    secret = who.known()
    return HOUSE.of_teacher(secret) if secret else None
