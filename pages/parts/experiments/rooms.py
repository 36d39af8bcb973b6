"""The rooms of this process. They are in its memory only."""

import os

from pages.parts.thumbs import who
from privbo_core.classroom import House, Room
from privbo_core.classroom.house import LETTERS

HOUSE = House(first=os.environ.get("PRIVBO_ROOM_LETTERS", LETTERS))
"""Where several processes serve together, each is told which letters the codes of its rooms begin with."""


def my_room() -> Room | None:
    """Return the room that whoever sits at this browser has open as its teacher."""
    secret = who.known()
    return HOUSE.of_teacher(secret) if secret else None
