"""How much work a file may make: granted in one place for every file that is read, and stopped there.

Whoever reads a file does it within `reading`. What is unpacked of it, and every line, cell, key and entry in it, is
paid for from a `Budget` that grows with the file's own size: a small file cannot make much work, and a large one as
much as it has cost to send. Every so often it is looked whether anybody still waits, and how long this has taken.
"""

import io
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import IO

from privbo_core.errors import DataError

UNPACKED, UNPACKED_PER_BYTE = 8_000_000, 10
"""So many bytes may be unpacked of any file, and so many more for each of its own."""
ITEMS, ITEMS_PER_BYTE = 300_000, 1
"""So many lines, cells, keys and entries. What was not packed never has more of them than bytes."""
DEEPEST = 60  # So many lists and objects may stand in each other.
SECONDS, SECONDS_PER_BYTE = 30.0, 3e-6
"""The processor time that may be spent on one file, and for each of its bytes. It normally takes a tenth of that."""
OFTEN = 0.005  # Seconds of work between two looks.
BLOCK = 1 << 20


class Budget:
    """What may be spent on one file of ``size`` bytes, and what has been; ``what`` begins the sentences: "The frame".

    ``unpacked``: bytes. ``items``: lines, cells, keys and entries. Each method raises DataError where that is too much.
    """

    def __init__(self, what: str, size: int) -> None:
        self.what = what
        self.unpacked = self.items = 0
        self.most_unpacked = UNPACKED + UNPACKED_PER_BYTE * size
        self.most_items = ITEMS + ITEMS_PER_BYTE * size
        self._until = time.thread_time() + SECONDS + SECONDS_PER_BYTE * size
        self._next = 0.0

    def unpack(self, file: IO[bytes] | io.BufferedIOBase, most: int) -> bytes:
        """Return what a packed file holds, at most ``most`` bytes and one more, and pay for it."""
        found = io.BytesIO()
        while found.tell() <= most and (block := file.read(min(BLOCK, most + 1 - found.tell()))):
            found.write(block)
            self.unpacked += len(block)
            if self.unpacked > self.most_unpacked:
                raise DataError(
                    f"{self.what} unpacks to more than {self.most_unpacked / 1e6:,.0f} MB, more than a packed file of "
                    "its size may. Bring it unpacked, or less of it."
                )
            self.look()
        return found.getvalue()

    def pay(self, items: int) -> None:
        """Pay for lines, cells, keys or entries."""
        self.items += items
        if self.items > self.most_items:
            raise DataError(
                f"{self.what} holds more than {self.most_items:,} cells or entries, more than a file of its size may. "
                "Bring it unpacked, or less of it."
            )
        self.look()

    def look(self) -> None:
        """Raise what somebody `waiting` would have raised if nobody waits any more; DataError after too long."""
        now = time.thread_time()
        if now < self._next:
            return
        self._next = now + OFTEN
        if (stop := _waits.get()) is not None:
            stop()
        if now > self._until:
            raise DataError(f"{self.what} takes too long to read. Bring less of it.")


class Watched(io.BytesIO):
    """Bytes as an open file. Whoever reads in it, be it another library, looks at the budget each time."""

    def __init__(self, data: bytes, budget: Budget) -> None:
        super().__init__(data)
        self._budget = budget

    def read(self, size: int | None = -1, /) -> bytes:
        """Look, then read."""
        self._budget.look()
        return super().read(size)

    read1 = read  # of bytes at hand they are one


_reading: ContextVar[Budget | None] = ContextVar("reading", default=None)
_waits: ContextVar[Callable[[], object] | None] = ContextVar("waits", default=None)


@contextmanager
def reading(what: str, size: int) -> Iterator[Budget]:
    """Grant what reading a file of ``size`` bytes may cost. Of a file within a file, the outer one pays."""
    granted = _reading.get() or Budget(what, size)
    token = _reading.set(granted)
    try:
        yield granted
    finally:
        _reading.reset(token)


@contextmanager
def waiting(stop: Callable[[], object]) -> Iterator[None]:
    """Have ``stop`` called by whatever is read meanwhile, every so often: it raises something if nobody waits."""
    token = _waits.set(stop)
    try:
        yield
    finally:
        _waits.reset(token)


def look() -> None:
    """Stop here if nobody waits any more, or if what is read at the moment has taken too long."""
    granted, stop = _reading.get(), _waits.get()
    if granted is not None:
        granted.look()
    elif stop is not None:
        stop()
