"""Tables that go out and come back with their cells as they stand."""

import csv
import io
import os
from collections import deque
from itertools import islice
from typing import BinaryIO

import pandas as pd

from privbo_core.budget import Budget, Watched, reading
from privbo_core.data import lines
from privbo_core.data.lines import read, unpacked
from privbo_core.data.marks import DELIMITERS, FileMarks
from privbo_core.data.table import check_count, check_width, names_in, paid, unquoted
from privbo_core.errors import DataError

_STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_csv(table: pd.DataFrame, *, mark: str = ".") -> str:
    """Return ``table`` as CSV (comma, one header row, no index; lines end in CR LF, as RFC 4180 has it).

    ``mark``: the decimal mark; with a comma, cells are divided by semicolons, as spreadsheets there expect it.

    Spreadsheets run a cell that begins with = + - @, a tab or a carriage return as a formula. A cell of *text* that
    does, also behind spaces, and a column name that does get an apostrophe in front; numbers are left as they are.
    """
    safe = table.copy(deep=False)
    safe.columns = pd.Index([neutral(name) for name in table.columns])
    for position, dtype in enumerate(table.dtypes):
        if not (pd.api.types.is_numeric_dtype(dtype) or pd.api.types.is_datetime64_any_dtype(dtype)):
            cells = table.iloc[:, position].astype("object").map(neutral, na_action="ignore")
            safe.isetitem(position, cells.to_numpy())
    # Only the characters of the line terminator make the writer quote a cell, so it has to be both of them.
    return safe.to_csv(index=False, lineterminator="\r\n", sep=";" if mark == "," else ",", decimal=mark)


def neutral(cell: object) -> object:
    """Return ``cell`` with an apostrophe in front if it is text that a spreadsheet would run as a formula."""
    if isinstance(cell, str) and (cell.startswith(_STARTS_A_FORMULA) or cell.lstrip().startswith(_STARTS_A_FORMULA)):
        return "'" + cell
    return cell


def load_cells(file_or_path: str | os.PathLike[str] | bytes | BinaryIO, file: FileMarks | None = None) -> pd.DataFrame:
    """Return the table in a CSV file with every cell as its text, read by these marks alone (`FileMarks` by default).

    Nothing is detected, nothing dropped but what the marks say: each line below the names is a record, and which cells
    it has depends on that line alone, whatever stands in others, as long as quotes are in pairs. Raises DataError as
    `load_table` does, for lines of another width than that of the names, too.
    """
    packed = read(file_or_path)
    with reading("The file", len(packed)) as budget:
        return _cells(unpacked(packed, budget), file or FileMarks(), budget)


def _cells(data: bytes, file: FileMarks, budget: Budget) -> pd.DataFrame:
    encoding = "utf-8-sig" if file.encoding == "utf-8" else file.encoding
    text = io.TextIOWrapper(Watched(data, budget), encoding=encoding, errors="replace", newline="")
    reader = csv.reader(text, delimiter=file.delimiter, strict=True)
    rows = lines.filled(paid(reader, budget))
    made = io.BytesIO()
    kept = io.TextIOWrapper(made, "utf-8", errors="replace", newline="")
    writer = csv.writer(kept, lineterminator="\r\n")  # so that both of them are quoted where they stand in a cell
    last: deque[list[str]] = deque()
    count = 0
    try:
        header = next(islice(rows, file.names - 1, None), None)
        if header is None:
            raise DataError(f"The file has fewer than {file.names} lines; its names should stand in the last of these.")
        width = len(header)
        check_width(width)
        for row in rows:
            last.append(lines.trimmed(row, width))
            if len(last) <= file.below:
                continue
            record = last.popleft()
            if len(record) != width:
                where = reader.line_num - len(last)
                raise lines.wrong_width(where, len(record), width, DELIMITERS[file.delimiter])
            count += 1
            check_count(count, width)
            writer.writerow(record)
    except csv.Error as error:
        raise unquoted(reader, error) from None
    if count < 2:
        raise DataError(f"The file holds {count} records; at least two are needed to choose between.")
    kept.flush()
    names, units = names_in(header)
    source = Watched(made.getvalue(), budget)
    table = pd.read_csv(source, header=None, names=names, index_col=False, dtype="str", na_filter=False)
    table.attrs.update(units=units, notes=(), short=())
    return table
