"""An experiment that keeps what it is told, and a clock that goes when it is told to."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from privbo_core.classroom import News


class Clock:
    """A clock that stands still until ``now`` is set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Answer:
    """Something that somebody said."""


class Played:
    """What it was told, by pupil; and whether it was ever told two things at once."""

    def __init__(self) -> None:
        self.said: dict[int, list] = {}
        self.left: list[int] = []
        self.ticks: list[float] = []
        self.clashes = 0
        self._busy = threading.Lock()

    def enter(self, pupil: int) -> None:
        with self._alone():
            assert pupil not in self.said
            self.said[pupil] = []

    def leave(self, pupil: int) -> None:
        with self._alone():
            del self.said[pupil]
            self.left.append(pupil)

    def answer(self, pupil: int, question: str, value: object) -> News:
        """Keep an answer; “all” is news for everybody, “nothing” for nobody."""
        with self._alone():
            self.said[pupil].append((question, value))
            return {"all": News.EVERYBODY, "desk": News.DESK, "nothing": News.NOTHING}.get(question, News.SCREEN)

    def tick(self, now: float) -> News:
        with self._alone():
            self.ticks.append(now)
            return News.NOTHING

    @contextmanager
    def _alone(self) -> Iterator[None]:
        free = self._busy.acquire(blocking=False)
        self.clashes += not free
        yield
        if free:
            self._busy.release()
