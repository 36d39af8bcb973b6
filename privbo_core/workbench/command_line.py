"""One command a step, for both parties, with what `--help` says; what went wrong is one sentence, and no traceback."""

import argparse
import re
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn, get_args

from privbo_core import terminal
from privbo_core.privacy import Noise
from privbo_core.terminal import complain, ended, notes
from privbo_core.workbench import holder, modeler
from privbo_core.workbench.files import PROGRAM

MARKS = ("MARK", "GROUP", "UNIT", "CODES")
WIDTH = 79
"""Columns of text in what --help says."""

FRAME = """\
Write a frame: what was known of each column BEFORE anyone looked at the data, and what change of it is to be hidden
of each person. Values outside LOW to HIGH are moved to the nearer end. HIDE is a change, in the column's unit, that
nobody shall be able to tell of a single person; the noise grows with it. FROM says in words from where LOW and HIGH
were known (how the study was set up, a textbook, what the instrument can show); if you leave it empty (""), the
frame counts as read off the data, and the promise is in doubt.

How the table's numbers are written belongs to what was known, too: each cell is read by that alone. Nothing said, it
is as programs write them: cells apart by commas, decimal point. With --table, it is written into the frame as all
of the table seems to have it (without --column, into a frame that there is); check it, and say with --written from
where it was known. A sum below the table is a record, unless the frame says how many lines at the end are none.
"""
RELEASE = """\
Release the frame's columns with noise, as one ZIP file to be sent to whoever chooses the tests. The noise comes from
the operating system, and every release adds to what each person in the table has lost: make one and keep to it. The
rows get new numbers, in an order that stands in the ledger alone. Nothing else of the table is released; --outcome
only says what will be measured.

EPSILON says how strongly the hidden change is protected: at 1, somebody who thinks either of two values as likely
as the other can become 73 % sure at most; at 3, 95 %; at 0.1, 52 %. DELTA is the chance with which that may fail:
far below 1 divided by the number of rows, such as 1e-6.
"""
FIND = """\
Say which record of the table a row of the release is, so that you know whom or what to test.
With --questions and --out, write a work sheet instead: a line for each row asked, its record, and a column for the
outcome to be filled in. The work sheet is as private as the table.
"""
ANSWER = """\
Give the outcome of a row, and write it down in the ledger first. Leave OUTCOME out if the table has it, in a column
called like the outcome. A row answered before gets the same answer again. Answers are exact or private, as the
first release said.
With --questions and --out, answer all rows that a file asks for; it may be the modeler's file, if the table has the
outcomes, or the work sheet that `find` wrote, with the outcomes filled in. Lines without an outcome are left for
later. Send the file written by --out to the modeler, never the work sheet.
"""
LEDGER = """\
Say what was released and answered, and what it has cost the person it has cost most: an ε for what is told of the
inputs, of the outcome, and of both together. With --row: what it has cost that one.
"""
OPEN = "Begin a search with the release that the holder sent. STATE is the file that will hold all of it."
ASK = """\
Say which rows to test next. With N: that many rows that were not asked before, chosen so that they differ. Without
N: the rows that are still open, or one new row if none is. With --out: write all open rows as a file for the holder.
"""
TELL = """\
Take in the outcome of a row, or with --answers a file of them. A row told before keeps its outcome unless --correct
is given.
"""
UNTELL = "Take back the outcome of a row; if the row was asked for, it is open again."
SKIP = "Leave a row out that cannot be tested, so that another one is asked for."
BEST = "Say the best row so far, what has been learned, and whether further tests are likely to be worth it."


def add_commands(commands: Any) -> None:  # noqa: ANN401 - argparse keeps its type to itself
    """Add every command to a parser's subparsers."""
    _holder(_Adder(commands))
    _modeler(_Adder(commands))


def _number(text: str) -> float:
    """Return the number that an argument is."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number; write one with a point, as 97.5") from None


def _whole(text: str) -> int:
    """Return the whole number, from 1, that an argument is."""
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 on, as 812 is")
    return int(text)


def _count(text: str) -> int:
    return 0 if text == "0" else _whole(text)


class _Adder:
    """Adds commands whose help is one line in the list and the whole text by itself."""

    def __init__(self, commands: Any) -> None:  # noqa: ANN401
        self._commands = commands

    def command(self, name: str, run: object, short: str, text: str) -> argparse.ArgumentParser:
        """Return the parser of a new command."""
        wrapped = "\n\n".join(textwrap.fill(" ".join(part.split()), WIDTH) for part in text.split("\n\n"))
        added: argparse.ArgumentParser = self._commands.add_parser(name, help=short, description=wrapped)
        added.set_defaults(run=run)
        return added


def _holder(add: _Adder) -> None:
    command = add.command("frame", holder.make_frame, "HOLDER: say what is known of each column, and hidden", FRAME)
    command.add_argument("frame", metavar="FRAME", type=Path, help="the file to write, such as people.frame.json")
    command.add_argument(
        "--column",
        nargs=6,
        action="append",
        metavar=("NAME", "UNIT", "LOW", "HIGH", "HIDE", "FROM"),
        help='once for each column, such as: --column age years 18 100 5 "adults take part"; "" for no unit',
    )
    command.add_argument("--table", type=Path, metavar="TABLE", help="say how this table is written, as it seems")
    command.add_argument("--written", default="", metavar="FROM", help="from where that was known beforehand")
    command.add_argument(
        "--marks",
        nargs=5,
        action="append",
        metavar=("NAME", *MARKS),
        help='how a column is written, if it is not as it seems: decimal mark, what stands between thousands ("" for '
        'nothing), the unit beside a number, codes that mean a missing one: --marks income , . "" 99999',
    )
    command.usage = (
        "%(prog)s FRAME [--column ...]...\n"
        "         [--table TABLE] [--written FROM] [--marks ...]... [--below N] [--force]"
    )
    command.add_argument("--below", type=_count, metavar="N", help="so many lines at the end are no records")
    _force(command)

    command = add.command("release", holder.release, "HOLDER: make the ZIP file to send", RELEASE)
    _table(command)
    command.add_argument("frame", metavar="FRAME", type=Path, help="the frame's file: see `frame`")
    command.add_argument("--epsilon", type=_number, required=True, metavar="EPSILON", help="above 0; less hides more")
    command.add_argument("--delta", type=_number, required=True, metavar="DELTA", help="such as 1e-6; 0 with laplace")
    command.add_argument("--noise", choices=get_args(Noise), default="gaussian", help="its shape (docs/noise.md)")
    command.add_argument("--looked", action="store_true", help="EPS was chosen after searches on the records")
    command.add_argument("--out", type=Path, required=True, metavar="ZIP", help="the file to write and to send")
    command.add_argument("--outcome", metavar="NAME", help="what will be measured (a second release keeps the first's)")
    command.add_argument("--unit", default="", metavar="UNIT", help="the outcome's unit, such as mg/dL")
    command.add_argument(
        "--marks",
        nargs=4,
        metavar=MARKS,
        help="how the table writes outcomes, if not as the frame's columns: see `frame`",
    )
    command.add_argument("--smaller", action="store_true", help="the smallest outcome is wanted, not the largest")
    command.add_argument(
        "--private",
        nargs=4,
        type=_number,
        metavar=("LOW", "HIGH", "HIDE", "EPS"),
        help="answer with noise: outcomes are moved into LOW to HIGH, and a change of HIDE is hidden at EPS, once "
        "for each record, at the same DELTA. Left out: answers are exact, and tell the outcome to the modeler",
    )
    command.add_argument(
        "--known-from", default="", metavar="FROM", help="from where --private's numbers were known, in words"
    )
    command.add_argument(
        "--distance", type=_number, default=1.0, metavar="K", help="protect K hidden changes at once, not one; inf: all"
    )
    command.add_argument(
        "--ledger",
        type=Path,
        default=Path("ledger.json"),
        metavar="LEDGER",
        help="your own record of all that went out; made with the first release (ledger.json)",
    )
    command.add_argument("--read-off", action="store_true", help="release even if the frame was read off the data")
    command.add_argument("--again", action="store_true", help="release a table again, at the cost of both together")
    _force(command)

    command = add.command("find", holder.find, "HOLDER: see which record a row is", FIND)
    _ledger_and_table(command)
    command.add_argument("row", metavar="ROW", type=_whole, nargs="*", help="row numbers of the release")
    command.add_argument("--questions", type=Path, metavar="FILE", help="the modeler's file of rows")
    command.add_argument("--out", type=Path, metavar="FILE", help="the work sheet to write")
    _which(command)
    _force(command)

    command = add.command("answer", holder.answer, "HOLDER: give a row's outcome, and write it down", ANSWER)
    _ledger_and_table(command)
    command.add_argument("row", metavar="ROW", type=_whole, nargs="?", help="the row asked for")
    command.add_argument("outcome", metavar="OUTCOME", type=_number, nargs="?", help="what was measured")
    command.add_argument("--correct", action="store_true", help="this exact outcome replaces the one given before")
    command.add_argument("--questions", type=Path, metavar="FILE", help="the modeler's file, or a filled-in work sheet")
    command.add_argument("--out", type=Path, metavar="FILE", help="the file of answers to write and to send")
    _which(command)
    _force(command)

    command = add.command("ledger", holder.ledger, "HOLDER: see what all of it has cost", LEDGER)
    command.add_argument("ledger", metavar="LEDGER", type=Path, help="the ledger's file")
    command.add_argument("--row", type=_whole, metavar="ROW", help="say what it has cost this row's record")
    _which(command)


def _modeler(add: _Adder) -> None:
    command = add.command("open", modeler.open_release, "MODELER: begin a search with a release", OPEN)
    command.add_argument("zip", metavar="ZIP", type=Path, help="the holder's file")
    command.add_argument("state", metavar="STATE", type=Path, help="the file to write, such as search.zip")
    _force(command)

    command = _of_state(add.command("ask", modeler.ask, "MODELER: get the next rows to test", ASK))
    command.add_argument("count", metavar="N", type=_whole, nargs="?", help="how many new rows")
    command.add_argument("--out", type=Path, metavar="FILE", help="write the open rows, to be sent to the holder")
    _force(command)

    command = _of_state(add.command("tell", modeler.tell, "MODELER: enter outcomes", TELL))
    command.add_argument("row", metavar="ROW", type=_whole, nargs="?", help="the row that was tested")
    command.add_argument("outcome", metavar="OUTCOME", type=_number, nargs="?", help="what the holder answered")
    command.add_argument("--answers", type=Path, metavar="FILE", help="the holder's file of answers")
    command.add_argument("--correct", action="store_true", help="replace outcomes told before")

    command = _of_state(add.command("untell", modeler.untell, "MODELER: take an outcome back", UNTELL))
    command.add_argument("row", metavar="ROW", type=_whole, help="the row whose outcome was entered by mistake")

    command = _of_state(add.command("skip", modeler.skip, "MODELER: leave a row out that cannot be tested", SKIP))
    command.add_argument("row", metavar="ROW", type=_whole, help="the row that cannot be tested")
    command.add_argument("--undo", action="store_true", help="it can be tested after all")

    _of_state(add.command("best", modeler.best, "MODELER: see the best so far, and whether to stop", BEST))


def _of_state(command: argparse.ArgumentParser) -> argparse.ArgumentParser:
    command.add_argument("state", metavar="STATE", type=Path, help="the search's file")
    return command


def _table(command: argparse.ArgumentParser) -> None:
    command.add_argument("table", metavar="TABLE", type=Path, help="the table as CSV; it is only read")


def _ledger_and_table(command: argparse.ArgumentParser) -> None:
    command.add_argument("ledger", metavar="LEDGER", type=Path, help="the ledger's file")
    _table(command)


def _which(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--release", type=_whole, metavar="NUMBER", help="which release the row is of (left out: the latest)"
    )


def _force(command: argparse.ArgumentParser) -> None:
    command.add_argument("--force", action="store_true", help="write over a file that exists")


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
