"""The Workbench from a command line: `python -m privbo_core.workbench`."""

from privbo_core.workbench.command_line import main

__all__ = ["main"]
