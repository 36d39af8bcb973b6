"""Read a file's bytes: its size, its compression, its encoding and its delimiter."""

import codecs
import csv
import gzip
import io
import os
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from privbo_core.budget import Budget, Watched, look
from privbo_core.errors import DataError

if TYPE_CHECKING:
    from _csv import Reader

MAX_BYTES = 200_000_000
"""The size of the largest file, before and after it is unpacked."""
SAMPLE_BYTES = 1 << 16
"""The number of bytes that are examined to detect control characters and the delimiter."""
SAMPLE_ROWS = 200
"""The number of rows that are examined to detect the delimiter."""
EMPTY = "The file is empty. It must hold a row of column names and at least two rows of data."
DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}

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
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # Starts with the mark of UTF-16, so it is tried first.
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


@dataclass(frozen=True)
class Source:
    """The unpacked bytes of a file, their encoding and delimiter, and the budget for reading them."""

    data: bytes
    encoding: str
    delimiter: str
    budget: Budget

    def reader(self) -> "Reader":
        """Return a CSV reader at the start of the file."""
        text = io.TextIOWrapper(Watched(self.data, self.budget), encoding=self.encoding, newline="")
        return csv.reader(text, delimiter=self.delimiter, strict=True)

    def paid(self, rows: Iterator[list[str]]) -> Iterator[list[str]]:
        """Yield rows and pay for their cells from the budget."""
        for row in rows:
            self.budget.pay(max(len(row), 1))
            yield row


def open_source(data: bytes, budget: Budget) -> Source:
    """Return the source for a file's bytes. Raise DataError if they are not a table of text."""
    data = unpack(data, budget)
    encoding = detect_encoding(data)
    return Source(data, encoding, detect_delimiter(data, encoding), budget)


def read_bytes(source: str | os.PathLike[str] | bytes | BinaryIO) -> bytes:
    """Return the bytes of a file. Raise DataError if it cannot be read or is too large."""
    if isinstance(source, bytes | bytearray | memoryview):
        _check_size(len(source))
        return bytes(source)
    if isinstance(source, str | os.PathLike):
        try:
            _check_size(Path(source).stat().st_size)
            return Path(source).read_bytes()
        except DataError:
            raise
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise DataError(f"The file {Path(source).name!r} cannot be read: {reason}.") from None
    if source.seekable():
        _check_size(source.seek(0, io.SEEK_END))
        source.seek(0)
    data = source.read(MAX_BYTES + 1)
    if not isinstance(data, bytes):
        raise DataError("The file was opened as text. Open it in binary mode, so that its encoding can be detected.")
    _check_size(len(data))
    return data


def _check_size(size: int) -> None:
    if size > MAX_BYTES:
        raise DataError(
            f"The file is {size / 1e6:,.0f} MB. At most {MAX_BYTES / 1e6:.0f} MB can be read. "
            "Keep the columns that are needed, or a sample of the rows."
        )


def unpack(data: bytes, budget: Budget) -> bytes:
    """Return the content of a gzip archive, and other bytes unchanged. Raise DataError if it is damaged or large."""
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        with gzip.GzipFile(fileobj=Watched(data, budget)) as stream:
            found = budget.unpack(stream, MAX_BYTES)
    except (OSError, EOFError, zlib.error):
        raise DataError("The file begins like a gzip archive but is damaged. Compress or upload it again.") from None
    if len(found) > MAX_BYTES:
        raise DataError(
            f"The file is more than {MAX_BYTES / 1e6:.0f} MB when unpacked, which is the most that can be read. "
            "Keep the columns that are needed, or a sample of the rows."
        )
    return found


def detect_encoding(data: bytes) -> str:
    """Return the encoding that decodes all of ``data``. Raise DataError if the bytes are not text."""
    if not data.strip(b" \t\r\n\x00\xef\xbb\xbf\xff\xfe"):
        raise DataError(EMPTY)
    for start, what in _SIGNATURES.items():
        if data.startswith(start):
            raise DataError(f"The file is {what}, not a table of text. Save the table as CSV and upload that.")
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if data.startswith(mark):
            if _decodes(data, encoding):
                return encoding
            promised = encoding.upper().removesuffix("-SIG")
            raise DataError(f"The file's first bytes promise {promised}, but the rest is not. Save it again as UTF-8.")
    head = data[:SAMPLE_BYTES]
    if b"\0" in head and len(data) % 2 == 0:
        for encoding, odd in (("utf-16-le", head[1::2]), ("utf-16-be", head[::2])):
            if odd.count(0) > 0.4 * len(odd) and _decodes(data, encoding):
                return encoding
    control = sum(head.count(bytes([code])) for code in range(32) if code not in b"\t\n\r\f")
    if control > 0.01 * len(head) or b"\0" in data:
        raise DataError("The file is not text (it holds bytes that no table has). Save the table as CSV in UTF-8.")
    return next(encoding for encoding in ("utf-8", "cp1252", "latin-1") if _decodes(data, encoding))


def _decodes(data: bytes, encoding: str) -> bool:
    # Decode a block at a time: the text of the whole file would take up to four times its size.
    decoder = codecs.getincrementaldecoder(encoding)()
    view = memoryview(data)
    try:
        for start in range(0, len(data), 1 << 20):
            decoder.decode(view[start : start + (1 << 20)])
            look()
        decoder.decode(b"", final=True)
    except UnicodeError:
        return False
    return True


def detect_delimiter(data: bytes, encoding: str) -> str:
    """Return the delimiter that cuts most of the first rows to one width. Raise DataError if there is one column only.

    The width of the first row counts. If that has a single cell, it may be a title, and the most frequent width counts.
    """
    text = codecs.getincrementaldecoder(encoding)(errors="ignore").decode(data[:SAMPLE_BYTES])
    first = text.lstrip("\r\n \ufeff")[:6].lower()
    if first.startswith("sep=") and first[4:5] in DELIMITERS:
        return first[4]
    best = below_title = (0.0, 0, "")  # The share of rows of that width, the width, and the delimiter.
    for delimiter in DELIMITERS:
        rows: list[list[str]] = []
        with suppress(csv.Error):  # The rows before the error are kept.
            reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
            rows.extend(islice(filled_rows(reader), SAMPLE_ROWS))
        if len(data) > SAMPLE_BYTES and len(rows) > 1:
            rows.pop()  # It may be cut off.
        if not rows:
            continue
        widths = [len(row) for row in rows]
        width = widths[0] if widths[0] > 1 else most_frequent(widths)
        found = round(widths.count(width) / len(widths), 1), width, delimiter
        if widths[0] > 1:
            best = max(best, found, key=lambda each: each[:2])
        elif len(widths) > 2 and width > 1 and not any(map(is_number, rows[widths.index(width)])):
            below_title = max(below_title, found, key=lambda each: each[:2])
    if below_title[0] >= 0.5 > best[0]:
        return below_title[2]
    if not best[2]:
        raise DataError(
            "Only one column was found, because the first row holds no comma, semicolon, tab or bar. "
            "Save the table as CSV with one input and one output column at least."
        )
    return best[2]


def filled_rows(rows: Iterator[list[str]]) -> Iterator[list[str]]:
    """Yield the rows of a CSV reader that are not blank."""
    return (row for row in rows if len(row) > 1 or any(cell.strip() for cell in row))


def most_frequent(widths: Sequence[int]) -> int:
    """Return the most frequent width, the greatest of several."""
    return max(set(widths), key=lambda width: (widths.count(width), width))


def is_number(cell: str) -> bool:
    """Return whether Python reads a cell as a number."""
    try:
        float(cell)
    except ValueError:
        return False
    return True
