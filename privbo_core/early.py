"""The first thing that is loaded, so that Ctrl-C ends a command with a sentence while all the rest is being loaded."""

import os
import signal
import sys

COMMANDS = {"privbo_core.experiments", "privbo_app"}
"""What is started by ``python -m`` and is carried out by `terminal.ended`."""
STOPPED = 130  # The exit status of what was interrupted.


def watch() -> None:
    """Let Ctrl-C end a command that is still being loaded. Nothing, where this program is used by another."""
    started = os.path.basename(sys.argv[0]).removesuffix(".exe") if sys.argv else ""
    module = started in ("-m", "__main__.py") and not COMMANDS.isdisjoint(sys.orig_argv)
    if (module or started == "privbo") and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end_at_once)


def end_at_once(*_: object) -> None:
    """End at once: nothing has begun."""
    try:
        os.write(2, b"Stopped before anything was begun.\n")
    finally:
        os._exit(STOPPED)
