"""Print from commands on any terminal, and end them with a sentence when they are interrupted or their output is lost.

This module is loaded before all others, so that Ctrl-C already ends a command properly while the rest is loading.
"""

import argparse
import errno
import io
import os
import re
import signal
import sys
from collections.abc import Callable
from typing import IO, TextIO

COMMANDS = {"privbo_core.experiments", "privbo_app"}
"""The modules that are commands when ``python -m`` starts them. They run in `ended`."""
STOPPED = 130  # The exit status after an interruption.
UNPRINTED = 1  # The exit status if the command succeeded but its output could not be printed.
PIPE_CLOSED = 141  # The same, because the reader closed the pipe.
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Characters that control a terminal, such as escape sequences, line ends and changes of direction."""


def handle_early_interrupts() -> None:
    """Let Ctrl-C end a command while it is loading. Do nothing if another program imports the engine."""
    started = os.path.basename(sys.argv[0]).removesuffix(".exe") if sys.argv else ""
    module = started in ("-m", "__main__.py") and not COMMANDS.isdisjoint(sys.orig_argv)
    if (module or started == "privbo") and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end_at_once)


def _end_at_once(*_: object) -> None:
    try:
        os.write(2, b"Stopped before anything was begun.\n")
    finally:
        os._exit(STOPPED)


def visible(text: str) -> str:
    r"""Return a text with its control characters written out, such as ``\x1b`` for an escape."""
    return CONTROL.sub(lambda found: repr(found[0])[1:-1], text)


def say(line: str) -> None:
    """Print a line from any source. Characters that the terminal cannot encode become question marks."""
    _write(sys.stdout, visible(line))


def complain(line: str) -> None:
    """Print a line to standard error."""
    _write(sys.stderr, visible(line))


class Parser(argparse.ArgumentParser):
    """An argument parser that prints help with `say` and errors with `complain`."""

    def _print_message(self, message: str, file: object = None) -> None:
        for line in message.rstrip("\n").splitlines():
            (complain if file is sys.stderr else say)(line)


def ended(act: Callable[[], int], stopped: str = "Stopped. Each file is either complete or unchanged.") -> int:
    """Run a command and return its exit status.

    If it is interrupted, ``stopped`` and the notes of the interruption are printed. A command that a person started
    runs to its end even if its output cannot be printed. This is then reported on standard error and by the status
    `UNPRINTED` or `PIPE_CLOSED`.
    """
    alone, lost = signal.getsignal(signal.SIGINT) is _end_at_once, list[OSError]()
    try:
        if alone:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            _record_lost_output(lost)
        return _status(act(), lost)
    except SystemExit as done:  # For example after --help.
        if lost and not done.code:
            return _status(0, lost)
        raise
    except KeyboardInterrupt as interruption:
        if alone:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # A second one would find nothing to stop.
        complain(" ".join((stopped, *notes(interruption))))
        return STOPPED


def notes(fault: BaseException) -> tuple[str, ...]:
    """Return the notes of an exception."""
    return tuple(getattr(fault, "__notes__", ()))


class _Out(io.RawIOBase):
    """A raw stream that drops output that cannot be written and records the error."""

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


def _record_lost_output(lost: list[OSError]) -> None:
    """Record errors of standard output in ``lost`` instead of raising them, and ignore those of standard error."""
    for name in ("stdin", "stdout", "stderr"):
        stream, ignored = getattr(sys, name), lost if name == "stdout" else list[OSError]()
        if stream is None:  # A closed stream is replaced, because the next opened file would take its number.
            stream = open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8")  # noqa: SIM115
            ignored.append(OSError(errno.EBADF, os.strerror(errno.EBADF)))
        elif name != "stdin":
            raw = io.BufferedWriter(_Out(stream, ignored))
            stream = io.TextIOWrapper(raw, stream.encoding, "replace", line_buffering=True)
        setattr(sys, name, stream)


def _status(status: int, lost: list[OSError]) -> int:
    """Return the exit status, which reports lost output if the command itself succeeded."""
    if status or not lost:
        return status
    complain(f"It is done, but what it says could not be printed: {lost[0].strerror or lost[0]}.")
    return PIPE_CLOSED if isinstance(lost[0], BrokenPipeError) else UNPRINTED


def _write(stream: TextIO, text: str) -> None:
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, errors="replace").decode(encoding) + "\n")
