"""Where a ledger is kept: in a file, or in memory by somebody who writes it away himself."""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from privbo_core import files
from privbo_core.errors import DataError
from privbo_core.outsourced.parties.ledger import MOST_BYTES, Ledger


class Store(Protocol):
    """What a `Curator` needs of whatever keeps its ledger."""

    def read(self) -> Ledger:
        """Return the ledger, an empty one if there is none yet."""

    def write(self, ledger: Ledger) -> None:
        """Keep this ledger instead of the last one, whole or not at all."""

    def alone(self) -> AbstractContextManager[None]:
        """Hold the ledger from reading it to writing it, so that nobody else's entry is lost."""


class FileStore:
    """A ledger in a file that its owner alone may read. It is never half written, and two programs wait for nobody.

    The second one is refused, with a sentence, for the moment in which the first writes an entry. A symbolic link is
    followed when the store is made: by whatever name, it is one ledger. A file with two names is refused.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(os.path.realpath(path))

    def read(self) -> Ledger:
        """Return the ledger in the file, an empty one if there is no such file."""
        try:
            names = self.path.stat().st_nlink
        except FileNotFoundError:
            return Ledger()
        except (OSError, ValueError):
            names = 1  # reading it will say why
        if names > 1 and self.path.is_file():
            raise DataError(
                f"The ledger {self.path.name!r} has a second name (a hard link), and under two names it would become "
                "two ledgers; remove one of them, and keep copies as copies."
            )
        return Ledger.from_bytes(files.read_bytes(self.path, "The ledger", MOST_BYTES))

    def write(self, ledger: Ledger) -> None:
        """Put this ledger in the file's place; it is on the disk when this returns. To be called `alone`."""
        files.write_whole(self.path, ledger.to_bytes(), "The ledger", private=True)
        files.remove_unfinished(self.path)

    def alone(self) -> AbstractContextManager[None]:
        """Hold the file. Raises DataError if another program does."""
        return files.alone(self.path, "The ledger")


class MemoryStore:
    """A ledger as the bytes of its file, ``data``. Whoever uses it sees to it that they outlive the program."""

    def __init__(self, data: bytes = b"") -> None:
        self.data = data
        self._held = False

    def read(self) -> Ledger:
        """Return the ledger, an empty one if there are no bytes."""
        return Ledger.from_bytes(self.data) if self.data else Ledger()

    def write(self, ledger: Ledger) -> None:
        """Keep this ledger."""
        self.data = ledger.to_bytes()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the ledger. Raises DataError if it is held already."""
        if self._held:
            raise files.InUseError("The ledger is in use already; try again when that is done.")
        self._held = True
        try:
            yield
        finally:
            self._held = False
