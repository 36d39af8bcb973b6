"""One command a step, for both parties, with what `--help` says; what went wrong is one sentence, and no traceback."""

import argparse
import re
import textwrap
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn, get_args

from privbo_core import terminal
from privbo_core.privacy import Noise
from privbo_core.terminal import complain, ended, notes
from privbo_core.workbench import holder, modeler
from privbo_core.workbench.files import PROGRAM

WIDTH = 79  # Columns of text in what --help says.
COMMANDS = Path(__file__).with_name("commands.toml")
"""What each command is called, says in its --help and takes, as `argparse` names it."""
RUN: dict[str, Callable[[argparse.Namespace], None]] = {
    "frame": holder.make_frame,
    "release": holder.release,
    "find": holder.find,
    "answer": holder.answer,
    "ledger": holder.ledger,
    "open": modeler.open_release,
    "ask": modeler.ask,
    "tell": modeler.tell,
    "untell": modeler.untell,
    "skip": modeler.skip,
    "best": modeler.best,
}


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number; write one with a point, as 97.5") from None


def _whole(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 on, as 812 is")
    return int(text)


def _count(text: str) -> int:
    return 0 if text == "0" else _whole(text)


TYPES: dict[str, dict[str, Any]] = {
    "path": {"type": Path},
    "number": {"type": _number},
    "whole": {"type": _whole},
    "count": {"type": _count},
    "noise": {"choices": get_args(Noise)},
}
"""What an argument may be, by the word for it in `COMMANDS`."""
_NEGATIVE = re.compile(r"^-(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$")


class UsageError(ValueError):
    """A command that was not written as it should be. The message says what is missing or wrong."""


class Parser(terminal.Parser):
    """Says in one sentence what is wrong, and takes ``-1e-3`` for a number."""

    def __init__(self, **options: object) -> None:
        super().__init__(**options, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)  # type: ignore[arg-type]
        self._negative_number_matcher = _NEGATIVE

    def error(self, message: str) -> NoReturn:
        """Raise UsageError with what argparse has to say."""
        raise UsageError(f"{message[:1].upper()}{message[1:]}; see {self.prog} --help.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out one command; return the exit status.

    0: done; 1 or 141: done, but what it says could not be printed, or nobody read on; 2: refused (one sentence on
    stderr); 130: interrupted.
    """
    return ended(lambda: _carried_out(arguments))


def _carried_out(arguments: Sequence[str] | None) -> int:
    try:
        options = _parser().parse_args(arguments)
        options.run(options)
        return 0
    except (ValueError, OSError, MemoryError) as problem:
        sentence = " ".join(str(problem).split())
        if isinstance(problem, OSError):
            name = f" {problem.filename!r}" if problem.filename else ""
            sentence = f"The file{name} cannot be used: {problem.strerror or problem}."
        elif isinstance(problem, MemoryError):
            sentence = "The table is too large for this machine's memory; leave out columns that no command needs."
        complain(" ".join((sentence, *notes(problem))))
        return 2


def _parser() -> Parser:
    said = tomllib.loads(COMMANDS.read_text(encoding="utf-8"))
    example = said.pop("example").format(program=PROGRAM)
    parser = Parser(prog=PROGRAM, description=said.pop("overview"), epilog=example)
    commands = parser.add_subparsers(metavar="COMMAND", required=True, title="commands", parser_class=Parser)
    for name, command in said.items():
        text = "\n\n".join(textwrap.fill(" ".join(part.split()), WIDTH) for part in command["text"].split("\n\n"))
        added = commands.add_parser(name, help=command["short"], description=text, usage=command.get("usage"))
        added.set_defaults(run=RUN[name])
        for argument in command["arguments"]:
            kind = TYPES[argument.pop("type")] if "type" in argument else {}
            if isinstance(argument.get("metavar"), list):
                argument["metavar"] = tuple(argument["metavar"])
            explained = " ".join(argument.pop("help").split("\n"))
            added.add_argument(argument.pop("name"), **argument, **kind, help=explained)
    return parser
