"""The small files that go back and forth: rows asked for, what was measured on them, and what is told."""

import csv
import io
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from privbo_core import files
from privbo_core.budget import look, reading
from privbo_core.data.table import MAX_ROWS
from privbo_core.errors import DataError

if TYPE_CHECKING:
    from privbo_core.outsourced.parties.curator import Answer
    from privbo_core.outsourced.parties.modeler import Suggestion

MOST_CHARACTERS = 50_000_000
MOST_QUESTIONS = 10_000
"""So many rows may be asked for in one file: each is looked up, and shown to who holds the data."""
_ROW = re.compile("[1-9][0-9]{0,6}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")


def release_name(number: int, digest: str) -> str:
    """Return what these files call a release: its number, and the beginning of its table's digest, ``1-3fa94c12``."""
    return f"{number}-{digest.removeprefix('sha256:')[:8]}"


def write_questions(asked: "Iterable[int | Suggestion]", of: str = "") -> str:
    """Return the CSV file in which rows are asked for: ``row``, and the release's name ``of`` (`Package.name`)."""
    return _written(("row",), [(each if isinstance(each, int) else int(each.row),) for each in asked], of)


def read_questions(source: str | bytes, of: str = "") -> tuple[int, ...]:
    """Return the rows that a file asks for, each once: its text or its bytes.

    The file is a CSV with a column ``row``, whatever else is in it, or nothing but row numbers with blanks, commas or
    line breaks between them. Raises DataError, naming line and cell, for what is no row number; and for questions that
    say themselves that they are of another release than that of the name ``of``.
    """
    what = "The questions"
    with reading(what, len(source)) as budget:
        text = _text(source, what)
        if not re.search(r"\brow\b", text.split("\n", 1)[0], re.IGNORECASE):
            lines = enumerate(text.split("\n"), start=1)
            found = ((number, cell) for number, line in lines for cell in re.findall(r"[^\s,;]+", line))
        else:
            found = ((number, cells["row"]) for number, cells in _lines(text, what, ("row",), of))
        rows: dict[int, None] = {}
        for number, cell in found:
            budget.pay(1)
            rows[_row(cell, what, number)] = None
    if not rows:
        raise DataError(f"{what} are empty; there must be a row number in them.")
    if len(rows) > MOST_QUESTIONS:
        raise DataError(f"{what} ask for {len(rows):,} rows; {MOST_QUESTIONS:,} can be asked for in one file.")
    return tuple(rows)


def answers_csv(answers: "Iterable[Answer] | Mapping[int, float]", of: str = "") -> str:
    """Return the CSV file of answers: ``row,outcome``, the release's name ``of`` (`Released.name`), nothing else."""
    pairs = answers.items() if isinstance(answers, Mapping) else [(each.row, each.value) for each in answers]
    return _written(("row", "outcome"), [(int(row), float(value)) for row, value in pairs], of)


def read_answers(source: str | bytes, of: str = "") -> dict[int, float]:
    """Return the outcome of each row in a CSV file with the columns ``row`` and ``outcome``, whatever else is in it.

    Delimiters are comma, semicolon or tab; beside the last two the decimal mark may be a comma. Raises DataError,
    naming line and cell, for an outcome that is no number, none, or there twice for one row; and for answers that say
    themselves that they are of another release than that of the name ``of``.
    """
    return _outcomes(source, "The answers", of, empty=False)


def read_outcomes(source: str | bytes, of: str = "") -> dict[int, float]:
    """Return what was measured, from a file as `read_answers` reads; rows without an outcome were not measured yet."""
    return _outcomes(source, "The outcomes", of, empty=True)


def _written(names: tuple[str, ...], lines: Iterable[tuple[float, ...]], of: str) -> str:
    last = (of,) if of else ()
    said = [(*names, *("release" for _ in last)), *((*map(repr, line), *last) for line in lines)]
    return "".join(f"{','.join(line)}\r\n" for line in said)


def _outcomes(source: str | bytes, what: str, of: str, *, empty: bool) -> dict[int, float]:
    found: dict[int, float] = {}
    with reading(what, len(source)) as budget:
        for line, cells in _lines(_text(source, what), what, ("row", "outcome"), of):
            budget.pay(1)
            row = _row(cells["row"], what, line)
            if empty and not cells["outcome"]:
                continue
            if not _NUMBER.fullmatch(cells["outcome"]):
                said = files.short(cells["outcome"])
                raise DataError(f"{what} have {said} in line {line}; an outcome must be a number.")
            if row in found:
                raise DataError(f"{what} have row {row} twice, in line {line} again; keep the one that is right.")
            found[row] = files.number(f"The outcome of row {row} in line {line}", float(cells["outcome"]))
    if not found:
        raise DataError(f"{what} are empty; there must be a row with an outcome in them.")
    return found


def _lines(text: str, what: str, needed: tuple[str, ...], of: str) -> Iterable[tuple[int, dict[str, str]]]:
    """Yield each line's number and its cells in the ``needed`` columns, decimal commas as points."""
    header = text.split("\n", 1)[0]
    delimiter = next((mark for mark in ";\t" if mark in header), ",")
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    try:
        names = [name.strip().lower() for name in next(reader, [])]
        for name in needed:
            if names.count(name) != 1:
                often = "more than one" if name in names else "no"
                raise DataError(f"{what} have {often} column {name!r}; their first line must be {','.join(needed)}.")
        places = {name: names.index(name) for name in (*needed, "release") if name in names}
        for cells in reader:
            look()  # at those that are blank, too
            if any(cell.strip() for cell in cells):
                found = {name: cells[place].strip() if place < len(cells) else "" for name, place in places.items()}
                if delimiter != "," and "outcome" in needed:
                    found["outcome"] = found["outcome"].replace(",", ".")
                said = found.get("release", "")
                if of and said not in ("", of):
                    raise DataError(
                        f"{what} are of release {files.short(said)} in line {reader.line_num}, and this is {of!r}: in "
                        "each release a row is another record; take the files that belong together."
                    )
                yield reader.line_num, found
    except csv.Error:
        raise DataError(f"{what} are not a CSV file that can be read (line {reader.line_num}).") from None


def _row(cell: str, what: str, line: int) -> int:
    if not _ROW.fullmatch(cell) or int(cell) > MAX_ROWS:
        raise DataError(f"{what} have {files.short(cell)} in line {line}, which is no row number; rows count from 1.")
    return int(cell)


def _text(source: str | bytes, what: str) -> str:
    try:
        text = source.decode("utf-8-sig") if isinstance(source, bytes) else source
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise DataError(f"{what} are not a text in UTF-8; save them as CSV (UTF-8).")
    if len(text) > MOST_CHARACTERS:
        raise DataError(
            f"{what} are larger than {files.size(MOST_CHARACTERS)}, which none need to be; are they others?"
        )
    return text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\n")
