"""Files that commands write: never over another one unasked, whole or not at all."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from privbo_core import files
from privbo_core.errors import DataError

_LEDGER = re.compile(rb'"format":\s*"privbo (federated )?ledger"')


def free(path: Path, *, force: bool, never: Iterable[Path] = ()) -> Path:
    """Return the path if a file may be written there; raise DataError if there is one already, or no folder.

    Asked before anything is done, so that no release is drawn that cannot be kept. ``never``: the files that the same
    command needs, which are not written over even by ``force``; nor is any ledger, or what may be one.
    """
    if any(path.resolve() == other.resolve() for other in never):
        raise DataError(f"{str(path)!r} is a file that this command reads or keeps; write to one with another name.")
    if path.exists() and not path.is_dir() and _is_ledger(path):
        raise DataError(f"{str(path)!r} is a ledger, and no ledger is written over, not by --force; give another name.")
    if path.exists() and not path.is_dir() and not force:
        raise DataError(f"{str(path)!r} exists already; give another name, or add --force to write over it.")
    return in_folder(path)


def in_folder(path: Path) -> Path:
    """Return the path if it may be a file's in a folder that there is; raise DataError otherwise."""
    if path.is_dir():
        raise DataError(f"{str(path)!r} is a folder; give the name of a file.")
    if not path.parent.is_dir():
        raise DataError(f"The folder {str(path.parent)!r} does not exist; make it first.")
    if not os.access(path.parent, os.W_OK):
        raise DataError(f"Nothing may be written into the folder {str(path.parent)!r}; choose another.")
    return path


def _is_ledger(path: Path) -> bool:
    """Return whether a file says at its beginning that it is a ledger; raise DataError for one that cannot be read."""
    try:
        with path.open("rb") as file:
            return bool(_LEDGER.search(file.read(1000)))
    except OSError as fault:
        raise DataError(
            f"{str(path)!r} cannot be read ({fault.strerror or fault}), and may be a ledger; give another name."
        ) from None


def there(path: Path, what: str) -> Path:
    """Return the path if there is a file; raise DataError, saying which is missing, otherwise."""
    if path.is_dir():
        raise DataError(f"{what} {str(path)!r} is a folder; give the name of a file.")
    if not path.exists():
        raise DataError(f"{what} {str(path)!r} does not exist; check the name and the folder you are in.")
    return path


def keep(path: Path, data: bytes, what: str, *, private: bool = False) -> None:
    """Write a file whole, or leave what was there; a ``private`` one so that its owner alone may read it."""
    files.write_whole(path, data, what, private=private)
