"""A delimited text file becomes a table, or a sentence that says why not."""

import codecs
import csv
import gzip
import io
import os
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pandas as pd

from privbo_core.data.columns import as_text, numbers, open_to_both, own_mark
from privbo_core.errors import DataError

MAX_BYTES = 200_000_000
"""The largest file, on disk and after decompression."""
MAX_ROWS = 1_000_000
MAX_COLUMNS = 1_000
MAX_CELLS = 50_000_000
"""At 8 bytes a cell, twice the largest file."""

_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
_SIGNATURES = {
    b"PK\x03\x04": "an Excel workbook or a ZIP archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"PAR1": "a Parquet file",
    b"SQLite": "a database",
    b"\x1f\x8b": "compressed twice",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"\x28\xb5\x2f\xfd": "a zstd archive",
}
_PRIVATE_USE = re.compile("[\ue000-\uf8ff]")
_BOMS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # begins like UTF-16's, so it is tried before
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_SAMPLE = 1 << 16


def load_table(file_or_path: str | os.PathLike[str] | bytes | BinaryIO) -> pd.DataFrame:
    """Return the table in a CSV file: a path, its bytes, or a binary file object (read from its beginning).

    Delimiter (comma, semicolon, tab, bar), encoding (UTF-8, UTF-16, Windows-1252), gzip, and the decimal mark are
    detected. A column of which each cell is a number or missing comes out numeric, any other as text. Markup and
    formulas are text like any other; characters for private use, which mean nothing in a file, are left out.
    ``table.attrs["decimal"]`` is the decimal mark of the file, and ``table.attrs["notes"]`` a tuple of sentences that
    a person should see. Row 0 of the table is the first below the header.

    Raises DataError, with what is wrong, where, and what to do, on anything that is no such table or is larger than
    200 MB, 1 000 000 rows or 1 000 columns. Two passes over the bytes; O(size) time, about 4 times the size in memory.
    """
    data = _unpacked(_read(file_or_path))
    encoding = _encoding(data)
    delimiter = _delimiter(data, encoding)
    notes = []
    if encoding == "cp1252" or encoding == "latin-1":
        notes.append("The file is not UTF-8; its letters are read as Windows-1252. Check accented names.")
    names, skipped, rows = _check(data, encoding, delimiter)
    unnamed = [i + 1 for i, name in enumerate(names) if not name]
    if unnamed:
        notes.append(f"Column {_listed(unnamed)} had no name and is called by its number.")
    if all(_is_number(name) for name in names):
        notes.append("The first row was taken as the names of the columns, but all of it is numbers: is it missing?")
    names = _named(names)
    table = _parse(data, encoding, delimiter, names, skipped, rows, text=False)
    mark = _mark(table, delimiter)
    if mark == ",":
        # Where the comma is the decimal mark, 1.234 in a column of its own is 1234: the text is needed again.
        table = _parse(data, encoding, delimiter, names, skipped, rows, text=True)
        notes.append("The decimal mark is a comma.")
    for name in names:
        if isinstance(table[name].dtype, pd.StringDtype):
            read = numbers(table[name], mark)
            if read.unreadable.any():
                table[name] = table[name].str.replace(_PRIVATE_USE, "", regex=True)
            else:
                table[name] = read.amounts
    table.attrs.update(decimal=mark, notes=tuple(notes))
    return table


def _read(source: str | os.PathLike[str] | bytes | BinaryIO) -> bytes:
    if isinstance(source, bytes | bytearray | memoryview):
        _check_size(len(source))
        return bytes(source)
    if isinstance(source, str | os.PathLike):
        try:
            _check_size(Path(source).stat().st_size)
            return Path(source).read_bytes()
        except (OSError, ValueError) as error:
            if isinstance(error, DataError):
                raise
            reason = getattr(error, "strerror", None) or str(error)
            raise DataError(f"The file {Path(source).name!r} cannot be read: {reason}.") from None
    if source.seekable():
        _check_size(source.seek(0, io.SEEK_END))
        source.seek(0)
    data = source.read(MAX_BYTES + 1)
    if not isinstance(data, bytes):
        raise DataError("The file was opened as text; open it in binary mode, so that its encoding can be detected.")
    _check_size(len(data))
    return data


def _check_size(size: int) -> None:
    if size > MAX_BYTES:
        raise DataError(
            f"The file is {size / 1e6:,.0f} MB; at most {MAX_BYTES / 1e6:.0f} MB can be read. "
            "Keep the columns that are needed, or a sample of the rows."
        )


def _unpacked(data: bytes) -> bytes:
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            unpacked = stream.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        raise DataError("The file begins like a gzip archive but is damaged; compress or upload it again.") from None
    if len(unpacked) > MAX_BYTES:
        raise DataError(
            f"The file is more than {MAX_BYTES / 1e6:.0f} MB when unpacked, which is the most that can be read. "
            "Keep the columns that are needed, or a sample of the rows."
        )
    return unpacked


def _encoding(data: bytes) -> str:
    """Return the encoding under which all of ``data`` is text."""
    if not data.strip(b" \t\r\n\x00\xef\xbb\xbf\xff\xfe"):
        raise DataError("The file is empty; it must hold a row of column names and at least two rows of data.")
    for start, what in _SIGNATURES.items():
        if data.startswith(start):
            raise DataError(f"The file is {what}, not a table of text; save the table as CSV and upload that.")
    for bom, encoding in _BOMS.items():
        if data.startswith(bom):
            if _decodes(data, encoding):
                return encoding
            promised = encoding.upper().removesuffix("-SIG")
            raise DataError(f"The file's first bytes promise {promised}, but the rest is not; save it again as UTF-8.")
    head = data[:_SAMPLE]
    if b"\0" in head:
        for encoding, odd in (("utf-16-le", head[1::2]), ("utf-16-be", head[::2])):
            if odd.count(0) > 0.4 * len(odd) and len(data) % 2 == 0 and _decodes(data, encoding):
                return encoding
    control = sum(head.count(bytes([code])) for code in range(32) if code not in b"\t\n\r\f")
    if control > 0.01 * len(head) or data.find(b"\0") >= 0:
        raise DataError("The file is not text (it holds bytes that no table has); save the table as CSV in UTF-8.")
    return next(encoding for encoding in ("utf-8", "cp1252", "latin-1") if _decodes(data, encoding))


def _decodes(data: bytes, encoding: str) -> bool:
    # A block at a time: the whole file as text would take up to four times its size.
    decoder = codecs.getincrementaldecoder(encoding)()
    view = memoryview(data)
    try:
        for start in range(0, len(data), 1 << 20):
            decoder.decode(view[start : start + (1 << 20)])
        decoder.decode(b"", final=True)
    except UnicodeError:
        return False
    return True


def _delimiter(data: bytes, encoding: str) -> str:
    """Return the delimiter that cuts most of the file's first rows to the width of the first, the widest if several."""
    text = codecs.getincrementaldecoder(encoding)(errors="ignore").decode(data[:_SAMPLE])
    first = text.lstrip("\r\n \ufeff")[:6].lower()
    if first.startswith("sep=") and first[4:5] in _DELIMITERS:
        return first[4]
    best, best_score = "", (0.0, 0)
    for delimiter in _DELIMITERS:
        widths = []
        try:
            for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
                if not _blank(row):
                    widths.append(len(row))
                if len(widths) == 200:
                    break
        except csv.Error:
            pass
        if len(data) > _SAMPLE and len(widths) > 1:
            widths.pop()  # may have been cut
        if widths and widths[0] > 1:
            score = (round(sum(width == widths[0] for width in widths) / len(widths), 1), widths[0])
            if score > best_score:
                best, best_score = delimiter, score
    if not best:
        raise DataError(
            "Only one column was found: the first row holds no comma, semicolon, tab or bar. "
            "Save the table as CSV with one input and one output column at least."
        )
    return best


def _blank(row: list[str]) -> bool:
    return len(row) == 0 or (len(row) == 1 and not row[0].strip())


def _check(data: bytes, encoding: str, delimiter: str) -> tuple[list[str], int, int]:
    """Return the names of the columns, how many rows come before them, and how many after; all equally wide.

    pandas fills short rows up in silence, so this pass is what finds them.
    """
    names: list[str] = []
    skipped = rows = 0
    reader = csv.reader(
        io.TextIOWrapper(io.BytesIO(data), encoding=encoding, newline=""), delimiter=delimiter, strict=True
    )
    try:
        for row in _filled(reader):
            if not names:
                if not skipped and row[0].lower() == "sep=":
                    skipped = 1
                    continue
                names = [" ".join(_PRIVATE_USE.sub("", name).split()) for name in row]
                _check_names(names)
                width = len(names)
                continue
            if len(row) != width:
                raise DataError(
                    f"Line {reader.line_num} has {len(row)} fields, but the names above make {width} columns "
                    f"(separated by {_DELIMITERS[delimiter]}). Fill the row up or remove it; text that holds the "
                    "separator needs quotes around it."
                )
            rows += 1
            if rows > MAX_ROWS:
                raise DataError(f"The table has more than {MAX_ROWS:,} rows; upload a random sample of them.")
            if rows * width > MAX_CELLS:
                raise DataError(
                    f"The table has more than {MAX_CELLS:,} cells ({width:,} columns); keep those that are needed."
                )
    except csv.Error as error:
        raise DataError(
            f"Line {reader.line_num} cannot be read ({error}): most likely a quotation mark is missing or not doubled."
        ) from None
    if not names:
        raise DataError("The file is empty; it must hold a row of column names and at least two rows of data.")
    if rows < 2:
        found = "only a row of names" if rows == 0 else "one row of data"
        raise DataError(f"The file holds {found}; at least two rows of data are needed to choose between.")
    return names, skipped, rows


def _filled(reader: Iterator[list[str]]) -> Iterator[list[str]]:
    for row in reader:
        if not _blank(row):
            yield row


def _check_names(names: list[str]) -> None:
    if len(names) > MAX_COLUMNS:
        raise DataError(
            f"The table has {len(names):,} columns; at most {MAX_COLUMNS:,} can be read. "
            "Keep the columns that are inputs or outputs."
        )
    seen: dict[str, int] = {}
    for position, name in enumerate(names, start=1):
        if name in seen and name:
            raise DataError(
                f"Columns {seen[name]} and {position} are both called {_short(name)}; give each a name of its own."
            )
        seen[name] = position


def _named(names: list[str]) -> list[str]:
    """Return the names, with one made up for each column that has none."""
    taken = set(names)
    named = []
    for position, name in enumerate(names, start=1):
        if not name:
            name = f"column {position}"
            while name in taken:
                name += "′"
            taken.add(name)
        named.append(name)
    return named


def _parse(
    data: bytes, encoding: str, delimiter: str, names: list[str], skipped: int, rows: int, *, text: bool
) -> pd.DataFrame:
    """Return the table; with ``text``, every cell as it stands in the file."""
    try:
        table = pd.read_csv(
            io.BytesIO(data),
            sep=delimiter,
            encoding=encoding,
            header=skipped,
            names=names,
            index_col=False,
            dtype="str" if text else None,
            low_memory=False,  # one type for the whole of a column
            na_values=["-", "--", ".", "?"],
        )
    except (ValueError, OverflowError, pd.errors.ParserError) as error:
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
        if isinstance(table[name].dtype, pd.StringDtype):
            text = as_text(table[name])
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


def _listed(items: list[int]) -> str:
    shown = ", ".join(str(item) for item in items[:5])
    return shown if len(items) <= 5 else f"{shown} and {len(items) - 5} more"


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")
