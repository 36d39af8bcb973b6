"""One command a step, for both parties; what went wrong is one sentence, and never a traceback."""

import argparse
import re
from collections.abc import Sequence
from typing import NoReturn

from privbo_core import terminal
from privbo_core.terminal import complain, ended, notes
from privbo_core.workbench.commands import add_commands
from privbo_core.workbench.files import PROGRAM

OVERVIEW = """\
Two parties look for the best record of a table that only one of them may see.

HOLDER: you hold the data. You say in a frame what was known of each column and
what is to be hidden of each person, release noisy columns once, and answer for
the rows that are asked for.
MODELER: you choose what to test. You get the release, never the table, ask for
rows, and are told their outcomes.

Files pass between you, by whatever way you send files. The ledger and the work
sheets never leave the holder.

  HOLDER                                   MODELER
  frame    say what is known and hidden
  release  make the ZIP file to send   →   open  begin a search with it
                                       ←   ask   get the next rows to test
  find     see which record a row is
  answer   write its outcome down      →   tell  enter the outcome
  ledger   what all of it has cost         best  the best so far; go on or not
"""
EXAMPLE = f"""\
one round, with a table people.csv that has the columns age and weight:

HOLDER
  {PROGRAM} frame people.frame.json \\
    --column age years 18 100 5 "adults take part" \\
    --column weight kg 30 250 10 "the scale goes no further"
  {PROGRAM} release people.csv people.frame.json \\
    --epsilon 1 --delta 1e-6 --outcome glucose --unit mg/dL --out release.zip
MODELER
  {PROGRAM} open release.zip search.zip
  {PROGRAM} ask search.zip
HOLDER, if that said row 812
  {PROGRAM} find ledger.json people.csv 812
  {PROGRAM} answer ledger.json people.csv 812 97.5
MODELER
  {PROGRAM} tell search.zip 812 97.5

More about a command: {PROGRAM} release --help
"""
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
    except ValueError as problem:
        return _refused(problem, " ".join(str(problem).split()))
    except OSError as problem:
        name = f" {problem.filename!r}" if problem.filename else ""
        return _refused(problem, f"The file{name} cannot be used: {problem.strerror or problem}.")
    except MemoryError as problem:
        why = "The table is too large for this machine's memory; leave out columns that no command needs."
        return _refused(problem, why)
    return 0


def _refused(problem: Exception, sentence: str) -> int:
    complain(" ".join((sentence, *notes(problem))))
    return 2


def _parser() -> Parser:
    parser = Parser(prog=PROGRAM, description=OVERVIEW, epilog=EXAMPLE)
    commands = parser.add_subparsers(metavar="COMMAND", required=True, title="commands", parser_class=Parser)
    add_commands(commands)
    return parser
