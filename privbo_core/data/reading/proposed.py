"""How the numbers of a column seem to be written, by all of its cells: proposed to whoever knows, and never assumed."""

import numpy as np
import pandas as pd

from privbo_core.data.columns import Numbers, as_text
from privbo_core.data.marks import PLAIN, THOUSANDS, Marks
from privbo_core.errors import Array

LOOKED_AT = 20_000
"""So many cells tell what stands between thousands."""


def proposed_marks(column: pd.Series, read: Numbers) -> Marks:
    """Return the marks that go with how a column was ``read``; plain ones for a column of words."""
    amounts = read.amounts[np.isfinite(read.amounts)]
    if not len(amounts):
        return PLAIN
    missing = _codes(amounts)
    if not isinstance(column.dtype, pd.StringDtype):
        return Marks(missing=missing)
    decimal = read.mark
    text = as_text(column.iloc[:LOOKED_AT])
    text = text.str.replace(read.unit, "", regex=False).str.strip() if read.unit else text
    counts = {
        sign: int(text.str.fullmatch(rf"[+-]?[0-9]{{1,3}}(?:{group}[0-9]{{3}})+(?:[{decimal}][0-9]*)?").sum())
        for sign, group in THOUSANDS.items()
        if group and sign != decimal
    }
    best = max(counts, key=lambda sign: counts[sign])
    return Marks(decimal, best if counts[best] else "", read.unit, missing)


def _codes(amounts: Array) -> tuple[str, ...]:
    """Return the extreme numbers of nothing but nines that lie farther from all others than those from each other."""
    found = []
    for value in (float(amounts.max()), float(amounts.min())):
        rest = amounts[amounts != value]
        if len(rest) and abs(value) < 1e15 and set(f"{abs(value):.15g}") == {"9"} and abs(value) > 100:
            gap = min(abs(value - rest.min()), abs(value - rest.max()))
            if gap > np.ptp(rest):
                found.append(f"{value:.0f}")
    return tuple(found)
