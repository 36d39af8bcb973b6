"""Values that a person gives, checked one by one; and files written whole or not at all, by one writer at a time."""

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
from filelock import FileLock, SoftFileLock, Timeout

from privbo_core.errors import DataError
from privbo_core.terminal import CONTROL

LARGEST = 1e100  # No number may be farther from 0: squares and sums would leave the range of floating-point numbers.


_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


class InUseError(DataError):
    """A file that somebody else holds at this moment."""


def number(what: str, value: object) -> float:
    """Return ``value`` if it is a number between ±1e100."""
    if isinstance(value, np.integer | np.floating):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DataError(f"{what} is {short(value)}; it must be a number.")
    if not -LARGEST <= value <= LARGEST:  # not a number is not between either
        raise DataError(f"{what} is {short(value)}; it must be a number between ±1e100.")
    return float(value)


def whole_number(what: str, value: object, least: int, most: int) -> int:
    """Return ``value`` if it is a whole number from ``least`` to ``most``."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise DataError(f"{what} is {short(value)}; it must be a whole number from {least:,} to {most:,}.")
    return value


def text(what: str, value: object) -> str:
    """Return ``value`` if it is a text that a file can hold."""
    if not isinstance(value, str):
        raise DataError(f"{what} is {short(value)}; it must be a text.")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise DataError(f"{what} is {short(value)}, which has half of a character; write it anew.") from None
    return value


def name(what: str, value: object) -> str:
    """Return ``value`` if it is a text that can be printed anywhere: a name or a unit, in one line."""
    if CONTROL.search(text(what, value)):
        raise DataError(f"{what} is {short(value)}, which has a character that terminals obey; write it anew.")
    return str(value)


def short(value: object) -> str:
    """Return a value as a sentence can quote it, at most 60 characters."""
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:59] + "…"


def listed(items: Sequence[object], most: int = 12) -> str:
    """Return things one after another: ``4, 8 and 15``; of very many, the first and how many more there are."""
    shown = [str(item) for item in items[:most]]
    if len(items) > most:
        return f"{', '.join(shown)} and {len(items) - most:,} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else "none"


def write_whole(path: str | Path, data: bytes, what: str = "The file", *, private: bool = False) -> None:
    """Write ``data`` so that a reader finds the old file or the new one, whole; ``private``: its owner's alone."""
    path = Path(path)
    held = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    begun = False
    try:
        handle = os.open(held, _NEW, 0o600 if private else 0o666)
        begun = True
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(held, path)
        _to_disk(path.parent)
    except BaseException as fault:  # whatever it is, nothing half written stays
        if begun:
            with suppress(OSError):
                os.unlink(held)
        if not isinstance(fault, OSError):
            raise
        raise DataError(f"{what} cannot be written to {path.name!r}: {fault.strerror or fault}.") from None


@contextmanager
def alone(path: str | Path, what: str = "The file") -> Iterator[None]:
    """Hold the file for oneself, so that two programs do not write over each other's entries.

    The lock ends with the process that holds it, killed or not; a file ``.NAME.lock`` may stay beside it. Where the
    system has no locks, a file ``.NAME.held`` is the lock, and one that a dead process left is taken away. The one kind
    does not see the other: a folder is not for systems with and without locks at the same time.
    """
    path = Path(path)
    kind = "held" if FileLock is SoftFileLock else "lock"  # an empty .NAME.lock that stayed would be held for good
    lock = FileLock(path.with_name(f".{path.name}.{kind}"), mode=0o600, blocking=False)
    try:
        path.parent.stat()  # it would be made otherwise
        lock.acquire()
    except Timeout:
        raise InUseError(f"{what} is in use by another program; try again when that one is done.") from None
    except OSError as fault:
        raise DataError(f"{what} cannot be held: {fault.strerror or fault}.") from None
    try:
        yield
    finally:
        lock.release()


def _to_disk(folder: Path) -> None:
    """Bring a folder's entries to the disk, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
