"""Find the table among the lines of a file: its header, its records, and the titles, units and sums around them."""

import csv
import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise

from privbo_core.data.source import DELIMITERS, EMPTY, Source, filled_rows, is_number, most_frequent
from privbo_core.data.units import is_unit
from privbo_core.errors import DataError

MAX_ROWS = 1_000_000
MAX_COLUMNS = 1_000
MAX_CELLS = 50_000_000  # At 8 bytes a cell, twice the largest file.
MAX_LEFT_OUT = 100_000  # The number of lines that may be no records.
MAX_LENGTH_LEFT_OUT = 100  # The number of characters that are kept of each of them.
HEAD_ROWS = 30  # The number of rows that are examined to find the header.
TAIL_ROWS = 6  # The number of rows at the end that may be sums.
MIN_ROWS_BELOW = 3  # The number of rows below the first that show whether it is a header.

_SUM = re.compile(
    r"(grand |sub)?totals?|sums?|averages?|means?|summe|gesamt|insgesamt|gesamtsumme|mittelwert|durchschnitt|somme"
    r"|moyenne|suma|media|totale|totaal|total général|total general",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[+−-]?[€$£]?\s?\d[\d.,:/\s-]*%?")
_YEARS = range(1800, 2101)


@dataclass(frozen=True)
class Layout:
    """Where the table stands in a file.

    ``names`` are the header's cells, empty without a header, and ``width`` is the number of columns. ``skipped`` filled
    lines come before the first record: ``titles``, the cells of a ``group`` line that names several columns together,
    the header, and a line of ``units``, which are kept by position. ``row_names`` tells whether each record begins with
    a name that the header has no cell for. ``header`` tells whether there is a header, and ``doubt`` whether to ask
    that. ``first`` are the first cells of the line in question.
    """

    names: tuple[str, ...]
    width: int
    skipped: int
    titles: tuple[str, ...] = ()
    group: tuple[str, ...] = ()
    units: dict[int, str] = field(default_factory=dict)
    row_names: bool = False
    header: bool = True
    doubt: bool = False
    first: tuple[str, ...] = ()


def find_layout(source: Source, header: bool | None = None) -> Layout:
    """Return the layout of a file, which its first lines show. ``header``: whether it has one, None to detect that."""
    reader = source.reader()
    try:
        head = list(islice(source.paid(filled_rows(reader)), HEAD_ROWS + 1))
    except csv.Error as error:
        raise _unreadable(reader.line_num, error) from None
    preamble = int(bool(head) and head[0][0].lower() == "sep=")  # Excel's line that names the delimiter.
    head = head[preamble : HEAD_ROWS + preamble]
    if not head:
        raise DataError(EMPTY)
    layout = _find_header(head, header)
    if layout.width > MAX_COLUMNS:
        raise DataError(
            f"The table has {layout.width:,} columns. At most {MAX_COLUMNS:,} can be read. "
            "Keep the columns that are inputs or outputs."
        )
    return replace(layout, skipped=layout.skipped + preamble)


def _find_header(head: list[list[str]], header: bool | None) -> Layout:
    widths = [len(row) for row in head]
    width = most_frequent(widths)
    start = 0
    if widths[0] < width and _filled(head[0]) == 1 and widths.count(width) >= 2:
        start = widths.index(width)
    while start + 2 < len(head) and _is_title(head[start], head[start + 1]):
        start += 1
    titles, first, below = head[:start], head[start], head[start + 1 :]
    missing, doubt = _lacks_header(first, below)
    if header is not None:
        missing, doubt = not header, False
    layout = Layout(
        _tidy(first), len(first), start + 1, tuple(map(_joined, titles)), doubt=doubt, first=tuple(first[:3])
    )
    if missing:
        return replace(layout, names=("",) * len(first), skipped=start, header=False)
    if len(below) >= 2 and _names_groups(first, below[0], below[1]):
        layout = replace(layout, group=layout.names, names=_tidy(below[0]), skipped=layout.skipped + 1)
        below = below[1:]
    if len(below) >= 2 and len(below[0]) == layout.width and _holds_units(below[0], below[1]):
        units = {place: cell.strip(" []()") for place, cell in enumerate(below[0]) if cell.strip()}
        layout = replace(layout, units=units, skipped=layout.skipped + 1)
        below = below[1:]
    rows = [row for row in below if len(row) != 1]
    alone = not (layout.titles or layout.group or layout.units)
    if rows and alone and all(len(row) == layout.width + 1 and row[-1].strip() for row in rows):
        layout = replace(layout, names=("row", *layout.names), width=layout.width + 1, row_names=True)
    return layout


def _lacks_header(first: Sequence[str], below: Sequence[Sequence[str]]) -> tuple[bool, bool]:
    """Return whether the first line is a record rather than a header, and whether to ask.

    It is a record if it has a number in each column of numbers, unless these look like the names of columns.
    """
    below = [row for row in below if len(row) == len(first)]
    if len(below) < MIN_ROWS_BELOW:
        return False, all(map(is_number, first))
    numeric = [
        place
        for place in range(len(first))
        if any(row[place].strip() for row in below)
        and all(_is_number_like(row[place]) for row in below if row[place].strip())
    ]
    if not numeric or not all(_is_number_like(first[place]) for place in numeric):
        return False, False
    cells = {place: [row[place] for row in below if row[place].strip()] for place in numeric}
    if any(all(map(is_number, cells[place])) and not is_number(first[place]) for place in numeric):
        return False, False  # Dates above numbers, for instance.
    if _are_labels([first[place] for place in numeric], [cell for place in numeric for cell in cells[place]]):
        return False, len(numeric) == len(first)
    return True, True


def _are_labels(first: Sequence[str], below: Sequence[str]) -> bool:
    """Return whether numbers look like names of columns: years above other numbers, or whole ones in equal steps."""
    if not all(map(is_number, first)):
        return False
    values = [float(cell) for cell in first]
    years = all(value in _YEARS for value in values) and not all(
        is_number(cell) and float(cell) in _YEARS for cell in below
    )
    steps = {after - before for before, after in pairwise(values)}
    return years or (len(steps) == 1 and steps != {0.0} and all(map(float.is_integer, values)))


@dataclass
class LeftOut:
    """The lines of a file that are no records: how often the header was repeated, and the text of sums and remarks."""

    headers: int = 0
    below: list[str] = field(default_factory=list)


def records(source: Source, layout: Layout, left_out: LeftOut) -> Iterator[list[str]]:
    """Yield the records, all of one width, and add the other lines below the header to ``left_out``.

    Sums and remarks are accepted below the last record only. Raise DataError, naming the line, for a record of another
    width, for a quotation mark that is not closed, and for too many or fewer than two records.
    """
    reader, width, count = source.reader(), layout.width, 0
    last: deque[list[str]] = deque()
    odd: DataError | None = None
    try:
        rows = source.paid(filled_rows(reader))
        header = next(islice(rows, layout.skipped - 1 - bool(layout.units), None), None) if layout.header else None
        skipped = bool(layout.units) if layout.header else layout.skipped
        for row in islice(rows, skipped, None):
            if row == header:
                left_out.headers += 1
                continue
            cells = row[:width] if len(row) > width and not any(cell.strip() for cell in row[width:]) else row
            if len(cells) != width:
                odd = odd or _wrong_width(reader.line_num, len(row), layout, DELIMITERS[source.delimiter])
                if not (_is_remark(cells) or _is_sum(cells)):
                    raise odd
                left_out.below.append(_joined(cells)[:MAX_LENGTH_LEFT_OUT])
                if len(left_out.below) > MAX_LEFT_OUT:
                    raise DataError(f"More than {MAX_LEFT_OUT:,} lines are no rows of the table. Keep the table alone.")
                continue
            if odd is not None:
                raise odd
            last.append(cells)
            if len(last) > TAIL_ROWS:
                count += 1
                _check_count(count, width)
                yield last.popleft()
    except csv.Error as error:
        raise _unreadable(reader.line_num, error) from None
    sums = []
    while last and (not any(cell.strip() for cell in last[-1]) or _is_sum(last[-1])):
        sums.append(next((cell.strip() for cell in last.pop() if cell.strip()), ""))
    left_out.below = [text for text in reversed(sums) if text] + left_out.below
    _check_count(count + len(last), width)
    if count + len(last) < 2:
        what = "one row of data" if count + len(last) else "only a row of names"
        raise DataError(f"The file holds {what}. At least two rows of data are needed to choose between.")
    yield from last


def _check_count(count: int, width: int) -> None:
    if count > MAX_ROWS:
        raise DataError(f"The table has more than {MAX_ROWS:,} rows. Upload a random sample of them.")
    if count * width > MAX_CELLS:
        raise DataError(f"The table has more than {MAX_CELLS:,} cells ({width:,} columns). Keep those that are needed.")


def _unreadable(line: int, error: csv.Error) -> DataError:
    return DataError(f"Line {line} cannot be read ({error}): most likely a quotation mark is missing or not doubled.")


def _wrong_width(line: int, found: int, layout: Layout, delimiter: str) -> DataError:
    columns = f"the names above make {layout.width} columns" if layout.header else f"the first has {layout.width}"
    return DataError(
        f"Line {line} has {found} field{'s' if found != 1 else ''}, but {columns} (separated by {delimiter}). Fill the "
        "row up or remove it. Text that contains the separator needs quotes around it."
    )


def unique_names(header: Sequence[str], group: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the header's names, each made unique, and a sentence for each name that was changed for that."""
    names, notes, top = list(header), [], ""
    for place, name in enumerate(header if group else ()):
        top = group[place] if place < len(group) and group[place] else top  # A group's name stands above its first.
        names[place] = f"{top} {name}".strip() if header.count(name) > 1 or not name else name
    taken, seen = set(names), dict[str, int]()
    for place, name in enumerate(names):
        if name and name in seen:
            number = 2
            while f"{name} ({number})" in taken:
                number += 1
            names[place] = f"{name} ({number})"
            taken.add(names[place])
            notes.append(
                f"Columns {seen[name] + 1} and {place + 1} are both called {quoted(name)}. The later one is called "
                f"{quoted(names[place])} here."
            )
        seen.setdefault(names[place], place)
    return names, notes


def quoted(text: str, length: int = 40) -> str:
    """Return a text of the file in quotation marks, cut to a length."""
    return repr(text if len(text) <= length else text[: length - 1] + "…")


def _filled(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)


def _joined(row: Sequence[str]) -> str:
    return " ".join(cell.strip() for cell in row if cell.strip())


def _tidy(row: Sequence[str]) -> tuple[str, ...]:
    return tuple(" ".join(name.split()) for name in row)


def _is_number_like(cell: str) -> bool:
    return bool(_NUMBER.fullmatch(cell.strip()))


def _is_sum(row: Sequence[str]) -> bool:
    return bool(_SUM.fullmatch(next((cell.strip(" :.") for cell in row if cell.strip()), "")))


def _is_remark(row: Sequence[str]) -> bool:
    return _filled(row) == 1 and not _is_number_like("".join(row))


def _is_title(row: Sequence[str], below: Sequence[str]) -> bool:
    """Return whether a line has one filled cell of several, and the line below it more, but no number."""
    alone = len(row) > 2 and _filled(row) == 1 and bool(row[0].strip()) and not _is_number_like(row[0])
    return alone and _filled(below) > 1 and not any(map(_is_number_like, below))


def _names_groups(row: Sequence[str], below: Sequence[str], data: Sequence[str]) -> bool:
    """Return whether a line names several columns together, and the line below it holds their own names."""
    gaps = len(row) - _filled(row)
    names = len(below) == len(row) and _filled(below) > _filled(row) and not any(map(_is_number_like, below))
    return gaps >= 2 and names and any(map(_is_number_like, data))


def _holds_units(row: Sequence[str], data: Sequence[str]) -> bool:
    """Return whether a line holds the unit of each column of numbers, and nothing else."""
    units = [(cell.strip(), number) for cell, number in zip(row, data, strict=False) if cell.strip()]
    return bool(units) and all(is_unit(cell.strip("[]()")) and _is_number_like(number) for cell, number in units)
