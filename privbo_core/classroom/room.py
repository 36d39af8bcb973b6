"""One room: who is in it, and the experiment that is being played."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import count
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from privbo_core.classroom import limits


class News(IntEnum):
    """Who has to look again after something happened in a room."""

    LATER = -1
    """Nobody: a phone answers faster than it is listened to, and has to say it again."""
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
        return News.NOTHING


ANIMALS = tuple(Path(__file__).with_name("animals.txt").read_text("utf-8").split())  # The names of those who give none.
LONGEST_NAME = 20  # Characters of a nickname.
BURST = 12  # Answers of one phone in one second, beyond which it is not listened to.


class RoomError(Exception):
    """Nobody can come in, with a sentence that says why."""


@dataclass(eq=False)
class Pupil:
    """Somebody in a room: a number, a name that they chose or an animal's, and when their phone has answered lately.

    ``taken``: the name that they chose, if somebody had it. ``where``: the `place` that they came from. ``last``: which
    question they have answered last, and the number of that answer.
    """

    number: int
    name: str
    where: str = ""
    taken: str = ""
    recent: list[float] = field(default_factory=list)
    last: tuple[str, int] = ("", 0)


class Room:
    """A room. Thread-safe: what happens to the experiment happens under the room's lock.

    ``answered``: somebody has answered in what is played now. ``version`` grows when the projector has to look again,
    ``turns`` when the teacher's buttons have to and ``calls`` when all phones have to. ``teacher`` is a digest of the
    secret of the teacher's browser; pupils are known by digests too. ``where`` is the `place` that it was opened from;
    ``key``, if any, what the link of its picture carries beside the code.
    """

    def __init__(
        self, code: str, teacher: str, clock: Callable[[], float] = time.monotonic, key: str = "", where: str = ""
    ) -> None:
        self.code, self.teacher, self._clock, self.key, self.where = code, teacher, clock, key, where
        self.opened = self.taught = clock()
        self.door, self.ended = True, False
        self.answered = False
        self.kind = ""
        self.version = self.turns = self.calls = 0
        self._experiment: Experiment | None = None
        self._pupils: dict[str, Pupil] = {}
        self._count = 0
        self._lock = threading.RLock()
        self._called = threading.Condition(self._lock)
        self._dice = np.random.default_rng()

    @property
    def pupils(self) -> list[Pupil]:
        """Who is in the room, in the order in which they came."""
        with self._lock:
            return list(self._pupils.values())

    @property
    def empty(self) -> bool:
        return not self._pupils

    def pupil(self, secret: str) -> Pupil | None:
        """Return who has this digest, if they are in the room."""
        with self._lock:
            return self._pupils.get(secret)

    def join(self, secret: str, name: str = "", where: str = "") -> Pupil:
        """Take a phone in, once: whoever comes back is who they were. Raises RoomError if there is no place.

        ``where``: the `place` that it comes from.
        """
        with self._lock:
            if (known := self.pupil(secret)) is not None:
                return known
            if self.ended:
                raise RoomError("This room has ended.")
            if not self.door:
                raise RoomError("The door of this room is closed: everybody is in. Ask your teacher to open it.")
            if len(self._pupils) >= limits.SEATS:
                raise RoomError(f"This room has places for {limits.SEATS} phones, and all are taken.")
            if sum(pupil.where == where for pupil in self._pupils.values()) >= limits.SEATS_FROM_ONE:
                raise RoomError(
                    f"{limits.SEATS_FROM_ONE} phones of your network are in this room, as many as it has places for. "
                    "Ask your teacher to take one out."
                )
            self._count += 1
            wanted = _plain(name)
            given = self._name(wanted)
            pupil = Pupil(self._count, given, where, "" if given == wanted else wanted)
            self._pupils[secret] = pupil
            if self._experiment is not None:
                self._experiment.enter(pupil.number)
            self.version += 1
            return pupil

    def remove(self, number: int) -> None:
        """Take somebody out, with all that they answered."""
        with self._lock:
            for secret in [key for key, pupil in self._pupils.items() if pupil.number == number]:
                del self._pupils[secret]
                if self._experiment is not None:
                    self._experiment.leave(number)
                self._tell(News.EVERYBODY)

    def begin(self, kind: str, experiment: Experiment | None) -> None:
        """Begin an experiment in place of what was there, of which nothing is kept; none: only the room."""
        with self._lock:
            if self.ended:
                return
            self.kind, self._experiment, self.answered = kind, experiment, False
            if experiment is not None:
                for pupil in self._pupils.values():
                    experiment.enter(pupil.number)
            self._tell(News.EVERYBODY)

    def act(self, doing: Callable[[Any], News]) -> News:
        with self._lock:
            return self._tell(doing(self._experiment)) if self._experiment is not None else News.NOTHING

    def answer(self, pupil: Pupil, question: str, value: object, number: int = 0) -> News:
        """Take what a phone answered. Nobody’s answers but their own can change by it.

        ``number``: grows with each answer of a phone. One that comes after a later one to its question is too late.
        """
        now = self._clock()
        with self._lock:
            pupil.recent = [*(at for at in pupil.recent if now - at < 1.0), now][-BURST - 1 :]
            if self._experiment is None or pupil not in self._pupils.values():
                return News.NOTHING
            if len(pupil.recent) > BURST:
                return News.LATER
            if pupil.last[0] == question and number < pupil.last[1]:
                return News.NOTHING
            pupil.last = question, number
            news = self._tell(self._experiment.answer(pupil.number, question, value))
            self.answered = self.answered or news > News.NOTHING
            return news

    def tick(self) -> News:
        """Let time pass: the teacher's page is there and calls this some four times a second."""
        with self._lock:
            self.taught = self._clock()
            return self._tell(self._experiment.tick(self.taught)) if self._experiment is not None else News.NOTHING

    @contextmanager
    def look(self) -> Iterator[Any]:
        """Give the experiment, or None, to somebody who only looks, while nothing changes."""
        with self._lock:
            yield self._experiment

    def await_call(self, seen: int, seconds: float) -> bool:
        """Return once ``calls`` is no longer ``seen``, at most so many seconds later, whether it is."""
        with self._called:
            return self._called.wait_for(lambda: self.calls != seen, seconds)

    def end(self) -> None:
        """End the room: whoever still holds it holds nothing of anybody."""
        with self._lock:
            self.ended, self._experiment, self.kind = True, None, ""
            self._pupils.clear()
            self._tell(News.EVERYBODY)

    def _tell(self, news: News) -> News:
        self.version += news > News.NOTHING
        self.turns += news >= News.DESK
        if news >= News.EVERYBODY:
            self.calls += 1
            self._called.notify_all()
        return news

    def _name(self, wanted: str) -> str:
        """Return a name that nobody has: the one wanted, or an animal's."""
        taken = {pupil.name.casefold() for pupil in self._pupils.values()}
        if wanted and wanted.casefold() not in taken:
            return wanted
        free = [animal for animal in ANIMALS if animal.casefold() not in taken]
        if free:
            return str(self._dice.choice(free))
        return next(guest for k in count(1) if (guest := f"Guest {k}").casefold() not in taken)


def _plain(name: str) -> str:
    """Return a nickname as plain text of at most `LONGEST_NAME` letters."""
    printed = "".join(letter if letter.isprintable() else " " for letter in name[:200])
    return " ".join(printed.split())[:LONGEST_NAME].strip()
