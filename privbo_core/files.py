"""Files that parties exchange: JSON read strictly, written whole or not at all, by one writer at a time.

Whatever cannot be used is a DataError: one sentence that names the file, says what is wrong and what to do.
"""

import json
import math
import os
import re
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import numpy as np
from filelock import FileLock, SoftFileLock, Timeout

from privbo_core.budget import DEEPEST, reading
from privbo_core.errors import DataError
from privbo_core.terminal import CONTROL

LARGEST = 1e100  # No number may be farther from 0: squares and sums would leave the range of floating-point numbers.

MOST_LISTS = 30_000
"""Lists in one JSON text. Python makes them in one go, in which no other thread has a turn: in some 20 ms so many."""
_STRING = re.compile(r'"(?:[^"\\]|\\.|\\\Z)*+"?', re.DOTALL)
"""A text in JSON, or all that follows where it does not end: each character is looked at once."""

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)

Source = str | Path | IO[bytes] | IO[str]


class InUseError(DataError):
    """A file that somebody else holds at this moment."""


def read_bytes(source: Source, what: str, most: int) -> bytes:
    """Return what a path or an open file holds, at most ``most`` bytes. ``what`` begins the sentences: "The frame"."""
    try:
        if isinstance(source, str | Path):
            with Path(source).open("rb") as file:
                data: bytes | str = file.read(most + 1)
        else:
            data = source.read(most + 1)
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) and fault.strerror else fault
        raise DataError(f"{what} cannot be read: {reason}.") from None
    found = data.encode("utf-8") if isinstance(data, str) else data
    if len(found) > most:
        raise DataError(f"{what} is larger than {size(most)}, which none needs to be; is it another file?")
    return found


def read_json(source: Source, what: str, most: int, writer: str) -> object:
    """Return what a JSON file of at most ``most`` bytes holds; ``source`` is a path or an open file.

    Strict: UTF-8, no key twice in one place, every number finite. ``writer`` ends the sentences, as in "write one with
    `write_frame`".
    """
    return parse_json(utf8(read_bytes(source, what, most), what, writer), what, writer)


def utf8(data: bytes, what: str, writer: str) -> str:
    """Return the text that some bytes are. ``writer`` ends the sentence, as in `read_json`."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(f"{what} is not a text in UTF-8; {writer}.") from None


def parse_json(text: str, what: str, writer: str) -> object:
    """Return what a JSON text holds, as strictly as `read_json`. What it costs is paid before it is parsed."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            often = Counter(name for name, _ in pairs)
            twice = next(name for name in often if often[name] > 1)
            raise DataError(f"{what} has the key {short(twice)} twice in one place; keep one of them.")
        return found

    def no_number(constant: str) -> float:
        raise DataError(f"{what} holds {constant}; every number must be finite.")

    def finite(digits: str) -> float:
        value = float(digits)
        return value if math.isfinite(value) else no_number(short(digits))

    with reading(what, len(text)) as budget:
        bare = _STRING.sub("", text)
        budget.pay(1 + sum(map(bare.count, ",[{{")))  # an object takes more than a list
        if len(bare) > DEEPEST and _depth(bare) > DEEPEST:
            raise DataError(
                f"{what} is not a JSON file that can be read: more than {DEEPEST} lists and objects stand in each "
                f"other; {writer}."
            )
        if bare.count("[") > MOST_LISTS:
            raise DataError(
                f"{what} is not a JSON file that can be read: it holds more than {MOST_LISTS:,} lists; {writer}."
            )
    try:
        return json.loads(text, object_pairs_hook=once, parse_constant=no_number, parse_float=finite)
    except json.JSONDecodeError as fault:
        raise DataError(f"{what} is not a JSON file that can be read (line {fault.lineno}); {writer}.") from None
    except (RecursionError, ValueError) as fault:  # nested too deeply, or a number of too many digits
        if isinstance(fault, DataError):
            raise
        raise DataError(f"{what} is not a JSON file that can be read; {writer}.") from None


def _depth(bare: str) -> int:
    """Return how many lists and objects stand in each other at most, in a JSON text without its strings."""
    marks = np.frombuffer(bare.encode("utf-8", "replace"), dtype=np.uint8)
    steps = np.zeros(len(marks), dtype=np.int8)
    steps[(marks == ord("[")) | (marks == ord("{"))] = 1
    steps[(marks == ord("]")) | (marks == ord("}"))] = -1
    return int(np.cumsum(steps[steps != 0], dtype=np.int32).max(initial=0))


def json_bytes(value: object) -> bytes:
    """Return a value as the bytes of a JSON file (UTF-8, an entry a line); raise ValueError for NaN and infinities."""
    written = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    try:
        return written.encode("utf-8")
    except UnicodeEncodeError as fault:
        half = short(written[fault.start : fault.end])
        raise DataError(f"A text has {half} in it, half of a character; write it anew.") from None


def lower(what: str) -> str:
    """Return what a sentence begins with as it stands within one."""
    return what[:1].lower() + what[1:]


def format_and_version(what: str, found: object, format_: str, version: int) -> None:
    """Refuse an object that is not of this format, or not in this version of it."""
    if not isinstance(found, dict):
        raise DataError(f"{what} must be an object with the keys format and version.")
    for key in ("format", "version"):
        if key not in found:
            raise DataError(f"{what} lacks the key {key!r}.")
    kind = format_.removeprefix("privbo ")
    if found["format"] != format_:
        article = "an" if kind[0] in "aeiou" else "a"
        raise DataError(f"The file's format is {short(found['format'])}; {article} {kind} has {format_!r} there.")
    said = found["version"]
    whole = isinstance(said, int) and not isinstance(said, bool)
    if not whole or said != version:
        older = "; go on with the one that wrote it" if whole and said > 0 else ""
        way_out = ": update the program" if whole and said > version else older
        raise DataError(f"The {kind}'s version is {short(said)}; this program reads version {version}{way_out}.")


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


def size(count: int) -> str:
    """Return a number of bytes as a person reads it: 200 kB, 64 MB."""
    return f"{count / 1e6:.0f} MB" if count >= 1_000_000 else f"{count / 1000:.0f} kB"


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
