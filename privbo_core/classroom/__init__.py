"""A class that takes part: rooms with a code, and experiments that people play in them from their phones."""

from privbo_core.classroom.house import House, digest
from privbo_core.classroom.room import Experiment, News, Pupil, Room, RoomError

__all__ = ["Experiment", "House", "News", "Pupil", "Room", "RoomError", "digest"]
