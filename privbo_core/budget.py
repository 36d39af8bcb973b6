"""Limit the work that reading a file may cause.

Code that reads a file does so within `reading`. Unpacked bytes, lines, cells, keys and entries are paid for from a
`Budget` that grows with the size of the file. So a small file cannot cause much work, and a large one can cause work in
proportion to its size. At regular intervals, the budget checks the time, and whether the result is still needed.
"""

import io
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import IO

from privbo_core.errors import DataError

UNPACKED, UNPACKED_PER_BYTE = 8_000_000, 10
"""The number of bytes that may be unpacked from any file, and the number of additional ones for each of its bytes."""
ITEMS, ITEMS_PER_BYTE = 300_000, 1
"""The same for lines, cells, keys and entries. A file that was not packed never has more of them than bytes."""
SECONDS, SECONDS_PER_BYTE = 30.0, 3e-6
"""The processor time that may be spent on one file, and for each of its bytes. It normally takes a tenth of that."""
CHECK_INTERVAL = 0.005  # The processor time in seconds between two checks.
BLOCK_SIZE = 1 << 20  # The number of bytes that are unpacked at a time.


class Budget:
    """The work that may be spent on one file of ``size`` bytes, and the work that has been spent.

    ``what`` is the subject of error messages, such as "The frame". ``unpacked`` counts bytes, and ``items`` counts
    lines, cells, keys and entries. Each method raises DataError if a limit is exceeded.
    """

    def __init__(self, what: str, size: int) -> None:
        self.what = what
        self.unpacked = self.items = 0
        self.most_unpacked = UNPACKED + UNPACKED_PER_BYTE * size
        self.most_items = ITEMS + ITEMS_PER_BYTE * size
        self._until = time.thread_time() + SECONDS + SECONDS_PER_BYTE * size
        self._next = 0.0

    def unpack(self, file: IO[bytes] | io.BufferedIOBase, most: int) -> bytes:
        """Unpack a file, pay for the bytes, and return at most ``most`` of them and one more."""
        found = io.BytesIO()
        while found.tell() <= most and (block := file.read(min(BLOCK_SIZE, most + 1 - found.tell()))):
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
                f"{self.what} contains more than {self.most_items:,} cells or entries, more than a file of its size "
                "may. Bring it unpacked, or less of it."
            )
        self.look()

    def look(self) -> None:
        """Raise DataError if reading has taken too long, or the exception of `waiting` if the result is not needed."""
        now = time.thread_time()
        if now < self._next:
            return
        self._next = now + CHECK_INTERVAL
        if (stop := _waits.get()) is not None:
            stop()
        if now > self._until:
            raise DataError(f"{self.what} takes too long to read. Bring less of it.")


class Watched(io.BytesIO):
    """Bytes as an open file. Every read checks the budget, also if another library reads."""

    def __init__(self, data: bytes, budget: Budget) -> None:
        super().__init__(data)
        self._budget = budget

    def read(self, size: int | None = -1, /) -> bytes:
        """Check the budget, and read."""
        self._budget.look()
        return super().read(size)

    read1 = read  # The two are the same for bytes in memory.


_reading: ContextVar[Budget | None] = ContextVar("reading", default=None)
_waits: ContextVar[Callable[[], object] | None] = ContextVar("waits", default=None)


@contextmanager
def reading(what: str, size: int) -> Iterator[Budget]:
    """Provide the budget for reading a file of ``size`` bytes. A file within a file shares that of the outer one."""
    granted = _reading.get() or Budget(what, size)
    token = _reading.set(granted)
    try:
        yield granted
    finally:
        _reading.reset(token)


@contextmanager
def waiting(stop: Callable[[], object]) -> Iterator[None]:
    """Have ``stop`` called at intervals while files are read. It raises an exception if the result is not needed."""
    token = _waits.set(stop)
    try:
        yield
    finally:
        _waits.reset(token)


def look() -> None:
    """Raise an exception if the current reading has taken too long, or if its result is no longer needed."""
    granted, stop = _reading.get(), _waits.get()
    if granted is not None:
        granted.look()
    elif stop is not None:
        stop()
