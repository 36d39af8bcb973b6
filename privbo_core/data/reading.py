"""Read a table from a delimited text file, and collect the questions about it that only a person can answer."""

import csv
import io
import os
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import BinaryIO, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privbo_core.budget import Watched, look, reading
from privbo_core.data.columns import as_text, holds_numbers
from privbo_core.data.layout import Layout, LeftOut, find_layout, quoted, records, unique_names
from privbo_core.data.numbers import NumberColumn, parse_column, plain_number
from privbo_core.data.outliers import hundredfold, hundredth, missing_codes
from privbo_core.data.source import Source, is_number, open_source, read_bytes
from privbo_core.data.units import names_and_units
from privbo_core.errors import Array, DataError, listed
from privbo_core.terminal import CONTROL

Kind = Literal["missing", "header", "unit", "multiplier", "hundredfold", "hundredth"]
Scaled = dict[Literal["hundredfold", "hundredth"], dict[str, Collection[float]]]
Notes = list[tuple[str, str]]  # Pairs of a few words and a sentence.
_PRIVATE_USE = re.compile("[\ue000-\uf8ff]")


@dataclass(frozen=True)
class Question:
    """A question about a table that only a person can answer with yes or no.

    The ``kind`` of question is about the ``column``, which is empty for ``header``:

    - ``missing``: do these ``amounts`` mean that there is no value?
    - ``header``: does the first line hold the names of the columns?
    - ``unit``: do cells without the unit have that unit, too?
    - ``multiplier``: do letters such as k and M multiply the number?
    - ``hundredfold``: are these ``amounts`` a hundred times too large, as prices in cents would be?
    - ``hundredth``: are these ``amounts`` a hundred times too small, as heights in metres among centimetres would be?

    ``examples`` are up to three cells. ``rows`` is the number of rows that the answer changes. ``assumed`` is the
    answer with which the table was read.
    """

    column: str
    kind: Kind
    examples: tuple[str, ...]
    rows: int
    assumed: bool
    amounts: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class ReadTable:
    """A table and the questions about it that the arguments of `read_table` did not answer."""

    table: pd.DataFrame
    questions: tuple[Question, ...]


def load_table(
    file: str | os.PathLike[str] | bytes | BinaryIO,
    missing: Mapping[str, Collection[float]] | None = None,
    *,
    header: bool | None = None,
    text: Collection[str] = (),
    hundredfold: Mapping[str, Collection[float]] | None = None,
    hundredth: Mapping[str, Collection[float]] | None = None,
) -> pd.DataFrame:
    """Return the table in a CSV file: a path, its bytes, or a binary file object, which is read from its beginning.

    Encoding (UTF-8, UTF-16, UTF-32, Windows-1252), gzip, delimiter (comma, semicolon, tab, bar) and decimal mark are
    detected. Lines above the header, sums and remarks below the table, and repeated headers are left out.
    A column becomes numeric if each of its cells is a number or missing. Marks between thousands, one unit beside the
    numbers (€ 5, 12 %), and k and M after them are understood. In a column with other cells, the numbers are
    rewritten as programs write them. A unit in a column's name ("age [years]") is separated from it.

    - ``missing``: numbers that mean, in a column, that there is no value, such as 99999. Keys are column names.
    - ``header``: whether the first line of the table holds the names of its columns. None detects it.
    - ``text``: columns whose cells stay as they are.
    - ``hundredfold``: numbers that are, in a column, a hundred times too large. They are divided by 100.
    - ``hundredth``: numbers that are, in a column, a hundred times too small. They are multiplied by 100.

    Row 0 of the table is the first below the header. ``attrs["units"]`` are the units by column, ``attrs["decimal"]``
    is the decimal mark, ``attrs["notes"]`` holds sentences about the reading that a person should see, and
    ``attrs["short"]`` the same in a few words each. O(size) time, and about 4 times the size in memory.

    Raises DataError if the file is not such a table, or if it is larger than 200 MB, 1,000,000 rows or 1,000 columns.
    The message names the fault, its place and a remedy.
    """
    return read_table(file, missing, header=header, text=text, hundredfold=hundredfold, hundredth=hundredth).table


def read_table(
    file: str | os.PathLike[str] | bytes | BinaryIO,
    missing: Mapping[str, Collection[float]] | None = None,
    *,
    header: bool | None = None,
    text: Collection[str] = (),
    hundredfold: Mapping[str, Collection[float]] | None = None,
    hundredth: Mapping[str, Collection[float]] | None = None,
) -> ReadTable:
    """Return the table that `load_table` returns, and the questions about it that are still open.

    To answer yes to ``missing``, ``hundredfold`` or ``hundredth``, pass the question's amounts under its column in the
    argument of that name. To answer no, pass an empty list. To answer ``header``, pass ``header``. To answer no to
    ``unit`` or ``multiplier``, add the column to ``text``. A yes to these two changes nothing, so the caller remembers
    it.
    """
    packed = read_bytes(file)
    with reading("The file", len(packed)) as budget:
        source = open_source(packed, budget)
        scaled: Scaled = {"hundredfold": dict(hundredfold or {}), "hundredth": dict(hundredth or {})}
        return _Reader(source, dict(missing or {}), header, frozenset(text), scaled).read()


@dataclass(frozen=True)
class _Reader:
    """The steps from a source to a table, with the answers to questions.

    ``scaled`` are the answers about numbers that are a hundred times too large or too small, by kind and column.
    """

    source: Source
    missing: dict[str, Collection[float]]
    header: bool | None
    text: frozenset[str]
    scaled: Scaled

    def read(self) -> ReadTable:
        notes: Notes = []
        if self.source.encoding in ("cp1252", "latin-1"):
            sentence = "The file is not UTF-8, so its letters are read as Windows-1252. Check accented names."
            notes.append(("not UTF-8", sentence))
        layout, left_out = find_layout(self.source, self.header), LeftOut()
        data = _as_csv(records(self.source, layout, left_out))
        names, units = _names(layout, left_out, notes)
        for name in (*self.missing, *self.text, *self.scaled["hundredfold"], *self.scaled["hundredth"]):
            if name not in names:
                raise DataError(f"There is no column {name!r}. The columns are {listed(list(map(repr, names)), 10)}.")
        table, columns, mark = self._parse(data, names)
        if mark == ",":
            notes.append(("decimal comma", "The decimal mark is a comma."))
        questions = [_header_question(layout)] if layout.doubt else []
        in_cells = {}
        for name in names:
            look()
            if name in columns:
                read = {} if name in self.text else columns[name].amounts(mark)
                if read and columns[name].unit:
                    in_cells[name] = columns[name].unit
                table[name] = _rewritten(table[name], columns[name], read)
                questions += _cell_questions(name, columns[name], read)
            questions += self._correct(table, name)
        if in_cells:
            pairs = _pairs(in_cells)
            notes.append(("units in cells", f"Numbers are read without the unit beside them: {pairs}."))
        table.attrs["decimal"] = mark
        table.attrs["units"] = {**in_cells, **units}
        table.attrs["notes"] = tuple(sentence for _, sentence in notes)
        table.attrs["short"] = tuple(dict.fromkeys(short for short, _ in notes))
        return ReadTable(table, tuple(questions))

    def _parse(self, data: bytes, names: list[str]) -> tuple[pd.DataFrame, dict[str, NumberColumn], str]:
        """Return the table as pandas reads it, its columns of text, and the decimal mark of the file."""
        kinds: dict[str, type] = dict.fromkeys(self.text, str)
        table = self._read_csv(data, names, kinds)
        columns = _number_columns(table)
        mark = _decimal_mark(table, columns, self.source.delimiter)
        if mark == ",":  # A column of 1.234, which pandas reads as 1.234, means 1234.
            table = self._read_csv(data, names, dict.fromkeys(names, str))
            columns = _number_columns(table)
        return table, columns, mark

    def _read_csv(self, data: bytes, names: list[str], kinds: dict[str, type]) -> pd.DataFrame:
        try:
            table = pd.read_csv(
                Watched(data, self.source.budget),
                header=None,
                names=names,
                index_col=False,
                dtype=kinds,
                low_memory=False,  # One type for the whole of a column.
                na_values=["-", "--", ".", "?"],
            )
        except DataError:
            raise
        except (ValueError, OverflowError, pd.errors.ParserError) as error:
            raise DataError(f"The file cannot be read as a table: {error}. Save it again as CSV in UTF-8.") from None
        for name in names:
            if table[name].dtype in (bool, object):  # True and False, with or without missing cells.
                table[name] = table[name].astype("str")
        return table

    def _correct(self, table: pd.DataFrame, name: str) -> list[Question]:
        """Apply the answers about the values of a column. Return the questions that are open."""
        questions = []
        amounts = _amounts(table[name])
        if name in self.missing:
            none = np.isin(amounts, list(self.missing[name]))
            table[name] = table[name].mask(none)
            amounts = np.where(none, np.nan, amounts)
        elif codes := missing_codes(amounts):
            questions.append(_value_question(name, "missing", codes, amounts))
        for kind, answers in self.scaled.items():
            if name in answers:
                wrong = np.isin(amounts, list(answers[name]))
                amounts = np.where(wrong, amounts / 100.0 if kind == "hundredfold" else amounts * 100.0, amounts)
                table[name] = _with_amounts(table[name], amounts, wrong)
            elif values := hundredfold(amounts) if kind == "hundredfold" else hundredth(amounts):
                questions.append(_value_question(name, kind, values, amounts))
        return questions


def _as_csv(rows: Iterable[list[str]]) -> bytes:
    made = io.BytesIO()
    text = io.TextIOWrapper(made, "utf-8", newline="")
    csv.writer(text, lineterminator="\r\n").writerows(rows)  # This terminator has \r and \n in cells quoted, too.
    text.flush()
    return made.getvalue()


def _number_columns(table: pd.DataFrame) -> dict[str, NumberColumn]:
    columns = {}
    for name in table.columns:
        look()
        if isinstance(table[name].dtype, pd.StringDtype):
            columns[name] = parse_column(as_text(table[name]).tolist())
    return columns


def _decimal_mark(table: pd.DataFrame, columns: Mapping[str, NumberColumn], delimiter: str) -> str:
    """Return the decimal mark that most columns require, else the one that is usual with the delimiter."""
    marks = [column.mark for column in columns.values()]
    if marks.count(",") != marks.count("."):
        return "," if marks.count(",") > marks.count(".") else "."
    floats = [table[name] for name in table.columns if pd.api.types.is_float_dtype(table[name].dtype)]
    fractions = any(bool((values % 1 > 0).any()) for values in floats)
    ambiguous = any(column.ambiguous for column in columns.values())
    return "," if ambiguous and delimiter == ";" and not fractions else "."


def _rewritten(cells: pd.Series, column: NumberColumn, read: Mapping[str, float]) -> pd.Series:
    """Return a column of text with the numbers that were ``read``: as numbers if all were, else as programs write them.

    Characters for private use, which have no meaning in a file, are left out of the other cells.
    """
    texts = as_text(cells).tolist()
    if len(read) == len(column.counts):
        return pd.Series([read.get(text, np.nan) for text in texts], index=cells.index, dtype=float)
    if read:
        made = {text: _as_written(text, value) for text, value in read.items()}
        texts = [made.get(text, cell) for text, cell in zip(texts, cells.tolist(), strict=True)]
        cells = pd.Series(texts, index=cells.index, dtype="str")
    return cells.str.replace(_PRIVATE_USE, "", regex=True)


def _as_written(cell: str, value: float) -> str:
    """Return a number as programs write it, and a cell in which it is written so unchanged."""
    return cell if plain_number(cell) == value else repr(value)


def _amounts(column: pd.Series) -> Array:
    if holds_numbers(column):
        return np.array(column.to_numpy(dtype=float, na_value=np.nan))
    return np.array([plain_number(cell) for cell in as_text(column).tolist()])


def _header_question(layout: Layout) -> Question:
    return Question("", "header", layout.first, 1, layout.header)


def _cell_questions(name: str, column: NumberColumn, read: Mapping[str, float]) -> list[Question]:
    """Return the questions about the units and the multipliers in a column's cells, as far as they were read."""
    found = []
    cells = {text: cell for text, cell in column.cells.items() if text in read}
    with_unit = [text for text, cell in cells.items() if cell.unit]
    without = [text for text, cell in cells.items() if not cell.unit and read[text]]
    if with_unit and without:
        examples = (*with_unit[:2], *without[:2])[:3]
        rows = sum(column.counts[text] for text in without)
        found.append(Question(name, "unit", examples, rows, True))
    if multiplied := [text for text, cell in cells.items() if cell.multiplier]:
        rows = sum(column.counts[text] for text in multiplied)
        found.append(Question(name, "multiplier", tuple(multiplied[:3]), rows, True))
    return found


def _value_question(name: str, kind: Kind, values: tuple[float, ...], amounts: Array) -> Question:
    examples = tuple(f"{value:.15g}" for value in values[:3])
    return Question(name, kind, examples, int(np.isin(amounts, values).sum()), False, values)


def _with_amounts(column: pd.Series, amounts: Array, changed: NDArray[np.bool_]) -> pd.Series:
    """Return a column in which the cells that ``changed`` hold these amounts."""
    if holds_numbers(column):
        return pd.Series(amounts, index=column.index)
    texts = pd.Series(list(map(repr, amounts.tolist())), index=column.index, dtype="str")
    return column.mask(changed, texts)


def _names(layout: Layout, left_out: LeftOut, notes: Notes) -> tuple[list[str], dict[str, str]]:
    """Return the names of the columns and their units, and add notes about them."""
    if layout.titles:
        what = f"{len(layout.titles)} line{'s' if len(layout.titles) > 1 else ''}"
        titles = _quoted(layout.titles)
        notes.append((f"{what} above the names", f"Left out above the names of the columns: {titles}."))
    if layout.group:
        notes.append(("joined names", "The columns are called as in the second of the two lines of names."))
    if layout.row_names:
        sentence = "Each row begins with a name of its own, in a column that is called 'row' here."
        notes.append(("a column without a name", sentence))
    if not layout.header:
        notes.append(("no names", "The first line was taken for a row, so the columns are called by their number."))
    header = [CONTROL.sub("", " ".join(_PRIVATE_USE.sub("", name).split())) for name in layout.names]
    names, doubled = unique_names(header, layout.group)
    notes += [("the same name twice", sentence) for sentence in doubled]
    unnamed = [place for place, name in enumerate(names, start=1) if not name]
    if unnamed and layout.header:
        sentence = f"Column {listed(unnamed, 5)} had no name and is called by its number."
        notes.append(("a column without a name", sentence))
    if layout.header and all(map(is_number, names)):
        sentence = "The first row was taken as the names of the columns, but all of it is numbers: is it missing?"
        notes.append(("names that are numbers", sentence))
    names, units = names_and_units(names)
    units = {names[place]: unit for place, unit in layout.units.items() if names[place]} | units
    if units:
        notes.append(("units read from names", f"Units are read from the names: {_pairs(units)}."))
    if repeated := left_out.headers:
        sentence = f"The names of the columns stand in {repeated} more line{'s' if repeated > 1 else ''}, left out."
        notes.append(("repeated names", sentence))
    if below := left_out.below:
        what = "the last line" if len(below) == 1 else f"the last {len(below)} lines"
        sentence = f"Left out below the table, because it is no row of it: {_quoted(below)}."
        notes.append((f"{what} left out", sentence))
    return _with_numbers(names), units


def _with_numbers(names: list[str]) -> list[str]:
    """Return the names, with the number of each column that has none in its place."""
    named = list(names)
    for place in (place for place, name in enumerate(names) if not name):
        named[place] = f"column {place + 1}"
        while named.count(named[place]) > 1:
            named[place] += "′"
    return named


def _pairs(units: Mapping[str, str]) -> str:
    return listed([f"{name} in {unit}" for name, unit in units.items()], 6)


def _quoted(texts: Iterable[str]) -> str:
    return listed(list(map(quoted, texts)), 3)
