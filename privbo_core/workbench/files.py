"""What commands read and write: files, never one over another unasked; the work sheet; numbers in words."""

import math
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privbo_core.data import to_csv
from privbo_core.data.marks import PLAIN
from privbo_core.errors import DataError
from privbo_core.outsourced.parties.curator import Lookup
from privbo_core.outsourced.parties.terms import Outcome

_LEDGER = re.compile(rb'"format":\s*"privbo (federated )?ledger"')


def free(path: Path, *, force: bool, never: Iterable[Path] = ()) -> Path:
    """Return the path if a file may be written there; raise DataError if there is one already, or no folder.

    Asked before anything is done, so that no release is drawn that cannot be kept. ``never``: the files that the same
    command needs, which are not written over even by ``force``; nor is any ledger, or what may be one.
    """
    if any(path.resolve() == other.resolve() for other in never):
        raise DataError(f"{str(path)!r} is a file that this command reads or keeps; write to one with another name.")
    if path.exists() and not path.is_dir():
        try:
            with path.open("rb") as file:
                begins = file.read(1000)
        except OSError as fault:
            raise DataError(
                f"{str(path)!r} cannot be read ({fault.strerror or fault}), and may be a ledger; give another name."
            ) from None
        if _LEDGER.search(begins):
            raise DataError(
                f"{str(path)!r} is a ledger, and no ledger is written over, not by --force; give another name."
            )
        if not force:
            raise DataError(f"{str(path)!r} exists already; give another name, or add --force to write over it.")
    return in_folder(path)


def in_folder(path: Path) -> Path:
    """Return the path if it may be a file's in a folder that there is; raise DataError otherwise."""
    if path.is_dir():
        raise DataError(f"{str(path)!r} is a folder; give the name of a file.")
    if not path.parent.is_dir():
        raise DataError(f"The folder {str(path.parent)!r} does not exist; make it first.")
    if not os.access(path.parent, os.W_OK):
        raise DataError(f"Nothing may be written into the folder {str(path.parent)!r}; choose another.")
    return path


def there(path: Path, what: str) -> Path:
    """Return the path if there is a file; raise DataError, saying which is missing, otherwise."""
    if path.is_dir():
        raise DataError(f"{what} {str(path)!r} is a folder; give the name of a file.")
    if not path.exists():
        raise DataError(f"{what} {str(path)!r} does not exist; check the name and the folder you are in.")
    return path


ROW, OUTCOME, RECORD = "row", "outcome", "data row"


def work_sheet(found: Sequence[Lookup], mark: str) -> bytes:
    """Return the work sheet as CSV, its outcomes still empty; ``mark``: the decimal mark, as `to_csv` takes it."""
    own = {ROW, OUTCOME, RECORD}
    lines = [
        {
            ROW: each.row,
            OUTCOME: "",
            RECORD: each.record + 1 if len(each.records) == 1 else each.lines,
            **{f"{name} (table)" if name.strip().lower() in own else name: cell for name, cell in each.cells.items()},
        }
        for each in found
    ]
    return to_csv(pd.DataFrame(lines), mark=mark).encode("utf-8-sig")


def has_outcomes(data: bytes) -> bool:
    """Return whether a file of questions has a column for outcomes, as a work sheet has."""
    header = data.decode("utf-8-sig", errors="replace").lstrip().split("\n", 1)[0]
    return any(name.strip().strip('"').lower() == OUTCOME for name in re.split("[,;\t]", header))


def outcomes_of(table: pd.DataFrame, outcome: Outcome) -> NDArray[np.bool_]:
    """Return which records of a table have a number as their outcome; none if not just one column has its name."""
    if list(table.columns).count(outcome.name) != 1:
        return np.zeros(len(table), dtype=bool)
    return np.isfinite((outcome.marks or PLAIN).amounts(table[outcome.name]))


PROGRAM = "python -m privbo_core.workbench"


def number(value: float) -> str:
    """Return a number with all its digits, to be noted down or passed on; ∞ for none."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:.15g}"


def rough(value: float) -> str:
    """Return a number that is not to be noted down: three digits, thousands set apart."""
    if math.isinf(value):
        return "∞"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def amount(value: float, unit: str) -> str:
    """Return a number and its unit."""
    return f"{number(value)} {unit}".rstrip()


def about(value: float, unit: str) -> str:
    """Return a rough number and its unit."""
    return f"{rough(value)} {unit}".rstrip()


def count(many: int, one: str) -> str:
    """Return how many there are of a thing: ``1 row``, ``7,874 rows``."""
    return f"{many:,} {one}{'s' if many != 1 else ''}"


def size(path: Path) -> str:
    """Return how large a file is."""
    held = path.stat().st_size
    return f"{held / 1e6:.1f} MB" if held >= 1_000_000 else f"{max(held / 1e3, 0.1):.1f} kB"
