"""The bytes of a file: read, unpacked, and known to be text of one encoding; or a sentence that says why not."""

import codecs
import gzip
import io
import os
import zlib
from pathlib import Path
from typing import BinaryIO

from privbo_core.budget import Budget, Watched, look
from privbo_core.errors import DataError

MAX_BYTES = 200_000_000
"""The largest file, on disk and after decompression."""
SAMPLE = 1 << 16
"""So many bytes tell how a file is written."""

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
