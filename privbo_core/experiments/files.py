"""Replace files in one step, and lock them against other programs."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, SoftFileLock, Timeout

from privbo_core.errors import DataError

CREATE_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


class InUseError(DataError):
    """The file is locked by another program."""


def write_whole(path: str | Path, data: bytes, what: str = "The file") -> None:
    """Replace a file in one step, so that it is never incomplete. Raises DataError if that fails."""
    path = Path(path)
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    created = False
    try:
        handle = os.open(part, CREATE_NEW, 0o666)
        created = True
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
        _sync_folder(path.parent)
    except BaseException as error:  # Whatever it is, no incomplete file stays.
        if created:
            with suppress(OSError):
                os.unlink(part)
        if not isinstance(error, OSError):
            raise
        raise DataError(f"{what} cannot be written to {path.name!r}: {error.strerror or error}.") from None


@contextmanager
def locked(path: str | Path, what: str = "The file") -> Iterator[None]:
    """Lock a file, so that two programs do not overwrite each other's entries. Raises InUseError if it is locked.

    The lock ends with the process, even if that is killed, but the file ``.NAME.lock`` may remain. On a system without
    locks, the file ``.NAME.held`` is the lock instead, and is removed if its process has died. The two kinds ignore
    each other, so systems with and without locks must not share a folder.
    """
    path = Path(path)
    kind = "held" if FileLock is SoftFileLock else "lock"  # A remaining .NAME.lock would never be released.
    lock = FileLock(path.with_name(f".{path.name}.{kind}"), mode=0o600, blocking=False)
    try:
        path.parent.stat()  # Otherwise the lock would create the folder.
        lock.acquire()
    except Timeout:
        raise InUseError(f"{what} is in use by another program. Try again when that one is done.") from None
    except OSError as error:
        raise DataError(f"{what} cannot be held: {error.strerror or error}.") from None
    try:
        yield
    finally:
        lock.release()


def _sync_folder(folder: Path) -> None:
    """Write a folder's entries to the disk if the system supports it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
