"""What an experiment is to the room that it is played in: people enter and leave, answers come in, time passes."""

from enum import IntEnum
from typing import Protocol


class News(IntEnum):
    """Who has to look again after something happened in a room."""

    NOTHING = 0
    """Nobody: it was ignored, or nothing has changed."""
    SCREEN = 1
    """The projector, and the phone that it came from."""
    DESK = 2
    """The teacher's buttons too: something else can be done now. No other phone hears of it."""
    EVERYBODY = 3
    """All phones too: something else is asked now."""


class Experiment(Protocol):
    """One experiment, being played. It knows people by their numbers in the room, and nothing else of them.

    Everything is called under the room's lock, so nothing may take long.
    """

    def enter(self, pupil: int) -> None:
        """Take somebody in, once each: numbers count from 1 and are never given again. They may come late."""

    def leave(self, pupil: int) -> None:
        """Forget all that is somebody's."""

    def answer(self, pupil: int, question: str, value: object) -> News:
        """Take an answer to what was asked of this pupil under the key ``question``.

        ``value`` is whatever a phone sent. What cannot be used, comes too late or was said before changes nothing.
        """

    def tick(self, now: float) -> News:
        """Let time pass: ``now`` in seconds of a clock that only goes forward. Called some four times a second."""
