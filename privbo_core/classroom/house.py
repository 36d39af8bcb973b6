"""Rooms that people enter with a code: in this process's memory only, for two hours at most."""

import hashlib
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable

from privbo_core.classroom import limits
from privbo_core.classroom.room import Room, RoomError

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # What a code is made of: nothing that is easily taken for something else.
LENGTH = 6
KEY_LENGTH = 10
"""Letters of the key that the link of a room's picture carries beside its code: together 16, which nobody guesses."""
SWEPT = 5.0  # Seconds between two looks for rooms that have ended.


class House:
    """All rooms of a process. Thread-safe. Of a teacher’s browser a digest of its secret is kept, and nothing else.

    ``first``: the letters that codes of rooms opened here begin with, where several processes share the alphabet: so
    whoever stands in front of them can tell by a code where its room is. ValueError if they are none that codes have.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, first: str = LETTERS) -> None:
        if not first or set(first) - set(LETTERS):
            raise ValueError(f"first is {first!r}; it takes one or more of the letters {LETTERS}.")
        self._clock = clock
        self._first = first
        self._lock = threading.Lock()
        self._rooms: dict[str, Room] = {}
        self._wrong: deque[tuple[float, str, str]] = deque()
        self._sweeper: threading.Thread | None = None

    def open(self, teacher: str, where: str = "") -> Room:
        """Open a room, or return the one that this teacher has open already; ``where``: the `place` they come from.

        Raises RoomError if the house is full, or has as many rooms from there as it takes.
        """
        key = digest(teacher)
        self.sweep()
        with self._lock:
            if (known := self._taught_by(key)) is not None:
                return known
            if len(self._rooms) >= limits.ROOMS:
                raise RoomError("All rooms of this server are taken. One becomes free when its teacher ends it.")
            if sum(room.where == where for room in self._rooms.values()) >= limits.ROOMS_FROM_ONE:
                raise RoomError(
                    f"{limits.ROOMS_FROM_ONE} rooms have been opened from your network, as many as this server has for "
                    "one. One becomes free when its teacher ends it."
                )
            code = new_code(self._first)
            while code in self._rooms:
                code = new_code(self._first)
            room = self._rooms[code] = Room(code, key, self._clock, letters(KEY_LENGTH), where)
            if self._sweeper is None:
                self._sweeper = threading.Thread(target=self._keep_sweeping, name="privbo-rooms", daemon=True)
                self._sweeper.start()
        return room

    def of_teacher(self, teacher: str) -> Room | None:
        """Return the room that this teacher has open; whoever asks is its teacher, who is there."""
        key = digest(teacher)
        self.sweep()
        with self._lock:
            found = self._taught_by(key)
        if found is not None:
            found.taught = self._clock()
        return found

    def room(self, code: str, where: str = "", browser: str = "", key: str = "") -> Room:
        """Return the room of a code as somebody typed it; ``where``: the `place` that they come from.

        ``key``: what the link that they came by holds beside the code. Whoever has the right one is let in, whatever
        codes have been tried. Raises RoomError with a sentence if there is no such room, or if too many have been.
        """
        now, typed = self._clock(), clean(code)
        if self.elsewhere(typed):
            raise RoomError("This room is not open any more. Ask your teacher to open a new one, and for its code.")
        self.sweep()
        with self._lock:
            room = self._rooms.get(typed)
            if room is not None and secrets.compare_digest(room.key.encode(), key.encode("utf-8", "replace")):
                return room
            while self._wrong and now - self._wrong[0][0] > limits.MINUTE:
                self._wrong.popleft()
            if (
                len(self._wrong) >= limits.WRONG_IN_ALL
                or sum(one == where for _, one, _ in self._wrong) >= limits.WRONG_FROM_ONE
                or sum(one == browser for _, _, one in self._wrong) >= limits.WRONG_FROM_BROWSER
            ):
                raise RoomError(
                    "Too many wrong codes have been tried. Wait a minute, or point the camera at the picture on the "
                    "screen: that always leads in."
                )
            if room is None:
                self._wrong.append((now, where, browser))
        if room is None:
            raise RoomError(
                "There is no room with this code. Look at the screen again: a code has six letters and digits."
            )
        return room

    def elsewhere(self, code: str) -> bool:
        """Return whether a code, as somebody typed it, is one that another process gave to a room."""
        typed = clean(code)
        return len(typed) == LENGTH and typed[0] not in self._first

    def find(self, code: str) -> Room | None:
        """Return the room of a code for somebody who was in it before, without counting a wrong one."""
        with self._lock:
            return self._rooms.get(code)

    def close(self, room: Room) -> None:
        """End a room, and forget all that was in it."""
        with self._lock:
            if self._rooms.get(room.code) is room:
                del self._rooms[room.code]
        room.end()

    def sweep(self) -> None:
        """End the rooms whose time is over, and those whose teacher has gone."""
        now = self._clock()
        with self._lock:
            over = [
                room for room in self._rooms.values()
                if now - room.opened > limits.LASTS
                or now - room.taught > (limits.AWAY_FROM_NOBODY if room.empty else limits.AWAY)
            ]  # fmt: skip
        for room in over:
            self.close(room)

    def _taught_by(self, key: str) -> Room | None:
        return next((room for room in self._rooms.values() if room.teacher == key), None)

    def _keep_sweeping(self) -> None:
        while True:
            time.sleep(SWEPT)
            self.sweep()
            with self._lock:
                if not self._rooms:
                    self._sweeper = None
                    return


def new_code(first: str = LETTERS) -> str:
    """Return a code that nobody can foresee; ``first``: what it may begin with."""
    return secrets.choice(first) + letters(LENGTH - 1)


def letters(count: int) -> str:
    """Return so many letters that nobody can foresee."""
    return "".join(secrets.choice(LETTERS) for _ in range(count))


def clean(code: str) -> str:
    """Return a code as it was meant: however it was spaced, in small letters or large ones."""
    return "".join(letter for letter in code[:40].upper() if letter in LETTERS)[: LENGTH + 1]


def digest(secret: str) -> str:
    """Return what is kept of a browser's secret."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
