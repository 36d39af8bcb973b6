"""A table's file as text: its encoding, its lines, and where among them the table stands."""

import codecs
import csv
import gzip
import io
import os
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from privbo_core.budget import Budget, Watched, look
from privbo_core.data.columns import is_unit
from privbo_core.errors import DataError

MAX_BYTES = 200_000_000  # The largest file, on disk and after decompression.
EMPTY = "The file is empty; it must hold a row of column names and at least two rows of data."
SAMPLE = 1 << 16  # So many bytes tell how a file is written.

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
_BOMS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # begins like UTF-16's, so it is tried before
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def read(source: str | os.PathLike[str] | bytes | BinaryIO) -> bytes:
    """Return the bytes of a file. Raises DataError if it cannot be read or is too large."""
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


def unpacked(data: bytes, budget: Budget) -> bytes:
    """Return what a file holds, unpacked if it is packed. Raises DataError if it is damaged, or holds too much."""
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        with gzip.GzipFile(fileobj=Watched(data, budget)) as stream:
            found = budget.unpack(stream, MAX_BYTES)
    except (OSError, EOFError, zlib.error):
        raise DataError("The file begins like a gzip archive but is damaged; compress or upload it again.") from None
    if len(found) > MAX_BYTES:
        raise DataError(
            f"The file is more than {MAX_BYTES / 1e6:.0f} MB when unpacked, which is the most that can be read. "
            "Keep the columns that are needed, or a sample of the rows."
        )
    return found


def encoding_of(data: bytes) -> str:
    """Return the encoding under which all of ``data`` is text."""
    if not data.strip(b" \t\r\n\x00\xef\xbb\xbf\xff\xfe"):
        raise DataError(EMPTY)
    for start, what in _SIGNATURES.items():
        if data.startswith(start):
            raise DataError(f"The file is {what}, not a table of text; save the table as CSV and upload that.")
    for bom, encoding in _BOMS.items():
        if data.startswith(bom):
            if _decodes(data, encoding):
                return encoding
            promised = encoding.upper().removesuffix("-SIG")
            raise DataError(f"The file's first bytes promise {promised}, but the rest is not; save it again as UTF-8.")
    head = data[:SAMPLE]
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
            look()
        decoder.decode(b"", final=True)
    except UnicodeError:
        return False
    return True


HEAD = 30  # So many lines tell where the table begins.
_SUMS = re.compile(
    r"(grand |sub)?totals?|sums?|averages?|means?|summe|gesamt|insgesamt|gesamtsumme|mittelwert|durchschnitt|somme"
    r"|moyenne|suma|media|totale|totaal|total général|total general",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[+−-]?[€$£]?\s?\d[\d.,:/\s-]*%?")


@dataclass
class Layout:
    """Where a file's table stands: its ``header``, ``width`` cells wide, and the filled lines ``above`` it.

    ``units``: of the line below the header, by position, if that holds units. ``group``: the line of joined names above
    the header. ``named``: False where each row begins with a name of its own that no name stands above.
    """

    header: list[str]
    width: int
    above: list[str] = field(default_factory=list)
    group: list[str] = field(default_factory=list)
    units: dict[int, str] = field(default_factory=dict)
    named: bool = True

    @property
    def plain(self) -> bool:
        """Whether the table begins with the file's first line."""
        return not self.before and self.named

    @property
    def before(self) -> int:
        """How many filled lines stand above its rows beside that of the names."""
        return len(self.above) + bool(self.group) + bool(self.units)


def filled(rows: Iterator[list[str]]) -> Iterator[list[str]]:
    """Yield the rows of a CSV reader that are not blank."""
    return (row for row in rows if len(row) > 1 or any(cell.strip() for cell in row))


def layout_of(head: list[list[str]]) -> Layout:
    """Return where the table of a file begins, by its first filled lines. Titles and joined names may be above it."""
    widths = [len(row) for row in head]
    width = usual(widths)
    start = 0
    if widths[0] < width and _cells(head[0]) == 1 and widths.count(width) >= 2:
        start = widths.index(width)
    while start + 2 < len(head) and _is_title(head[start], head[start + 1]):
        start += 1
    layout = Layout(tidy(head[start]), len(head[start]), above=[joined(row) for row in head[:start]])
    below = head[start + 1 :]
    if len(below) >= 2 and _joins(head[start], below[0], below[1]):
        layout.group, layout.header = layout.header, tidy(below[0])
        below = below[1:]
    if len(below) >= 2 and len(below[0]) == layout.width and _units_in(below[0], below[1]):
        layout.units = {place: cell.strip(" []()") for place, cell in enumerate(below[0]) if cell.strip()}
        below = below[1:]
    rows = [row for row in below if len(row) != 1]
    if rows and layout.plain and all(len(row) == layout.width + 1 and row[-1].strip() for row in rows):
        layout.named, layout.width = False, layout.width + 1
        layout.header = ["row", *layout.header]
    return layout


def usual(widths: Sequence[int]) -> int:
    """Return the width that most lines have, the greatest of several."""
    return max(set(widths), key=lambda width: (widths.count(width), width))


def tidy(row: Sequence[str]) -> list[str]:
    """Return names without line breaks, and with single blanks."""
    return [" ".join(name.split()) for name in row]


def trimmed(row: list[str], width: int) -> list[str]:
    """Return a line without empty cells beyond the last column."""
    return row[:width] if len(row) > width and not any(cell.strip() for cell in row[width:]) else row


def is_sum(row: Sequence[str]) -> bool:
    """Return whether a line sums up those above it."""
    return bool(_SUMS.fullmatch(next((cell.strip(" :.") for cell in row if cell.strip()), "")))


def is_remark(row: Sequence[str]) -> bool:
    """Return whether a line holds a sentence, and no row."""
    return _cells(row) == 1 and not _is_number("".join(row))


def rewritten(rows: Iterator[list[str]], names: Sequence[str], delimiter: str) -> bytes:
    """Return a table's rows as a file of their own, in UTF-8."""
    made = io.BytesIO()
    text = io.TextIOWrapper(made, "utf-8", newline="")
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    text.flush()
    return made.getvalue()


def apart(header: Sequence[str], group: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the names, each different, and a sentence for each that had to be told apart from an earlier one."""
    names, notes, top = list(header), [], ""
    for place, name in enumerate(header if group else ()):
        top = group[place] if place < len(group) and group[place] else top  # over all columns that it joins
        names[place] = f"{top} {name}".strip() if header.count(name) > 1 or not name else name
    seen: dict[str, int] = {}
    for place, name in enumerate(names):
        if name and name in seen:
            number = 2
            while f"{name} ({number})" in seen or f"{name} ({number})" in names:
                number += 1
            names[place] = f"{name} ({number})"
            notes.append(
                f"Columns {seen[name] + 1} and {place + 1} are both called {short(name)}; the later one is called "
                f"{short(names[place])} here."
            )
        seen.setdefault(names[place], place)
    return names, notes


def short(text: str, most: int = 40) -> str:
    """Return a text of the file in quotation marks, cut if it is long."""
    return repr(text if len(text) <= most else text[: most - 1] + "…")


def wrong_width(line: int, found: int, width: int, separator: str) -> DataError:
    """Return what is said of a row that is longer or shorter than the others."""
    return DataError(
        f"Line {line} has {found} field{'s' if found != 1 else ''}, but the names above make {width} columns "
        f"(separated by {separator}). Fill the row up or remove it; text that holds the separator needs quotes around "
        "it."
    )


def _cells(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)


def joined(row: Sequence[str]) -> str:
    """Return what stands in a line's cells as one text."""
    return " ".join(cell.strip() for cell in row if cell.strip())


def _is_number(cell: str) -> bool:
    return bool(_NUMBER.fullmatch(cell.strip()))


def _is_title(row: Sequence[str], below: Sequence[str]) -> bool:
    """Return whether a line with one filled cell of several stands above one that is filled."""
    alone = len(row) > 2 and _cells(row) == 1 and bool(row[0].strip()) and not _is_number(row[0])
    return alone and _cells(below) > 1 and not any(map(_is_number, below))


def _joins(row: Sequence[str], below: Sequence[str], data: Sequence[str]) -> bool:
    """Return whether a line names several columns together, and the names themselves stand below it."""
    gaps = len(row) - _cells(row)
    names = len(below) == len(row) and _cells(below) > _cells(row) and not any(map(_is_number, below))
    return gaps >= 2 and names and any(map(_is_number, data))


def _units_in(row: Sequence[str], data: Sequence[str]) -> bool:
    """Return whether a line holds the unit of each column of numbers, and nothing else."""
    units = [(cell.strip(), number) for cell, number in zip(row, data, strict=False) if cell.strip()]
    return bool(units) and all(is_unit(cell.strip("[]()")) and _is_number(number) for cell, number in units)
