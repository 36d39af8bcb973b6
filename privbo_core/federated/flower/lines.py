"""Files of JSON lines that only ever grow: a notebook, a ledger."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from privbo_core import files
from privbo_core.budget import reading
from privbo_core.errors import DataError


def append(path: Path, entry: dict[str, Any], what: str) -> None:
    """Add a line to a file of JSON lines that its owner alone may read; it is on the disk when this returns."""
    line = json.dumps(entry, ensure_ascii=False, allow_nan=False) + "\n"
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
    except OSError as fault:
        raise DataError(f"{what} cannot be written to {path.name!r}: {fault.strerror or fault}.") from None


def whole_lines(path: Path, what: str, writer: str, most: int) -> list[Any]:
    """Return the entries of a file of JSON lines, none if there is no such file.

    A last line that was not written to its end is taken off the file: what it says was never acted upon.
    """
    if not path.exists():
        return []
    data = files.read_bytes(path, what, most)
    kept = data[: data.rfind(b"\n") + 1]
    if len(kept) < len(data):
        os.truncate(path, len(kept))
    with reading(what, len(kept)):
        return list(parsed(kept, what, writer))


def parsed(data: bytes, what: str, writer: str) -> Iterator[Any]:
    """Yield the entries of JSON lines, each as soon as it is read. Raises DataError for anything else."""
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise DataError(f"{what} is not a text in UTF-8; {writer}.") from None
    for number, line in enumerate(lines, start=1):
        yield files.parse_json(line, f"Line {number} of {what.lower()}", writer)
