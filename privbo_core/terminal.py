"""What commands print, on any terminal, and how they end: with a sentence, whoever stops them or no longer listens."""

import argparse
import errno
import io
import os
import re
import signal
import sys
from collections.abc import Callable
from typing import IO, TextIO

from privbo_core.early import STOPPED, end_at_once

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Characters that a terminal does not show but obeys: escape sequences begin with them, and lines end or turn round."""
UNSAID, UNHEARD = 1, 141
"""Exit statuses: done, but what it says could not be printed; the same because nobody reads on."""


def visible(text: str) -> str:
    r"""Return a text in which every character that a terminal would obey is written out: ``\x1b`` for an escape."""
    return CONTROL.sub(lambda found: repr(found[0])[1:-1], text)


def say(line: str) -> None:
    """Print a line, whoever wrote it. A letter that the terminal cannot show becomes a question mark."""
    _write(sys.stdout, visible(line))


def complain(line: str) -> None:
    """Print a line where errors go."""
    _write(sys.stderr, visible(line))


class Parser(argparse.ArgumentParser):
    """Prints help as everything else is printed."""

    def _print_message(self, message: str, file: object = None) -> None:
        for line in message.rstrip("\n").splitlines():
            (complain if file is sys.stderr else say)(line)


def ended(
    act: Callable[[], int], stopped: str = "Stopped. What was written is whole; what was not is as before."
) -> int:
    """Carry out a command and return its exit status.

    ``stopped``: what is said if it is interrupted, followed by the interruption's notes. A command that was started by
    itself, and not by a program, is carried out even if what it says cannot be printed; that is then said where errors
    go, by status `UNSAID` or `UNHEARD`.
    """
    alone, lost = signal.getsignal(signal.SIGINT) is end_at_once, list[OSError]()
    try:
        if alone:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            _listen(lost)
        return _heard(act(), lost)
    except SystemExit as done:  # --help, and what else ends of itself
        if lost and not done.code:
            return _heard(0, lost)
        raise
    except KeyboardInterrupt as interruption:
        if alone:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second one would find nothing to stop
        complain(" ".join((stopped, *notes(interruption))))
        return STOPPED


def notes(fault: BaseException) -> tuple[str, ...]:
    """Return what was noted of an exception on its way."""
    return tuple(getattr(fault, "__notes__", ()))


class _Out(io.RawIOBase):
    """A place to print to; what it does not take is gone, and why is noted."""

    def __init__(self, stream: IO[str], lost: list[OSError]) -> None:
        self._stream, self._lost = stream, lost

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._stream.fileno()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def write(self, data: object) -> int:
        written = bytes(data)  # type: ignore[call-overload]
        try:
            return os.write(self.fileno(), written)
        except OSError as fault:
            self._lost.append(fault)
            return len(written)


def _listen(lost: list[OSError]) -> None:
    """Let nothing that is printed stop the program: note in ``lost`` why it could not be."""
    for name in ("stdin", "stdout", "stderr"):
        stream, ignored = getattr(sys, name), lost if name == "stdout" else list[OSError]()
        if stream is None:  # closed: something takes its place, or the next file opened would
            stream = open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8")  # noqa: SIM115
            ignored.append(OSError(errno.EBADF, os.strerror(errno.EBADF)))
        elif name != "stdin":
            raw = io.BufferedWriter(_Out(stream, ignored))
            stream = io.TextIOWrapper(raw, stream.encoding, "replace", line_buffering=True)
        setattr(sys, name, stream)


def _heard(status: int, lost: list[OSError]) -> int:
    """Return the exit status, another one if it is a good one and not all could be printed."""
    if status or not lost:
        return status
    complain(f"It is done, but what it says could not be printed: {lost[0].strerror or lost[0]}.")
    return UNHEARD if isinstance(lost[0], BrokenPipeError) else UNSAID


def _write(stream: TextIO, text: str) -> None:
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, errors="replace").decode(encoding) + "\n")
