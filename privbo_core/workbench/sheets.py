"""The holder's work sheet: a line for each row asked for, its record, and a column for what is measured."""

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privbo_core.data import to_csv
from privbo_core.data.marks import PLAIN
from privbo_core.outsourced.parties.curator import Found
from privbo_core.outsourced.parties.terms import Outcome

ROW, OUTCOME, RECORD = "row", "outcome", "data row"


def work_sheet(found: Sequence[Found], mark: str) -> bytes:
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
