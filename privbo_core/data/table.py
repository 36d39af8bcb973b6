"""A delimited text file becomes a table, or a sentence that says why not."""

import codecs
import csv
import io
import os
import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from operator import itemgetter
from typing import BinaryIO

import numpy as np
import pandas as pd

from privbo_core.budget import Budget, Watched, look, reading
from privbo_core.data import lines
from privbo_core.data.columns import as_text, bare, may_be_numbers, names_and_units, numbers, open_to_both, own_mark
from privbo_core.data.lines import MAX_BYTES, SAMPLE, Layout, encoding_of, read, unpacked
from privbo_core.data.marks import DELIMITERS, PLAIN, FileMarks, proposed_marks
from privbo_core.errors import DataError
from privbo_core.files import listed
from privbo_core.terminal import CONTROL

MAX_ROWS = 1_000_000
MAX_COLUMNS = 1_000
MAX_CELLS = 50_000_000  # At 8 bytes a cell, twice the largest file.
MAX_LEFT_OUT, LONGEST_LEFT_OUT = 100_000, 100  # So many lines may be no rows, and so much is remembered of each.

__all__ = ["MAX_BYTES", "MAX_CELLS", "MAX_COLUMNS", "MAX_ROWS", "load_table"]

_PRIVATE_USE = re.compile("[\ue000-\uf8ff]")


def load_table(
    file_or_path: str | os.PathLike[str] | bytes | BinaryIO, missing: Mapping[str, Collection[float]] | None = None
) -> pd.DataFrame:
    """Return the table in a CSV file: a path, its bytes, or a binary file object (read from its beginning).

    Delimiter (comma, semicolon, tab, bar), encoding (UTF-8, UTF-16, Windows-1252), gzip, and the decimal mark are
    detected. A column of which each cell is a number or missing comes out numeric, any other as text; a unit that most
    of its cells carry (€ 5, 12 %) is taken off. Units in names ("age [years]") become ``table.attrs["units"]``, by
    column. A later column of the same name gets a number. Titles above the names, sums and remarks below the table are
    left out. Markup and formulas are text like any other; characters for private use, which mean nothing in a file,
    are left out, and in names those that a terminal would obey. ``missing``: numbers that mean, in a column, that there
    is no value, such as 99999; where a column is not named, those that seem to are read as numbers, and proposed.
    ``table.attrs["decimal"]`` is the decimal mark of the file, ``table.attrs["notes"]`` a tuple of sentences that a
    person should see, and ``table.attrs["short"]`` the same in a few words each. Row 0 of the table is the first below
    the header.
    How a cell is read depends on others so, which is good for a look and no base for a proof: what was found out is
    proposed, as `FileMarks` in ``table.attrs["file"]`` and `Marks` by column, where they are not plain, in
    ``table.attrs["marks"]``. `load_cells` reads a file by such marks alone.

    Raises DataError, with what is wrong, where, and what to do, on anything that is no such table or is larger than
    200 MB, 1 000 000 rows or 1 000 columns. Two passes over the bytes; O(size) time, about 4 times the size in memory.
    """
    packed = read(file_or_path)
    with reading("The file", len(packed)) as budget:
        return _table(unpacked(packed, budget), budget, missing or {})


def _table(data: bytes, budget: Budget, missing: Mapping[str, Collection[float]]) -> pd.DataFrame:
    encoding = encoding_of(data)
    source = _Source(data, encoding, _delimiter(data, encoding), budget)
    notes: _Notes = []
    if encoding in ("cp1252", "latin-1"):
        said = "The file is not UTF-8; its letters are read as Windows-1252. Check accented names."
        notes.append(("not UTF-8", said))
    found = _check(source)
    names, units = _names(found, notes)
    if unknown := [name for name in missing if name not in names]:
        raise DataError(f"There is no column {unknown[0]!r} of which to say what is missing.")
    file = found.marks(source.delimiter, encoding)
    if found.left_out or not found.layout.plain or found.trimmed:
        rewritten = lines.rewritten(_table_rows(source, found), names, source.delimiter)
        source, found.skipped = replace(source, data=rewritten, encoding="utf-8"), 0
    table = _parse(source, names, found.skipped, found.rows, text=False)
    mark = _mark(table, source.delimiter)
    if mark == ",":
        # Where the comma is the decimal mark, 1.234 in a column of its own is 1234: the text is needed again.
        table = _parse(source, names, found.skipped, found.rows, text=True)
        notes.append(("decimal comma", "The decimal mark is a comma."))
    inside, marks = {}, {}
    for name in names:
        look()
        read = numbers(table[name], mark)
        proposed = proposed_marks(table[name], read)
        if name in missing:
            none = np.isin(read.amounts, list(missing[name]))
            table[name] = table[name].mask(none)
            read = replace(read, amounts=np.where(none, np.nan, read.amounts))
            proposed = replace(proposed, missing=tuple(f"{float(code):.15g}" for code in missing[name]))
        if proposed != PLAIN:
            marks[name] = proposed
        if isinstance(table[name].dtype, pd.StringDtype):
            if read.unit:
                inside[name] = read.unit
            if read.unreadable.any():
                table[name] = table[name].str.replace(_PRIVATE_USE, "", regex=True)
            else:
                table[name] = read.amounts
    if inside:
        notes.append(("units in cells", f"Numbers are read without the unit beside them: {_pairs(inside)}."))
    sentences = tuple(sentence for _, *said in notes for sentence in said)
    table.attrs.update(decimal=mark, notes=sentences, short=tuple(phrase for phrase, *_ in notes))
    table.attrs.update(units={**inside, **units}, file=file, marks=marks)
    return table


_Notes = list[tuple[str, ...]]  # What a person should see of how a file was read: in a few words, and as sentences.


@dataclass(frozen=True)
class _Source:
    """The bytes of a file, how they are written, and what may be spent on them."""

    data: bytes
    encoding: str
    delimiter: str
    budget: Budget

    def reader(self) -> "csv._reader":  # type: ignore[name-defined]
        text = io.TextIOWrapper(Watched(self.data, self.budget), encoding=self.encoding, newline="")
        return csv.reader(text, delimiter=self.delimiter, strict=True)


@dataclass
class _Checked:
    """A file's lines: where its table begins, how many rows it has, and which lines are none of them, by number."""

    layout: Layout
    skipped: int = 0
    rows: int = 0
    left_out: dict[int, str] = field(default_factory=dict)
    trimmed: bool = False

    def marks(self, delimiter: str, encoding: str) -> FileMarks:
        """Return how the file turned out to be written."""
        below, end = 0, self.layout.before + self.rows + len(self.left_out)
        while end - below in self.left_out:
            below += 1
        names = self.skipped + self.layout.before - bool(self.layout.units) + 1
        return FileMarks(delimiter, encoding, names, below)


def _delimiter(data: bytes, encoding: str) -> str:
    """Return the delimiter that cuts most of the file's first rows to the width of the first, the widest if several."""
    text = codecs.getincrementaldecoder(encoding)(errors="ignore").decode(data[:SAMPLE])
    first = text.lstrip("\r\n \ufeff")[:6].lower()
    if first.startswith("sep=") and first[4:5] in DELIMITERS:
        return first[4]
    best = later = (0.0, 0, "")  # later: where titles stand above the names
    for delimiter in DELIMITERS:
        heads: list[list[str]] = []
        with suppress(csv.Error):  # what stands before the error is kept
            heads.extend(islice(lines.filled(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)), 200))
        widths = [len(row) for row in heads]
        if len(data) > SAMPLE and len(widths) > 1:
            widths.pop()  # may have been cut
        if not widths:
            continue
        width = widths[0] if widths[0] > 1 else lines.usual(widths)
        found = round(widths.count(width) / len(widths), 1), width, delimiter
        if widths[0] > 1:
            best = max(best, found, key=itemgetter(0, 1))
        elif len(widths) > 2 and width > 1 and not any(map(_is_number, heads[widths.index(width)])):
            later = max(later, found, key=itemgetter(0, 1))
    if later[0] >= 0.5 > best[0]:
        return later[2]
    if not best[2]:
        raise DataError(
            "Only one column was found: the first row holds no comma, semicolon, tab or bar. "
            "Save the table as CSV with one input and one output column at least."
        )
    return best[2]


def _check(source: _Source) -> _Checked:
    """Return where the table begins, how many rows it has, and which lines are none of them; all rows equally wide.

    pandas fills short rows up in silence, so this pass is what finds them.
    """
    reader = source.reader()
    skipped = 0
    try:
        rows = lines.filled(paid(reader, source.budget))
        first = next(rows, None)
        if first is not None and first[0].lower() == "sep=":
            skipped, first = 1, next(rows, None)
        if first is None:
            raise DataError(lines.EMPTY)
        head = islice(paid(lines.filled(source.reader()), source.budget), skipped + 1, lines.HEAD)
        layout = lines.layout_of([first, *head])
        check_width(layout.width)
        found = _counted(chain([first], rows), reader, layout, source.delimiter)
    except csv.Error as error:
        raise unquoted(reader, error) from None
    found.skipped = skipped
    if found.rows < 2:
        what = "only a row of names" if found.rows == 0 else "one row of data"
        raise DataError(f"The file holds {what}; at least two rows of data are needed to choose between.")
    return found


def paid(rows: Iterable[list[str]], budget: Budget) -> Iterator[list[str]]:
    """Yield rows, blank ones too, and pay for their cells."""
    for row in rows:
        budget.pay(max(len(row), 1))
        yield row


def _counted(rows: Iterator[list[str]], reader: "csv._reader", layout: Layout, delimiter: str) -> _Checked:  # type: ignore[name-defined]
    """Count the rows of the table. What sums them up, or is a remark, may stand below the last of them alone."""
    width, found = layout.width, _Checked(layout)
    header: list[str] = []
    last: deque[tuple[int, list[str]]] = deque(maxlen=6)
    odd: tuple[int, int] | None = None  # a row of another width: line, fields
    for number, row in enumerate(rows):
        if len(found.left_out) > MAX_LEFT_OUT:
            raise DataError(f"More than {MAX_LEFT_OUT:,} lines are no rows of the table; keep the table alone.")
        if number <= layout.before:
            header = row if number == layout.before - bool(layout.units) else header
            continue
        if row == header:
            found.left_out[number] = "names"
            continue
        cells = lines.trimmed(row, width)
        found.trimmed = found.trimmed or len(cells) < len(row)
        if odd is not None and len(cells) == width:
            raise lines.wrong_width(*odd, width, DELIMITERS[delimiter])
        if len(cells) != width:
            if not (lines.is_remark(cells) or lines.is_sum(cells)):
                raise lines.wrong_width(reader.line_num, len(row), width, DELIMITERS[delimiter])
            odd = odd or (reader.line_num, len(row))
            found.left_out[number] = lines.joined(cells)[:LONGEST_LEFT_OUT]
            continue
        found.rows += 1
        last.append((number, cells))
        check_count(found.rows, width)
    for number, cells in reversed(last):
        below = any(cell.strip() for cell in cells)
        if below and not lines.is_sum(cells):
            break
        if below:
            for each, others in last:  # and the empty lines behind it
                if each >= number and each not in found.left_out:
                    found.left_out[each] = next((cell.strip() for cell in others if cell.strip()), "")
                    found.rows -= 1
    return found


def check_count(rows: int, width: int) -> None:
    """Raise DataError for a table with more rows or cells than are read."""
    if rows > MAX_ROWS:
        raise DataError(f"The table has more than {MAX_ROWS:,} rows; upload a random sample of them.")
    if rows * width > MAX_CELLS:
        raise DataError(f"The table has more than {MAX_CELLS:,} cells ({width:,} columns); keep those that are needed.")


def names_in(header: list[str]) -> tuple[list[str], dict[str, str]]:
    """Return the names in a line of a table, each different, and their units."""
    return _names(_Checked(Layout(lines.tidy(header), len(header))), [])


def unquoted(reader: "csv._reader", error: csv.Error) -> DataError:  # type: ignore[name-defined]
    """Return what is said of a line whose quotation marks are not in pairs."""
    return DataError(
        f"Line {reader.line_num} cannot be read ({error}): most likely a quotation mark is missing or not doubled."
    )


def _table_rows(source: _Source, found: _Checked) -> Iterator[list[str]]:
    """Yield the rows of the table alone."""
    for number, row in enumerate(islice(lines.filled(source.reader()), found.skipped, None)):
        if number > found.layout.before and number not in found.left_out:
            yield lines.trimmed(row, found.layout.width)


def _names(found: _Checked, notes: _Notes) -> tuple[list[str], dict[str, str]]:
    """Return the names of the columns and their units, and tell of what was made of them."""
    layout = found.layout
    if layout.above:
        what = f"{len(layout.above)} line{'s' if len(layout.above) > 1 else ''}"
        notes.append((f"{what} above the names", f"Left out above the names of the columns: {_quoted(layout.above)}."))
    if layout.group:
        notes.append(("joined names", "The columns are called as in the second of the two lines of names."))
    if not layout.named:
        said = "Each row begins with a name of its own; that column is called 'row'."
        notes.append(("a column without a name", said))
    layout.header = [CONTROL.sub("", " ".join(_PRIVATE_USE.sub("", name).split())) for name in layout.header]
    names, doubled = lines.apart(layout.header, layout.group)
    if doubled:
        notes.append(("the same name twice", *doubled))
    if unnamed := [place for place, name in enumerate(names, start=1) if not name]:
        said = f"Column {listed(unnamed, 5)} had no name and is called by its number."
        notes.append(("a column without a name", said))
    if all(map(_is_number, names)):
        said = "The first row was taken as the names of the columns, but all of it is numbers: is it missing?"
        notes.append(("names that are numbers", said))
    names, units = names_and_units(names)
    units = {names[place]: unit for place, unit in layout.units.items() if names[place]} | units
    if units:
        notes.append(("units read from names", f"Units are read from the names: {_pairs(units)}."))
    if repeated := list(found.left_out.values()).count("names"):
        said = f"The names of the columns stand in {repeated} more line{'s' if repeated > 1 else ''}, left out."
        notes.append(("repeated names", said))
    if below := [what for what in found.left_out.values() if what and what != "names"]:
        what = "the last line" if len(below) == 1 else f"the last {len(below)} lines"
        notes.append((f"{what} left out", f"Left out below the table, because it is no row of it: {_quoted(below)}."))
    return _named(names), units


def _pairs(units: dict[str, str]) -> str:
    return listed([f"{name} in {unit}" for name, unit in units.items()], 6)


def _quoted(texts: list[str]) -> str:
    return listed(list(map(lines.short, texts)), 3)


def check_width(width: int) -> None:
    """Raise DataError for a table with more columns than are read."""
    if width > MAX_COLUMNS:
        raise DataError(
            f"The table has {width:,} columns; at most {MAX_COLUMNS:,} can be read. "
            "Keep the columns that are inputs or outputs."
        )


def _named(names: list[str]) -> list[str]:
    """Return the names, with one made up for each column that has none."""
    named = list(names)
    for place in (place for place, name in enumerate(names) if not name):
        named[place] = f"column {place + 1}"
        while named.count(named[place]) > 1:
            named[place] += "′"
    return named


def _parse(source: _Source, names: list[str], skipped: int, rows: int, *, text: bool) -> pd.DataFrame:
    """Return the table; with ``text``, every cell as it stands in the file."""
    try:
        table = pd.read_csv(
            Watched(source.data, source.budget),
            sep=source.delimiter,
            encoding=source.encoding,
            header=skipped,
            names=names,
            index_col=False,
            dtype="str" if text else None,
            low_memory=False,  # one type for the whole of a column
            na_values=["-", "--", ".", "?"],
        )
    except (ValueError, OverflowError, pd.errors.ParserError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"The file cannot be read as a table: {error}. Save it again as CSV in UTF-8.") from None
    if len(table) != rows:
        raise DataError(
            f"The file can be read as {rows:,} or as {len(table):,} rows; check its quotation marks and blank lines."
        )
    for name in names:
        if table[name].dtype == bool:
            table[name] = table[name].astype("str")
    return table


def _mark(table: pd.DataFrame, delimiter: str) -> str:
    """Return the decimal mark of the file: by the cells that allow one reading only, else by what goes with ``;``."""
    votes = {",": 0, ".": 0}
    either = fractions = False
    for name in table.columns:
        look()
        if isinstance(table[name].dtype, pd.StringDtype):
            text = as_text(table[name])
            if not may_be_numbers(text):
                continue
            text = bare(text, (text != "").to_numpy(dtype=bool)).text
            mark = own_mark(text)
            if mark:
                votes[mark] += 1
            either = either or open_to_both(text)
        elif pd.api.types.is_float_dtype(table[name].dtype):
            fractions = fractions or bool((table[name] % 1 > 0).any())
    if votes[","] != votes["."]:
        return max(votes, key=lambda mark: votes[mark])
    return "," if either and delimiter == ";" and not fractions else "."


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True
